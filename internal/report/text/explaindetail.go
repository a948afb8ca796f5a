package text

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/explain"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// details prints the comparison with the chosen template, or with every candidate, in detail.
func (x explainer) details(o *explain.ExplainedObject) {
	if x.opt.Summary {
		return
	}
	if c := o.Chosen(); c != nil {
		x.detail(c)
	}
	for i := range o.Considered {
		if c := &o.Considered[i]; c.Standing != explain.Chosen {
			x.detail(c)
		}
	}
}

// title prints the heading of a part of the detail.
func (x explainer) title(text string) {
	x.line("")
	x.painted(x.palette.heading, text)
}

// detail prints the comparison with one template.
func (x explainer) detail(c *explain.Considered) {
	d := c.Detail
	if d == nil {
		return
	}
	x.rendered(c)
	x.asked(d.Asked)
	x.lookups(d.Lookups)
	x.rest(d)
	if c.Error == nil {
		x.differences(c)
		for _, s := range d.Notes {
			x.fact(2, "note", proseLines(s.String())...)
		}
	}
}

// rendered prints the rendered text, each line with its line in the template.
func (x explainer) rendered(c *explain.Considered) {
	title := "Rendered from " + c.Template.Path
	if c.Error != nil {
		title += ", as far as it went"
	}
	x.title(title + " (~ printed by an action, < needs what the CR lacks)")
	file := c.Detail.File
	for _, l := range c.Detail.Rendered {
		if l.File != file && l.File != "" {
			file = l.File
			x.say(2, "from "+x.fileName(file))
		}
		x.renderedLine(l)
	}
	if len(c.Detail.Rendered) == 0 {
		x.say(2, "(nothing)")
	}
}

// renderedLead is the width of the text before a line of rendered text.
const renderedLead = 8

// renderedLine prints a line of rendered text.
func (x explainer) renderedLine(l explain.RenderedLine) {
	mark := " "
	switch {
	case l.Finding:
		mark = paint(x.palette.bad, "<")
	case l.Printed:
		mark = paint(x.palette.extra, "~")
	}
	text, spans := shownLine(l)
	indent := len(text) - len(strings.TrimLeft(text, " "))
	for i := range spans {
		spans[i].Start, spans[i].End = max(spans[i].Start-indent, 0), max(spans[i].End-indent, 0)
	}
	indent = min(indent, x.width/4)
	rest := strings.TrimLeft(text, " ")
	number := fmt.Sprintf("%5d", l.Line)
	room := x.width - renderedLead - indent
	for i, p := range x.ruler.wrap(rest, room, room-2-continuedWidth, cutValue) {
		lead := paint(x.palette.quiet, number) + " " + mark + " " + spacesOf(indent)
		if i > 0 {
			lead = spacesOf(renderedLead+indent+2) + continued
		}
		x.line(lead + paintSpans(rest, spans, p, nil, x.palette.extra))
	}
}

// shownLine returns a line in a form that is safe to print, and the parts of it that template
// actions printed.
func shownLine(l explain.RenderedLine) (string, []finding.Span) {
	var b strings.Builder
	var spans []finding.Span
	at := 0
	for _, p := range l.Prints {
		b.WriteString(escape.Text(l.Text[at:p.Start]))
		start := b.Len()
		b.WriteString(escape.Text(l.Text[p.Start:p.End]))
		spans = append(spans, finding.Span{Start: start, End: b.Len()})
		at = p.End
	}
	b.WriteString(escape.Text(l.Text[at:]))
	return strings.TrimRight(b.String(), " "), spans
}

// asked lists the keys that the template read and the object lacks.
func (x explainer) asked(all []explain.Asked) {
	for _, list := range []struct {
		title  string
		needed bool
	}{
		{"Missing: the template prints these, and the CR lacks them", true},
		{"Asked for and absent, which the template provides for", false},
	} {
		said := false
		for _, a := range all {
			if a.Needed != list.needed {
				continue
			}
			if !said {
				x.title(list.title)
			}
			said = true
			x.say(2, a.Path+"  ("+x.position(a.File, a.Line)+")")
		}
	}
}

// lookups lists the objects that the template looked up.
func (x explainer) lookups(all []explain.Lookup) {
	if len(all) == 0 {
		return
	}
	x.title("Looked up in the input")
	for _, q := range all {
		x.say(2, fmt.Sprintf(
			"%s %s/%s (%s): %s found  (%s)",
			q.Kind,
			cmp.Or(q.Namespace, "*"),
			cmp.Or(q.Name, "*"),
			q.APIVersion,
			decimal(q.Found),
			x.position(q.File, q.Line),
		))
	}
}

// rest lists everything else that changed the two sides before the comparison.
func (x explainer) rest(d *explain.Detail) {
	if len(d.Overrides)+len(d.Functions)+len(d.Omitted) == 0 && !d.Merged {
		return
	}
	x.title("Before the comparison")
	if d.Merged {
		x.fact(2, "merged", "what the template does not say was taken from the CR (ignore-unspecified-fields)")
	}
	for _, o := range d.Overrides {
		x.fact(2, "override", o.File+":"+decimal(o.Line)+" ("+o.Type+"), "+applied(o)+": "+o.Reason)
	}
	for _, f := range d.Functions {
		x.fact(2, "inline", f.Function+" for "+f.Path)
	}
	x.fact(2, "left out", strings.Join(d.Omitted, ", "))
}

// differences lists the differences.
func (x explainer) differences(c *explain.Considered) {
	title := "Differences: " + c.Counts.String()
	if c.Counts.Expected > 0 && !x.opt.ShowExpected {
		title += " (--show-expected lists these too)"
	}
	x.title(title)
	for _, d := range c.Detail.Differences {
		if d.Category == finding.Expected && !x.opt.ShowExpected {
			continue
		}
		x.difference(d)
	}
}

// difference prints one difference.
func (x explainer) difference(d finding.Difference) {
	style, _ := x.palette.mark(d.Category)
	text := d.Path
	if text == "." {
		text = "the CR as a whole"
	}
	if d.Line > 0 {
		text += "  (line " + decimal(d.Line) + ")"
	}
	x.marked("  "+sign(d.Category)+" ", 6, style, text)
	if d.Required() {
		d.Reference = []byte(`"(required)"`)
	}
	x.value("reference", d.Reference)
	x.value("input", d.Input)
	if d.Message != "" {
		for _, l := range strings.Split(d.Message+finding.Note(d.Code), "\n") {
			x.fact(6, "note", l)
		}
	}
}

// value prints the value of one side of a difference.
func (x explainer) value(label string, raw json.RawMessage) {
	if raw == nil {
		return
	}
	v, err := tree.FromJSON(raw)
	if err != nil {
		v = string(raw)
	}
	const at = 17
	for _, c := range escape.Lines(v, "", &escape.Lead{}, "") {
		lines, _ := x.ruler.cellLines(c, x.width-at, nil, nil)
		for _, l := range lines {
			x.line(spacesOf(6) + paint(x.palette.quiet, label) + spacesOf(at-6-len(label)) + l)
			label = ""
		}
	}
}

// applied says that an override was applied, or why it was not.
func applied(o finding.UsedOverride) string {
	switch o.State {
	case finding.OverrideExpired:
		return "not applied, because it expired on " + o.Expires
	case finding.OverrideObsolete:
		return "not applied, because it is obsolete: the CR agrees with the reference without it"
	case finding.OverrideStale:
		return "not applied, because it is stale: " + o.Message
	case finding.OverrideOverruled:
		return "not applied, because another one names the CR more specifically"
	}
	return "applied"
}

package report

import (
	"fmt"
	"strings"

	"github.com/fatih/color"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/render"
)

// details prints what is behind the comparison with the chosen template, or with every candidate.
func (x explainer) details(o *compare.ExplainedObject) {
	if x.opt.Summary {
		return
	}
	if c := o.Chosen(); c != nil {
		x.detail(c)
	}
	for i := range o.Considered {
		if c := &o.Considered[i]; x.all && c.Standing != compare.Chosen {
			x.detail(c)
		}
	}
}

// title prints the heading of a part of the detail.
func (x explainer) title(text string) {
	x.line("")
	for _, l := range x.ruler.paragraph(text, x.width, 0, 2) {
		x.line(paint(x.palette.heading, l))
	}
}

// detail prints what is behind the comparison with one template.
func (x explainer) detail(c *compare.Considered) {
	d := c.Detail
	if d == nil {
		return
	}
	x.rendered(c)
	x.asked(d.Asked)
	x.queries(d.Queries)
	x.rest(d)
	if c.Compared != nil && c.Compared.Err == nil {
		x.differences(c)
	}
}

// rendered prints the rendered text, each line with its line in the template.
func (x explainer) rendered(c *compare.Considered) {
	title := "Rendered from " + c.Template.Path
	if c.Compared != nil && c.Compared.Err != nil {
		title += ", as far as it went"
	}
	x.title(title + " (~ printed by an action, < needs what the CR lacks)")
	file := c.Template.File
	for _, l := range c.Detail.Lines {
		if l.From.File != file && l.From.File != "" {
			file = l.From.File
			x.say(2, "from "+x.fileName(file))
		}
		x.renderedLine(l)
	}
	if len(c.Detail.Lines) == 0 {
		x.say(2, "(nothing)")
	}
}

// renderedLead is the width of what stands before a line of rendered text.
const renderedLead = 8

// renderedLine prints a line of rendered text.
func (x explainer) renderedLine(l compare.RenderedLine) {
	mark := " "
	switch {
	case l.Finding:
		mark = paint(x.palette.missing, "<")
	case len(l.Prints) > 0:
		mark = paint(x.palette.extra, "~")
	}
	text, spans := x.shownLine(l)
	indent := len(text) - len(strings.TrimLeft(text, " "))
	for i := range spans {
		spans[i].Start, spans[i].End = max(spans[i].Start-indent, 0), max(spans[i].End-indent, 0)
	}
	indent = min(indent, x.width/4)
	rest := strings.TrimLeft(text, " ")
	number := fmt.Sprintf("%5d", l.From.Line)
	room := x.width - renderedLead - indent
	for i, p := range x.ruler.wrap(rest, room, room-2-continuedWidth, cutValue) {
		lead := paint(x.palette.quiet, number) + " " + mark + " " + spacesOf(indent)
		if i > 0 {
			lead = spacesOf(renderedLead+indent+2) + continued
		}
		x.line(lead + paintParts(rest, spans, p, x.palette.extra))
	}
}

// shownLine returns a line as it may be shown, and the parts of it that actions printed.
func (x explainer) shownLine(l compare.RenderedLine) (string, []align.Span) {
	if l.Hidden && !x.opt.ShowSecrets {
		return visible(l.Masked), nil
	}
	var b strings.Builder
	var spans []align.Span
	at := 0
	for _, p := range l.Prints {
		b.WriteString(visible(l.Text[at:p.Start]))
		start := b.Len()
		b.WriteString(visible(l.Text[p.Start:p.End]))
		spans = append(spans, align.Span{Start: start, End: b.Len()})
		at = p.End
	}
	b.WriteString(visible(l.Text[at:]))
	return strings.TrimRight(b.String(), " "), spans
}

// asked lists the keys that the object lacks.
func (x explainer) asked(all []render.Asked) {
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
			x.say(2, a.Path.String()+"  ("+x.position(a.At.File, a.At.Line)+")")
		}
	}
}

// queries lists what the template looked up.
func (x explainer) queries(all []render.Query) {
	if len(all) == 0 {
		return
	}
	x.title("Looked up in the input")
	for _, q := range all {
		x.say(2, fmt.Sprintf("%s %s/%s (%s): %s found  (%s)", q.Kind, orElse(q.Namespace, "*"), orElse(q.Name, "*"), q.APIVersion,
			decimal(q.Found), x.position(q.At.File, q.At.Line)))
	}
}

// rest tells what else changed the two sides before they were compared.
func (x explainer) rest(d *compare.Detail) {
	if len(d.Overrides)+len(d.Functions)+len(d.Omitted) == 0 && !d.Merged {
		return
	}
	x.title("Before the comparison")
	if d.Merged {
		x.fact(2, "merged", "what the template does not say was taken from the CR (ignore-unspecified-fields)")
	}
	for _, o := range d.Overrides {
		x.fact(2, "override", o.Place.File+":"+decimal(o.Place.Line)+" ("+string(o.Type)+"), "+applied(o)+": "+o.Reason)
	}
	for _, f := range d.Functions {
		x.fact(2, "inline", f.Function+" for "+f.Path.String())
	}
	var omitted []string
	for _, p := range d.Omitted {
		omitted = append(omitted, p.String())
	}
	if len(omitted) > 0 {
		x.fact(2, "left out", strings.Join(omitted, ", "))
	}
}

// differences lists what differs.
func (x explainer) differences(c *compare.Considered) {
	n := c.Compared.Counts
	title := "Differences: " + counts(n)
	if n[compare.Expected] > 0 && !x.opt.ShowExpected {
		title += " (--show-expected lists these too)"
	}
	x.title(title)
	for _, d := range c.Compared.Differences {
		if d.Category == compare.Expected && !x.opt.ShowExpected {
			continue
		}
		x.difference(c, d)
	}
}

// difference prints one difference.
func (x explainer) difference(c *compare.Considered, d compare.Difference) {
	style, _ := x.palette.mark(d.Category)
	text := d.Path.String()
	if len(d.Path) == 0 {
		text = "the CR as a whole"
	}
	at := c.Compared.Source
	if at.Line = d.Line; at.Line > 0 {
		text += "  (line " + decimal(at.Line) + ")"
	}
	for i, l := range x.ruler.paragraph(text, x.width, 4, 6) {
		if i == 0 {
			l = "  " + sign(d.Category) + " " + l[4:]
		}
		x.line(paint(style, l))
	}
	b := rowBuilder{showSecrets: x.opt.ShowSecrets}
	for _, side := range []struct {
		label string
		value compare.Value
	}{{"reference", d.Reference}, {"input", d.Input}} {
		x.value(side.label, b.shown(required(d, side.label, side.value), d.Secret))
	}
	if d.Message != "" {
		for _, l := range strings.Split(d.Message+codeNote(d.Code), "\n") {
			x.fact(6, "note", l)
		}
	}
}

// required puts a word in place of a value of the reference that only the CR could tell.
func required(d compare.Difference, label string, v compare.Value) compare.Value {
	if label == "reference" && d.Category == compare.Missing && isVoid(v) && (d.Code == code.EvalMissingKey || !v.Present) {
		return compare.Value{Present: true, Data: hiddenValue("(required)")}
	}
	return v
}

// value prints a side of a difference.
func (x explainer) value(label string, v compare.Value) {
	const at = 17
	for _, c := range valueLines(v, "", &lead{}) {
		lines, _ := x.ruler.cellLines(c, x.width-at, nil, nil)
		for _, l := range lines {
			x.line(spacesOf(6) + paint(x.palette.quiet, label) + spacesOf(at-6-len(label)) + l)
			label = ""
		}
	}
}

// paintParts paints some spans in a piece of a text.
func paintParts(s string, spans []align.Span, p piece, style *color.Color) string {
	var b strings.Builder
	at := p.start
	for _, span := range clip(spans, p) {
		b.WriteString(s[at:span.Start])
		b.WriteString(paint(style, s[span.Start:span.End]))
		at = span.End
	}
	b.WriteString(s[at:p.end])
	return b.String()
}

// applied says whether an override was applied, and why not.
func applied(o compare.UsedOverride) string {
	switch o.State {
	case compare.OverrideExpired:
		return "not applied, because it expired on " + o.Expires
	case compare.OverrideObsolete:
		return "not applied, because it is obsolete: the CR agrees with the reference without it"
	case compare.OverrideOverruled:
		return "not applied, because another one names the CR more specifically"
	}
	return "applied"
}

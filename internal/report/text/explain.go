package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/validationtool/validationtool/internal/compare/explain"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
)

// explainer prints one explanation.
type explainer struct {
	*printer
	e *explain.Explanation
}

// Explanation prints an explanation for people. Of the options it uses those for width, colour and
// expected differences, and Verbose, Summary, AllCandidates and Command. The error is the writer's.
func Explanation(w io.Writer, e *explain.Explanation, opt Options) error {
	x := explainer{newPrinter(w, opt), e}
	x.overview(e)
	for i := range e.Templates {
		x.template(&e.Templates[i], i == 0 && len(e.Objects) == 0)
	}
	for i := range e.Objects {
		x.object(&e.Objects[i], i == 0 && len(e.Objects) == 1 && len(e.Templates) == 0)
	}
	if len(e.Unreadable)+len(e.NotRead) > 0 {
		x.rule()
		all := func(code.Code) bool { return true }
		x.problems("Not readable, so the explanation may lack something", e.Unreadable, all)
		x.problems("Archives not read", e.NotRead, all)
	}
	return x.end()
}

// rule prints a line across the width.
func (x explainer) rule() {
	x.line("")
	x.line(paint(x.palette.quiet, strings.Repeat("-", x.width)))
}

// overview lists the objects if there are several.
func (x explainer) overview(e *explain.Explanation) {
	if len(e.Objects) < 2 {
		return
	}
	x.line(paint(x.palette.heading, decimal(len(e.Objects))+" CRs are explained:"))
	for i := range e.Objects {
		o := &e.Objects[i]
		name, style := x.outcomeOf(o)
		x.titled(
			2, name+spacesOf(len("UNMATCHED")-len(name)), style, o.Object.String()+finding.Prefixed(": ", o.Template),
		)
	}
}

// outcomeOf names the result for an object.
func (x explainer) outcomeOf(o *explain.ExplainedObject) (string, *color.Color) {
	if o.Template == "" {
		return resultName(o.Result), x.palette.info
	}
	return resultName(o.Result), x.palette.result(o.Result)
}

// object explains one object.
func (x explainer) object(o *explain.ExplainedObject, first bool) {
	if !first {
		x.rule()
	}
	name, style := x.outcomeOf(o)
	x.titled(0, name, style, o.Object.String())
	x.place(2, "file", o.Source.String())
	x.fact(2, "cluster", o.Cluster)
	for _, c := range o.Copies {
		x.fact(2, "copy", c.String()+", not explained")
	}
	if c := o.Chosen(); c == nil {
		x.fact(2, "compared", "with no template: "+noTemplate(o))
	} else {
		x.fact(2, "compared", "with "+c.Template.Path+finding.Prefixed(" in ", c.Template.ComponentName())+": "+resultText(c))
	}
	x.manual(o)
	for _, w := range o.Warnings {
		x.fact(2, "warning", proseLines(w.Message+finding.Note(w.Code))...)
	}
	x.considered(o)
	x.details(o)
}

// resultText describes the result of a comparison.
func resultText(c *explain.Considered) string {
	if c.Counts == nil {
		return "it could not be evaluated"
	}
	return c.Counts.String()
}

// noTemplate describes why an object has no template.
func noTemplate(o *explain.ExplainedObject) string {
	switch {
	case o.By != "":
		return "all candidates refuse it, so it is left unchecked on purpose"
	case !slices.ContainsFunc(o.Considered, ofKind):
		return "the reference has none for the kind " + o.Object.Kind
	case slices.ContainsFunc(o.Considered,
		func(c explain.Considered) bool { return c.Standing != explain.NotAnalysed }):
		return "each one of its kind states a field that is not the CR's"
	}
	return "the components of all templates of its kind are left out"
}

// ofKind reports whether a template is for the kind of the object.
func ofKind(c explain.Considered) bool {
	return slices.ContainsFunc(
		c.Identity, func(f explain.IdentityField) bool { return f.Field == "kind" && !f.Disagrees() },
	)
}

// manual prints what the diff config says about an object.
func (x explainer) manual(o *explain.ExplainedObject) {
	switch {
	case o.Manual == "":
	case o.By == finding.ByManual:
		x.fact(2, "paired", "the diff config pairs it with "+o.Manual)
	default:
		x.fact(
			2,
			"paired",
			"the diff config pairs it with "+o.Manual+", whose component is left out, so this is as if there were no pair",
		)
	}
}

// considered lists the templates that were considered: candidates first, then the nearest ones.
func (x explainer) considered(o *explain.ExplainedObject) {
	list := slices.Clone(o.Considered)
	slices.SortStableFunc(list, func(a, b explain.Considered) int { return farness(a) - farness(b) })
	candidates := 0
	for _, c := range list {
		if c.Standing.Candidate() {
			candidates++
		}
	}
	if len(list) == 0 {
		return
	}
	x.title(fmt.Sprintf("%s of kind %s, %s", finding.Plural(len(list), "template", "templates"), o.Object.Kind,
		finding.Plural(candidates, "candidate", "candidates")))
	for i := range list {
		x.line("")
		x.consideredOne(o, &list[i], candidates)
	}
}

// farness orders templates: the chosen one first, then other candidates, then the others by the
// number of reasons against them.
func farness(c explain.Considered) int {
	switch {
	case c.Standing == explain.Chosen:
		return 0
	case c.Standing.Candidate():
		return 1
	case c.Standing != explain.Unlike && c.Standing != explain.Farther:
		return 2
	}
	n := 2
	for _, f := range c.Identity {
		if f.Disagrees() {
			n++
		}
	}
	return n
}

// standingWord returns the word for a standing, with its style.
func (x explainer) standingWord(s explain.Standing) (string, *color.Color) {
	switch s {
	case explain.Chosen:
		return "CHOSEN", x.palette.good
	case explain.Larger, explain.Tie:
		return "LOST", x.palette.heading
	case explain.NotEvaluated:
		return "FAILED", x.palette.unsure
	case explain.RefusedIt:
		return "REFUSED", x.palette.info
	case explain.NotAnalysed:
		return "LEFT OUT", x.palette.quiet
	}
	return "NO MATCH", x.palette.quiet
}

// consideredOne prints the result for one template.
func (x explainer) consideredOne(o *explain.ExplainedObject, c *explain.Considered, candidates int) {
	word, style := x.standingWord(c.Standing)
	x.titled(2, word, style, templateName(c.Template))
	x.identity(4, c.Identity)
	x.came(c)
	x.fact(4, "why", proseLines(x.why(o, c, candidates))...)
}

// came prints the result of the comparison with a template, if there was a comparison.
func (x explainer) came(c *explain.Considered) {
	switch {
	case c.Error != nil:
		x.fact(4, "error", proseLines(c.Error.Message+finding.Note(c.Error.Code))...)
	case c.Counts != nil:
		x.fact(4, "found", c.Counts.String()+"; "+finding.Plural(*c.Score, "changed character", "changed characters"))
	}
}

// identity prints the identity fields that a template states, and those in which the object
// differs.
func (x explainer) identity(indent int, fields []explain.IdentityField) {
	var states, open []string
	for _, f := range fields {
		switch {
		case f.States == nil:
			open = append(open, f.Field)
		case f.Pattern:
			states = append(states, f.Field+" "+*f.States+" (a pattern)")
		default:
			states = append(states, f.Field+" "+*f.States)
		}
	}
	x.fact(indent, "states", cmp.Or(strings.Join(states, ", "), " "))
	x.fact(indent, "open", strings.Join(open, ", "))
	for _, f := range fields {
		if f.Disagrees() {
			x.fact(indent, "differs", f.Field+": the template says "+*f.States+", the CR has "+cmp.Or(*f.Has, "none"))
		}
	}
}

// why describes the reason for the standing of a template; "" if the fields that differ are the
// reason.
func (x explainer) why(o *explain.ExplainedObject, c *explain.Considered, candidates int) string {
	if c.Standing == explain.Chosen {
		return whyChosen(o, c, candidates)
	}
	score := 0
	if chosen := o.Chosen(); chosen != nil && chosen.Score != nil {
		score = *chosen.Score
	}
	return x.whyLost(c, cmp.Or(o.Template, o.Manual), score)
}

// whyLost describes why an object is not compared with this template. with is the template that it
// is compared with, or "", and score is its score there.
func (x explainer) whyLost(c *explain.Considered, with string, score int) string {
	switch c.Standing {
	case explain.Larger:
		return fmt.Sprintf(
			"%s is closer: %s, not %d", with, finding.Plural(score, "changed character", "changed characters"), *c.Score,
		)
	case explain.Tie:
		return with + " is as close, and comes first in the reference"
	case explain.NotEvaluated:
		return "it is a candidate, but could not be evaluated"
	case explain.RefusedIt:
		return "it refuses the CR by doNotMatch at " + x.position(c.Refusal.File, c.Refusal.Line) + ": " + c.Refusal.Reason
	case explain.LessSpecific:
		return "all that it states agrees (" + strings.Join(stated(c), ", ") +
			"), but templates with more specific fields that agree come first"
	case explain.Pattern:
		return "all that it states agrees, but a part of it is a pattern, and templates without patterns come first"
	case explain.Farther:
		return "it is for another namespace, and no template fits, so those of the CR's namespace are the nearest ones"
	case explain.Overruled:
		return "the diff config pairs the CR with " + cmp.Or(with, "another template")
	case explain.NotAnalysed:
		return "its component is left out by --component or --skip-component"
	}
	return ""
}

// whyChosen describes why a template was chosen.
func whyChosen(o *explain.ExplainedObject, c *explain.Considered, candidates int) string {
	group := "all that it states agrees (" + strings.Join(stated(c), ", ") + ")"
	switch {
	case o.By == finding.ByManual:
		return "the diff config pairs the CR with it"
	case o.By == finding.ByNearest:
		return "no template fits, and of the CRs that come near to this one without a CR of its own, it has the smallest difference"
	}
	switch {
	case candidates == 1:
		return group + ", and it is the only candidate"
	case c.Error != nil:
		return group + ", and no candidate can be evaluated; it is the first in the reference"
	case slices.ContainsFunc(o.Considered, func(c explain.Considered) bool { return c.Standing == explain.Tie }):
		return fmt.Sprintf(
			"%s, no difference of the %d candidates is smaller, and it comes first in the reference", group, candidates,
		)
	}
	return fmt.Sprintf("%s, and its difference is the smallest of the %d candidates", group, candidates)
}

// stated returns the fields that a template states.
func stated(c *explain.Considered) []string {
	var names []string
	for _, f := range c.Identity {
		if f.States != nil {
			names = append(names, f.Field)
		}
	}
	return names
}

// position formats a line of a file of the reference, with the path within the reference.
func (x explainer) position(file string, line int) string {
	return x.fileName(file) + ":" + decimal(line)
}

func (x explainer) fileName(file string) string {
	if p, ok := x.e.Files[file]; ok {
		return p
	}
	return file
}

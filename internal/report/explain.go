package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/validationtool/validationtool/internal/compare"
)

// ExplainOptions say how an explanation is printed. Of the options of a text, those about width, colour, secrets, expected
// differences, Summary (leave out the rendered text and the differences), Verbose and Command count.
type ExplainOptions struct {
	TextOptions
	AllCandidates bool // tell of every candidate what is told of the chosen one
}

// explainer prints one explanation.
type explainer struct {
	*printer
	all   bool
	files map[string]string // paths within the reference of the files that positions name
}

// Explanation prints an explanation for people. The error is the writer's.
func Explanation(w io.Writer, e *compare.Explanation, opt ExplainOptions) error {
	x := explainer{printer: newPrinter(w, opt.TextOptions), all: opt.AllCandidates, files: map[string]string{}}
	for _, t := range e.Reference.Templates {
		x.files[t.File] = t.Path
	}
	for _, f := range e.Reference.Functions {
		x.files[f.File] = f.Path
	}
	x.overview(e)
	for i := range e.Templates {
		x.template(&e.Templates[i], i == 0 && len(e.Objects) == 0)
	}
	for i := range e.Objects {
		x.object(&e.Objects[i], i == 0 && len(e.Objects) == 1 && len(e.Templates) == 0)
	}
	if len(e.Unreadable)+len(e.NotRead) > 0 {
		x.rule()
		x.problems("Not readable, so the explanation may lack something", e.Unreadable)
		x.problems("Archives not read", e.NotRead)
	}
	return x.end()
}

// rule prints a line across.
func (x explainer) rule() {
	x.line("")
	x.line(paint(x.palette.quiet, strings.Repeat("-", x.width)))
}

// overview lists what was found, where that is more than one object.
func (x explainer) overview(e *compare.Explanation) {
	if len(e.Objects) < 2 {
		return
	}
	x.line(paint(x.palette.heading, decimal(len(e.Objects))+" CRs are explained:"))
	for i := range e.Objects {
		o := &e.Objects[i]
		name, style := x.outcomeOf(o)
		x.head(2, name+spacesOf(len("UNMATCHED")-len(name)), style, o.Object.String()+prefixed(": ", chosenPath(o)))
	}
}

// head prints a word in capitals, and what it is about.
func (x explainer) head(indent int, word string, style *color.Color, text string) {
	at := indent + len(word) + 2
	for i, l := range x.ruler.paragraph(text, x.width, at, at) {
		if i == 0 {
			x.line(spacesOf(indent) + paint(style, word) + "  " + paint(x.palette.heading, l[at:]))
			continue
		}
		x.line(paint(x.palette.heading, l))
	}
}

// outcomeOf is the word for what became of an object.
func (x explainer) outcomeOf(o *compare.ExplainedObject) (string, *color.Color) {
	switch {
	case o.Comparison != nil:
		return outcomeName(o.Comparison.Outcome), x.palette.outcome(o.Comparison.Outcome)
	case o.By != "":
		return "REFUSED", x.palette.info
	}
	return "UNMATCHED", x.palette.info
}

func chosenPath(o *compare.ExplainedObject) string {
	if o.Comparison == nil {
		return ""
	}
	return o.Comparison.Template.Path
}

// object explains one object.
func (x explainer) object(o *compare.ExplainedObject, first bool) {
	if !first {
		x.rule()
	}
	name, style := x.outcomeOf(o)
	x.head(0, name, style, o.Object.String())
	x.fact(2, "file", place(o.Source))
	if o.Cluster != "" {
		x.fact(2, "cluster", o.Cluster)
	}
	for _, c := range o.Copies {
		x.fact(2, "copy", place(c)+", not compared")
	}
	if o.Comparison == nil {
		x.fact(2, "compared", "with no template: "+noTemplate(o))
	} else {
		x.fact(2, "compared", "with "+o.Comparison.Template.Path+prefixed(" in ", componentName(o.Comparison.Template.Component))+": "+
			outcomeText(o.Comparison))
	}
	x.manual(o)
	for _, w := range o.Warnings {
		x.fact(2, "warning", proseLines(w.Message+codeNote(w.Code))...)
	}
	x.considered(o)
	x.details(o)
}

// outcomeText is what comparing came to.
func outcomeText(c *compare.Comparison) string {
	if c.Err != nil {
		return "it could not be evaluated"
	}
	return counts(c.Counts)
}

// noTemplate says why an object has no template.
func noTemplate(o *compare.ExplainedObject) string {
	switch {
	case o.By != "":
		return "all candidates refuse it, so it is left unchecked on purpose"
	case o.KindUnknown:
		return "the reference has none for the kind " + o.Object.Kind
	case slices.ContainsFunc(o.Considered, func(c compare.Considered) bool { return c.Standing != compare.NotAnalysed }):
		return "each one of its kind states a field that is not the CR's"
	}
	return "the components of those of its kind are left out"
}

// manual says what the diff config has to say about an object.
func (x explainer) manual(o *compare.ExplainedObject) {
	switch {
	case o.Manual == nil:
	case o.By == "manual":
		x.fact(2, "paired", "the diff config pairs it with "+o.Manual.Path)
	default:
		x.fact(2, "paired", "the diff config pairs it with "+o.Manual.Path+", whose component is left out, so this is as if there were no pair")
	}
}

// considered lists the templates, the candidates first, then those that come nearest.
func (x explainer) considered(o *compare.ExplainedObject) {
	list := slices.Clone(o.Considered)
	slices.SortStableFunc(list, func(a, b compare.Considered) int { return farness(a) - farness(b) })
	candidates := 0
	for _, c := range list {
		if c.Standing.Candidate() {
			candidates++
		}
	}
	if len(list) == 0 {
		return
	}
	x.title(fmt.Sprintf("%s of kind %s, %s", plural(len(list), "template", "templates"), o.Object.Kind,
		plural(candidates, "candidate", "candidates")))
	for i := range list {
		x.line("")
		x.consideredOne(o, &list[i], candidates)
	}
}

// farness orders templates: the chosen one, other candidates, then the others by how much keeps them from being one.
func farness(c compare.Considered) int {
	switch {
	case c.Standing == compare.Chosen:
		return 0
	case c.Standing.Candidate():
		return 1
	case c.Standing != compare.Differs && c.Standing != compare.Farther:
		return 2
	}
	n := 2
	for _, f := range c.Identity {
		if !f.Agrees {
			n++
		}
	}
	return n
}

// standingWord is the standing in a word.
func (x explainer) standingWord(s compare.Standing) (string, *color.Color) {
	switch s {
	case compare.Chosen:
		return "CHOSEN", x.palette.good
	case compare.Larger, compare.Tie:
		return "LOST", x.palette.heading
	case compare.NotEvaluated:
		return "FAILED", x.palette.unsure
	case compare.RefusedIt:
		return "REFUSED", x.palette.info
	case compare.NotAnalysed:
		return "LEFT OUT", x.palette.quiet
	}
	return "NO MATCH", x.palette.quiet
}

// consideredOne says what became of one template.
func (x explainer) consideredOne(o *compare.ExplainedObject, c *compare.Considered, candidates int) {
	word, style := x.standingWord(c.Standing)
	x.head(2, word, style, c.Template.Path+prefixed("  in ", componentName(c.Template.Component)))
	x.identity(4, c.Identity)
	if c.Compared != nil && c.Compared.Err != nil {
		x.fact(4, "error", proseLines(c.Compared.Err.Message+codeNote(c.Compared.Err.Code))...)
	} else if c.Compared != nil {
		x.fact(4, "found", counts(c.Compared.Counts)+"; "+plural(c.Score, "changed character", "changed characters"))
	}
	if why := x.why(o, c, candidates); why != "" {
		x.fact(4, "why", proseLines(why)...)
	}
}

// identity says what a template states, and where an object disagrees.
func (x explainer) identity(indent int, fields []compare.IdentityField) {
	var states, open []string
	for _, f := range fields {
		switch {
		case !f.Stated:
			open = append(open, f.Name)
		case f.Whole:
			states = append(states, f.Name+" "+f.States)
		default:
			states = append(states, f.Name+" "+f.States+" (a pattern)")
		}
	}
	x.fact(indent, "states", strings.Join(states, ", "))
	if len(open) > 0 {
		x.fact(indent, "open", strings.Join(open, ", "))
	}
	for _, f := range fields {
		if !f.Agrees {
			x.fact(indent, "differs", f.Name+": the template says "+f.States+", the CR has "+orElse(f.Has, "none"))
		}
	}
}

// why says what decided about a template.
func (x explainer) why(o *compare.ExplainedObject, c *compare.Considered, candidates int) string {
	switch c.Standing {
	case compare.Chosen:
		return whyChosen(o, c, candidates)
	case compare.Larger:
		return fmt.Sprintf("the difference is larger than that of %s: %d changed characters, not %d", o.Chosen().Template.Path, c.Score, o.Chosen().Score)
	case compare.Tie:
		return "the difference is as large as that of " + o.Chosen().Template.Path + ", which comes first in the reference"
	case compare.NotEvaluated:
		return "it is a candidate, but could not be evaluated, so " + o.Chosen().Template.Path + " comes first"
	case compare.RefusedIt:
		return "it refuses the CR by doNotMatch at " + x.position(c.Refusal.At.File, c.Refusal.At.Line) + ": " + c.Refusal.Reason
	case compare.LessSpecific:
		return "all that it states agrees (" + strings.Join(stated(c), ", ") + "), but templates come first of which more specific fields agree (" +
			strings.Join(stated(&o.Considered[firstCandidate(o)]), ", ") + ")"
	case compare.Pattern:
		return "all that it states agrees, but a part of it is a pattern, and a template that states all in full comes first"
	case compare.Farther:
		return "it is for another namespace, and no template fits, so those of the CR's namespace are the nearest ones"
	case compare.Overruled:
		return "the diff config pairs the CR with " + o.Manual.Path
	case compare.NotAnalysed:
		return "its component is left out by --component or --skip-component"
	}
	return "" // the fields that differ say it
}

// whyChosen says what decided for a template.
func whyChosen(o *compare.ExplainedObject, c *compare.Considered, candidates int) string {
	group := "all that it states agrees (" + strings.Join(stated(c), ", ") + ")"
	switch {
	case o.By == "manual":
		return "the diff config pairs the CR with it"
	case o.By == "nearest":
		return "no template fits, and of the CRs that come near to this one without a CR of its own, it has the smallest difference"
	}
	switch {
	case candidates == 1:
		return group + ", and it is the only candidate"
	case c.Compared.Err != nil:
		return group + ", and no candidate can be evaluated; it is the first in the reference"
	case slices.ContainsFunc(o.Considered, func(c compare.Considered) bool { return c.Standing == compare.Tie }):
		return fmt.Sprintf("%s, no difference of the %d candidates is smaller, and it comes first in the reference", group, candidates)
	}
	return fmt.Sprintf("%s, and its difference is the smallest of the %d candidates", group, candidates)
}

func firstCandidate(o *compare.ExplainedObject) int {
	return max(slices.IndexFunc(o.Considered, func(c compare.Considered) bool { return c.Standing.Candidate() }), 0)
}

// stated returns the fields that a template states.
func stated(c *compare.Considered) []string {
	var names []string
	for _, f := range c.Identity {
		if f.Stated {
			names = append(names, f.Name)
		}
	}
	return names
}

// position writes a line of a file of the reference, by its path within the reference.
func (x explainer) position(file string, line int) string {
	return x.fileName(file) + ":" + decimal(line)
}

func (x explainer) fileName(file string) string {
	if p, ok := x.files[file]; ok {
		return p
	}
	return file
}

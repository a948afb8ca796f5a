package report

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/refconfig"
)

func decimal(n int) string { return strconv.Itoa(n) }

// objects prints the objects with findings, the most serious first, then a line for each of the others if that is asked
// for.
func (p *printer) objects() {
	all := make([]*compare.Comparison, 0, len(p.r.Comparisons))
	for i := range p.r.Comparisons {
		all = append(all, &p.r.Comparisons[i])
	}
	slices.SortStableFunc(all, func(a, b *compare.Comparison) int { return cmp.Compare(b.Outcome, a.Outcome) })
	var clean []*compare.Comparison
	for _, c := range all {
		if quiet(c, p.opt) {
			clean = append(clean, c)
			continue
		}
		if c.Shown != nil {
			p.raw(c.Shown)
			continue
		}
		p.object(c)
	}
	if !p.opt.Verbose || len(clean) == 0 {
		return
	}
	p.line("")
	for _, c := range clean {
		p.say(0, "CLEAN  "+c.Object.String()+cleanNote(c))
	}
}

// quiet reports whether there is nothing to show of an object.
func quiet(c *compare.Comparison, opt TextOptions) bool {
	return c.Outcome == compare.Clean && !(opt.ShowExpected && c.Counts[compare.Expected] > 0)
}

// raw prints what was made before.
func (p *printer) raw(text []byte) {
	if p.err == nil {
		_, p.err = p.out.Write(text)
	}
}

// cleanNote is what a line about an object without findings says besides its identity.
func cleanNote(c *compare.Comparison) string {
	facts := present(expectedOnly(c), overrideNote(c))
	if len(facts) == 0 {
		return ""
	}
	return "  (" + strings.Join(facts, "; ") + ")"
}

func expectedOnly(c *compare.Comparison) string {
	if n := c.Counts[compare.Expected]; n > 0 {
		return decimal(n) + " expected"
	}
	return ""
}

func overrideNote(c *compare.Comparison) string {
	if c.Override == nil {
		return ""
	}
	return "overridden: " + strings.Join(c.Override.Reasons, "; ")
}

func outcomeName(o compare.Outcome) string {
	switch o {
	case compare.Failed:
		return "FAILED"
	case compare.Drifted:
		return "DRIFT"
	case compare.OnlyExtra:
		return "EXTRA"
	}
	return "CLEAN"
}

// Object prints what was found about one object as Text does. The error is the writer's.
func Object(w io.Writer, c *compare.Comparison, opt TextOptions) error {
	p := newPrinter(w, opt)
	p.object(c)
	return p.end()
}

// object prints what was found about one object.
func (p *printer) object(c *compare.Comparison) {
	p.line("")
	p.line(paint(p.palette.quiet, strings.Repeat("-", p.width)))
	name := outcomeName(c.Outcome)
	for i, l := range p.ruler.paragraph(c.Object.String(), p.width, len(name)+2, len(name)+2) {
		if i == 0 {
			p.line(paint(p.palette.outcome(c.Outcome), name) + "  " + paint(p.palette.heading, l[len(name)+2:]))
			continue
		}
		p.line(paint(p.palette.heading, l))
	}
	p.objectFacts(c)
	if c.Err != nil {
		p.fact(2, "error", proseLines(c.Err.Message+codeNote(c.Err.Code))...)
	}
	if c.Tree != nil && c.Tree.Message != "" {
		p.fact(2, "finding", proseLines(c.Tree.Message+codeNote(c.Tree.Code))...)
	}
	if c.Tree != nil {
		p.line("")
		b := rowBuilder{showSecrets: p.opt.ShowSecrets, longest: p.opt.longestLine()}
		p.rows(b.all(c.Tree))
	}
}

func (p *printer) objectFacts(c *compare.Comparison) {
	if t := c.Template; t != nil {
		p.fact(2, "template", t.Path+prefixed("  in ", componentName(t.Component)))
	}
	p.fact(2, "file", place(c.Source))
	if c.Err == nil {
		p.fact(2, "found", counts(c.Counts))
	}
	if t := c.Template; t != nil && t.Description != "" {
		p.fact(2, "about", proseLines(t.Description)...)
	}
	if c.Override != nil {
		p.fact(2, "override", c.Override.File+": "+strings.Join(c.Override.Reasons, "; "))
	}
	if s := choice(c.Correlation); s != "" {
		p.fact(2, "choice", s)
	}
}

// codeNote is a code as it stands behind a message.
func codeNote(c code.Code) string {
	if c == "" {
		return ""
	}
	return " (" + string(c) + ")"
}

// counts lists differences by category, the serious ones first.
func counts(n [compare.Missing + 1]int) string {
	var out []string
	for _, c := range []compare.Category{compare.Drift, compare.Missing, compare.Extra, compare.Expected} {
		if n[c] > 0 {
			out = append(out, decimal(n[c])+" "+categoryName(c))
		}
	}
	if len(out) == 0 {
		return "no difference"
	}
	return strings.Join(out, ", ")
}

func categoryName(c compare.Category) string {
	switch c {
	case compare.Drift:
		return "drift"
	case compare.Missing:
		return "missing"
	case compare.Extra:
		return "extra"
	case compare.Expected:
		return "expected"
	}
	return "same"
}

// choice says how the template was found, where that is not a matter of course.
func choice(c compare.Correlation) string {
	said := ""
	switch c.By {
	case "manual":
		said = "paired in the diff config"
	case "nearest":
		said = "the nearest template; " + agreeing(c.Fields)
	case "interactive":
		said = "chosen by the user"
	}
	if len(c.Candidates) < 2 {
		return said
	}
	var all []string
	for _, one := range c.Candidates {
		all = append(all, one.Template.Path+" ("+plural(one.Score, "changed character", "changed characters")+")")
	}
	also := "the closest of " + decimal(len(all)) + " templates: " + strings.Join(all, ", ")
	if c.By == "interactive" {
		return said + " among " + decimal(len(all)) + " templates: " + strings.Join(all, ", ")
	}
	return strings.Join(present(said, also), "; ")
}

func agreeing(fields []string) string {
	if len(fields) == 0 {
		return "no field agrees"
	}
	verb := " agree"
	if len(fields) == 1 {
		verb = " agrees"
	}
	return strings.Join(fields, ", ") + verb
}

// componentName is "part / component", as far as they have names.
func componentName(c *refconfig.Component) string {
	if c == nil {
		return ""
	}
	part := ""
	if c.Part != nil {
		part = c.Part.Name
	}
	return strings.Join(present(part, c.Name), "/")
}

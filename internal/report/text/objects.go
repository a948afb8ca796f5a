package text

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/ordered"
)

func decimal(n int) string { return strconv.Itoa(n) }

// objects prints the objects with findings, the most serious first, then a line for each of the others if that is asked
// for.
func (p *printer) objects() {
	var clean, shown []*finding.Comparison
	for _, c := range p.r.Comparisons {
		if c.Result == finding.Clean && !(p.opt.ShowExpected && c.Counts.Expected > 0) {
			clean = append(clean, c)
		} else {
			shown = append(shown, c)
		}
	}
	slices.SortStableFunc(shown, func(a, b *finding.Comparison) int {
		return cmp.Or(cmp.Compare(b.Result.Severity(), a.Result.Severity()), cmp.Compare(b.Impact().Severity(), a.Impact().Severity()))
	})
	err := ordered.Write(len(shown), func(i int) ([]byte, error) { return p.laidOut(shown[i]), nil }, func(text []byte) error {
		_, err := p.out.Write(text)
		return err
	})
	p.err = cmp.Or(p.err, err)
	if !p.opt.Verbose || len(clean) == 0 {
		return
	}
	p.line("")
	for _, c := range clean {
		p.say(0, "CLEAN  "+c.Object.String()+cleanNote(c))
	}
}

// laidOut is what is printed of one object.
func (p *printer) laidOut(c *finding.Comparison) []byte {
	var text bytes.Buffer
	one := *p
	one.out = bufio.NewWriter(&text)
	one.object(c)
	one.out.Flush()
	return text.Bytes()
}

// cleanNote is what a line about an object without findings says besides its identity.
func cleanNote(c *finding.Comparison) string {
	facts := present(expectedOnly(c), overrideNote(c))
	if len(facts) == 0 {
		return ""
	}
	return "  (" + strings.Join(facts, "; ") + ")"
}

func expectedOnly(c *finding.Comparison) string {
	if n := c.Counts.Expected; n > 0 {
		return decimal(n) + " expected"
	}
	return ""
}

func overrideNote(c *finding.Comparison) string {
	if c.Override == nil {
		return ""
	}
	return "overridden: " + strings.Join(c.Override.Reasons, "; ")
}

// resultName is the word in capitals for what was found.
func resultName(r finding.Result) string {
	if r == finding.Failed {
		return "FAILED"
	}
	return strings.ToUpper(string(r))
}

// Object prints what was found about one object as Text does. The error is the writer's.
func Object(w io.Writer, c *finding.Comparison, opt Options) error {
	p := newPrinter(w, opt)
	p.object(c)
	return p.end()
}

// object prints what was found about one object.
func (p *printer) object(c *finding.Comparison) {
	p.line("")
	p.line(paint(p.palette.quiet, strings.Repeat("-", p.width)))
	name := resultName(c.Result)
	for i, l := range p.ruler.paragraph(c.Object.String(), p.width, len(name)+2, len(name)+2) {
		if i == 0 {
			p.line(paint(p.palette.result(c.Result), name) + "  " + paint(p.palette.heading, l[len(name)+2:]))
			continue
		}
		p.line(paint(p.palette.heading, l))
	}
	p.objectFacts(c)
	if c.Error != nil {
		p.fact(2, "error", proseLines(c.Error.Message+finding.Note(c.Error.Code))...)
		return
	}
	if messages, code := aboutNoField(c); len(messages) > 0 {
		p.fact(2, "finding", proseLines(strings.Join(messages, "\n")+finding.Note(code))...)
	}
	p.line("")
	p.sides(c.Sides)
}

// aboutNoField returns what was found that belongs to no line of the object, and the first code of it.
func aboutNoField(c *finding.Comparison) (messages []string, first code.Code) {
	for _, d := range c.Differences {
		if d.Reference == nil && d.Input == nil {
			messages = append(messages, d.Message)
			first = cmp.Or(first, d.Code)
		}
	}
	return messages, first
}

func (p *printer) objectFacts(c *finding.Comparison) {
	t := c.Template
	if t.Path != "" {
		p.fact(2, "template", t.Path+prefixed("  in ", t.ComponentName()))
	}
	p.fact(2, "file", c.Source.String())
	if c.Error == nil {
		p.fact(2, "found", c.Counts.String())
	}
	p.fact(2, "impact", ratings(c)...)
	if t.Description != "" {
		p.fact(2, "about", proseLines(t.Description)...)
	}
	if c.Override != nil {
		p.fact(2, "override", c.Override.File+": "+strings.Join(c.Override.Reasons, "; "))
	}
	if s := choice(c.Correlation); s != "" {
		p.fact(2, "choice", s)
	}
}

// ratings says what the findings of an object mean to the user, the most serious first.
func ratings(c *finding.Comparison) []string {
	var lines []string
	for _, r := range c.Ratings() {
		lines = append(lines, proseLines(r.Words())...)
	}
	return lines
}

// choice says how the template was found, where that is not a matter of course.
func choice(c finding.Correlation) string {
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
		all = append(all, one.Path+" ("+finding.Plural(one.Score, "changed character", "changed characters")+")")
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

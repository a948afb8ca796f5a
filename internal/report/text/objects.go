package text

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/places"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/workers"
)

func decimal(n int) string { return strconv.Itoa(n) }

// objects prints the CRs with findings, then a line for each other CR if the user asks for them.
func (p *printer) objects() {
	how := p.grouping()
	groups := p.r.Groups(how)
	blank := *p // nothing is printed with it, so that goroutines can copy it
	err := workers.InOrder(
		len(groups),
		func(i int) ([]byte, error) {
			return blank.printed(func(one *printer) { one.group(groups[i], about(groups, i)) }), nil
		},
		func(text []byte) error {
			p.write(text)
			return p.err
		},
	)
	p.err = cmp.Or(p.err, err)
	if p.opt.Verbose || p.narrowed() {
		p.clean(how)
	}
}

// about returns the description of a group's template, or "" if the previous group has the same
// description.
func about(groups []finding.Group, i int) string {
	text := groups[i].First().Template.Description
	if i > 0 && groups[i-1].First().Template.Description == text {
		return ""
	}
	return text
}

// cleanShown is the number of CRs without findings that are listed at most, unless --verbose is
// set.
const cleanShown = 10

// clean prints a line for each CR without findings.
func (p *printer) clean(how finding.Grouping) {
	var list []*finding.Comparison
	for _, c := range p.r.Comparisons {
		if !c.HasFindings(how) && how.Filter.Shows(c) {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return
	}
	p.line("")
	shown := p.shown(len(list), cleanShown)
	for _, c := range list[:shown] {
		p.say(0, "CLEAN  "+c.Object.String()+cleanNote(c))
	}
	p.unlisted(0, len(list)-shown, " like these")
}

// printed returns the output of a part of the report.
func (p *printer) printed(part func(*printer)) []byte {
	var text bytes.Buffer
	one := *p
	one.out = bufio.NewWriter(&text)
	part(&one)
	one.out.Flush()
	return text.Bytes()
}

// cleanNote returns the rest of the line on a CR without findings.
func cleanNote(c *finding.Comparison) string {
	facts := finding.Shares(finding.Share{N: c.Counts.Expected, Text: "expected"})
	if c.Override != nil {
		facts = strings.Join(present(facts, "overridden: "+strings.Join(c.Override.Reasons, "; ")), "; ")
	}
	if facts == "" {
		return ""
	}
	return "  (" + facts + ")"
}

// templateName names a template and its component.
func templateName(t finding.Template) string {
	return t.Path + finding.Prefixed("  in ", t.ComponentName())
}

// resultName names a result in capitals.
func resultName(r finding.Result) string {
	if r == finding.Failed {
		return "FAILED"
	}
	return strings.ToUpper(string(r))
}

// Lines returns the lines that Object prints, and the index of the first line of each field that
// differs, by its path.
func Lines(c *finding.Comparison, opt Options) (all []string, fields map[string]int) {
	p := newPrinter(nil, opt)
	p.fields = map[string]int{}
	text := p.printed(func(one *printer) { one.group(finding.Group{c}, c.Template.Description) })
	return splitLines(text), p.fields
}

// EntryLines returns the lines that the overview of a run prints for an entry.
func EntryLines(r *finding.Report, run *finding.Run, e finding.Entry, opt Options) []string {
	opt.Verbose = true
	p := newPrinter(nil, opt)
	p.report, p.r, p.places = r, run, places.Of(run.Inputs)
	return splitLines(p.printed(func(one *printer) { one.entry(one.tableOf([]finding.Entry{e}), e) }))
}

// RunLines returns the lines that Report prints for a run without its CRs.
func RunLines(r *finding.Report, run *finding.Run, opt Options) []string {
	opt.Summary = true
	one := *r
	one.Runs = []*finding.Run{run}
	p := newPrinter(nil, opt)
	p.report = &one
	return splitLines(p.printed(func(p *printer) { p.run(run) }))
}

// Paragraph returns the lines of a text that may have any characters. The lines after the first are
// indented.
func Paragraph(text string, opt Options) []string {
	p := newPrinter(nil, opt)
	return p.ruler.paragraph(text, p.width, 0, 2)
}

// Mark paints a text in the style of a class of findings.
func Mark(c finding.Class, text string, opt Options) string {
	p := newPrinter(nil, opt)
	return paint(p.style(finding.Entry{Finding: finding.Finding{Class: c}}), text)
}

func splitLines(text []byte) []string {
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// Object prints the findings on one object as Report does. The error is the writer's.
func Object(w io.Writer, c *finding.Comparison, opt Options) error {
	p := newPrinter(w, opt)
	p.group(finding.Group{c}, c.Template.Description)
	return p.end()
}

// group prints the findings on a group of CRs: it shows the first CR and names the others. about
// is the description of the template.
func (p *printer) group(g finding.Group, about string) {
	c := g.First()
	p.line(paint(p.palette.quiet, strings.Repeat("-", p.width)))
	p.groupHead(g)
	p.objectFacts(g, about)
	if c.Error != nil {
		p.fact(2, "error", proseLines(c.Error.Message+finding.Note(c.Error.Code))...)
		return
	}
	if messages, first := aboutNoField(c); len(messages) > 0 {
		p.fact(2, "finding", proseLines(strings.Join(messages, "\n")+finding.Note(first))...)
	}
	p.newPaths(c)
	p.statements(c)
	p.line("")
	if sides := c.Sides.Each(); len(sides) > 0 && !p.opt.Brief {
		if p.opt.Fold != nil {
			sides = diff.Fold(sides, *p.opt.Fold)
		}
		p.sides(sides)
		return
	}
	for _, d := range c.Differences { // for a saved report without the lines of CRs
		if d.Category != finding.Expected && (d.Reference != nil || d.Input != nil) {
			p.say(2, sign(d.Category)+" "+d.Words())
		}
	}
}

// newPaths names the fields with new and changed findings, with the cause.
func (p *printer) newPaths(c *finding.Comparison) {
	for _, change := range []finding.Change{finding.New, finding.Changed} {
		paths := map[finding.Cause][]string{}
		for _, f := range c.Findings(nil) {
			if f.Change == change && f.Class != finding.ClassExtra {
				paths[f.Cause] = append(paths[f.Cause], f.Path)
			}
		}
		var said []string
		for _, cause := range finding.Causes() {
			if all := paths[cause]; len(all) > 0 {
				said = append(said, finding.Some(all, newShown)+inBrackets(cause.Words()))
			}
		}
		p.fact(2, string(change), strings.Join(said, "; "))
	}
}

// newShown is the maximum number of fields that are named as new.
const newShown = 10

// groupHead prints the first line of a group: the result, the CRs and the counts.
func (p *printer) groupHead(g finding.Group) {
	c := g.First()
	name, subject, counts := resultName(c.Result), c.Object.String(), c.Counts
	unlike := ""
	if len(g) > 1 {
		counts.Expected = 0 // expected differences may differ
		if g.ExtraDiffers() {
			counts.Extra, unlike = 0, "; their extra content differs, which --no-group shows"
		}
		subject = c.Object.Kind + ", " + decimal(len(g)) + " CRs with the same " + sameFindings(c, counts)
	}
	if c.Error == nil && counts != (finding.Counts{}) {
		subject += ": " + counts.String()
	}
	subject += unlike
	switch n := c.Changes(); {
	case n.New+n.Changed+n.Unclear > 0:
		subject += "; " + n.String()
	case n.Same > 0:
		subject += "; not new"
	}
	p.titled(0, name, p.palette.result(c.Result), subject)
}

// sameFindings describes what the CRs of a group have in common: findings, with their number.
func sameFindings(c *finding.Comparison, counts finding.Counts) string {
	n := counts.Drift + counts.Missing + counts.Invalid + counts.Extra
	switch {
	case c.Error != nil:
		return "error"
	case n == 0:
		return "variations"
	case n == 1:
		return "finding"
	}
	return decimal(n) + " findings"
}

// othersShown is the maximum number of other CRs that are named for a group.
const othersShown = 10

// others names the CRs of a group after the first.
func (p *printer) others(g finding.Group) {
	var names []string
	for _, c := range g[1:] {
		name := c.Object.Name
		if c.Object.Namespace != g.First().Object.Namespace {
			name = c.Object.Namespace + "/" + name
		}
		if p.opt.Verbose {
			name += "  " + p.places.Short(c.Source.String())
		}
		names = append(names, cmp.Or(name, "(no name)"))
	}
	if !p.opt.Verbose {
		names = []string{finding.Some(names, othersShown)}
	}
	p.fact(2, "others", names...)
}

// aboutNoField returns the messages of differences that belong to no line of the object, and their
// first code.
func aboutNoField(c *finding.Comparison) (messages []string, first code.Code) {
	for _, d := range c.Differences {
		if d.Reference == nil && d.Input == nil && !code.IsOwn(d.Code) && d.Category != finding.Invalid {
			messages = append(messages, d.Message)
			first = cmp.Or(first, d.Code)
		}
	}
	return messages, first
}

func (p *printer) objectFacts(g finding.Group, about string) {
	c := g.First()
	t := c.Template
	if len(g) > 1 {
		p.fact(2, "shown", c.Object.String())
		p.others(g)
	}
	if t.Path != "" {
		p.fact(2, "template", templateName(t))
	}
	p.place(2, "file", p.places.Short(c.Source.String()))
	p.fact(2, "impact", ratings(c)...)
	p.fact(2, "about", proseLines(about)...)
	if c.Override != nil {
		said := strings.TrimPrefix(c.Override.File+": ", ": ") // an override may be in no file yet
		p.fact(2, "override", said+strings.Join(c.Override.Reasons, "; "))
	}
	p.fact(2, "choice", c.Correlation.Words())
}

func ratings(c *finding.Comparison) []string {
	var lines []string
	for _, r := range c.Ratings() {
		lines = append(lines, proseLines(r.Words())...)
	}
	return lines
}

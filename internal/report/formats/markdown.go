package formats

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/template/remark"
	"github.com/validationtool/validationtool/refconfig"
)

// The maximum numbers of bytes of a report, of all verdicts and overviews, and of a remark on
// omitted parts.
const (
	markdownMost        = 65_000
	markdownMostForHead = 40_000
	markdownForRemark   = 300
)

// Markdown writes a report as GitHub Flavored Markdown, for tickets and pull requests: the verdict
// and the overview of each cluster, then the differences of each CR, folded. It writes those lines
// of a CR that fold keeps, or all lines if fold is nil.
//
// All text of the input or the reference is formatted as code, so that it is neither markup nor a
// mention. A report has at most 65,000 bytes, because a comment on GitHub can have 65,536
// characters. CRs that do not fit are only counted.
// With onlyNew, it does not show what an earlier report has, with which this one was compared.
func Markdown(w io.Writer, r *finding.Report, fold *diff.Folding, onlyNew bool) error {
	p := &markdownPage{left: markdownMostForHead, how: alike(r.FailOn, onlyNew)}
	if len(r.Runs) > 1 {
		p.add(escape.Bold(r.Sentence()) + "\n")
		p.left /= 2 // the rest is for the clusters
		p.alike(r.Fleet(finding.Filter{}), r)
		p.left = markdownMostForHead - p.text.Len()
	}
	left := p.left / max(len(r.Runs), 1)
	for _, run := range r.Runs {
		p.left = left
		p.head(run, r.FailOn)
	}
	p.left = markdownMost - p.text.Len() - markdownForRemark
	if passed := r.PassedOver(nil); passed != "" {
		p.add("\n" + escape.Code(escape.Shortened(passed, 1000)) + "\n")
	}
	p.codes(r)
	p.details(r, fold)
	_, err := io.WriteString(w, p.text.String())
	return err
}

// markdownPage is the text so far, and the number of bytes left.
type markdownPage struct {
	text strings.Builder
	left int
	how  finding.Grouping
}

// add writes a text if there is room for all of it.
func (p *markdownPage) add(text string) bool {
	if len(text) > p.left {
		return false
	}
	p.left -= len(text)
	p.text.WriteString(text)
	return true
}

// alike writes a table of the clusters with the same findings, unless no two of several have the same.
func (p *markdownPage) alike(f *finding.Fleet, r *finding.Report) {
	const named = 10
	if len(f.Rows) == len(r.Runs) {
		return
	}
	p.add("\n| clusters | verdict | findings | |\n|---|---|---|---|\n")
	for i, row := range f.Rows {
		var names []string
		for _, at := range row.Runs {
			names = append(names, r.Runs[at].Name())
		}
		lines := fmt.Sprintf("| %s | %s | %s | %s |\n", row.Counted(), row.Verdict.Short(),
			finding.Plural(row.Findings, "finding", "findings"), markdownCell(finding.Some(names, named)))
		more, less, _ := f.Against(row)
		lines += markdownOdds("+", more) + markdownOdds("−", less)
		if !p.add(lines) {
			p.left += markdownForRemark
			p.add(fmt.Sprintf("| | | | … and %d more rows |\n", len(f.Rows)-i))
			return
		}
	}
}

// markdownOdds returns lines on findings that a row of clusters has more, or less.
func markdownOdds(sign string, said []finding.Common) (lines string) {
	for i, one := range said {
		if i == finding.OddShown {
			return lines + fmt.Sprintf("| %s | | | … and %d more |\n", sign, len(said)-i)
		}
		lines += "| " + sign + " | | | " + markdownCell(one.Subject+"  "+one.Text) + " |\n"
	}
	return lines
}

// head writes the verdict, the alarms and the overview of a cluster.
func (p *markdownPage) head(run *finding.Run, failOn finding.FailOn) {
	p.add("\n### " + run.Heading() + escape.Code(escape.Shortened(run.Name(), 200)) + "\n\n")
	p.add(escape.Bold(escape.Shortened(run.Sentence(failOn), 1000)) + "\n")
	for _, a := range run.Alarms {
		p.add("\n> " + escape.Code("!! "+a.String()) + "\n")
	}
	p.overview(run, failOn)
	p.notes(run)
}

// overview writes the table of findings.
func (p *markdownPage) overview(run *finding.Run, failOn finding.FailOn) {
	lines := markdownOverview(run, failOn, p.how)
	if len(lines) == 0 {
		return
	}
	p.add("\n| | component | CR | finding |\n|---|---|---|---|\n")
	for i, l := range lines {
		if !p.add(l) {
			p.left += markdownForRemark
			p.add(fmt.Sprintf("| | | | … and %d more |\n", len(lines)-i))
			return
		}
	}
}

// markdownOverview returns the lines of the overview, then the lines of findings that are gone.
func markdownOverview(run *finding.Run, failOn finding.FailOn, how finding.Grouping) (lines []string) {
	add := func(word string, f finding.Finding, subject, said string) {
		cells := []string{markdownCell(f.Template.ComponentName()), markdownCell(subject), markdownCell(said)}
		lines = append(lines, "| "+word+" | "+strings.Join(cells, " | ")+" |\n")
	}
	for _, e := range run.Entries(how, failOn) {
		if !run.IsAside(e, failOn, finding.Filter{}) {
			subject, said := e.Describe(path.Base)
			add(e.Word(), e.Finding, subject, strings.TrimLeft(said, " ,;:"))
		}
	}
	if unlisted := run.Unlisted(); unlisted != "" {
		lines = append(lines, "| | | | "+unlisted+" |\n")
	}
	if said := how.Filter.AsBefore(run); said != "" {
		lines = append(lines, "| | | | "+said+" |\n")
	}
	for _, f := range run.Gone(failOn) {
		add("RESOLVED", f, f.Object.Stated(), f.Words)
	}
	return lines
}

// alike returns the grouping of a ticket: CRs that drift in the same way are one group, unless
// extra content makes the run fail, and missing CRs of a component share a line.
func alike(failOn finding.FailOn, onlyNew bool) finding.Grouping {
	return finding.Grouping{
		Filter:  finding.Filter{OnlyNew: onlyNew},
		Alike:   !failOn.Has(finding.FailOnExtra),
		Missing: true,
	}
}

// notes writes the notes on CRs that have no details.
func (p *markdownPage) notes(run *finding.Run) {
	head := "\n| note | CR | |\n|---|---|---|\n"
	for f := range run.Findings(nil, finding.Class.IsNote) {
		if f.CR.HasFindings(finding.Grouping{}) {
			continue
		}
		p.add(head)
		head = ""
		if !p.add("| " + markdownCell(f.Code) + " | " + markdownCell(f.Object.Short()) + " | " + markdownCell(f.Words) + " |\n") {
			return
		}
	}
}

// codes writes the meanings of the reference's own codes.
func (p *markdownPage) codes(r *finding.Report) {
	for _, own := range r.Codes {
		e, _ := remark.Entry(r, own.Code)
		text := "\n- " + escape.Code(e.Code) + ": " + escape.Code(e.Title) + "\n"
		for _, said := range []string{e.Cause, e.Do} {
			for line := range strings.SplitSeq(said, "\n") {
				if line != "" {
					text += "  " + escape.Code(line) + "\\\n"
				}
			}
		}
		p.add(strings.TrimSuffix(text, "\\\n") + "\n")
	}
}

// details writes the differences of the CRs of all clusters, folded.
func (p *markdownPage) details(r *finding.Report, fold *diff.Folding) {
	left, out := 0, false
	for _, run := range r.Runs {
		for _, g := range run.Groups(p.how) {
			of := ""
			if len(r.Runs) > 1 {
				of = " of " + run.Name()
			}
			if out = out || !p.add(markdownGroup(g, of, fold)); out {
				left++
			}
		}
	}
	if out {
		p.left += markdownForRemark
		p.add(fmt.Sprintf(
			"\n… and %s, which do not fit here.\n",
			finding.Plural(left, "more CR or group with findings", "more CRs or groups with findings"),
		))
	}
}

// markdownGroup formats a group: its lines as a diff, folded. of is " of " and the name of the
// cluster if there are several, else "".
func markdownGroup(g finding.Group, of string, fold *diff.Folding) string {
	c := g.First()
	title := strings.ToUpper(string(c.Result)) + " " + c.Object.String() + of
	if len(g) > 1 {
		title += fmt.Sprintf(" and %d more with the same findings", len(g)-1)
		if g.ExtraDiffers() {
			title += "; their extra content differs"
		}
	}
	var body strings.Builder
	if c.Error != nil {
		body.WriteString(escape.Text(c.Error.Message) + "\n")
	}
	for _, d := range c.Differences {
		if (len(c.Sides) == 0 || d.Reference == nil && d.Input == nil) && d.Category != finding.Expected {
			body.WriteString("! " + escape.Line(d.Words()+finding.Prefixed("  ", d.News.Words())) + "\n")
		}
	}
	for _, f := range c.Noted() {
		body.WriteString("# " + escape.Line(f.Words) + "\n")
	}
	sides := c.Sides.Each()
	if fold != nil {
		sides = diff.Fold(sides, *fold)
	}
	for _, s := range sides {
		switch {
		case s.Hidden > 0:
			fmt.Fprintf(&body, "@@ %s @@\n", finding.Plural(s.Hidden, "line", "lines"))
		case s.Note != nil:
			body.WriteString("! " + s.Note.Text + "\n")
		case s.Category == finding.Same || s.Category == finding.Expected:
			markdownLine(&body, " ", s.Right)
		default:
			markdownLine(&body, "-", s.Left)
			markdownLine(&body, "+", s.Right)
		}
	}
	fence := strings.Repeat("`", max(3, escape.Backquotes(body.String())+1))
	return "\n<details><summary>" + markdownCode(title) + "</summary>\n\n" + escape.Code(
		c.Template.Path,
	) + " " + escape.Code(c.Source.String()) +
		"\n\n" + fence + "diff\n" + body.String() + fence + "\n\n</details>\n"
}

func markdownLine(to *strings.Builder, mark string, l *finding.Line) {
	if l != nil {
		to.WriteString(mark + strings.Repeat(" ", l.Indent) + l.Text + "\n")
	}
}

// markdownCode formats a text as code in HTML, where it is neither Markdown nor HTML nor a mention.
func markdownCode(text string) string { return "<code>" + markdownPlain(text) + "</code>" }

// markdownPlain escapes a text so that it is neither Markdown nor HTML nor a mention.
func markdownPlain(text string) string {
	return strings.NewReplacer(
		"&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "&#96;", "*", "&#42;", "_", "&#95;", "[", "&#91;", "@", "&#64;",
		"\\", "&#92;",
	).Replace(escape.Line(text))
}

// MarkdownCodes writes the codes of a reference as a table to publish. The error is the writer's.
func MarkdownCodes(w io.Writer, all []refconfig.OwnCode) error {
	table := "| code | what it says | why | what to do |\n|---|---|---|---|\n"
	for _, own := range all {
		for _, text := range []string{own.Code, own.Title, own.Cause, own.Triage} {
			table += "| " + strings.ReplaceAll(markdownPlain(strings.Join(strings.Fields(text), " ")), "|", "&#124;") + " "
		}
		table += "|\n"
	}
	_, err := io.WriteString(w, table)
	return err
}

// markdownCell formats a text as code in a table, where a bar has to be escaped.
func markdownCell(text string) string {
	return strings.ReplaceAll(escape.Code(escape.Shortened(text, 300)), "|", `\|`)
}

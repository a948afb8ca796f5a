package text

import (
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

const (
	oddIndent = 6                // indentation of what a row has more and less
	oddShown  = finding.OddShown // maximum number of these lines of a row

	more, less = "+", "−" // marks of these lines
	namesLeast = 30       // minimum width of the names of a row beside its numbers
)

// oddLine says what the clusters of a row have more or less than the usual row.
type oddLine struct {
	said       string // with the sign
	more, less int    // the numbers of findings
}

// headingLines is the number of lines above the rows.
const headingLines = 2

// rowsLeast returns the number of lines that rows take at least.
func rowsLeast(below [][]oddLine) int { return headingLines + 2*len(below) }

// rowsMost returns the number of lines that rows take if there is room.
func rowsMost(below [][]oddLine) int {
	n := headingLines + len(below)
	for _, lines := range below {
		n += min(len(lines), oddShown)
	}
	return n
}

// below returns the lines below each of the rows that are shown.
func (p *printer) below(f *finding.Fleet) [][]oddLine {
	below := make([][]oddLine, p.shown(len(f.Rows), rowsShown))
	for i := range below {
		below[i] = p.odds(f, f.Rows[i])
	}
	return below
}

// alike prints the clusters with the same findings as a row each, and below it what they have more and
// less than the usual row. It prints about most lines, but at least one of these for each row.
func (p *printer) alike(f *finding.Fleet, below [][]oddLine, most int) {
	if !p.areMany() && (len(f.Rows) == 1 || len(f.Rows) == len(p.report.Runs)) {
		return // the table says all
	}
	if !p.areMany() || p.opt.Verbose {
		p.line("")
	}
	shown := f.Rows[:len(below)]
	title := "Clusters with the same findings"
	for i, l := range p.ruler.paragraph(title+against(f), p.width, 0, 2) {
		if i == 0 {
			l = paint(p.palette.heading, title) + l[len(title):]
		}
		p.line(l)
	}
	rows := p.headed(f, shown)
	for i, room := range allotted(below, most-headingLines-len(shown)) {
		p.line(rows[i])
		p.belowRow(below[i], room)
	}
	var rest finding.Clusters
	for _, r := range f.Rows[len(shown):] {
		for range r.Runs {
			rest.Count(r.Verdict)
		}
	}
	p.unlisted(2, len(f.Rows)-len(shown), " rows ("+rest.String()+")")
}

// against says with which clusters the others are compared; "" if there are no others.
func against(f *finding.Fleet) string {
	i := slices.IndexFunc(f.Rows, func(r finding.Row) bool { return r.Usual })
	if i < 0 || len(f.Rows) == 1 {
		return ""
	}
	usual := "those of " + escape.Line(f.Run(f.Rows[i]).Name())
	if n := len(f.Rows[i].Runs); n > 1 {
		usual = "the " + decimal(n)
	}
	return ": " + more + " more, " + less + " less than " + usual
}

// headed returns the first line of each row: the number of clusters, their versions, verdict, number of
// findings, and as many names as fit into the line.
func (p *printer) headed(f *finding.Fleet, rows []finding.Row) []string {
	cells := make([][4]string, len(rows))
	var widths [4]int
	for i, r := range rows {
		versions := []string{}
		for _, at := range r.Runs {
			if v := p.report.Runs[at].Cluster.Version; v != "" && p.width >= componentsLeast {
				versions = append(versions, p.ruler.middle(escape.Line(v), versionMost))
			}
		}
		slices.Sort(versions)
		cells[i] = [4]string{
			r.Counted(),
			finding.Some(slices.Compact(versions), 1),
			r.Verdict.Short(),
			finding.Plural(r.Findings, "finding", "findings"),
		}
		if r.Blank {
			cells[i][3] = "no CRs"
		}
		for at, text := range cells[i] {
			widths[at] = max(widths[at], p.ruler.width(text))
		}
	}
	number := func(text string) int { return strings.Index(text, " ") }
	digits := [4]int{}
	for _, row := range cells {
		digits[0], digits[3] = max(digits[0], number(row[0])), max(digits[3], number(row[3]))
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		line := " "
		plain := 1
		for at, text := range cells[i] {
			if widths[at] == 0 {
				continue
			}
			var style *color.Color
			if at == 2 {
				style = p.palette.verdict(r.Verdict)
			}
			before := 0
			if digits[at] > 0 && !(r.Blank && at == 3) {
				before = digits[at] - number(text)
			}
			after := max(0, widths[at]+1-before-p.ruler.width(text))
			line += " " + spacesOf(before) + paint(style, text) + spacesOf(after)
			plain += 1 + before + p.ruler.width(text) + after
		}
		room := p.width - plain - 1
		if names := p.namesOf(r, room); room >= namesLeast && p.ruler.width(names) <= room {
			lines[i] = line + " " + names
			continue
		}
		names := p.ruler.paragraph(p.namesOf(r, p.width-oddIndent), p.width, oddIndent, oddIndent)
		lines[i] = strings.TrimRight(line, " ") + "\n" + strings.Join(names, "\n")
	}
	return lines
}

// namesOf names the clusters of a row: all with --verbose, else as many as fit into a width.
func (p *printer) namesOf(r finding.Row, width int) string {
	var names []string
	for _, at := range r.Runs {
		name := escape.Line(p.report.Runs[at].Name())
		if p.report.Runs[at].IsUnread() {
			name = "(not read)"
		}
		names = append(names, name)
	}
	most := len(names) - 1
	if !p.opt.Verbose {
		most = min(most, width) // each takes more than one column, and there may be thousands
	}
	for n := most; n > 0; n-- {
		said := finding.Some(names, n)
		if p.opt.Verbose || p.ruler.width(said) <= width {
			return said
		}
	}
	rest := ""
	if n := len(names) - 1; n > 0 {
		rest = ", … and " + decimal(n) + " more"
	}
	return p.ruler.middle(names[0], max(nameLeast, width-p.ruler.width(rest))) + rest
}

// odds returns the lines on what the clusters of a row have more and less than the usual row. The last of
// them counts what is hidden.
func (p *printer) odds(f *finding.Fleet, r finding.Row) (lines []oddLine) {
	has, lacks, hidden := f.Against(r)
	said := func(sign string, one finding.Common) string {
		return sign + " " + escape.Line(strings.Join(present(one.Subject, one.Text), "  "))
	}
	for _, one := range has {
		lines = append(lines, oddLine{said: said(more, one), more: one.Findings()})
	}
	for _, one := range lacks {
		lines = append(lines, oddLine{said: said(less, one), less: one.Findings()})
	}
	if hidden != [2]int{} {
		last := oddLine{more: hidden[0], less: hidden[1]}
		last.said = "…" + last.counted() + " " + p.hiding()
		lines = append(lines, last)
	}
	return lines
}

// counted counts the findings of a line with their signs.
func (l oddLine) counted() (said string) {
	for _, one := range []struct {
		sign string
		n    int
	}{{more, l.more}, {less, l.less}} {
		if one.n > 0 {
			said += " " + one.sign + decimal(one.n)
		}
	}
	return said
}

// allotted returns the number of lines that each row gets of those that are left: at least one, at most
// oddShown, and not more than it needs.
func allotted(below [][]oddLine, left int) []int {
	room := make([]int, len(below))
	for round := range oddShown {
		for i, lines := range below {
			if room[i] < min(len(lines), oddShown) && (round == 0 || left > 0) {
				room[i]++
				left--
			}
		}
	}
	return room
}

// belowRow prints the first lines of a row. The last of them counts the findings that are not shown.
func (p *printer) belowRow(all []oddLine, room int) {
	left := oddLine{}
	for _, l := range all[room:] {
		left.more += l.more
		left.less += l.less
	}
	for i, l := range all[:room] {
		rest := finding.Prefixed("  …", left.counted())
		if i < room-1 {
			rest = ""
		}
		if p.width < sideBySideLeast {
			p.say(oddIndent, l.said+rest)
			continue
		}
		p.line(spacesOf(oddIndent) + p.ruler.middle(l.said, p.width-oddIndent-p.ruler.width(rest)) + rest)
	}
}

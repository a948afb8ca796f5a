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
	sign string
	said string
	n    int // the number of findings
}

// alikeLeast returns the number of lines that alike prints at least.
func (p *printer) alikeLeast(f *finding.Fleet) int {
	const heading, row = 2, 2
	return heading + row*p.shown(len(f.Rows), rowsShown)
}

// alike prints the clusters with the same findings as a row each, and below it what they have more and
// less than the usual row. It prints about most lines, but at least one of these for each row.
func (p *printer) alike(f *finding.Fleet, most int) {
	if !p.areMany() && (len(f.Rows) == 1 || len(f.Rows) == len(p.report.Runs)) {
		return // the table says all
	}
	if !p.areMany() || p.opt.Verbose {
		p.line("")
	}
	shown := f.Rows[:p.shown(len(f.Rows), rowsShown)]
	title := "Clusters with the same findings"
	for i, l := range p.ruler.paragraph(title+against(f), p.width, 0, 2) {
		if i == 0 {
			l = paint(p.palette.heading, title) + l[len(title):]
		}
		p.line(l)
	}
	rows := p.headed(f, shown)
	below := make([][]oddLine, len(shown))
	for i, r := range shown {
		if !r.Usual && r.Findings > 0 {
			below[i] = p.odds(f, r)
		}
	}
	for i, room := range allotted(below, most-2-len(shown)) {
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
		if room := p.width - plain - 1; room >= namesLeast {
			lines[i] = line + " " + p.namesOf(r, room)
		} else {
			lines[i] = strings.TrimRight(line, " ") + "\n" + spacesOf(oddIndent) + p.namesOf(r, p.width-oddIndent)
		}
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
	for n := len(names) - 1; n > 0; n-- {
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

// odds returns the lines on what the clusters of a row have more and less than the usual row.
func (p *printer) odds(f *finding.Fleet, r finding.Row) (lines []oddLine) {
	has, lacks := f.Odd(r)
	for _, side := range []struct {
		sign string
		all  []finding.Finding
	}{{more, has}, {less, lacks}} {
		for _, one := range finding.Folded(side.all) {
			said := escape.Line(strings.Join(present(one.Subject, one.Text), "  "))
			lines = append(lines, oddLine{side.sign, said, one.Findings()})
		}
	}
	return lines
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
	rest := map[string]int{}
	for _, l := range all[room:] {
		rest[l.sign] += l.n
	}
	end := ""
	for _, sign := range []string{more, less} {
		if rest[sign] > 0 {
			end += " " + sign + decimal(rest[sign])
		}
	}
	for i, l := range all[:room] {
		rest := finding.Prefixed("  …", end)
		if i < room-1 {
			rest = ""
		}
		if p.width < sideBySideLeast {
			p.say(oddIndent, l.sign+" "+l.said+rest)
			continue
		}
		width := p.width - oddIndent - p.ruler.width(l.sign+" "+rest)
		p.line(spacesOf(oddIndent) + l.sign + " " + p.ruler.middle(l.said, width) + rest)
	}
}

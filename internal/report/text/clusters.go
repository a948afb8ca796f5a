package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/visible"
)

const (
	columnsBetween = 2  // between two columns of the table
	nameLeast      = 7  // minimum width of a name or a place; with less room there is no table
	versionMost    = 20 // maximum width of a version
	commonLines    = 20 // maximum number of lines of common findings: these and the table fit on a screen
	rowsShown      = 20 // maximum number of rows of the table
	stackedShown   = 7  // maximum number of clusters that are listed below each other
	fewClusters    = 10 // maximum number of clusters whose overviews a summary has
)

// clusters prints the summary of several clusters: a table, common findings, and the numbers of
// verdicts.
func (p *printer) clusters() {
	p.line("")
	p.line(strings.Repeat("=", p.width))
	p.passed()
	runs := p.sorted()
	shown := runs[:p.shown(len(runs), rowsShown)]
	rows := p.rows(shown)
	if widths, ok := p.widths(rows); ok && p.areApart(rows, widths) {
		p.table(rows, shown, widths)
	} else {
		shown = runs[:p.shown(len(runs), stackedShown)]
		p.stacked(p.rows(shown), shown)
	}
	p.unlisted(0, len(runs)-len(shown), " "+verdictsOf(runs[len(shown):]))
	p.common(p.report.Common(p.opt.Filter))
	p.unlistedOfAll()
	p.codes()
	p.line("")
	p.overall()
}

// sorted returns the clusters in the order of the table: the worst first, or the order of the
// inputs.
func (p *printer) sorted() []*finding.Run {
	if p.opt.InputOrder {
		return p.report.Runs
	}
	return slices.SortedStableFunc(slices.Values(p.report.Runs), finding.WorstFirst)
}

// verdictsOf counts clusters by verdict: "(3 drift, 120 compliant)".
func verdictsOf(runs []*finding.Run) string {
	counts := map[finding.Verdict]int{}
	for _, r := range runs {
		counts[r.Summary.Verdict]++
	}
	var all []string
	for _, v := range []finding.Verdict{finding.Incomplete, finding.Differs, finding.Compliant} {
		if counts[v] > 0 {
			all = append(all, decimal(counts[v])+" "+v.Short())
		}
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// row is a line of the table, in the order of columns.
type row [7]string

// The columns with a flexible width or a style, and the range of columns with numbers.
const (
	columnName, columnVerdict, columnInput = 0, 2, 6
	firstNumber, lastNumber                = 3, 5
)

// rows returns the head of the table and a row for each cluster.
func (p *printer) rows(runs []*finding.Run) []row {
	all := []row{{"cluster", "version", "verdict", "drift", "not found", "not collected", "input"}}
	for _, r := range runs {
		var places []string
		for _, in := range r.Inputs {
			places = append(places, in.Place())
		}
		s, name := r.Summary, r.Name()
		if r.IsUnread() {
			name = "(not read)"
		}
		all = append(all, row{
			visible.Line(name),
			p.ruler.middle(visible.Line(r.Cluster.Version), versionMost),
			s.Verdict.Short(),
			decimal(s.Objects.Drift),
			decimal(s.MissingCRs - s.NotCollectedCRs),
			decimal(s.NotCollectedCRs),
			visible.Line(strings.Join(places, ", ")),
		})
	}
	return all
}

// widths returns the widths of the columns. Names and places share the room that the other columns
// leave. It returns false if that is not enough.
func (p *printer) widths(rows []row) (widths [len(row{})]int, ok bool) {
	room := p.width - columnsBetween*(len(widths)-1)
	for i := range widths {
		for _, r := range rows {
			widths[i] = max(widths[i], p.ruler.width(r[i]))
		}
		if i != columnName && i != columnInput {
			room -= widths[i]
		}
	}
	name, input := &widths[columnName], &widths[columnInput]
	if *name+*input > room {
		*name = max(min(*name, room*2/3), room-*input)
		*input = room - *name
	}
	return widths, min(*name, *input) >= nameLeast || *name+*input < room
}

// areApart reports whether shortened names and places still distinguish all clusters.
func (p *printer) areApart(rows []row, widths [len(row{})]int) bool {
	seen := map[[2]string][2]string{}
	for _, r := range rows {
		var cut [2]string
		whole := [2]string{r[columnName], r[columnInput]}
		for i, at := range []int{columnName, columnInput} {
			cut[i] = p.ruler.middle(whole[i], widths[at])
		}
		if before, there := seen[cut]; there && before != whole {
			return false
		}
		seen[cut] = whole
	}
	return true
}

// table prints the rows of the table.
func (p *printer) table(rows []row, runs []*finding.Run, widths [len(row{})]int) {
	for i, r := range rows {
		var b strings.Builder
		for at, cell := range r {
			cell = p.ruler.middle(cell, widths[at])
			blanks := spacesOf(widths[at] - p.ruler.width(cell))
			switch {
			case i == 0:
				cell = paint(p.palette.quiet, cell)
			case at == columnVerdict:
				cell = paint(p.palette.verdict(runs[i-1].Summary.Verdict), cell)
			}
			if at >= firstNumber && at <= lastNumber {
				cell = blanks + cell
			} else {
				cell += blanks
			}
			b.WriteString(cell)
			if at < len(r)-1 {
				b.WriteString(spacesOf(columnsBetween))
			}
		}
		p.line(b.String())
	}
}

// stacked prints the clusters below each other, for widths that have no room for the table.
func (p *printer) stacked(rows []row, runs []*finding.Run) {
	for i, r := range rows[1:] {
		p.say(0, r[columnName])
		told := present(r[1], r[columnVerdict])
		for at := firstNumber; at <= lastNumber; at++ {
			told = append(told, rows[0][at]+" "+r[at])
		}
		p.say(2, strings.Join(told, ", "))
		if r[columnInput] != "" && runs[i].Cluster.Name != "" { // else the name is the input
			p.say(2, r[columnInput])
		}
	}
}

// common prints the findings that several clusters have.
func (p *printer) common(all []finding.Common) {
	if len(all) == 0 {
		return
	}
	p.line("")
	p.line(paint(p.palette.heading, "Found in several clusters"))
	clusters := p.report.CountClusters()
	of := len(decimal(clusters))
	lines := 0
	for i, one := range all {
		count := fmt.Sprintf("%*d of %d  ", of, len(one.Runs), clusters)
		text := p.printed(func(p *printer) {
			p.say(2, strings.Join(present(count+one.Subject, one.Text, one.Clusters(p.report)), "  "))
		})
		if lines += bytes.Count(text, []byte("\n")); lines > commonLines && !p.opt.Verbose {
			p.unlisted(2, len(all)-i, "")
			return
		}
		p.write(text)
	}
}

// unlistedOfAll counts what a summary of several clusters does not list.
func (p *printer) unlistedOfAll() {
	if !p.opt.Summary {
		return
	}
	warnings, archives := map[string]bool{}, map[string]bool{} // by their texts: several clusters may have the same one
	for _, r := range p.report.Runs {
		for _, w := range r.Warnings {
			if !w.ForAuthor() {
				warnings[w.Place+"\n"+w.Message] = true
			}
		}
		for _, a := range r.NotRead {
			archives[a.File+"\n"+a.Entry] = true
		}
	}
	var counted []string
	if n := len(warnings); n > 0 {
		counted = append(counted, finding.Plural(n, "warning", "warnings"))
	}
	if n := len(archives); n > 0 {
		counted = append(counted, finding.Plural(n, "archive that was not read", "archives that were not read"))
	}
	if p.isShort() {
		counted = append(counted, "the overview of each cluster, which --verbose adds")
	}
	if counted != nil {
		p.line("")
		p.say(0, "Not listed by --summary: "+strings.Join(counted, ", "))
	}
}

// middle shortens a text in its middle to a width.
func (r ruler) middle(s string, width int) string {
	if r.width(s) <= width {
		return s
	}
	const mark = "…"
	head := s[:r.fit(s, max(1, width/2))]
	runes := []rune(s[len(head):])
	tail := len(runes)
	for tail > 0 && r.width(head)+r.width(mark)+r.width(string(runes[tail-1:])) <= width {
		tail--
	}
	return head + mark + string(runes[tail:])
}

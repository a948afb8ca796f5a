package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/finding/places"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

const (
	columnsBetween = 2  // between two columns of the table
	nameLeast      = 7  // minimum width of a name; with less room there is no table
	inputLeast     = 12 // minimum width of an input
	versionMost    = 20 // maximum width of a version
	commonLines    = 12 // maximum number of lines of common findings
	commonLeast    = 4  // the number of lines that they have in any case
	rowsShown      = 15 // maximum number of rows of the table
	stackedShown   = 5  // maximum number of clusters that are listed below each other
	fewClusters    = 10 // maximum number of clusters that have a block each
	problemsShown  = 3  // maximum number of listed problems if there are many clusters
)

// clusters prints the summary of several clusters: a table unless they are many, the clusters with the
// same findings, alarms, problems of reading, common findings, the numbers of verdicts, and the next
// command. For many clusters it has at most linesMost lines. hidden is the number of clusters without a
// finding that the filter shows.
func (p *printer) clusters(hidden int) {
	p.line("")
	p.line(strings.Repeat("=", p.width))
	passed := p.printed((*printer).passed)
	if p.write(passed); len(passed) > 0 {
		p.line("")
	}
	runs := p.sorted()
	if !p.areMany() || p.opt.Verbose {
		p.clusterTable(runs)
	}
	var alarms []finding.Warning
	problems := p.printed(func(p *printer) {
		alarms = p.alarmsOfAll()
		p.problemsOfAll("Not readable", func(r *finding.Run) []refconfig.Problem { return r.Unreadable })
		p.problemsOfAll("Not known", func(r *finding.Run) []refconfig.Problem { return r.NotKnown })
	})
	fleet := p.report.Fleet(p.opt.Filter)
	end := p.printed(func(p *printer) {
		p.unlistedOfAll(hidden)
		p.codes()
		p.line("")
		p.overall()
		if !p.opt.Digest {
			p.nextOfAll(odd(fleet, runs, p.opt.Filter.OnlyNew), alarms)
		}
	})
	since := p.printed(func(p *printer) { p.since(fleet) })
	most := p.linesMost(lineCount(passed)) - lineCount(problems, since, end)
	below := p.below(fleet)
	common := p.printed(func(p *printer) { p.common(fleet, below, most) })
	p.alike(fleet, below, most-lineCount(common))
	p.write(problems)
	p.write(since)
	p.write(common)
	p.write(end)
}

// linesMost returns the maximum number of lines of the summary of several clusters below the table. head
// is the number of lines above it.
func (p *printer) linesMost(head int) int {
	const most, each, verdict = 60, 10, 4 // each is for a cluster, with its line of the table
	if n := len(p.report.Runs); p.opt.Verbose {
		return max(most, each*n) - n - head - verdict
	}
	return most - head - verdict
}

// lineCount returns the number of lines of texts.
func lineCount(texts ...[]byte) (n int) {
	for _, text := range texts {
		n += bytes.Count(text, []byte("\n"))
	}
	return n
}

// odd returns the cluster to look at: an incomplete one, else, if only what is new is shown, one with
// something new, else one with the most findings that the clusters of the usual row do not have.
func odd(f *finding.Fleet, worstFirst []*finding.Run, onlyNew bool) *finding.Run {
	if worstFirst[0].Summary.Verdict != finding.Incomplete {
		for _, run := range worstFirst {
			if b := run.Baseline; onlyNew && b != nil && b.Changes.New+b.Changes.Changed > 0 {
				return run
			}
		}
		for _, r := range f.Rows {
			if !r.Usual && r.More > 0 {
				return f.Run(r)
			}
		}
	}
	return worstFirst[0]
}

// clusterTable prints the table of clusters.
func (p *printer) clusterTable(runs []*finding.Run) {
	shown := runs[:p.shown(len(runs), rowsShown)]
	rows := p.rows(shown)
	if columns, widths, ok := p.fit(rows); ok {
		p.table(rows, shown, columns, widths)
	} else {
		shown = runs[:p.shown(len(runs), stackedShown)]
		p.stacked(p.rows(shown))
	}
	var rest finding.Clusters
	for _, run := range runs[len(shown):] {
		rest.Count(run.Summary.Verdict)
	}
	p.unlisted(0, len(runs)-len(shown), " ("+rest.String()+")")
}

// sorted returns the clusters in the order of the table: the worst first, or in the order of the
// inputs.
func (p *printer) sorted() []*finding.Run {
	if p.opt.InputOrder {
		return p.report.Runs
	}
	return slices.SortedStableFunc(slices.Values(p.report.Runs), finding.WorstFirst)
}

// alarmsOfAll prints the alarms of all clusters, and returns them without duplicates. Alarms with
// the same text share a line. Without --verbose, alarms with the same code do too: the line shows
// one of them and counts the others.
func (p *printer) alarmsOfAll() (all []finding.Warning) {
	clusters, alike := map[string][]string{}, map[code.Code]int{}
	for _, r := range p.report.Runs {
		for _, alarm := range r.Alarms {
			if clusters[alarm.String()] == nil {
				all = append(all, alarm)
				alike[alarm.Code]++
			}
			clusters[alarm.String()] = append(clusters[alarm.String()], r.Name())
		}
	}
	count := func(w finding.Warning) int { return len(clusters[w.String()]) }
	slices.SortStableFunc(all, func(a, b finding.Warning) int { return count(b) - count(a) })
	for _, alarm := range all {
		more := alike[alarm.Code] - 1
		if p.opt.Verbose {
			more = 0
		} else if alike[alarm.Code] = 0; more < 0 {
			continue
		}
		text := p.someClusters(clusters[alarm.String()]) + ": " + alarm.String()
		if more > 0 {
			text += "; and " + decimal(more) + " more like it"
		}
		p.marked("!! ", 3, p.palette.unsure, text)
	}
	return all
}

// someClusters names one or two clusters, and counts more.
func (p *printer) someClusters(names []string) string {
	if n := len(names); n > 2 {
		return decimal(n) + " of " + finding.Plural(p.report.CountClusters(), "cluster", "clusters")
	}
	return strings.Join(names, ", ")
}

// problemsOfAll lists problems of all clusters, unless the block of each cluster lists them.
func (p *printer) problemsOfAll(title string, of func(*finding.Run) []refconfig.Problem) {
	var all []string
	clusters := map[string][]string{}
	n := 0
	for _, r := range p.report.Runs {
		for _, one := range of(r) {
			n++
			text := problemText(places.Of(r.Inputs), one)
			if clusters[text] == nil {
				all = append(all, text)
			}
			clusters[text] = append(clusters[text], r.Name())
		}
	}
	if len(all) == 0 || !p.areMany() && !p.opt.Summary && !p.opt.Digest {
		return
	}
	p.line("")
	p.line(paint(p.palette.heading, title) + ": " + decimal(n))
	shown := p.shown(len(all), problemsShown)
	for _, text := range all[:shown] {
		p.say(2, p.someClusters(clusters[text])+": "+text)
	}
	p.unlisted(2, len(all)-shown, "")
}

// row is a line of the table, in the order of columns.
type row [9]string

// The columns with a flexible width or a style, and the range of columns with numbers.
const (
	columnName, columnVersion, columnVerdict, columnInput = 0, 1, 2, 8
	firstNumber, lastNumber                               = 3, 7
)

// rows returns the head of the table and a row for each cluster.
func (p *printer) rows(runs []*finding.Run) []row {
	all := []row{{"cluster", "version", "verdict", "drift", "not found", "not collected", "rules", "invalid", "input"}}
	sum := func(of func(finding.Summary) int) (n int) {
		for _, r := range p.report.Runs {
			n += of(r.Summary)
		}
		return n
	}
	rules := func(s finding.Summary) int { return s.BrokenRules }
	invalid := func(s finding.Summary) int { return s.Objects.Invalid + s.InvalidCRs }
	for _, r := range runs {
		var inputs []string
		for _, in := range r.Inputs {
			inputs = append(inputs, in.Place())
		}
		s := r.Summary
		one := row{
			escape.Line(r.Name()),
			p.ruler.middle(escape.Line(r.Cluster.Version), versionMost),
			s.Verdict.Short(),
			decimal(s.Objects.Drift),
			decimal(s.MissingCRs - s.NotCollectedCRs),
			decimal(s.NotCollectedCRs),
			"",
			"",
			escape.Line(finding.Some(inputs, 2)),
		}
		if sum(rules) > 0 {
			one[6] = decimal(rules(s))
		}
		if sum(invalid) > 0 {
			one[7] = decimal(invalid(s))
		}
		if r.IsUnread() {
			one[columnName], one[columnInput] = "(not read)", finding.Some(inputs, 1)
		} else if r.Cluster.Name == "" {
			one[columnInput] = "" // the name shows the input already
		}
		if r.IsBlank() {
			for at := firstNumber; at <= lastNumber; at++ {
				one[at] = strings.Repeat("-", min(1, len(one[at])))
			}
		}
		all = append(all, one)
	}
	return all
}

// fit returns the columns that have room, and their widths. Columns without content are omitted. To
// make room for names, the inputs and then the versions are shortened. fit returns false if
// shortened names and inputs would not distinguish all clusters.
func (p *printer) fit(rows []row) (columns []int, widths columnWidths, ok bool) {
	for i := range rows[0] {
		for j, r := range rows {
			if r[i] != "" && j > 0 {
				widths[i] = max(widths[i], p.ruler.width(r[i]), p.ruler.width(rows[0][i]))
			}
		}
	}
	room := func() int {
		left := p.width + columnsBetween
		columns = nil
		for i, width := range widths {
			if width > 0 {
				columns = append(columns, i)
				left -= width + columnsBetween
			}
		}
		return left
	}
	if least := min(widths[columnInput], inputLeast); room() < 0 && widths[columnInput] > 0 {
		widths[columnInput] = max(least, widths[columnInput]+room())
	}
	for _, drop := range []int{columnInput, columnVersion} {
		if room() < 0 {
			widths[drop] = 0
		}
	}
	widths[columnName] += min(room(), 0)
	return columns, widths, widths[columnName] >= nameLeast && p.areApart(rows, widths)
}

// columnWidths has the widths of columns; 0 for an omitted column.
type columnWidths [len(row{})]int

// areApart reports whether shortened names and inputs still distinguish all clusters.
func (p *printer) areApart(rows []row, widths columnWidths) bool {
	seen := map[[2]string]bool{}
	for _, r := range rows {
		cut := [2]string{
			p.ruler.middle(r[columnName], widths[columnName]),
			p.ruler.end(r[columnInput], widths[columnInput]),
		}
		if seen[cut] {
			return false
		}
		seen[cut] = true
	}
	return true
}

// table prints the rows of the table.
func (p *printer) table(rows []row, runs []*finding.Run, columns []int, widths columnWidths) {
	for i, r := range rows {
		line := ""
		for _, at := range columns {
			cell := p.ruler.middle(r[at], widths[at])
			if at == columnInput {
				cell = p.ruler.end(r[at], widths[at])
			}
			blanks := spacesOf(widths[at] - p.ruler.width(cell))
			switch {
			case i == 0:
				cell = paint(p.palette.quiet, cell)
			case at == columnVerdict:
				cell = paint(p.palette.verdict(runs[i-1].Summary.Verdict), cell)
			}
			if at >= firstNumber && at <= lastNumber {
				line += blanks + cell
			} else {
				line += cell + blanks
			}
			line += spacesOf(columnsBetween)
		}
		p.line(line)
	}
}

// stacked prints the clusters below each other, if the text is too narrow for the table.
func (p *printer) stacked(rows []row) {
	for _, r := range rows[1:] {
		p.say(0, r[columnName])
		told := present(r[1], r[columnVerdict])
		for at := firstNumber; at <= lastNumber; at++ {
			if r[at] != "" {
				told = append(told, rows[0][at]+" "+r[at])
			}
		}
		p.say(2, strings.Join(told, ", "))
		if r[columnInput] != "" {
			p.say(2, r[columnInput])
		}
	}
}

// common prints the findings that several clusters have, in about at most most lines less those that the
// rows take. Those of all clusters are only counted if there is no room for them.
func (p *printer) common(f *finding.Fleet, below [][]oddLine, most int) {
	const headings = 5
	lines := commonLines
	if p.opt.Verbose {
		lines = max(lines, 3*f.Clusters)
	}
	all, several := f.Shared()
	text := p.printed(func(p *printer) {
		if len(several) == 0 {
			return
		}
		p.line("")
		p.line(paint(p.palette.heading, "Found in several clusters"))
		p.commons(several, min(max(most-headings-rowsLeast(below), commonLeast), lines), p.withNames(f))
	})
	n := 0
	for _, one := range all {
		n += one.Findings()
	}
	if n > 0 {
		p.line("")
		said := "In all " + decimal(f.Clusters) + " clusters: " + finding.Plural(n, "finding", "findings")
		room := min(most-headings-rowsMost(below)-lineCount(text), lines)
		if room >= commonLeast || p.opt.Verbose || len(below) == 1 {
			p.line(paint(p.palette.heading, said))
			p.commons(all, max(room, commonLeast), func(one finding.Common) string {
				return strings.Join(present(one.Subject, one.Text), "  ")
			})
		} else {
			p.say(0, said+"; --verbose lists them")
		}
	}
	p.write(text)
}

// withNames describes a finding with the number and the names of the clusters that have it.
func (p *printer) withNames(f *finding.Fleet) func(finding.Common) string {
	of := len(decimal(f.Clusters))
	return func(one finding.Common) string {
		word := one.News.Words()
		if one.Change == finding.Gone {
			word = "RESOLVED"
		}
		count := fmt.Sprintf("%*d of %d", of, one.N(), f.Clusters)
		return strings.Join(present(count, word, one.Subject, one.Text, f.Names(one)), "  ")
	}
}

// since prints what has changed on many clusters since the baseline: no report of a single cluster says it.
func (p *printer) since(f *finding.Fleet) {
	all, hidden := f.Changes()
	if len(all)+hidden == 0 || !p.areMany() && !p.opt.Digest {
		return
	}
	p.line("")
	p.line(paint(p.palette.heading, "Changes since the baseline"))
	lines := commonLines
	if p.opt.Verbose {
		lines = max(lines, 3*f.Clusters)
	}
	p.commons(all, lines, p.withNames(f))
	p.concealed(2, hidden)
}

// commons prints findings in at most about most lines, and counts the others.
func (p *printer) commons(all []finding.Common, most int, said func(finding.Common) string) {
	lines := 0
	shown := slice.Without(all, func(one finding.Common) bool { return one.Hidden })
	defer p.concealed(2, len(all)-len(shown))
	for i, one := range shown {
		text := p.printed(func(p *printer) { p.say(2, said(one)) })
		if lines += lineCount(text); lines > most {
			p.unlisted(2, len(shown)-i, "")
			return
		}
		p.write(text)
	}
}

// concealed counts the lines that a filter hides, or that say what is as before.
func (p *printer) concealed(indent, n int) {
	if n > 0 {
		p.say(indent, fmt.Sprintf("… %d %s", n, p.hiding()))
	}
}

// hiding says why lines about findings are hidden.
func (p *printer) hiding() string {
	const before = "as before"
	switch {
	case !p.opt.Filter.IsSet():
		return before + " (--verbose lists them)"
	case p.opt.Filter.OnlyNew && !p.opt.Filter.AskedNew && p.report.Since() != "":
		return "hidden by " + p.filters() + " or " + before
	}
	return "hidden by " + p.filters()
}

// unlistedOfAll counts what the summary of several clusters does not list.
func (p *printer) unlistedOfAll(hidden int) {
	warnings, archives := map[string]bool{}, map[string]bool{} // by text, without duplicates
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
	if p.opt.Summary || p.areMany() {
		counted = present(finding.Shares(
			finding.Share{N: len(warnings), Text: "warnings", One: "warning"},
			finding.Share{N: len(archives), Text: "archives that were not read", One: "archive that was not read"},
		))
	}
	if p.areMany() && !p.opt.Filter.IsSet() {
		counted = append(counted, "the report of each cluster; --cluster NAME shows one")
	}
	if len(counted) > 0 {
		p.line("")
		p.say(0, "Not listed: "+strings.Join(counted, ", "))
	}
	if hidden > 0 {
		p.say(0, "Hidden by "+p.filters()+": "+decimal(hidden)+" of "+finding.Plural(len(p.report.Runs), "cluster", "clusters"))
	}
}

// end shortens a text to a width. It keeps the end of the text.
func (r ruler) end(s string, width int) string {
	if r.width(s) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 0 && r.width(string(runes))+1 > width {
		runes = runes[1:]
	}
	return "…" + string(runes)
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

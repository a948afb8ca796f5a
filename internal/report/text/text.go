package text

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/finding/places"
)

// printer prints one text report.
type printer struct {
	out     *bufio.Writer
	err     error
	report  *finding.Report
	r       *finding.Run // the current run
	places  places.Names
	opt     Options
	palette *palette
	ruler   ruler
	width   int
	unified bool
	above   int            // the number of lines printed so far
	fields  map[string]int // the number of lines before each field that differs; nil if nobody asks
}

// newPrinter returns a printer for w.
func newPrinter(w io.Writer, opt Options) *printer {
	p := &printer{
		out:     bufio.NewWriter(w),
		opt:     opt,
		palette: newPalette(opt.Color),
		ruler:   newRuler(),
		width:   opt.Width,
	}
	if p.width == 0 {
		p.width = widthDefault
	}
	p.width = max(p.width, MinWidth)
	p.ruler.longest = cmp.Or(opt.LongestLine, escape.DefaultLongest)
	p.unified = opt.Unified || p.width < sideBySideLeast
	return p
}

// Report prints a report for people. For one cluster it prints the verdict, what was compared, the
// CRs with findings, the summary, the overview, the verdict again and the next command to run. For
// several clusters it prints a block for each, unless there are many, then a table, what several
// clusters have in common, and the next command. The error is the writer's.
func Report(w io.Writer, r *finding.Report, opt Options) error {
	p := newPrinter(w, opt)
	p.report = r
	if len(r.Runs) == 1 {
		p.run(r.Runs[0])
		return p.end()
	}
	p.overall()
	hidden := 0
	for _, run := range r.Runs {
		switch p.r = run; {
		case opt.Digest:
		case p.opt.Filter.IsSet() && len(p.entries(p.grouping())) == 0:
			hidden++
		case p.opt.Filter.IsSet() || !p.areMany():
			p.cluster(run)
		}
	}
	p.clusters(hidden)
	return p.end()
}

// run prints the findings on one cluster. If there are several clusters, it prints the verdict only
// once.
func (p *printer) run(r *finding.Run) {
	alone := len(p.report.Runs) == 1
	p.r, p.places = r, places.Of(r.Inputs)
	p.verdict()
	p.alarms(r.Alarms)
	if p.opt.Digest {
		p.overview()
		return
	}
	if alone || !p.opt.Summary {
		p.head()
	}
	if !p.opt.Summary {
		p.objects()
	}
	p.notes()
	if alone || !p.opt.Summary {
		p.summary()
	}
	entries := p.overview()
	p.gone()
	if !alone {
		return
	}
	p.line("")
	p.verdict()
	p.alarms(r.Alarms[:min(len(r.Alarms), alarmsAgain)])
	p.next(entries)
}

// alarmsAgain is the maximum number of alarms that are repeated before the last verdict, so that
// the last screen shows them.
const alarmsAgain = 3

// areMany reports whether there are too many clusters to print a block for each.
func (p *printer) areMany() bool { return len(p.report.Runs) > fewClusters }

// cluster prints the findings on one of several clusters below its name.
func (p *printer) cluster(r *finding.Run) {
	p.line("")
	p.line(strings.Repeat("=", p.width))
	p.line(paint(p.palette.heading, escape.Line(r.Heading()+r.Name())))
	p.line("")
	p.run(r)
}

// overall prints the number of clusters with each verdict.
func (p *printer) overall() {
	p.painted(p.palette.verdict(p.report.Summary.Verdict), p.report.Sentence())
}

// end writes the rest of the output and returns the first error.
func (p *printer) end() error {
	if p.err != nil {
		return p.err
	}
	return p.out.Flush()
}

// line prints a line. After an error it prints nothing.
func (p *printer) line(s string) {
	if p.err != nil {
		return
	}
	p.above++
	if _, p.err = p.out.WriteString(strings.TrimRight(s, " ")); p.err == nil {
		p.err = p.out.WriteByte('\n')
	}
}

// write prints a text that is already laid out.
func (p *printer) write(text []byte) {
	if p.err == nil {
		_, p.err = p.out.Write(text)
	}
}

// say prints an indented paragraph.
func (p *printer) say(indent int, text string) {
	for _, l := range p.ruler.paragraph(text, p.width, indent, min(indent+2, p.width/2)) {
		p.line(l)
	}
}

func (p *printer) painted(style *color.Color, text string) {
	for _, l := range p.ruler.paragraph(text, p.width, 0, 2) {
		p.line(paint(style, l))
	}
}

// marked prints a mark and a paragraph in a style. Each byte of the mark must take one column.
// Lines after the first are indented by hang.
func (p *printer) marked(mark string, hang int, style *color.Color, text string) {
	for i, l := range p.ruler.paragraph(text, p.width, len(mark), hang) {
		if i == 0 {
			l = mark + l[len(mark):]
		}
		p.line(paint(style, l))
	}
}

// titled prints a word in its style, and a text as a heading after it.
func (p *printer) titled(indent int, word string, style *color.Color, text string) {
	at := indent + len(word) + 2
	for i, l := range p.ruler.paragraph(text, p.width, at, at) {
		if i == 0 {
			p.line(spacesOf(indent) + paint(style, word) + "  " + paint(p.palette.heading, l[at:]))
			continue
		}
		p.line(paint(p.palette.heading, l))
	}
}

// shown returns how many of n things are listed: all with --verbose or if only one exceeds most,
// else most.
func (p *printer) shown(n, most int) int {
	if n > most+1 && !p.opt.Verbose {
		return most
	}
	return n
}

// unlisted prints that n more things are not listed.
func (p *printer) unlisted(indent, n int, like string) {
	if n > 0 {
		p.say(indent, fmt.Sprintf("… and %d more%s; --verbose lists them", n, like))
	}
}

// labelColumn is the width of the column of labels.
const labelColumn = 11

// fact prints a label, and paragraphs in a column to its right. It prints nothing without a text.
func (p *printer) fact(indent int, label string, text ...string) {
	if strings.Join(text, "") == "" {
		return
	}
	at := indent + labelColumn
	for _, one := range text {
		for _, l := range p.ruler.paragraph(one, p.width, at, at) {
			p.line(spacesOf(indent) + paint(p.palette.quiet, label) + spacesOf(labelColumn-len(label)) + l[at:])
			label = ""
		}
	}
}

// named prints a label, and a place with more about it. A place that fits into no line is not wrapped.
func (p *printer) named(indent int, label, place, more string) {
	if p.ruler.width(place) > p.width-indent-labelColumn {
		p.place(indent, label, place+more)
		return
	}
	p.fact(indent, label, place+more)
}

// place prints a label, and a place that can be pasted, which is not wrapped.
func (p *printer) place(indent int, label, place string) {
	if place != "" {
		place = escape.Line(escape.Shortened(place, p.ruler.longest))
		p.line(spacesOf(indent) + paint(p.palette.quiet, label) + spacesOf(labelColumn-len(label)) + place)
	}
}

func (p *printer) verdict() {
	p.painted(p.palette.verdict(p.r.Summary.Verdict), p.r.Sentence(p.report.FailOn))
}

// alarms prints alarms, a line each.
func (p *printer) alarms(all []finding.Warning) {
	for _, w := range all {
		p.marked("!! ", 3, p.palette.verdict(finding.Incomplete), p.warning(w))
	}
}

// warning formats a warning with its shortened place.
func (p *printer) warning(w finding.Warning) string {
	w.Place = p.places.Short(w.Place)
	return w.String()
}

// head prints what was compared, and the common prefix of all places in the input.
func (p *printer) head() {
	p.line("")
	if ref := p.report.Reference; ref != (finding.Reference{}) {
		p.named(0, "reference", ref.Path, inBrackets("format "+ref.Format, shortHash(ref.Hash)))
	}
	for _, fact := range p.r.BaseFacts() {
		p.fact(0, fact[0], fact[1])
	}
	for _, in := range p.r.Inputs {
		p.named(0, "input", in.Place(), inBrackets(in.Format, in.Layout))
		p.place(0, "root", p.shortRoot(places.Shared(in)))
	}
	if b := p.r.Baseline; b != nil {
		p.fact(0, "baseline", b.Path+inBrackets(append(b.Remarks, b.Changes.String())...))
	}
	c := p.r.Cluster
	p.fact(0, "cluster", strings.Join(present(
		finding.Prefixed("version ", c.Version),
		finding.Prefixed("id ", c.ID),
		finding.Prefixed("infrastructure ", c.Infrastructure),
		finding.Prefixed("gathered ", c.Gathered),
	), ", "))
	p.legend()
}

// legend prints the meaning of the marks, if there are any.
func (p *printer) legend() {
	d := p.r.Summary.Differences
	if p.opt.Summary || d.Drift+d.Missing+d.Extra == 0 && !(p.opt.ShowExpected && d.Expected > 0) {
		return
	}
	said := []string{"| drift, < missing, > extra, ~ expected"}
	if p.unified {
		said = append(said, "- reference, + input")
	}
	p.fact(0, "marks", said...)
}

// shortRoot returns the common prefix of places. If it does not fit into a line of a terminal, its
// long names are shortened in the middle: only people read it there.
func (p *printer) shortRoot(root string) string {
	const longest, kept = 30, 12
	if p.opt.Verbose || !p.opt.Terminal || labelColumn+p.ruler.width(root) <= p.width {
		return root
	}
	names := strings.Split(root, "/")
	for i, name := range names {
		if runes := []rune(name); len(runes) > longest {
			names[i] = string(runes[:longest-kept]) + "…" + string(runes[len(runes)-kept:])
		}
	}
	return strings.Join(names, "/")
}

// shortHash returns the start of a hash, which is long enough to distinguish references.
func shortHash(hash string) string {
	const digits = len("sha256:") + 16
	if len(hash) > digits {
		return hash[:digits] + "…"
	}
	return hash
}

// inBrackets joins the texts that are not empty: " (a, b)"; "" if all of them are.
func inBrackets(all ...string) string {
	if all = present(all...); len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// present returns the strings that are not empty.
func present(all ...string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

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
	"github.com/validationtool/validationtool/internal/places"
	"github.com/validationtool/validationtool/internal/visible"
)

// printer prints one text report.
type printer struct {
	out     *bufio.Writer
	err     error
	report  *finding.Report
	r       *finding.Run // the one at hand
	places  places.Names
	opt     Options
	palette *palette
	ruler   ruler
	width   int
	unified bool
}

// newPrinter makes ready to print on w.
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
	p.ruler.longest = cmp.Or(opt.LongestLine, visible.DefaultLongest)
	p.unified = opt.Unified || p.width < sideBySideLeast
	return p
}

// Report prints a report for people: of each cluster the verdict, what was compared, the CRs with
// findings, the most serious first, the summary, the least important first, the overview, the
// verdict again, and what to run next. Where there are several clusters, how many have which
// verdict stands first and last, and before that a table and what they have in common. The error is
// the writer's.
func Report(w io.Writer, r *finding.Report, opt Options) error {
	p := newPrinter(w, opt)
	p.report = r
	if len(r.Runs) == 1 {
		p.run(r.Runs[0])
		return p.end()
	}
	p.overall()
	for _, run := range r.Runs {
		if !opt.Digest && p.isShown(run) {
			p.cluster(run)
		}
	}
	p.clusters()
	return p.end()
}

// run prints what was found about one cluster.
func (p *printer) run(r *finding.Run) {
	p.r, p.places = r, places.Of(r.Inputs)
	p.verdict()
	p.alarms(r.Alarms)
	if p.opt.Digest {
		p.overview()
		return
	}
	p.head()
	if !p.opt.Summary {
		p.objects()
	}
	p.notes()
	p.summary()
	entries := p.overview()
	p.gone()
	p.line("")
	p.verdict()
	p.alarms(r.Alarms[:min(len(r.Alarms), alarmsAgain)])
	p.next(entries)
}

// alarmsAgain is how many alarms stand beside the verdict at the end too, so that they are on the
// last screen.
const alarmsAgain = 3

// isShown reports whether a cluster has a block of its own: in a summary of many clusters it has
// one only where the verdict is no answer or there are alarms, unless the user asks for all.
func (p *printer) isShown(r *finding.Run) bool {
	return !p.opt.Summary || !p.isShort() || len(r.Alarms) > 0 || r.Summary.Verdict == finding.Incomplete
}

// isShort reports whether there are so many clusters that a summary has no overview of each.
func (p *printer) isShort() bool { return len(p.report.Runs) > fewClusters && !p.opt.Verbose }

// cluster prints what was found about one of several clusters, below its name. A summary of them
// all has only the verdict, the alarms and, unless there are many, the overview.
func (p *printer) cluster(r *finding.Run) {
	p.line("")
	p.line(strings.Repeat("=", p.width))
	p.line(paint(p.palette.heading, visible.Line(r.Title())))
	p.line("")
	if !p.opt.Summary {
		p.run(r)
		return
	}
	p.r, p.places = r, places.Of(r.Inputs)
	p.verdict()
	p.alarms(r.Alarms)
	if p.isShort() {
		return
	}
	p.notes()
	p.overview()
	p.gone()
}

// overall prints what several clusters come to.
func (p *printer) overall() {
	p.painted(p.palette.verdict(p.report.Summary.Verdict), p.report.Sentence())
}

// end writes what is still to be written.
func (p *printer) end() error {
	if p.err != nil {
		return p.err
	}
	return p.out.Flush()
}

// line prints a line. After a write that failed nothing is printed any more.
func (p *printer) line(s string) {
	if p.err != nil {
		return
	}
	if _, p.err = p.out.WriteString(strings.TrimRight(s, " ")); p.err == nil {
		p.err = p.out.WriteByte('\n')
	}
}

// write prints a text that is laid out.
func (p *printer) write(text []byte) {
	if p.err == nil {
		_, p.err = p.out.Write(text)
	}
}

// say prints prose, indented.
func (p *printer) say(indent int, text string) {
	for _, l := range p.ruler.paragraph(text, p.width, indent, min(indent+2, p.width/2)) {
		p.line(l)
	}
}

// painted prints a text in a style, as a paragraph.
func (p *printer) painted(style *color.Color, text string) {
	for _, l := range p.ruler.paragraph(text, p.width, 0, 2) {
		p.line(paint(style, l))
	}
}

// marked prints a text in a style behind a mark of one column a byte. Further lines are indented by
// hang.
func (p *printer) marked(mark string, hang int, style *color.Color, text string) {
	for i, l := range p.ruler.paragraph(text, p.width, len(mark), hang) {
		if i == 0 {
			l = mark + l[len(mark):]
		}
		p.line(paint(style, l))
	}
}

// titled prints a word in capitals, and what it is about.
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

// shown is how many of n things are listed where most are enough: one more if there is no other,
// and all that there are if the user asks.
func (p *printer) shown(n, most int) int {
	if n > most+1 && !p.opt.Verbose {
		return most
	}
	return n
}

// unlisted counts n things that are not listed, if there are any.
func (p *printer) unlisted(indent, n int, like string) {
	if n > 0 {
		p.say(indent, fmt.Sprintf("… and %d more%s; --verbose lists them", n, like))
	}
}

// fact prints a label and what it says, with the further lines below what it says.
func (p *printer) fact(indent int, label string, text ...string) {
	const column = 11
	at := indent + column
	for _, one := range text {
		for _, l := range p.ruler.paragraph(one, p.width, at, at) {
			p.line(spacesOf(indent) + paint(p.palette.quiet, label) + spacesOf(column-len(label)) + l[at:])
			label = ""
		}
	}
}

func (p *printer) verdict() {
	p.painted(p.palette.verdict(p.r.Summary.Verdict), p.r.Sentence(p.report.FailOn))
}

// alarms prints warnings that must not drown among others, a line each.
func (p *printer) alarms(all []finding.Warning) {
	for _, w := range all {
		p.marked("!! ", 3, p.palette.verdict(finding.Incomplete), p.warning(w))
	}
}

// warning is a warning with its place, as places are shown.
func (p *printer) warning(w finding.Warning) string {
	w.Place = p.places.Short(w.Place)
	return w.String()
}

// head says what was compared with what, and what all places in the input begin with.
func (p *printer) head() {
	p.line("")
	if ref := p.report.Reference; ref != (finding.Reference{}) {
		p.fact(0, "reference", ref.Path+" ("+strings.Join(present("format "+ref.Format, shortHash(ref.Hash)), ", ")+")")
	}
	for _, in := range p.r.Inputs {
		about := strings.Join(present(in.Format, in.Layout), ", ")
		if about != "" {
			about = " (" + about + ")"
		}
		p.fact(0, "input", in.Place()+about)
		if root := places.Shared(in); root != "" {
			p.fact(0, "root", p.shortRoot(root))
		}
	}
	if b := p.r.Baseline; b != nil {
		p.fact(0, "baseline", b.Path+" ("+strings.Join(append(b.Remarks, b.Changes.String()), ", ")+")")
	}
	c := p.r.Cluster
	if facts := present(finding.Prefixed("version ", c.Version), finding.Prefixed("id ", c.ID), finding.Prefixed("infrastructure ", c.Infrastructure),
		finding.Prefixed("gathered ", c.Gathered)); len(facts) > 0 {
		p.fact(0, "cluster", strings.Join(facts, ", "))
	}
	p.legend()
}

// legend says what the marks mean, where there are any.
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

// shortRoot is the folder that places are given from. Where it does not fit into a line, the middle
// of long names is left out, because only a person reads it.
func (p *printer) shortRoot(root string) string {
	const column, longest, kept = 11, 30, 12
	if p.opt.Verbose || column+p.ruler.width(root) <= p.width {
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

// shortHash is enough of a hash to tell references apart; the document has all of it.
func shortHash(hash string) string {
	const digits = len("sha256:") + 16
	if len(hash) > digits {
		return hash[:digits] + "…"
	}
	return hash
}

// present returns the strings that are not empty.
func present(all ...string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

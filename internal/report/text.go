package report

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/manifest"
)

// printer prints one text report.
type printer struct {
	out     *bufio.Writer
	err     error
	r       *compare.Result
	failOn  FailOn
	files   []compare.Passed // what of the inputs was passed over, where it is to be told
	opt     TextOptions
	palette *palette
	ruler   ruler
	width   int
	unified bool
}

// newPrinter makes ready to print on w.
func newPrinter(w io.Writer, opt TextOptions) *printer {
	p := &printer{out: bufio.NewWriter(w), opt: opt, palette: newPalette(opt.Color), ruler: newRuler(), width: opt.Width}
	if p.width == 0 {
		p.width = widthDefault
	}
	p.width = max(p.width, MinWidth)
	p.ruler.longest = opt.longestLine()
	p.unified = opt.Unified || p.width < sideBySideLeast
	return p
}

// Text prints a report for people: of each cluster the verdict, what was compared, the objects with findings, the most serious
// first, the summary, and the verdict again. Where there are several clusters, what they come to stands first and last. The error is
// the writer's.
func Text(w io.Writer, r Report, opt TextOptions) error {
	p := newPrinter(w, opt)
	p.failOn = r.FailOn
	if len(r.Runs) == 1 {
		p.files = r.Passed
		p.run(r.Runs[0])
		return p.end()
	}
	p.overall(r)
	for _, run := range r.Runs {
		p.cluster(run)
	}
	p.line("")
	p.line(strings.Repeat("=", p.width))
	p.files = r.Passed
	p.passed()
	for _, run := range r.Runs {
		p.say(2, clusterName(run)+": "+sentence(run, r.FailOn))
	}
	p.overall(r)
	return p.end()
}

// run prints what was found about one cluster.
func (p *printer) run(r *compare.Result) {
	p.r = r
	p.verdict()
	p.alarms()
	p.head()
	if !p.opt.Summary {
		p.objects()
	}
	p.summary()
	p.line("")
	p.verdict()
}

// cluster prints what was found about one of several clusters, below its name.
func (p *printer) cluster(r *compare.Result) {
	p.line("")
	p.line(strings.Repeat("=", p.width))
	p.line(paint(p.palette.heading, "Cluster "+visibleLine(clusterName(r))))
	p.line("")
	p.run(r)
}

// overall prints what several clusters come to.
func (p *printer) overall(r Report) {
	p.line(paint(p.palette.verdict(r.Verdict()), r.sentence()))
}

// end writes what is still to be written.
func (p *printer) end() error {
	if p.err != nil {
		return p.err
	}
	return p.out.Flush()
}

// TextAhead is for compare.Options.Each: it makes what Text prints of a comparison as soon as that is done, and lets go of the
// rest.
func TextAhead(opt TextOptions) func(*compare.Comparison) {
	printers := sync.Pool{New: func() any { return newPrinter(nil, opt) }}
	return func(c *compare.Comparison) {
		if !opt.Summary && !quiet(c, opt) {
			var shown bytes.Buffer
			p := printers.Get().(*printer)
			p.out.Reset(&shown)
			p.object(c)
			p.out.Flush()
			printers.Put(p)
			c.Shown = bytes.Clone(shown.Bytes())
		}
		c.Tree, c.Differences = nil, nil
	}
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

// say prints prose, indented.
func (p *printer) say(indent int, text string) {
	for _, l := range p.ruler.paragraph(text, p.width, indent, min(indent+2, p.width/2)) {
		p.line(l)
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
	style := p.palette.verdict(VerdictOf(p.r))
	for _, l := range p.ruler.paragraph(sentence(p.r, p.failOn), p.width, 0, 2) {
		p.line(paint(style, l))
	}
}

// alarms prints the warnings that must not drown among others, a line each.
func (p *printer) alarms() {
	alarms, _ := sortedWarnings(p.r)
	for _, w := range alarms {
		for i, l := range p.ruler.paragraph(warningLine(w), p.width, 3, 3) {
			if i == 0 {
				l = "!! " + l[3:]
			}
			p.line(paint(p.palette.verdict(Incomplete), l))
		}
	}
}

// head says what was compared with what.
func (p *printer) head() {
	p.line("")
	if p.opt.ToolVersion != "" {
		p.fact(0, "tool", toolName+" "+p.opt.ToolVersion)
	}
	if ref := p.r.Reference; ref != nil {
		p.fact(0, "reference", ref.Path+" ("+strings.Join(present("format "+string(ref.Format), shortHash(ref.Hash)), ", ")+")")
	}
	for _, in := range p.r.Inputs {
		p.fact(0, "input", inputPlace(in)+" ("+strings.Join(present(in.Format, in.Layout), ", ")+")")
	}
	c := p.r.Cluster
	if facts := present(prefixed("version ", c.Version), prefixed("id ", c.ID), prefixed("infrastructure ", c.Infrastructure),
		prefixed("gathered ", c.Gathered)); len(facts) > 0 {
		p.fact(0, "cluster", strings.Join(facts, ", "))
	}
	if len(p.r.LeftOut) > 0 {
		p.fact(0, "left out", plural(len(p.r.LeftOut), "component: ", "components: ")+strings.Join(p.r.LeftOut, ", "))
	}
	p.legend()
}

// legend says what the marks mean, where there are any.
func (p *printer) legend() {
	d := p.r.Counts.Differences
	if p.opt.Summary || d[compare.Drift]+d[compare.Missing]+d[compare.Extra] == 0 && !(p.opt.ShowExpected && d[compare.Expected] > 0) {
		return
	}
	said := []string{"| drift, < missing, > extra, ~ expected"}
	if p.unified {
		said = append(said, "- reference, + input")
	}
	p.fact(0, "marks", said...)
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

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// inputPlace is where an input, or what of it is of one cluster, lies.
func inputPlace(in compare.Input) string {
	s := fileOf(manifest.Place{File: in.Path})
	switch {
	case in.Root == "":
		return s
	case in.Format == "directory":
		return s + "/" + in.Root
	}
	return s + "!" + in.Root
}

// place is where something stands: "archive.tar.gz!path/in/it.yaml:12".
func place(at manifest.Place) string {
	if at.File == "-" {
		at.File = "standard input"
	}
	return at.String()
}

func fileOf(at manifest.Place) string { return place(manifest.Place{File: at.File, Entry: at.Entry}) }

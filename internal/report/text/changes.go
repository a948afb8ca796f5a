package text

import (
	"io"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/finding/saved"
	"github.com/validationtool/validationtool/internal/run/slice"
)

// Changes prints a comparison of two reports for people: the result, the names of the two reports,
// the findings with new ones first, and the result again. The error is the writer's.
func Changes(w io.Writer, d *saved.Diff, opt Options) error {
	p := newPrinter(w, opt)
	p.answer(d)
	p.line("")
	for _, side := range []struct {
		label string
		of    saved.ReportSide
	}{{"old", d.Old}, {"new", d.New}} {
		p.fact(0, side.label, side.of.Path+finding.Prefixed(
			"  against ", side.of.Reference.Path,
		)+" ("+shortHash(side.of.Reference.Hash)+")")
	}
	for _, c := range d.Clusters {
		if len(d.Clusters) > 1 {
			p.line("")
			p.line(paint(p.palette.heading, "Cluster "+escape.Line(c.Name)))
			p.answerFor(d, c)
		}
		p.changes(c)
	}
	p.line("")
	p.answer(d)
	return p.end()
}

// answer prints the result of the comparison.
func (p *printer) answer(d *saved.Diff) {
	if len(d.Clusters) == 1 {
		p.answerFor(d, d.Clusters[0])
		return
	}
	p.said(d.Overall(), d.ExitStatus)
}

func (p *printer) answerFor(d *saved.Diff, c saved.ClusterChanges) {
	p.said(d.Sentence(c), c.Status())
}

// said prints a sentence in the colour of the verdict with this exit status.
func (p *printer) said(sentence string, status int) {
	style := p.palette.verdict([]finding.Verdict{finding.Compliant, finding.Differs, finding.Incomplete}[status])
	p.painted(style, sentence)
}

// changes prints the findings of a cluster by their change. It lists unchanged findings only with
// --verbose.
func (p *printer) changes(c saved.ClusterChanges) {
	for _, one := range []struct {
		change finding.Change
		title  string
		hidden bool
	}{{change: finding.New, title: "New"}, {change: finding.Changed, title: "Changed"},
		{change: finding.Unclear, title: "There before, with hidden values that may have changed"},
		{change: finding.Gone, title: "Resolved"}, {change: finding.Unchanged, title: "The same", hidden: !p.opt.Verbose}} {
		if !one.hidden {
			of := func(f finding.Finding) bool { return f.Change != one.change }
			all := finding.Together(slice.Without(c.Findings, of))
			p.changed(one.title, all, len(all))
		}
	}
}

// changed prints at most most entries below a title, and counts the rest.
func (p *printer) changed(title string, all []finding.Entry, most int) {
	if len(all) == 0 {
		return
	}
	p.line("")
	p.line(paint(p.palette.heading, title))
	t := p.tableOf(all)
	for _, e := range all[:most] {
		p.entry(t, e)
		if e.Was != "" {
			p.say(t.text, "before: "+strings.TrimPrefix(e.Was, e.Path+": "))
		}
	}
	p.unlisted(0, len(all)-most, "")
}

// goneShown is the maximum number of lines of findings that are gone.
const goneShown = 10

// gone prints the findings that are gone since the baseline.
func (p *printer) gone() {
	found := slices.DeleteFunc(p.r.Gone(p.report.FailOn), func(f finding.Finding) bool {
		return !p.opt.Filter.MayShowObject(f.Object)
	})
	all := finding.Together(found)
	if len(all) > 0 {
		p.changed(
			"Resolved since "+escape.Line(p.r.Baseline.Path)+": "+decimal(len(found)), all, p.shown(len(all), goneShown),
		)
	}
}

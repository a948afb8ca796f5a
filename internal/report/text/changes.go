package text

import (
	"io"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/visible"
)

// Changes prints what became of the findings of a report, for people: the answer, which reports
// were held against each other, what is new first, and the answer again. The error is the writer's.
func Changes(w io.Writer, d *finding.Diff, opt Options) error {
	p := newPrinter(w, opt)
	p.answer(d)
	p.line("")
	for _, side := range []struct {
		label string
		of    finding.ReportSide
	}{{"old", d.Old}, {"new", d.New}} {
		p.fact(0, side.label, side.of.Path+finding.Prefixed(
			"  against ", side.of.Reference.Path,
		)+" ("+shortHash(side.of.Reference.Hash)+")")
	}
	for _, c := range d.Clusters {
		if len(d.Clusters) > 1 {
			p.line("")
			p.line(paint(p.palette.heading, "Cluster "+visible.Line(c.Name)))
			p.answerFor(d, c)
		}
		p.changes(c)
	}
	p.line("")
	p.answer(d)
	return p.end()
}

// answer prints what the reports come to.
func (p *printer) answer(d *finding.Diff) {
	if len(d.Clusters) == 1 {
		p.answerFor(d, d.Clusters[0])
		return
	}
	p.said(d.Overall(), d.ExitStatus)
}

func (p *printer) answerFor(d *finding.Diff, c finding.ClusterChanges) {
	p.said(d.Sentence(c), c.Status())
}

// said prints a sentence in the colour of the verdict that has such an exit status.
func (p *printer) said(sentence string, status int) {
	style := p.palette.verdict([]finding.Verdict{finding.Compliant, finding.Differs, finding.Incomplete}[status])
	p.painted(style, sentence)
}

// changes prints the findings of a cluster by what became of them. Those that are the same are for
// --verbose.
func (p *printer) changes(c finding.ClusterChanges) {
	for _, one := range []struct {
		change finding.Change
		title  string
		hidden bool
	}{{change: finding.New, title: "New"}, {change: finding.Changed, title: "Changed"},
		{change: finding.Unclear, title: "There before; their values are hidden, so it cannot be told whether they changed"},
		{change: finding.Gone, title: "Gone"}, {change: finding.Unchanged, title: "The same", hidden: !p.opt.Verbose}} {
		if all := entries(c.Findings, one.change); !one.hidden {
			p.changed(one.title, all, len(all))
		}
	}
}

// changed prints so many of some entries below a title, and counts the rest.
func (p *printer) changed(title string, all []changedEntry, most int) {
	if len(all) == 0 {
		return
	}
	p.line("")
	p.line(paint(p.palette.heading, title))
	var lines []finding.Entry
	for _, e := range all {
		lines = append(lines, e.Entry)
	}
	t := p.tableOf(lines)
	for _, e := range all[:most] {
		p.entry(t, e.Entry)
		if e.was != "" {
			p.say(t.text, "before: "+e.was)
		}
	}
	p.unlisted(0, len(all)-most, "")
}

// goneShown is how many lines there are of what is gone.
const goneShown = 10

// gone prints what is gone since the baseline.
func (p *printer) gone() {
	found := slices.DeleteFunc(p.r.Gone(p.report.FailOn), func(f finding.Finding) bool {
		return !p.opt.Filter.MayShowObject(f.Object)
	})
	all := entries(found, finding.Gone)
	if len(all) > 0 {
		p.changed(
			"Gone since "+visible.Line(p.r.Baseline.Path)+": "+decimal(len(found)), all, p.shown(len(all), goneShown),
		)
	}
}

// changedEntry is a line of the overview, and what the old report had in its place.
type changedEntry struct {
	finding.Entry
	was string
}

// entries are the findings with a change as lines of an overview. CRs of one kind with the same
// finding are one.
func entries(all []finding.Finding, change finding.Change) []changedEntry {
	type key struct{ class, kind, template, said string }
	var out []changedEntry
	at := map[key]int{}
	for _, f := range all {
		if f.Change != change {
			continue
		}
		k := key{string(f.Class), f.Object.Kind, f.Template.Path, f.Words + "\n" + f.Was}
		i, known := at[k]
		if !known || f.Rule != "" {
			at[k] = len(out)
			out = append(out, changedEntry{entryOf(f), strings.TrimPrefix(f.Was, f.Path+": ")})
			continue
		}
		out[i].Group = append(out[i].Group, entryOf(f).Group...)
	}
	return out
}

// entryOf is a finding as a line of the overview.
func entryOf(f finding.Finding) finding.Entry {
	e := finding.Entry{Word: word(f.Class), Component: f.Template.ComponentName()}
	switch f.Class {
	case finding.ClassRule, finding.ClassAbsent, finding.ClassNotCollected, finding.ClassWanted:
		e.Rule = &finding.Rule{Rule: f.Rule, Code: f.Code, Message: f.Words, Rating: f.Rating}
	default:
		e.Finding = f.Words
		e.Group = finding.Group{
			{Object: f.Object, Template: f.Template, Differences: []finding.Difference{{Rating: f.Rating}}},
		}
	}
	if e.Rule != nil && f.Class != finding.ClassRule {
		e.Missing = []*finding.Missed{{Template: f.Template.Path, Object: f.Object, Rating: f.Rating}}
	}
	return e
}

// word is that of the overview for findings of a class.
func word(c finding.Class) finding.Word {
	switch c {
	case finding.ClassError:
		return finding.WordFailed
	case finding.ClassMissing:
		return finding.WordDrift
	}
	return c.Word()
}

// Package remark is about the codes of a reference's own. In goes a report, in which templates say
// something of CRs with these codes; out comes what the codes mean that it tells, and what counts
// for nothing in the form of findings, for formats that list them. It decides nothing: what is
// violated is a difference in the report already.
package remark

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/visible"
	"github.com/validationtool/validationtool/refconfig"
)

// Told returns what there is to say about the codes that a report tells, sorted by code.
func Told(r *finding.Report, all []refconfig.OwnCode) []refconfig.OwnCode {
	told := map[code.Code]bool{}
	differences := func(all []finding.Difference) {
		for _, d := range all {
			told[d.Code] = true
		}
	}
	for _, run := range r.Runs {
		for _, c := range run.Comparisons {
			differences(c.Differences)
			if c.Override != nil {
				differences(c.Override.Accepted)
			}
			for _, s := range c.Notes {
				told[s.Code] = true
			}
		}
	}
	return sorted(slices.DeleteFunc(slices.Clone(all), func(c refconfig.OwnCode) bool { return !told[c.Code] }))
}

// Merged returns what several reports say about their codes, sorted by code. Of a code that they
// explain otherwise, all is kept.
func Merged(reports []*finding.Report) []refconfig.OwnCode {
	var all []refconfig.OwnCode
	for _, r := range reports {
		all = append(all, r.Codes...)
	}
	return slices.Compact(sorted(all))
}

func sorted(all []refconfig.OwnCode) []refconfig.OwnCode {
	slices.SortStableFunc(all, func(a, b refconfig.OwnCode) int {
		return cmp.Or(
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Title, b.Title),
			cmp.Compare(a.Cause, b.Cause),
			cmp.Compare(a.Triage, b.Triage),
		)
	})
	return all
}

// Entry is what there is to say about a code, of the tool or of the reference of a report; false
// for nothing.
func Entry(r *finding.Report, c code.Code) (code.Entry, bool) {
	if i, known := slices.BinarySearchFunc(r.Codes, c, func(own refconfig.OwnCode,
		c code.Code) int {
		return cmp.Compare(own.Code, c)
	}); known {
		own := r.Codes[i]
		return code.Entry{Code: c, Title: visible.Line(own.Title), Cause: prose(own.Cause), Do: prose(own.Triage)}, true
	}
	return code.Lookup(c)
}

// Texts are what there is to say about a code beside its title.
func Texts(c refconfig.OwnCode) []string {
	return slices.DeleteFunc([]string{c.Cause, c.Triage}, func(s string) bool { return s == "" })
}

// prose makes a text of several lines safe to show.
func prose(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, visible.Text(strings.TrimRight(line, " \r")))
	}
	return strings.Join(lines, "\n")
}

// Class is what a Note is about.
const Class finding.Class = "note"

// Behind are findings of a run, and behind them what templates note of its CRs, as findings that
// count for nothing. There may be a million notes, so that those of a CR are made when they are
// asked for.
func Behind(found iter.Seq[finding.Finding], run *finding.Run) iter.Seq[finding.Finding] {
	return func(yield func(finding.Finding) bool) {
		for f := range found {
			if !yield(f) {
				return
			}
		}
		notes(run, func(*finding.Comparison) bool { return true })(yield)
	}
}

// Besides are the notes of the CRs that are shown and have no findings to stand beside.
func Besides(run *finding.Run, how finding.Grouping) iter.Seq[finding.Finding] {
	return notes(run, func(c *finding.Comparison) bool { return !c.HasFindings(how) && how.Filter.Shows(c) })
}

// notes are those of some CRs.
func notes(run *finding.Run, of func(*finding.Comparison) bool) iter.Seq[finding.Finding] {
	return func(yield func(finding.Finding) bool) {
		for _, c := range run.Comparisons {
			if len(c.Notes) == 0 || !of(c) {
				continue
			}
			for _, f := range Of(c) {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// Level orders findings by how much a list of them should make of each: 0 is a note, 1 a warning
// and 2 an error.
func Level(f finding.Finding) int {
	switch {
	case f.Effect != finding.Informs:
		return 2
	case f.Class == finding.ClassExtra || f.Class == Class:
		return 0
	}
	return 1
}

// Of is what a template notes of a CR, as findings that count for nothing.
func Of(c *finding.Comparison) (all []finding.Finding) {
	notes := make([]finding.Difference, len(c.Notes))
	for i, s := range c.Notes {
		notes[i] = finding.Difference{Path: s.Path, Code: s.Code}
	}
	finding.Identify(notes, c.Object, c.Template.Path)
	for i, s := range c.Notes {
		one := finding.Finding{
			Class:       Class,
			Code:        s.Code,
			Object:      c.Object,
			Template:    c.Template,
			Path:        s.Path,
			Words:       s.Told() + finding.Note(s.Code),
			Source:      c.Source,
			Fingerprint: notes[i].Fingerprint,
		}
		one.Source.Line = cmp.Or(s.Line, one.Source.Line)
		all = append(all, one)
	}
	return all
}

package html

import (
	"html/template"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/inspect"
	"github.com/validationtool/validationtool/internal/places"
	"github.com/validationtool/validationtool/internal/remark"
)

// document is what the head and the foot of the page are made of.
type document struct {
	*finding.Report
	Title    string
	Clusters []cluster // where there are several, the worst first
	Common   []finding.Common
	Policy   string
	Style    template.CSS
	Script   template.JS
	Sum      []figure // over all clusters
}

// cluster is a row of the table of clusters.
type cluster struct {
	*finding.Run
	Number int // of its section, from 1
}

// column is the head of a column of the table of clusters.
type column struct {
	Name   string
	Number bool // it has numbers
}

func columns() []column {
	return []column{
		{Name: "cluster"},
		{Name: "version"},
		{Name: "verdict"},
		{Name: "drift", Number: true},
		{Name: "not found", Number: true},
		{Name: "not collected", Number: true},
		{Name: "input"},
	}
}

// section is what is said of one cluster besides its entries.
type section struct {
	*finding.Run
	Report   *finding.Report
	Number   int // from 1
	Several  bool
	Hides    bool   // a filter of the command line leaves something out
	Unlisted string // says which missing CRs are not listed
	opt      Options
	places   places.Names
}

// figure is how many findings of a class there are.
type figure struct {
	Class            finding.Class
	N                int
	One, Many, About string
}

// Name is what stands behind the number.
func (f figure) Name() string {
	if f.N == 1 {
		return f.One
	}
	return f.Many
}

// head is what the page begins with.
func (p *page) head() document {
	d := document{Report: p.report, Sum: figures(p.report), Title: p.report.Sentence()}
	if len(p.report.Runs) == 1 {
		d.Title = p.report.Runs[0].Summary.Verdict.Short() + " " + p.report.Runs[0].Name()
	} else {
		for i, run := range p.report.Runs {
			d.Clusters = append(d.Clusters, cluster{Run: run, Number: i + 1})
		}
		slices.SortStableFunc(d.Clusters, func(a, b cluster) int { return finding.WorstFirst(a.Run, b.Run) })
		d.Common = p.report.Common(p.opt.Grouping.Filter)
	}
	return d
}

// figures are how many findings of each class there are, as the summaries of the clusters count
// them.
func figures(r *finding.Report) []figure {
	all := []figure{
		{finding.ClassError, 0, "failed", "failed", "CRs that could not be evaluated"},
		{finding.ClassUnreadable, 0, "unreadable", "unreadable", "files that could not be used"},
		{finding.ClassDrift, 0, "drift", "drift", "fields with another value than the reference has"},
		{
			finding.ClassMissing,
			0,
			"missing field",
			"missing fields",
			"fields that the reference requires and the CR lacks",
		},
		{finding.ClassAbsent, 0, "CR not found", "CRs not found", "required CRs that are not there"},
		{
			finding.ClassWanted,
			0,
			"CR required by others",
			"CRs required by others",
			"CRs that are not there, and required because others are",
		},
		{
			finding.ClassNotCollected,
			0,
			"CR perhaps not collected",
			"CRs perhaps not collected",
			"required CRs that may be there, for the input would not show them",
		},
		{finding.ClassRule, 0, "broken rule", "broken rules", "rules that are broken and not about missing CRs"},
		{finding.ClassInvalid, 0, "invalid field", "invalid fields", "fields that an API server would refuse or drop"},
		{finding.ClassExtra, 0, "extra field", "extra fields", "fields that the CR has and the reference does not"},
	}
	for _, run := range r.Runs {
		s := run.Summary
		for i, n := range []int{s.Objects.Error, s.Unreadable, s.Differences.Drift, s.Differences.Missing,
			s.AbsentCRs, s.WantedCRs, s.NotCollectedCRs,
			len(run.OtherRules()), s.Differences.Invalid, s.Differences.Extra} {
			all[i].N += n
		}
	}
	return all
}

// section is what is said of a cluster.
func (p *page) section(index int, r *finding.Run) *section {
	return &section{
		Run:     r,
		Report:  p.report,
		Number:  index + 1,
		Several: len(p.report.Runs) > 1,
		Hides:   p.opt.Grouping.Filter.IsSet(),
		opt:     p.opt,
		places:  places.Of(r.Inputs),
	}
}

// id is what a finding is linked to by: its fingerprint, and in all clusters but the first also the
// number of the cluster, because several clusters have the same findings.
func (s *section) id(fingerprint string) string {
	if s.Number == 1 {
		return fingerprint
	}
	return fingerprint + "." + strconv.Itoa(s.Number)
}

// notes are what templates note of the CRs that have no entry, as far as there is room on the page.
type notes struct {
	Shown   []finding.Finding
	N, More int // how many there are, and how many of them are not shown
}

// Notes are those of the cluster.
func (s *section) Notes() (all notes) {
	const most, markup = 2 << 20, 64 // bytes
	room := most
	for f := range s.NotesAside(s.opt.Grouping) {
		all.N++
		if room -= len(f.Object.Name) + len(f.Words) + markup; room >= 0 {
			all.Shown = append(all.Shown, f)
		}
	}
	all.More = all.N - len(all.Shown)
	return all
}

// Short is a place as the page shows it.
func (s *section) Short(place string) string { return s.places.Short(place) }

// Told is a warning with its place.
func (s *section) Told(w finding.Warning) string {
	w.Place = s.places.Short(w.Place)
	return w.String()
}

// Verdict is the verdict in words.
func (s *section) Verdict() string { return s.Sentence(s.Report.FailOn) }

// Head says what was compared with what.
func (s *section) Head() [][2]string {
	all := facts("reference", s.Report.Reference.Path)
	for _, in := range s.Inputs {
		about := in.Format
		if in.Layout != "" {
			about += ", " + in.Layout
		}
		all = append(all, facts("input", in.Place()+" ("+about+")", "root", places.Shared(in))...)
	}
	c := s.Cluster
	if c.Infrastructure == c.Name {
		c.Infrastructure = ""
	}
	return append(
		all,
		facts(
			"cluster",
			c.Name,
			"infrastructure",
			c.Infrastructure,
			"version",
			c.Version,
			"id",
			c.ID,
			"gathered",
			c.Gathered,
		)...)
}

// Figures says what became of the CRs that were read. What is zero is left out, and the rest adds
// up.
func (s *section) Figures() [][2]string {
	n := s.Summary.Objects
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	all := [][2]string{{"CRs read", strconv.Itoa(n.Read)}, {"compared", strconv.Itoa(n.Compared)}}
	return append(
		all,
		facts(
			"clean",
			number(n.Clean),
			"extra content only",
			number(n.Extra),
			"with drift",
			number(n.Drift),
			"failed",
			number(n.Error),
			"overridden",
			number(n.Overridden),
			"unmatched",
			number(n.Unmatched),
			"refused by their templates",
			number(len(s.Refused)),
			"of kinds that the reference does not have",
			number(n.Ignored-len(s.Refused)),
			"further copies",
			number(n.Copies),
			"expected variations",
			number(s.Summary.Differences.Expected),
			"masked values",
			number(s.Summary.Masked),
		)...)
}

// ByImportance are the warnings for the user, or those for the author of the reference.
func (s *section) ByImportance(forAuthor bool) (all []string) {
	for _, w := range s.Warnings {
		if w.ForAuthor() == forAuthor {
			all = append(all, s.Told(w))
		}
	}
	return all
}

// Vanished are the findings that are gone since the baseline.
func (s *section) Vanished() []finding.Finding { return s.Gone(s.Report.FailOn) }

// Commands collect what may not have been collected.
func (s *section) Commands() []string {
	if s.IsBlank() {
		return nil
	}
	return inspect.CollectCommands(s.NotCollected)
}

// functions are what the templates call.
func functions() template.FuncMap {
	return template.FuncMap{
		"token":   token,
		"joined":  strings.Join,
		"columns": columns,
		"first":   func(n int, all []finding.Common) []finding.Common { return all[:min(n, len(all))] },
		"note":    finding.Note,
		"plural":  finding.Plural,
		"pieces":  pieces,
		"texts":   remark.Texts,
	}
}

// piece is a part of a text, or a link in it.
type piece struct{ Text, Link string }

// pieces takes a text apart at its links, which people write into what they say about templates.
func pieces(text string) (all []piece) {
	for text != "" {
		start := strings.Index(text, "https://")
		if start < 0 {
			return append(all, piece{Text: text})
		}
		end := start + strings.IndexFunc(
			text[start:]+" ", func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"'<>()[]`, r) },
		)
		link := strings.TrimRight(text[start:end], ".,;:!?")
		all = append(all, piece{Text: text[:start]}, piece{Link: link})
		text = text[start+len(link):]
	}
	return all
}

package html

import (
	"html/template"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/finding/places"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template/remark"
	"github.com/validationtool/validationtool/refconfig"
)

// document has the data of the head and the foot of the page.
type document struct {
	*finding.Report
	Title    string
	Clusters []cluster // if there are several, the worst first
	Versions bool      // whether the version of a cluster is known
	Common   []finding.Common
	// the number of common findings that an option hides
	CommonHidden int
	Fleet        *finding.Fleet
	Alike        []alike // the first rows of Fleet; nil if the table of clusters says as much
	Usual        string  // the clusters of the usual row
	RowsLeft     int     // the number of rows that are not shown
	Policy       string
	Style        template.CSS
	Script       template.JS
	Sum          []figure // the figures of all clusters
}

// cluster is a row of the table of clusters.
type cluster struct {
	*finding.Run
	Number int // the number of its section, from 1
}

// section has the data of a cluster besides its entries.
type section struct {
	*finding.Run
	Report  *finding.Report
	Number  int // from 1
	Several bool
	Hides   bool // whether an option of the command line hides findings
	opt     Options
	places  places.Names
	Root    string // the beginning of the locations of all CRs with findings, which these omit
	// commands that show a whole CR and that explain a template, without the CR or the template; "" if
	// the input cannot be read again
	Full, Why string
	creations map[*finding.Missed]*creation
}

// figure is the number of findings of a class.
type figure struct {
	Class            finding.Class
	N                int
	One, Many, About string
}

// Name returns the words that follow the number.
func (f figure) Name() string {
	if f.N == 1 {
		return f.One
	}
	return f.Many
}

// head returns the data of the head.
func (p *page) head() document {
	d := document{Report: p.report, Sum: figures(p.report), Title: p.report.Sentence()}
	if len(p.report.Runs) == 1 {
		d.Title = p.report.Runs[0].Summary.Verdict.Short() + " " + p.report.Runs[0].Name()
	} else {
		for i, run := range p.report.Runs {
			d.Clusters = append(d.Clusters, cluster{Run: run, Number: i + 1})
			d.Versions = d.Versions || run.Cluster.Version != ""
		}
		slices.SortStableFunc(d.Clusters, func(a, b cluster) int { return finding.WorstFirst(a.Run, b.Run) })
		d.Fleet = p.report.Fleet(p.opt.Grouping.Filter)
		all, several := d.Fleet.Shared()
		d.Common = slice.Without(slices.Concat(several, all), func(one finding.Common) bool { return one.Hidden })
		d.CommonHidden = len(several) + len(all) - len(d.Common)
		if n := len(d.Fleet.Rows); n > 1 && n < len(p.report.Runs) {
			d.Alike, d.Usual = p.alike(d.Fleet)
			d.RowsLeft = n - len(d.Alike)
		}
	}
	return d
}

// alike is a row of clusters with the same findings.
type alike struct {
	finding.Row
	Names []string // the first clusters
	Rest  int      // the number of further ones
	Odd   []odd
	Left  int // the number of further findings
	// the number of findings that an option hides
	Hidden int
}

// odd says what the clusters of a row have more or less than those of the usual row.
type odd struct {
	Sign    string
	Cluster string // the cluster to filter by; "" if the row has several
	finding.Common
}

// alike returns the first rows of clusters with the same findings, and what is in the usual one.
func (p *page) alike(f *finding.Fleet) (rows []alike, usual string) {
	const most, named = 15, 10
	for _, r := range f.Rows[:min(most, len(f.Rows))] {
		a := alike{Row: r}
		for _, i := range r.Runs[:min(named, len(r.Runs))] {
			a.Names = append(a.Names, p.report.Runs[i].Name())
		}
		a.Rest = len(r.Runs) - len(a.Names)
		cluster := ""
		if len(r.Runs) == 1 {
			cluster = a.Names[0]
		}
		if r.Usual {
			usual = "those of " + a.Counted()
		}
		more, less, hidden := f.Against(r)
		for _, one := range more {
			a.Odd = append(a.Odd, odd{"+", cluster, one})
		}
		for _, one := range less {
			a.Odd = append(a.Odd, odd{"−", "", one})
		}
		a.Hidden = hidden[0] + hidden[1]
		if len(a.Odd) > finding.OddShown {
			for _, one := range a.Odd[finding.OddShown:] {
				a.Left += one.Findings()
			}
			a.Odd = a.Odd[:finding.OddShown]
		}
		rows = append(rows, a)
	}
	return rows, usual
}

// figures returns the numbers of findings of each class, from the summaries of the clusters.
func figures(r *finding.Report) []figure {
	all := []figure{
		{finding.ClassError, 0, "failed", "failed", "CRs that could not be evaluated"},
		{finding.ClassUnreadable, 0, "unreadable", "unreadable", "files that could not be used"},
		{finding.ClassDrift, 0, "drift", "drift", "fields whose values differ from the reference"},
		{
			finding.ClassMissing,
			0,
			"missing field",
			"missing fields",
			"fields that the reference requires and the CR lacks",
		},
		{finding.ClassAbsent, 0, "CR not found", "CRs not found", "required CRs that were not found"},
		{
			finding.ClassWanted,
			0,
			"CR required by others",
			"CRs required by others",
			"missing CRs that the reference requires because of other CRs",
		},
		{
			finding.ClassNotCollected,
			0,
			"CR perhaps not collected",
			"CRs perhaps not collected",
			"required CRs that the cluster may have, because the input may not show them",
		},
		{finding.ClassRule, 0, "broken rule", "broken rules", "rules that are broken and not about missing CRs"},
		{
			finding.ClassPerhapsBroken,
			0,
			"rule perhaps broken",
			"rules perhaps broken",
			"rules that require one of several CRs, because the input may not show them",
		},
		{finding.ClassUnknown, 0, "not known", "not known", "what the input may not show, because it may lack CRs"},
		{finding.ClassInvalid, 0, "invalid field", "invalid fields", "fields that an API server would reject or drop"},
		{
			finding.ClassInvalidCR,
			0,
			"invalid field without a template",
			"invalid fields without a template",
			"fields of CRs that were not compared, which an API server would reject or drop",
		},
		{finding.ClassExtra, 0, "extra field", "extra fields", "fields that the CR has and the reference does not"},
	}
	for _, run := range r.Runs {
		s := run.Summary
		if run.IsBlank() { // the page does not list its missing CRs
			s.AbsentCRs, s.WantedCRs, s.NotCollectedCRs, s.BrokenRules, s.PerhapsBrokenRules = 0, 0, 0, 0, 0
		}
		for i, n := range []int{s.Objects.Error, s.Unreadable, s.Differences.Drift, s.Differences.Missing,
			s.AbsentCRs, s.WantedCRs, s.NotCollectedCRs,
			s.BrokenRules - s.PerhapsBrokenRules, s.PerhapsBrokenRules, len(run.NotKnown),
			s.Differences.Invalid, len(run.InvalidCRs), s.Differences.Extra} {
			all[i].N += n
		}
	}
	return all
}

// section returns the data of a cluster with these entries.
func (p *page) section(index int, r *finding.Run, entries []finding.Entry) *section {
	isGroup := func(e finding.Entry) bool { return len(e.Group) > 0 }
	s := &section{
		Run:     r,
		Report:  p.report,
		Number:  index + 1,
		Several: len(p.report.Runs) > 1,
		Hides:   p.opt.Grouping.Filter.IsSet(),
		opt:     p.opt,
		places:  places.Of(r.Inputs),
	}
	if i := slices.IndexFunc(entries, isGroup); i >= 0 {
		whole := entries[i].Source.String()
		s.Root = strings.TrimSuffix(whole, s.places.Short(whole))
	}
	if slices.ContainsFunc(entries, func(e finding.Entry) bool {
		return isGroup(e) && !strings.HasPrefix(e.Source.String(), s.Root)
	}) {
		s.Root = ""
	}
	s.Full, s.Why = s.again("--full"), s.again(escape.ExplainMatch)
	s.creations = p.creations(s, entries)
	return s
}

// id returns the anchor of a finding: its fingerprint. In all clusters except the first, the
// cluster's number follows, because several clusters can have the same finding.
func (s *section) id(fingerprint string) string {
	if s.Number == 1 {
		return fingerprint
	}
	return fingerprint + "." + strconv.Itoa(s.Number)
}

// notes has the notes on CRs that have no entry. It has as many as the page has room for.
type notes struct {
	Shown   []finding.Finding
	N, More int // the numbers of all notes, and of those that are not shown
}

// Notes returns the notes on the cluster's CRs that have no entry.
func (s *section) Notes() (all notes) {
	const most, markup = 2 << 20, 64 // bytes
	room := most
	for f := range s.Findings(nil, finding.Class.IsNote) {
		if f.CR.HasFindings(s.opt.Grouping) || !s.opt.Grouping.Filter.Shows(f.CR) {
			continue
		}
		all.N++
		if room -= len(f.Object.Name) + len(f.Words) + markup; room >= 0 {
			all.Shown = append(all.Shown, f)
		}
	}
	all.More = all.N - len(all.Shown)
	return all
}

// Short returns a shortened location.
func (s *section) Short(p refconfig.Place) string { return s.places.Short(finding.PlaceText(p)) }

// Warning formats a warning with its shortened place.
func (s *section) Warning(w finding.Warning) string {
	w.Place = s.places.Short(w.Place)
	return w.String()
}

// Verdict returns the verdict in words.
func (s *section) Verdict() string { return s.Sentence(s.Report.FailOn) }

// Head returns the facts about what was compared, as pairs of a label and a text.
func (s *section) Head() [][2]string {
	all := facts("reference", s.Report.Reference.Path)
	all = append(all, s.BaseFacts()...)
	for _, in := range s.Inputs {
		about := in.Format
		if in.Layout != "" {
			about += ", " + in.Layout
		}
		all = append(all, facts("input", in.Place()+" ("+about+")", "root", places.Shared(in))...)
	}
	c := s.Cluster
	if c.Infrastructure == c.Name { // the heading has the name
		c.Infrastructure = ""
	}
	return append(
		all,
		facts(
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

// Figures returns the numbers of CRs. Zeros are omitted, and the other numbers add up.
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
			"of components that are left out",
			number(n.LeftOut),
			"of kinds that the reference does not have",
			number(n.Ignored-n.LeftOut-len(s.Refused)),
			"further copies",
			number(n.Copies),
			"that do not count as present",
			number(n.NotPresent),
			"expected variations",
			number(s.Summary.Differences.Expected),
			"masked values",
			number(s.Summary.Masked),
		)...)
}

// ByImportance returns the warnings for the user, or those for the author of the reference.
func (s *section) ByImportance(forAuthor bool) (all []string) {
	for _, w := range s.Warnings {
		if w.ForAuthor() == forAuthor {
			all = append(all, s.Warning(w))
		}
	}
	return all
}

// Vanished returns the findings that are gone since the baseline.
func (s *section) Vanished() []finding.Finding { return s.Gone(s.Report.FailOn) }

// AsBefore counts the findings that the page does not show because the baseline has them.
func (s *section) AsBefore() string { return s.opt.Grouping.Filter.AsBefore(s.Run) }

// Commands returns the commands that collect the CRs that were perhaps not collected.
func (s *section) Commands() []string {
	if s.IsBlank() {
		return nil
	}
	return inspect.CollectCommands(s.NotCollected, s.Inputs)
}

// functions returns the functions of the page's templates.
func functions() template.FuncMap {
	return template.FuncMap{
		"token":  token,
		"joined": strings.Join,
		"lower":  strings.ToLower,
		"cells":  finding.Cells,
		"first":  func(n int, all []finding.Common) []finding.Common { return all[:min(n, len(all))] },
		"note":   finding.Note,
		"plural": finding.Plural,
		"pieces": pieces,
		"texts":  remark.Texts,
	}
}

// piece is a part of a text, or a link in it.
type piece struct{ Text, Link string }

// pieces splits a text at its links.
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

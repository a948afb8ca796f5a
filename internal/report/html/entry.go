package html

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// row is what an entry of the page is made of: a line of the overview, or a finding that is about
// no CR that was compared and no rule.
type row struct {
	finding.Entry
	other *finding.Finding
}

// entry is one thing that was found, on a line that can be opened: CRs with the same findings, a
// broken rule, CRs that are missing.
type entry struct {
	Word      string
	Sort      string // how serious it is, as page.css has it
	Subject   string
	Further   int    // CRs with the same findings
	Words     string // the first finding
	More      int    // how many more there are
	Component string
	Impact    finding.Impact
	Kinds     string // of the CRs that it is about, one a line
	Counts    string // what there is of each class, in pairs
	About     string
	Facts     [][2]string
	Items     []item
	Notes     []finding.Statement
	Others    []other
	Lines     template.HTML
	Note      string // why lines are not there
}

// item is a finding of an entry.
type item struct {
	finding.Finding
	ID      string
	Subject string   // the CR, where the entry is about several
	Message string   // more than a line
	Facts   []string // what else there is to say
}

// Unsaid is the code of the finding, where its words do not end with it.
func (i item) Unsaid() string {
	if strings.HasSuffix(i.Words, finding.Note(i.Code)) {
		return ""
	}
	return string(i.Code)
}

// other is a CR with the same findings as the one that is shown.
type other struct {
	Name, Place string
	IDs         []string // of its findings
}

// rows lists what there is to show about a cluster: what makes the answer unreliable, then what has
// to be mended, the worst first, and at last CRs with extra content only, unless they count as
// failures.
func (p *page) rows(r *finding.Run) []row {
	var first, middle, last []row
	for _, f := range r.OtherFindings(p.report.FailOn) {
		switch {
		case f.Rule != "": // the overview has it
		case f.Effect == finding.Spoils:
			first = append(first, row{other: &f})
		default:
			last = append(last, row{other: &f})
		}
	}
	for _, e := range r.Overview(p.opt.Grouping, true) {
		if e.Word == finding.WordExtra && e.Impact() != finding.Impacting && !p.report.FailOn.Has("extra") {
			last = append(last, row{Entry: e})
		} else {
			middle = append(middle, row{Entry: e})
		}
	}
	return slices.Concat(first, middle, last)
}

// entry makes an entry of the page.
func (s *section) entry(r row, how extent) entry {
	switch {
	case r.other != nil:
		return s.single(*r.other)
	case len(r.Group) > 0:
		return s.group(r.Entry, how)
	}
	return s.rule(r.Entry)
}

// single is an entry on a finding by itself.
func (s *section) single(f finding.Finding) entry {
	sort := "bad"
	if f.Effect == finding.Spoils {
		sort = "unsure"
	}
	place := s.places.Short(f.Source.String())
	one := item{Finding: f, ID: s.id(f.Fingerprint)}
	out := entry{
		Word:    strings.ToUpper(string(f.Class)),
		Sort:    sort,
		Subject: cmp.Or(f.Object.Short(), place),
		Words:   f.Words,
		Kinds:   f.Object.Kind,
		Items:   []item{one},
	}
	out.Facts = facts("template", f.Template.Path, "file", place)
	out.Counts = counts(out.Items, 1)
	return out
}

// becauseMost is how many CRs an entry names because of which others are missing: each of those has
// an entry.
const becauseMost = 100

// rule is an entry on a broken rule, or on CRs that are missing.
func (s *section) rule(e finding.Entry) entry {
	out := entry{
		Word:      string(e.Word),
		Sort:      sortOf(e.Word),
		Component: e.Component,
		Impact:    e.Impact(),
		About:     e.About(),
	}
	for i, f := range e.Findings(s.Report.FailOn) {
		one := item{Finding: f, ID: s.id(f.Fingerprint)}
		if len(e.Missing) > 0 {
			one.Subject = cmp.Or(f.Object.Short(), "a CR")
			if near := e.Missing[i].Nearest; near != nil {
				one.Facts = append(
					one.Facts, "nearest: "+near.Object.Short()+", differs in "+strings.Join(near.Differs, ", "),
				)
			}
		}
		out.Items = append(out.Items, one)
	}
	because, title := e.Because[:min(len(e.Because), becauseMost)], "required by"
	out.Subject, out.Words = fmt.Sprint(len(e.Missing), " CRs"), "perhaps not collected"
	switch {
	case len(e.Missing) == 0:
		out.Subject, out.Words = e.Rule.Message, "rule "+e.Rule.Rule
		because, title = e.Because, "is broken by"
		out.Facts = facts("templates", strings.Join(e.Rule.Templates, "\n"))
	case len(e.Missing) == 1:
		out.Subject, out.Words = out.Items[0].Subject, out.Items[0].Words
	}
	if more := len(e.Because) - len(because); more > 0 {
		because = append(slices.Clone(because), fmt.Sprintf("… and %d more", more))
	}
	out.Facts = append(out.Facts, facts(title, strings.Join(because, "\n"))...)
	var kinds []string
	for _, one := range out.Items {
		kinds = append(kinds, one.Object.Kind)
	}
	slices.Sort(kinds)
	out.Kinds = strings.Join(slices.Compact(kinds), "\n")
	out.Counts = counts(out.Items, 1)
	return out
}

// group is an entry on CRs with the same findings: it shows the first, and names the others.
func (s *section) group(e finding.Entry, how extent) entry {
	c := e.Group.First()
	out := entry{
		Word:      string(e.Word),
		Sort:      sortOf(e.Word),
		Component: e.Component,
		Impact:    e.Impact(),
		About:     e.About(),
		Subject:   c.Object.Short(),
		Further:   len(e.Group) - 1,
		Words:     e.Finding,
		More:      e.More,
		Kinds:     c.Object.Kind,
		Items:     s.items(c),
		Notes:     c.Notes,
	}
	out.Counts = counts(out.Items, len(e.Group))
	override := ""
	if c.Override != nil {
		override = c.Override.File + ": " + strings.Join(c.Override.Reasons, "; ")
	}
	out.Facts = facts(
		"apiVersion",
		c.Object.APIVersion,
		"template",
		c.Template.Path,
		"file",
		s.places.Short(c.Source.String()),
		"override",
		override,
		"choice",
		choice(c.Correlation),
	)
	for _, one := range e.Group[1:] {
		also := other{
			Name:  strings.TrimPrefix(one.Object.Short(), one.Object.Kind+" "),
			Place: s.places.Short(one.Source.String()),
		}
		for _, f := range one.Findings(s.Report.FailOn) {
			also.IDs = append(also.IDs, s.id(f.Fingerprint))
		}
		out.Others = append(out.Others, also)
	}
	out.Lines = table(s.opt.kept(c.Sides.Each(), how), s.opt.Context)
	if len(c.Sides) > 0 && how == listsOnly {
		out.Note = "The lines of this CR are left out, because the page would get too large."
	}
	return out
}

// items are the findings of a CR, extra content last. What else there is to say about a field stands below its line,
// where that is shown.
func (s *section) items(c *finding.Comparison) []item {
	var messages []string
	for _, d := range c.Differences {
		message := ""
		if len(c.Sides) == 0 || d.Reference == nil && d.Input == nil {
			message = d.Message
		}
		if d.Category == finding.Drift || d.Category == finding.Missing || d.Category == finding.Extra {
			messages = append(messages, message)
		}
	}
	var all []item
	for i, f := range c.Findings(s.Report.FailOn) {
		one := item{Finding: f, ID: s.id(f.Fingerprint)}
		if c.Error == nil && !strings.HasSuffix(f.Words, messages[i]+finding.Note(f.Code)) {
			one.Message = messages[i]
		}
		all = append(all, one)
	}
	extra := func(i item) bool { return i.Class == finding.ClassExtra }
	return slices.Concat(
		slices.DeleteFunc(slices.Clone(all), extra),
		slices.DeleteFunc(all, func(i item) bool { return !extra(i) }),
	)
}

// counts is what there is of each class in findings that so many CRs have.
func counts(all []item, crs int) string {
	var classes []finding.Class
	n := map[finding.Class]int{}
	for _, f := range all {
		if n[f.Class] == 0 {
			classes = append(classes, f.Class)
		}
		n[f.Class] += crs
	}
	var said []string
	for _, c := range classes {
		said = append(said, token(c)+" "+strconv.Itoa(n[c]))
	}
	return strings.Join(said, " ")
}

// token is a class without a blank.
func token(c finding.Class) string { return strings.ReplaceAll(string(c), " ", "-") }

// sortOf says how serious an entry is.
func sortOf(w finding.Word) string {
	switch w {
	case finding.WordFailed, finding.WordUnseen:
		return "unsure"
	case finding.WordExtra:
		return "info"
	}
	return "bad"
}

// facts are pairs of a label and what it says, those that say something.
func facts(pairs ...string) (all [][2]string) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, [2]string{pairs[i], pairs[i+1]})
		}
	}
	return all
}

// choice says how the template was found, where that is not a matter of course.
func choice(c finding.Correlation) string {
	var said []string
	if c.By != "fixed" && c.By != "" {
		said = append(said, c.By)
	}
	if len(c.Candidates) > 1 {
		for _, one := range c.Candidates {
			said = append(said, one.Path+" ("+finding.Plural(one.Score, "changed character", "changed characters")+")")
		}
	}
	return strings.Join(said, "\n")
}

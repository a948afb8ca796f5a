package html

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/slice"
)

// entry is a line of the page that can be opened: CRs with the same findings, a broken rule, or
// missing CRs.
type entry struct {
	finding.Entry
	Sort    string // the CSS class for how serious it is
	Subject string
	Words   string // the first finding
	Kinds   string // the kinds of its CRs, one on each line
	Counts  string // the number of findings of each class
	Varying int    // the number of expected variations
	Facts   [][2]string
	Items   []item
	Notes   []finding.Statement
	Others  []other
	Unlike  string // how the CRs of a group differ
	CR      string // the selector of the first CR, as a word of a shell
	// the template of the only missing CR, which is before Words
	Required string
	Lines    template.HTML
	Note     string // why the entry has no lines
}

// item is a finding of an entry.
type item struct {
	finding.Finding
	ID      string
	Subject string   // the CR, if the entry is about several
	Message string   // a text that can have several lines
	Facts   []string // further information
	// the values to copy; "" if they are too long or hidden
	Expected, Found string
	Create          *creation // the CR to create; nil for none
}

// Field returns the path at the beginning of the words, or "".
func (i item) Field() string {
	if i.Path != "." && strings.HasPrefix(i.Words, i.Path+":") {
		return i.Path
	}
	return ""
}

// Aside returns the path if the words do not begin with it.
func (i item) Aside() string {
	if i.Field() == "" && i.Path != "." {
		return i.Path
	}
	return ""
}

// Rest returns the words after the Field.
func (i item) Rest() string { return strings.TrimPrefix(i.Words, i.Field()) }

// Unsaid returns the code of the finding, or "" if its words end with the code.
func (i item) Unsaid() string {
	if strings.HasSuffix(i.Words, finding.Note(i.Code)) {
		return ""
	}
	return string(i.Code)
}

// other is a CR with the same findings as the first.
type other struct {
	Name, Place string
	Items       []item
}

// entries returns the lines of a cluster. Findings that make the result unreliable come first, then
// those that have to be corrected, the worst first. CRs with extra content only come last, unless
// that makes the run fail.
func (p *page) entries(r *finding.Run) []finding.Entry {
	place := func(e finding.Entry) int {
		switch isAside := r.IsAside(e, p.report.FailOn, p.opt.Grouping.Filter); {
		case len(e.Group) > 0 && !isAside || e.Rule != "":
			return 1
		case isAside:
			return 3
		case e.Effect == finding.Breaks:
			return 0
		}
		return 2
	}
	all := r.Entries(p.opt.Grouping, p.report.FailOn)
	slices.SortStableFunc(all, func(a, b finding.Entry) int { return place(a) - place(b) })
	return all
}

// becauseMost is the maximum number of CRs that an entry names as requiring others.
const becauseMost = 100

// entry converts an entry of the overview to one of the page.
func (s *section) entry(e finding.Entry, how extent) entry {
	out := entry{
		Entry:   e,
		Sort:    sortOf(e),
		Subject: cmp.Or(e.Object.Short(), s.places.Short(e.Source.String())),
		Words:   e.Words,
		Kinds:   e.Object.Kind,
	}
	switch {
	case len(e.Group) > 0:
		s.group(&out, how)
	case e.Rule != "":
		s.rule(&out)
	default:
		out.Items = []item{s.item(e.Finding)}
		out.Facts = facts("template", e.Template.Path, "file", s.places.Short(e.Source.String()))
	}
	out.Counts = counts(out.Items, out.Others)
	return out
}

func (s *section) item(f finding.Finding) item { return item{Finding: f, ID: s.id(f.Fingerprint)} }

// summary says in a row what an entry about a rule or about missing CRs is about: the CRs, and why
// they are required. The row has the template of the only missing CR, impact and change elsewhere.
func summary(e finding.Entry) string {
	e.Rating, e.News = finding.Rating{}, finding.News{}
	_, said := e.Describe(func(template string) string { return template })
	if len(e.Missing) == 1 {
		return strings.TrimPrefix(said, " ("+e.Template.Path+")")
	}
	return strings.TrimLeft(said, ": ")
}

// rule completes an entry on a broken rule or on missing CRs.
func (s *section) rule(out *entry) {
	because, title := out.Because, "is broken by"
	switch {
	case len(out.Missing) == 0:
		out.Items = []item{s.item(out.Finding)}
		out.Subject = out.Broken.Message
		out.Facts = facts("templates", strings.Join(out.Broken.Templates, "\n"))
	case len(out.Missing) == 1:
		out.Subject, out.Required = out.Finding.Subject(), out.Template.Path
	default:
		out.Subject = fmt.Sprint(len(out.Missing), " CRs")
	}
	out.Words = summary(out.Entry)
	var kinds []string
	for _, f := range out.Missing {
		one := s.item(f)
		one.Subject = f.Subject()
		if near := f.Missed.Nearest; near != nil {
			one.Facts = []string{"nearest: " + near.Short() + ", differs in " + strings.Join(near.Differs, ", ")}
		}
		one.Create = s.creations[f.Missed]
		out.Items = append(out.Items, one)
		kinds = append(kinds, f.Object.Kind)
	}
	if len(out.Missing) > 0 {
		because, title = because[:min(len(because), becauseMost)], "required by"
		slices.Sort(kinds)
		out.Kinds = strings.Join(slices.Compact(kinds), "\n")
	}
	if more := len(out.Because) - len(because); more > 0 {
		because = append(slices.Clone(because), fmt.Sprintf("… and %d more", more))
	}
	out.Facts = append(out.Facts, facts(title, strings.Join(because, "\n"))...)
}

// group completes an entry on a group of CRs: it shows the first CR and names the others.
func (s *section) group(out *entry, how extent) {
	c := out.Group.First()
	out.Words, out.Items, out.Notes = out.Coded(), s.items(c, how), c.Notes
	out.CR = escape.ShellWord(c.Object.Selector())
	override := ""
	if c.Override != nil {
		override = c.Override.File + ": " + strings.Join(c.Override.Reasons, "; ")
	}
	out.Facts = facts(
		"apiVersion", c.Object.APIVersion,
		"template", c.Template.Path,
		"file", strings.TrimPrefix(c.Source.String(), s.Root),
		"override", override,
		"choice", c.Correlation.Words(),
	)
	for _, one := range out.Group[1:] {
		also := other{
			Name:  strings.TrimPrefix(one.Object.Short(), one.Object.Kind+" "),
			Place: s.places.Short(one.Source.String()),
		}
		for _, f := range one.Findings(s.Report.FailOn) {
			also.Items = append(also.Items, s.item(f))
		}
		out.Others = append(out.Others, also)
	}
	if out.Group.ExtraDiffers() {
		out.Unlike = "; their extra content differs, which a page made with --no-group shows"
	}
	for _, one := range out.Group {
		out.Varying += one.Counts.Expected
	}
	out.Lines = table(s.opt.kept(c.Sides.Each(), how), s.opt.Context)
	if len(c.Sides) > 0 && how == listsOnly {
		out.Note = "The lines of this CR are left out, because the page would get too large."
	}
}

// items returns the findings of a CR, extra content last. An item has the message of a field only
// if the lines of the CR do not show it.
func (s *section) items(c *finding.Comparison, how extent) []item {
	var messages []string
	for _, d := range c.Differences {
		message := ""
		if len(c.Sides) == 0 || d.Reference == nil && d.Input == nil {
			message = d.Message
		}
		if d.Category != finding.Expected {
			messages = append(messages, message)
		}
	}
	var all []item
	for i, f := range c.Findings(s.Report.FailOn) {
		one := s.item(f)
		if c.Error == nil && !strings.HasSuffix(f.Words, messages[i]+finding.Note(f.Code)) {
			one.Message = messages[i]
		}
		if how != listsOnly {
			one.Expected, one.Found = copied(f.Reference), copied(f.Input)
		}
		all = append(all, one)
	}
	isExtra := func(i item) bool { return i.Class == finding.ClassExtra }
	extra := slice.Filter(all, isExtra)
	return append(slices.DeleteFunc(all, isExtra), extra...)
}

// counts counts the findings of all CRs of an entry by class.
func counts(all []item, others []other) string {
	var classes []finding.Class
	n := map[finding.Class]int{}
	add := func(all []item) {
		for _, f := range all {
			if n[f.Class] == 0 {
				classes = append(classes, f.Class)
			}
			n[f.Class]++
		}
	}
	add(all)
	for _, one := range others {
		add(one.Items)
	}
	var said []string
	for _, c := range classes {
		said = append(said, token(c)+" "+strconv.Itoa(n[c]))
	}
	return strings.Join(said, " ")
}

// token returns a class as one word, for attributes.
func token(c finding.Class) string { return strings.ReplaceAll(string(c), " ", "-") }

// sortOf returns the CSS class for how serious an entry is.
func sortOf(e finding.Entry) string {
	switch {
	case e.Effect == finding.Breaks || e.Class == finding.ClassNotCollected, e.Class == finding.ClassPerhapsBroken:
		return "unsure"
	case e.Class == finding.ClassExtra:
		return "info"
	}
	return "bad"
}

// facts returns pairs of a label and a text. It omits pairs without a text.
func facts(pairs ...string) (all [][2]string) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, [2]string{pairs[i], pairs[i+1]})
		}
	}
	return all
}

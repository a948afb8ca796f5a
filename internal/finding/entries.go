package finding

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Entry is a line of the overview: one finding, or several that share the line.
type Entry struct {
	Finding           // the finding to show, with the most serious impact of all findings on the line
	Further int       // the number of further CRs with the same findings
	More    int       // the number of further findings on the CR that have to be corrected
	Group   Group     // the CRs that share the line; nil if only findings are known
	Missing []Finding // the missing CRs: one, or several that were perhaps not collected
	Because []string  // the CRs that break the rule, or that make it require others
	About   string    // the reference's description of the template or component
}

// Entries lists all findings on a cluster as lines: groups of CRs, broken rules, missing CRs, and
// other findings. Each kind is ordered by impact, then in the order of the reference.
func (r *Run) Entries(how Grouping, failOn FailOn) []Entry {
	var all []Entry
	how.Expected = false
	for _, g := range r.Groups(how) {
		all = append(all, g.entry(failOn))
	}
	var rule *Rule // the rule of the previous finding: its findings share a description and reasons
	var reasons []string
	var about map[string]string
	lines := map[any]int{} // the lines that missing CRs share
	for f := range r.Findings(failOn, Class.IsBesideCRs) {
		if !how.Filter.shows(f) {
			continue
		}
		e := Entry{Finding: f}
		if f.Broken != nil {
			if f.Broken != rule {
				rule, reasons, about = f.Broken, f.Broken.reasons(), f.Broken.About()
			}
			e.Because, e.About = reasons, rule.Description
		}
		if f.Missed != nil {
			e.Missing, e.About = []Finding{f}, cmp.Or(about[f.Template.Path], rule.Description)
		}
		if line := how.line(f); line != nil {
			if at, known := lines[line]; known {
				all[at].add(e)
				continue
			}
			lines[line] = len(all)
		}
		all = append(all, e)
	}
	slices.SortStableFunc(all, Entry.Compare)
	return all
}

// Compare orders entries: those that are new or changed since an earlier report first, then by class and
// impact, the most important first.
func (e Entry) Compare(other Entry) int {
	return cmp.Or(e.newsRank()-other.newsRank(), e.rank()-other.rank(), other.Impact.Severity()-e.Impact.Severity())
}

// line identifies the line that a missing CR shares with others, or returns nil. CRs of a rule that
// were perhaps not collected share a line at least. A CR to which another one comes near has a line
// of its own, and a rule that requires CRs because of others.
func (g Grouping) line(f Finding) any {
	type component struct{ part, name string }
	switch {
	case f.Class == ClassNotCollected && g.Missing:
		return f.Class
	case f.Class == ClassNotCollected:
		return f.Broken
	case f.Class != ClassAbsent || !g.Missing || f.Missed.Nearest != nil:
		return nil
	case len(f.Broken.Present) > 0:
		return f.Broken
	default:
		return component{f.Template.Part, f.Template.Component}
	}
}

// IsAside reports whether an entry is only about extra content, which does not make the run fail,
// is not impacting, and is not selected by a filter. Where a cluster stands in the place of the reference,
// extra content is what somebody added, so that it never is.
func (r *Run) IsAside(e Entry, failOn FailOn, filter Filter) bool {
	return r.Base == nil && e.Class == ClassExtra && !failOn.Has(FailOnExtra) && e.Impact != Impacting &&
		len(filter.Selectors) == 0 && !slices.Contains(filter.Categories, Extra)
}

// IsBlank reports whether no CR was read.
func (r *Run) IsBlank() bool { return r.Summary.Objects.Read == 0 }

// Unlisted says what is not listed because no CR was read; "" for any other run.
func (r *Run) Unlisted() string {
	n := 0
	for _, b := range r.Rules {
		if b.IsMissing() {
			n += len(b.Templates)
		}
	}
	if n > 0 && r.IsBlank() {
		return "Not listed, because no CR was read: " + Plural(n, "required CR", "required CRs")
	}
	return ""
}

// newsRank returns the rank of an entry's change: new and changed findings are first, then those that may
// have changed, then the others. What could not be evaluated may be anything.
func (e Entry) newsRank() int {
	if e.Class == ClassError {
		return 0
	}
	return max(0, 1+slices.Index([]Change{Unclear, Unchanged}, e.Change))
}

// rank returns the rank of an entry's class in the order of Entries.
func (e Entry) rank() int {
	if e.Class == ClassMissing {
		e.Class = ClassDrift
	}
	order := []Class{
		ClassError, ClassDrift, ClassInvalid, ClassInvalidCR, ClassRule, ClassAbsent, ClassWanted, ClassPerhapsBroken,
		ClassNotCollected, ClassExtra,
	}
	if i := slices.Index(order, e.Class); i >= 0 {
		return i
	}
	return len(order)
}

// Word names the entry's class in capitals. A missing field is called drift.
func (e Entry) Word() string {
	if e.Class == ClassMissing {
		return ClassDrift.Word()
	}
	return e.Class.Word()
}

// entry returns the line of a group. It shows the first CR's first finding that has to be
// corrected, else its first invalid or extra field.
func (g Group) entry(failOn FailOn) Entry {
	c := g.First()
	e := Entry{Further: len(g) - 1, Group: g, About: c.Template.Description}
	change := c.Changes().news()
	lists := func(d Difference) bool { return d.Category == Drift || d.Category == Missing }
	e.More = c.Counts.Drift + c.Counts.Missing + c.Counts.Invalid - 1
	switch c.Result {
	case OnlyInvalid:
		lists = func(d Difference) bool { return d.Category == Invalid }
	case OnlyExtra:
		lists, e.More = func(d Difference) bool { return d.Category == Extra }, c.Counts.Extra-1
	}
	switch i := slices.IndexFunc(c.Differences, lists); {
	case c.Error != nil:
		e.Finding, e.More = c.failure(), 0
	case i >= 0:
		news := func(d Difference) bool { return lists(d) && d.Change == change }
		if at := slices.IndexFunc(c.Differences, news); at >= 0 {
			i = at
		}
		e.Finding = c.finding(&c.Differences[i], failOn)
	default: // the report only counts the differences
		class := map[Result]Class{
			Failed: ClassError, OnlyExtra: ClassExtra, OnlyInvalid: ClassInvalid, Drifted: ClassDrift,
		}[c.Result]
		e.Finding = Finding{Class: class, Object: c.Object, Template: c.Template, Words: c.Counts.String(), CR: c}
		e.More = 0
	}
	e.Rating, e.Change = Rating{Impact: c.Impact()}, change
	return e
}

// add adds a missing CR to the entry. What is not so of all its CRs is left out.
func (e *Entry) add(further Entry) {
	e.Missing, e.Missed = append(e.Missing, further.Finding), nil
	if e.Broken != further.Broken {
		e.Broken, e.Because, e.About = nil, nil, ""
	} else {
		e.About = e.Broken.Description
	}
	if e.Template.Part != further.Template.Part || e.Template.Component != further.Template.Component {
		e.Template = Template{}
	}
	if further.Impact.Severity() > e.Impact.Severity() {
		e.Impact = further.Impact
	}
	e.Rating = Rating{Impact: e.Impact}
	switch {
	case e.Change == further.Change && e.Cause != further.Cause:
		e.Cause = ""
	case e.Change != New && further.Change.isNews():
		e.News = further.News
	}
}

// reasons names the CRs that break the rule, or that make it require the missing CRs.
func (r *Rule) reasons() (names []string) {
	required := map[string]bool{}
	for _, t := range r.Templates {
		required[t] = r.IsMissing()
	}
	for _, p := range r.Present {
		if !required[p.Template] {
			names = append(names, p.name())
		}
	}
	return names
}

// Together combines findings into lines without changes. CRs of one kind with the same finding
// share a line.
func Together(all []Finding) []Entry {
	type key struct {
		class                     Class
		kind, template, said, was string
		cause                     Cause
	}
	var out []Entry
	at := map[key]int{}
	for _, f := range all {
		k := key{f.Class, f.Object.Kind, f.Template.Path, f.Words, f.Was, f.Cause}
		if i, known := at[k]; known && !f.Class.IsRule() && !f.Class.isMissingCR() {
			out[i].Further++
			continue
		}
		at[k] = len(out)
		e := Entry{Finding: f}
		e.Change, e.Broken, e.Missed = "", nil, nil
		switch {
		case f.Class.isMissingCR():
			e.Missing = []Finding{e.Finding}
		case !f.Class.IsRule():
			e.Rating = Rating{Impact: f.Impact}
		}
		out = append(out, e)
	}
	return out
}

// Describe returns the CR or rule of an entry, and a description that includes its impact and
// whether it is new. file returns the name under which a template is shown.
func (e Entry) Describe(file func(template string) string) (subject, said string) {
	subject, said = e.Subject(), "  "+e.Coded()
	between := "  "
	switch {
	case len(e.Missing) > 1:
		subject, said = e.count(), e.listed(file)
	case len(e.Missing) == 1:
		if said = ""; e.Object.Name == "" || strings.Contains(subject, "*") { // the template shows which CR is meant
			said = " (" + file(e.Template.Path) + ")"
		}
	case e.Class.IsRule():
		subject, said = e.Words, " ("+e.Rule+", "+string(e.Code)+")"
		if e.Broken != nil {
			subject, said = e.Broken.Message, said+Prefixed(": ", breakers(e.Broken))
		}
	case e.Further > 0:
		subject += fmt.Sprintf(" and %d more", e.Further)
	}
	if e.Rule != "" {
		between = "; "
	}
	if e.More > 0 {
		said += "  +" + strconv.Itoa(e.More)
	}
	if len(e.Missing) > 0 {
		said += e.why()
	}
	if e.Impact != "" {
		said += between + e.Rating.Words()
	}
	return subject, said + Prefixed("  ", e.News.Words())
}

// count counts the missing CRs of an entry: "6 CRs", or "6 of 9 CRs" if their rules require more.
func (e Entry) count() string {
	n, of := len(e.Missing), 0
	rules := map[*Rule]bool{}
	for _, m := range e.Missing {
		if b := m.Broken; b != nil && !rules[b] {
			rules[b] = true
			of += b.Of
		}
	}
	if of > n && e.Class == ClassAbsent {
		return fmt.Sprintf("%d of %d CRs", n, of)
	}
	return strconv.Itoa(n) + " CRs"
}

// listed names the missing CRs of an entry after a colon: a CR by its kind, and by its name where
// others have its kind. If they are of several components, it names these after "of": with their
// parts where components of several parts have one name.
func (e Entry) listed(file func(template string) string) string {
	parts := map[string]map[string]bool{} // the full names of the components of each name
	for _, f := range e.Missing {
		name := cmp.Or(f.Template.Component, f.Template.Part)
		if parts[name] == nil {
			parts[name] = map[string]bool{}
		}
		parts[name][f.Template.ComponentName()] = true
	}
	var all []string
	for name, full := range parts {
		if len(full) > 1 {
			all = slices.AppendSeq(all, maps.Keys(full))
		} else {
			all = append(all, name)
		}
	}
	if slices.Sort(all); len(all) > 1 {
		return " of " + inLines(all)
	}
	first, n := map[string]int{}, map[string]int{} // of each kind
	for i, f := range slices.Backward(e.Missing) {
		first[f.Object.Kind], n[f.Object.Kind] = i, n[f.Object.Kind]+1
	}
	missing := slices.Clone(e.Missing)
	slices.SortStableFunc(missing, func(a, b Finding) int { return first[a.Object.Kind] - first[b.Object.Kind] })
	before := ""
	all = nil
	for _, f := range missing {
		kind, name := f.Object.Kind, f.Object.Name
		if name == "" || strings.Contains(name, "*") {
			name = "(" + file(f.Template.Path) + ")"
		}
		switch {
		case n[kind] == 1:
			name = kind
		case kind != before:
			name = kind + " " + name
		}
		before, all = kind, append(all, name)
	}
	return ": " + inLines(all)
}

// inLines joins names as long as they fit into about three lines of a narrow terminal, and counts
// the rest.
func inLines(names []string) string {
	const most = 180
	n, length := 0, 0
	for n < len(names) && length <= most {
		length += len(names[n]) + len(", ")
		n++
	}
	return Some(names, n)
}

// why names the CRs that require the missing CRs, and the input's CR that is nearest to a missing
// one.
func (e Entry) why() string {
	verb := ", required by "
	if e.Class == ClassWanted {
		verb = ", because of "
	}
	said := Prefixed(verb, Some(e.Because, thereShown))
	if e.Missed != nil && e.Missed.Nearest != nil && e.Class != ClassNotCollected {
		said += "; nearest: " + e.Missed.Nearest.Short()
	}
	return said
}

// Subject names the CR of a finding, or the location if there is no CR.
func (f Finding) Subject() string {
	switch {
	case f.Class.isMissingCR():
		return cmp.Or(f.Object.Short(), "a CR")
	case f.Class == ClassUnmatched || f.Class == ClassReferenced:
		return f.Object.Stated()
	}
	return cmp.Or(f.Object.Short(), f.Source.String())
}

// Coded returns the words of a finding. Errors end with their code.
func (f Finding) Coded() string {
	if note := Note(f.Code); f.Effect == Breaks && !strings.HasSuffix(f.Words, note) {
		return f.Words + note
	}
	return f.Words
}

// name names the object, and says so if only other objects refer to it.
func (p Present) name() string {
	if p.Referenced {
		return p.Object.Short() + ", which others refer to"
	}
	return p.Object.Short()
}

// breakers names the CRs that break a rule, or its templates if no CR is present.
func breakers(b *Rule) string {
	var names []string
	for _, one := range b.Present {
		names = append(names, one.Object.Short())
	}
	if len(names) == 0 {
		names = b.Templates
	}
	return Some(names, thereShown)
}

// thereShown is the maximum number of CRs that are named as breaking a rule or requiring others.
const thereShown = 5

// Prefixed puts a prefix before a text unless the text is "".
func Prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// Some joins the first names and counts the rest. It joins at most most names, or most+1 if these
// are all.
func Some(names []string, most int) string {
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", … and " + strconv.Itoa(len(names)-most) + " more"
}

// Plural formats a number with the singular or the plural of a word.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Share is a number with its description, and another description for 1 if that differs.
type Share struct {
	N         int
	Text, One string
}

// Shares lists the numbers in words, without zeros.
func Shares(all ...Share) string {
	var said []string
	for _, one := range all {
		if one.N > 0 {
			said = append(said, Plural(one.N, cmp.Or(one.One, one.Text), one.Text))
		}
	}
	return strings.Join(said, ", ")
}

package finding

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/code"
)

// Word says in a word what an entry of the overview is about.
type Word string

// The words, in the order of the overview.
const (
	WordFailed  Word = "FAILED"     // CRs that could not be evaluated
	WordDrift   Word = "DRIFT"      // CRs that differ from the reference
	WordExtra   Word = "EXTRA"      // CRs with extra content only
	WordRule    Word = "RULE"       // a broken rule
	WordMissing Word = "NOT FOUND"  // a required CR that is not there
	WordWanted  Word = "REQUIRED"   // a CR that is missing, and is required only by other CRs
	WordUnseen  Word = "NOT FOUND?" // required CRs of one component that may not have been collected
)

// Word says in a word what a finding of a class is, which is the one of the overview for a CR that
// is not there.
func (c Class) Word() Word {
	switch c {
	case ClassAbsent:
		return WordMissing
	case ClassNotCollected:
		return WordUnseen
	case ClassWanted:
		return WordWanted
	}
	return Word(strings.ToUpper(string(c)))
}

// Entry is a line of the overview, which says what there is to look at, the first thing first.
type Entry struct {
	Word      Word
	Component string    // "part/component"
	Group     Group     // of CRs with findings: those with the same ones
	Finding   string    // of CRs with findings: the first one in words
	More      int       // of CRs with findings: how many more of them have to be mended
	Rule      *Rule     // the broken rule, or the one that misses CRs
	Missing   []*Missed // of missing CRs: one; or all of the component that may not have been collected
	Because   []string  // of a rule: the CRs that break it, or because of which it asks for others
	about     string    // of one missing CR: what the reference says about it
}

// Overview lists the groups of CRs with findings, then broken rules, then missing CRs: those that
// are absent, those that are wanted because of others, and last those that may not have been
// collected. Each sort is ordered by impact, then as the reference is. CRs with extra content only
// are part of it where extra asks for them, or where they are impacting.
func (r *Run) Overview(how Grouping, extra bool) []Entry {
	var all []Entry
	how.Expected = false
	for _, g := range r.Groups(how) {
		c := g.First()
		if c.Result == OnlyExtra && !extra && c.Impact() != Impacting {
			continue
		}
		one := Entry{Word: wordOf(c.Result), Component: c.Template.ComponentName(), Group: g}
		one.Finding, one.More = c.firstFinding()
		all = append(all, one)
	}
	for i := range r.Rules {
		all = append(all, r.Rules[i].entries(how.Filter)...)
	}
	slices.SortStableFunc(all, func(a, b Entry) int {
		return cmp.Or(
			cmp.Compare(a.Word.rank(), b.Word.rank()), cmp.Compare(b.Impact().Severity(), a.Impact().Severity()),
		)
	})
	return all
}

// entries are the lines of the overview on a broken rule: one, or one for each missing CR and one
// for all that may not have been collected.
func (r *Rule) entries(filter Filter) []Entry {
	one := Entry{Word: WordRule, Component: r.ComponentName(), Rule: r, Because: r.reasons()}
	if !r.IsMissing() {
		if filter.ShowsRule(*r) {
			return []Entry{one}
		}
		return nil
	}
	var all []Entry
	unseen, about := one, r.About()
	unseen.Word = WordUnseen
	for _, m := range r.misses() {
		if !filter.ShowsMissed(*m) {
			continue
		}
		one.about = about[m.Template]
		switch one.Missing = []*Missed{m}; m.Sort() {
		case NotCollected:
			unseen.Missing = append(unseen.Missing, m)
			continue
		case Wanted:
			one.Word = WordWanted
		default:
			one.Word = WordMissing
		}
		all = append(all, one)
	}
	if len(unseen.Missing) > 0 {
		all = append(all, unseen)
	}
	return all
}

// rank is the place of a word in the order of the overview.
func (w Word) rank() int {
	return slices.Index([]Word{WordFailed, WordDrift, WordExtra, WordRule, WordMissing, WordWanted, WordUnseen}, w)
}

// Impact is the most serious impact of what an entry is about, "" where it has none.
func (e Entry) Impact() Impact {
	if len(e.Group) > 0 {
		return e.Group.First().Impact()
	}
	if len(e.Missing) == 0 {
		return e.Rule.Rating.Impact
	}
	var worst Impact
	for _, m := range e.Missing {
		if m.Impact.Severity() > worst.Severity() {
			worst = m.Impact
		}
	}
	return worst
}

func wordOf(r Result) Word {
	switch r {
	case Failed:
		return WordFailed
	case OnlyExtra:
		return WordExtra
	}
	return WordDrift
}

// misses returns what the rule misses of each of its templates.
func (r *Rule) misses() (all []*Missed) {
	known := r.Misses()
	for _, t := range r.Templates {
		all = append(all, cmp.Or(known[t], &Missed{Template: t}))
	}
	return all
}

// reasons name the CRs that break the rule, or because of which it asks for those that it misses.
func (r *Rule) reasons() (names []string) {
	its := map[string]bool{}
	for _, t := range r.Templates {
		its[t] = r.IsMissing()
	}
	for _, p := range r.Present {
		if !its[p.Template] {
			names = append(names, p.name())
		}
	}
	return names
}

// firstFinding is the first finding in words that has to be mended, and how many more of them there
// are; of a CR with extra content only, the first extra field.
func (c *Comparison) firstFinding() (words string, more int) {
	if c.Error != nil {
		return c.Error.Message + Note(c.Error.Code), 0
	}
	counts := func(d Difference) bool { return d.Category == Drift || d.Category == Missing }
	total := c.Counts.Drift + c.Counts.Missing
	if c.Result == OnlyExtra {
		counts, total = func(d Difference) bool { return d.Category == Extra }, c.Counts.Extra
	}
	i := slices.IndexFunc(c.Differences, counts)
	if i < 0 {
		return c.Counts.String(), 0
	}
	return c.Differences[i].Words(), total - 1
}

// Words returns a difference as one line: "spec.replicas: expected 1, found 2".
func (d Difference) Words() string {
	if d.Inside != nil && len(d.Inside.Differences) > 0 {
		first := d.Inside.Differences[0]
		return Difference{
			Category:  first.Category,
			Path:      first.Path,
			Reference: first.Reference,
			Input:     first.Input,
		}.Words()
	}
	reference, input := brief(d.Reference, d.Input)
	switch {
	case d.Reference == nil && d.Input == nil:
		line := d.Message
		if s, ok := d.Violation(); ok {
			line = s.Told()
		}
		line, _, _ = strings.Cut(line, "\n")
		return line + Note(d.Code)
	case d.Required():
		return d.Path + ": required, but missing"
	case d.Category == Missing:
		return d.Path + ": " + "expected " + reference + ", but missing"
	case d.Category == Extra:
		return d.Path + ": " + input + ", not in the reference"
	case d.Code == code.EvalExact:
		return d.Path + ": " + input + ", not allowed by the reference" + Note(d.Code)
	case d.Code == code.EvalOrder:
		return d.Path + ": " + d.Message + Note(d.Code)
	case reference == input:
		return d.Path + ": differs"
	}
	return d.Path + ": expected " + reference + ", found " + input
}

// longestValue is how many characters of a value the overview shows.
const longestValue = 50

// brief writes both values as they stand in a line: of texts of several lines the first that
// differs, and of long ones what stands around the place where they begin to differ.
func brief(a, b json.RawMessage) (string, string) {
	one, other := plainValue(a), plainValue(b)
	if s, t, ok := texts(a, b); ok {
		s, t = firstOtherLine(s, t)
		one, other = plainText(s), plainText(t)
	}
	x, y := []rune(one), []rune(other)
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	const before = 20
	start := 0
	if max(len(x), len(y)) > longestValue && same > before && a != nil && b != nil {
		start = same - before
	}
	return cutOut(x, start), cutOut(y, start)
}

// texts returns two values that are texts.
func texts(a, b json.RawMessage) (s, t string, ok bool) {
	isText := func(raw json.RawMessage) bool { return strings.HasPrefix(string(raw), `"`) }
	return s, t, isText(a) && isText(b) && json.Unmarshal(a, &s) == nil && json.Unmarshal(b, &t) == nil
}

// firstOtherLine returns of two texts of several lines the first line in which they differ; other
// texts as they are.
func firstOtherLine(a, b string) (string, string) {
	if !strings.Contains(a, "\n") || !strings.Contains(b, "\n") {
		return a, b
	}
	for {
		x, moreA, _ := strings.Cut(a, "\n")
		y, moreB, _ := strings.Cut(b, "\n")
		if x != y || a == b {
			return x, y
		}
		a, b = moreA, moreB
	}
}

// cutOut is the part of a text from start, with an ellipsis for what is left out.
func cutOut(text []rune, start int) string {
	out := text[min(start, len(text)):]
	end := ""
	if len(out) > longestValue {
		out, end = out[:longestValue], "…"
	}
	if start > 0 {
		return "…" + string(out) + end
	}
	return string(out) + end
}

// plainValue is a value of a document as it stands in a line: of a map or a list only that it is
// one, and a text without quotes where nobody can take it for something else.
func plainValue(raw json.RawMessage) string {
	var text string
	switch all := string(raw); {
	case strings.HasPrefix(all, "{") && all != "{}":
		return "{…}"
	case strings.HasPrefix(all, "[") && all != "[]":
		return "[…]"
	case !strings.HasPrefix(all, `"`) || json.Unmarshal(raw, &text) != nil:
		return all
	}
	return plainText(text)
}

// plainText is a text as it stands in a line, in quotes where it could be taken for something else.
func plainText(s string) string {
	odd := func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }
	_, notNumber := strconv.ParseFloat(s, 64)
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsFunc(s, odd) || notNumber == nil ||
		slices.Contains(
			strings.Fields("true false yes no on off y n null ~"), strings.ToLower(s),
		) || strings.ContainsAny(s[:1], `"[{`) {
		return strconv.Quote(s)
	}
	return s
}

// About is what the reference says about what the entry is about, "" for nothing.
func (e Entry) About() string {
	switch {
	case len(e.Group) > 0:
		return e.Group.First().Template.Description
	case len(e.Missing) == 1:
		return cmp.Or(e.about, e.Rule.Description)
	}
	return e.Rule.Description
}

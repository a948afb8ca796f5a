package finding

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// randomRun has CRs of a few templates with a few findings each, so that many have the same ones,
// and rules that do not hold.
func randomRun(r *rand.Rand) *Run {
	run := &Run{}
	for i := range r.IntN(30) {
		t := r.IntN(3)
		c := &Comparison{
			Object:      Object{APIVersion: "v1", Kind: "ConfigMap", Name: fmt.Sprint(i)},
			Template:    Template{Path: fmt.Sprint(t), Index: t},
			Differences: []Difference{},
		}
		for _, category := range []Category{Expected, Drift, Missing, Invalid, Extra} {
			if r.IntN(2) > 0 {
				continue
			}
			c.Counts.Count(category, 1)
			c.Differences = append(c.Differences, Difference{
				Category:  category,
				Path:      "a",
				Reference: []byte("1"),
				Input:     json.RawMessage(fmt.Sprint(r.IntN(2))),
			})
		}
		if c.Result = c.Counts.Result(); r.IntN(9) == 0 {
			c.Result, c.Error = Failed, &Error{Code: code.EvalFail, Message: "no"}
		}
		run.Comparisons = append(run.Comparisons, c)
	}
	for i := range r.IntN(5) {
		b := Rule{
			Code:      []code.Code{code.RuleMissing, code.RuleNotGathered, code.RuleExclusive}[r.IntN(3)],
			Component: fmt.Sprint(i),
		}
		for j := range 1 + r.IntN(4) {
			m := Missed{Template: fmt.Sprint(j), Object: Object{Kind: "Secret"}, NotCollected: r.IntN(2) == 0}
			if r.IntN(3) == 0 {
				m.WantedBy = &Object{Kind: "ConfigMap"}
			}
			b.Templates, b.Missing = append(b.Templates, m.Template), append(b.Missing, m)
		}
		run.Rules = append(run.Rules, b)
	}
	run.Summary.Objects.Read = 1 + len(run.Comparisons)
	run.Conclude()
	return run
}

// TestTheOverviewHasTheNumbersOfTheSummary: whatever is put into groups, and after the report was
// saved and read again.
func TestTheOverviewHasTheNumbersOfTheSummary(t *testing.T) {
	for seed := range uint64(500) {
		run := randomRun(rand.New(rand.NewPCG(seed, 1)))
		saved, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		again := &Run{}
		if err := json.Unmarshal(saved, again); err != nil {
			t.Fatal(err)
		}
		for _, single := range []bool{false, true} {
			got, gotAgain := wordCounts(
				run.Entries(Grouping{Single: single}, nil),
			), wordCounts(again.Entries(Grouping{Single: single}, nil))
			s := run.Summary
			want := map[string]int{
				ClassError.Word():        s.Objects.Error,
				ClassDrift.Word():        s.Objects.Drift,
				ClassInvalid.Word():      s.Objects.Invalid,
				ClassExtra.Word():        s.Objects.Extra,
				ClassRule.Word():         len(run.OtherRules()),
				ClassAbsent.Word():       s.AbsentCRs,
				ClassWanted.Word():       s.WantedCRs,
				ClassNotCollected.Word(): s.NotCollectedCRs,
			}
			for word, n := range want {
				if n == 0 {
					delete(want, word)
				}
			}
			if diff := cmp.Diff(want, got) + cmp.Diff(want, gotAgain); diff != "" {
				t.Fatalf("seed %d: the summary and the overview differ (-summary +overview):\n%s", seed, diff)
			}
		}
	}
}

func wordCounts(all []Entry) map[string]int {
	n := map[string]int{}
	for _, e := range all {
		if e.Class != ClassIncomplete {
			n[e.Word()] += max(len(e.Group)+len(e.Missing), 1)
		}
	}
	return n
}

// TestGroupsHaveTheSameFindings: each CR with findings is in one group, those of a group have the
// same findings, and those of two groups have not.
func TestGroupsHaveTheSameFindings(t *testing.T) {
	text := func(c *Comparison) string {
		list := slice.Without(c.Differences, func(d Difference) bool { return d.Category == Expected })
		return fmt.Sprint(c.Template.Path, c.Result, c.Error, list)
	}
	for seed := range uint64(300) {
		run := randomRun(rand.New(rand.NewPCG(seed, 2)))
		seen, n, last := map[string]bool{}, 0, 0
		for _, g := range run.Groups(Grouping{}) {
			key := text(g.First())
			if seen[key] {
				t.Fatalf("seed %d: two groups have the findings %s", seed, key)
			}
			seen[key] = true
			for _, c := range g {
				if text(c) != key {
					t.Fatalf("seed %d: %s stands in a group of %s", seed, text(c), key)
				}
			}
			n += len(g)
			if rank := (4-g.First().Result.Severity())*10 + g.First().Template.Index; rank < last {
				t.Fatalf("seed %d: the groups are not in their order", seed)
			} else {
				last = rank
			}
		}
		if o := run.Summary.Objects; n != o.Drift+o.Invalid+o.Extra+o.Error {
			t.Fatalf("seed %d: %d CRs are in groups, of %+v", seed, n, o)
		}
	}
}

func TestExpectedVariationsAreFindingsOnDemand(t *testing.T) {
	vary := func(name, value string) *Comparison {
		return &Comparison{
			Object: Object{Name: name},
			Result: OnlyExtra,
			Counts: Counts{Extra: 1, Expected: 1},
			Differences: []Difference{
				{
					Category: Extra,
					Path:     "a",
					Input:    []byte("1"),
				}, {Category: Expected, Path: "b", Reference: []byte(value), Input: []byte(value)}},
		}
	}
	run := &Run{
		Comparisons: []*Comparison{vary("a", "1"), vary("b", "2"), {Result: Clean, Counts: Counts{Expected: 1}}},
	}
	if n := len(run.Groups(Grouping{})); n != 1 {
		t.Errorf("%d groups, although only expected variations differ", n)
	}
	if n := len(run.Groups(Grouping{Expected: true})); n != 3 {
		t.Errorf("%d groups, of three CRs with expected variations of their own", n)
	}
}

// TestADifferenceInALine: one that nobody takes for something else.
func TestADifferenceInALine(t *testing.T) {
	long := `"` + strings.Repeat("x", 80)
	x := func(n int) string { return strings.Repeat("x", n) }
	in := func(text string) string { return `"` + text + `"` }
	for _, c := range []struct {
		category         Category
		reference, input string
		want             string
	}{
		{Drift, `true`, `false`, "a: expected true, found false"},
		{Drift, `"true"`, `true`, `a: expected "true", found true`},
		{Drift, `"1"`, `1`, `a: expected "1", found 1`},
		{Drift, `null`, `"on"`, `a: expected null, found "on"`},
		{Drift, `{"a":1}`, `[]`, `a: expected {"a":1}, found []`},
		{Drift, `{"a":` + long + `"}`, `{"a":2}`, `a: expected {…}, found {"a":2}`},
		{Drift, `{"a":` + long + `1"}`, `{"a":` + long + `2"}`, "a: differs"},
		{Drift, `"(hidden, 3 bytes)"`, `"(hidden, 3 bytes)"`, "a: differs"},
		{Drift, `"same\none\nmore"`, `"same\nother\nmore"`, "a: expected one, found other"},
		{Drift, `"same\n"`, `"same"`, `a: expected "same\n", found same`},
		{Drift, long + `1"`, long + `2"`, "a: expected " + x(16) + "…" + x(8) + "1, found " + x(16) + "…" + x(8) + "2"},
		{Drift, in("1" + x(80)), in("2" + x(80)), "a: expected 1" + x(49) + "…, found 2" + x(49) + "…"},
		{Drift, in(x(20) + "1" + x(30)), in(x(20) + "2"), "a: expected " + x(20) + "1" + x(29) + "…, found " + x(20) + "2"},
		{Drift, in(x(21) + "1" + x(29)), in(x(21) + "2"), "a: expected " + x(21) + "1" + x(28) + "…, found " + x(21) + "2"},
		{Drift, in(x(34) + "1" + x(16)), in(x(34) + "2"), "a: expected " + x(34) + "1" + x(15) + "…, found " + x(34) + "2"},
		{Drift, in(x(35) + "1" + x(16)), in(x(35) + "2"), "a: expected " + x(16) + "…" + x(8) + "1" + x(16) + ", found " + x(16) + "…" + x(8) + "2"},
		{Drift, in("begins " + x(50) + "1" + x(50)), in("begins " + x(50) + "2"),
			"a: expected begins " + x(9) + "…" + x(8) + "1" + x(25) + "…, found begins " + x(9) + "…" + x(8) + "2"},
		{Drift, in(x(21) + "1" + x(28)), in(x(21) + "2"), "a: expected " + x(21) + "1" + x(28) + ", found " + x(21) + "2"},
		{Drift, in(" a"), in("a "), `a: expected " a", found "a "`},
		{Drift, in(""), in("a"), `a: expected "", found a`},
		{Drift, in(""), in("[]"), `a: expected "", found "[]"`},
		{Drift, in(""), in(`a\nb`), `a: expected "", found "a\nb"`},
		{Drift, in("[a"), in("{a"), `a: expected "[a", found "{a"`},
		{Drift, in(`\u0001`), in("NULL"), `a: expected "\x01", found "NULL"`},
		{Drift, in("a"), in(`b\na`), `a: expected a, found "b\na"`},
		{Drift, in("apple"), in(`\u0430pple`), `a: expected "apple", found "\u0430pple"`},
		{Drift, in(`same\none \"-\"\n`), in(`same\none \"\u2013\"\n`), `a: expected "one \"-\"", found "one \"\u2013\""`},
		{Drift, in(`\u0444\u0430\u0439\u043b`), in(`\u0444\u0430\u0439\u043b1`), "a: expected \u0444\u0430\u0439\u043b, found \u0444\u0430\u0439\u043b1"},
		{Drift, in(x(80) + "a"), in(x(80) + `\u0430`),
			`a: expected "` + x(15) + "…" + x(8) + `a", found "` + x(15) + "…" + x(8) + `\u0430"`},
		{Missing, `{"a.b":{"c":1}}`, ``, `a."a.b".c: expected 1, but missing`},
		{Missing, `{"a":{},"b":true}`, ``, "a.b: expected true and 1 more value, but missing"},
		{Missing, `{"a":{},"b":[]}`, ``, "a.a: expected {} and 1 more value, but missing"},
		{Missing, `{"a":{"b":null}}`, ``, "a.a.b: required, but missing"},
		{Missing, `{"a":null,"b":true}`, ``, "a.b: expected true and 1 more value, but missing"},
		{Missing, `{"b":[true,{}],"a":[[2,3],4]}`, ``, "a.a.0.0: expected 2 and 4 more values, but missing"},
		{Missing, long + `1"`, ``, "a: expected " + strings.Repeat("x", 50) + "…, but missing"},
		{Missing, ``, ``, "the message (VT4004)"},
		{Missing, `""`, ``, "a: required, but missing"},
		{Extra, ``, `[1]`, "a.0: 1, not in the reference"},
		{Extra, ``, `{}`, "a: {}, not in the reference"},
	} {
		d := Difference{Category: c.category, Path: "a", Message: "the message\nmore", Code: code.EvalMissingKey}
		if c.reference != "" {
			d.Reference = json.RawMessage(c.reference)
		}
		if c.input != "" {
			d.Input = json.RawMessage(c.input)
		}
		if got := d.Words(); got != c.want {
			t.Errorf("%s %s %s: got %q, want %q", c.category, c.reference, c.input, got, c.want)
		}
	}
}

// TestAFailedCheckInALine: what the template says, whatever it prints in the place of the value.
func TestAFailedCheckInALine(t *testing.T) {
	for _, reference := range []string{`"1"`, `"2"`, `{"b":1}`} {
		d := Difference{Category: Drift, Path: "a", Message: "b has to be 1 (a.yaml:3)\nmore", Code: code.EvalFail,
			Reference: json.RawMessage(reference), Input: json.RawMessage(`"1"`)}
		if got, want := d.Words(), "a: b has to be 1 (a.yaml:3) (VT4002)"; got != want {
			t.Errorf("%s: got %q, want %q", reference, got, want)
		}
	}
}

// TestADocumentInALine: of two texts with documents, the first field that differs is told, if one is known.
func TestADocumentInALine(t *testing.T) {
	d := Difference{Category: Drift, Path: "a", Reference: json.RawMessage(`"{b: 1}"`), Input: json.RawMessage(`"{b: 2}"`), Inside: &Inside{}}
	if got, want := d.Words(), `a: expected "{b: 1}", found "{b: 2}"`; got != want {
		t.Errorf("without a field: %q, want %q", got, want)
	}
	d.Inside.Differences = []InnerDifference{{Drift, "a!b", json.RawMessage("1"), json.RawMessage("2")}, {Category: Extra, Path: "a!c", Input: json.RawMessage("3")}}
	if got, want := d.Words(), "a!b: expected 1, found 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAMessageWithoutACodeInALine: that of a missing item says where it is; that of a value goes with
// what was expected and found.
func TestAMessageWithoutACodeInALine(t *testing.T) {
	for category, want := range map[Category]string{Missing: "a: the message", Drift: "a: expected 1, found 2"} {
		d := Difference{Category: category, Path: "a", Message: "the message", Reference: json.RawMessage("1")}
		if category == Drift {
			d.Input = json.RawMessage("2")
		}
		if got := d.Words(); got != want {
			t.Errorf("%s: got %q, want %q", category, got, want)
		}
	}
}

// TestARuleOfManyCRs: what is missing, present and said of each is looked up. With a look at each
// for each other this would not end.
func TestARuleOfManyCRs(t *testing.T) {
	n := testkit.Tries(100_000)
	rule := Rule{Code: code.RuleMissing}
	for i := range n {
		path := fmt.Sprint(i)
		rule.Templates = append(rule.Templates, path)
		rule.Missing = append(rule.Missing, Missed{Template: path, Object: Object{Kind: path}})
		rule.Descriptions = append(rule.Descriptions, Described{path, "about " + path})
		rule.Present = append(rule.Present, Present{Template: "x" + path, Object: Object{Kind: path}})
	}
	run := &Run{Rules: []Rule{rule}}
	run.Summary.Objects.Read = 1
	all := run.Entries(Grouping{}, nil)
	if len(all) != n || len(rule.findings(nil)) != n {
		t.Fatalf("%d entries, want %d", len(all), n)
	}
	for i, e := range all {
		_, said := e.Describe(func(path string) string { return path })
		if e.About != fmt.Sprint("about ", i) || len(e.Missing) != 1 ||
			e.Object.Kind != fmt.Sprint(i) ||
			!strings.Contains(said, "0 *, 1 *") {
			t.Fatalf("%d: %q, %v, %s", i, e.About, e.Missing, said)
		}
	}
	for i := range rule.Missing {
		rule.Missing[i].NotCollected = true
	}
	if e := run.Entries(Grouping{}, nil)[0]; len(e.Missing) != n {
		t.Errorf("%d may not have been collected, want %d", len(e.Missing), n)
	} else if _, said := e.Describe(path.Base); !strings.HasPrefix(said, ": 0, 1, 2, ") || !strings.Contains(said, fmt.Sprintf("47, … and %d more, required by 0 *, ", n-48)) {
		t.Errorf("it names %s", said)
	}
	c := &Comparison{}
	for i := range n {
		c.Differences = append(c.Differences, Difference{Rating: Rating{Impact: Review, Comment: fmt.Sprint(i)}})
	}
	if got := len(c.Ratings()); got != n {
		t.Errorf("%d ratings, want %d", got, n)
	}
}

// TestMissingCRsShareLines: those of a component, and all that were perhaps not collected. A CR to
// which another one comes near keeps a line of its own, which says so.
func TestMissingCRsShareLines(t *testing.T) {
	missing := func(kind, name string) Missed {
		return Missed{Template: "dir/" + kind + name + ".yaml", Object: Object{Kind: kind, Name: name}}
	}
	rule := func(component string, all ...Missed) Rule {
		r := Rule{Code: code.RuleMissing, Component: component, Missing: all}
		for _, m := range all {
			r.Templates = append(r.Templates, m.Template)
		}
		return r
	}
	near, unseen := missing("A", "n"), missing("U", "u")
	near.Nearest, unseen.NotCollected = &Nearest{Object: Object{Kind: "A", Name: "m"}}, true
	run := &Run{Rules: []Rule{
		rule("c", missing("A", "x"), unseen, missing("B", "b"), near, missing("A", "w*")),
		rule("d", missing("A", "x")), rule("c", missing("C", "")), rule("e", unseen, missing("A", "")),
	}}
	run.Summary.Objects.Read = 1
	for _, how := range []struct {
		grouping Grouping
		want     []string
	}{
		{Grouping{Missing: true}, []string{
			"c: 4 CRs: A x, (Aw*.yaml), B, C", "c: A n; nearest: A m", "d: A x", "e: A * (A.yaml)", ": 2 CRs of c, e",
		}},
		{Grouping{}, []string{
			"c: A x", "c: B b", "c: A n; nearest: A m", "c: A w* (Aw*.yaml)", "d: A x", "c: C * (C.yaml)", "e: A * (A.yaml)",
			"c: U u", "e: U u",
		}},
	} {
		var got []string
		for _, e := range run.Entries(how.grouping, nil) {
			subject, said := e.Describe(path.Base)
			got = append(got, e.Template.ComponentName()+": "+subject+said)
		}
		if !slices.Equal(got, how.want) {
			t.Errorf("%+v: %q", how.grouping, got)
		}
	}
}

// TestCRsOfOneKindShareALine: if they have the same finding. Rules and CRs that are missing do not, which
// are grouped by what they are missing from.
func TestCRsOfOneKindShareALine(t *testing.T) {
	apart := []Class{ClassRule, ClassPerhapsBroken, ClassAbsent, ClassNotCollected, ClassWanted}
	for _, class := range append(apart, ClassError, ClassDrift, ClassMissing, ClassInvalid, ClassExtra, ClassInvalidCR, ClassReferenced, ClassUnmatched,
		ClassUnreadable, ClassUnknown, ClassIncomplete, ClassNote) {
		f := Finding{Class: class, Object: Object{Kind: "A", Name: "x"}, Words: "m"}
		other, more := f, f
		other.Object.Name, more.Words = "y", "n"
		want := []int{1, 0}
		if slices.Contains(apart, class) {
			want = []int{0, 0, 0}
		}
		var got []int
		for _, e := range Together([]Finding{f, other, more}) {
			got = append(got, e.Further)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: further CRs of the lines are %v, want %v", class, got, want)
		}
	}
}

// TestALongNameIsHashedOnce: of all findings on a CR.
func TestALongNameIsHashedOnce(t *testing.T) {
	all := make([]Difference, 100_000)
	for i := range all {
		all[i] = Difference{Category: Drift, Path: fmt.Sprint(i), Code: "A-B"}
	}
	o := Object{APIVersion: "v1", Kind: "A", Name: strings.Repeat("n", 10_000_000)}
	Identify(all, o, "t")
	last := len(all) - 1
	single := []Difference{{Category: Drift, Path: fmt.Sprint(last), Code: "A-B"}}
	if Identify(single, o, "t"); single[0].Fingerprint != all[last].Fingerprint {
		t.Errorf("%s, want %s", all[last].Fingerprint, single[0].Fingerprint)
	}
}

// TestFiltersChooseWhatIsShown: a CR that failed is of every category, and what a template leaves
// open may be what is asked for.
func TestFiltersChooseWhatIsShown(t *testing.T) {
	drifting := &Comparison{Object: Object{Kind: "Pod", Namespace: "a", Name: "x"}, Counts: Counts{Drift: 1}}
	failed := &Comparison{Object: Object{Kind: "Pod", Name: "y"}, Result: Failed}
	open := Missed{Object: Object{Kind: "Pod", Namespace: "b*"}}
	shows := map[string]func(Filter) bool{
		"drifting": func(f Filter) bool { return f.Shows(drifting) },
		"failed":   func(f Filter) bool { return f.Shows(failed) },
		"open":     func(f Filter) bool { return f.ShowsMissed(open) },
		"rule":     func(f Filter) bool { return f.ShowsRule(Rule{Present: []Present{{Object: drifting.Object}}}) },
	}
	for _, c := range []struct {
		selector string
		category Category
		of       string
		want     bool
	}{
		{"", "", "drifting", true},
		{"Pod/x", "", "drifting", true},
		{"Pod/y", "", "drifting", false},
		{"", Drift, "drifting", true},
		{"", Missing, "drifting", false},
		{"", Missing, "failed", true},
		{"Pod/x", "", "open", true},
		{"Pod/bb/x", "", "open", true},
		{"Service/x", "", "open", false},
		{"", Missing, "open", true},
		{"", Drift, "open", false},
		{"Pod/x", "", "rule", true},
		{"Pod/y", "", "rule", false},
	} {
		var f Filter
		if s, err := ParseSelector(c.selector); err == nil {
			f.Selectors = []Selector{s}
		}
		if c.category != "" {
			f.Categories = []Category{c.category}
		}
		if got := shows[c.of](f); got != c.want {
			t.Errorf("%s of %s %s: shown is %v", c.of, c.selector, c.category, got)
		}
	}
	if _, _, err := ParseCategories("drift,drifty"); err == nil ||
		!strings.Contains(err.Error(), "drift, missing, invalid, extra, expected or new") {
		t.Error(err)
	}
}

// TestSelectorsThatSelectNothingAreIdle: what is compared, missing or breaks a rule in any cluster
// is selected.
func TestSelectorsThatSelectNothingAreIdle(t *testing.T) {
	runs := []*Run{{}, {
		Comparisons: []*Comparison{{Object: Object{Kind: "Compared"}}},
		Rules: []Rule{
			{Missing: []Missed{{Object: Object{Kind: "Missing"}}}},
			{Present: []Present{{Object: Object{Kind: "Forbidden"}}}},
		},
	}}
	f := Filter{Selectors: []Selector{{Kind: "None"}, {Kind: "Compared"}, {Kind: "Missing"}, {Kind: "Forbidden"}, {Kind: "Nor"}}}
	if diff := cmp.Diff([]int{0, 4}, f.Idle(runs)); diff != "" {
		t.Error(diff)
	}
}

// TestHowATemplateWasFound: Words names the way, the fields that agree, and the other templates.
func TestHowATemplateWasFound(t *testing.T) {
	two := []Candidate{{Path: "a", Score: 1}, {Path: "b", Score: 2}}
	const among = "2 templates: a (1 changed character), b (2 changed characters)"
	for _, c := range []struct {
		Correlation
		want string
	}{
		{Correlation{By: ByManual}, "paired in the diff config"},
		{Correlation{By: ByNearest}, "the nearest template; no field agrees"},
		{Correlation{By: ByNearest, Fields: []string{"kind"}}, "the nearest template; kind agrees"},
		{Correlation{By: ByNearest, Fields: []string{"kind", "name"}, Candidates: two}, "the nearest template; kind, name agree; the closest of " + among},
		{Correlation{By: ByInteractive, Candidates: two}, "chosen by the user among " + among},
		{Correlation{Candidates: two}, "the closest of " + among},
		{Correlation{Candidates: two[:1]}, ""},
	} {
		if got := c.Words(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.Correlation, got, c.want)
		}
	}
}

// TestAnAcceptedCRIsOfOneRule: an override accepts a CR for the rule it names, not for another one
// of the same CR.
func TestAnAcceptedCRIsOfOneRule(t *testing.T) {
	o := Object{Kind: "Pod", Name: "a"}
	accepted := AcceptedCR{Part: "p", Component: "c", Rule: "noneOf", Template: "t", Object: o, Present: true}
	for what, c := range map[string]struct {
		rule    Rule
		present Present
		want    bool
	}{
		"the same":          {Rule{Part: "p", Component: "c", Rule: "noneOf"}, Present{Template: "t", Object: o}, true},
		"another part":      {Rule{Part: "q", Component: "c", Rule: "noneOf"}, Present{Template: "t", Object: o}, false},
		"another component": {Rule{Part: "p", Component: "d", Rule: "noneOf"}, Present{Template: "t", Object: o}, false},
		"another rule":      {Rule{Part: "p", Component: "c", Rule: "oneOf"}, Present{Template: "t", Object: o}, false},
		"another template":  {Rule{Part: "p", Component: "c", Rule: "noneOf"}, Present{Template: "u", Object: o}, false},
		"another CR":        {Rule{Part: "p", Component: "c", Rule: "noneOf"}, Present{Template: "t", Object: Object{Kind: "Pod"}}, false},
	} {
		if got := accepted.For(c.rule, c.present); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
	if accepted.Present = false; accepted.For(Rule{Part: "p", Component: "c", Rule: "noneOf"}, Present{Template: "t", Object: o}) {
		t.Error("a missing CR is a present one")
	}
}

// TestTheDescriptionOfARule is that of its templates if they have the same, else that of the
// component, else that of the part.
func TestTheDescriptionOfARule(t *testing.T) {
	described := &refconfig.Component{Description: "component", Part: &refconfig.Part{Description: "part"}}
	bare := &refconfig.Component{Part: described.Part}
	for _, c := range []struct {
		templates []string
		component *refconfig.Component
		want      string
	}{
		{[]string{"template"}, described, "template"},
		{[]string{"template", "template"}, described, "template"},
		{[]string{"template", "other"}, described, "component"},
		{[]string{"template", ""}, bare, "part"},
		{nil, bare, "part"},
		{nil, nil, ""},
		{nil, &refconfig.Component{}, ""},
	} {
		v := refconfig.Violation{Component: c.component}
		for _, d := range c.templates {
			v.Templates = append(v.Templates, &refconfig.Template{Description: d})
		}
		if got := ruleDescription(v); got != c.want {
			t.Errorf("%q of %+v: %q, want %q", c.templates, c.component, got, c.want)
		}
	}
}

// TestALongPlaceOfAWarning: it is split from its end, and only there.
func TestALongPlaceOfAWarning(t *testing.T) {
	warning := Warning{Place: "a" + strings.Repeat(":1", 2_000_000)}
	if CompareWarnings(warning, warning) != 0 {
		t.Error("a warning is not like itself")
	}
	for place, want := range map[string]string{"a": "a []", "a:1": "a [1]", "a:1:2": "a [1 2]", "a:1:2:3": "a:1 [2 3]", "a:b": "a:b []", "1": "1 []"} {
		file, numbers := SplitPlace(place)
		if got := fmt.Sprint(file, " ", numbers); got != want {
			t.Errorf("%s: %s, want %s", place, got, want)
		}
	}
}

// TestWordsForMissingCRsAndFields: in the overview and in lists of findings a CR that was not found is
// called so, and a field that the CR lacks missing.
func TestWordsForMissingCRsAndFields(t *testing.T) {
	run := &Run{Rules: []Rule{{Rule: "allOf", Code: "VT3001", Templates: []string{"a.yaml", "b.yaml"},
		Missing: []Missed{{Template: "a.yaml"}, {Template: "b.yaml", NotCollected: true}}}}}
	run.Summary.Objects.Read = 1
	findings := run.Rules[0].findings(nil)
	for i, want := range []string{"not found (a.yaml)", "perhaps not collected (b.yaml)"} {
		entry := run.Entries(Grouping{}, nil)[i]
		if f := findings[i]; f.Words != want || f.Class.Word() != entry.Word() ||
			!strings.HasPrefix(entry.Word(), "NOT FOUND") {
			t.Errorf("it is %s and %s, and in the overview %s", f.Class.Word(), f.Words, entry.Word())
		}
	}
	if ClassMissing.Word() != "MISSING" {
		t.Errorf("a field is %s", ClassMissing.Word())
	}
}

// TestWordsForTextsOfSeveralLines: the first line that differs is named, and the others are counted.
func TestWordsForTextsOfSeveralLines(t *testing.T) {
	for _, c := range []struct{ reference, input, want string }{
		{"a\nb\nc\n", "a\nx\nc\n", "expected b, found x"},
		{"a\nb\nc\n", "x\nb\ny\n", "expected a, found x, and 1 more line differs"},
		{"a\nb\nc\nd\n", "a\n", "expected b, found \"\", and 2 more lines differ"},
		{"a\nb\n", "b\na\n", "expected a, found b"}, // in another order
		{"a", "b\nc\n", "expected a, found \"b\\nc\\n\""},
	} {
		reference, _ := json.Marshal(c.reference)
		input, _ := json.Marshal(c.input)
		d := Difference{Category: Drift, Path: "p", Reference: reference, Input: input}
		if got := d.Words(); got != "p: "+c.want {
			t.Errorf("%q and %q: %s", c.reference, c.input, got)
		}
	}
}

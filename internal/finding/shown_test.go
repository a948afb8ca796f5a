package finding

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// runFrom returns a run that was read from JSON, with the counts of its differences.
func runFrom(t *testing.T, text string) *Run {
	t.Helper()
	r := &Run{}
	if err := json.Unmarshal([]byte(text), r); err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Comparisons {
		for _, d := range c.Differences {
			c.Counts.Count(d.Category, 1)
		}
		if c.Result = c.Counts.Result(); c.Error != nil {
			c.Result = Failed
		}
		Identify(c.Differences, c.Object, c.Template.Path)
	}
	r.Summary.Objects.Read = 1
	return r
}

// TestWhatAFilterShows: by kinds, names and categories; what is about no CR and no rule is always
// shown. A selector that selects nothing is idle.
func TestWhatAFilterShows(t *testing.T) {
	run := runFrom(t, `{"comparisons":[
		{"object":{"kind":"A","name":"a"},"differences":[{"category":"drift","path":"x"}]},
		{"object":{"kind":"A","name":"b"},"differences":[{"category":"extra","path":"y"}]},
		{"object":{"kind":"B","name":"c"},"error":{"code":"VT4005"}},
		{"object":{"kind":"B","name":"d"},"differences":[{"category":"missing","path":"x"},{"category":"extra","path":"z"}]},
		{"object":{"kind":"B","namespace":"n","name":"e"}}],
		"rules":[
		{"rule":"allOf","code":"VT3001","templates":["m.yaml"],"missing":[{"template":"m.yaml","object":{"kind":"M","name":"m"}}]},
		{"rule":"allOf","code":"VT3001","component":"o","templates":["o.yaml"],"missing":[{"template":"o.yaml","object":{"kind":"O"}}]},
		{"rule":"noneOf","code":"VT3002","component":"f","message":"forbidden","present":[{"template":"f.yaml","object":{"kind":"F","name":"f"}}]}],
		"unmatched":[{"object":{"kind":"U","name":"u"}}],"referenced":[{"template":"r.yaml","by":{"kind":"A","name":"a"},"how":"ownerReference"}]}`)
	for _, c := range []struct{ selectors, categories, want, idle, common string }{
		{"", "", "B c; A a; B d; forbidden; M m; O *; A b; A a", "[]", "A a; B d; f; M m; O *"},
		{"A", "", "A a; A b; A a", "[]", "A a"},
		{"A/a", "", "A a; A a", "[]", "A a"},
		{"M/m", "", "M m; A a", "[]", "M m"},
		{"M/x", "", "A a", "[0]", ""},
		{"O/x", "", "O *; A a", "[]", "O *"},
		{"F", "", "forbidden; A a", "[]", "f"},
		{"B/e X", "", "A a", "[1]", ""},
		{"", "drift", "B c; A a; A a", "[]", "A a"},
		{"", "extra", "B c; B d; A b; A a", "[]", "B d"},
		{"", "missing", "B c; B d; forbidden; M m; O *; A a", "[]", "B d; f; M m; O *"},
		{"", "Drift, extra", "B c; A a; B d; A b; A a", "[]", "A a; B d"},
		{"B", "extra", "B c; B d; A a", "[]", "B d"},
		{"F", "extra", "A a", "[]", ""},
		{"F A", "missing", "forbidden; A a", "[]", "f"},
	} {
		f := Filter{}
		for _, text := range strings.Fields(c.selectors) {
			s, err := ParseSelector(text)
			if err != nil {
				t.Fatal(err)
			}
			f.Selectors = append(f.Selectors, s)
		}
		if c.categories != "" {
			all, _, err := ParseCategories(c.categories)
			if err != nil {
				t.Fatal(err)
			}
			f.Categories = all
		}
		var shown, common []string
		for _, e := range run.Entries(Grouping{Filter: f}, FailOnWords()) {
			subject, _ := e.Describe(func(path string) string { return path })
			shown = append(shown, subject)
		}
		all, _ := (&Report{Runs: []*Run{run, run}}).Fleet(f).Shared()
		for _, one := range all {
			if !one.Hidden {
				common = append(common, one.Subject)
			}
		}
		got := []string{strings.Join(shown, "; "), fmt.Sprint(f.Idle([]*Run{run})), strings.Join(common, "; ")}
		if want := []string{c.want, c.idle, c.common}; !slices.Equal(got, want) || f.IsSet() != (c.selectors+c.categories != "") {
			t.Errorf("%s %s: %q, want %q", c.selectors, c.categories, got, want)
		}
	}
	if _, _, err := ParseCategories("Drift, drft"); err == nil || !strings.Contains(err.Error(), `"drft" is unknown`) {
		t.Error(err)
	}
}

// TestOnlyWhatIsNewIsShown: what an earlier report has too is hidden, and what it has of a CR with something new is not.
func TestOnlyWhatIsNewIsShown(t *testing.T) {
	run := runFrom(t, `{"comparisons":[
		{"object":{"kind":"A","name":"same"},"differences":[{"category":"drift","path":"x","change":"same"}]},
		{"object":{"kind":"A","name":"both"},"differences":[{"category":"drift","path":"x","change":"same"},{"category":"drift","path":"y","change":"new"}]},
		{"object":{"kind":"A","name":"changed"},"differences":[{"category":"drift","path":"x","change":"changed"},{"category":"drift","path":"y","change":"same"}]},
		{"object":{"kind":"A","name":"unclear"},"differences":[{"category":"drift","path":"x","change":"unclear"},{"category":"drift","path":"y","change":"same"}]},
		{"object":{"kind":"A","name":"failed"},"error":{"code":"VT4005","change":"same"}}],
		"rules":[
		{"rule":"allOf","code":"VT3001","templates":["m.yaml","n.yaml"],"missing":[{"template":"m.yaml","object":{"kind":"M","name":"same"},"change":"same"},{"template":"n.yaml","object":{"kind":"M","name":"new"},"change":"new"}]},
		{"rule":"noneOf","code":"VT3002","component":"f","message":"same","change":"same","present":[{"template":"f.yaml","object":{"kind":"F","name":"f"}}]},
		{"rule":"noneOf","code":"VT3002","component":"g","message":"new","change":"new","present":[{"template":"f.yaml","object":{"kind":"F","name":"f"}}]}],
		"referenced":[{"template":"r.yaml","by":{"kind":"R","name":"same"},"how":"ownerReference","change":"same"},{"template":"r.yaml","by":{"kind":"R","name":"new"},"how":"ownerReference","change":"new"}]}`)
	for only, want := range map[bool]string{true: "A failed; A both; A changed; new; M new; R new; A unclear", false: "A failed; A both; A changed; new; M new; R new; A unclear; A same; same; M same; R same"} {
		var shown []string
		for _, e := range run.Entries(Grouping{Filter: Filter{OnlyNew: only}}, FailOnWords()) {
			subject, _ := e.Describe(func(path string) string { return path })
			shown = append(shown, subject)
		}
		if got := strings.Join(shown, "; "); got != want {
			t.Errorf("only what is new %v: %s, want %s", only, got, want)
		}
	}
}

// TestWhichCRsAreGrouped: those of which everything is the same that a report shows, whatever they are
// called.
func TestWhichCRsAreGrouped(t *testing.T) {
	const drift = `{"category":"drift","path":"x","reference":1,"input":2}`
	of := func(name, more string) string { return `{"object":{"kind":"A","name":"` + name + `"},` + more + `}` }
	differing := func(name, differences string) string { return of(name, `"differences":[`+differences+`]`) }
	failed := func(name, e string) string { return of(name, `"error":{`+e+`}`) }
	for _, c := range []struct {
		how  Grouping
		all  []string
		want string
	}{
		{Grouping{}, []string{differing("a", drift), differing("b", drift), of("c", `"template":{"path":"t"},"differences":[`+drift+`]`)}, "a b, c"},
		{Grouping{Single: true}, []string{differing("a", drift), differing("b", drift)}, "a, b"},
		{Grouping{}, []string{failed("a", `"code":"VT4001","message":"m"`), failed("b", `"code":"VT4001","message":"m"`), failed("c", `"code":"VT4002","message":"m"`)}, "a b, c"},
		{Grouping{}, []string{failed("a", `"code":"VT4001","message":"m"`), failed("b", `"code":"VT4001","message":"n"`), failed("c", `"code":"VT4001","message":"m","change":"new"`)}, "a, b, c"},
		{Grouping{}, []string{of("a", `"differences":[`+drift+`],"override":{"reasons":["r"]}`), of("b", `"differences":[`+drift+`],"override":{"reasons":["s"]}`), differing("c", drift)}, "a, b, c"},
		{Grouping{}, []string{of("a", `"differences":[`+drift+`],"notes":[{"code":"A-B","message":"m"}]`), of("b", `"differences":[`+drift+`],"notes":[{"code":"A-B","message":"n"}]`)}, "a, b"},
		{Grouping{}, []string{differing("a", drift+`,{"category":"extra","path":"y"}`), differing("b", drift+`,{"category":"extra","path":"z"}`)}, "a, b"},
		{Grouping{Alike: true}, []string{differing("a", drift+`,{"category":"extra","path":"y"}`), differing("b", drift+`,{"category":"extra","path":"z"}`)}, "a b*"},
		{Grouping{Alike: true}, []string{differing("a", drift+`,{"category":"extra","path":"y"}`), differing("b", drift+`,{"category":"extra","path":"y"}`)}, "a b"},
		{Grouping{Alike: true}, []string{differing("a", drift+`,{"category":"extra","path":"y","impact":"impacting"}`), differing("b", drift)}, "a, b"},
		{Grouping{Alike: true}, []string{differing("a", `{"category":"extra","path":"y"}`), differing("b", `{"category":"extra","path":"z"}`)}, "a, b"},
		{Grouping{Alike: true}, []string{differing("a", drift+`,{"category":"drift","path":"y"}`), differing("b", drift)}, "a, b"},
		{Grouping{}, []string{differing("a", drift+`,{"category":"expected","path":"y"}`), differing("b", drift), of("c", `"differences":[]`)}, "a b"},
		{Grouping{Expected: true}, []string{differing("a", drift+`,{"category":"expected","path":"y"}`), differing("b", drift), differing("c", `{"category":"expected","path":"y"}`), of("d", `"differences":[]`)}, "a, b, c"},
		{Grouping{Filter: Filter{Categories: []Category{Extra}}}, []string{differing("a", drift), differing("b", `{"category":"extra","path":"y"}`)}, "b"},
	} {
		run, names := runFrom(t, `{"comparisons":[`+strings.Join(c.all, ",")+`]}`), []string(nil)
		for _, g := range run.Groups(c.how) {
			name := ""
			for _, one := range g {
				name += " " + one.Object.Name
			}
			if g.ExtraDiffers() {
				name += "*"
			}
			names = append(names, strings.TrimSpace(name))
		}
		if got := strings.Join(names, ", "); got != c.want {
			t.Errorf("%+v %q: %s, want %s", c.how, c.all, got, c.want)
		}
	}
}

// TestImpacts: the most serious is that of a CR and of a run; equal ratings are told once.
func TestImpacts(t *testing.T) {
	for _, c := range []struct{ impacts, worst, ratings string }{
		{"", "", ""}, {"review", "review", "review:c"}, {"not-impacting", "not-impacting", "not-impacting:c"},
		{"not-impacting review", "review", "review:c not-impacting:c"}, {"review  impacting review not-impacting", "impacting", "impacting:c review:c not-impacting:c"},
	} {
		one := &Comparison{Result: Drifted}
		for _, word := range strings.Split(c.impacts, " ") {
			one.Differences = append(one.Differences, Difference{Category: Drift, Rating: Rating{Impact: Impact(word), Comment: "c"}})
		}
		run := &Run{Comparisons: []*Comparison{one}}
		if run.Impact() != "" {
			t.Error("it is not counted, and has an impact")
		}
		run.CountImpacts()
		var ratings []string
		for _, r := range one.Ratings() {
			ratings = append(ratings, string(r.Impact)+":"+r.Comment)
		}
		if got := strings.Join(ratings, " "); string(one.Impact()) != c.worst || string(run.Impact()) != c.worst || got != c.ratings {
			t.Errorf("%q: %q, %q, %q", c.impacts, one.Impact(), run.Impact(), got)
		}
	}
}

// TestWhatWasPassedOver: only files, which are named if they are few.
func TestWhatWasPassedOver(t *testing.T) {
	few := Passed{Reason: "few", Count: 9, Files: 2, Names: []string{"b", "a"}}
	many := Passed{Reason: "many", Files: 4, Names: []string{"a", "b", "c"}}
	none := Passed{Reason: "none", Count: 3}
	for want, all := range map[string][]Passed{
		"": {none}, "Passed over: 6 files without CRs (2 few: b, a; 4 many)": {none, few, many},
	} {
		r := Report{Passed: all}
		if got := r.PassedOver(nil); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got, want := r.PassedOver(strings.ToUpper), strings.Replace(want, "b, a", "B, A", 1); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestSmallForms holds what tells two things apart: origins, fingerprints, places and warnings.
func TestSmallForms(t *testing.T) {
	a, digits := &Origin{Input: "i", Options: []string{"o"}}, strings.Repeat("0f", 16)
	item := 0
	source := SourceOf(refconfig.Place{File: "f", Document: 2, Item: 1}, "w", "c")
	missing := func(d Difference) bool { return d.Required() }
	lists, alarms := WithoutAlarms([]Warning{{Code: code.ArchiveBroken}, {Code: code.LinkSkipped}, {Code: code.ArchiveBroken, Message: "m"}})
	run := &Run{Summary: Summary{Objects: Objects{Read: 1, Compared: 1}}}
	run.AddProblem(refconfig.Problem{Code: code.InputUnreadable})
	for what, ok := range map[string]bool{
		"the same origin":                  a.Equal(&Origin{Input: "i", Options: []string{"o"}}),
		"another input":                    !a.Equal(&Origin{Input: "j", Options: []string{"o"}}),
		"other options":                    !a.Equal(&Origin{Input: "i"}),
		"an unknown origin":                !a.Equal(nil) && !(*Origin)(nil).Equal(a) && !(*Origin)(nil).Equal(nil),
		"a fingerprint":                    IsFingerprint(digits) && IsFingerprint(digits+"-12"),
		"a long or short one":              !IsFingerprint(digits+"0") && !IsFingerprint(digits[1:]),
		"other digits":                     !IsFingerprint("g"+digits[1:]) && !IsFingerprint(digits+"-") && !IsFingerprint(digits+"-x"),
		"the place of an item":             source.Document == 1 && source.Item != nil && *source.Item == item,
		"a place without an item":          SourceOf(refconfig.Place{Document: 0}, "", "").Item == nil,
		"the folder of a cluster":          Input{Path: "a", Format: "directory", Root: "b"}.Place() == "a/b",
		"that in an archive":               Input{Path: "a", Format: "tar", Root: "b"}.Place() == "a!b" && Input{Path: "-"}.Place() == "standard input",
		"a warning":                        Warning{Code: "VT1005", Message: "m", Place: "p"}.String() == "p: m (VT1005)" && Warning{Message: "m"}.String() == "m",
		"one for the author":               Warning{Code: "VT2001"}.ForAuthor() && !Warning{Code: "VT2001", OfOption: true}.ForAuthor() && !Warning{Code: "VT1005"}.ForAuthor(),
		"alarms":                           len(alarms) == 2 && len(lists) == 1,
		"a field without a value":          missing(Difference{Category: Missing}) && missing(Difference{Category: Missing, Reference: json.RawMessage("null"), Code: code.EvalMissingKey}),
		"one with a value":                 !missing(Difference{Category: Missing, Reference: json.RawMessage("1"), Code: code.EvalMissingKey}) && !missing(Difference{Category: Missing, Reference: json.RawMessage("null")}) && !missing(Difference{Category: Drift}),
		"a problem that came later counts": run.Summary.Verdict == Incomplete && len(run.Unreadable) == 1 && run.Summary.Unreadable == 1,
		"another reference":                (&Report{Reference: Reference{Hash: "a"}}).HasOther(&Run{Reference: Reference{Hash: "b"}}),
		"the same reference":               !(&Report{Reference: Reference{Hash: "a"}}).HasOther(&Run{}) && !(&Report{Reference: Reference{Hash: "a"}}).HasOther(&Run{Reference: Reference{Hash: "a", Path: "p"}}),
		"an open option":                   IsOpenOption("old") && !IsOpenOption("validate"),
		"placeholders are counted":         Counts{Drift: 1, Placeholders: 2}.String() == "1 drift (2 by placeholders)" && Counts{}.String() == "no difference",
		"invalid CRs count once":           (&Run{InvalidCRs: []InvalidCR{{Object: Object{Name: "a"}}, {Object: Object{Name: "a"}}, {Object: Object{Name: "b"}}}}).countInvalid() == 2,
		"a kind":                           Kind{APIVersion: "example.com/v1", Kind: "Widget"}.Words() == "Widget (example.com/v1)",
		"names that are no UTF-8":          hashOf("a\xff") == hashOf("a\ufffd") && hashOf("a", "b") != hashOf("ab"),
		"an earlier fingerprint of a rule": Rule{Rule: "r"}.Identity() == Rule{Rule: "r", Templates: []string{"t"}}.Identity() && Rule{Rule: "r"}.EarlierIdentity() != Rule{Rule: "r", Templates: []string{"t"}}.EarlierIdentity(),
		"findings as before":               (Filter{OnlyNew: true}).AsBefore(&Run{Baseline: &Baseline{Changes: Changes{Same: 2}}}) == "2 findings as before",
		"none as before":                   (Filter{OnlyNew: true}).AsBefore(&Run{Baseline: &Baseline{}})+(Filter{}).AsBefore(&Run{Baseline: &Baseline{Changes: Changes{Same: 2}}})+(Filter{OnlyNew: true}).AsBefore(&Run{}) == "",
		"no identity":                      Object{}.Stated() == "" && Object{Kind: "A", Namespace: "n"}.Stated() == "A n/*" && Object{APIVersion: "v1", Kind: "A", Name: "a"}.Stated() == "A a (v1)",
		"the nearest CR":                   Nearest{Object: Object{APIVersion: "v1", Kind: "A", Name: "a"}, Differs: []string{"name", "apiVersion"}}.Short() == "A a (v1)" && Nearest{Object: Object{APIVersion: "v1", Kind: "A", Name: "a"}, Differs: []string{"name"}}.Short() == "A a",
		"the first description":            Rule{Descriptions: []Described{{"t", "one"}, {"t", "two"}}}.About()["t"] == "one",
		"invalid beside others":            slices.Equal(FailOn{FailOnExtra, FailOnDrift}.WithInvalid(), FailOn{FailOnDrift, FailOnInvalid, FailOnExtra}),
	} {
		if !ok {
			t.Errorf("%s is wrong", what)
		}
	}
}

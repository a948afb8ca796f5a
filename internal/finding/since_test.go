package finding_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/validationtool/validationtool/internal/finding"
)

// drift is a CR whose fields differ: each is "path=value", with values as JSON.
func drift(kind, name string, fields ...string) *finding.Comparison {
	c := &finding.Comparison{Object: finding.Object{APIVersion: "v1", Kind: kind, Name: name}, Result: finding.Drifted,
		Template: finding.Template{Path: kind + ".yaml", Part: "p", Component: "c"}}
	for _, f := range fields {
		path, value, _ := strings.Cut(f, "=")
		d := finding.Difference{
			Category:  finding.Drift,
			Path:      path,
			Reference: json.RawMessage("0"),
			Input:     json.RawMessage(value),
		}
		c.Differences = append(c.Differences, d)
		c.Counts.Drift++
	}
	finding.Identify(c.Differences, c.Object, c.Template.Path)
	return c
}

// report is one of runs, concluded.
func report(runs ...*finding.Run) *finding.Report {
	r := &finding.Report{
		Reference: finding.Reference{Format: "v1", Hash: "sha256:0"},
		Runs:      runs,
		FailOn:    finding.FailOn{"drift", "missing"},
	}
	for _, run := range runs {
		run.Summary.Objects.Read = len(run.Comparisons) + 1
		run.Conclude()
	}
	r.Conclude()
	return r
}

func runOf(c finding.Cluster, all ...*finding.Comparison) *finding.Run {
	return &finding.Run{Cluster: c, Comparisons: all}
}

func diff(then, now *finding.Report) *finding.Diff {
	return finding.DiffOf(
		finding.Tool{}, finding.Earlier{Path: "old", Report: then}, finding.Earlier{Path: "new", Report: now}, now.FailOn,
	)
}

// TestValuesDecideWhetherAFindingChanged: as far as they are not hidden, and however they are
// written.
func TestValuesDecideWhetherAFindingChanged(t *testing.T) {
	for _, test := range []struct {
		old, now string
		want     finding.Change
	}{
		{`1`, `1`, finding.Unchanged},
		{`1`, `2`, finding.Changed},
		{`1`, `"1"`, finding.Changed},
		{`null`, `0`, finding.Changed},
		{`{"a":[1,2],"b":null}`, "{\n  \"b\": null,\n  \"a\": [1, 2]\n}", finding.Unchanged},
		{`{"a":null}`, `{"b":null}`, finding.Changed},
		{`{"a":1}`, `{"a":1,"b":1}`, finding.Changed},
		{`[1,2]`, `[1]`, finding.Changed},
		{`"\u001b"`, `"\u001B"`, finding.Unchanged},
		{`"(hidden, 5 bytes)"`, `"(hidden, 5 bytes)"`, finding.Unclear},
		{`"(hidden, 5 bytes)"`, `"(hidden, 6 bytes)"`, finding.Changed},
		{`"clear"`, `"(hidden, 5 bytes)"`, finding.Unclear},
		{`{"a":"(hidden, 5 bytes)","b":1}`, `{"a":"(hidden, 5 bytes)","b":2}`, finding.Changed},
		{`{"a":"(hidden, 5 bytes)","b":1}`, `{"a":"(hidden, 5 bytes)","b":1}`, finding.Unclear},
	} {
		d := diff(
			report(runOf(finding.Cluster{}, drift("A", "a", "x="+test.old))),
			report(runOf(finding.Cluster{}, drift("A", "a", "x="+test.now))),
		)
		if got := d.Clusters[0].Findings[0].Change; got != test.want || len(d.Clusters[0].Findings) != 1 {
			t.Errorf("%s, then %s: %s, want %s", test.old, test.now, got, test.want)
		}
	}
}

// TestClustersAreMatchedByWhatIsKnownOfThem: what is said of each cluster.
func TestClustersAreMatchedByWhatIsKnownOfThem(t *testing.T) {
	id := func(id, infrastructure, name string) finding.Cluster {
		return finding.Cluster{ID: id, Infrastructure: infrastructure, Name: name}
	}
	a := func(c finding.Cluster) *finding.Run { return runOf(c, drift("A", "a", "x=1")) }
	for _, test := range []struct {
		name     string
		old, now []finding.Cluster
		want     string // what is said of each cluster
	}{
		{"one with one", []finding.Cluster{id("1", "", "a")}, []finding.Cluster{id("2", "", "b")}, "1 the same since old (of another cluster: a)"},
		{"nothing known", []finding.Cluster{{}}, []finding.Cluster{id("1", "", "")}, "1 the same since old"},
		{"one more", []finding.Cluster{id("1", "", "a")}, []finding.Cluster{id("1", "", "a"), id("2", "", "b")}, "1 the same|1 new since old (which has nothing of this cluster)"},
		{"one less", []finding.Cluster{id("1", "", "a"), id("2", "", "b")}, []finding.Cluster{id("2", "", "b")},
			"1 the same|INCOMPLETE: new: it has nothing of this cluster"},
	} {
		var then, now []*finding.Run
		for _, c := range test.old {
			then = append(then, a(c))
		}
		for _, c := range test.now {
			now = append(now, a(c))
		}
		d := diff(report(then...), report(now...))
		wants := strings.Split(test.want, "|")
		if len(wants) != len(d.Clusters) {
			t.Fatalf("%s: %d clusters", test.name, len(d.Clusters))
		}
		for i, c := range d.Clusters {
			if said := d.Sentence(c); !strings.Contains(said, wants[i]) {
				t.Errorf("%s: %q, want %q", test.name, said, wants[i])
			}
		}
	}
}

// TestCountsAddUp: of any two reports, what the new one has is new, changed, unclear or the same,
// what the old one has is gone or one of the last three; each finding of the new one is marked so;
// and a report held against itself has nothing new.
func TestCountsAddUp(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/diff.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	some := func() *finding.Report {
		var all []*finding.Comparison
		for i := range 1 + random.IntN(6) {
			var fields []string
			for range random.IntN(4) {
				fields = append(fields, fmt.Sprintf("f%d=%d", random.IntN(3), random.IntN(3))) // some twice
			}
			all = append(all, drift("A", fmt.Sprint(i), fields...))
		}
		return report(runOf(finding.Cluster{}, all...))
	}
	for range 300 {
		then, now := some(), some()
		d := diff(then, now)
		n, news := d.Summary, now.Runs[0].Summary.Differences.Drift
		if n.New+n.Changed+n.Unclear+n.Same != news ||
			n.Gone+n.Changed+n.Unclear+n.Same != then.Runs[0].Summary.Differences.Drift {
			t.Fatalf("%+v of %d findings", n, news)
		}
		checkKeeps(t, schema, d)
		finding.Mark(now, finding.Earlier{Path: "old", Report: then})
		if now.Conclude(); now.Runs[0].Baseline.Changes != n {
			t.Fatalf("the run counts %+v, the document %+v", now.Runs[0].Baseline.Changes, n)
		}
		if again := diff(now, now); again.ExitStatus != 0 || again.Summary != (finding.Changes{Same: news}) {
			t.Fatalf("against itself: %+v", again.Summary)
		}
	}
}

func checkKeeps(t *testing.T, schema *jsonschema.Schema, d *finding.Diff) {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(document); err != nil {
		t.Fatalf("%s in\n%s", err, text)
	}
}

// TestEverySortOfFindingIsHeld: errors, rules and missing CRs too; a CR of which it is now known
// that it is missing has changed.
func TestEverySortOfFindingIsHeld(t *testing.T) {
	rules := func(notCollected bool) []finding.Rule {
		return []finding.Rule{
			{Rule: "allOf", Code: "VT3001", Templates: []string{"a.yaml", "b.yaml"}, Fingerprint: "1",
				Missing: []finding.Missed{{Template: "a.yaml", NotCollected: notCollected}, {Template: "b.yaml"}}},
			{
				Rule:        "noneOf",
				Code:        "VT3002",
				Message:     "should not be present",
				Templates:   []string{"n.yaml"},
				Fingerprint: "2",
			},
		}
	}
	failed := func() *finding.Comparison {
		c := drift("B", "b")
		c.Result, c.Error = finding.Failed, &finding.Error{Code: "VT4001", Message: "bad"}
		return c
	}
	then, now := runOf(finding.Cluster{}), runOf(finding.Cluster{}, failed())
	then.Rules, now.Rules = rules(true), rules(false)
	before, after := report(then), report(now)
	finding.Mark(after, finding.Earlier{Path: "old", Report: before})
	after.Conclude()
	got := []finding.Change{
		now.Comparisons[0].Error.Change,
		now.Rules[0].Missing[0].Change,
		now.Rules[0].Missing[1].Change,
		now.Rules[1].Change,
	}
	if want := []finding.Change{finding.New, finding.Changed, finding.Unchanged, finding.Unchanged}; !slices.Equal(
		got, want,
	) {
		t.Errorf("%v, want %v", got, want)
	}
	if want := (finding.Changes{New: 1, Changed: 1, Same: 2}); now.Baseline.Changes != want {
		t.Errorf("%+v, want %+v", now.Baseline.Changes, want)
	}
}

// TestCRsAreTheValuesOfARule: that another one breaks it is a change, which makes a run and report
// diff fail; that fewer do is none.
func TestCRsAreTheValuesOfARule(t *testing.T) {
	broken := func(names string) *finding.Run {
		rule := finding.Rule{
			Rule:        "noneOf",
			Code:        "VT3002",
			Message:     "should not be present",
			Templates:   []string{"n.yaml"},
			Fingerprint: "1",
		}
		for _, name := range strings.Fields(names) {
			rule.Present = append(
				rule.Present,
				finding.Present{Template: "n.yaml", Object: finding.Object{APIVersion: "v1", Kind: "A", Name: name}},
			)
		}
		run := runOf(finding.Cluster{})
		run.Rules = []finding.Rule{rule}
		return run
	}
	for _, test := range []struct {
		old, now string
		want     finding.Change
		status   int
		was      string
	}{
		{"a", "a", finding.Unchanged, 0, ""},
		{"a", "b", finding.Changed, 1, "should not be present: A a"},
		{"a", "a b", finding.Changed, 1, "should not be present: A a"},
		{"a b", "b", finding.Unchanged, 0, ""},
		{"a b", "b a", finding.Unchanged, 0, ""},
		{"a b c d e f g h i", "a b c d e f g h j", finding.Changed, 1, ""}, // of many, not all are named
	} {
		then := report(broken(test.old))
		d := diff(then, report(broken(test.now)))
		if f := d.Clusters[0].Findings; len(f) != 1 || f[0].Change != test.want || f[0].Was != test.was ||
			d.ExitStatus != test.status {
			t.Errorf("%s, then %s: %+v, exit status %d", test.old, test.now, f, d.ExitStatus)
		}
		now := report(broken(test.now))
		*now = finding.Report{Reference: now.Reference, Runs: now.Runs, FailOn: finding.FailOn{"missing", "new"}}
		finding.Mark(now, finding.Earlier{Path: "old", Report: then})
		if now.Conclude(); now.ExitStatus != test.status {
			t.Errorf("%s, then %s: the exit status of the run is %d", test.old, test.now, now.ExitStatus)
		}
	}
}

// TestExitStatusOfADiff: 1 where something that counts is new or has changed, 2 where nothing is
// there that could be held against something; and the word that each cluster's answer begins with.
func TestExitStatusOfADiff(t *testing.T) {
	of := func(fields ...string) *finding.Report {
		return report(runOf(finding.Cluster{}, drift("A", "a", fields...)))
	}
	none := report(runOf(finding.Cluster{}))
	none.Runs = nil
	for _, test := range []struct {
		name      string
		then, now *finding.Report
		failOn    finding.FailOn
		want      int
		word      string
	}{
		{"the same", of("x=1"), of("x=1"), finding.FailOn{"drift"}, 0, "NOTHING NEW"},
		{"new", of(), of("x=1"), finding.FailOn{"drift"}, 1, "NEW"},
		{"changed", of("x=1"), of("x=2"), finding.FailOn{"drift"}, 1, "CHANGED"},
		{"changed, and does not count", of("x=1"), of("x=2"), finding.FailOn{"missing"}, 0, "CHANGED"},
		{"gone", of("x=1"), of(), finding.FailOn{"drift"}, 0, "RESOLVED"},
		{"new and changed", of("x=1"), of("x=2", "y=1"), finding.FailOn{"drift"}, 1, "NEW"},
		{"no cluster", none, none, finding.FailOn{"drift"}, 2, ""},
	} {
		test.now.FailOn = test.failOn
		d := diff(test.then, test.now)
		if d.ExitStatus != test.want {
			t.Errorf("%s: %d, want %d", test.name, d.ExitStatus, test.want)
		}
		for _, c := range d.Clusters {
			if got, _, _ := strings.Cut(strings.Replace(d.Sentence(c), " since", ":", 1), ":"); got != test.word {
				t.Errorf("%s: %s, want %s", test.name, d.Sentence(c), test.word)
			}
		}
	}
}

// TestWhatIsGoneHasNoValues: an earlier report may show what is hidden in this one.
func TestWhatIsGoneHasNoValues(t *testing.T) {
	now := report(runOf(finding.Cluster{}))
	failed := drift("B", "b")
	failed.Result, failed.Error = finding.Failed, &finding.Error{Code: "VT4001", Message: "bad: letmein"}
	finding.Mark(
		now,
		finding.Earlier{
			Path:   "old",
			Report: report(runOf(finding.Cluster{}, drift("Secret", "s", `data.key="letmein"`), failed)),
		},
	)
	text, err := json.Marshal(now)
	if err != nil {
		t.Fatal(err)
	}
	if len(now.Runs[0].Baseline.Gone) != 2 || strings.Contains(string(text), "letmein") {
		t.Errorf("%s", text)
	}
}

// TestWhatIsLeftOutIsNotGone: findings of components that the run leaves out may still be there.
func TestWhatIsLeftOutIsNotGone(t *testing.T) {
	run := runOf(finding.Cluster{})
	run.LeftOut = []string{"p/c"}
	d := diff(report(runOf(finding.Cluster{}, drift("A", "a", "x=1"))), report(run))
	if said := d.Sentence(d.Clusters[0]); d.Summary.Gone != 0 ||
		!strings.Contains(said, "(where other components were excluded)") {
		t.Errorf("%s", said)
	}
}

// TestItemsAreFoundByTheirNames: an item of a list that stands elsewhere now is the same, and
// another item in its place is new.
func TestItemsAreFoundByTheirNames(t *testing.T) {
	item := func(named, path string) *finding.Comparison {
		c := drift("A", "a", path+"=1")
		c.Differences[0].Named = named
		finding.Identify(c.Differences, c.Object, c.Template.Path)
		return c
	}
	for _, test := range []struct {
		name                                 string
		oldNamed, oldPath, nowNamed, nowPath string
		want                                 finding.Changes
	}{
		{"moved", "l.[a].v", "l.0.v", "l.[a].v", "l.1.v", finding.Changes{Same: 1}},
		{"another item in its place", "l.[a].v", "l.0.v", "l.[b].v", "l.0.v", finding.Changes{New: 1, Gone: 1}},
		{"told by the index of the reference", "l.1.v", "l.2.v", "l.0.v", "l.1.v", finding.Changes{New: 1, Gone: 1}},
	} {
		d := diff(
			report(runOf(finding.Cluster{}, item(test.oldNamed, test.oldPath))),
			report(runOf(finding.Cluster{}, item(test.nowNamed, test.nowPath))),
		)
		if d.Summary != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, d.Summary, test.want)
		}
	}
}

// TestOfSeveralOfOneFieldThatIsGoneWhichIs: and where the field stands elsewhere, what is said of
// it is the same.
func TestOfSeveralOfOneFieldThatIsGoneWhichIs(t *testing.T) {
	checks := func(path string, all ...string) *finding.Report {
		c := drift("A", "a")
		for _, message := range all {
			d := finding.Difference{Category: finding.Drift, Path: path, Named: "l.[a]", Message: message, Code: "A-B"}
			c.Differences = append(c.Differences, d)
			c.Counts.Drift++
		}
		finding.Identify(c.Differences, c.Object, c.Template.Path)
		return report(runOf(finding.Cluster{}, c))
	}
	d := diff(checks("l.0", "one", "two", "three"), checks("l.1", "three", "one"))
	said := ""
	for _, f := range d.Clusters[0].Findings {
		said += fmt.Sprintln(f.Change, f.Words, len(f.Fingerprint))
	}
	if want := "gone l.0: two (A-B) 34\nsame l.1: three (A-B) 32\nsame l.1: one (A-B) 34\n"; said != want {
		t.Errorf("%s, want %s", said, want)
	}
}

package finding

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// TestBeforeAMissingCRIsCreated: what to know is told in this order, and nothing without a reason.
func TestBeforeAMissingCRIsCreated(t *testing.T) {
	const (
		wrong  = "This may be the wrong reference: do not create the CR before you know that it is the right one."
		drains = "A change of this kind of CR may drain and restart nodes, one after the other."
	)
	doubts := []Warning{{Code: code.ArchiveBroken}, {Code: code.FewRequired}}
	pool := Object{APIVersion: "machineconfiguration.openshift.io/v1", Kind: "MachineConfigPool", Name: "a"}
	for _, c := range []struct {
		fix     Fix
		object  Object
		class   Class
		because Uncollected
		alarms  []Warning
		want    []string
	}{
		{fix: Fix{CR: "a"}},
		{fix: Fix{CR: "a"}, alarms: doubts, want: []string{wrong}},
		{fix: Fix{CR: "a"}, alarms: []Warning{{Code: code.WrongReference}}, want: []string{wrong}},
		{fix: Fix{CR: "a"}, alarms: doubts[:1]},
		{fix: Fix{Held: "it holds a Secret"}, alarms: doubts, want: []string{"The CR to create is not shown: it holds a Secret."}},
		{class: ClassNotCollected, because: ArchiveCut, want: []string{"The cluster may have it: an archive breaks off or is corrupt."}},
		{object: pool, want: []string{drains}},
		{object: Object{APIVersion: "example.org/v1", Kind: "MachineConfigPool"}},
		{object: Object{APIVersion: "machineconfiguration.openshift.io/v1", Kind: "Other"}},
		{fix: Fix{CR: "a", First: "create its namespace", Open: []OpenField{{"spec.a", "give a value"}, {".", "all of it"}}}, object: pool, class: ClassNotCollected,
			because: NotAsked, alarms: doubts, want: []string{wrong, "The cluster may have it: nothing shows that the collector gathers CRs of its kind.",
				"First: create its namespace.", drains, "still open: spec.a: give a value", "still open: all of it"}},
	} {
		f := Finding{Class: c.class, Object: c.object, Missed: &Missed{Because: c.because, Fix: &c.fix}}
		if got := f.BeforeCreating(c.alarms); !slices.Equal(got, c.want) {
			t.Errorf("%+v of %+v: %q, want %q", c.fix, c.object, got, c.want)
		}
	}
}

// TestWhatWasMadeOfACluster: of the one that others are compared with.
func TestWhatWasMadeOfACluster(t *testing.T) {
	own := []Named{{Name: "hashes", Count: 3}, {Name: "times", Count: 1}}
	for _, c := range []struct {
		base    *Base
		version string
		want    [][2]string
	}{
		{nil, "4.16", nil},
		{&Base{CRs: 1, Kinds: 1}, "4.16", [][2]string{{"compared", "1 CR of 1 kind"}}},
		{&Base{CRs: 5, Kinds: 2, Version: "4.16"}, "4.16", [][2]string{{"compared", "5 CRs of 2 kinds"}}},
		{&Base{CRs: 5, Kinds: 2, Version: "4.16"}, "", [][2]string{{"compared", "5 CRs of 2 kinds"}}},
		{&Base{CRs: 5, Kinds: 2, Version: "4.16", LeftOut: own, Own: own[:1]}, "4.17", [][2]string{
			{"compared", "5 CRs of 2 kinds; left out: hashes 3, times 1"}, {"version", "4.16 → 4.17"},
			{"own", "not compared, because every cluster has its own: hashes 3"}}},
	} {
		r := &Run{Base: c.base, Cluster: Cluster{Version: c.version}}
		if got := r.BaseFacts(); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.base, got, c.want)
		}
	}
}

// TestWordsForWhatIsAccepted: what an override accepts, what the reference says and what the CR has.
func TestWordsForWhatIsAccepted(t *testing.T) {
	for _, c := range []struct{ accepted, reference, input, want string }{
		{`1`, `2`, `1`, "accepted 1 (reference 2), found 1"},
		{`1`, `2`, `3`, "accepted 1 (reference 2), found 3"},
		{`null`, `2`, `1`, "accepted nothing (reference 2), found 1"},
		{`null`, `2`, ``, "accepted nothing (reference 2), but missing"},
		{`1`, ``, `3`, "accepted 1 (reference nothing), found 3"},
		{`"a"`, `"b"`, ``, "accepted a (reference b), but missing"},
	} {
		d := Difference{Category: Drift, Path: "p", Accepted: json.RawMessage(c.accepted)}
		if c.reference != "" {
			d.Reference = json.RawMessage(c.reference)
		}
		if c.input != "" {
			d.Input = json.RawMessage(c.input)
		}
		if got := d.Words(); got != "p: "+c.want {
			t.Errorf("%+v: %s", c, got)
		}
		accepted := &Comparison{Override: &Override{Accepted: []Difference{d, d}}, Object: Object{Kind: "A", Name: "a"}}
		all := accepted.Accepted()
		if len(all) != 2 || all[0].Words != "p: "+c.want || all[0].Object.Name != "a" || all[0].Effect != Informs || all[0].Fingerprint == all[1].Fingerprint {
			t.Errorf("%+v: %+v", c, all)
		}
	}
	if all := (&Comparison{}).Accepted(); all != nil {
		t.Errorf("without an override, %v is accepted", all)
	}
}

// TestRecords: a document has a record of the verdict of each cluster, of its alarms and of each finding,
// in this order; who has read enough of them gets no more.
func TestRecords(t *testing.T) {
	a := runFrom(t, `{"cluster":{"name":"a"},"alarms":[{"code":"VT1005","message":"m","place":"f"}],
		"comparisons":[{"object":{"apiVersion":"v1","kind":"A","namespace":"n","name":"x"},"template":{"path":"t","part":"p","component":"c"},
		"source":{"file":"f","line":3,"wrapper":"w"},
		"differences":[{"category":"drift","path":"x","reference":1,"input":2,"change":"new","cause":"cr","impact":"impacting","comment":"why"},{"category":"extra","path":"y","input":3}],
		"notes":[{"code":"A-B","path":".","message":"noted"}]}],
		"rules":[{"rule":"noneOf","code":"VT3002","message":"broken","present":[{"object":{"kind":"P","name":"q"}}]}]}`)
	a.Conclude()
	b := runFrom(t, `{"cluster":{"name":"b"}}`)
	b.Summary.Objects.Read = 0
	b.Conclude()
	r := &Report{Runs: []*Run{a, b}, FailOn: FailOn{FailOnDrift}}
	all := slices.Collect(r.Records())
	var got []string
	for _, one := range all {
		got = append(got, strings.Join([]string{one.Cluster, string(one.Class), one.Fails, one.Finding}, "|"))
	}
	want := []string{
		"a|verdict|yes|DRIFT: 1 of 1 CR differs from the reference, 1 rule is broken; not counted as a failure (--fail-on drift): 1 rule is broken",
		"a|alarm|no|m", "a|drift|yes|x: expected 1, found 2", "a|extra|no|y: 3, not in the reference", "a|rule|no|broken: P q", "a|note|no|noted (A-B)",
		"b|verdict|incomplete|INCOMPLETE: the input holds no CR", "b|incomplete|incomplete|the input holds no CR",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	drift := all[2]
	drift.Fingerprint = ""
	if d := cmp.Diff(Record{Cluster: "a", Class: ClassDrift, Fails: "yes", Impact: Impacting, Part: "p", Component: "c", Template: "t", APIVersion: "v1", Kind: "A",
		Namespace: "n", Name: "x", Path: "x", Finding: "x: expected 1, found 2", Reference: json.RawMessage("1"), Input: json.RawMessage("2"), Comment: "why",
		File: "f", Line: 3, Change: New, Wrapper: "w", Cause: CauseCR}, drift); d != "" {
		t.Error(d)
	}
	for n := range all {
		var first []Record
		for one := range r.Records() {
			if first = append(first, one); len(first) > n {
				break
			}
		}
		if d := cmp.Diff(all[:n+1], first); d != "" {
			t.Errorf("the first %d: %s", n+1, d)
		}
	}
	var read Records
	if err := json.Unmarshal([]byte(`[{"cluster":"a"}]`), &read); err != nil || read != nil {
		t.Errorf("records are read back: %v, %v", read, err)
	}
}

// TestChangesOfSeveralClusters: what is new, changed or gone on some of them is told once, the new ones
// first, of those with the same change the rarest first; what a filter hides is counted.
func TestChangesOfSeveralClusters(t *testing.T) {
	cluster := func(name, differences, gone string) *Run {
		run := runFrom(t, `{"cluster":{"name":"`+name+`","id":"`+name+`"},"comparisons":[{"object":{"kind":"A","name":"x"},"differences":[`+differences+`]}],
			"baseline":{"path":"old.json","gone":[`+gone+`],"changes":{"new":1,"changed":2,"unclear":3,"same":4,"gone":5}}}`)
		run.Conclude()
		return run
	}
	d := func(path, change, cause string) string {
		return `{"category":"drift","path":"` + path + `","reference":1,"input":2,"change":"` + change + `","cause":"` + cause + `"}`
	}
	gone := func(class string) string {
		return `{"class":"` + class + `","object":{"kind":"G","name":"g"},"words":"w","change":"gone"}`
	}
	plain := runFrom(t, `{"cluster":{"name":"p","id":"p"},"comparisons":[{"object":{"kind":"A","name":"x"},"differences":[`+d("n", "new", "cr")+`]}]}`)
	blank := cluster("z", d("n", "new", "cr"), gone("drift"))
	blank.Summary.Objects.Read = 0
	r := &Report{FailOn: FailOn{FailOnDrift}, Runs: []*Run{
		cluster("a", d("n", "new", "cr")+","+d("s", "same", "")+","+d("c", "changed", "cr"), gone("drift")),
		cluster("b", d("n", "new", "cr")+","+d("m", "new", "cr"), gone("extra")),
		cluster("c", d("n", "new", "input")+`,{"category":"extra","path":"e","input":1,"change":"new"}`, gone("drift")), plain, blank,
	}}
	for _, c := range []struct {
		filter Filter
		want   string
		hidden int
	}{
		{Filter{}, "new cr m 1; new cr n 2; new input n 1; changed cr c 1; gone  w 2", 0},
		{Filter{Selectors: []Selector{{Kind: "G"}}}, "gone  w 2", 4},
		{Filter{Selectors: []Selector{{Kind: "A"}}}, "new cr m 1; new cr n 2; new input n 1; changed cr c 1", 1},
	} {
		all, hidden := r.Fleet(c.filter).Changes()
		var got []string
		for _, one := range all {
			text, _, _ := strings.Cut(one.Text, ":")
			got = append(got, fmt.Sprint(one.Change, " ", one.Cause, " ", text, " ", one.N()))
		}
		if said := strings.Join(got, "; "); said != c.want || hidden != c.hidden {
			t.Errorf("%+v: %s, %d hidden, want %s, %d", c.filter, said, hidden, c.want, c.hidden)
		}
	}
	if got, want := r.Since(), "3 new, 6 changed, 15 resolved, 12 the same, 9 there before with hidden values, which may have changed since old.json"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := (&Report{Runs: []*Run{plain}}).Since(); got != "" {
		t.Errorf("without a baseline: %s", got)
	}
}

// TestWhatABrokenRuleSays: its part and component, and each of its templates, those with a description
// with it; a CR that is accepted is of the same rule.
func TestWhatABrokenRuleSays(t *testing.T) {
	component := &refconfig.Component{Name: "c", Part: &refconfig.Part{Name: "p"}}
	a := &refconfig.Template{Path: "a.yaml", Description: "about a", Index: 4, Component: component}
	b := &refconfig.Template{Path: "b.yaml", Component: component}
	v := refconfig.Violation{Component: component, Rule: "oneOf", Line: 7, Of: 3, Code: "VT3003", Message: "m", Templates: []*refconfig.Template{a, b}}
	got := NewRule(v)
	want := Rule{Part: "p", Component: "c", Rule: "oneOf", Code: "VT3003", Message: "m", Of: 3, Line: 7, Templates: []string{"a.yaml", "b.yaml"},
		Descriptions: []Described{{"a.yaml", "about a"}}, Fingerprint: got.Identity()}
	if d := cmp.Diff(want, got); d != "" || got.Fingerprint == "" {
		t.Error(d)
	}
	if none := NewRule(refconfig.Violation{Component: &refconfig.Component{Name: "c"}}); none.Part != "" || none.Component != "c" || none.Templates == nil {
		t.Errorf("%+v", none)
	}
	if d := cmp.Diff(Template{Path: "a.yaml", Part: "p", Component: "c", Description: "about a", Index: 4}, TemplateOf(a)); d != "" {
		t.Error(d)
	}
	o := Object{Kind: "A", Name: "x"}
	accepted := Accept(v, a, o, true, 2, refconfig.Override{Reason: "r", Expires: "2027-01-01"})
	if d := cmp.Diff(AcceptedCR{Part: "p", Component: "c", Rule: "oneOf", Template: "a.yaml", Object: o, Present: true, Override: 2, Reason: "r", Expires: "2027-01-01"}, accepted); d != "" {
		t.Error(d)
	}
	if present := (Present{Template: "a.yaml", Object: o}); !accepted.For(got, present) || string((Rule{Present: []Present{present}}).present()) != `["A x ()"]` || (Rule{}).present() != nil {
		t.Errorf("%+v, %s", accepted, Rule{Present: []Present{present}}.present())
	}
}

package saved_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/saved"
	"github.com/validationtool/validationtool/refconfig"
)

// drift is a CR whose fields differ: each is "path=value" or "path@name=value", with values as JSON.
func drift(kind, name string, fields ...string) *finding.Comparison {
	c := &finding.Comparison{Object: finding.Object{APIVersion: "v1", Kind: kind, Name: name}, Result: finding.Drifted,
		Template: finding.Template{Path: kind + ".yaml", Part: "p", Component: "c"}}
	for _, f := range fields {
		path, value, _ := strings.Cut(f, "=")
		path, named, _ := strings.Cut(path, "@")
		d := finding.Difference{Category: finding.Drift, Path: path, Named: named}
		if side, other, both := strings.Cut(value, "|"); both { // "" for none
			d.Reference, d.Input = absentIfEmpty(side), absentIfEmpty(other)
		} else {
			d.Reference, d.Input = json.RawMessage("0"), json.RawMessage(value)
		}
		c.Differences = append(c.Differences, d)
		c.Counts.Drift++
	}
	finding.Identify(c.Differences, c.Object, c.Template.Path)
	return c
}

func absentIfEmpty(value string) json.RawMessage {
	if value == "" {
		return nil
	}
	return json.RawMessage(value)
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

func diff(then, now *finding.Report) *saved.Diff {
	return saved.DiffOf(
		finding.Tool{}, saved.Earlier{Path: "old", Report: then}, saved.Earlier{Path: "new", Report: now}, now.FailOn,
	)
}

// TestWhatADiffSays: of all clusters together and of each, with the exit status; what is no longer
// known makes it incomplete.
func TestWhatADiffSays(t *testing.T) {
	a, b := finding.Cluster{Name: "a", ID: "1"}, finding.Cluster{Name: "b", ID: "2"}
	unknown := func(message string, all ...*finding.Comparison) *finding.Run {
		run := runOf(a, all...)
		run.NotKnown = []refconfig.Problem{{Code: "VT1046", Message: message}}
		return run
	}
	validated := func(r *finding.Report) *finding.Report {
		r.Runs[0].Validated = true
		return r
	}
	unread := func(r *finding.Report) *finding.Report {
		r.Runs[0].Summary.Objects.Read = 0
		return r
	}
	one, other, more := drift("A", "a", "x=1"), drift("A", "a", "x=2"), drift("A", "a", "x=1", "y=1")
	clean := drift("A", "a")
	clean.Result = finding.Clean
	otherReference := report(runOf(a, one))
	otherReference.Reference.Hash = "sha256:1"
	for _, c := range []struct {
		then, now *finding.Report
		want      string
	}{
		{report(runOf(a, one)), report(runOf(a, one)), "0 NOTHING NEW: 1 cluster; nothing new, 1 the same since old; 0 NOTHING NEW: 1 the same since old"},
		{report(runOf(a, one)), report(runOf(a, other)), "1 CHANGED: 1 cluster, 1 with something new; 1 changed since old; 1 CHANGED: 1 changed since old"},
		{report(runOf(a, one)), report(runOf(a, more)), "1 NEW: 1 cluster, 1 with something new; 1 new, 1 the same since old; 1 NEW: 1 new, 1 the same since old"},
		{report(runOf(a, more)), report(runOf(a, one)), "0 RESOLVED: 1 cluster; nothing new, 1 resolved, 1 the same since old; 0 RESOLVED: 1 resolved, 1 the same since old"},
		{report(runOf(a, one), runOf(b, one)), report(runOf(b, more)), "2 INCOMPLETE: 2 clusters, 1 with something new, 1 incomplete; 1 new, 1 the same since old; 1 NEW: 1 new, 1 the same since old; 2 INCOMPLETE: new: it has nothing of this cluster"},
		{report(runOf(a, clean)), report(runOf(a, clean)), "0 NOTHING NEW: 1 cluster; nothing new since old; 0 NOTHING NEW since old"},
		{report(runOf(a, drift("A", "a", `x="(hidden, 1 byte)"`, "y=1"))), report(runOf(a, drift("A", "a", `x="(hidden, 1 byte)"`))),
			"0 NOTHING NEW: 1 cluster; nothing new, 1 resolved, 1 there before with hidden values, which may have changed since old; 0 NOTHING NEW: 1 resolved, 1 there before with hidden values, which may have changed since old"},
		{report(runOf(a, one)), validated(report(runOf(a, one))), "0 NOTHING NEW: 1 cluster; nothing new, 1 the same since old; 0 NOTHING NEW: 1 the same since old (where CRs were not validated)"},
		{validated(report(runOf(a, one))), report(runOf(a, one)), "0 NOTHING NEW: 1 cluster; nothing new, 1 the same since old; 0 NOTHING NEW: 1 the same since old (where CRs were validated, unlike here)"},
		{validated(report(runOf(a, one))), validated(report(runOf(a, one))), "0 NOTHING NEW: 1 cluster; nothing new, 1 the same since old; 0 NOTHING NEW: 1 the same since old"},
		{otherReference, report(runOf(a, one)), "0 NOTHING NEW: 1 cluster; nothing new, 1 the same since old; 0 NOTHING NEW: 1 the same since old (of another reference)"},
		{report(runOf(a, one)), unread(report(runOf(a))), "2 INCOMPLETE: 1 cluster, 1 incomplete; nothing new since old; 2 INCOMPLETE: new: the input holds no CR"},
		{report(unknown("m", one)), report(unknown("m", one)), "0 NOTHING NEW: 1 cluster; nothing new, 1 the same since old; 0 NOTHING NEW: 1 the same since old"},
		{report(unknown("m", one)), report(unknown("n", one)), "2 INCOMPLETE: 1 cluster, 1 incomplete; nothing new, 1 the same since old; 2 INCOMPLETE: it is not certain which findings are new, new: 1 collection of CRs of the reference failed: the input may not show all CRs; nothing new, 1 the same since old"},
	} {
		d := diff(c.then, c.now)
		said := []string{fmt.Sprint(d.ExitStatus, " ", d.Overall())}
		for _, one := range d.Clusters {
			said = append(said, fmt.Sprint(one.Status(), " ", d.Sentence(one)))
		}
		if got := strings.Join(said, "; "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestARenamedTemplateKeepsItsFindings: those with the same values, if the reference is another one and it is
// certain that they are the same.
func TestARenamedTemplateKeepsItsFindings(t *testing.T) {
	absent := func(name string) *finding.Report {
		r := described("drift A a;missing t.yaml")
		r.Runs[0].Rules[0].Missing[0].Object = finding.Object{Kind: "M", Name: name}
		return r
	}
	renamed := func(r *finding.Report) *finding.Report {
		r.Reference.Hash = "sha256:1"
		for _, c := range r.Runs[0].Comparisons {
			c.Template.Path = "other.yaml"
			for i, d := range c.Differences {
				one := []finding.Difference{d}
				if strings.HasPrefix(d.Path, "l.") {
					one[0].Named = "l.[a].v"
				}
				finding.Identify(one, c.Object, c.Template.Path)
				c.Differences[i].Fingerprint = one[0].Fingerprint
			}
		}
		for i, rule := range r.Runs[0].Rules {
			for j := range rule.Missing {
				r.Runs[0].Rules[i].Templates[j], r.Runs[0].Rules[i].Missing[j].Template = "other.yaml", "other.yaml"
			}
		}
		return r
	}
	same := renamed(described("drift A a x=1"))
	same.Reference.Hash = "sha256:0"
	component := renamed(described("drift A a x=1"))
	component.Runs[0].Comparisons[0].Template.Component = "d"
	for name, c := range map[string]struct {
		then, now *finding.Report
		want      string
	}{
		"a field":                 {described("drift A a x=1"), renamed(described("drift A a x=1")), "same"},
		"another value":           {described("drift A a x=1"), renamed(described("drift A a x=2")), "new gone"},
		"another CR":              {described("drift A a x=1"), renamed(described("drift A b x=1")), "new gone"},
		"another component":       {described("drift A a x=1"), component, "new gone"},
		"the same reference":      {described("drift A a x=1"), same, "new gone"},
		"one more of a field":     {described("drift A a x=1"), renamed(described("drift A a x=1 x=1")), "new same"},
		"an item that has a name": {described("drift A a l.0.v@l.[b].v=1"), renamed(described("drift A a l.0.v=1")), "new gone"},
		"a missing CR":            {absent("m"), renamed(absent("m")), "same"},
		"another missing CR":      {absent("m"), renamed(absent("n")), "new gone"},
		"a CR without a name":     {absent(""), renamed(absent("")), "new gone"},
	} {
		var got []string
		for _, f := range diff(c.then, c.now).Clusters[0].Findings {
			got = append(got, string(f.Change))
		}
		if said := strings.Join(got, " "); said != c.want {
			t.Errorf("%s: %s, want %s", name, said, c.want)
		}
	}
}

// TestWhyAFindingIsNew: a cause is said only if the two reports prove it; else nothing is said.
func TestWhyAFindingIsNew(t *testing.T) {
	missing := func(template string) *finding.Report {
		r := described("missing " + template)
		r.Runs[0].Rules[0].Component = "c"
		r.Runs[0].Rules[0].Missing[0].Object = finding.Object{Kind: "M", Name: "m"}
		return r
	}
	optional := func(template string) *finding.Report {
		r := missing(template)
		r.Runs[0].Rules[0].Rule = "allOrNoneOf"
		return r
	}
	uncollected := func(template string) *finding.Report {
		r := missing(template)
		r.Runs[0].Rules[0].Missing[0].NotCollected = true
		return r
	}
	otherReference := func(r *finding.Report) { r.Reference.Hash = "sha256:1" }
	for name, c := range map[string]struct {
		then, now *finding.Report
		change    func(then *finding.Report)
		want      finding.Cause
	}{
		"an input":             {described("drift A a"), described("drift A a x=1"), nil, finding.CauseInput},
		"a CR":                 {described("drift A a x=1"), described("drift A a x=2"), nil, finding.CauseCR},
		"a computed value":     {described("drift A a x=1|3"), described("drift A a x=2|3"), nil, finding.CauseExpected},
		"of no CR before":      {described("drift A a"), described("drift A a x=1"), func(r *finding.Report) { r.Runs[0].Summary.Objects.Read = 0 }, ""},
		"of an incomplete one": {described("drift A a;failed B b"), described("drift A a x=1"), nil, ""},
		"another tool":         {described("drift A a"), described("drift A a x=1"), func(r *finding.Report) { r.Tool.Version = "2" }, ""},
		"not validated":        {described("drift A a"), described("drift A a x=1"), func(r *finding.Report) { r.Runs[0].Validated = true }, ""},
		"given":                {described("drift A a"), missing("m.yaml"), func(r *finding.Report) { r.Runs[0].Given = true }, ""},
		"other options":        {described("drift A a"), described("drift A a x=1"), func(r *finding.Report) { r.Runs[0].Options = []string{"wrapped"} }, ""},
		"merged with another": {described("drift A a"), described("drift A a x=1"), func(r *finding.Report) {
			r.Runs[0].Alarms = []finding.Warning{{Code: "VT1027"}}
		}, ""},
		"merged with another of a known reference": {described("drift A a"), described("drift A a x=1"), func(r *finding.Report) {
			r.Runs[0].Alarms = []finding.Warning{{Code: "VT1027"}}
			r.Runs[0].Reference, r.Reference.Hash = r.Reference, "sha256:1"
		}, finding.CauseInput},
		"a template of a run's own reference": {described("drift A a"), missing("m.yaml"), func(r *finding.Report) {
			r.Runs[0].Reference.Hash = "sha256:1"
		}, finding.CauseReference},
		"other components":    {described("drift A a"), described("drift A a x=1"), func(r *finding.Report) { r.Runs[0].LeftOut = []string{"x"} }, ""},
		"other overrides":     {described("drift A a"), described("drift A a x=1"), func(r *finding.Report) { r.Runs[0].Overrides = []finding.OverrideUse{{File: "f"}} }, ""},
		"not collected":       {described("drift A a"), uncollected("m.yaml"), nil, finding.CauseInput},
		"drift since another": {described("drift A a"), described("drift A a x=1"), otherReference, ""},
		"a CR of another":     {described("drift A a x=1"), described("drift A a x=2"), otherReference, finding.CauseCR},
		"a value of another":  {described("drift A a x=1|3"), described("drift A a x=2|3"), otherReference, finding.CauseExpected},
		"both":                {described("drift A a x=1|3"), described("drift A a x=2|4"), otherReference, finding.CauseBoth},
		"a map that may lack omitted fields": {
			described(`drift A a x=1|{"a":1}`), described(`drift A a x=1|{"b":1}`), otherReference, "",
		},
		"both of other options": {described("drift A a x=1|3"), described("drift A a x=2|4"), func(r *finding.Report) {
			otherReference(r)
			r.Runs[0].Options = []string{"wrapped"}
		}, ""},
		"a template":        {described("drift A a"), missing("m.yaml"), otherReference, finding.CauseReference},
		"one that had a CR": {described("drift m a"), missing("m.yaml"), otherReference, ""},
		"one of a group":    {described("drift A a"), optional("m.yaml"), otherReference, ""},
		"one that was missing": {described("drift A a"), missing("m.yaml"), func(r *finding.Report) {
			otherReference(r)
			r.Runs[0].Rules = []finding.Rule{{Templates: []string{"m.yaml"}}}
		}, ""},
		"one that was accepted": {described("drift A a"), missing("m.yaml"), func(r *finding.Report) {
			otherReference(r)
			r.Runs[0].AcceptedCRs = []finding.AcceptedCR{{Template: "m.yaml"}}
		}, ""},
		"one that was referenced": {described("drift A a"), missing("m.yaml"), func(r *finding.Report) {
			otherReference(r)
			r.Runs[0].Referenced = []finding.Referenced{{Template: "m.yaml"}}
		}, ""},
		"one that was renamed":  {described("drift M m"), missing("m.yaml"), otherReference, ""},
		"one that was left out": {described("drift A a"), missing("m.yaml"), func(r *finding.Report) { otherReference(r); r.Runs[0].LeftOut = []string{"c"} }, ""},
		"a rule":                {described("rule a"), described("rule a b"), nil, finding.CauseInput},
		"a rule of another":     {described("rule a"), described("rule a b"), otherReference, ""},
	} {
		if c.change != nil {
			c.change(c.then)
		}
		all := diff(c.then, c.now).Clusters[0].Findings
		if len(all) == 0 || all[0].Cause != c.want {
			t.Errorf("%s: %+v, want %q", name, all, c.want)
		}
	}
}

// TestAClusterThatIsLackingIsIncomplete: a report that is marked since an earlier one of another
// cluster has a run for it.
func TestAClusterThatIsLackingIsIncomplete(t *testing.T) {
	now := report(runOf(finding.Cluster{Name: "a", ID: "1"}))
	then := report(runOf(finding.Cluster{Name: "a", ID: "1"}), runOf(finding.Cluster{Name: "b", ID: "2"}))
	if saved.Mark(now, saved.Earlier{Path: "old", Report: then}); len(now.Runs) != 1 {
		t.Errorf("%d runs, although other findings count too", len(now.Runs))
	}
	now.FailOn = append(now.FailOn, finding.FailOnNew)
	for range 2 { // a second time, the run that was made is not one of the input
		saved.Mark(now, saved.Earlier{Path: "old", Report: then})
		if n := len(now.Runs); n != 2 || now.Runs[1].Summary.Verdict != finding.Incomplete {
			t.Errorf("%d runs, %+v", n, now.Runs[n-1].Summary)
		}
	}
	onlyA := report(runOf(finding.Cluster{Name: "a", ID: "1"}))
	both := now.Runs
	if saved.Mark(now, saved.Earlier{Path: "old", Report: onlyA}); len(now.Runs) != 1 {
		t.Errorf("%d runs, although the earlier report has one", len(now.Runs))
	}
	now.Runs = both[1:]
	if saved.Mark(now, saved.Earlier{Path: "old", Report: onlyA}); now.Runs[0] != both[1] {
		t.Error("the only run is gone")
	}
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
		{`"(hidden, 5 bytes)"`, `"clear"`, finding.Unclear},
		{`{"a":1,"b":1}`, `{"a":1}`, finding.Changed},
		{`{"a":1}`, `[1]`, finding.Changed},
		{`[1]`, `1`, finding.Changed},
		{`{}`, `1`, finding.Changed},
		{`[]`, `{}`, finding.Changed},
		{`10000000000000000001`, `10000000000000000002`, finding.Changed},
		{`1e-7`, `1e-07`, finding.Unchanged},
		{`{"a":[100000,0]}`, `{"a":[1E5,-0.0]}`, finding.Unchanged},
		{`1.5`, `1.50`, finding.Unchanged},
		{`0.1`, `0.10000000000000002`, finding.Changed},
		{`1e400`, `1e401`, finding.Changed},
		{`1|`, `1|`, finding.Unchanged},
		{`|1`, `|1`, finding.Unchanged},
		{`|`, `|`, finding.Unchanged},
		{`1|""`, `1|`, finding.Changed},
		{`1|`, `1|""`, finding.Changed},
		{`1|2`, `|`, finding.Changed},
		{`|`, `1|2`, finding.Changed},
		{`1|2`, `1|`, finding.Changed},
		{`1|`, `1|2`, finding.Changed},
		{`1|2`, `|2`, finding.Changed},
		{`|2`, `1|2`, finding.Changed},
		{`|1`, `|2`, finding.Changed},
		{`1|`, `2|`, finding.Changed},
		{`|"(hidden, 5 bytes)"`, `|"(hidden, 5 bytes)"`, finding.Unclear},
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
		{"one of two of a name", []finding.Cluster{id("", "", "a")}, []finding.Cluster{id("1", "", "a"), id("2", "", "a")},
			"1 new since old (which does not tell which of its clusters is this one)|1 new|" +
				"INCOMPLETE: new: it does not tell which of its clusters is this one"},
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

// TestSelectClustersByGlob: a glob selects clusters by any of their names, and what is of no cluster that is
// known counts only if it has no CR.
func TestSelectClustersByGlob(t *testing.T) {
	blank, unknown := runOf(finding.Cluster{}), runOf(finding.Cluster{})
	unknown.Summary.Objects.Read = 1
	runs := []*finding.Run{runOf(finding.Cluster{Name: "a"}), runOf(finding.Cluster{ID: "ab"}), runOf(finding.Cluster{Infrastructure: "b"}), blank, unknown}
	for glob, want := range map[string][]*finding.Run{"": runs, "a*": {runs[0], runs[1], blank}, "b": {runs[2], blank}, "*": runs[:4]} {
		var globs []string
		if glob != "" {
			globs = append(globs, glob)
		}
		if got := saved.Meant(runs, globs); !slices.Equal(got, want) {
			t.Errorf("%q means %d runs, want %d", glob, len(got), len(want))
		}
	}
}

// TestCountsAddUp: of any two reports, what the new one has is new, changed, unclear or the same,
// what the old one has is gone or one of the last three; each finding of the new one is marked so;
// and a report held against itself has nothing new.
func TestCountsAddUp(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../../docs/diff.schema.json")
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
		saved.Mark(now, saved.Earlier{Path: "old", Report: then})
		if now.Conclude(); now.Runs[0].Baseline.Changes != n {
			t.Fatalf("the run counts %+v, the document %+v", now.Runs[0].Baseline.Changes, n)
		}
		if again := diff(now, now); again.ExitStatus != 0 || again.Summary != (finding.Changes{Same: news}) {
			t.Fatalf("against itself: %+v", again.Summary)
		}
	}
}

func checkKeeps(t *testing.T, schema *jsonschema.Schema, d *saved.Diff) {
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

// described makes a report of parts such as "drift A a x=1 y=2", "failed B b", "rule a b" for a rule
// that CRs break, and "missing a.yaml b.yaml?" where the last one was perhaps not collected.
func described(text string) *finding.Report {
	run := runOf(finding.Cluster{})
	for part := range strings.SplitSeq(text, ";") {
		words := append(strings.Fields(part), "")
		what, words := words[0], words[1:max(len(words)-1, 1)]
		rule := finding.Rule{Rule: "noneOf", Code: "VT3002", Message: "forbidden", Templates: []string{"n.yaml"}, Fingerprint: "1"}
		switch what {
		case "drift", "failed":
			c := drift(words[0], words[1], words[2:]...)
			if what == "failed" {
				c.Result, c.Error = finding.Failed, &finding.Error{Code: "VT4001", Message: "bad"}
			}
			run.Comparisons = append(run.Comparisons, c)
		case "rule":
			for _, name := range words {
				o := finding.Object{APIVersion: "v1", Kind: "A", Name: name}
				rule.Present = append(rule.Present, finding.Present{Template: "n.yaml", Object: o})
			}
			run.Rules = append(run.Rules, rule)
		case "unmatched", "unnamed": // the CRs of a kind, which the report lists or only counts
			for _, name := range words {
				o := finding.Object{APIVersion: "v1", Kind: "U", Name: name}
				run.Unmatched = append(run.Unmatched, finding.Unmatched{Object: o})
			}
		case "missing":
			rule.Rule, rule.Code, rule.Templates, rule.Fingerprint = "allOf", "VT3001", nil, "2"
			for _, word := range words {
				path, open := strings.CutSuffix(word, "?")
				rule.Templates = append(rule.Templates, path)
				rule.Missing = append(rule.Missing, finding.Missed{Template: path, NotCollected: open})
			}
			run.Rules = append(run.Rules, rule)
		}
	}
	r := report(run)
	if strings.Contains(text, "unnamed") {
		run.Unmatched = nil
	}
	return r
}

// TestChanges: each finding has its change and, if it has changed, its former words. Another CR that
// breaks a rule is a change, fewer are none; a CR of which it is now known that it is missing has
// changed; items of lists are found by their names. The exit status of diff is 1 if something
// that counts is new or has changed, and so is that of a run where only new findings count.
func TestChanges(t *testing.T) {
	for _, test := range []struct {
		then, now, failOn string
		status            int
		want              string
	}{
		{"drift A a x=1", "drift A a x=1", "drift", 0, "NOTHING NEW; same x: expected 0, found 1"},
		{"drift A a", "drift A a x=1", "drift", 1, "NEW; new x: expected 0, found 1"},
		{"drift A a x=1", "drift A a x=2", "drift", 1, "CHANGED; changed x: expected 0, found 2, was x: expected 0, found 1"},
		{"drift A a x=1", "drift A a x=2", "missing", 0, "CHANGED; changed x: expected 0, found 2, was x: expected 0, found 1"},
		{"drift A a x=1", "drift A a", "drift", 0, "RESOLVED; gone x: expected 0, found 1"},
		{"drift A a x=1", "drift A a x=2 y=1", "drift", 1, "NEW; new y: expected 0, found 1; changed x: expected 0, found 2, was x: expected 0, found 1"},
		{"drift A a x=1", "drift A a a=1 x=1", "drift", 1, "NEW; new a: expected 0, found 1; same x: expected 0, found 1"},
		{"drift A a l.0.v@l.[a].v=1 l.1.v@l.[a].v=2", "drift A a l.0.v@l.[a].v=2", "drift", 0, "RESOLVED; gone l.0.v: expected 0, found 1; same l.0.v: expected 0, found 2"},
		{"missing a.yaml? b.yaml", "missing a.yaml b.yaml", "missing", 1, "CHANGED; changed not found (a.yaml), was perhaps not collected (a.yaml); same not found (b.yaml)"},
		{"rule a", "rule a", "missing", 0, "NOTHING NEW; same forbidden: A a"},
		{"rule a", "rule b", "missing", 1, "CHANGED; changed forbidden: A b, was forbidden: A a"},
		{"rule a", "rule a b", "missing", 1, "CHANGED; changed forbidden: A a, A b, was forbidden: A a"},
		{"rule a b", "rule b", "missing", 0, "NOTHING NEW; same forbidden: A b"},
		{"rule a b", "rule b a", "missing", 0, "NOTHING NEW; same forbidden: A b, A a"},
		{"rule a b c d e f g h i", "rule a b c d e f g h j", "missing", 1, "CHANGED; changed forbidden: A a, A b, A c, A d, A e, … and 4 more"}, // of many, not all are named
		{"drift A a l.0.v@l.[a].v=1", "drift A a l.1.v@l.[a].v=1", "drift", 0, "NOTHING NEW; same l.1.v: expected 0, found 1"},
		{"drift A a l.0.v@l.[a].v=1", "drift A a l.0.v@l.[b].v=1", "drift", 1, "NEW; new l.0.v: expected 0, found 1; gone l.0.v: expected 0, found 1"},
		{"drift A a l.2.v@l.1.v=1", "drift A a l.1.v@l.0.v=1", "drift", 1, "NEW; new l.1.v: expected 0, found 1; gone l.2.v: expected 0, found 1"},
		{"drift A a;unmatched a", "drift A a;unmatched a", "unmatched", 0, "NOTHING NEW; same 1 CR of this kind matches no template"},
		{"drift A a;unmatched a", "drift A a;unmatched b", "unmatched", 1, "CHANGED; changed 1 CR of this kind matches no template"},
		{"drift A a;unnamed a", "drift A a;unmatched b", "unmatched", 1, "CHANGED; changed 1 CR of this kind matches no template"},
		{"drift A a;unnamed a", "drift A a;unnamed a", "unmatched", 0, "NOTHING NEW; same 1 CR of this kind matches no template"},
		{"drift A a;unmatched a b", "drift A a;unmatched b", "unmatched", 0, "NOTHING NEW; same 1 CR of this kind matches no template"},
		{"drift A a;unmatched a b", "drift A a;unmatched c", "unmatched", 1, "CHANGED; changed 1 CR of this kind matches no template, was 2 CRs of this kind match no template"},
		{"drift A a;unmatched a", "drift A a;unmatched a b", "unmatched", 1, "CHANGED; changed 2 CRs of this kind match no template, was 1 CR of this kind matches no template"},
	} {
		then, now := described(test.then), described(test.now)
		now.FailOn = finding.FailOn{finding.FailOnWord(test.failOn)}
		d := diff(then, now)
		said, _, _ := strings.Cut(strings.Replace(d.Sentence(d.Clusters[0]), " since", ":", 1), ":")
		for _, f := range d.Clusters[0].Findings {
			said += fmt.Sprintf("; %s %s%s", f.Change, f.Words, finding.Prefixed(", was ", f.Was))
		}
		*now = finding.Report{Reference: now.Reference, Runs: now.Runs, FailOn: append(now.FailOn, finding.FailOnNew)}
		saved.Mark(now, saved.Earlier{Path: "old", Report: then})
		now.Conclude()
		if said != test.want || d.ExitStatus != test.status || now.ExitStatus != test.status {
			t.Errorf("%q, then %q: %q, %d, %d; want %q, %d", test.then, test.now, said, d.ExitStatus, now.ExitStatus, test.want, test.status)
		}
	}
	// an incomplete baseline is no obstacle for a run without findings that could be new
	for now, want := range map[string]string{"drift A a": "0 COMPLIANT", "extra A a x=1": "2 INCOMPLETE", "drift A a x=1": "2 DRIFT"} {
		r := described(strings.Replace(now, "extra", "drift", 1))
		c := r.Runs[0].Comparisons[0]
		switch {
		case strings.HasPrefix(now, "extra"):
			c.Result, c.Counts = finding.OnlyExtra, finding.Counts{Extra: 1}
			c.Differences[0].Category = finding.Extra
		case len(c.Differences) == 0:
			c.Result = finding.Clean
		}
		failOn := finding.FailOn{finding.FailOnDrift, finding.FailOnExtra, finding.FailOnNew}
		r = &finding.Report{Reference: r.Reference, FailOn: failOn, Runs: []*finding.Run{
			{Comparisons: r.Runs[0].Comparisons, Summary: finding.Summary{Objects: finding.Objects{Read: 1}}},
		}}
		r.Runs[0].Conclude()
		saved.Mark(r, saved.Earlier{Path: "old", Report: described("failed B b")})
		r.Conclude()
		said := fmt.Sprint(r.ExitStatus, " ", r.Runs[0].Sentence(failOn))
		if !strings.HasPrefix(said, want+": ") || strings.Contains(said, "not certain") != (r.ExitStatus == 2) {
			t.Errorf("%s since an incomplete report: %s, want %s", now, said, want)
		}
	}
	if none := (&finding.Report{}); diff(none, none).ExitStatus != 2 {
		t.Error("reports without a cluster are compared")
	}
	failed := described("failed B b")
	saved.Mark(failed, saved.Earlier{Path: "old", Report: described("")})
	if failed.Conclude(); failed.Runs[0].Comparisons[0].Error.Change != finding.New || failed.ExitStatus != 2 {
		t.Errorf("%+v, and the exit status is %d", failed.Runs[0].Comparisons[0].Error, failed.ExitStatus)
	}
}

// TestWhatIsGoneHasNoValues: an earlier report may show what is hidden in this one.
func TestWhatIsGoneHasNoValues(t *testing.T) {
	now := report(runOf(finding.Cluster{}))
	failed := drift("B", "b")
	failed.Result, failed.Error = finding.Failed, &finding.Error{Code: "VT4001", Message: "bad: letmein"}
	saved.Mark(
		now,
		saved.Earlier{
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

// TestFindingsOfOtherComponentsAreNotResolved: findings of components that the run leaves out may still be there.
func TestFindingsOfOtherComponentsAreNotResolved(t *testing.T) {
	run := runOf(finding.Cluster{})
	run.LeftOut = []string{"p/c"}
	d := diff(report(runOf(finding.Cluster{}, drift("A", "a", "x=1"))), report(run))
	if said := d.Sentence(d.Clusters[0]); d.Summary.Gone != 0 ||
		!strings.Contains(said, "(where other components were excluded)") {
		t.Errorf("%s", said)
	}
	invalid := drift("A", "a", "x=1")
	invalid.Differences[0].Category, invalid.Counts = finding.Invalid, finding.Counts{Invalid: 1}
	for _, now := range []struct {
		validated bool
		without   []finding.Kind
		want      int
	}{{false, nil, 0}, {true, nil, 1}, {true, []finding.Kind{{APIVersion: "v1", Kind: "A"}}, 0}, {true, []finding.Kind{{APIVersion: "v1", Kind: "B"}}, 1}} {
		run := runOf(finding.Cluster{})
		run.Validated, run.NotValidated = now.validated, now.without
		then := report(runOf(finding.Cluster{}, invalid))
		if saved.Mark(report(run), saved.Earlier{Path: "old", Report: then}); len(run.Baseline.Gone) != now.want {
			t.Errorf("%+v: %d are gone", now, len(run.Baseline.Gone))
		}
	}
}

// TestResolvedFindingAmongSeveralOfOneField: and where the field stands elsewhere, what is said of
// it is the same.
func TestResolvedFindingAmongSeveralOfOneField(t *testing.T) {
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
	if d := diff(checks("l.0", "one"), checks("l.0", "two")); d.Clusters[0].Findings[0].Change != finding.Changed {
		t.Errorf("another message: %+v", d.Clusters[0].Findings)
	}
	if want := "gone l.0: two (A-B) 34\nsame l.1: three (A-B) 32\nsame l.1: one (A-B) 34\n"; said != want {
		t.Errorf("%s, want %s", said, want)
	}
}

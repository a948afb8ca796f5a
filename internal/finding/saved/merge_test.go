package saved

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
)

// reportOf is a report on clusters.
func reportOf(failOn string, all ...finding.Cluster) *finding.Report {
	r := &finding.Report{Reference: finding.Reference{Path: "ref", Hash: "sha256:1"}}
	for word := range strings.SplitSeq(failOn, ",") {
		r.FailOn = append(r.FailOn, finding.FailOnWord(word))
	}
	for _, c := range all {
		r.Runs = append(r.Runs, &finding.Run{Cluster: c, Inputs: []finding.Input{{Path: c.Name + ".tar.gz"}}})
	}
	return r
}

// TestFailOnOfMergedReports: but "new" and "none" make less of a report count, and so hold
// only where they hold for all.
func TestFailOnOfMergedReports(t *testing.T) {
	for _, c := range []struct{ one, other, want string }{
		{"drift,missing", "drift,missing", "drift,missing"},
		{"drift", "missing,extra", "drift,missing,extra"},
		{"none", "drift", "drift"},
		{"none", "none", "none"},
		{"drift,missing,new", "drift,missing", "drift,missing"},
		{"drift,new", "missing,new", "drift,missing,new"},
	} {
		for _, all := range [][]*finding.Report{{reportOf(c.one), reportOf(c.other)}, {reportOf(c.other), Unusable("gone.json", ""), reportOf(c.one)}} {
			if got := Merge(finding.Tool{}, all).FailOn.String(); got != c.want {
				t.Errorf("%s and %s: %s, want %s", c.one, c.other, got, c.want)
			}
		}
	}
}

// TestClusterInTwoReportsIsWarnedOf: where something is known of both that agrees, and nothing
// contradicts.
func TestClusterInTwoReportsIsWarnedOf(t *testing.T) {
	a := finding.Cluster{Name: "a", ID: "1", Infrastructure: "x"}
	for _, c := range []struct {
		what  string
		other finding.Cluster
		want  int
	}{
		{"the same", a, 1},
		{"another id", finding.Cluster{ID: "2", Infrastructure: "x"}, 0},
		{"only the same name", finding.Cluster{Name: "a"}, 0},
	} {
		first, second := reportOf("drift", a), reportOf("drift", c.other)
		runs := Merge(finding.Tool{}, []*finding.Report{first, second}).Runs
		if len(runs[0].Alarms) != 0 || len(runs[1].Alarms) != c.want ||
			c.want > 0 && !strings.Contains(runs[1].Alarms[0].Message, "of a.tar.gz") {
			t.Errorf("%s: %+v", c.what, runs[1].Alarms)
		}
		for _, run := range Merge(finding.Tool{}, []*finding.Report{first, Unusable("gone.json", "")}).Runs {
			if len(run.Alarms) != 0 {
				t.Errorf("what is no report has another reference: %v", run.Alarms)
			}
		}
		if len(second.Runs[0].Alarms) != 0 {
			t.Error("the report that was read is changed")
		}
		if runs := Merge(finding.Tool{}, []*finding.Report{reportOf("drift", a, c.other)}).Runs; len(
			runs[1].Alarms,
		) != 0 {
			t.Errorf("%s: what one run told apart is told to be the same", c.what)
		}
	}
}

// TestMerge: a report of another reference is warned of, and what was passed over is added up.
func TestMerge(t *testing.T) {
	all := []*finding.Report{Unusable("gone.json", ""), reportOf("drift", finding.Cluster{}), reportOf("drift", finding.Cluster{}), reportOf("drift", finding.Cluster{})}
	all[1].Passed = []finding.Passed{{Reason: "z", Count: 1, Files: 1, Names: []string{"c", "b"}}, {Reason: "a", Count: 1}}
	all[2].Passed = []finding.Passed{{Reason: "z", Count: 2, Files: 2, Names: []string{"a"}}}
	all[3].Reference = finding.Reference{Path: "other", Hash: "sha256:2"}
	merged := Merge(finding.Tool{}, all)
	if got, want := fmt.Sprint(merged.Passed), "[{a 1 0 []} {z 3 3 [a b c]}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for i, want := range []string{"[]", "[]", "[]", "[the reference is not that of the first report: other (sha256:2) (VT1027)]"} {
		if got := fmt.Sprint(merged.Runs[i].Alarms); got != want {
			t.Errorf("run %d: %s, want %s", i, got, want)
		}
	}
	if none := Merge(finding.Tool{}, all[:1]); none.Runs[0].Summary.Verdict != finding.Incomplete || none.Reference != (finding.Reference{}) {
		t.Errorf("without a report: %+v", none)
	}
}

// TestReportsThatNoComparisonWrote: what lists nothing thousands of times, and what repeats long
// names or lies deep, is no report, although its counts are right.
func TestReportsThatNoComparisonWrote(t *testing.T) {
	const object = `"object":{"kind":"A"},"template":{"path":"t"}`
	rule := fmt.Sprintf(`"rule":"anyOf","code":"VT3002","fingerprint":%q`, finding.Rule{Rule: "anyOf"}.Identity())
	drift := func(path string) string {
		all := []finding.Difference{{Category: finding.Drift, Path: path}}
		finding.Identify(all, finding.Object{Kind: "A"}, "t")
		return fmt.Sprintf(`"category":"drift","path":%q,"fingerprint":%q`, path, all[0].Fingerprint)
	}
	of := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	long, deep := strings.Repeat("n", 100_000), strings.Repeat("[", 900)+strings.Repeat("]", 900)
	compared := func(c string, n int) string {
		return fmt.Sprintf(
			`"comparisons":[{%s,"counts":{"drift":%d}}],"summary":{"verdict":"drift","objects":{"read":1,"compared":1,"drift":1},"differences":{"drift":%[2]d}}`,
			c,
			n,
		)
	}
	broken := func(n int, more string) string {
		return fmt.Sprintf(`%s,"summary":{"verdict":"drift","objects":{"read":1},"brokenRules":%d}`, more, n)
	}
	incomplete := func(more string, n int) string {
		return fmt.Sprintf(`%s,"summary":{"verdict":"incomplete","objects":{"read":1},"unreadable":%d}`, more, n)
	}
	for name, c := range map[string]struct {
		run, want string
		status    int
	}{
		"a report":                      {broken(1, `"rules":[{`+rule+`}]`), "", 1},
		"rules without anything":        {broken(2, `"rules":[{`+rule+`},{}]`), "lacks", 1},
		"a rule without a template":     {broken(1, `"rules":[{`+rule+`,"present":[{}]}]`), "lacks", 1},
		"inputs without a path":         {broken(1, `"inputs":[{}],"rules":[{`+rule+`}]`), "lacks", 1},
		"warnings without a code":       {broken(1, `"warnings":[{}],"rules":[{`+rule+`}]`), "lacks", 1},
		"kinds without a name":          {broken(1, `"unmatchedKinds":[{}],"rules":[{`+rule+`}]`), "lacks", 1},
		"fields without a path":         {broken(1, `"suppressed":[{"fields":[{}]}],"rules":[{`+rule+`}]`), "lacks", 1},
		"what is gone without a class":  {broken(1, `"baseline":{"gone":[{"change":"gone"}],"changes":{"gone":1}},"rules":[{`+rule+`}]`), "lacks", 1},
		"problems without a code":       {incomplete(`"unreadable":[{}]`, 1), "lacks", 2},
		"a comparison":                  {compared(object+`,"result":"drift","differences":[{`+drift("")+`}]`, 1), "", 1},
		"a comparison without a kind":   {compared(`"result":"drift"`, 0), "lacks", 1},
		"a difference without anything": {compared(object+`,"result":"drift","differences":[{}]`, 1), "lacks", 1},
		"a long name of many findings": {compared(`"object":{"kind":"A","name":"`+long+`"},"template":{"path":"t"},"result":"drift","differences":[`+
			of(3000, `{`+drift("")+`}`)+`]`, 3000), "250 times", 1},
		"a cluster of a long name": {incomplete(`"cluster":{"name":"`+long+`"},"unreadable":[`+of(3000, `{"code":"VT1005"}`)+`]`, 3000), "250 times", 2},
		"values that lie deep": {compared(object+`,"result":"drift","differences":[`+
			of(100, `{`+drift("")+`,"input":`+deep+`}`)+`]`, 100), "250 times", 1},
		"a value that lies deep": {compared(object+`,"result":"drift","differences":[`+
			of(3000, `{`+drift("")+`}`)+`,{`+drift(`\"{`)+`,"input":`+deep[800:1000]+`}]`, 3001), "", 1},
	} {
		verdict := "drift"
		if c.status == 2 {
			verdict = "incomplete"
		}
		text := fmt.Sprintf(
			`{"schemaVersion":2,"tool":{"name":"validationTool"},"reference":{"path":"r","format":"v2","hash":"1"},"exitStatus":%d,"summary":{"verdict":%q,"clusters":{%[2]q:1}},"runs":[{%s}]}`,
			c.status,
			verdict,
			c.run,
		)
		_, err := Read([]byte(text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for _, words := range []string{`"x"`, `"drift","drift"`, `"none","drift"`} {
		text := fmt.Sprintf(
			`{"schemaVersion":2,"tool":{"name":"validationTool"},"reference":{"path":"r","format":"v2","hash":"1"},"failOn":[%s],"exitStatus":2,"summary":{"verdict":"incomplete","clusters":{"incomplete":1}},"runs":[{"summary":{"verdict":"incomplete"}}]}`,
			words,
		)
		if _, err := Read([]byte(text)); err == nil ||
			!strings.Contains(err.Error(), "failOn") {
			t.Errorf("%s: %v", words, err)
		}
	}
}

// TestTheSameClusterIsFoundAmongMany: as holding each against each other does, and with few looks.
func TestTheSameClusterIsFoundAmongMany(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		before, all := clusterIndex{}, []reportedRun(nil)
		for i := range 8 {
			of := func() string { return []string{"", "a", "b"}[r.IntN(3)] }
			one := reportedRun{&finding.Run{Cluster: finding.Cluster{ID: of(), Infrastructure: of()}}, i / 3}
			id, infrastructure := one.run.Cluster.ID, one.run.Cluster.Infrastructure
			there := slices.ContainsFunc(all, func(old reportedRun) bool {
				c := old.run.Cluster
				return old.report != one.report &&
					(id != "" && c.ID == id || infrastructure != "" && c.Infrastructure == infrastructure && (id == "" || c.ID == ""))
			})
			if got := before.add(one.run, one.report); (got != nil) != there {
				t.Fatalf("%v among %v: %v, want %v", one.run.Cluster, all, got, there)
			}
			all = append(all, one)
		}
	}
	const n = 100_000
	before := clusterIndex{}
	for i := range n {
		before.add(&finding.Run{Cluster: finding.Cluster{ID: fmt.Sprint(i), Infrastructure: "x"}}, 0)
		before.add(&finding.Run{Cluster: finding.Cluster{ID: "a"}}, 0)
	}
	if before.add(&finding.Run{Cluster: finding.Cluster{ID: "a"}}, 1) == nil ||
		before.add(&finding.Run{Cluster: finding.Cluster{ID: "b", Infrastructure: "x"}}, 1) != nil {
		t.Error("a cluster is not told from others")
	}
}

package saved

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/finding"
)

// reportOf is a report on clusters.
func reportOf(failOn string, all ...finding.Cluster) *finding.Report {
	r := &finding.Report{Reference: finding.Reference{Path: "ref", Hash: "sha256:1"}, FailOn: strings.Split(failOn, ",")}
	for _, c := range all {
		r.Runs = append(r.Runs, &finding.Run{Cluster: c, Inputs: []finding.Input{{Path: c.Name + ".tar.gz"}}})
	}
	return r
}

// TestWhatFailsOneReportFailsAll: but "new" and "none" make less of a report count, and so hold only where they hold for all.
func TestWhatFailsOneReportFailsAll(t *testing.T) {
	for _, c := range []struct{ one, other, want string }{
		{"drift,missing", "drift,missing", "drift,missing"},
		{"drift", "missing,extra", "drift,missing,extra"},
		{"none", "drift", "drift"},
		{"none", "none", "none"},
		{"drift,missing,new", "drift,missing", "drift,missing"},
		{"drift,new", "missing,new", "drift,missing,new"},
	} {
		for _, all := range [][]*finding.Report{{reportOf(c.one), reportOf(c.other)}, {reportOf(c.other), unusable("gone.json", ""), reportOf(c.one)}} {
			if got := merge(finding.Tool{}, all).FailOn.String(); got != c.want {
				t.Errorf("%s and %s: %s, want %s", c.one, c.other, got, c.want)
			}
		}
	}
}

// TestOneClusterInTwoReportsIsTold: where something is known of both that agrees, and nothing contradicts.
func TestOneClusterInTwoReportsIsTold(t *testing.T) {
	a := finding.Cluster{Name: "a", ID: "1", Infrastructure: "x"}
	for _, c := range []struct {
		what  string
		other finding.Cluster
		want  int
	}{
		{"the same", a, 1},
		{"the same id", finding.Cluster{ID: "1"}, 1},
		{"the same infrastructure", finding.Cluster{Infrastructure: "x"}, 1},
		{"another id", finding.Cluster{ID: "2", Infrastructure: "x"}, 0},
		{"another infrastructure", finding.Cluster{Infrastructure: "y"}, 0},
		{"only the same name", finding.Cluster{Name: "a"}, 0},
		{"nothing known", finding.Cluster{}, 0},
	} {
		first, second := reportOf("drift", a), reportOf("drift", c.other)
		runs := merge(finding.Tool{}, []*finding.Report{first, second}).Runs
		if len(runs[0].Alarms) != 0 || len(runs[1].Alarms) != c.want || c.want > 0 && !strings.Contains(runs[1].Alarms[0].Message, "of a.tar.gz") {
			t.Errorf("%s: %+v", c.what, runs[1].Alarms)
		}
		if len(second.Runs[0].Alarms) != 0 {
			t.Error("the report that was read is changed")
		}
		if runs := merge(finding.Tool{}, []*finding.Report{reportOf("drift", a, c.other)}).Runs; len(runs[1].Alarms) != 0 {
			t.Errorf("%s: what one run told apart is told to be the same", c.what)
		}
	}
}

// TestNames: patterns are resolved in arguments only, and what is not there stays, to be told beside the others.
func TestNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"b.json": "", "a.json": "", "[x].json": "", "list": "one.json\r\n\n*.json\n two words.json"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := Reader{Stdin: strings.NewReader("from.json\n"), Most: 1 << 20}
	for _, c := range []struct {
		args []string
		list string
		want string
	}{
		{[]string{"b.json", "[ab].json"}, "", "b.json|a.json|b.json"},
		{[]string{"[x].json", "gone.json", "*.yaml", "-"}, "", "[x].json|gone.json|*.yaml|-"},
		{[]string{"a.json"}, "list", "a.json|one.json|*.json| two words.json"},
		{nil, "-", "from.json"},
	} {
		got, err := r.Names(c.args, c.list)
		if diff := cmp.Diff(strings.Split(c.want, "|"), got); diff != "" || err != nil {
			t.Errorf("%q, %q: %v %s", c.args, c.list, err, diff)
		}
	}
	if _, err := r.Names(nil, filepath.Join("none", "list")); err == nil {
		t.Error("a list that is not there is no error")
	}
}

// TestReportsMayHaveSoManyBytes: all together; the first that is too much is told, and not read.
func TestReportsMayHaveSoManyBytes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(name, make([]byte, 60), 0o644); err != nil {
		t.Fatal(err)
	}
	r := Reader{Most: 100}
	for _, much := range []bool{false, true} {
		if _, err := r.One(name); err == nil || strings.Contains(err.Error(), "--limit memory=N") != much {
			t.Errorf("%d bytes are left: %v", r.Most, err)
		}
	}
}

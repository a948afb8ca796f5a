package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// agreeing is a reference, and the CR that agrees with it.
func agreeing() map[string]string {
	cr := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good, namespace: app}\ndata: {mode: strict}\n"
	return map[string]string{
		"ref/metadata.yaml": "parts:\n- name: p\n  components:\n  - name: c\n    type: Optional\n    optionalTemplates:\n    - path: good.yaml\n    - path: more.yaml\n",
		"ref/good.yaml":     cr,
		"ref/more.yaml":     "apiVersion: v1\nkind: More\nmetadata: {name: more}\n{{ if .spec }}{{ fromJson 3 }}{{ end }}\n",
		"in/good.yaml":      cr,
	}
}

// spoiled are inputs of which something was not seen, beside a CR that agrees.
func spoiled() map[string]struct {
	files map[string]string
	code  string // that tells it
	args  []string
	kept  bool // --skip-unreadable makes no difference
} {
	type one = struct {
		files map[string]string
		code  string
		args  []string
		kept  bool
	}
	sound := agreeing()["in/good.yaml"]
	archive := pack.Tar(pack.Entry{Name: "a.yaml", Data: sound}, pack.Entry{Name: "b.yaml", Data: config("b")})
	file := func(data []byte) map[string]string { return map[string]string{"in/z": string(data)} }
	nested := map[string]string{"in/z.tar": string(pack.Tar(pack.Entry{Name: "z.tar", Data: string(archive)}))}
	limited := func(limit, code string, files map[string]string) one {
		return one{files, code, []string{"--nested", "--limit", limit}, true}
	}
	packedUp := map[string]string{"in/z.tar.gz": string(pack.GZ(archive))}
	text := func(text string) map[string]string { return map[string]string{"in/z.yaml": text} }
	return map[string]one{
		"nothing is lost": {files: nil},
		"an archive cut off": {
			code:  "VT1006",
			files: file(archive[:len(archive)-1200]),
			args:  []string{"--nested"},
		},
		"a packed archive cut off": {code: "VT1006", files: file(pack.GZ(archive)[:150]), args: []string{"--nested"}},
		"a zip archive cut off": {
			code:  "VT1006",
			files: map[string]string{"in/z.zip": "PK\x03\x04" + strings.Repeat("x", 40)},
			args:  []string{"--nested"},
		},
		"a broken document": {code: "VT1005", files: text("apiVersion: v1\nkind: [\n")},
		"a document cut off": {
			code:  "VT1005",
			files: text("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: \"z"),
		},
		"a CR that is not evaluated": {
			code:  "VT4001",
			files: text("apiVersion: v1\nkind: More\nmetadata: {name: more}\nspec: 1\n"),
			kept:  true,
		},
		"a compared CR of no sense": {
			code:  "VT1005",
			files: text("apiVersion: v1\nkind: More\nmetadata: {name: more}\nspec: !!int x\n"),
		},
		"the limit file":     limited("file=150", "VT5001", text(config("z")+strings.Repeat("# x\n", 50))),
		"the limit unpacked": limited("unpacked=600", "VT5006", packedUp),
		"the limit entries":  limited("entries=1", "VT5007", packedUp),
		"the limit archives": limited("archives=1", "VT5008", nested),
		"the limit depth":    limited("depth=1", "VT5002", nested),
		"the limit objects":  limited("objects=1", "VT5014", text(config("z"))),
		"the limit clusters": limited("clusters=1", "VT5014", map[string]string{
			"in/b.yaml": "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {clusterID: one}\n",
			"in/c/cluster-scoped-resources/config.openshift.io/clusterversions/version.yaml": "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {clusterID: two}\n"}),
		"the limit nesting": limited("nesting=3", "VT5010", text(config("z")+"spec: [[[[[1]]]]]\n")),
		"the limit aliases": limited(
			"aliases=300", "VT5011", text(config("z")+"spec: {a: &a ["+strings.Repeat("1,", 200)+"], b: *a, c: *a}\n"),
		),
		"the limit values": limited("values=30", "VT5012", text(config("z")+"spec: ["+strings.Repeat("1,", 60)+"]\n")),
		"the limit steps":  limited("steps=1", "VT5003", text("apiVersion: v1\nkind: More\nmetadata: {name: more}\n")),
		"the limit output": limited("output=10", "VT5004", nil),
		"the limit time": limited(
			"time=1ms",
			"VT5016",
			map[string]string{"in/more.yaml": "apiVersion: v1\nkind: More\nmetadata: {name: more}\n",
				"ref/more.yaml": "apiVersion: v1\nkind: More\nmetadata: {name: more}\n{{ range until 1500000 }}{{ end }}\n"},
		),
		"the limit reference": limited("reference=10", "VT5001", nil),
	}
}

// saysCompliant reports whether a report in any format has the verdict that all is well.
func saysCompliant(report string) bool {
	return strings.Contains(report, "COMPLIANT:") || strings.Contains(report, `"verdict": "compliant"`) ||
		strings.Contains(report, "verdict: compliant")
}

// TestIncompleteIsNeverCompliant: whatever was not seen makes the exit status 2, in every format
// and whatever counts as a failure. What --skip-unreadable lets pass is files that cannot be read,
// and nothing else.
func TestIncompleteIsNeverCompliant(t *testing.T) {
	besideOthers(t)
	for what, c := range spoiled() {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			pack.Files(t, dir, agreeing())
			pack.Files(t, dir, c.files)
			want := 2
			if c.files == nil && c.args == nil {
				want = 0
			}
			for _, more := range [][]string{nil, {"--output", "json"}, {"--output", "yaml"}, {"--fail-on", "none"}, {"--summary"}, {"--component", "c"}, {"--output", "overrides", "--override-reason", "x"}} {
				args := slices.Concat(c.args, more, []string{filepath.Join(dir, "ref"), filepath.Join(dir, "in")})
				status, out, errs := runIn(t, "", args...)
				if status != want || want == 2 && saysCompliant(out) ||
					want == 0 && !saysCompliant(out) && len(more) < 4 {
					t.Errorf("%q: exit status %d, want %d: %.2000s", more, status, want, out+errs)
				}
			}
			if _, out, errs := runIn(t, "", slices.Concat(c.args, []string{filepath.Join(dir, "ref"), filepath.Join(dir, "in")})...); !strings.Contains(
				out+errs, c.code,
			) {
				t.Errorf("%s is nowhere: %.2000s", c.code, out+errs)
			}
			args := slices.Concat(
				c.args, []string{"--skip-unreadable", filepath.Join(dir, "ref"), filepath.Join(dir, "in")},
			)
			if status, out, errs := runIn(t, "", args...); c.kept && status != 2 {
				t.Errorf("--skip-unreadable lets it pass: exit status %d: %.2000s", status, out+errs)
			}
		})
	}
}

// TestEveryLimitMakesIncomplete: each limit but that of the report's lines stands in the table
// above, or in a test of its own.
func TestEveryLimitMakesIncomplete(t *testing.T) {
	for _, l := range allLimits() {
		if _, there := spoiled()["the limit "+l.Name]; !there && l.Name != "line" && l.Name != "held" &&
			l.Name != "calls" &&
			l.Name != "memory" { // see TestEndedRunsAreReported
			t.Errorf("nothing shows that the limit %s makes the answer incomplete", l.Name)
		}
	}
}

// TestLimitsOfStreamsCallsAndLines are those that need an input or a reference of their own. A line
// that is cut is compared as a whole.
func TestLimitsOfStreamsCallsAndLines(t *testing.T) {
	dir := t.TempDir()
	files := agreeing()
	files["calls/metadata.yaml"] = "parts:\n- name: p\n  components:\n  - name: c\n    type: Optional\n    optionalTemplates:\n    - path: good.yaml\n"
	files["calls/good.yaml"] = `{{ define "a" }}{{ end }}{{ define "b" }}{{ template "a" }}{{ end }}` + files["ref/good.yaml"] + `{{ template "b" }}`
	files["long.yaml"] = strings.Replace(files["ref/good.yaml"], "strict", strings.Repeat("x", 500)+"LAST", 1)
	pack.Files(t, dir, files)
	at := func(name string) string { return filepath.Join(dir, name) }
	stream := string(pack.Tar(
		pack.Entry{Name: "1.tar", Data: string(pack.Tar(pack.Entry{Name: "a.yaml", Data: files["in/good.yaml"]}))},
		pack.Entry{Name: "2.tar", Data: string(pack.Tar(pack.Entry{Name: "b.yaml", Data: noise(9000)}))},
	))
	for _, c := range []struct {
		args   []string
		status int
		code   string
	}{
		{[]string{"--limit", "held=4KiB", at("ref"), "-"}, 2, "VT5009"}, {[]string{at("ref"), "-"}, 0, ""},
		{[]string{"--limit", "calls=1", at("calls"), at("in")}, 2, "VT5013"}, {[]string{at("calls"), at("in")}, 0, ""},
		{[]string{"--limit", "line=100", at("ref"), at("long.yaml")}, 1, "VT5015"}, {[]string{at("ref"), at("long.yaml")}, 1, "LAST"},
		{[]string{"--limit", "line=100", "-o", "json", at("ref"), at("long.yaml")}, 1, "LAST"},
	} {
		status, out, errs := runIn(t, stream, c.args...)
		if status != c.status || !strings.Contains(out+errs, c.code) ||
			c.code == "VT5015" && strings.Contains(out, "LAST") {
			t.Errorf("%q: exit status %d, want %d with %s: %.3000s", c.args, status, c.status, c.code, out+errs)
		}
	}
}

// TestReadErrorsAreNeverCompliant: a file that can be opened, and not read.
func TestReadErrorsAreNeverCompliant(t *testing.T) {
	const file = "/proc/self/mem" // what lies at its beginning is never mapped
	if _, err := os.Stat(file); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	pack.Files(t, dir, agreeing())
	status, out, errs := runIn(t, "", "--fail-on", "none", filepath.Join(dir, "ref"), filepath.Join(dir, "in"), file)
	if status != 2 || saysCompliant(out) || !strings.Contains(out, "VT1003") {
		t.Errorf("exit status %d: %s%s", status, out, errs)
	}
}

// TestUnreadableIsNeverCompliant: files and folders that may not be read.
func TestUnreadableIsNeverCompliant(t *testing.T) {
	if isRoot() {
		t.Skip("permissions mean nothing to root")
	}
	for _, locked := range []string{"in/z.yaml", "in/folder", "in"} {
		dir := t.TempDir()
		pack.Files(t, dir, agreeing())
		pack.Files(t, dir, map[string]string{"in/z.yaml": config("z"), "in/folder/y.yaml": config("y")})
		p := filepath.Join(dir, locked)
		if err := os.Chmod(p, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(p, 0o700) })
		if status, out, errs := runIn(t, "", "--fail-on", "none", filepath.Join(dir, "ref"), filepath.Join(dir, "in")); status != 2 ||
			saysCompliant(out) {
			t.Errorf("%s: exit status %d: %s%s", locked, status, out, errs)
		}
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestNoAnswerIsNeverCompliant: where there is no report, or a fault in the tool, the exit status
// is 2.
func TestNoAnswerIsNeverCompliant(t *testing.T) {
	dir := t.TempDir()
	pack.Files(t, dir, agreeing())
	pack.Files(t, dir, map[string]string{"empty/x.log": "x", "bad/metadata.yaml": "parts: 3\n"})
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{{at("ref"), at("empty")}, {at("ref"), at("nowhere")}, {at("nowhere"), at("in")}, {at("bad"), at("in")}, {at("ref")}, {"--nonsense", at("ref"), at("in")}} {
		if status, out, errs := runIn(t, "", args...); status != 2 || out != "" || errs == "" {
			t.Errorf("%q: exit status %d: %s%s", args, status, out, errs)
		}
	}
	none := func(string) (string, bool) { return "", false }
	var errs bytes.Buffer
	if status := Run(context.Background(), []string{"validationTool", at("ref"), at("in")}, IO{Out: full{}, Err: &errs, Env: none}); status != 2 {
		t.Errorf("a report that could not be written: exit status %d: %s", status, errs.String())
	}
	for _, args := range [][]string{{"--help"}, {"--version"}, {"explain", "VT1006"}, {"completion", "bash"}, {"man"}, {"functions"}, {"help"}} {
		errs.Reset()
		if status := Run(context.Background(), append([]string{"validationTool"}, args...), IO{Out: full{}, Err: &errs, Env: none}); status != 2 ||
			!strings.Contains(errs.String(), "VT1020") {
			t.Errorf("%q: a text that could not be written: exit status %d: %s", args, status, errs.String())
		}
	}
	fault := func(string) (string, bool) { panic("CANARY") }
	errs.Reset()
	var out bytes.Buffer
	status := Run(
		context.Background(), []string{"validationTool", at("ref"), at("in")}, IO{Out: &out, Err: &errs, Env: fault},
	)
	if status != 2 || !strings.Contains(errs.String(), "VT5005") ||
		strings.Contains(errs.String()+out.String(), "CANARY") {
		t.Errorf("a fault of the tool: exit status %d: %s", status, errs.String())
	}
}

// TestAnInterruptedRunIsNeverCompliant: the context ends before anything, or while the input comes,
// though all that came agrees.
func TestAnInterruptedRunIsNeverCompliant(t *testing.T) {
	dir := t.TempDir()
	pack.Files(t, dir, agreeing())
	archive := unended(pack.Entry{Name: "a.yaml", Data: agreeing()["in/good.yaml"]})
	for _, format := range []string{"text", "json"} {
		ctx, cancel := context.WithCancel(context.Background())
		status, out, errs := run(
			ctx,
			&endless{bytes.NewReader(archive), cancel},
			"--fail-on",
			"none",
			"-o",
			format,
			filepath.Join(dir, "ref"),
			"-",
		)
		if status != 2 || !strings.Contains(out, "VT1021") || saysCompliant(out) {
			t.Errorf("%s: exit status %d: %s%s", format, status, out, errs)
		}
		cancel()
		status, out, errs = run(
			ctx, nil, "--fail-on", "none", "-o", format, filepath.Join(dir, "ref"), filepath.Join(dir, "in"),
		)
		if status != 2 || saysCompliant(out) {
			t.Errorf("%s, from the beginning: exit status %d: %s%s", format, status, out, errs)
		}
	}
}

// TestArchivesThatAreNotOpenedAreNamed: what may hold CRs and was not looked into is told, also
// where all else agrees.
func TestArchivesThatAreNotOpenedAreNamed(t *testing.T) {
	dir := t.TempDir()
	pack.Files(t, dir, agreeing())
	pack.Files(
		t,
		dir,
		map[string]string{"in/more.tar.gz": string(pack.GZ(pack.Tar(pack.Entry{Name: "x.yaml", Data: config("x")})))},
	)
	status, out, _ := runIn(t, "", "-o", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
	var r reportOf
	if err := readRun(out, &r); err != nil || status != 0 || len(r.NotRead) != 1 || r.NotRead[0].Code != "VT1007" {
		t.Errorf("exit status %d, %v, not read %+v", status, err, r.NotRead)
	}
	if _, out, _ = runIn(t, "", filepath.Join(dir, "ref"), filepath.Join(dir, "in")); !strings.Contains(
		out, "more.tar.gz",
	) {
		t.Errorf("the text does not name it: %s", out)
	}
}

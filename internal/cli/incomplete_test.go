package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// spoiled is an input that cannot be read or compared completely, next to a CR that agrees.
type spoiled struct {
	code  string // that tells it
	args  string
	kept  bool // --skip-unreadable makes no difference
	files map[string]string
}

func spoiledInputs() map[string]spoiled {
	archive := pack.Tar(pack.Entry{Name: "a.yaml", Data: strictCR}, pack.Entry{Name: "b.yaml", Data: config("b")})
	packed := map[string]string{"in/z.tar.gz": string(pack.GZ(archive))}
	nested := map[string]string{"in/z.tar": string(pack.Tar(pack.Entry{Name: "z.tar", Data: string(archive)}))}
	text := func(text string) map[string]string { return map[string]string{"in/z.yaml": text} }
	limited := func(limit, code string, files map[string]string) spoiled {
		return spoiled{code: code, args: "--nested --limit " + limit, kept: true, files: files}
	}
	const more = "apiVersion: v1\nkind: More\nmetadata: {name: more}\n"
	return map[string]spoiled{
		"nothing is lost":            {},
		"an archive cut off":         {code: "VT1006", args: "--nested", files: map[string]string{"in/z": string(archive[:len(archive)-1200])}},
		"a packed archive cut off":   {code: "VT1006", args: "--nested", files: map[string]string{"in/z": string(pack.GZ(archive)[:150])}},
		"a zip archive cut off":      {code: "VT1006", args: "--nested", files: map[string]string{"in/z.zip": "PK\x03\x04" + strings.Repeat("x", 40)}},
		"a broken document":          {code: "VT1005", files: text("apiVersion: v1\nkind: [\n")},
		"a document cut off":         {code: "VT1005", files: text("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: \"z")},
		"a CR that is not evaluated": {code: "VT4001", files: text(more + "spec: 1\n"), kept: true},
		"a compared CR of no sense":  {code: "VT1005", files: text(more + "spec: !!int x\n")},
		"the limit file":             limited("file=150", "VT5001", text(config("z")+strings.Repeat("# x\n", 50))),
		"the limit unpacked":         limited("unpacked=600", "VT5006", packed),
		"the limit entries":          limited("entries=1", "VT5007", packed),
		"the limit archives":         limited("archives=1", "VT5008", nested),
		"the limit depth":            limited("depth=1", "VT5002", nested),
		"the limit objects":          limited("objects=1", "VT5014", text(config("z"))),
		"the limit clusters": limited("clusters=1", "VT5014", map[string]string{
			"in/b.yaml": "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {clusterID: one}\n",
			"in/c/cluster-scoped-resources/config.openshift.io/clusterversions/version.yaml": "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {clusterID: two}\n"}),
		"the limit nesting":   limited("nesting=3", "VT5010", text(config("z")+"spec: [[[[[1]]]]]\n")),
		"the limit aliases":   limited("aliases=300", "VT5011", text(config("z")+"spec: {a: &a ["+strings.Repeat("1,", 200)+"], b: *a, c: *a}\n")),
		"the limit values":    limited("values=30", "VT5012", text(config("z")+"spec: ["+strings.Repeat("1,", 60)+"]\n")),
		"the limit steps":     limited("steps=1", "VT5003", text(more)),
		"the limit output":    limited("output=10", "VT5004", nil),
		"the limit time":      limited("time=1ms", "VT5016", map[string]string{"in/more.yaml": more, "ref/more.yaml": more + "{{ range until 200000 }}{{ end }}\n"}),
		"the limit reference": limited("reference=10", "VT5001", nil),
	}
}

// saysCompliant reports whether a report in any format has the verdict compliant.
func saysCompliant(report string) bool {
	return strings.Contains(report, "COMPLIANT:") || strings.Contains(report, `"verdict": "compliant"`) ||
		strings.Contains(report, "verdict: compliant")
}

// TestIncompleteIsNeverCompliant checks that an incomplete result has the exit status 2 in every
// format and with any --fail-on. Only files that cannot be read may pass with --skip-unreadable.
func TestIncompleteIsNeverCompliant(t *testing.T) {
	for what, c := range spoiledInputs() {
		t.Run(what, func(t *testing.T) {
			agreeing(t, c.files)
			for _, more := range []string{
				"", "--output json", "--output yaml", "--fail-on none", "--summary", "--component c", "--skip-unreadable",
				"--output overrides --override-reason x",
			} {
				status, out, errs := typed(c.args + " ref in " + more)
				switch {
				case more == "--skip-unreadable" && !c.kept:
				case c.code == "":
					if status != 0 || !saysCompliant(out) && !strings.Contains(more, "overrides") {
						t.Errorf("%q: exit status %d: %.2000s", more, status, out+errs)
					}
				case status != 2 || saysCompliant(out) || more == "" && !strings.Contains(out+errs, c.code):
					t.Errorf("%q: exit status %d, want 2 with %s: %.2000s", more, status, c.code, out+errs)
				}
			}
		})
	}
}

// TestEveryLimitMakesIncomplete checks that the table above has every limit, except those with a
// test of their own.
func TestEveryLimitMakesIncomplete(t *testing.T) {
	all := spoiledInputs()
	for _, l := range allLimits() { // for memory, see TestEndedRunsAreReported
		if all["the limit "+l.Name].code == "" && !strings.Contains("line held calls memory", l.Name) {
			t.Errorf("nothing shows that the limit %s makes the answer incomplete", l.Name)
		}
	}
}

// TestLimitsOfStreamsReferencesAndLines checks limits that need an input or a reference of their
// own: archives held from a stream, calls, archived references, and files that users write. A line
// that is cut in the text is compared completely.
func TestLimitsOfStreamsReferencesAndLines(t *testing.T) {
	if got := (limits{"memory": 4 << 30}).Reference(); got.Unpacked != 512<<20 || got.Entries != 100_000 || got.File != 512<<20 {
		t.Errorf("an archive that holds a reference has the limits %+v", got)
	}
	entry := func(name, data string) pack.Entry { return pack.Entry{Name: name, Data: data} }
	metadata := "parts:\n- name: p\n  components:\n  - name: c\n    type: Optional\n    optionalTemplates:\n    - path: good.yaml\n"
	agreeing(t, map[string]string{
		"calls/metadata.yaml": metadata,
		"calls/good.yaml":     `{{ define "a" }}{{ end }}{{ define "b" }}{{ template "a" }}{{ end }}` + strictCR + `{{ template "b" }}`,
		"long.yaml":           strings.Replace(strictCR, "strict", strings.Repeat("x", 500)+"LAST", 1),
		"large.yaml":          strings.Repeat("# x\n", 3000),
		"ref.tar.gz":          string(pack.GZ(pack.Tar(entry("metadata.yaml", metadata), entry("good.yaml", strictCR), entry("x", "")))),
	})
	stream := string(pack.Tar(
		entry("1.tar", string(pack.Tar(entry("a.yaml", strictCR)))), entry("2.tar", string(pack.Tar(entry("b.dat", noise(9000))))),
	))
	for line, want := range map[string]struct {
		status int
		text   string
	}{
		"--limit held=4KiB ref -":                                {2, "VT5009"},
		"ref -":                                                  {0, ""},
		"--limit calls=1 calls in":                               {2, "VT5013"},
		"calls in":                                               {0, ""},
		"--limit line=100 ref long.yaml":                         {1, "VT5015"},
		"ref long.yaml":                                          {1, "LAST"},
		"--limit line=100 -o json ref long.yaml":                 {1, "LAST"},
		"--limit unpacked=1MiB ref.tar.gz in":                    {0, ""},
		"--limit unpacked=1KiB ref.tar.gz in":                    {2, "VT5006"},
		"--limit entries=3 ref.tar.gz in":                        {0, ""},
		"--limit entries=2 ref.tar.gz in":                        {2, "VT5007"},
		"--limit reference=4KiB --overrides large.yaml ref in":   {2, "larger than 4096 bytes"},
		"--limit reference=4KiB --diff-config large.yaml ref in": {2, "larger than 4096 bytes"},
		"--limit reference=4KiB --impact large.yaml ref in":      {2, "larger than 4096 bytes"},
	} {
		status, out, errs := fed(stream, strings.Fields(line)...)
		if status != want.status || !strings.Contains(out+errs, want.text) ||
			want.text == "VT5015" && strings.Contains(out, "LAST") {
			t.Errorf("%s: exit status %d, want %d with %s: %.3000s", line, status, want.status, want.text, out+errs)
		}
	}
}

// TestUnreadableIsNeverCompliant checks files and folders without permission, and a file that opens
// but returns an error when it is read.
func TestUnreadableIsNeverCompliant(t *testing.T) {
	agreeing(t, map[string]string{"in/z.yaml": config("z"), "in/folder/y.yaml": config("y")})
	check := func(what, line string) {
		t.Helper()
		if status, out, errs := typed("--fail-on none " + line); status != 2 || saysCompliant(out) ||
			!strings.Contains(out+errs, "VT1003") && what != "in" {
			t.Errorf("%s: exit status %d: %s%s", what, status, out, errs)
		}
	}
	const memory = "/proc/self/mem" // what lies at its beginning is never mapped
	if _, err := os.Stat(memory); err == nil {
		check(memory, "ref in "+memory)
	}
	if os.Getuid() == 0 {
		t.Skip("permissions mean nothing to root")
	}
	for _, locked := range []string{"in/z.yaml", "in/folder", "in"} {
		must(os.Chmod(locked, 0))
		check(locked, "ref in")
		must(os.Chmod(locked, 0o700))
	}
}

// full is a writer to a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestNoAnswerIsNeverCompliant checks that the exit status is 2 without a report, after a failed
// write, and after a panic.
func TestNoAnswerIsNeverCompliant(t *testing.T) {
	agreeing(t, map[string]string{"empty/x.log": "x", "bad/metadata.yaml": "parts: 3\n"})
	for _, line := range []string{"ref empty", "ref nowhere", "nowhere in", "bad in", "ref", "--nonsense ref in"} {
		if status, out, errs := typed(line); status != 2 || out != "" || errs == "" {
			t.Errorf("%q: exit status %d: %s%s", line, status, out, errs)
		}
	}
	for _, line := range []string{"ref in", "--help", "--version", "explain VT1006", "completion bash", "man", "functions", "help"} {
		status, _, errs := run(t.Context(), IO{Out: full{}}, strings.Fields(line)...)
		if status != 2 || !strings.Contains(errs, "VT1020") {
			t.Errorf("%q: a text that could not be written: exit status %d: %s", line, status, errs)
		}
	}
	status, out, errs := run(t.Context(), IO{Env: func(string) (string, bool) { panic("CANARY") }}, "ref", "in")
	if status != 2 || !strings.Contains(errs, "VT5005") || strings.Contains(errs+out, "CANARY") {
		t.Errorf("a fault of the tool: exit status %d: %s", status, errs)
	}
}

// endless is a reader that returns its data and then waits forever, like a pipe whose writer hangs.
// It ends the context first, when the line of progress counts a CR.
type endless struct {
	data   *bytes.Reader
	cancel context.CancelFunc
	tick   chan time.Time
	stream *terminalStream
}

func (e *endless) Read(p []byte) (int, error) {
	if e.data.Len() > 0 {
		return e.data.Read(p)
	}
	for line := ""; !strings.Contains(line, ", 1 CR\x1b[K"); line = <-e.stream.writes {
		e.tick <- time.Time{}
	}
	e.cancel()
	select {}
}

// TestAnInterruptedRunIsNeverCompliant ends the context while the input is read. The report must
// have the findings until then, and call no CR missing.
func TestAnInterruptedRunIsNeverCompliant(t *testing.T) {
	agreeing(t, map[string]string{
		"both/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: good.yaml}, {path: gone.yaml}]}]}]\n",
		"both/good.yaml":     strictCR,
		"both/gone.yaml":     config("gone"),
	})
	for line, want := range map[string]string{"ref - -o text": "INCOMPLETE: ", "both - -o text": "lenient", "both - -o json": "lenient"} {
		cr := strictCR
		if want == "lenient" {
			cr = goodCR
		}
		ctx, cancel := context.WithCancel(t.Context())
		archive := bytes.NewReader(unended(pack.Entry{Name: "a.yaml", Data: cr}))
		stream := &terminalStream{writes: make(chan string, 100)}
		in := &endless{archive, cancel, make(chan time.Time), stream}
		with := IO{In: in, Err: stream, Terminal: func(s any) bool { return s == any(stream) }, Tick: in.tick}
		status, out, _ := run(ctx, with, append(strings.Fields(line), "--fail-on", "none")...)
		errs := stream.all.String()
		if status != 2 || saysCompliant(out) || !strings.Contains(out, "VT1021") || !strings.Contains(out, want) ||
			strings.Contains(out, "VT3001") {
			t.Errorf("%s: exit status %d, want 2 with %s: %s%s", line, status, want, out, errs)
		}
	}
}

// TestArchivesThatAreNotOpenedAreNamed checks that a report names an archive that was not opened,
// even if all CRs agree.
func TestArchivesThatAreNotOpenedAreNamed(t *testing.T) {
	agreeing(t, map[string]string{"in/more.tar.gz": string(pack.GZ(pack.Tar(pack.Entry{Name: "x.yaml", Data: config("x")})))})
	status, out, _ := typed("-o json ref in")
	var r reportOf
	if err := readRun(out, &r); err != nil || status != 0 || len(r.NotRead) != 1 || r.NotRead[0].Code != "VT1007" {
		t.Errorf("exit status %d, %v, not read %+v", status, err, r.NotRead)
	}
	if _, out, _ = typed("ref in"); !strings.Contains(out, "more.tar.gz") {
		t.Errorf("the text does not name it: %s", out)
	}
}

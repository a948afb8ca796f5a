package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/watch"
)

// heldNow returns the number of bytes that the process holds, as package watch measures them.
func heldNow() int64 {
	debug.FreeOSMemory()
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// TestEndedRunsAreReported checks runs that an interrupt, the limit of time or the limit of memory
// ends: the report is incomplete, gives the reason, calls no CR missing, and is the same in all
// formats. The comparison would take seconds, because each template has a long loop, or hundreds of
// megabytes, because each CR has a long value.
func TestEndedRunsAreReported(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {a: %s}\n"
	const metadata = "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: t.yaml}, {path: good.yaml}]}]}]\n"
	agreeing(t, map[string]string{
		"ref/metadata.yaml":  metadata,
		"ref/t.yaml":         fmt.Sprintf(head, "{{ .metadata.name }}", `x{{ range until 6000 }}{{ end }}`),
		"long/metadata.yaml": metadata,
		"long/t.yaml":        fmt.Sprintf(head, "{{ .metadata.name }}", `{{ repeat 100000 "x" }}`),
		"long/good.yaml":     strictCR,
		"in/good.yaml":       numbered(2_000, "---\n"+fmt.Sprintf(head, "cr%", "y")),
	})
	const interrupted = "it is interrupted"
	ballast := make([]byte, max(0, 72<<20-heldNow())) // less is missing to the least limit of memory
	defer runtime.KeepAlive(ballast)
	for why, c := range map[string]struct {
		code string
		more func() string
	}{
		interrupted: {"VT1021", func() string { return "ref" }},
		"time":      {"VT5016", func() string { return "ref --limit time=150ms" }},
		"memory": {"VT5020", func() string {
			return fmt.Sprintf("long --limit memory=%d", max(watch.LeastMemory, heldNow()*4/3+32<<20))
		}},
	} {
		t.Run(why, func(t *testing.T) {
			e := &everyFormat{dir: t.TempDir(), seen: map[string]int{}, run: func(args ...string) (int, string, string) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if why == interrupted {
					defer time.AfterFunc(150*time.Millisecond, cancel).Stop()
				}
				return run(ctx, IO{Exit: func(int) { t.Error("the process would be ended") }}, args...)
			}}
			args := strings.Fields("in --full -v --fail-on none --width 1000 --no-group")
			args = append(strings.Fields(c.more()), args...)
			some := slices.DeleteFunc(allFormats(), func(f format) bool {
				if why == interrupted {
					return f.folder // see dropFolders
				}
				return f.name != "json" && f.name != "csv"
			})
			// A run has three seconds to write its formats after it was interrupted.
			isTruth := func(f format) bool { return f.name == "json" || f.name == "csv" }
			truth, others := slices.Clone(some), slices.DeleteFunc(slices.Clone(some), isTruth)
			truth = slices.DeleteFunc(truth, func(f format) bool { return !isTruth(f) })
			for i := 0; i == 0 || i < len(others); i += 3 {
				written := e.write(t, "run", slices.Concat(truth, others[i:min(i+3, len(others))]), args...)
				e.agree(t, args, "none", written)
				report := written["json"]
				if report.status != 2 || !strings.Contains(report.text, c.code) ||
					!strings.Contains(report.text, `"verdict": "incomplete"`) || strings.Contains(report.text, "VT3001") {
					t.Errorf("exit status %d: %.1000s", report.status, report.text)
				}
				for name, one := range written {
					if saysCompliant(one.text) {
						t.Errorf("%s says that all is well", name)
					}
				}
			}
		})
	}
}

// longRun is a run that takes too much time or memory.
type longRun struct {
	template, config string   // of the first template: what follows its metadata, and its configuration
	others           []string // further templates of the component
	input            string   // of each CR, what follows its metadata; "" for a text that is not in any template
	crs              int      // how many; 0 for 400
	metadata         string   // more of the reference's metadata.yaml
	overrides, args  string
}

// longRuns returns such runs. Each of them once took minutes.
func longRuns() map[string]longRun {
	var many []string
	for i := range 150 {
		many = append(many, fmt.Sprintf("data: {a: x%d}", i))
	}
	letters, nested := "data: {a: "+strings.Repeat("a", 20_000)+"}", strings.Repeat("[", 10)
	override := func(kind, patch string) string {
		return fmt.Sprintf("- {kind: ConfigMap, name: c0, type: %s, reason: r, patch: %q}\n", kind, patch)
	}
	operations := func(all string) string { return override("rfc6902", "["+strings.TrimSuffix(all, ",")+"]") }
	overridden := func(overrides string) longRun {
		input := "data:\n" + numbered(3000, "  k%: {a: {b: [1]}}\n")
		return longRun{template: "data: {a: x}", input: input, crs: 1, overrides: overrides}
	}
	doubles := ""
	for i := range 40 {
		doubles += operations(fmt.Sprintf(`{"op":"copy","from":"/data","path":"/data/k%d"}`, i))
	}
	return map[string]longRun{
		"many templates":             {others: many, crs: 3000},
		"a loop":                     {template: `{{ range until 1000000 }}{{ end }}`},
		"a loop that fails":          {template: `{{ range until 1000000 }}{{ end }}{{ fail "no" }}`},
		"a loop that errs":           {template: `{{ range until 1000000 }}{{ end }}{{ .metadata.name.x.y }}`},
		"a loop that bows out":       {template: `{{ range until 1000000 }}{{ end }}{{ doNotMatch "no" }}`, others: []string{"data: {a: x}"}},
		"a loop that calls":          {template: `{{ range until 100000 }}{{ $_ := sha512sum "a" }}{{ end }}`},
		"much text":                  {template: `data: {a: x}{{ range until 100000 }}{{ print "\n  k" . }}: v{{ end }}`},
		"a regular expression":       {template: `{{ range until 1000 }}{{ $_ := regexMatch "(a?){400}(a?){400}b" (repeat 200 "a") }}{{ end }}`},
		"keys that are slow to make": {template: `{{ range until 100 }}{{ $_ := genPrivateKey "rsa" }}{{ end }}`},
		"lookups":                    {template: `data: {a: "{{ len (lookupCRs "v1" "ConfigMap" "*" "*") }}"}`, crs: 3000},
		"uniq of maps": {
			template: `{{ $l := list }}{{ range until 3000 }}{{ $l = append $l (dict "a" .) }}{{ end }}{{ range until 300 }}{{ $_ := uniq $l }}{{ end }}`,
		},
		"findings without end": {template: `{{ range until 400000 }}{{ fail (print "no" .) }}{{ end }}`},
		"a pattern": {
			template: "data: {a: \"((a?){100}){9}b\"}", config: "perField: [{pathToKey: data.a, inlineDiffFunc: regex}]", input: letters, crs: 200,
		},
		"capture groups": {
			template: "data: {a: \"" + strings.Repeat("(?<x>a*)", 100) + "b\"}",
			config:   "perField: [{pathToKey: data.a, inlineDiffFunc: capturegroups}]", input: letters, crs: 100,
		},
		"fields that are left out": {
			config:   "fieldsToOmitRefs: [all]",
			metadata: "fieldsToOmit:\n  items:\n    all:\n" + numbered(45_000, "    - pathToKey: data.*.*.z%\n"),
			input:    "data:\n" + numbered(100, "  k%: {a: {b: 1}}\n"), crs: 100,
		},
		"values that aliases repeat": {
			config: "ignore-unspecified-fields: true",
			input:  "a: &a [" + strings.Repeat("1,", 300) + "]\nb: [" + strings.Repeat("*a,", 300) + "]\n", crs: 300,
		},
		"the nearest":             {others: many, input: "data:\n" + numbered(50, "  k%: v\n"), crs: 3000, args: "--correlation nearest"},
		"operations of overrides": overridden(operations(numbered(20_000, `{"op":"add","path":"/data/k%","value":1},`))),
		"templates of overrides": overridden(strings.Repeat(
			override("go-template", `{{ range until 1000000 }}{{ end }}{type: mergepatch, patch: {data: {x: b}}}`), 100,
		)),
		"many overrides":             overridden(strings.Repeat(override("mergepatch", `{"data":{"x":"b"}}`), 3000)),
		"overrides that double a CR": overridden(doubles),
		"an override that doubles":   overridden(operations(numbered(40, `{"op":"copy","from":"/data","path":"/data/k%"},`))),
		"texts to search for Secrets": {
			input: "data:\n" + numbered(3000, "  k%: \"kindSecret &x%"+strings.Repeat(`\n---\na`, 20)+"\\n---\\n]\"\n"), crs: 10,
		},
		"lists in lists as sets": {
			template: "data: " + nested + strings.Repeat("[1, 2], [2, 1], ", 300) + strings.Repeat("]", 10),
			input:    "data: " + nested + strings.Repeat("[3, 2], [2, 3], ", 300) + strings.Repeat("]", 10),
			config:   "perField: [{pathToKey: data, list: set}]", crs: 100,
		},
		"fixes of CRs that are missing": {template: `{{ range until 1000000 }}{{ end }}data: {a: x}`, crs: 100, args: "-o fix=fixes"},
	}
}

// TestLongRunsEnd checks that long runs end at their limits with an incomplete result, or complete
// in time.
func TestLongRunsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes many seconds")
	}
	for name, c := range longRuns() {
		t.Run(name, func(t *testing.T) {
			c.crs = cmp.Or(c.crs, 400)
			const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"%s\"}\n%s\n"
			files, input := map[string]string{"o.yaml": c.overrides}, cmp.Or(c.input, "data: {a: y}")
			var crs strings.Builder
			for i := range c.crs {
				fmt.Fprintf(&crs, "---\n"+head, fmt.Sprint("c", i), input)
			}
			files["in/a.yaml"] = crs.String()
			paths := "{path: t0.yaml, config: {" + c.config + "}}"
			for i, text := range append([]string{c.template}, c.others...) {
				files[fmt.Sprintf("ref/t%d.yaml", i)] = fmt.Sprintf(head, "{{ .metadata.name }}", text)
				if i > 0 {
					paths += fmt.Sprintf(", {path: t%d.yaml}", i)
				}
			}
			files["ref/metadata.yaml"] = "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [" + paths + "]}]}]\n" + c.metadata
			if c.overrides != "" {
				c.args = "--overrides o.yaml"
			}
			t.Chdir(pack.Folder(t, files))
			status, out, errs := within(t, time.Duration(pack.Tries(200))*time.Millisecond, strings.Fields("ref in -o json "+c.args)...)
			ended := strings.Contains(out+errs, "VT5016") || strings.Contains(out+errs, "VT5020")
			var r reportOf
			if err := readRun(out, &r); out != "" && err != nil ||
				out == "" && !ended { // where it ended while the reference was read, there is a message
				t.Fatalf("exit status %d, %v: %.1000s", status, err, out+errs)
			}
			if ended && (status != 2 || out != "" && r.Summary.Verdict != "incomplete") ||
				saysCompliant(out) && len(r.Comparisons) < c.crs {
				t.Errorf("exit status %d: %.1000s", status, out+errs)
			}
		})
	}
}

// TestCommandsEndWithTheirContext checks that a command whose context has ended gives the reason,
// prints no part of a result, and never reports compliance. A comparison names the inputs that were
// not read.
func TestCommandsEndWithTheirContext(t *testing.T) {
	agreeing(t, map[string]string{
		"ref/tests/one/input.yaml": strictCR, "ref/tests/one/expect.yaml": "verdict: compliant\n", "values.yaml": "good.yaml: [{}]\n",
		"last/a.yaml": config("a"),
	})
	typed("ref in -o json=report.json")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range []string{
		"ref in", "ref in -o json", "explain-match ref in ConfigMap", "explain VT1021 --reference ref",
		"report report.json", "diff report.json report.json", "ref in --baseline report.json",
		"inspect ref", "inspect --values values.yaml ref", "needs ref", "lint ref",
		"diff ref ref", "test ref", "generate in --output made",
		"render --values values.yaml --output - ref",
	} {
		if status, out, errs := typed(line); status == 2 {
			t.Errorf("%q as it is: %s%s", line, out, errs)
		}
		must(os.RemoveAll("made"))
		status, out, errs := run(ended, IO{}, strings.Fields(line)...)
		if status != 2 || !strings.Contains(out+errs, "VT1021") || saysCompliant(out) {
			t.Errorf("%q: exit status %d: %.500s", line, status, out+errs)
		}
		report := strings.HasPrefix(line, "ref ") || strings.HasPrefix(line, "test")
		if !report && out != "" {
			t.Errorf("%q: what was not complete is shown: %.500s", line, out)
		}
	}
	if _, out, _ := run(ended, IO{}, "ref", "in", "last", "--jobs", "1"); !strings.Contains(out, "interrupted before these inputs were read") ||
		!strings.Contains(out, "last") {
		t.Errorf("the inputs that were not read are not named: %s", out)
	}
}

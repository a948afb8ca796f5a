package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	pack "github.com/validationtool/validationtool/internal/testkit"
	"github.com/validationtool/validationtool/internal/watch"
)

// longInput is a reference and an input whose comparison takes seconds and hundreds of megabytes:
// each CR has a finding with a long value.
func longInput(t *testing.T) (reference, input string) {
	t.Helper()
	dir := t.TempDir()
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {a: %s}\n"
	pack.Files(t, dir, map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: t.yaml}, {path: gone.yaml}]}]}]\n",
		"ref/t.yaml": fmt.Sprintf(
			head, "{{ .metadata.name }}", `{{ repeat 20000 "x" }}`,
		) + "{{ range until 5000 }}{{ end }}",
		"ref/gone.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: gone, namespace: app}\n",
		"in/a.yaml": numbered(
			10_000, func(i int) string { return "---\n" + fmt.Sprintf(head, fmt.Sprint("cr", i), "y") },
		)})
	return filepath.Join(dir, "ref"), filepath.Join(dir, "in")
}

// heldNow is how many bytes the process holds, as a Watch sees it.
func heldNow() int64 {
	debug.FreeOSMemory()
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// TestEndedRunsAreReported: a run that somebody, the limit of time or that of memory ended is
// incomplete, says why, calls nothing missing, and all formats agree with each other on what was
// found until then.
func TestEndedRunsAreReported(t *testing.T) {
	reference, input := longInput(t)
	for _, c := range []struct {
		why, code string
		more      func() []string
		interrupt bool
	}{
		{"it is interrupted", "VT1021", func() []string { return nil }, true},
		{"time", "VT5016", func() []string { return []string{"--limit", "time=300ms"} }, false},
		{"memory", "VT5020", func() []string {
			return []string{"--limit", fmt.Sprintf("memory=%d", max(watch.LeastMemory, heldNow()+48<<20))}
		}, false},
	} {
		t.Run(c.why, func(t *testing.T) {
			e := &everyFormat{
				dir:  t.TempDir(),
				seen: map[string]int{},
				run: func(args ...string) (int, string, string) {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					if c.interrupt {
						defer time.AfterFunc(300*time.Millisecond, cancel).Stop()
					}
					var out, errs bytes.Buffer
					status := Run(
						ctx,
						append([]string{"validationTool"}, args...),
						IO{In: strings.NewReader(""), Out: &out, Err: &errs, Env: noEnv,
							Exit: func(int) { t.Errorf("the process would be ended: %s", errs.String()) }},
					)
					return status, out.String(), errs.String()
				},
			}
			args := append(
				[]string{reference, input, "--full", "-v", "--fail-on", "none", "--width", "3000", "--no-group"},
				c.more()...)
			written := e.write(t, "run", allFormats(), args...)
			e.agree(t, args, "none", written)
			text := written["json"].text
			if written["json"].status != 2 || !strings.Contains(text, c.code) ||
				!strings.Contains(text, `"verdict": "incomplete"`) ||
				strings.Contains(text, "VT3001") {
				t.Errorf("exit status %d: %.1000s", written["json"].status, text)
			}
			for name, one := range written {
				if saysCompliant(one.text) {
					t.Errorf("%s says that all is well", name)
				}
			}
		})
	}
}

// longRun is what takes longer than anybody waits, or more memory than there is.
type longRun struct {
	templates []string          // of one component
	config    string            // of the first of them
	metadata  string            // more of it
	input     func(int) string  // the CRs
	crs       int               // how many
	files     map[string]string // beside ref and in
	args      []string
}

// longRuns are such runs. Each of them is a shape that took minutes once.
func longRuns() map[string]longRun {
	configMap := func(name, more string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n%s\n", name, more)
	}
	own := func(more string) string { return configMap("\"{{ .metadata.name }}\"", more) }
	crs := func(more string) func(int) string {
		return func(i int) string { return configMap(fmt.Sprint("c", i), more) }
	}
	data := func(n int, one string) string {
		return "data:\n" + numbered(n, func(i int) string { return strings.ReplaceAll(one, "%", fmt.Sprint(i)) })
	}
	of := func(template string) longRun {
		return longRun{templates: []string{own(template)}, input: crs("data: {a: y}"), crs: 400}
	}
	var many []string
	for i := range 150 {
		many = append(many, own(fmt.Sprintf("data: {a: x%d}", i)))
	}
	perField := func(function string) string {
		return "{perField: [{pathToKey: data.a, inlineDiffFunc: " + function + "}]}"
	}
	wide := data(3000, "  k%: {a: {b: [1]}}\n")
	override := func(kind, patch string) string {
		return fmt.Sprintf("- {kind: ConfigMap, name: c0, type: %s, reason: r, patch: %q}\n", kind, patch)
	}
	overridden := func(overrides string) longRun {
		return longRun{
			templates: []string{configMap("c0", "data: {a: x}")},
			input:     crs(wide),
			crs:       1,
			files:     map[string]string{"o.yaml": overrides},
			args:      []string{"--overrides", "o.yaml"},
		}
	}
	doubling := func(i int) string { return fmt.Sprintf(`{"op":"copy","from":"/data","path":"/data/k%d"}`, i) }
	aliased := "a: &a [" + strings.Repeat("1,", 300) + "]\nb: [" + strings.Repeat("*a,", 300) + "]\n"
	return map[string]longRun{
		"many templates":    {templates: many, input: crs("data: {a: y}"), crs: 3000},
		"a loop":            of(`{{ range until 1000000 }}{{ end }}`),
		"a loop that fails": of(`{{ range until 1000000 }}{{ end }}{{ fail "no" }}`),
		"a loop that errs":  of(`{{ range until 1000000 }}{{ end }}{{ .metadata.name.x.y }}`),
		"a loop that bows out": {
			templates: []string{own(`{{ range until 1000000 }}{{ end }}{{ doNotMatch "no" }}`), own("data: {a: x}")},
			input:     crs(""),
			crs:       400,
		},
		"a loop that calls": of(`{{ range until 100000 }}{{ $_ := sha512sum "a" }}{{ end }}`),
		"much text":         of(`data: {a: x}{{ range until 100000 }}{{ print "\n  k" . }}: v{{ end }}`),
		"a regular expression": of(
			`{{ range until 1000 }}{{ $_ := regexMatch "(a?){400}(a?){400}b" (repeat 200 "a") }}{{ end }}`,
		),
		"keys that are slow to make": of(`{{ range until 100 }}{{ $_ := genPrivateKey "rsa" }}{{ end }}`),
		"lookups": {
			templates: []string{own(`data: {a: "{{ len (lookupCRs "v1" "ConfigMap" "*" "*") }}"}`)},
			input:     crs("data: {a: y}"),
			crs:       3000,
		},
		"uniq of maps": of(
			`{{ $l := list }}{{ range until 3000 }}{{ $l = append $l (dict "a" .) }}{{ end }}{{ range until 300 }}{{ $_ := uniq $l }}{{ end }}`,
		),
		"findings without end": of(`{{ range until 400000 }}{{ fail (print "no" .) }}{{ end }}`),
		"a pattern": {
			templates: []string{own("data: {a: \"((a?){100}){9}b\"}")},
			config:    perField("regex"),
			input:     crs("data: {a: " + strings.Repeat("a", 20_000) + "}"),
			crs:       200,
		},
		"capture groups": {
			templates: []string{own("data: {a: \"" + strings.Repeat("(?<x>a*)", 100) + "b\"}")},
			config:    perField("capturegroups"),
			input:     crs("data: {a: " + strings.Repeat("a", 20_000) + "}"),
			crs:       100,
		},
		"fields that are left out": {
			templates: []string{own("")},
			config:    "{fieldsToOmitRefs: [all]}",
			metadata: "fieldsToOmit:\n  items:\n    all:\n" + strings.TrimPrefix(
				data(45_000, "    - pathToKey: data.*.*.z%\n"), "data:\n",
			),
			input: crs(data(100, "  k%: {a: {b: 1}}\n")),
			crs:   100,
		},
		"values that aliases repeat": {
			templates: []string{own("")},
			config:    "{ignore-unspecified-fields: true}",
			input:     crs(aliased),
			crs:       300,
		},
		"the nearest": {
			templates: many,
			input:     func(i int) string { return configMap(fmt.Sprint("c", i), data(50, "  k%: v\n")) },
			crs:       3000,
			args:      []string{"--correlation", "nearest"},
		},
		"operations of overrides": overridden(
			override(
				"rfc6902",
				"["+strings.TrimSuffix(
					numbered(
						20_000,
						func(i int) string { return fmt.Sprintf(`{"op":"add","path":"/data/k%d","value":1},`, i) },
					),
					",",
				)+"]",
			),
		),
		"templates of overrides": overridden(
			strings.Repeat(
				override("go-template", `{{ range until 1000000 }}{{ end }}{type: mergepatch, patch: {data: {x: b}}}`),
				100,
			),
		),
		"many overrides": overridden(strings.Repeat(override("mergepatch", `{"data":{"x":"b"}}`), 3000)),
		"overrides that double a CR": overridden(
			numbered(40, func(i int) string { return override("rfc6902", "["+doubling(i)+"]") }),
		),
		"an override that doubles": overridden(override(
			"rfc6902", "["+strings.TrimSuffix(numbered(40, func(i int) string { return doubling(i) + "," }), ",")+"]",
		)),
		"texts to search for Secrets": {
			templates: []string{own("")},
			input:     crs(data(3000, "  k%: \"kindSecret &x%"+strings.Repeat(`\n---\na`, 20)+"\\n---\\n]\"\n")),
			crs:       30,
		},
		"lists in lists as sets": {
			templates: []string{
				own("data: " + strings.Repeat("[", 10) + strings.Repeat(
					"[1, 2], [2, 1], ", 300,
				) + strings.Repeat("]", 10)),
			},
			config: "{perField: [{pathToKey: data, list: set}]}",
			input: crs(
				"data: " + strings.Repeat("[", 10) + strings.Repeat("[3, 2], [2, 3], ", 300) + strings.Repeat("]", 10),
			),
			crs: 100,
		},
		"fixes of CRs that are missing": {
			templates: []string{own(`{{ range until 1000000 }}{{ end }}data: {a: x}`)},
			input:     crs("data: {a: y}"),
			crs:       100,
			args:      []string{"-o", "fix=fixes"},
		},
	}
}

// TestLongRunsEnd: whatever takes long or much ends at the limits, with an answer that is
// incomplete, or with one in time.
func TestLongRunsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	for name, c := range longRuns() {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			files := map[string]string{"in/a.yaml": numbered(c.crs, func(i int) string { return "---\n" + c.input(i) })}
			paths := ""
			for i, text := range c.templates {
				files[fmt.Sprintf("ref/t%d.yaml", i)] = text
				paths += fmt.Sprintf("{path: t%d.yaml", i)
				if i == 0 && c.config != "" {
					paths += ", config: " + c.config
				}
				paths += "}, "
			}
			files["ref/metadata.yaml"] = "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [" + paths + "]}]}]\n" + c.metadata
			pack.Files(t, ".", files)
			pack.Files(t, ".", c.files)
			status, out, errs := within(
				t,
				300*time.Millisecond,
				"",
				append([]string{"ref", "in", "-o", "json"}, c.args...)...)
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

// TestCommandsEndWithTheirContext: a command that is ended says so, and neither answers in part nor
// says that all is well.
func TestCommandsEndWithTheirContext(t *testing.T) {
	t.Chdir(t.TempDir())
	pack.Files(t, ".", agreeing())
	pack.Files(t, ".", map[string]string{
		"ref/tests/one/input.yaml":  agreeing()["in/good.yaml"],
		"ref/tests/one/expect.yaml": "verdict: compliant\n",
		"values.yaml":               "good.yaml: [{}]\n",
	})
	outcome("ref", "in", "-o", "json=report.json")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{
		{"ref", "in"}, {"ref", "in", "-o", "json"}, {"explain-match", "ref", "in", "ConfigMap"}, {"explain", "VT1021", "--reference", "ref"},
		{"report", "report.json"}, {"report", "diff", "report.json", "report.json"}, {"ref", "in", "--baseline", "report.json"},
		{"reference", "inspect", "ref"}, {"reference", "inspect", "--values", "values.yaml", "ref"}, {"reference", "needs", "ref"}, {"reference", "lint", "ref"},
		{"reference", "diff", "ref", "ref"}, {"reference", "test", "ref"}, {"reference", "generate", "in", "--output", "made"},
		{"reference", "render", "--values", "values.yaml", "--output", "-", "ref"},
	} {
		if status, out, errs := outcome(args...); status == 2 {
			t.Errorf("%q as it is: %s%s", args, out, errs)
		}
		if err := os.RemoveAll("made"); err != nil {
			t.Fatal(err)
		}
		status, out, errs := run(ended, strings.NewReader(""), args...)
		if status != 2 || !strings.Contains(out+errs, "VT1021") || saysCompliant(out) {
			t.Errorf("%q: exit status %d: %.500s", args, status, out+errs)
		}
		if report := args[0] == "ref" || args[1] == "test"; !report && out != "" {
			t.Errorf("%q: what was not complete is shown: %.500s", args, out)
		}
	}
}

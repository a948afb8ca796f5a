package cli

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// TestHostileReferencesTakeBoundedWork: no command that looks at a reference alone, or at two,
// takes memory in all as the square of what a template has.
func TestHostileReferencesTakeBoundedWork(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"
	times := func(n int, one string) string {
		return numbered(n, func(i int) string { return strings.ReplaceAll(one, "%", fmt.Sprint(i)) })
	}
	other := t.TempDir()
	pack.Files(t, other, map[string]string{"a.yaml": head})
	for name, body := range map[string]string{
		"a deep field":            "x: {{ .a" + strings.Repeat(".b", 20_000) + " }}\n",
		"a deep field in steps":   "x: {{ with .a }}" + strings.Repeat("{{ with .b.b.b.b.b.b.b.b.b.b }}", 2000) + "{{ .c }}" + strings.Repeat("{{ end }}", 2001) + "\n",
		"many conditions":         "x:\n{{ if .a }}  y: 1\n" + times(6000, "{{ else if .b% }}  y: {{ .c% }}\n") + "{{ end }}",
		"fields below conditions": "x:\n" + strings.Repeat("{{ if .a }}", 900) + times(300, "  y%: {{ .a.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b.b }}\n") + strings.Repeat("{{ end }}", 900),
		"many alternatives":       "x: {{ coalesce" + times(4000, " .a%") + " }}\n",
		"many conditions in one":  "x: {{ if or" + times(4000, " .a%") + " }}1{{ end }}\n",
		"many arguments":          "x: {{ printf \"\"" + times(4000, " .a%") + " }}\n",
		"an action of many lines": "x: " + strings.Repeat("{{ .a\n}}", 5000) + "\n",
		"codes that are none":     "x: 1\n",
	} {
		files := map[string]string{
			"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n",
			"ref/a.yaml":        head + body,
		}
		if name == "codes that are none" {
			files["ref/codes.yaml"] = times(1000, "A-%: {title: x}\n")
		}
		dir := t.TempDir()
		pack.Files(t, dir, files)
		ref := filepath.Join(dir, "ref")
		for _, args := range [][]string{{"lint", ref}, {"inspect", ref}, {"needs", ref}, {"render", "--output", "-", ref}, {"diff", ref, other}} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, stderr := outcome(append([]string{"reference"}, args...)...)
			runtime.ReadMemStats(&after)
			if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 400 || strings.Contains(stderr, "VT5005") {
				t.Errorf("%s, %s: it takes %d MiB: %.200s", name, args[0], mib, stderr)
			}
		}
	}
}

// TestUnknownNamesTakeBoundedWork: of thousands of names that nothing is called by, in what people
// write, each is told, and what the first of them may have meant. Holding each against thousands of
// others would not end.
func TestUnknownNamesTakeBoundedWork(t *testing.T) {
	const n = 8000
	times := func(one string) string {
		return numbered(n, func(i int) string { return strings.ReplaceAll(one, "%", fmt.Sprint(n+i)) })
	}
	const head, cm = "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    allOf:\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"
	files := map[string]string{
		"missing/metadata.yaml": head + times("    - path: a%.yaml\n"),
		"lists/metadata.yaml": head + "    - path: a.yaml\n      config:\n        fieldsToOmitRefs:\n" + times(
			"        - a%\n",
		) + "fieldsToOmit:\n  items:\n" + times("    b%: []\n"),
		"lists/a.yaml":        cm,
		"codes/metadata.yaml": head + "    - path: a.yaml\n",
		"codes/codes.yaml":    "codes:\n" + times("  B%: {title: t}\n"),
		"codes/a.yaml":        cm + times("{{ violation \"A%\" \"m\" }}\n"),
		"many/metadata.yaml":  head + times("    - path: b%.yaml\n"),
		"pairs.yaml": "correlationSettings:\n  manualCorrelation:\n    correlationPairs:\n" + times(
			"      v1_ConfigMap_b_a%: c%.yaml\n",
		),
		"values.yaml": times("c%.yaml: []\n"),
		"in/a.yaml":   cm,
	}
	for i := range n {
		files[fmt.Sprintf("missing/b%d.yaml", n+i)] = ""
		files[fmt.Sprintf("many/b%d.yaml", n+i)] = cm
	}
	dir := t.TempDir()
	pack.Files(t, dir, files)
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		args []string
		told string
	}{
		{[]string{"reference", "lint", at("missing")}, "does not exist"},
		{[]string{"reference", "lint", at("lists")}, "which does not exist"},
		{[]string{"reference", "lint", at("codes")}, "does not explain"},
		{[]string{"--diff-config", at("pairs.yaml"), at("many"), at("in")}, "has no template"},
		{[]string{"reference", "inspect", "--values", at("values.yaml"), at("many")}, "has no template"},
	} {
		_, out, errs := outcome(c.args...)
		if all := out + errs; strings.Count(all, c.told) != n || !strings.Contains(all, "did you mean") ||
			strings.Count(all, "did you mean") == n ||
			len(all) > 4<<20 {
			t.Errorf(
				"%v: %d are told, of %d what they mean, in %d bytes: %.300s",
				c.args,
				strings.Count(all, c.told),
				strings.Count(all, "did you mean"),
				len(all),
				all,
			)
		}
	}
}

// TestWhatReportsRepeatIsBounded: what a reference says of a template, which each CR has in a
// report.
func TestWhatReportsRepeatIsBounded(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"
	long := strings.Repeat("n", 20_000)
	for name, c := range map[string]struct{ metadata, template, input, want string }{
		"a description": {"apiVersion: v2\nparts: [{name: p, description: " + long + ", components: [{name: c, allOf: [{path: a.yaml}]}]}]\n", head, head, "reports repeat them"},
		"a part":        {"apiVersion: v2\nparts: [{name: " + long + ", components: [{name: c, allOf: [{path: a.yaml}]}]}]\n", head, head, "reports repeat them"},
		"a component":   {"apiVersion: v2\nparts: [{name: p, components: [{name: " + long + ", allOf: [{path: a.yaml}]}]}]\n", head, head, "reports repeat them"},
		"a long value":  {"", head + "x: " + long + "\n", head + "x: " + long + "\n", ""},
	} {
		if c.metadata == "" {
			c.metadata = "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n"
		}
		dir := t.TempDir()
		pack.Files(
			t, dir, map[string]string{"ref/metadata.yaml": c.metadata, "ref/a.yaml": c.template, "in/a.yaml": c.input},
		)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		status, out, errs := outcome("-o", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
		runtime.ReadMemStats(&after)
		mib := (after.TotalAlloc - before.TotalAlloc) >> 20
		if wrong := c.want != ""; wrong != (status == 2) || wrong != strings.Contains(out+errs, "VT5020") ||
			!strings.Contains(out+errs, c.want) ||
			mib > 300 {
			t.Errorf("%s: exit status %d with %d MiB: %.300s", name, status, mib, out+errs)
		}
		if status, out, _ := outcome("reference", "lint", filepath.Join(dir, "ref")); c.want == "reports repeat them" &&
			(status != 2 || !strings.Contains(out, "VT5020")) {
			t.Errorf("%s: lint says %.300s", name, out)
		}
	}
}

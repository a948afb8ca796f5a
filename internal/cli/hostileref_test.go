package cli

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/pack"
)

// TestHostileReferencesTakeBoundedWork: no command that looks at a reference alone, or at two, takes memory in all as the square of what a
// template has.
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
		files := map[string]string{"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n", "ref/a.yaml": head + body}
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

package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestLintFindsWhatAComparisonRejects: whatever a comparison of a CR with all fields fails at, or
// tells the author of the reference, lint reports without any input. A value that toYaml prints behind
// its key is left out: it may be meant for numbers only.
func TestLintFindsWhatAComparisonRejects(t *testing.T) {
	told := regexp.MustCompile(`FAILED|Warnings for the author`)
	tried, failed := 0, 0
	for _, fault := range []struct{ text, perField string }{
		{`"[0-9+ ("`, "inlineDiffFunc: regex"},
		{"-n (?<domain>[0-9]+", "inlineDiffFunc: capturegroups"},
		{"7", "inlineDiffFunc: regex"},
		{`"{a: ["`, "embedded: yaml"},
		{"many", "quantity: true"},
		{"x", "cpuset: true"},
		{"x\n  y", ""},
		{"x: y", ""},
		{"{{ .spec.text | fromJson }}", ""},
		{"{{ atoi .spec.text | div 0 }}", ""},
		{"{{ .spec.map | toYaml | indent 6 }}", ""},
		{"{{ .spec.map | toYaml | nindent 6 }}", ""},
		{"{{ .spec.text }}", ""},
	} {
		for _, template := range []string{
			"  a:\n  - b: FAULT\n",
			"  a:\n  {{- range .spec.list }}\n  - c: {{ .name }}\n    b: FAULT\n  {{- end }}\n",
			"  a:\n  {{- if .spec.text }}\n  - b: FAULT\n  {{- end }}\n",
			"  a:\n  {{- with .spec.map }}\n  - b: FAULT\n  {{- end }}\n",
			"  a:\n  {{- range $k, $v := .spec.map }}\n  - c: {{ $k }}\n    b: FAULT\n  {{- end }}\n",
			"  a:\n  {{- if .spec.text -}}\n  - b: FAULT\n  {{- end }}\n",
			"  a:\n  {{- range .spec.list }}{{ range .more }}\n  - c: {{ . }}\n    b: FAULT\n  {{- end }}{{ end }}\n",
			"  a:\n  {{- range .spec.none }}\n  - b: {{ . }}\n  {{- else }}\n  - b: FAULT\n  {{- end }}\n",
			"  a:\n  {{- range $i, $e := .spec.list }}{{ if eq $i 1 }}\n  - b: FAULT\n  {{- end }}{{ end }}\n",
		} {
			text := strings.ReplaceAll(fault.text, ".spec.", "$.spec.")
			metadata := "apiVersion: v2\nparts: [{name: a, components: [{name: a, allOf: [{path: t.yaml"
			if fault.perField != "" {
				metadata += ", config: {perField: [{pathToKey: spec.a.*.b, " + fault.perField + "}]}"
			}
			head := "apiVersion: example.com/v1\nkind: Clock\nmetadata: {name: a, namespace: b}\nspec:\n"
			folder := testkit.Folder(t, map[string]string{
				"ref/metadata.yaml": metadata + "}]}]}]\n",
				"ref/t.yaml":        head + strings.Replace(template, "FAULT", text, 1),
				"in/a.yaml":         head + "  text: \"7\"\n  map: {c: d, e: f}\n  list: [{name: g, more: [i]}, {name: h, more: [j]}]\n  a: [{b: i}]\n",
			})
			_, report, errs := outcome("--verbose", folder+"/ref", folder+"/in")
			tried++
			if !told.MatchString(report) && !strings.Contains(errs, "cannot be used") {
				continue
			}
			failed++
			if _, found, _ := outcome("lint", folder+"/ref"); strings.Contains(found, "nothing is wrong") {
				t.Errorf("lint is silent about %s in\n%s\n%s", fault.text, template, report)
			}
		}
	}
	if failed < tried/3 {
		t.Errorf("%d of %d comparisons failed, too few to say anything", failed, tried)
	}
}

package refconfig_test

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/refconfig"
)

func FuzzAnnotation(f *testing.F) {
	for _, s := range []string{
		"'{\"part-of\": \"x\"}'", "|\n      {\"required\": false}", ">-\n      {}", "{part-of: [x]}", "\"", "{{ .x }}", "*x", "&x {a: *x}",
		"!!binary aGk=", "|\n      {\"a\": \x00}", "?", "'{}'\n    reference-config.openshift.io/attributes: x", "'{}'\n---\nkind: Y", "<<: x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		text := "kind: X\nmetadata:\n  annotations:\n    reference-config.openshift.io/attributes: " + value
		_, problems := refconfig.Load(folder(map[string]string{"a.yaml": text}), ".", refconfig.LoadOptions{})
		checkProblems(t, text, problems)
	})
}

func FuzzMetadata(f *testing.F) {
	for _, s := range []string{
		"apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a}]}]}]", "parts: &p [*p]", "parts:\n- <<: &x {<<: *x}",
		"fieldsToOmit: {defaultOmitRef: a, items: {a: [{include: b}], b: [{include: a}]}}", "? [x]\n: y", "parts: [{components: [{type: Optional, requiredTemplates: [{path: ../../x}]}]}]",
		"\xff\xfep\x00a\x00", "---\n---\nx", "parts: !!set {a, b}", "parts: !x y", "- &a\n- *a", "%YAML 1.2\n---\nparts:", "a: \"\n\tb", "parts: [{name: 0x10, components: ~}]",
		"templateFunctionFiles: [a, a, '', ., /, ..]", "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a, config: {perField: [{pathToKey: x.0.*, inlineDiffFunc: regex}]}}]}]}]",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fsys := folder(map[string]string{"metadata.yaml": text, "a": "kind: A"})
		ref, problems := refconfig.Load(fsys, ".", refconfig.LoadOptions{})
		checkProblems(t, text, problems)
		checkProblems(t, text, ref.Warnings)
		if len(problems) == 0 && len(ref.Templates) == 0 {
			t.Error("a reference without fault has no template")
		}
		for _, x := range ref.Templates {
			if x.Component == nil || x.Part == nil || x.File == "" || x.Path == "" {
				t.Errorf("a template is incomplete: %+v", x)
			}
		}
	})
}

func FuzzUserFiles(f *testing.F) {
	f.Add("correlationSettings: {manualCorrelation: {correlationPairs: {v1_A_b: c}}}")
	f.Add("- {kind: X, type: rfc6902, reason: y, patch: '[{\"op\": \"add\"}]'}")
	f.Add("- kind: X\n  type: mergepatch\n  patch: |\n    {\"a\":\n  reason: y")
	f.Add("- &a [*a]\n- <<: [*a, {}]")
	f.Fuzz(func(t *testing.T, text string) {
		config, problems := refconfig.ParseDiffConfig("f", []byte(text))
		checkProblems(t, text, problems)
		checkProblems(t, text, config.Warnings)
		overrides, warnings, problems := refconfig.ParseOverrides("f", []byte(text))
		checkProblems(t, text, problems)
		checkProblems(t, text, warnings)
		for _, o := range overrides {
			if strings.TrimSpace(o.Reason) == "" || !(o.Missing || o.Present) && (o.Patch == "" || o.Type == "") {
				t.Errorf("an override is incomplete: %+v", o)
			}
		}
	})
}

// checkProblems checks what holds of all problems: each is complete, they are sorted, none is there
// twice, and the places are in the file.
func checkProblems(t *testing.T, text string, problems []refconfig.Problem) {
	t.Helper()
	for i, p := range problems {
		at := p.Place
		if p.Code == "" || at.File == "" || p.Message == "" || at.Line < 0 || at.Column < 0 ||
			at.Line == 0 && at.Column > 0 {
			t.Errorf("a problem is incomplete: %+v", p)
		}
		// a line may end in other ways than yaml.v3 and we count, but there are no more than
		// characters
		if at.Line > len(text)+1 {
			t.Errorf("line %d is not in the file: %v", at.Line, p)
		}
		if i > 0 {
			if q := problems[i-1]; q == p || q.Place.Compare(at) > 0 {
				t.Errorf("not sorted, or twice: %v, %v", q, p)
			}
		}
	}
}

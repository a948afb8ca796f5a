package refconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/refconfig"
)

// The annotation is found whatever YAML allows to write it in, in templates that are no YAML before
// they are executed.
func TestTheAnnotationIsFound(t *testing.T) {
	const key = "reference-config.openshift.io/attributes"
	const want = "p/c false"
	for name, text := range map[string]string{
		"literal":            "  annotations:\n    " + key + ": |\n      {\"part-of\": \"p\", \"component-name\": \"c\",\n       \"required\": false}\n",
		"literal, stripped":  "  annotations:\n    " + key + ": |- # about\n      {\"part-of\": \"p\", \"component-name\": \"c\",\n\n       \"required\": false}\n",
		"literal, indented":  "  annotations:\n    " + key + ": |2\n        {\"part-of\": \"p\", \"component-name\": \"c\", \"required\": false}\n",
		"folded":             "  annotations:\n    " + key + ": >-\n      {\"part-of\": \"p\", \"component-name\": \"c\",\n      \"required\": false}\n",
		"single quotes":      "  annotations:\n    " + key + ": '{\"part-of\": \"p\", \"component-name\": \"c\", \"required\": false}'\n",
		"double quotes":      "  annotations:\n    " + key + `: "{\"part-of\": \"p\", \"component-name\": \"c\", \"required\": false}"` + "\n",
		"quotes over lines":  "  annotations:\n    " + key + ": '{\"part-of\": \"p\",\n      \"component-name\": \"c\", \"required\": false}'\n",
		"no quotes":          "  annotations:\n    " + key + `: {"part-of": "p", "component-name": "c", "required": false}` + "\n",
		"no quotes, as YAML": "  annotations:\n    " + key + `: {part-of: p, component-name: c, required: no}` + "\n",
		"key in quotes":      "  annotations:\n    \"" + key + `": '{"part-of": "p", "component-name": "c", "required": false}'` + "\n",
		"key in others":      "  annotations:\n    '" + key + `' : '{"part-of": "p", "component-name": "c", "required": false}'` + "\n",
		"deep":               "  annotations:\n              " + key + `: '{"part-of": "p", "component-name": "c", "required": false}'` + "\n",
		"windows":            "  annotations:\r\n    " + key + ": |\r\n      {\"part-of\": \"p\",\r\n      \"component-name\": \"c\", \"required\": false}\r\n",
		"among actions": "  {{- if .metadata.labels }}\n  labels: {{ .metadata.labels | toJson }}\n  {{- end }}\n  annotations:\n{{ if .x }}\n# note\n    {{ .y }}: z\n{{ end }}\n    " +
			key + `: '{"part-of": "p", "component-name": "c", "required": false}'` + "\n    other: {{ .z }}\n",
	} {
		text = "apiVersion: v1\nkind: X\nmetadata:\n  name: {{ .metadata.name }}\n" + text + "spec: {{ .spec | toJson }}\n"
		ref, problems := refconfig.Load(folder(map[string]string{"a.yaml": text}), ".", refconfig.LoadOptions{})
		if len(problems) != 0 || len(ref.Warnings) != 0 {
			t.Errorf("%s: %v %v", name, problems, ref.Warnings)
			continue
		}
		c := ref.Templates[0].Component
		if got := fmt.Sprintf("%s %v", c, c.Rules[0].Kind != refconfig.AnyOf); got != want {
			t.Errorf("%s: got %s, want %s, from\n%s", name, got, want, text)
		}
	}
}

func TestATemplateWithoutAnnotationIsRequiredByItself(t *testing.T) {
	for _, text := range []string{
		"kind: X\n",
		"kind: X\nmetadata:\n  annotations:\n    other: y\n",
		"apiVersion: v1\nkind: {{ .kind }}\n",
		"{{ if true }}\nkind: X\n",
		"kind: X\nspec:\n  metadata:\n    annotations:\n      reference-config.openshift.io/attributes: '{\"part-of\": \"p\"}'\n",
		"kind: X\nitems:\n- metadata:\n    annotations:\n      reference-config.openshift.io/attributes: '{\"part-of\": \"p\"}'\n",
	} {
		ref, problems := refconfig.Load(folder(map[string]string{"a.yaml": text}), ".", refconfig.LoadOptions{})
		if len(problems) != 0 || len(ref.Templates) != 1 {
			t.Errorf("%q: %v", text, problems)
			continue
		}
		x := ref.Templates[0]
		if x.Component.String() != "/" || len(x.Component.Rules) != 1 || x.Component.Rules[0].Kind != refconfig.AllOf ||
			x.Line != 0 {
			t.Errorf("%q: %s %+v", text, x.Component, x.Component.Rules)
		}
	}
}

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

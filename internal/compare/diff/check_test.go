package diff_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// TestFieldsThatATemplateCannotHave checks that an entry for a field that the template cannot have
// is an error, and one for a field that the values of a CR may add is not.
func TestFieldsThatATemplateCannotHave(t *testing.T) {
	for path, faulty := range map[string]bool{
		"data.k": false, "data.gone": true, "data.gone.*": true, "data.limits.*": false, "data.limits.*.cpu": false, "data.limits.cpu": true, "data.list.*.x": false,
		"*.gone": false,
	} {
		ref, problems := refconfig.Load(fstest.MapFS{
			"metadata.yaml": {
				Data: []byte("apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: t.yaml, " +
					"config: {perField: [{pathToKey: \"" + path + "\", quantity: true}]}}]}]}]\n"),
			},
			"t.yaml": {
				Data: []byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\ndata: {k: \"1\", limits: {}, list: []}\n"),
			},
		}, ".", refconfig.LoadOptions{})
		engine, more := render.Compile(t.Context(), ref)
		if len(problems)+len(more) > 0 {
			t.Fatal(path, problems, more)
		}
		found := diff.Check(engine.Templates()[0]).Errors
		if len(found) > 0 != faulty || faulty && !strings.Contains(found[0].Message, "which t.yaml does not have") {
			t.Errorf("%s: %v, want a fault: %v", path, found, faulty)
		}
	}
}

// TestEntriesThatDoNotFitATemplate checks what is told of entries of perField that cannot be used as
// the template is, each at its line.
func TestEntriesThatDoNotFitATemplate(t *testing.T) {
	for _, c := range []struct{ entries, data, errors, doubts string }{
		{`{pathToKey: data.k, inlineDiffFunc: regex}`, `"[a-z]+"`, "", ""},
		{`{pathToKey: data.k, inlineDiffFunc: regex}`, `1`, "the inline diff function regex is for data.k, which is not a text in t.yaml; name a field that holds an expression", ""},
		{`{pathToKey: data.k, inlineDiffFunc: regex}`, `"["`, "the expression at data.k of t.yaml cannot be used with regex: 1:1: missing closing ]", ""},
		{`{pathToKey: data.k, inlineDiffFunc: capturegroups}`, `"(?<n>a"`, "", "the text at data.k of t.yaml has a capture group that cannot be used and is compared as text: 1:1: group n is not closed; write ) where it ends"},
		{`{pathToKey: data.k, inlineDiffFunc: regex}`, `{{ .data.k }}`, "", ""},
		{`{pathToKey: data.k, quantity: true}, {pathToKey: data.k, cpuset: true}`, `"1"`, "", "data.k is also compared by quantity, in line 2, and that entry counts"},
		{`{pathToKey: data.k, quantity: true}, {pathToKey: data.k, exact: true}`, `"1"`, "", ""},
		{`{pathToKey: data.k, quantity: true}`, `many`, "", "data.k of t.yaml cannot be compared by quantity, and is compared as it is: it is not a quantity, such as 500m or 1Gi"},
		{`{pathToKey: data.k, quantity: true}`, `null`, "", ""},
		{`{pathToKey: data.k, quantity: true}`, `{{ .data.k }}`, "", ""},
		{`{pathToKey: data.k, quantity: true}`, `"{{ .data.k }}m"`, "", ""},
		{`{pathToKey: data.k, quantity: true}`, `{{ if .data.k }}many{{ else }}1{{ end }}`, "", ""},
		{`{pathToKey: data.k, quantity: true}`, `{{ .data.k | default "many" }}`, "", ""},
		{`{pathToKey: data.*, quantity: true}`, `{{ .data.k }}, m: many`, "", "data.m of t.yaml cannot be compared by quantity, and is compared as it is: it is not a quantity, such as 500m or 1Gi"},
		{`{pathToKey: data.*, inlineDiffFunc: regex}`, `{{ .data.k }}, m: "["`, "the expression at data.m of t.yaml cannot be used with regex: 1:1: missing closing ]", ""},
		{`{pathToKey: data.*, inlineDiffFunc: regex}`, `1, m: "["`, "the inline diff function regex is for data.k, which is not a text in t.yaml; name a field that holds an expression; " +
			"the expression at data.m of t.yaml cannot be used with regex: 1:1: missing closing ]", ""},
		{`{pathToKey: data.k, cpuset: true}`, `many`, "", "data.k of t.yaml cannot be compared by cpuset, and is compared as it is: it is not a set of CPUs, such as 0-3,8"},
		{`{pathToKey: data.k, list: set}`, `many`, "", "data.k of t.yaml cannot be compared by list set, and is compared as it is: it is not a list"},
		{`{pathToKey: data.k, list: map(name)}`, `[{name: a}, {name: a}]`, "", "data.k of t.yaml cannot be compared by list map(name), and is compared as it is: items 0 and 1 have the same name"},
		{`{pathToKey: data.k, list: map(name)}`, `[{name: a}, {name: b}]`, "", ""},
		{`{pathToKey: data.k, embedded: json}`, `"{"`, "", "data.k of t.yaml cannot be opened as json, and is compared as it is: it is not valid JSON"},
		{`{pathToKey: data.k, embedded: json}, {pathToKey: data.k!.a, quantity: true}`, `'{"a": "1"}'`, "", ""},
		{`{pathToKey: data.k, embedded: json}, {pathToKey: data.k!.a, quantity: true}`, `'{"a": "x"}'`, "", "data.k!.a of t.yaml cannot be compared by quantity, and is compared as it is: it is not a quantity, such as 500m or 1Gi"},
		{`{pathToKey: data.k, embedded: json}, {pathToKey: data.k!.gone, quantity: true}`, `'{"a": "1"}'`, "", ""},
		{`{pathToKey: data.gone, inlineDiffFunc: regex}`, `1`, "the inline diff function regex is for data.gone, which t.yaml does not have; name a field of the template", ""},
		{`{pathToKey: data.gone, inlineDiffFunc: regex}`, `1{{ if .spec }}, gone: a{{ end }}`, "", ""},
	} {
		ref, problems := refconfig.Load(fstest.MapFS{
			"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: t.yaml, " +
				"config: {perField: [" + c.entries + "]}}]}]}]\n")},
			"t.yaml": {Data: []byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\ndata: {k: " + c.data + "}\n")},
		}, ".", refconfig.LoadOptions{})
		engine, more := render.Compile(t.Context(), ref)
		if len(problems)+len(more) > 0 {
			t.Fatal(c.entries, problems, more)
		}
		found := diff.Check(engine.Templates()[0])
		said := func(all []refconfig.Problem) string {
			var messages []string
			for _, p := range all {
				messages = append(messages, p.Message)
			}
			return strings.Join(messages, "; ")
		}
		if errors, doubts := said(found.Errors), said(found.Doubts); errors != c.errors || doubts != c.doubts {
			t.Errorf("%s of %s: %q and %q, want %q and %q", c.entries, c.data, errors, doubts, c.errors, c.doubts)
		}
	}
}

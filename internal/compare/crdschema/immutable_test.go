package crdschema_test

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// TestFixed: a field that its description calls immutable may be set later, and nothing else.
func TestFixed(t *testing.T) {
	set, problem := probe(t, definition(`
              type: object
              properties:
                a: {type: string, description: "Immutable. Where it is."}
                free: {type: string, description: "Not Immutable."}
                ref: {type: object, description: "Immutable.", properties: {name: {type: string}, external: {type: string}}}
                deep: {type: object, properties: {size: {type: integer, description: " Immutable."}}}
                list: {type: array, description: "Immutable.", items: {type: string}}
                ruled: {type: string, description: "Immutable.", x-kubernetes-validations: [{rule: self == oldSelf}]}`))
	if problem != nil {
		t.Fatal(problem)
	}
	kind, _ := set.Kind("example.com/v1", "Probe")
	hidden := func(_ refconfig.FieldPath, v any) bool { return v == "hidden" }
	for change, want := range map[string]string{
		"{a: x} -> {a: x}": "", "{a: x} -> {a: z}": "spec.a", "{a: x} -> {}": "", "{} -> {a: x}": "",
		"{a: null} -> {a: x}": "", "{a: x} -> {a: [x]}": "spec.a", "{a: x} -> {a: hidden}": "",
		"{free: x} -> {free: z}": "", "{ruled: x} -> {ruled: z}": "", "{other: x} -> {other: z}": "",
		"{ref: {name: x}} -> {ref: {name: z}}":      "spec.ref",
		"{ref: {name: x}} -> {ref: {external: z}}":  "",
		"{ref: {name: x}} -> {ref: {name: hidden}}": "",
		"{deep: {size: 1}} -> {deep: {size: 2}}":    "spec.deep.size",
		"{deep: {size: 1}} -> {deep: 2}":            "",
		"{list: [x, z]} -> {list: [x]}":             "spec.list",
		"{list: [x]} -> {list: [hidden]}":           "",
		"{a: x, list: [x]} -> {a: z, list: [x, z]}": "spec.a spec.list",
	} {
		before, after, _ := strings.Cut(change, " -> ")
		var states []map[string]any
		for _, text := range []string{before, after} {
			docs, err := kubeyaml.Parse([]byte("spec: " + text))
			if err != nil {
				t.Fatal(err)
			}
			states = append(states, docs[0].Value().(map[string]any))
		}
		var got []string
		for _, v := range kind.Fixed(states[0], states[1], hidden) {
			got = append(got, v.Path.String())
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %q, want %q", change, text, want)
		}
	}
	ofA := func(v any) map[string]any { return map[string]any{"spec": map[string]any{"a": v}} }
	const refused = "spec.a: Forbidden: the definition describes the field as immutable, and the CR had another value before"
	if found := kind.Fixed(ofA("x"), ofA("z"), nil); len(found) != 1 || found[0].Error() != refused {
		t.Errorf("%v", found)
	}
	if found := kind.Fixed(nil, map[string]any{"spec": map[string]any{"a": "x"}}, nil); len(found) > 0 {
		t.Errorf("a new CR: %v", found)
	}
}

package crdschema_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// definition is a CustomResourceDefinition of the kind Probe with a schema of its spec.
func definition(spec string) string {
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: probes.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Probe}
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
          properties:
            metadata: {type: object, properties: {name: {type: string, enum: [one]}}}
            spec: ` + spec + "\n"
}

// probe returns the kind of a definition, and what is wrong with that.
func probe(t *testing.T, text string) (*crdschema.Set, *refconfig.Problem) {
	t.Helper()
	set := &crdschema.Set{}
	for _, o := range manifest.Read("crd.yaml", "", []byte(text), manifest.Hints{}).Objects {
		if !crdschema.IsDefinition(o) {
			t.Fatalf("%v is no definition", o.ID)
		}
		if p := set.AddDefinition(o); p != nil {
			return set, p
		}
	}
	return set, nil
}

func node(t *testing.T, text string) *kubeyaml.Node {
	t.Helper()
	n, err := kubeyaml.ParseMapping(text, kubeyaml.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func messages(violations []crdschema.Violation) string {
	var all []string
	for _, v := range violations {
		all = append(all, v.Error())
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// TestElsewhere finds the only field with a name, wherever it is; metadata and status have none.
func TestElsewhere(t *testing.T) {
	set, problem := probe(t, definition(`
              type: object
              properties:
                size: {type: integer}
                metadata: {type: object, properties: {labels: {type: string}}}
                list: {type: array, items: {type: object, properties: {size: {type: integer}, port: {type: integer}}}}`))
	if problem != nil {
		t.Fatal(problem)
	}
	kind, _ := set.Kind("example.com/v1", "Probe")
	for key, want := range map[string]string{
		"list": "spec.list", "port": "spec.list.*.port", "labels": "spec.metadata.labels", "spec": "spec", "size": ".", "name": ".", "other": ".",
	} {
		if got := kind.Elsewhere(key).String(); got != want {
			t.Errorf("%s is at %q, want %q", key, got, want)
		}
	}
}

// TestMessagesOfTheAPIServer checks values that the recording of an API server does not have. The
// messages are those of k8s.io/apiextensions-apiserver v0.37.2.
func TestMessagesOfTheAPIServer(t *testing.T) {
	for _, c := range []struct{ a, value, want string }{
		{"{type: string}", "null", ""}, // it is dropped
		{"{type: string, format: unheard-of}", "x", ""},
		{"{type: array, items: {type: string}, maxItems: 1}", "[a, b]", "spec.a: Too many: 2: must have at most 1 item"},
		{"{type: array, items: {type: string}, maxItems: 2}", "[a, b]", ""},
		{"{type: integer, minimum: 5, exclusiveMinimum: true}", "5", "spec.a: Invalid value: 5: spec.a in body should be greater than 5"},
		{"{type: integer, minimum: 5}", "4", "spec.a: Invalid value: 4: spec.a in body should be greater than or equal to 5"},
		{"{type: object, required: [b], properties: {b: {type: string}}}", "{b: null}", "spec.a.b: Required value"},
		{"{type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}", "{apiVersion: v1, kind: X, metadata: {name: y}, other: 1}", `unknown field "spec.a.other"`},
	} {
		set, problem := probe(t, definition("{type: object, properties: {a: "+c.a+"}}"))
		k, _ := set.Kind("example.com/v1", "Probe")
		if problem != nil || k == nil {
			t.Fatalf("%s: %v", c.a, problem)
		}
		object := node(t, "{apiVersion: example.com/v1, kind: Probe, metadata: {name: one, labels: {}}, spec: {a: "+c.value+"}}")
		if got := messages(k.Validate(t.Context(), object, crdschema.Options{})); got != c.want {
			t.Errorf("%s of %s:\n%s\nwant:\n%s", c.value, c.a, got, c.want)
		}
	}
}

// TestDefinitions says which versions of a kind there are schemas of, and what of them is closed.
func TestDefinitions(t *testing.T) {
	set, _ := probe(t, definition("{type: object}"))
	object := node(t, "{metadata: {name: two}, spec: {x: 1}}")
	k, _ := set.Kind("example.com/v1", "Probe")
	want := "metadata.name: Unsupported value: \"two\": supported values: \"one\"\nunknown field \"spec.x\""
	if got := messages(k.Validate(t.Context(), object, crdschema.Options{})); got != want || !k.ClusterWide {
		t.Errorf("%s", got)
	}
	if k, others := set.Kind("example.com/v2", "Probe"); k != nil || len(others) != 1 || others[0] != "example.com/v1" {
		t.Errorf("%v %v", k, others)
	}
	if name := set.Named("example.com/v1", "PROBE"); name != "Probe" {
		t.Errorf("%q", name)
	}
	set, _ = probe(t, strings.NewReplacer("io/v1\n", "io/v1beta1\n").Replace(definition("{type: object}")))
	k, _ = set.Kind("example.com/v1", "Probe")
	if got := messages(k.Validate(t.Context(), node(t, "{spec: {x: 1}}"), crdschema.Options{})); got != "" {
		t.Errorf("v1beta1 keeps unknown fields: %s", got)
	}
	if _, p := probe(t, definition("{type: [object]}")); p == nil || !strings.HasPrefix(p.Message, "probes.example.com is not") {
		t.Errorf("%v", p)
	}
}

// TestHostileSchemas holds values against schemas that lead to themselves, are deep or have patterns
// that are no expressions: none takes long once the context has ended, or panics.
func TestHostileSchemas(t *testing.T) {
	deep := strings.Repeat("{type: object, additionalProperties: ", 400) + "{}" + strings.Repeat("}", 400)
	for _, spec := range []string{"{type: string, pattern: '('}", deep, "{not: {not: {not: {}}}}", "{items: null, properties: {a: null}, anyOf: [null], not: {}}"} {
		set, problem := probe(t, definition(spec))
		k, _ := set.Kind("example.com/v1", "Probe")
		if problem != nil {
			t.Fatalf("%.40s: %v", spec, problem)
		}
		k.Validate(t.Context(), node(t, "{spec: {a: {b: [1]}}}"), crdschema.Options{})
		k.Elsewhere("nowhere")
		k.At(refconfig.FieldPath{refconfig.Key("spec"), refconfig.Key("a"), refconfig.Key("b")})
	}
	const circles = `{"openapi": "3.0.0", "components": {"schemas": {
	"a": {"$ref": "#/components/schemas/b", "x-kubernetes-group-version-kind": [{"group": "g", "version": "v1", "kind": "A"}]},
	"b": {"$ref": "#/components/schemas/a"},
	"c": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "g", "version": "v1", "kind": "C"}],
		"anyOf": [{"$ref": "#/components/schemas/c"}, {"$ref": "#/components/schemas/c"}],
		"properties": {"self": {"$ref": "#/components/schemas/c"}, "again": {"$ref": "#/components/schemas/c", "default": {}}, "name": {"type": "string"}}}}}}`
	set := &crdschema.Set{}
	if !crdschema.IsOpenAPI([]byte(circles)) {
		t.Fatal("it is an OpenAPI document")
	}
	if p := set.AddOpenAPI(refconfig.Place{}, []byte(circles), kubeyaml.Limits{}); p != nil || set.Len() != 2 {
		t.Fatalf("%v, %d kinds", p, set.Len())
	}
	for _, name := range []string{"A", "C"} {
		k, _ := set.Kind("g/v1", name)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		begun := time.Now()
		k.Validate(ctx, node(t, "{self: {self: {name: 1}}}"), crdschema.Options{})
		k.Elsewhere("nowhere")
		k.At(refconfig.FieldPath{refconfig.Key("self"), refconfig.Key("self")})
		object := map[string]any{"again": map[string]any{}, "self": map[string]any{}}
		k.Defaults(object, map[string]any{"self": map[string]any{}})
		k.Lists(object)
		cancel()
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("%s: it takes %v", name, took)
		}
	}
}

// TestDefaultsAndLists finds fields with their default values that are not stated, and lists that the
// API server compares by keys or as sets.
func TestDefaultsAndLists(t *testing.T) {
	set, _ := probe(t, definition(`{type: object, properties: {
		mode: {type: string, default: Fast}, size: {type: integer, default: 3},
		probe: {type: object, default: {}, properties: {path: {type: string, default: /}, wait: {type: integer}}},
		tags: {type: array, x-kubernetes-list-type: set, items: {type: string}},
		ports: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name],
			items: {type: object, properties: {name: {type: string}, protocol: {type: string, default: TCP}}}}}}`))
	k, _ := set.Kind("example.com/v1", "Probe")
	value := func(spec string) any { return node(t, "{metadata: {name: one}, spec: "+spec+"}").Value() }
	for _, c := range []struct{ object, expected, defaults, lists string }{
		{"{mode: Fast, size: 3}", "{}", "spec.mode spec.size", ""},
		{"{mode: Safe, size: 3}", "{size: 4}", "", ""},
		{"{probe: {path: /}}", "{}", "spec.probe", ""},
		{"{probe: {path: /, wait: 1}}", "{}", "", ""},
		{"{probe: {path: /, wait: 1}}", "{probe: {wait: 1}}", "spec.probe.path", ""},
		{"{ports: [{name: a, protocol: TCP}]}", "{ports: [{name: b}, {name: a}]}", "spec.ports.0.protocol", "spec.ports map(name)"},
		{"{ports: [{name: a, protocol: TCP}]}", "{ports: [{name: b, protocol: UDP}, {name: a}]}", "", "spec.ports map(name)"},
		{"{ports: [{protocol: TCP}], tags: [a]}", "{ports: [{name: b}]}", "spec.ports.0.protocol", "spec.tags set"},
		{"{ports: {name: x}, tags: {}}", "[]", "", ""},
	} {
		var defaults, lists []string
		for _, path := range k.Defaults(value(c.object), value(c.expected)) {
			defaults = append(defaults, path.String())
		}
		for _, f := range k.Lists(value(c.object), value(c.expected)) {
			lists = append(lists, f.Path.String()+" "+f.Function)
		}
		if got := strings.Join(defaults, " "); got != c.defaults {
			t.Errorf("%s of %s: defaults %q, want %q", c.object, c.expected, got, c.defaults)
		}
		if got := strings.Join(lists, " "); got != c.lists {
			t.Errorf("%s of %s: lists %q, want %q", c.object, c.expected, got, c.lists)
		}
	}
}

// TestLargeTexts holds large texts against patterns that take long on them.
func TestLargeTexts(t *testing.T) {
	object := node(t, "{metadata: {name: one}, spec: {a: "+strings.Repeat("x", 2<<20)+"}}")
	for _, pattern := range []string{"(x+x+)+y" + strings.Repeat("z*", 500) + "$", "(x|xx|xxx|xxxx){1,400}y"} {
		set, _ := probe(t, definition("{type: object, additionalProperties: {type: string, pattern: '"+pattern+"'}}"))
		k, _ := set.Kind("example.com/v1", "Probe")
		begun := time.Now()
		if found := k.Validate(t.Context(), object, crdschema.Options{}); len(found) > 0 || time.Since(begun) > 20*time.Second {
			t.Errorf("%.30s: %d violations after %v", pattern, len(found), time.Since(begun))
		}
	}
}

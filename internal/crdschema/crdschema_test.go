package crdschema_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/crdschema"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/manifest"
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

// TestMessagesOfTheAPIServer holds values against schemas. The messages are what
// k8s.io/apiextensions-apiserver v0.37.2 says of the same.
func TestMessagesOfTheAPIServer(t *testing.T) {
	const invalid = `spec.a: Invalid value: %s: spec.a in body %s`
	list := func(more string) string {
		return "{type: array, items: {type: object, properties: {k: {type: string}, v: {type: integer}}}, " + more + "}"
	}
	for _, c := range []struct{ a, value, want string }{
		{"{type: integer}", "1", ""},
		{"{type: integer}", "1.0", ""},
		{"{type: integer}", "x", fmt.Sprintf(invalid, `"string"`, `must be of type integer: "string"`)},
		{"{type: number}", "1", ""},
		{"{type: string}", "yes", fmt.Sprintf(invalid, `"boolean"`, `must be of type string: "boolean"`)},
		{"{type: string}", "null", ""}, // it is dropped
		{"{type: string, nullable: true}", "null", ""},
		{"{type: array, items: {type: string}}", "[null]", `spec.a[0]: Invalid value: "null": spec.a[0] in body must be of type string: "null"`},
		{"{type: object}", "[]", fmt.Sprintf(invalid, `"array"`, `must be of type object: "array"`)},
		{"{x-kubernetes-int-or-string: true}", "80%", ""},
		{"{x-kubernetes-int-or-string: true}", "80", ""},
		{"{x-kubernetes-int-or-string: true}", "true", fmt.Sprintf(invalid, `"boolean"`, `must be of type integer,string: "boolean"`)},
		{"{type: string, enum: [x, z]}", "w", `spec.a: Unsupported value: "w": supported values: "x", "z"`},
		{"{type: integer, enum: [1, 2]}", "3", `spec.a: Unsupported value: 3: supported values: "1", "2"`},
		{"{type: integer, minimum: 1}", "0", fmt.Sprintf(invalid, "0", "should be greater than or equal to 1")},
		{"{type: integer, minimum: 1, exclusiveMinimum: true}", "1", fmt.Sprintf(invalid, "1", "should be greater than 1")},
		{"{type: number, maximum: 1.5}", "2", fmt.Sprintf(invalid, "2", "should be less than or equal to 1")},
		{"{type: integer, multipleOf: 2}", "3", fmt.Sprintf(invalid, "3", "should be a multiple of 2")},
		{"{type: string, minLength: 2}", "x", fmt.Sprintf(invalid, `"x"`, "should be at least 2 chars long")},
		{"{type: string, maxLength: 1}", "éé", "spec.a: Too long: may not be more than 1 bytes"},
		{"{type: string, pattern: ^a}", "b", fmt.Sprintf(invalid, `"b"`, "should match '^a'")},
		{"{type: string, format: ipv4}", "'::1'", fmt.Sprintf(invalid, `"::1"`, `must be of type ipv4: "::1"`)},
		{"{type: string, format: date-time}", "2024-01-02T03:04:05Z", ""},
		{"{type: string, format: unheard-of}", "x", ""},
		{"{type: array, items: {type: string}, minItems: 1}", "[]", fmt.Sprintf(invalid, "0", "should have at least 1 items")},
		{"{type: array, items: {type: string}, maxItems: 1}", "[a, b]", "spec.a: Too many: 2: must have at most 1 item"},
		{"{type: array, items: {type: string}, x-kubernetes-list-type: set}", "[a, b, a]", `spec.a[2]: Duplicate value: "a"`},
		{list("x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k]"), "[{k: x, v: 1}, {k: x, v: 2}]", `spec.a[1]: Duplicate value: {"k":"x"}`},
		{list("minItems: 0"), "[{k: x, w: 1}]", `unknown field "spec.a[0].w"`},
		{"{type: object, additionalProperties: {type: integer}}", "{x: 1, q: z}", `spec.a.q: Invalid value: "string": spec.a.q in body must be of type integer: "string"`},
		{"{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type: object}}}", "{x: 1, b: {q: 1}}", `unknown field "spec.a.b.q"`},
		{"{type: object, required: [b], properties: {b: {type: string}}}", "{}", "spec.a.b: Required value"},
		{"{type: object, required: [b], properties: {b: {type: string, default: x}}}", "{}", ""},
		{"{type: object, required: [b], properties: {b: {type: string}}}", "{b: null}", "spec.a.b: Required value"},
		{"{type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}", "{apiVersion: v1, kind: X, metadata: {name: y}, other: 1}", `unknown field "spec.a.other"`},
		{"{type: string, anyOf: [{pattern: ^a}, {pattern: ^b}]}", "b", ""},
		{"{type: object, properties: {b: {type: string}}, not: {required: [b]}}", "{b: x}", `spec.a: Invalid value: "": spec.a in body must not validate the schema (not)`},
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
		if took := time.Since(begun); took > 2*time.Second {
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
	set, _ := probe(t, definition("{type: object, additionalProperties: {type: string, pattern: '(x+x+)+y"+strings.Repeat("z*", 500)+"$'}}"))
	k, _ := set.Kind("example.com/v1", "Probe")
	object := node(t, "{metadata: {name: one}, spec: {a: "+strings.Repeat("x", 4<<20)+"}}")
	begun := time.Now()
	if found := k.Validate(t.Context(), object, crdschema.Options{}); len(found) > 0 || time.Since(begun) > 2*time.Second {
		t.Errorf("%d violations after %v", len(found), time.Since(begun))
	}
}

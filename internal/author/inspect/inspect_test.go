package inspect_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// load loads the reference that lies in a text archive, whose other files begin with "want".
func load(t *testing.T, a *testkit.Archive) (*refconfig.Reference, *render.Engine) {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range a.Texts() {
		if !strings.HasPrefix(name, "want") {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	ref, engine := given.Load(t, fsys, "ref")
	return ref, engine
}

// TestInterfaces shows the interface of small references, and what has to be collected for them.
func TestInterfaces(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		ref, engine := load(t, a)
		all := inspect.Of(t.Context(), ref, engine, inspect.Options{Nested: true})
		all.Join()
		a.Want(t, "want-interface", text(t, all.Text))
		a.Want(t, "want-needs", text(t, inspect.NeedsOf(t.Context(), &refconfig.Reference{Path: "ref"}, "validationTool", engine).Text))
	})
}

func text(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestDocumentsKeepTheSchemas: every document is as its schema says, and every key of a schema is
// in a document.
func TestDocumentsKeepTheSchemas(t *testing.T) {
	written := map[string]string{}
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		ref, engine := load(t, a)
		all := inspect.Of(t.Context(), ref, engine, inspect.Options{Nested: true})
		for t := range all.Templates() {
			t.CRs = new(int)
			for i := range t.Parameters {
				t.Parameters[i].Given, t.Parameters[i].Lacking = new(int), new(int)
				t.Parameters[i].Values, t.Parameters[i].Secret = []any{"a"}, true
				t.Parameters[i].Schema = &inspect.Described{
					Type: "string", Enum: []any{"a"}, Default: "a", Description: "A letter.",
				}
			}
			t.Unasked = []string{"spec.x"}
		}
		all.Join()
		for name, one := range map[string]any{
			"inspect": all, "needs": inspect.NeedsOf(t.Context(), &refconfig.Reference{Path: "ref"}, "validationTool", engine),
		} {
			doc := text(t, func(w io.Writer) error { return escape.WriteJSON(w, one) })
			written[name] += doc
			schema, err := jsonschema.NewCompiler().Compile("../../../docs/" + name + ".schema.json")
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(decode(t, []byte(doc))); err != nil {
				t.Error(err)
			}
		}
	})
	for name, text := range written {
		schema, err := os.ReadFile("../../../docs/" + name + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range propertiesOf(decode(t, schema)) {
			if !strings.Contains(text, `"`+key+`":`) {
				t.Errorf("no document has what the schema has: %s: %s", name, key)
			}
		}
	}
}

// TestStubsKeepTheSchema: every stub is a values file as the schema says.
func TestStubsKeepTheSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../run/schema/values.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		ref, engine := load(t, a)
		stub := text(t, inspect.Of(t.Context(), ref, engine, inspect.Options{}).Stub)
		docs, err := kubeyaml.Parse([]byte(stub))
		if err != nil || len(docs) != 1 {
			t.Fatalf("%v:\n%s", err, stub)
		}
		if err := schema.Validate(docs[0].Value()); err != nil {
			t.Error(err)
		}
		own := text(t, inspect.Of(t.Context(), ref, engine, inspect.Options{}).ValuesSchema)
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource("own.json", decode(t, []byte(own))); err != nil {
			t.Fatal(err)
		}
		if one, err := compiler.Compile("own.json"); err != nil {
			t.Error(err)
		} else if err := one.Validate(docs[0].Value()); err != nil {
			t.Error(err)
		} else if err := one.Validate(map[string]any{"nowhere.yaml": []any{}}); err == nil {
			t.Error("the schema allows values of a template that there is not")
		}
		a.Want(t, "want-stub", stub)
	})
}

// TestValuesSchemasConstrain: the schema has the types and the values that a template takes, as far
// as it refuses all others.
func TestValuesSchemasConstrain(t *testing.T) {
	for template, want := range map[string]string{
		`{{ if not (has .x (list "a" 1)) }}{{ fail "no" }}{{ end }}`:                     `{"enum":["a",1,null]}`,
		`{{ if has .x (list "a") }}{{ violation "T-X" "no" }}{{ end }}`:                  `{}`,
		`{{ if .y }}{{ if not (has .x (list "a")) }}{{ fail "no" }}{{ end }}{{ end }}`:   `{}`,
		`{{ with .x }}{{ if ne . "a" }}{{ fail "no" }}{{ end }}{{ end }}`:                `{"enum":["a",null]}`,
		`{{ if not (regexMatch "^[a-z]+$" .x) }}{{ violation "T-X" "no" }}{{ end }}`:     `{"pattern":"^[a-z]+$","type":["string","null"]}`,
		`{{ if not (regexMatch "(?i)^[a-z]+$" .x) }}{{ violation "T-X" "no" }}{{ end }}`: `{"type":["string","null"]}`,
		`{{ if regexMatch "^[a-z]+$" .x }}{{ end }}`:                                     `{"type":["string","null"]}`,
		`{{ range .x }}{{ . }}{{ end }}`:                                                 `{"type":["array","null"]}`,
		`{{ range $k, $v := .x }}{{ $v }}{{ end }}`:                                      `{"type":["array","object","null"]}`,
		`{{ int .x }}`: `{"type":["number","string","null"]}`,
		`{{ if gt (len .x) 1 }}{{ end }}{{ maxListLength 3 .x }}`: `{"maxItems":3,"type":["array","null"]}`,
	} {
		ref, engine := given.Load(t, fstest.MapFS{
			"metadata.yaml": {Data: []byte("apiVersion: v2\nparts:\n- {name: p, components: [{name: c, allOf: [{path: t.yaml}]}]}\n")},
			"t.yaml":        {Data: []byte("apiVersion: v1\nkind: A\nspec:\n  x: " + template + "\n")},
		}, "ref")
		doc := decode(t, []byte(text(t, inspect.Of(t.Context(), ref, engine, inspect.Options{}).ValuesSchema)))
		for _, key := range []string{"properties", "t.yaml", "items", "properties", "x"} {
			doc = doc.(map[string]any)[key]
		}
		is := doc.(map[string]any)
		for _, key := range []string{"description", "items", "additionalProperties"} {
			delete(is, key)
		}
		if got, err := json.Marshal(is); err != nil || string(got) != want {
			t.Errorf("%s: got %s (%v), want %s", template, got, err, want)
		}
	}
}

func decode(t *testing.T, text []byte) any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil || !json.Valid(text) {
		t.Fatal(err)
	}
	return doc
}

// propertiesOf are all properties that a schema has.
func propertiesOf(schema any) []string {
	var all []string
	switch schema := schema.(type) {
	case map[string]any:
		for key, v := range schema {
			if properties, ok := v.(map[string]any); ok && key == "properties" {
				for name := range properties {
					all = append(all, name)
				}
			}
			all = append(all, propertiesOf(v)...)
		}
	case []any:
		for _, v := range schema {
			all = append(all, propertiesOf(v)...)
		}
	}
	return all
}

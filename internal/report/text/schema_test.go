package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/golden"
	"github.com/validationtool/validationtool/internal/report/formats"
)

// TestDocumentsKeepTheSchema validates the document of every result in testdata, and checks that
// the YAML of it is the same document.
func TestDocumentsKeepTheSchema(t *testing.T) {
	schema := schemaOf(t, "report")
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, a *golden.Archive) {
		for _, show := range []diff.Show{{}, {Expected: true, Secrets: true}, {Full: true, Lines: true, Expected: true}} {
			checkDocument(t, schema, build(t, a.Files[0].Data, show))
		}
	})
	checkDocument(t, schema, build(t, []byte("reference: {format: v2, hash: 'sha256:'}"), diff.Show{}))
}

// checkDocument checks that the JSON of a report keeps the schema, that its YAML is the same
// document, and that what is read back from the JSON is written as it was.
func checkDocument(t *testing.T, schema *jsonschema.Schema, r *finding.Report) {
	t.Helper()
	var asJSON, asYAML, again bytes.Buffer
	if err := errors.Join(formats.JSON(&asJSON, r), formats.YAML(&asYAML, r)); err != nil {
		t.Fatal(err)
	}
	read, err := finding.Read(asJSON.Bytes())
	if err != nil {
		t.Fatalf("%s in\n%s", err, asJSON.Bytes())
	}
	var text, textAgain bytes.Buffer
	if err := errors.Join(formats.JSON(&again, read), Report(&text, r, Options{}), Report(&textAgain, read, Options{})); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asJSON.String(), again.String()) + cmp.Diff(text.String(), textAgain.String()); diff != "" {
		t.Errorf("it is read back and written in another way: %s", diff)
	}
	doc := decodeJSON(t, asJSON.Bytes())
	if err := schema.Validate(doc); err != nil {
		t.Error(err)
	}
	var same any
	if err := yaml.Unmarshal(asYAML.Bytes(), &same); err != nil {
		t.Fatalf("%s in\n%s", err, asYAML.Bytes())
	}
	if diff := cmp.Diff(numbersAsText(doc), numbersAsText(same)); diff != "" {
		t.Errorf("the YAML is another document than the JSON: %s", diff)
	}
}

// numbersAsText makes numbers of two decoders comparable.
func numbersAsText(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			out[k] = numbersAsText(x)
		}
		return out
	case []any:
		out := []any{}
		for _, x := range v {
			out = append(out, numbersAsText(x))
		}
		return out
	case string, bool, nil:
		return v
	}
	return "number " + fmt.Sprint(v)
}

// TestSchemaRejects shows that the schema sees what is wrong with a document: each change of a
// valid one must be found at its place.
func TestSchemaRejects(t *testing.T) {
	schema := schemaOf(t, "report")
	tests := []struct{ name, old, new, want string }{
		{"missing key", `"schemaVersion":2,`, ``, `at '': missing property 'schemaVersion'`},
		{
			"unknown key",
			`"schemaVersion":2,`,
			`"schemaVersion":2,"more":1,`,
			`at '': additional properties 'more' not allowed`,
		},
		{"other version", `"schemaVersion":2,`, `"schemaVersion":3,`, `at '/schemaVersion': value must be 2`},
		{"wrong type", `"missingCRs":0`, `"missingCRs":"0"`, `/summary/missingCRs': got string, want integer`},
		{"no integer", `"missingCRs":0`, `"missingCRs":0.5`, `/summary/missingCRs': got number, want integer`},
		{"too small", `"missingCRs":0`, `"missingCRs":-1`, `/summary/missingCRs': minimum: got -1, want 0`},
		{"not in the list", `"verdict":"drift"`, `"verdict":"bad"`, `at '/summary/verdict': value must be one of`},
		{"pattern", `"code":"VT1008"`, `"code":"1008"`, `/warnings/0/code': '1008' does not match pattern`},
		{"inside a list", `"by":"fixed"`, `"by":"luck"`, `/comparisons/0/correlation/by': value must be one of`},
		{"null", `"inputs":[]`, `"inputs":null`, `/inputs': got null, want array`},
	}
	r := build(t, []byte(`
reference: {path: r, format: v1, hash: "sha256:00"}
read: 1
comparisons: [{object: A b (v1), file: f, template: {path: t}, left: {a: 1}, right: {a: 2}}]
warnings: [{code: VT1008, message: m}]
`), diff.Show{})
	var indented, compact bytes.Buffer
	if err := formats.JSON(&indented, r); err != nil {
		t.Fatal(err)
	}
	if err := json.Compact(&compact, indented.Bytes()); err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			changed := strings.Replace(compact.String(), test.old, test.new, 1)
			if changed == compact.String() {
				t.Fatalf("%q is not in the document %s", test.old, changed)
			}
			if err := schema.Validate(decodeJSON(t, []byte(changed))); err == nil ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("the schema says %v, want something with %q", err, test.want)
			}
		})
	}
}

// schemaOf returns the schema of docs/ for a document: "report" or "explain".
func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../../../docs/" + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func decodeJSON(t *testing.T, text []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSchemasSayAllThereIs finds a keyword that is misspelt, which validators pass over, and an
// object that lets any key in.
func TestSchemasSayAllThereIs(t *testing.T) {
	keywords := strings.Fields(
		"$schema $defs $ref title description type const enum minimum pattern items properties required additionalProperties",
	)
	var check func(at string, schema map[string]any)
	check = func(at string, schema map[string]any) {
		for keyword := range schema {
			if !slices.Contains(keywords, keyword) {
				t.Errorf("%s: the keyword %s is not known", at, keyword)
			}
		}
		if more, there := schema["additionalProperties"]; there && more != false {
			t.Errorf("%s lets more keys in", at)
		}
		if items, ok := schema["items"].(map[string]any); ok {
			check(at+"/items", items)
		}
		for _, keyword := range []string{"properties", "$defs"} {
			inside, _ := schema[keyword].(map[string]any)
			for name, one := range inside {
				check(at+"/"+name, one.(map[string]any))
			}
		}
	}
	for _, name := range []string{"report", "explain", "lint"} {
		text, err := os.ReadFile("../../../docs/" + name + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		check(name, decodeJSON(t, text).(map[string]any))
	}
}

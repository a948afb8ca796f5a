package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/compare"
)

// TestDocumentsKeepTheSchema validates the document of every result in testdata, and checks that the YAML of it is the
// same document.
func TestDocumentsKeepTheSchema(t *testing.T) {
	schema := readSchema(t)
	files, _ := filepath.Glob("testdata/*.txtar")
	if len(files) == 0 {
		t.Fatal("no test data")
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := build(t, archive.Files[0].Data)
		checkDocument(t, schema, r, DocOptions{ToolVersion: "1.2.3"})
		checkDocument(t, schema, r, DocOptions{ShowExpected: true, ShowSecrets: true})
	}
	checkDocument(t, schema, &compare.Result{Reference: build(t, []byte("reference: {format: v2, hash: 'sha256:'}")).Reference}, DocOptions{})
}

func checkDocument(t *testing.T, schema map[string]any, r *compare.Result, opt DocOptions) {
	t.Helper()
	var asJSON, asYAML bytes.Buffer
	if err := JSON(&asJSON, alone(r), opt); err != nil {
		t.Fatal(err)
	}
	if err := YAML(&asYAML, alone(r), opt); err != nil {
		t.Fatal(err)
	}
	doc := decodeJSON(t, asJSON.Bytes())
	for _, fault := range validate(schema, schema, doc, "") {
		t.Error(fault)
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

// TestValidatorRejects shows that the validator sees what is wrong with a document: each change of a valid one must be
// found at its place.
func TestValidatorRejects(t *testing.T) {
	schema := readSchema(t)
	tests := []struct{ name, old, new, want string }{
		{"missing key", `"schemaVersion":2,`, ``, `the key "schemaVersion" is missing`},
		{"unknown key", `"schemaVersion":2,`, `"schemaVersion":2,"more":1,`, `/more: the key is not allowed`},
		{"other version", `"schemaVersion":2,`, `"schemaVersion":3,`, `/schemaVersion: is not`},
		{"wrong type", `"missingCRs":0`, `"missingCRs":"0"`, `/summary/missingCRs: is no integer`},
		{"no integer", `"missingCRs":0`, `"missingCRs":0.5`, `/summary/missingCRs: is no integer`},
		{"too small", `"missingCRs":0`, `"missingCRs":-1`, `/summary/missingCRs: is less than 0`},
		{"not in the list", `"verdict":"drift"`, `"verdict":"bad"`, `/summary/verdict: is none of`},
		{"pattern", `"code":"VT1008"`, `"code":"1008"`, `/warnings/0/code: does not match`},
		{"inside a list", `"by":"fixed"`, `"by":"luck"`, `/correlation/by: is none of`},
		{"null", `"inputs":[]`, `"inputs":null`, `/inputs: is no array`},
	}
	r := build(t, []byte(`
reference: {path: r, format: v1, hash: "sha256:00"}
read: 1
comparisons: [{object: A b (v1), file: f, template: {path: t}, left: {a: 1}, right: {a: 2}}]
warnings: [{code: VT1008, message: m}]
`))
	var indented, compact bytes.Buffer
	if err := JSON(&indented, alone(r), DocOptions{}); err != nil {
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
			faults := validate(schema, schema, decodeJSON(t, []byte(changed)), "")
			if !slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, test.want) }) {
				t.Errorf("the faults are %q, want one with %q", faults, test.want)
			}
		})
	}
}

func readSchema(t *testing.T) map[string]any { return readSchemaOf(t, "report") }

func readSchemaOf(t *testing.T, name string) map[string]any {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return decodeJSON(t, text).(map[string]any)
}

func decodeJSON(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// validate returns what is wrong with v by a schema. It knows the keywords that our schema uses and no others.
func validate(root, schema map[string]any, v any, at string) []string {
	var faults []string
	fault := func(format string, args ...any) {
		faults = append(faults, at+": "+fmt.Sprintf(format, args...))
	}
	for keyword, want := range schema {
		switch keyword {
		case "$schema", "$defs", "title", "description", "items", "properties", "required":
		case "$ref":
			name := strings.TrimPrefix(want.(string), "#/$defs/")
			faults = append(faults, validate(root, root["$defs"].(map[string]any)[name].(map[string]any), v, at)...)
		case "type":
			if !isOfType(v, want.(string)) {
				fault("is no %s", want)
				return faults
			}
		case "const":
			if v != want {
				fault("is not %v", want)
			}
		case "enum":
			if !slices.Contains(want.([]any), v) {
				fault("is none of %v", want)
			}
		case "minimum":
			if n, ok := v.(json.Number); ok && strings.HasPrefix(n.String(), "-") {
				fault("is less than %v", want)
			}
		case "pattern":
			if s, ok := v.(string); ok && !regexp.MustCompile(want.(string)).MatchString(s) {
				fault("does not match %v", want)
			}
		case "additionalProperties":
			if want != false {
				fault("the schema lets more keys in")
			}
		default:
			fault("the schema has the keyword %s, which this validator does not know", keyword)
		}
	}
	return append(faults, validateInside(root, schema, v, at)...)
}

func validateInside(root, schema map[string]any, v any, at string) []string {
	var faults []string
	switch v := v.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		required, _ := schema["required"].([]any)
		for _, key := range required {
			if _, there := v[key.(string)]; !there {
				faults = append(faults, fmt.Sprintf("%s: the key %q is missing", at, key))
			}
		}
		for key, x := range v {
			if property, known := properties[key]; known {
				faults = append(faults, validate(root, property.(map[string]any), x, at+"/"+key)...)
			} else if schema["additionalProperties"] == false {
				faults = append(faults, at+"/"+key+": the key is not allowed")
			}
		}
	case []any:
		if items, ok := schema["items"].(map[string]any); ok {
			for i, x := range v {
				faults = append(faults, validate(root, items, x, fmt.Sprintf("%s/%d", at, i))...)
			}
		}
	}
	return faults
}

func isOfType(v any, name string) bool {
	switch v := v.(type) {
	case map[string]any:
		return name == "object"
	case []any:
		return name == "array"
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case json.Number:
		return name == "integer" && !strings.ContainsAny(v.String(), ".eE")
	}
	return false
}

package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/saved"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// TestDocumentsKeepTheSchema validates the saved reports in testdata, and checks that they are
// written as they were read. They are of an earlier version, without the lists of findings.
func TestDocumentsKeepTheSchema(t *testing.T) {
	schema := schemaOf(t, "report")
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		r, err := saved.Read(a.Files[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		text := checkDocument(t, r)
		if err := schema.Validate(decodeJSON(t, text)); err != nil {
			t.Error(err)
		}
		text = regexp.MustCompile(`(?s)\n {6}"findings": \[(\n.*?\n {6})?\],`).ReplaceAll(text, nil)
		if !bytes.Equal(text, a.Files[0].Data) {
			t.Errorf("it is written in another way: %s", cmp.Diff(string(a.Files[0].Data), string(text)))
		}
	})
}

// checkDocument checks that YAML is the same document as JSON, and that what is read back from JSON
// is written as it was. It returns the JSON.
func checkDocument(t *testing.T, r *finding.Report) []byte {
	t.Helper()
	var asJSON, asYAML, again bytes.Buffer
	if err := errors.Join(formats.JSON(&asJSON, r, formats.Omit{}), formats.YAML(&asYAML, r, formats.Omit{})); err != nil {
		t.Fatal(err)
	}
	read, err := saved.Read(asJSON.Bytes())
	if err != nil {
		t.Fatalf("%s in\n%s", err, asJSON.Bytes())
	}
	if err := formats.JSON(&again, read, formats.Omit{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asJSON.String(), again.String()); diff != "" {
		t.Errorf("it is read back and written in another way: %s", diff)
	}
	checkSame(t, asJSON.Bytes(), asYAML.Bytes())
	return asJSON.Bytes()
}

// checkSame checks that a YAML document is the same as a JSON document.
func checkSame(t *testing.T, asJSON, asYAML []byte) {
	t.Helper()
	want, err := tree.FromJSON(asJSON)
	if err != nil {
		t.Fatal(err)
	}
	docs, err := kubeyaml.Parse(asYAML)
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d YAML documents, %v\n%s", len(docs), err, asYAML)
	}
	if got := docs[0].Value(); !tree.Equal(want, got) {
		t.Errorf("YAML and JSON differ: %s", cmp.Diff(want, got))
	}
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
		{"pattern", `"hash":"sha256:00"`, `"hash":"00"`, `at '/reference/hash': '00' does not match pattern`},
		{"inside a list", `"by":"fixed"`, `"by":"luck"`, `/comparisons/0/correlation/by': value must be one of`},
		{"null", `"inputs":[]`, `"inputs":null`, `/inputs': got null, want array`},
	}
	archive, err := txtar.ParseFile("testdata/rated.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, archive.Files[0].Data); err != nil {
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
		"$schema $id $defs $ref title description type const enum minimum pattern items properties required additionalProperties",
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

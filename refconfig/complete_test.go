package refconfig

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEveryConstantHasARow checks that each key of perField and each rule that has a name can be
// written in a reference.
func TestEveryConstantHasARow(t *testing.T) {
	text, err := os.ReadFile("model.go")
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string][]string{"FieldKey": nil, "RuleKind": ruleKeys()}
	for _, key := range FieldKeys() {
		tables["FieldKey"] = append(tables["FieldKey"], string(key))
	}
	for of, rows := range tables {
		named := regexp.MustCompile(`(?m)^\t\w+ +`+of+` += "(\w+)"`).FindAllStringSubmatch(string(text), -1)
		if len(named) != len(rows) {
			t.Errorf("model.go names %d values of %s, and the tables have %d rows", len(named), of, len(rows))
		}
		for _, one := range named {
			if !slices.Contains(rows, one[1]) {
				t.Errorf("%s has a name in model.go and no row in keyRows or ruleKeys, so that no reference can use it", one[1])
			}
		}
	}
}

// TestEveryKeyIsDescribed checks that the schema for editors and the chapter on references have
// every rule and every key of perField, and the complete reference every key.
func TestEveryKeyIsDescribed(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	schema, chapter := read("../internal/run/schema/metadata.schema.json"), read("../docs/references.md")
	keys, complete := ruleKeys(), read("testdata/faults/v2_complete.txtar")
	for _, key := range FieldKeys() {
		keys = append(keys, string(key))
		if !strings.Contains(complete, string(key)+": ") {
			t.Errorf("testdata/faults/v2_complete.txtar, which has everything that metadata says, has no %s", key)
		}
	}
	for _, key := range keys {
		if !strings.Contains(schema, `"`+key+`": {`) {
			t.Errorf("metadata.schema.json has no %s", key)
		}
		if !strings.Contains(chapter, key) {
			t.Errorf("docs/references.md does not mention %s", key)
		}
	}
}

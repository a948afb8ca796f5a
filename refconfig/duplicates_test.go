package refconfig_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Together these have every key of the format, each on a line of its own.
const (
	everyKeyOfV1 = `apiVersion: v1
parts:
  - name: p
    components:
      - name: c
        type: Required
        requiredTemplates:
          - path: a.yaml
        optionalTemplates:
          - path: b.yaml
`
	everyKeyOfV2 = `apiVersion: v2
validate: true
parts:
  - name: p
    description: words
    components:
      - name: c
        description: words
        allOf:
          - path: a.yaml
            description: words
            config:
              ignore-unspecified-fields: true
              fieldsToOmitRefs:
                - all
              perField:
                - pathToKey: spec.text
                  inlineDiffFunc: regex
                - pathToKey: spec.file
                  embedded: json
                  encoding: gzip
                - pathToKey: spec.set
                  list: set
                - pathToKey: spec.size
                  quantity: true
                - pathToKey: spec.cpus
                  cpuset: true
                - pathToKey: spec.all
                  exact: true
      - name: d
        allOrNoneOf:
          - path: a.yaml
      - name: e
        anyOf:
          - path: a.yaml
      - name: f
        noneOf:
          - path: b.yaml
      - name: g
        oneOf:
          - path: a.yaml
      - name: h
        anyOneOf:
          - path: a.yaml
templateFunctionFiles:
  - a.yaml
fieldsToOmit:
  defaultOmitRef: all
  items:
    all:
      - pathToKey: status
        isPrefix: true
      - include: some
    some:
      - pathToKey: spec.x
`
)

// TestDuplicateKeysThatDropRequirements duplicates each key of the metadata, in the same and in
// another letter case. That a value does not count is an alarm, unless it is only words, or nothing.
func TestDuplicateKeysThatDropRequirements(t *testing.T) {
	keyLine := regexp.MustCompile(`^( *(?:- )?)([A-Za-z-]+):(.*)$`)
	covered := map[string]bool{}
	for _, text := range []string{everyKeyOfV1, everyKeyOfV2} {
		if found, warnings := duplicatesOf(t, text); len(found) > 0 {
			t.Fatalf("%v", warnings)
		}
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			part := keyLine.FindStringSubmatch(line)
			if part == nil {
				continue
			}
			indent, key, value := part[1], part[2], part[3]
			covered[key] = true
			words := key == "name" || key == "description"
			duplicates := map[string]bool{ // whether it is an alarm
				key + ": dropped":      !words,
				key + ": [dropped]":    !words,
				key + ": {dropped: 1}": !words,
				key + ":":              false,
				key + ": []":           false,
				key + ":" + value:      false, // the same, or nothing
			}
			if key != "all" && key != "some" { // names of lists, in which letter case matters
				duplicates[strings.ToUpper(key)+": dropped"] = !words
				duplicates[strings.ToUpper(key)+": {}"] = false
			}
			for duplicate, alarm := range duplicates {
				twice := slices.Clone(lines)
				twice[i] = strings.Repeat(" ", len(indent)) + key + ":" + value
				twice = slices.Insert(twice, i, indent+duplicate)
				found, warnings := duplicatesOf(t, strings.Join(twice, "\n"))
				want := code.RefDuplicateKey
				if alarm {
					want = code.RefDropped
				}
				if !slices.Equal(found, []string{want}) {
					t.Errorf("line %d: %s beside %q: %v, want %s", i+1, key, duplicate, warnings, want)
				}
			}
		}
	}
	schema, err := os.ReadFile("../internal/run/schema/metadata.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var root any
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatal(err)
	}
	for key := range properties(root) {
		if !covered[key] {
			t.Errorf("the key %s is not duplicated", key)
		}
	}
}

// duplicatesOf loads metadata and returns the codes of its warnings about duplicate keys, and all
// warnings.
func duplicatesOf(t *testing.T, metadata string) (codes []string, warnings []refconfig.Problem) {
	t.Helper()
	ref, _ := refconfig.Load(
		folder(map[string]string{"metadata.yaml": metadata, "a.yaml": "kind: A", "b.yaml": "kind: B"}),
		".", refconfig.LoadOptions{},
	)
	for _, w := range ref.Warnings {
		if strings.Contains(w.Message, "duplicate key") {
			codes = append(codes, w.Code)
		}
	}
	return codes, ref.Warnings
}

// properties returns the names of all properties in a JSON schema.
func properties(schema any) map[string]bool {
	names := map[string]bool{}
	switch schema := schema.(type) {
	case map[string]any:
		if fields, ok := schema["properties"].(map[string]any); ok {
			for name := range fields {
				names[name] = true
			}
		}
		for _, value := range schema {
			maps.Copy(names, properties(value))
		}
	case []any:
		for _, value := range schema {
			maps.Copy(names, properties(value))
		}
	}
	return names
}

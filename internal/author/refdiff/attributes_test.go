package refdiff

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The metadata files whose attributes the test below changes. Both have each attribute, or a place
// for it.
const (
	secondFormat = `apiVersion: v2
validate: false
templateFunctionFiles: []
fieldsToOmit:
  defaultOmitRef: a
  items:
    a: [{pathToKey: spec.a, isPrefix: false}]
    b: [{pathToKey: spec.b}]
parts:
- name: P
  description: of the part
  components:
  - name: C
    description: of the component
    allOf:
    - path: x.yaml
      description: of the template
      config:
        ignore-unspecified-fields: false
        fieldsToOmitRefs: [a]
        perField:
        - {pathToKey: spec.a, list: ordered}
        - {pathToKey: spec.t, embedded: text, encoding: auto}
  - name: D
    description: of the component
    RULE: [{path: y.yaml}]
- name: Q
  description: of the part
  components: [{name: E, anyOf: [{path: z.yaml}]}]
`
	firstFormat = `apiVersion: v1
fieldsToOmit:
  defaultOmitRef: d
  items:
    d: [{pathToKey: spec.a}]
    b: [{pathToKey: spec.b}]
parts:
- name: P
  description: of the part
  components:
  - name: C
    type: Required
    description: of the component
    requiredTemplates: [{path: x.yaml, description: of the template, config: {ignore-unspecified-fields: false, fieldsToOmitRefs: [b]}}]
    optionalTemplates: [{path: y.yaml}]
- name: Q
  description: of the part
  components: [{name: E, type: Optional, requiredTemplates: [{path: z.yaml}]}]
`
)

// TestEveryAttributeIsCompared sets each attribute that the schema of metadata has to another value,
// and expects a change, or has the reason why there is none.
func TestEveryAttributeIsCompared(t *testing.T) {
	second := func(from, to string) attribute { return attribute{secondFormat, from, to, ""} }
	first := func(from, to string) attribute { return attribute{firstFormat, from, to, ""} }
	alike := func(why string, a attribute) attribute { a.why = why; return a }
	rule := func(kind string) attribute { return second("RULE", kind) }
	field := func(manner string) attribute { return second("list: ordered", manner) }
	rows := map[string][]attribute{
		".apiVersion": {alike("both formats can say the same", attribute{
			"apiVersion: v1\nparts: [{name: P, components: [{name: C, type: Required, requiredTemplates: [{path: x.yaml}]}]}]\n",
			"apiVersion: v1\nparts: [{name: P, components: [{name: C, type: Required, requiredTemplates: [{path: x.yaml}]}]}]\n",
			"apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: x.yaml}]}]}]\n", ""})},
		".parts": {second("- name: Q\n  description: of the part\n  components: [{name: E, anyOf: [{path: z.yaml}]}]\n", "")},
		".fieldsToOmit": {{
			"fieldsToOmit: {defaultOmitRef: d, items: {d: []}}\n" +
				"parts: [{name: P, components: [{name: C, requiredTemplates: [{path: x.yaml}]}]}]\n",
			"fieldsToOmit: {defaultOmitRef: d, items: {d: []}}\n", "", "",
		}},
		".templateFunctionFiles": {alike("what templates use of the files is compared with the templates",
			second("Files: []", "Files: [f.tmpl]"))},
		".validate":                             {second("validate: false", "validate: true"), second("validate: false\n", "validate: true\n")},
		"partV1.name":                           {first("name: P", "name: O")},
		"partV1.description":                    {first("  description: of the part\n  components: [", "  description: other\n  components: [")},
		"partV1.components":                     {first("components: [{name: E, type: Optional, requiredTemplates: [{path: z.yaml}]}]", "components: []")},
		"partV2.name":                           {second("name: P", "name: O")},
		"partV2.description":                    {second("  description: of the part\n  components: [", "  description: other\n  components: [")},
		"partV2.components":                     {second("components: [{name: E, anyOf: [{path: z.yaml}]}]", "components: []")},
		"componentV1.name":                      {first("name: C", "name: B")},
		"componentV1.description":               {first("description: of the component", "description: other")},
		"componentV1.type":                      {first("type: Required", "type: Optional"), first("    type: Required\n", "")},
		"componentV1.requiredTemplates":         {first("requiredTemplates: [{path: z", "optionalTemplates: [{path: z")},
		"componentV1.optionalTemplates":         {first("optionalTemplates: [{path: y.yaml}]", "optionalTemplates: []")},
		"componentV2.name":                      {second("name: C", "name: B")},
		"componentV2.description":               {second("description: of the component\n    RULE", "description: other\n    RULE")},
		"componentV2.allOf":                     {rule("allOf")},
		"componentV2.allOrNoneOf":               {rule("allOrNoneOf")},
		"componentV2.anyOf":                     {attribute{strings.Replace(secondFormat, "RULE", "oneOf", 1), "oneOf", "anyOf", ""}},
		"componentV2.oneOf":                     {rule("oneOf")},
		"componentV2.anyOneOf":                  {rule("anyOneOf")},
		"componentV2.noneOf":                    {rule("noneOf")},
		"templatesV1.path":                      {first("path: y.yaml", "path: new.yaml")},
		"templatesV1.description":               {first("description: of the template", "description: other")},
		"templatesV1.config":                    {first(", config: {ignore-unspecified-fields: false, fieldsToOmitRefs: [b]}", "")},
		"templatesV1.ignore-unspecified-fields": {first("fields: false", "fields: true")},
		"templatesV1.fieldsToOmitRefs":          {first("Refs: [b]", "Refs: [d]"), first("Refs: [b]", "Refs: []")},
		"templatesV2.path":                      {second("path: y.yaml", "path: new.yaml")},
		"templatesV2.description":               {second("description: of the template", "description: other")},
		"templatesV2.config":                    {second("config:", "unused:")},
		"templatesV2.ignore-unspecified-fields": {second("fields: false", "fields: true")},
		"templatesV2.fieldsToOmitRefs": {second("Refs: [a]", "Refs: [b]"),
			alike("an empty list stands for the default list", second("Refs: [a]", "Refs: []"))},
		"templatesV2.perField":        {second("perField:", "unused:")},
		"perField.pathToKey":          {second("pathToKey: spec.a, list: ordered", "pathToKey: spec.b, list: set")},
		"perField.inlineDiffFunc":     {field("inlineDiffFunc: regex")},
		"perField.embedded":           {field("embedded: yaml")},
		"perField.encoding":           {second("encoding: auto", "encoding: base64")},
		"perField.list":               {field("list: set"), field("list: map(name)")},
		"perField.quantity":           {field("quantity: true")},
		"perField.cpuset":             {field("cpuset: true")},
		"perField.exact":              {field("exact: true")},
		"fieldsToOmit.defaultOmitRef": {second("defaultOmitRef: a", "defaultOmitRef: b")},
		"fieldsToOmit.items":          {second("a: [{pathToKey: spec.a, isPrefix: false}]", "a: []")},
		"fieldsToOmitV1.items":        {first("d: [{pathToKey: spec.a}]", "d: []")},
		"fieldsToOmitV1.include":      {alike("the format v1 has no include", attribute{})},
		"omitEntry.pathToKey":         {second("pathToKey: spec.a, isPrefix", "pathToKey: spec.other, isPrefix")},
		"omitEntry.isPrefix":          {second("isPrefix: false", "isPrefix: true")},
		"omitEntry.include":           {second("a: [{", "a: [{include: b}, {")},
	}
	for _, name := range attributes(t) {
		if len(rows[name]) == 0 {
			t.Errorf("nothing holds whether %s is compared", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		for _, a := range rows[name] {
			if a.metadata == "" {
				continue
			}
			if !strings.Contains(a.metadata, a.from) {
				t.Errorf("%s: the metadata has no %q", name, a.from)
			}
			for _, way := range [][2]string{{a.from, a.to}, {a.to, a.from}} {
				load := func(to string) Version {
					text := strings.Replace(a.metadata, a.from, to, 1)
					return version(t, attributeFiles(strings.Replace(text, "RULE", "anyOf", 1)), "ref")
				}
				d, err := Of(t.Context(), load(way[0]), load(way[1]))
				if err != nil {
					t.Fatal(err)
				}
				if len(d.Changes) > 0 != (a.why == "") {
					t.Errorf("%s: from %q to %q: %d changes", name, way[0], way[1], len(d.Changes))
				}
			}
		}
	}
}

// attribute is another value of an attribute in a metadata file, and why this is no change.
type attribute struct{ metadata, from, to, why string }

// attributeFiles returns a reference with a metadata file.
func attributeFiles(metadata string) fstest.MapFS {
	files := fstest.MapFS{
		"metadata.yaml": &fstest.MapFile{Data: []byte(metadata)},
		"f.tmpl":        &fstest.MapFile{Data: []byte(`{{define "unused"}}{{end}}`)},
	}
	for _, name := range []string{"x", "y", "z", "new"} {
		files[name+".yaml"] = &fstest.MapFile{Data: []byte(
			"apiVersion: example.com/v1\nkind: X\nmetadata: {name: " + name + "}\nspec: {a: \"1\", b: \"2\", t: text}\n")}
	}
	return files
}

// attributes returns the names of all attributes in the schema of metadata, each after the name of
// its definition.
func attributes(t *testing.T) (all []string) {
	t.Helper()
	file, err := os.Open("../../run/schema/metadata.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	schema, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	top := schema.(map[string]any)
	definitions := top["definitions"].(map[string]any)
	delete(top, "definitions")
	definitions[""] = top
	for name, definition := range definitions {
		for key := range properties(definition) {
			all = append(all, name+"."+key)
		}
	}
	slices.Sort(all)
	return all
}

package schema_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/author/fixture"
	"github.com/validationtool/validationtool/internal/author/values"
	"github.com/validationtool/validationtool/internal/compare/impact"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/schema"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// compiled returns a schema that is ready to check files.
func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, ok := schema.Text(name)
	if !ok {
		t.Fatalf("there is no schema %s", name)
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, whole); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile(name)
}

// judged is a file, with what its loader says.
type judged struct {
	name, text       string
	warnings, faults []refconfig.Problem
}

// shape are the codes of faults that a schema can find. Others need another file, or the meaning of
// a text.
func shape() []code.Code {
	return []code.Code{code.RefUnknownKey, code.RefType, code.RefNoRule, code.RefManyRules, code.RefNoPath,
		code.RefOmitEntry, code.RefInlineUnknown, code.RefVersionOnly, code.RefAPIVersion, code.RefCodes,
		code.OverridesBroken, code.DiffConfigBroken, code.ImpactBroken, code.FixtureBroken, code.ValuesBroken}
}

// beyond are parts of messages about what a schema cannot find.
func beyond() []string {
	return []string{
		"not valid YAML", "not valid JSON", "duplicate key", "not a date", "looks like a code of the tool", "longer than",
		"not a valid glob", "not a selector", "not a pathToKey", "not a version range", "but may have 4000", "is empty",
		"not a code", "not a valid code", "lists no template", "of map(", "in an override", "of the patch", "patch must be a JSON",
		"each key must begin a line", "has no template",
	}
}

// decoded returns the value of a YAML document as JSON has it; ok is false if it is not valid.
func decoded(text string) (value any, ok bool) {
	if yaml.Unmarshal([]byte(text), &value) != nil {
		return nil, false
	}
	var plain func(v any) any
	plain = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for key, below := range v {
				v[key] = plain(below)
			}
		case []any:
			for i, below := range v {
				v[i] = plain(below)
			}
		case time.Time:
			return v.Format(time.DateOnly)
		}
		return v
	}
	return plain(value), true
}

// mutants returns the text of a YAML document with each key renamed, each key taken out, and each
// value replaced with one of another type, one at a time.
func mutants(t *testing.T, text string) []string {
	t.Helper()
	var all []string
	count := func() int {
		var root yaml.Node
		if err := yaml.Unmarshal([]byte(text), &root); err != nil {
			t.Fatal(err)
		}
		return len(places(&root))
	}()
	for i := range count {
		for _, change := range []func(at place){
			func(at place) { at.in.Content[at.i].Value += "x" },
			func(at place) { at.in.Content = slices.Delete(at.in.Content, at.i, at.i+2) },
			func(at place) {
				at.in.Content[at.i+1] = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
			},
			func(at place) { at.in.Content[at.i+1] = &yaml.Node{Kind: yaml.MappingNode} },
			func(at place) { at.in.Content[at.i+1] = &yaml.Node{Kind: yaml.ScalarNode, Value: "no such"} },
			func(at place) { at.in.Content[at.i+1] = &yaml.Node{Kind: yaml.ScalarNode, Value: "false"} },
		} {
			var root yaml.Node
			if err := yaml.Unmarshal([]byte(text), &root); err != nil {
				t.Fatal(err)
			}
			change(places(&root)[i])
			changed, err := yaml.Marshal(&root)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(changed))
		}
	}
	return all
}

// changesEachKey checks that texts which are changed key by key have every key of a schema, so that
// the schema of each is held against what reads the file.
func changesEachKey(t *testing.T, name string, texts ...string) {
	t.Helper()
	whole, _ := schema.Text(name)
	var root any
	if err := json.Unmarshal(whole, &root); err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if properties, ok := v["properties"].(map[string]any); ok {
				for key, of := range properties {
					said, _ := of.(map[string]any)
					delete(said, "description")
					if len(said) > 0 { // the key may be there, and has a condition
						keys[key] = true
					}
				}
			}
			for _, x := range v {
				walk(x)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(root)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		has := regexp.MustCompile(`(^|[\s{"])` + regexp.QuoteMeta(key) + `"?:`)
		if !slices.ContainsFunc(texts, has.MatchString) {
			t.Errorf("no text that this test changes key by key has %s of %s.schema.json", key, name)
		}
	}
}

// place is a key of a mapping.
type place struct {
	in *yaml.Node
	i  int // of the key; its value is the next
}

func places(n *yaml.Node) []place {
	var all []place
	for i, below := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			all = append(all, place{n, i})
		}
		all = append(all, places(below)...)
	}
	return all
}

// check compares what a schema and a loader say of files: what loads without a word is valid, and
// what is refused for its shape is not.
func check(t *testing.T, name string, files []judged) {
	s, valid, invalid := compiled(t, name), 0, 0
	for _, f := range files {
		document, ok := decoded(f.text)
		if !ok {
			continue // the editor says so without a schema
		}
		refused := slices.ContainsFunc(f.faults, func(p refconfig.Problem) bool {
			ofShape := slices.Contains(shape(), p.Code)
			return ofShape && !slices.ContainsFunc(beyond(), func(s string) bool { return strings.Contains(p.Message, s) })
		})
		switch err := s.Validate(document); {
		case err == nil && refused:
			t.Errorf("%s: valid, but the loader says %v", f.name, f.faults)
		case err != nil && len(f.faults)+len(f.warnings) == 0:
			t.Errorf("%s: loads, but %v", f.name, err)
		case err == nil:
			valid++
		default:
			invalid++
		}
	}
	if t.Logf("%s: %d valid, %d invalid", name, valid, invalid); valid == 0 || invalid == 0 {
		t.Errorf("%d valid files, %d invalid ones: nothing is held", valid, invalid)
	}
}

// archives returns the files of text archives, by their names.
func archives(t *testing.T, pattern string) map[string]fstest.MapFS {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	all := map[string]fstest.MapFS{}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = fstest.MapFS{}
		for _, f := range a.Files {
			if fs.ValidPath(f.Name) {
				all[name][f.Name] = &fstest.MapFile{Data: f.Data}
			}
		}
	}
	return all
}

// references returns the metadata files of all references that tests and examples have, and their
// files of codes.
func references(t *testing.T) (metadata, codes []judged) {
	t.Helper()
	all := archives(t, "../../../refconfig/testdata/faults/*.txtar")
	maps.Copy(all, archives(t, "../../../testdata/script/*.txtar"))
	all["examples"] = given.Files(t, "../../../examples")
	for from, files := range all {
		for name, f := range files {
			text := string(f.Data)
			if path.Base(name) != "metadata.yaml" || !strings.Contains(text, "parts") || strings.Contains(text, "\nkind:") {
				continue
			}
			folder := path.Dir(name)
			ref, faults := refconfig.Load(files, folder, refconfig.LoadOptions{Name: folder})
			in := func(file, text string) judged {
				isOther := func(p refconfig.Problem) bool { return path.Base(p.Place.File) != file }
				return judged{from + ": " + name, text, slice.Without(ref.Warnings, isOther), slice.Without(faults, isOther)}
			}
			metadata = append(metadata, in("metadata.yaml", text))
			if own := files[path.Join(folder, refconfig.CodesFile)]; own != nil {
				codes = append(codes, in(refconfig.CodesFile, string(own.Data)))
			}
		}
	}
	return metadata, codes
}

func TestSchemasOfReferences(t *testing.T) {
	metadata, codes := references(t)
	load := func(file, text string) judged {
		fsys := fstest.MapFS{"metadata.yaml": {Data: []byte("parts: [{name: p, components: [{name: c, type: Optional}]}]")},
			"a.yaml": {Data: []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n")}, "f.tmpl": {Data: []byte("x")}}
		fsys[file] = &fstest.MapFile{Data: []byte(text)}
		ref, faults := refconfig.Load(fsys, ".", refconfig.LoadOptions{Name: "."})
		return judged{text, text, ref.Warnings, faults}
	}
	second := `
apiVersion: v2
parts:
- name: p
  description: d
  components:
  - name: c
    description: d
    allOf:
    - path: a.yaml
      description: d
      config:
        ignore-unspecified-fields: true
        fieldsToOmitRefs: [mine]
        perField:
        - {pathToKey: spec.a, inlineDiffFunc: regex}
        - {pathToKey: spec.b, embedded: yaml, encoding: base64}
        - {pathToKey: spec.c, list: map(name)}
        - {pathToKey: spec.d, quantity: true}
        - {pathToKey: spec.e, cpuset: true}
        - {pathToKey: spec.f, exact: true}
  - {name: d, allOrNoneOf: [{path: a.yaml}]}
  - {name: e, anyOf: [{path: a.yaml}]}
  - {name: f, noneOf: [{path: a.yaml}]}
  - {name: g, oneOf: [{path: a.yaml}]}
  - {name: h, anyOneOf: [{path: a.yaml}]}
templateFunctionFiles: [f.tmpl]
validate: true
fieldsToOmit:
  defaultOmitRef: mine
  items:
    mine: [{pathToKey: status, isPrefix: true}, {include: cluster-compare-built-in}]
`
	first := `
parts:
- name: p
  components:
  - name: c
    type: Required
    requiredTemplates: [{path: a.yaml, config: {ignore-unspecified-fields: true}}]
    optionalTemplates: [{path: a.yaml}]
`
	changesEachKey(t, "metadata", first, second)
	for _, text := range append(mutants(t, second), mutants(t, first)...) {
		metadata = append(metadata, load("metadata.yaml", text))
	}
	const own = "codes: {OWN-1: {title: t, cause: c, triage: d}}\n"
	changesEachKey(t, "codes", own)
	for _, text := range mutants(t, own) {
		codes = append(codes, load(refconfig.CodesFile, text))
	}
	metadata = append(metadata, load("metadata.yaml",
		"parts: [{name: p, components: [{name: c, type: Optional, requiredTemplates: [{path: a.yaml}]}]}]\n"+
			"fieldsToOmit: {items: {mine: [{pathToKey: status, include: cluster-compare-built-in}]}}\n"))
	check(t, "metadata", metadata)
	check(t, "codes", codes)
}

func TestSchemasOfOtherFiles(t *testing.T) {
	type problems = []refconfig.Problem
	_, engine := given.Load(t, os.DirFS("../../../examples/references/templates/reference"), "ref")
	filled := given.Files(t, "../../../examples/references/render")["values.yaml"].Data
	for _, c := range []struct {
		schema, file string
		files        []map[string]fstest.MapFS // folders with such files
		parse        func(text []byte) (warnings, faults problems)
		changed      []string // texts that are also changed key by key
		others       []string
	}{
		{
			schema: "overrides", file: "overrides.yaml",
			files: []map[string]fstest.MapFS{archives(t, "../../../refconfig/testdata/overrides/*.txtar")},
			parse: func(text []byte) (warnings, faults problems) {
				_, warnings, faults = refconfig.ParseOverrides("overrides.yaml", text)
				return warnings, faults
			},
			changed: []string{`
- {kind: ConfigMap, name: a, namespace: n, apiVersion: v1, type: mergepatch, patch: {data: {a: b}}, reason: why, expires: "2030-01-31"}
- {exactMatch: v1_ConfigMap_n_a, templatePath: a.yaml, reason: why, missing: true}
- {kind: Pod, reason: why, present: true}
- {kind: Pod, name: a, reason: why, missing: true}
- {kind: Pod, reason: why, type: rfc6902, patch: [{op: add, path: /a, value: 1}, {op: move, from: /a, path: /b}, {op: remove, path: /b}]}
- {kind: Pod, reason: why, type: go-template, patch: "{}"}
`},
		},
		{
			schema: "diff-config", file: "diff.yaml",
			files: []map[string]fstest.MapFS{archives(t, "../../../refconfig/testdata/diffconfig/*.txtar")},
			parse: func(text []byte) (warnings, faults problems) {
				config, faults := refconfig.ParseDiffConfig("diff.yaml", text)
				return config.Warnings, faults
			},
			changed: []string{"correlationSettings: {manualCorrelation: {correlationPairs: {v1_Pod_n_a: a.yaml}}}\n"},
		},
		{
			schema: "impact", file: "impact.yaml",
			files: []map[string]fstest.MapFS{archives(t, "../../compare/impact/testdata/*.txtar")},
			parse: func(text []byte) (warnings, faults problems) {
				_, warnings, faults = impact.Parse("impact.yaml", text, 10_000)
				return warnings, faults
			},
			changed: []string{`
default: review
rules:
- {impact: impacting, template: a.yaml, component: p/c, cr: Pod/a, path: spec.a, category: drift, comment: c, link: "https://example.com"}
- {impact: not-impacting, code: VT4001, clusterVersion: ">=4.14"}
`},
		},
		{
			schema: "expect", file: "expect.yaml",
			files: []map[string]fstest.MapFS{
				{"examples": given.Files(t, "../../../examples")}, archives(t, "../../../testdata/script/*.txtar"),
			},
			parse: func(text []byte) (warnings, faults problems) {
				_, faults = fixture.Parse("expect.yaml", text, 10_000)
				return nil, faults
			},
			changed: []string{`
options: {component: p/c, cr: [Pod/a], show-expected: true}
verdict: drift
crs: {Pod/a: [compared with a.yaml, drift spec.a]}
rules: {p/c allOf: [a.yaml (VT3001)]}
unreadable: {a.txt: [VT1010]}
`, `
options: {component: p/c}
template: a.yaml
verdict: drift
findings: [{cr: Pod/a, path: spec.a, category: drift, code: VT4002}]
`, `
cases:
- {name: a, input: a.yaml, template: a.yaml, options: {wrapped: true}, verdict: compliant}
- {name: b, input: [a.yaml, b.yaml], findings: [{category: none}]}
`},
		},
		{
			schema: "values",
			parse: func(text []byte) (warnings, faults problems) {
				_, faults = values.Parse("values.yaml", text, kubeyaml.Limits{}, engine)
				return nil, faults
			},
			changed: []string{string(filled)},
			others:  []string{"radio.yaml: []", "radio.yaml: [null]", "radio.yaml: {a: b}", "[]", "a", ""},
		},
	} {
		var all []judged
		judge := func(name, text string) {
			warnings, faults := c.parse([]byte(text))
			all = append(all, judged{name, text, warnings, faults})
		}
		for _, folders := range c.files {
			for from, files := range folders {
				for name, f := range files {
					if path.Base(name) == c.file {
						judge(from+": "+name, string(f.Data))
					}
				}
			}
		}
		changesEachKey(t, c.schema, c.changed...)
		for _, text := range c.changed {
			for _, mutant := range append(mutants(t, text), text) {
				judge(mutant, mutant)
			}
		}
		for _, text := range c.others {
			judge(text, text)
		}
		check(t, c.schema, all)
	}
}

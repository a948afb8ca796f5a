package schema_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/fixture"
	"github.com/validationtool/validationtool/internal/given"
	"github.com/validationtool/validationtool/internal/impact"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/schema"
	"github.com/validationtool/validationtool/internal/values"
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

// archives returns the files of the text archives in a folder, by the names of these.
func archives(t *testing.T, pattern string) map[string]map[string]string {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	all := map[string]map[string]string{}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = map[string]string{}
		for _, f := range a.Files {
			all[name][f.Name] = string(f.Data)
		}
	}
	return all
}

// folders returns references in folders, as files of text archives.
func folders(t *testing.T, root string) map[string]map[string]string {
	t.Helper()
	all := map[string]map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "metadata.yaml" {
			return err
		}
		top := filepath.Dir(p)
		files := map[string]string{}
		err = filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(p)
			name, _ := filepath.Rel(top, p)
			files[filepath.ToSlash(name)] = string(data)
			return err
		})
		all[p] = files
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// references returns the metadata files of all references that tests and examples have, and their
// files of codes.
func references(t *testing.T) (metadata, codes []judged) {
	t.Helper()
	for _, all := range []map[string]map[string]string{
		archives(t, "../../refconfig/testdata/faults/*.txtar"), archives(t, "../../testdata/script/*.txtar"),
		folders(t, "../../examples"),
	} {
		for from, files := range all {
			fsys := fstest.MapFS{}
			for name, text := range files {
				if fs.ValidPath(name) {
					fsys[name] = &fstest.MapFile{Data: []byte(text)}
				}
			}
			for name, text := range files {
				if path.Base(name) != "metadata.yaml" || !strings.Contains(text, "parts") || strings.Contains(text, "\nkind:") {
					continue
				}
				ref, faults := refconfig.Load(fsys, path.Dir(name), refconfig.LoadOptions{Name: path.Dir(name)})
				in := func(file string) func(p refconfig.Problem) bool {
					return func(p refconfig.Problem) bool { return path.Base(p.Place.File) != file }
				}
				metadata = append(metadata, judged{from + ": " + name, text,
					slices.DeleteFunc(slices.Clone(ref.Warnings), in("metadata.yaml")),
					slices.DeleteFunc(slices.Clone(faults), in("metadata.yaml"))})
				if own, ok := files[path.Join(path.Dir(name), refconfig.CodesFile)]; ok {
					codes = append(codes, judged{from, own,
						slices.DeleteFunc(slices.Clone(ref.Warnings), in(refconfig.CodesFile)),
						slices.DeleteFunc(slices.Clone(faults), in(refconfig.CodesFile))})
				}
			}
		}
	}
	return metadata, codes
}

func TestSchemasOfReferences(t *testing.T) {
	metadata, codes := references(t)
	load := func(file, text string) judged {
		fsys := fstest.MapFS{"metadata.yaml": {Data: []byte("parts: [{name: p, components: [{name: c, type: Optional}]}]")},
			"a.yaml": {Data: []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n")}}
		fsys[file] = &fstest.MapFile{Data: []byte(text)}
		ref, faults := refconfig.Load(fsys, ".", refconfig.LoadOptions{Name: "."})
		return judged{text, text, ref.Warnings, faults}
	}
	for _, text := range mutants(t, `
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
fieldsToOmit:
  defaultOmitRef: mine
  items:
    mine: [{pathToKey: status, isPrefix: true}, {include: cluster-compare-built-in}]
`) {
		metadata = append(metadata, load("metadata.yaml", text))
	}
	for _, text := range mutants(t, `
parts:
- name: p
  components:
  - name: c
    type: Required
    requiredTemplates: [{path: a.yaml, config: {ignore-unspecified-fields: true}}]
    optionalTemplates: [{path: a.yaml}]
`) {
		metadata = append(metadata, load("metadata.yaml", text))
	}
	for _, text := range mutants(t, "codes: {OWN-1: {title: t, cause: c, triage: d}}\n") {
		codes = append(codes, load(refconfig.CodesFile, text))
	}
	metadata = append(metadata, load("metadata.yaml",
		"parts: [{name: p, components: [{name: c, type: Optional, requiredTemplates: [{path: a.yaml}]}]}]\n"+
			"fieldsToOmit: {items: {mine: [{pathToKey: status, include: cluster-compare-built-in}]}}\n"))
	check(t, "metadata", metadata)
	check(t, "codes", codes)
}

func TestSchemaOfOverrides(t *testing.T) {
	var all []judged
	for from, files := range archives(t, "../../refconfig/testdata/overrides/*.txtar") {
		_, warnings, faults := refconfig.ParseOverrides("overrides.yaml", []byte(files["overrides.yaml"]))
		all = append(all, judged{from, files["overrides.yaml"], warnings, faults})
	}
	for _, text := range mutants(t, `
- {kind: ConfigMap, name: a, namespace: n, apiVersion: v1, type: mergepatch, patch: {data: {a: b}}, reason: why, expires: "2030-01-31"}
- {exactMatch: v1_ConfigMap_n_a, templatePath: a.yaml, reason: why, missing: true}
- {kind: Pod, reason: why, present: true}
- {kind: Pod, reason: why, type: rfc6902, patch: [{op: add, path: /a, value: 1}, {op: move, from: /a, path: /b}, {op: remove, path: /b}]}
- {kind: Pod, reason: why, type: go-template, patch: "{}"}
`) {
		_, warnings, faults := refconfig.ParseOverrides("overrides.yaml", []byte(text))
		all = append(all, judged{text, text, warnings, faults})
	}
	check(t, "overrides", all)
}

func TestSchemaOfDiffConfigs(t *testing.T) {
	var all []judged
	for from, files := range archives(t, "../../refconfig/testdata/diffconfig/*.txtar") {
		config, faults := refconfig.ParseDiffConfig("diff.yaml", []byte(files["diff.yaml"]))
		all = append(all, judged{from, files["diff.yaml"], config.Warnings, faults})
	}
	for _, text := range mutants(t, "correlationSettings: {manualCorrelation: {correlationPairs: {v1_Pod_n_a: a.yaml}}}\n") {
		config, faults := refconfig.ParseDiffConfig("diff.yaml", []byte(text))
		all = append(all, judged{text, text, config.Warnings, faults})
	}
	check(t, "diff-config", all)
}

func TestSchemaOfImpactRules(t *testing.T) {
	var all []judged
	for from, files := range archives(t, "../impact/testdata/*.txtar") {
		_, warnings, faults := impact.Parse("impact.yaml", []byte(files["impact.yaml"]), 10_000)
		all = append(all, judged{from, files["impact.yaml"], warnings, faults})
	}
	for _, text := range mutants(t, `
default: review
rules:
- {impact: impacting, template: a.yaml, component: p/c, cr: Pod/a, path: spec.a, category: drift, comment: c, link: "https://example.com"}
- {impact: not-impacting, code: VT4001, clusterVersion: ">=4.14"}
`) {
		_, warnings, faults := impact.Parse("impact.yaml", []byte(text), 10_000)
		all = append(all, judged{text, text, warnings, faults})
	}
	check(t, "impact", all)
}

func TestSchemaOfFixtures(t *testing.T) {
	var all []judged
	read := func(name, text string) {
		_, faults := fixture.Parse("expect.yaml", []byte(text), 10_000)
		all = append(all, judged{name, text, nil, faults})
	}
	for _, pattern := range []string{"../../examples/*/reference/tests/*/expect.yaml", "../../examples/references/*/reference/tests/*/expect.yaml"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			read(name, string(text))
		}
	}
	for from, files := range archives(t, "../../testdata/script/*.txtar") {
		for name, text := range files {
			if path.Base(name) == "expect.yaml" {
				read(from+": "+name, text)
			}
		}
	}
	for _, text := range []string{`
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
`} {
		for _, mutant := range append(mutants(t, text), text) {
			read(mutant, mutant)
		}
	}
	check(t, "expect", all)
}

func TestSchemaOfValues(t *testing.T) {
	_, engine := given.Load(t, os.DirFS("../../examples/references/templates/reference"), "ref")
	filled, err := os.ReadFile("../../examples/references/render/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []judged
	for _, text := range append(mutants(t, string(filled)), string(filled), "radio.yaml: []", "radio.yaml: [null]", "radio.yaml: {a: b}", "[]", "a", "") {
		_, faults := values.Parse("values.yaml", []byte(text), kubeyaml.Limits{}, engine)
		all = append(all, judged{text, text, nil, faults})
	}
	check(t, "values", all)
}

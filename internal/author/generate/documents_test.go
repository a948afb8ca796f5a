package generate_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/author/generate"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// textCases are texts of two states of a field, with the paths that differ. What a reader of the document
// could lose is compared as text.
func textCases() map[string]struct {
	key, was, is string
	want         []string
} {
	return map[string]struct {
		key, was, is string
		want         []string
	}{
		"several changes": {
			"a.yaml", "a: 1\nb:\n  c: [x, y]\n  d: 2\n", "a: 2\nb:\n  c: [x]\n  e: 3\n",
			[]string{`data."a.yaml"!.a`, `data."a.yaml"!.b.c.1`, `data."a.yaml"!.b.d`, `data."a.yaml"!.b.e`},
		},
		"order and comments": {"a.yaml", "a: 1\nb: 2\n", "# more\nb: 2\na: 1\n", nil},
		"JSON":               {"a.json", `{"a": 1, "b": [1]}`, `{"b":[1,2],"a":1}`, []string{`data."a.json"!.b.1`}},
		"a key twice":        {"a.yaml", "a: 1\nb: 2\na: 1\n", "a: 1\nb: 3\na: 1\n", []string{`data."a.yaml"`}},
		"a key twice later":  {"a.yaml", "a: 1\nb: 2\n", "a: 3\nb: 2\na: 1\n", nil}, // the last one counts, with a warning
		"a version":          {"a.yaml", "a: 1.20\nb: 2\n", "a: 1.2\nb: 2\n", []string{`data."a.yaml"`}},
		"no document later":  {"a.yaml", "a: 1\nb: 2\n", "a: [\n", []string{`data."a.yaml"`}},
		"words":              {"a", "some words\nin lines\n", "some words\nin other lines\n", []string{"data.a"}},
		"a script":           {"a.sh", "#!/bin/sh\n# a: b\nexit 0\n", "#!/bin/sh\n# a: c\nexit 0\n", []string{`data."a.sh"`}},
		"INI":                {"a.ini", "[a]\nb=1\n", "[a]\nb=2\n", []string{`data."a.ini"`}},
	}
}

// stateOf returns a CR with a text.
func stateOf(key, text string) string {
	return tree.YAML(map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "a", "namespace": "a"},
		"data": map[string]any{key: text},
	})
}

// paths returns the paths that differ.
func paths(run *finding.Run) (all []string) {
	for _, c := range run.Comparisons {
		for _, d := range c.Differences {
			if d.Category != finding.Expected {
				all = append(all, d.Path)
			}
		}
	}
	return all
}

// TestDocumentsAreComparedByField compares the second state with a reference of the first, and the two as
// clusters.
func TestDocumentsAreComparedByField(t *testing.T) {
	for name, c := range textCases() {
		was, is := stateOf(c.key, c.was), stateOf(c.key, c.is)
		r := made(t, generate.Options{}, was)
		ref, engine := load(t, r)
		if got := paths(compared(t, ref, engine, was)); got != nil {
			t.Errorf("%s: the first state differs in %v", name, got)
		}
		if diff := cmp.Diff(c.want, paths(compared(t, ref, engine, is))); diff != "" {
			t.Errorf("%s, with a reference: (-want +got)\n%s", name, diff)
		}
		of, kept, err := generate.Against(t.Context(), collected(t, "a", was), collected(t, "b", is), generate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pair := collected(t, "b", is)
		pair.Objects = kept
		ref, engine = load(t, of)
		run, err := compare.Run(t.Context(), ref, engine, pair, compare.Options{Show: diff.Show{Expected: true}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, paths(run)); diff != "" {
			t.Errorf("%s, as clusters: (-want +got)\n%s", name, diff)
		}
	}
}

// TestUnitsAreComparedByField: units of systemd have keys that repeat.
func TestUnitsAreComparedByField(t *testing.T) {
	state := func(unit string) string {
		return tree.YAML(map[string]any{
			"apiVersion": "machineconfiguration.openshift.io/v1", "kind": "MachineConfig", "metadata": map[string]any{"name": "a"},
			"spec": map[string]any{"config": map[string]any{"systemd": map[string]any{"units": []any{
				map[string]any{"name": "a.service", "contents": unit},
			}}}},
		})
	}
	ref, engine := load(t, made(t, generate.Options{}, state("[Unit]\nAfter=a\nAfter=b\n[Service]\nExecStart=/a\n")))
	got := paths(compared(t, ref, engine, state("# new\n[Unit]\nAfter=a\nAfter=c\n[Service]\nRestart=always\nExecStart=/a\n")))
	want := []string{"spec.config.systemd.units.0.contents.Service.Restart", "spec.config.systemd.units.0.contents.Unit.After.1"}
	slices.Sort(got)
	if len(got) != len(want) || !strings.HasSuffix(got[0], "Service.Restart") || !strings.HasSuffix(got[1], "Unit.After.1") {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestFieldsOfDocumentsAreLeftToTheUser: of a text that differs between clusters, or that has the name of
// its cluster, only that field; what else differs is drift.
func TestFieldsOfDocumentsAreLeftToTheUser(t *testing.T) {
	north, south := "host: north\nport: 1\nlog: {level: info}\n", "host: south\nport: 1\nlog: {level: info, file: a}\n"
	r := made(t, generate.Options{}, stateOf("a.yaml", north), stateOf("a.yaml", south))
	ref, engine := load(t, r)
	for text, want := range map[string][]string{
		north: nil, south: nil, "host: west\nport: 1\nlog: {level: info}\n": nil,
		"host: west\nport: 2\nlog: {level: debug}\n": {`data."a.yaml"!.log.level`, `data."a.yaml"!.port`},
		"port: 1\nlog: {level: info}\n":              {`data."a.yaml"`},
	} {
		if diff := cmp.Diff(want, paths(compared(t, ref, engine, stateOf("a.yaml", text)))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", text, diff)
		}
	}
	dns := "apiVersion: config.openshift.io/v1\nkind: DNS\nmetadata: {name: cluster}\nspec: {baseDomain: east.example.com}\n---\n"
	r = made(t, generate.Options{}, dns+stateOf("a.yaml", "host: a.east.example.com\nport: 1\n"))
	ref, engine = load(t, r)
	if got := paths(compared(t, ref, engine, dns+stateOf("a.yaml", "host: a.west.example.com\nport: 2\n"))); !slices.Equal(got, []string{`data."a.yaml"!.port`}) {
		t.Errorf("got %v, want only the port", got)
	}
}

// TestUpdatesOfDocumentsKeepTheirText: comments and actions of the document stay.
func TestUpdatesOfDocumentsKeepTheirText(t *testing.T) {
	files := filesOf(made(t, generate.Options{}, stateOf("a.yaml", "a: 1\nb: {c: 2}\nd: 3\n")))
	const name = "core/ConfigMap_a_a.yaml"
	files[name] = strings.Replace(files[name], "    a: 1\n", "    # why\n    a: 1 # first\n", 1)
	files[name] = strings.Replace(files[name], "    d: 3\n", "    d: {{ (fromYaml (index .data \"a.yaml\")).d }}\n", 1)
	if !strings.Contains(files[name], "fromYaml") {
		t.Fatalf("the template is not as expected: %s", files[name])
	}
	u, after := updated(t, files, stateOf("a.yaml", "a: 7\nb: {c: 2, e: 9}\nd: 4\n"))
	want := strings.Replace(files[name], "a: 1 #", "a: 7 #", 1)
	if len(u.Left) > 0 || !strings.Contains(after[name], "# why\n    a: 7 # first\n") || !strings.Contains(after[name], "fromYaml") ||
		!strings.Contains(after[name], "e: 9") {
		t.Errorf("got\n%s\nwant like\n%s\n%+v", after[name], want, u.Left)
	}
}

// TestUpdatesOfEncodedTexts: a text that is no lines in the template becomes that of the CR.
func TestUpdatesOfEncodedTexts(t *testing.T) {
	state := func(text string) string {
		return stateOf("a", "data:text/plain;base64,"+base64.StdEncoding.EncodeToString([]byte(text)))
	}
	files := filesOf(made(t, generate.Options{}, state("pool a\nrtcsync\n")))
	u, after := updated(t, files, state("pool b\nrtcsync\n"))
	if left := failing(t, false, after, state("pool b\nrtcsync\n")); len(u.Left)+len(left) > 0 {
		t.Errorf("%+v is left, and %v differ", u.Left, left)
	}
}

// TestVersionsOfAnotherClusterAreTexts: either cluster can have the number that ends in a zero.
func TestVersionsOfAnotherClusterAreTexts(t *testing.T) {
	for _, pair := range [][2]string{{"a: 1.2\nb: 2\n", "a: 1.20\nb: 2\n"}, {"a: 1.20\nb: 2\n", "a: 1.2\nb: 2\n"}} {
		got := paths(between(t, stateOf("a.yaml", pair[0]), stateOf("a.yaml", pair[1])))
		if !slices.Equal(got, []string{`data."a.yaml"`}) {
			t.Errorf("%q: got %v", pair, got)
		}
	}
}

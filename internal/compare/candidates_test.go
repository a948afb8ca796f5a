package compare

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// runFiles compares the objects of a text with a reference of some files.
func runFiles(t *testing.T, files map[string]string, input string, opt Options) *finding.Run {
	t.Helper()
	ref, engine := loadFiles(t, files)
	opt.Show.Expected, opt.ListUnmatched = true, true
	res, err := Run(context.Background(), ref, engine, Collected{Objects: given.Objects(t, "in.yaml", input)}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func loadFiles(t *testing.T, files map[string]string) (*refconfig.Reference, *render.Engine) {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	ref, engine := given.Load(t, fsys, "")
	return ref, engine
}

// configMap is the text of a ConfigMap with some data.
func configMap(namespace, name string, data ...string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: " + namespace + ", name: " + name + "}\ndata: {" + strings.Join(
		data, ", ",
	) + "}\n"
}

// TestTheSmallestDifferenceIsThatOfTheText checks that the score is the difference of the whole
// sorted YAML. On a tie the first template of the reference wins; in v1 a required template
// precedes an optional one of its component.
func TestTheSmallestDifferenceIsThatOfTheText(t *testing.T) {
	v1 := "parts: [{name: P, components: [{name: C, type: Required, optionalTemplates: [{path: a.yaml}], requiredTemplates: [{path: b.yaml}]}]}]"
	v2 := "apiVersion: v2\nparts: [{name: P, components: [{name: C, oneOf: [{path: a.yaml}, {path: b.yaml}]}]}]"
	for _, c := range []struct{ name, metadata, a, b, input, want string }{
		{"the names of keys count", v2, "k: v", "k: v, aVeryLongKey: ABCDEFGH", "k: v, aVeryLongKey: abcdefgh", "b.yaml 16, a.yaml 25"},
		{"a value of another type is another text", v2, "k: 10", `k: "1000"`, "k: 100", "a.yaml 1, b.yaml 3"},
		{"the first in the reference on a tie", v2, "k: v1", "k: v2", "k: v3", "a.yaml 2, b.yaml 2"},
		{"a required one before an optional one", v1, "k: v1", "k: v2", "k: v3", "b.yaml 2, a.yaml 2"},
		{"but not before a smaller difference", v1, "k: v3", "k: v2", "k: v3", "a.yaml 0, b.yaml 2"},
	} {
		res := runFiles(
			t,
			map[string]string{
				"metadata.yaml": c.metadata,
				"a.yaml":        configMap("ns", "a", c.a),
				"b.yaml":        configMap("ns", "a", c.b),
			},
			configMap("ns", "a", c.input),
			Options{},
		)
		var got []string
		for _, one := range res.Comparisons[0].Correlation.Candidates {
			got = append(got, one.Path+" "+strconv.Itoa(one.Score))
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestTheFirstTemplateThatIsAnalysed: it is found although another one that matches as well stands before
// it, of which no component is analysed.
func TestTheFirstTemplateThatIsAnalysed(t *testing.T) {
	ref, engine := loadFiles(t, map[string]string{
		"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: a.yaml}]}, {name: D, allOf: [{path: b.yaml}]}]}]",
		"a.yaml":        configMap("ns", "a", "k: v"),
		"b.yaml":        configMap("ns", "a", "k: w"),
	})
	id := manifest.ID{APIVersion: "v1", Kind: "ConfigMap", Namespace: "ns", Name: "a"}
	for keep, want := range map[string]string{"CD": "a.yaml", "C": "a.yaml", "D": "b.yaml", "": ""} {
		s := newTemplates(ref, engine, Options{Keep: func(c *refconfig.Component) bool { return strings.Contains(keep, c.Name) }})
		got := ""
		if found, _ := s.first(id, nil); found != nil {
			got = found.Ref.Path
		}
		if got != want {
			t.Errorf("of the components %q: %q, want %q", keep, got, want)
		}
		if found, _ := s.first(manifest.ID{APIVersion: "v1", Kind: "ConfigMap", Namespace: "ns", Name: "other"}, nil); found != nil {
			t.Errorf("of the components %q: %q for a CR that none matches", keep, found.Ref.Path)
		}
	}
}

// TestACandidateThatFailsIsTold checks that a CR is compared with its other templates if one of
// them fails, and that a warning says so once for each place in a template.
func TestACandidateThatFailsIsTold(t *testing.T) {
	res := runFiles(
		t,
		map[string]string{
			"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: a.yaml}, {path: b.yaml}]}]}]",
			"a.yaml":        configMap("ns", "'{{ .metadata.name }}'", "k: '{{ div 1 (atoi .data.k) }}'"),
			"b.yaml":        configMap("ns", "'{{ .metadata.name }}'", "k: v")},
		configMap("ns", "one", "k: '0'")+"---\n"+configMap(
			"ns", "two", "k: '0'",
		)+"---\n"+configMap("ns", "three", "k: '1'"),
		Options{},
	)
	var told []string
	for _, w := range res.Warnings {
		if w.Code == code.EvalTemplate {
			told = append(told, w.Place+" "+w.Message)
		}
	}
	want := "a.yaml:4:15 ConfigMap ns/one (v1): div: runtime error: integer divide by zero; a CR for which a template fails is " +
		"compared with the others that match it, this CR with b.yaml"
	if len(told) != 1 || told[0] != want {
		t.Errorf("%q, want %q", told, want)
	}
	for i, path := range []string{"b.yaml", "a.yaml", "b.yaml"} {
		if got := res.Comparisons[i].Template.Path; got != path {
			t.Errorf("comparison %d is with %s, want %s", i, got, path)
		}
	}
}

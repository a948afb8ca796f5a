package generate_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/author/generate"
	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// collected reads the CRs of a YAML text.
func collected(t testing.TB, name, text string) cluster.Collected {
	t.Helper()
	c := manifest.Read(name, "", []byte(text), manifest.Hints{})
	if len(c.Problems) > 0 {
		t.Fatal(c.Problems)
	}
	return cluster.Collected{Objects: c.Objects}
}

// made makes a reference of YAML texts, each of which is a cluster.
func made(t testing.TB, opt generate.Options, texts ...string) *generate.Reference {
	t.Helper()
	var all []cluster.Collected
	for i, text := range texts {
		all = append(all, collected(t, fmt.Sprintf("%d.yaml", i), text))
	}
	r, err := generate.From(context.Background(), all, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// load loads a reference that was made, and holds that there is nothing wrong with it.
func load(t testing.TB, r *generate.Reference) (*refconfig.Reference, *render.Engine) {
	t.Helper()
	fsys := fstest.MapFS{}
	for _, f := range r.Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Text}
	}
	ref, faults := refconfig.Load(fsys, ".", refconfig.LoadOptions{Name: "ref", Unlisted: true})
	for _, f := range lint.Reference(context.Background(), ref, lint.Options{Faults: faults}).Flaws {
		t.Errorf("lint: %+v", f)
	}
	engine, _ := render.Compile(context.Background(), ref)
	return ref, engine
}

// compared compares a cluster with a reference.
func compared(t testing.TB, ref *refconfig.Reference, engine *render.Engine, text string) *finding.Run {
	t.Helper()
	run, err := compare.Run(
		t.Context(), ref, engine, collected(t, "in.yaml", text), compare.Options{Show: diff.Show{Expected: true}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// agrees holds that a cluster agrees with a reference, and returns the paths of what is the user's.
func agrees(t testing.TB, r *generate.Reference, text string) []string {
	t.Helper()
	ref, engine := load(t, r)
	run := compared(t, ref, engine, text)
	var variable []string
	for _, c := range run.Comparisons {
		if c.Result != finding.Clean {
			t.Errorf("%s is %s: %+v %+v", c.Object.Selector(), c.Result, c.Error, c.Differences)
		}
		for _, d := range c.Differences {
			variable = append(variable, c.Object.Selector()+" "+d.Path)
		}
	}
	for _, broken := range run.Rules {
		t.Errorf("broken: %+v", broken)
	}
	slices.Sort(variable)
	return variable
}

// TestReferences shows references of small clusters. Each has nothing that lint finds, and each of
// the clusters agrees with it.
func TestReferences(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		var texts []string
		for _, f := range a.Files {
			if text, isInput := a.Texts()[f.Name], strings.HasPrefix(f.Name, "cluster"); isInput {
				texts = append(texts, text)
			}
		}
		opt := generate.Options{}
		if include, ok := a.Text("include"); ok {
			opt.Include = strings.Fields(include)
		}
		r := made(t, opt, texts...)
		var b strings.Builder
		for _, f := range r.Files {
			fmt.Fprintf(&b, "# %s\n%s", f.Name, f.Text)
		}
		for i, text := range texts {
			fmt.Fprintf(&b, "# user-variable in cluster %d: %s\n", i+1, strings.Join(agrees(t, r, text), ", "))
		}
		a.Want(t, "want", b.String())
	})
}

// TestNoSecretIsWritten looks for the data of Secrets, which stand in other CRs in many forms, in
// what is made of them.
func TestNoSecretIsWritten(t *testing.T) {
	secret := `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"stringData":{"password":"hunter2"},"data":{"pin":"aHVudGVyMg=="}}`
	packed := base64.StdEncoding.EncodeToString([]byte(secret))
	object := map[string]any{"apiVersion": "example.com/v1", "kind": "Carrier",
		"metadata": map[string]any{
			"name": "a",
			"annotations": map[string]any{
				"kubectl.kubernetes.io/last-applied-configuration": secret,
				"example.com/copy": secret,
			},
		},
		"spec": map[string]any{
			"json":   secret,
			"base64": packed,
			"url":    "data:;base64," + packed,
			"lines":  []any{"kind: Secret", "stringData:", "  password: hunter2"},
			"object": map[string]any{
				"kind":       "Secret",
				"stringData": map[string]any{"password": "hunter2", "other": "x"},
				"data":       map[string]any{"pin": "aHVudGVyMg=="},
			},
			"list": map[string]any{
				"kind":  "SecretList",
				"items": []any{map[string]any{"stringData": map[string]any{"password": "hunter2"}}},
			},
		},
	}
	itself := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  namespace: b\n  annotations:\n    openshift.io/token-secret.value: hunter2\nstringData:\n  password: hunter2\n"
	text := tree.YAML(object) + "---\n" + itself
	r := made(t, generate.Options{Include: []string{"secrets"}}, text, text)
	for _, f := range r.Files {
		for _, word := range []string{"hunter2", "aHVudGVyMg", packed[:40]} {
			if strings.Contains(string(f.Text), word) {
				t.Errorf("%s has %s:\n%s", f.Name, word, f.Text)
			}
		}
	}
	if variable := agrees(t, r, text); len(variable) < 10 || r.Fields.Hidden != len(variable) {
		t.Errorf("%d fields are hidden, and the user's are %q", r.Fields.Hidden, variable)
	}
}

// TestFileNames: no two names differ in the case of letters only, and each can be that of a file
// everywhere.
func TestFileNames(t *testing.T) {
	var text strings.Builder
	for _, id := range [][3]string{{"v1", "ConfigMap", "a"}, {"V1/v1", "configmap", "a"}, {"aux.example.com/v1", "Odd", "a:b"}, {"aux.example.com/v1", "Odd", "A_B"},
		{"metadata.yaml/v1", "Odd", "x"}, {"../v1", "..", "..."}, {"example.com/v1", "Odd", strings.Repeat("a", 250)}, {"example.com/v1", "Odd", strings.Repeat("a", 251)}} {
		fmt.Fprintf(&text, "---\napiVersion: %s\nkind: %s\nmetadata:\n  name: %q\n", id[0], id[1], id[2])
	}
	r := made(t, generate.Options{}, text.String())
	seen := map[string]bool{}
	for _, f := range r.Files {
		for part := range strings.SplitSeq(f.Name, "/") {
			if len(part) > 230 || strings.Trim(part, ".") == "" || strings.HasPrefix(strings.ToLower(part), "aux.") ||
				strings.ContainsAny(part, `:*?"<>|\`) {
				t.Errorf("%q is no good name", f.Name)
			}
		}
		if low := strings.ToLower(f.Name); seen[low] {
			t.Errorf("%q stands twice", f.Name)
		} else {
			seen[low] = true
		}
	}
	if len(r.Files) != 9 {
		t.Errorf("%d files: %v", len(r.Files), seen)
	}
}

// TestNamesThatAreNoText: a CR whose name or namespace YAML reads as no text is not included, and any other has
// a template that agrees with it. An update adds nothing more.
func TestNamesThatAreNoText(t *testing.T) {
	for name, isIncluded := range map[string]bool{
		`"on"`: true, "a": true, `"123"`: true, "'n'": true, "!!str 1": true, "e1": true,
		"on": false, "n": false, "Yes": false, "123": false, "0x1f": false, "017": false, "1.10": false, "1_000": false, "1e3": false, "true": false,
		"{a: b}": false, "[a]": false,
	} {
		for _, metadata := range []string{"name: " + name, "name: a, namespace: " + name, "name: " + name + ", namespace: " + name} {
			text := "apiVersion: example.com/v1\nkind: A\nmetadata: {" + metadata + "}\nspec: {x: z}\n---\n" +
				"apiVersion: example.com/v1\nkind: A\nmetadata: {name: other}\n"
			r := made(t, generate.Options{}, text)
			if included := len(r.Problems) == 0; included != isIncluded || r.Required != 2-len(r.Problems) {
				t.Errorf("%s is included: %t, and there are %d templates: %v", metadata, included, r.Required, r.Problems)
			}
			for _, problem := range r.Problems {
				if problem.Code != code.NotGenerated || problem.Place.Line != 1 {
					t.Errorf("%s: %v", metadata, problem)
				}
			}
			if isIncluded {
				agrees(t, r, text)
			}
			u, _ := updated(t, filesOf(r), text)
			if len(u.Added)+len(u.Gone) > 0 || len(u.Made.Problems) != len(r.Problems) {
				t.Errorf("%s: an update adds %v, and lacks a CR for %v: %v", metadata, u.Added, u.Gone, u.Made.Problems)
			}
		}
	}
}

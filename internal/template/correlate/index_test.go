package correlate_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template/correlate"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// index compiles templates given as "path: apiVersion kind namespace name", where "*" leaves a
// field open and a * inside one makes a pattern.
func index(t testing.TB, lines ...string) *correlate.Index {
	t.Helper()
	ref := &refconfig.Reference{}
	action := "{{ .x }}"
	for _, line := range lines {
		path, fields, _ := strings.Cut(line, ": ")
		f := strings.Fields(fields)
		for i := range f {
			f[i] = strings.ReplaceAll(f[i], "*", action)
		}
		text := "apiVersion: " + f[0] + "\nkind: " + f[1] + "\nmetadata:\n  namespace: " + f[2] + "\n  name: " + f[3] + "\n"
		ref.Templates = append(ref.Templates, &refconfig.Template{Path: path, File: path, Source: []byte(text)})
	}
	e, problems := render.Compile(context.Background(), ref)
	if len(problems) > 0 {
		t.Fatalf("%+v", problems)
	}
	return correlate.New(e.Templates())
}

func paths(c correlate.Candidates) []string {
	var out []string
	for _, t := range c.Templates {
		out = append(out, t.Ref.Path)
	}
	return out
}

func TestMostSpecificGroupWins(t *testing.T) {
	o := manifest.ID{APIVersion: "v1", Kind: "K", Namespace: "ns", Name: "n"}
	all := []string{
		"kind: * K * *",
		"apiVersion-kind: v1 K * *",
		"namespace-kind: * K ns *",
		"name-kind: * K * n",
		"apiVersion-name-kind: v1 K * n",
		"name-namespace-kind: * K ns n",
		"apiVersion-namespace-kind: v1 K ns *",
		"all: v1 K ns n",
	}
	// the least specific first: with each line more, the new one wins
	order := []string{
		"kind",
		"apiVersion-kind",
		"namespace-kind",
		"name-kind",
		"apiVersion-name-kind",
		"name-namespace-kind",
		"apiVersion-namespace-kind",
		"all",
	}
	for i := range all {
		if d := cmp.Diff([]string{order[i]}, paths(index(t, all[:i+1]...).Find(o))); d != "" {
			t.Errorf("with %d templates: %s", i+1, d)
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name      string
		object    manifest.ID
		templates []string
		want      []string
	}{
		{"all fixed fields must agree", manifest.ID{APIVersion: "v1", Kind: "K", Namespace: "ns", Name: "m"}, []string{"a: v1 K ns n"}, nil},
		{"another apiVersion", manifest.ID{APIVersion: "v2", Kind: "K", Name: "n"}, []string{"a: v1 K * n"}, nil},
		{"an open namespace meets any", manifest.ID{APIVersion: "v1", Kind: "K", Namespace: "x", Name: "n"}, []string{"a: v1 K * n"}, []string{"a"}},
		{"and none", manifest.ID{APIVersion: "v1", Kind: "K", Name: "n"}, []string{"a: v1 K * n"}, []string{"a"}},
		{"several of one group, in the order of the reference", manifest.ID{APIVersion: "v1", Kind: "K", Name: "n"},
			[]string{"b: v1 K * *", "a: v1 K * *", "c: v2 K * *"}, []string{"b", "a"}},
		{"a pattern", manifest.ID{APIVersion: "v1", Kind: "K", Name: "worker-7"}, []string{"a: v1 K * master-*", "b: v1 K * worker-*"}, []string{"b"}},
		{"a literal before a pattern", manifest.ID{APIVersion: "v1", Kind: "K", Name: "worker-7"}, []string{"a: v1 K * worker-*", "b: v1 K * worker-7"}, []string{"b"}},
		{"a pattern matches the whole", manifest.ID{APIVersion: "v1", Kind: "K", Name: "my-worker-7"}, []string{"a: v1 K * worker-*"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, paths(index(t, c.templates...).Find(c.object))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	ix := index(t, "a: v1 K ns1 a", "b: v1 K ns2 b", "c: v1 K ns2 c", "d: v1 L ns1 d")
	for _, c := range []struct {
		object manifest.ID
		want   []string
	}{
		{manifest.ID{APIVersion: "v1", Kind: "K", Namespace: "ns1", Name: "x"}, []string{"a"}},
		{manifest.ID{APIVersion: "v1", Kind: "K", Namespace: "ns2", Name: "x"}, []string{"b", "c"}},
		{manifest.ID{APIVersion: "v2", Kind: "K", Namespace: "ns3", Name: "x"}, []string{"a", "b", "c"}},
		{manifest.ID{APIVersion: "v1", Kind: "M", Namespace: "ns1", Name: "x"}, nil},
	} {
		if d := cmp.Diff(c.want, paths(correlate.Candidates{Templates: ix.Nearest(c.object)})); d != "" {
			t.Errorf("%v: %s", c.object, d)
		}
	}
}

// An object must find its template whatever part of the name the template states.
func TestTemplatesAreLookedUp(t *testing.T) {
	lines := []string{"open: v1 K ns *", "end: v1 K ns *-z"}
	for i := range 300 {
		lines = append(lines, fmt.Sprintf("exact%d: v1 K ns b%d", i, i), fmt.Sprintf("prefix%d: v1 K ns a%d-*", i, i))
	}
	ix := index(t, lines...)
	for name, want := range map[string][]string{"a77-x": {"prefix77"}, "b12": {"exact12"}, "a5-z": {"end", "prefix5"}, "x-z": {"end"}, "q": {"open"}} {
		o := manifest.ID{APIVersion: "v1", Kind: "K", Namespace: "ns", Name: name}
		if got := paths(ix.Find(o)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// Of many templates that fit an object, Find must list only the candidates.
func TestCandidatesAreListedOnce(t *testing.T) {
	var lines []string
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf("open%d: v1 K ns *", i))
	}
	ix := index(t, lines...)
	o := manifest.ID{APIVersion: "v1", Kind: "K", Namespace: "ns", Name: "a"}
	if n := testing.AllocsPerRun(10, func() {
		if found := ix.Find(o); len(found.Templates) != 5000 {
			t.Fatal(len(found.Templates))
		}
	}); n > 30 {
		t.Errorf("%v allocations", n)
	}
}

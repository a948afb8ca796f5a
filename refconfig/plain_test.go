package refconfig_test

import (
	"slices"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// TestPlainCRs: a folder of plain CRs is a reference, in all ways to store them, and so is each of its
// files.
func TestPlainCRs(t *testing.T) {
	testkit.Each(t, "testdata/plain.txtar", func(t *testing.T, a *testkit.Archive) {
		files := a.Texts()
		delete(files, "want")
		ref := loadFiles(t, files)
		a.Want(t, "want", list("warning", ref.Warnings)+describe(ref, true))
		for name := range files {
			one, problems := refconfig.Load(folder(files), name, refconfig.LoadOptions{})
			isOther := func(t *refconfig.Template) bool { return t.File != name }
			want := slice.Without(ref.Templates, isOther)
			if len(problems) > 0 || len(want) == 0 {
				continue // by its first lines it is not a CR, but perhaps a metadata file
			}
			same := func(a, b *refconfig.Template) bool { return a.Path == b.Path && string(a.Source) == string(b.Source) }
			if !slices.EqualFunc(one.Templates, want, same) {
				t.Errorf("%s has other templates if it is named: %s", name, describe(one, true))
			}
		}
	})
}

// TestWhatNoClusterStoresIsNoCR: an input passes over it too, so that it would be missing in every cluster.
func TestWhatNoClusterStoresIsNoCR(t *testing.T) {
	for _, text := range []string{
		"apiVersion: apidiscovery.k8s.io/v2\nkind: APIGroupDiscoveryList\nitems: [{metadata: {name: a}}]\n",
		"apiVersion: v1\nkind: APIResourceList\nresources: []\n", "apiVersion: audit.k8s.io/v1\nkind: Event\nmetadata: {name: a}\n",
	} {
		cr := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
		ref := loadFiles(t, map[string]string{"a.yaml": cr, "b.yaml": text})
		if len(ref.Templates) != 1 || len(ref.Warnings) != 1 || ref.Warnings[0].Code != code.RefPassedOver {
			t.Errorf("%q: %d templates, %v", text, len(ref.Templates), ref.Warnings)
		}
	}
}

// TestCopiesOfPlainCRs: a CR that a reference has several times is one template, in its newest state. Two CRs
// that contradict each other stay, since one of them must be wrong.
func TestCopiesOfPlainCRs(t *testing.T) {
	cr := func(metadata, rest string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a" + metadata + "}\n" + rest
	}
	state := func(uid, version, value string) string {
		return cr(", uid: "+uid+", resourceVersion: '"+version+"'", "data: {a: "+value+"}\n")
	}
	for name, c := range map[string]struct {
		a, b string
		want []string
	}{
		"the same text":       {cr("", "data: {a: b}\n"), cr("", "data: {a: b}\n"), []string{"a.yaml"}},
		"another notation":    {cr("", "data: {a: b}\n"), "# x\ndata: {a: 'b'}\n" + cr("", ""), []string{"a.yaml"}},
		"another status":      {cr(", uid: u", "status: {a: b}\n"), cr(", uid: v", "status: {a: c}\n"), []string{"a.yaml"}},
		"another value":       {cr("", "data: {a: b}\n"), cr("", "data: {a: c}\n"), []string{"a.yaml", "b.yaml"}},
		"another namespace":   {cr(", namespace: x", ""), cr(", namespace: y", ""), []string{"a.yaml", "b.yaml"}},
		"without a name":      {"apiVersion: v1\nkind: A\n", "apiVersion: v1\nkind: A\n", []string{"a.yaml", "b.yaml"}},
		"a newer state":       {state("u", "9", "b"), state("u", "10", "c"), []string{"b.yaml"}},
		"an older state":      {state("u", "10", "b"), state("u", "9", "c"), []string{"a.yaml"}},
		"the same version":    {state("u", "9", "b"), state("u", "9", "c"), []string{"a.yaml", "b.yaml"}},
		"of another object":   {state("u", "9", "b"), state("v", "10", "c"), []string{"a.yaml", "b.yaml"}},
		"with its attributes": {cr("", ""), cr(`, annotations: {reference-config.openshift.io/attributes: '{"required": false}'}`, ""), []string{"a.yaml", "b.yaml"}},
	} {
		ref := loadFiles(t, map[string]string{"a.yaml": c.a, "b.yaml": c.b})
		var got []string
		for _, one := range ref.Templates {
			got = append(got, one.File)
		}
		rules := 0
		for _, c := range ref.Components() {
			rules += len(c.Rules)
		}
		if !slices.Equal(got, c.want) || rules != len(got) || len(ref.Warnings) != 2-len(got) {
			t.Errorf("%s: %q, want %q; %d rules, %v", name, got, c.want, rules, ref.Warnings)
		}
	}
}

func FuzzPlainCRs(f *testing.F) {
	for _, s := range []string{
		"kind: A\n---\nkind: B\n", "kind: List\nitems:\n- kind: A\n- &x {kind: B}\n- *x\n", "{\"kind\": \"List\", \"items\": [{\"kind\": \"A\"}, null, 1]}", "- kind: A\n  apiVersion: v1\n  metadata:\n",
		"kind: AList\nitems: [{}, {x: y}]\n", "kind: List\nitems:\n- kind: {{ .x }}\n", "\ufeffkind: A\r\n...\r\nkind: B", "[{\"kind\": \"A\"}]", "kind: List\nitems:\n- kind: List\n  items:\n  - |\n   kind: A", "{}\n{}", "%YAML 1.1\n---\nkind: A",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ref, problems := refconfig.Load(
			folder(map[string]string{"a.yaml": text, "b.json": text, "c": text}), ".", refconfig.LoadOptions{},
		)
		checkProblems(t, text, problems)
		checkProblems(t, text, ref.Warnings)
		paths := map[string]bool{}
		for _, x := range ref.Templates {
			if paths[x.Path] || x.LinesBefore < 0 || x.LinesBefore > len(text) {
				t.Errorf("%s, behind %d lines", x.Path, x.LinesBefore)
			}
			paths[x.Path] = true
		}
		if len(problems) == 0 && len(ref.Templates) == 0 {
			t.Error("a reference without fault has no template")
		}
		_, problems = refconfig.Load(folder(map[string]string{"a.yaml": text}), "a.yaml", refconfig.LoadOptions{})
		checkProblems(t, text, problems)
	})
}

// A folder tests/NAME with an expect.yaml must change nothing of a reference, wherever it is. Files
// in a folder tests without an expect.yaml are part of the reference.
func TestFixturesAreNoPart(t *testing.T) {
	const metadata = "parts: [{name: p, components: [{name: c, type: Required, requiredTemplates: [{path: a.yaml}]}]}]\n"
	fixture := map[string]string{
		"tests/x/expect.yaml":         "",
		"tests/x/input/a.yaml":        "kind: B\n",
		"tests/x/input/metadata.yaml": metadata,
		"tests/x/metadata.yaml":       metadata,
	}
	for name, c := range map[string]struct {
		files map[string]string
		at    string // of the fixture
		parts bool
	}{
		"without metadata":   {map[string]string{"in/a.yaml": "kind: A\n"}, "in/", false},
		"further below":      {map[string]string{"in/a.yaml": "kind: A\n"}, "in/b/c/", false},
		"with metadata":      {map[string]string{"in/metadata.yaml": metadata, "in/a.yaml": "kind: A\n"}, "in/", false},
		"of one below":       {map[string]string{"in/x/metadata.yaml": metadata, "in/x/a.yaml": "kind: A\n"}, "in/x/", false},
		"of another name":    {map[string]string{"in/a.yaml": "kind: A\n"}, "in/test", true},
		"not directly below": {map[string]string{"in/a.yaml": "kind: A\n"}, "in/tests/y/", false},
	} {
		load := func(more map[string]string) *refconfig.Reference {
			files := map[string]string{}
			for name, text := range c.files {
				files[name] = text
			}
			for name, text := range more {
				files[c.at+name] = text
			}
			ref, problems := refconfig.Load(folder(files), "in", refconfig.LoadOptions{Unlisted: true})
			if len(problems) > 0 && !c.parts {
				t.Errorf("%s: %v", name, problems)
			}
			return ref
		}
		without, with := load(nil), load(fixture)
		same := without.Hash == with.Hash && without.Path == with.Path && describe(without, false) == describe(with, false) &&
			len(with.Warnings) == 0
		if same == c.parts {
			t.Errorf("%s: the same: %v: %v, %v", name, same, describe(with, false), with.Warnings)
		}
	}
	ref, _ := refconfig.Load(
		folder(map[string]string{"in/a.yaml": "kind: A\n", "in/tests/x/b.yaml": "kind: B\n"}),
		"in",
		refconfig.LoadOptions{},
	)
	if len(ref.Templates) != 2 {
		t.Errorf("a folder without an expectation is left out: %v", describe(ref, false))
	}
}

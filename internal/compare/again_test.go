package compare

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// TestAgainIsARunUnderMoreOverrides: to compare CRs again gives what a run under all of these overrides
// gives, and changes no earlier result.
func TestAgainIsARunUnderMoreOverrides(t *testing.T) {
	fsys := fstest.MapFS{"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: a.yaml}]}]}]\n")},
		"a.yaml": {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .metadata.name }}', namespace: app}\ndata: {x: a, w: b}\n")}}
	ref, engine := given.Load(t, fsys, "")
	in := func() Collected {
		text := ""
		for _, cr := range []string{"clean: {x: a, w: b}", "one: {x: c, w: b}", "other: {x: a, w: d}", "both: {x: c, w: d}", "extra: {x: a, w: b, z: e}"} {
			name, data, _ := strings.Cut(cr, ": ")
			text += "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: app}\ndata: " + data + "\n"
		}
		return Collected{Inputs: []finding.Input{{Path: "in.yaml", Format: "file"}}, Objects: given.Objects(t, "in.yaml", text)}
	}
	override := func(name, data string) refconfig.Override {
		return refconfig.Override{APIVersion: "v1", Kind: "ConfigMap", Namespace: "app", Name: name, Type: refconfig.MergePatch, Patch: `{"data":` + data + `}`, Reason: "r"}
	}
	said := func(r *finding.Run) string {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := []refconfig.Override{override("other", `{"w":"d"}`)}
	result, kept := RunKept(t.Context(), ref, engine, in(), Options{Workers: 1, Overrides: first})
	before := said(result)
	for _, more := range [][]refconfig.Override{
		nil, {override("one", `{"x":"c"}`)}, {override("both", `{"x":"c"}`)}, {override("both", `{"x":"c","w":"d"}`)}, {override("one", `{"x":"z"}`)}, {override("extra", `{"z":"e"}`), override("gone", `{"x":"c"}`)},
	} {
		want, err := Run(t.Context(), ref, engine, in(), Options{Workers: 1, Overrides: append(first[:1:1], more...)})
		if err != nil {
			t.Fatal(err)
		}
		got := kept.Again(more, nil)
		if d := cmp.Diff(said(want), said(got)); d != "" {
			t.Errorf("%+v: %s", more, d)
		}
		if !kept.Made(got) || !kept.Made(result) || kept.Made(want) || kept.Made(&finding.Run{}) {
			t.Errorf("%+v: whose result is whose is wrong", more)
		}
	}
	if again := said(result); again != before {
		t.Errorf("the first result changed: %s", cmp.Diff(before, again))
	}
	accepted := kept.Again(nil, &patch.Request{})
	for _, c := range accepted.Comparisons {
		if wants := c.Result == finding.Drifted; wants != (c.Acceptance != nil && len(c.Acceptance.Overrides) > 0) {
			t.Errorf("%s is %s: %+v", c.Object.Name, c.Result, c.Acceptance)
		}
	}
	has := func(name string) bool {
		return kept.Has(func(c *finding.Comparison) bool { return c.Object.Name == name })
	}
	if !has("one") || has("gone") {
		t.Error("which CRs were compared is wrong")
	}
}

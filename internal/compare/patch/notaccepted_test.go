package patch

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/refconfig"
)

// TestKeysMadeOfSecretData: a key that an override may have made of something secret is numbered.
func TestKeysMadeOfSecretData(t *testing.T) {
	x := &Patched{Node: provenance.Plain(map[string]any{"ours": int64(1)}), Secret: true}
	made := map[string]any{"ours": int64(1), "theirs": int64(2), "pass": map[string]any{"word": int64(3)}}
	want := map[string]any{"ours": int64(1), "theirs": int64(2), "(hidden key 1)": map[string]any{"(hidden key 1)": int64(3)}}
	if d := cmp.Diff(any(want), x.withoutSecretKeys(made, map[string]any{"theirs": int64(2)})); d != "" {
		t.Error(d)
	}
	if x.Clear = true; !cmp.Equal(any(made), x.withoutSecretKeys(made, nil)) {
		t.Error("a key is hidden although secrets are to be shown")
	}
}

// TestWhatMayNotHaveBeenCollectedIsNotAccepted: that it is missing is not known, unless somebody
// says so by its name.
func TestWhatMayNotHaveBeenCollectedIsNotAccepted(t *testing.T) {
	missed := finding.Missed{Template: "a.yaml", NotCollected: true, Object: finding.Object{APIVersion: "v1", Kind: "Thing", Name: "a"}}
	v := refconfig.Violation{Code: code.RuleMissing, Templates: []*refconfig.Template{{Path: "a.yaml"}}}
	rule := finding.Rule{Missing: []finding.Missed{missed}}
	a := (&Request{}).Rule(v, rule)
	if a == nil || len(a.Overrides) != 0 || len(a.Left) != 1 || !strings.Contains(a.Left[0].Message, "may not have been collected") {
		t.Errorf("%+v", a)
	}
	named := &Request{Targets: []Target{{Template: func(*refconfig.Template) bool { return true }}}}
	if a := named.Rule(v, rule); a == nil || len(a.Left) != 0 || len(a.Overrides) != 1 || !a.Overrides[0].Missing {
		t.Errorf("by its name: %+v", a)
	}
	named.Targets[0].name = "*/*.yaml"
	if a := named.Rule(v, rule); a == nil || len(a.Overrides) != 0 || len(a.Left) != 1 {
		t.Errorf("by a glob: %+v", a)
	}
}

// TestWhatAnOverrideLacksToNameAMissingCR: the kind and name, or beside the template each field of the
// identity that the template states, and no field that it leaves open or does not have.
func TestWhatAnOverrideLacksToNameAMissingCR(t *testing.T) {
	stated := finding.Object{APIVersion: "v1", Kind: "Thing", Namespace: "shop", Name: "a"}
	open := finding.Object{APIVersion: "v1", Kind: "Thing", Name: "*"}
	for _, c := range []struct {
		given  refconfig.Override
		stated finding.Object
		want   string
	}{
		{refconfig.Override{}, stated, "kind and name"},
		{refconfig.Override{Kind: "Thing"}, open, "kind and name"},
		{refconfig.Override{Kind: "Thing", Name: "a"}, stated, ""},
		{refconfig.Override{ExactMatch: "v1_Thing_shop_a"}, stated, ""},
		{refconfig.Override{TemplatePath: "a.yaml"}, stated, "kind: Thing, namespace: shop, name: a"},
		{refconfig.Override{TemplatePath: "a.yaml", Namespace: "shop"}, stated, "kind: Thing, name: a"},
		{refconfig.Override{TemplatePath: "a.yaml"}, open, "kind: Thing"},
		{refconfig.Override{TemplatePath: "a.yaml", Kind: "Thing"}, open, ""},
	} {
		if got := unnamed(c.given, c.stated); got != c.want {
			t.Errorf("%+v for %+v lacks %q, want %q", c.given, c.stated, got, c.want)
		}
	}
}

// TestWhatCannotBeComparedIsLeft: without another comparison nothing is accepted, and after the end of
// a run no override is applied.
func TestWhatCannotBeComparedIsLeft(t *testing.T) {
	found := &diff.Compared{
		Tree: &diff.Pair{}, Differences: []diff.Difference{
			{Category: finding.Drift, Path: refconfig.PathOf("x")},
			{Category: finding.Drift, Path: refconfig.PathOf("z"), Message: "expected 1"},
		},
	}
	m := &Maker{
		Template: &refconfig.Template{}, Active: NewSet(nil, ""), Scope: Scope{all: true},
		Compare: func(Proposal) *diff.Compared { return nil },
	}
	want := []finding.NotAccepted{
		{Path: refconfig.PathOf("x"), Message: "no patch of the reference makes it agree"},
		{Path: refconfig.PathOf("z"), Message: "expected 1"},
	}
	if a := m.Overrides(found); a == nil || len(a.Overrides) != 0 || !cmp.Equal(want, a.Left) {
		t.Errorf("%+v", a)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	id := manifest.ID{APIVersion: "v1", Kind: "Thing", Name: "a"}
	set := NewSet([]refconfig.Override{{APIVersion: "v1", Kind: "Thing", Name: "a", Type: refconfig.MergePatch, Patch: "[]"}}, "")
	for _, ctx := range []context.Context{ended, t.Context()} {
		x := Patched{ID: id, Node: provenance.Plain(map[string]any{"a": int64(1)})}
		uses := set.For(id, &refconfig.Template{})
		a, err := set.Apply(x, uses, map[string]any{}, render.Options{Context: ctx}, nil)
		if (err == nil) != (ctx == ended) || len(a.Uses) != 1 || a.Override != nil {
			t.Errorf("after the end %v: %+v, %v", ctx == ended, a, err)
		}
	}
}

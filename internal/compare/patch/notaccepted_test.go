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

// TestWhatCannotBeComparedIsLeft: without another comparison nothing is accepted, and after the end of
// a run no override is applied.
func TestWhatCannotBeComparedIsLeft(t *testing.T) {
	found := &diff.Compared{
		Tree: &diff.Pair{}, Differences: []diff.Difference{{Category: finding.Drift, Path: refconfig.PathOf("x")}},
	}
	m := &Maker{
		Template: &refconfig.Template{}, Active: NewSet(nil, ""), Scope: Scope{all: true},
		Compare: func(Proposal) *diff.Compared { return nil },
	}
	if a := m.Overrides(found); a == nil || len(a.Overrides) != 0 || len(a.Left) != 1 || a.Left[0].Path.String() != "x" {
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

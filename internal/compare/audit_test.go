package compare

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// loadRun prepares a run over a reference and folders of CRs.
func loadRun(t *testing.T, reference string, folders ...string) *run {
	t.Helper()
	ref, engine := load(t, reference)
	var in Collected
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			data, err := os.ReadFile(path)
			in.Objects = append(in.Objects, manifest.Read(path, "", data, manifest.Hints{}).Objects...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return newRun(ref, engine, in, Options{})
}

// TestAudit changes, removes and adds to every scalar of every compared CR of the examples, and of the published
// references where they are at hand. Each change must show at its path or above it, unless the template leaves the field
// to the user or the reference leaves it out of the comparison.
func TestAudit(t *testing.T) {
	shared := "../../../shared/conformance/"
	for _, c := range []struct {
		reference string
		inputs    []string
		least     int
	}{
		{"../../examples/quickstart/reference", []string{"../../examples/quickstart/cluster"}, 40},
		{"../../examples/ran-du/reference", []string{"../../examples/ran-du/cluster"}, 300},
		{shared + "references/core", []string{shared + "inputs/core", shared + "inputs/core-defaults"}, 1000},
		{shared + "references/hub", []string{shared + "inputs/hub"}, 1000},
	} {
		if _, err := os.Stat(c.reference); err != nil {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(c.reference)), func(t *testing.T) {
			a := audit{t: t, run: loadRun(t, c.reference, c.inputs...)}
			for _, e := range a.run.store.distinct {
				a.object(e)
			}
			t.Logf("%d changes: %d found, %d in user-variable fields, %d left out of the comparison, %d refused or not evaluated",
				a.changes, a.found, a.variable, a.omitted, a.other)
			if a.changes < c.least {
				t.Errorf("%d changes are fewer than %d", a.changes, c.least)
			}
		})
	}
}

type audit struct {
	t                                        *testing.T
	run                                      *run
	changes, found, variable, omitted, other int
}

// object audits one object, if it is compared.
func (a *audit) object(e *stored) {
	value, err := e.decode()
	if err != nil {
		return
	}
	before := a.run.object(e).comparison
	if before == nil || before.Outcome == Failed {
		return
	}
	eachScalar(value, nil, func(path []any, v any) {
		p := fieldPath(path)
		if identifies(p) {
			return
		}
		for what, change := range map[string]any{"changed": "audited", "retyped": map[string]any{"audited": true}} {
			changed := tree.Copy(value)
			put(changed, path, change)
			a.check(e, before, p, what, changed)
		}
		parent := p[:len(p)-1]
		if m, ok := tree.At(value, parent); ok {
			if _, isMap := m.(map[string]any); isMap {
				removed := tree.Copy(value)
				at, _ := tree.At(removed, parent)
				delete(at.(map[string]any), p[len(p)-1].Key)
				a.check(e, before, p, "removed", removed)
				added := tree.Copy(value)
				at, _ = tree.At(added, parent)
				at.(map[string]any)["zzAudited"] = "new"
				a.check(e, before, extend(parent, refconfig.Step{Key: "zzAudited", Index: -1}), "added", added)
			}
		}
	})
}

// identifies reports whether a field is part of an object's identity, or above it.
func identifies(p refconfig.FieldPath) bool {
	switch p.String() {
	case "apiVersion", "kind", "metadata.name", "metadata.namespace":
		return true
	}
	return false
}

func fieldPath(path []any) refconfig.FieldPath {
	var p refconfig.FieldPath
	for _, s := range path {
		switch s := s.(type) {
		case string:
			p = append(p, refconfig.Step{Key: s, Index: -1})
		case int:
			p = append(p, refconfig.Step{Index: s})
		}
	}
	return p
}

// check compares a changed object and looks for the change.
func (a *audit) check(e *stored, before *Comparison, path refconfig.FieldPath, what string, changed any) {
	a.changes++
	s := &stored{object: e.object, value: changed.(map[string]any)}
	s.once.Do(func() {})
	after := a.run.object(s).comparison
	switch {
	case after == nil || after.Outcome == Failed:
		a.other++
		return
	case after.Template != before.Template:
		a.found++ // another template fits better now, and tells what differs from it
		return
	}
	if refconfig.Omits(a.run.omitted(after.Template), path) || emptied(a.run.omitted(after.Template), changed, path) {
		a.omitted++
		return
	}
	for _, d := range after.Differences {
		if d.Category != Expected && (related(d.Path, path) || strings.Contains(d.Message, path.String())) {
			a.found++
			return
		}
	}
	for _, d := range after.Differences {
		if d.Category == Expected && related(d.Path, path) {
			a.variable++
			return
		}
	}
	if what == "removed" && was(before, Extra, path) {
		a.found++ // what was extra is gone
		return
	}
	if after.Template.Config.IgnoreUnspecified || was(before, Expected, path) {
		a.variable++
		return
	}
	a.t.Errorf("%s: %s of %s is lost (%s); differences: %s", what, path, e.object.ID, after.Template.Path, lines(after.Differences))
}

// emptied reports whether the field lies in a map that omission leaves empty.
func emptied(omit []refconfig.OmitEntry, object any, path refconfig.FieldPath) bool {
	left := tree.Omit(tree.Copy(object), omit)
	_, there := tree.At(left, path)
	_, was := tree.At(object, path)
	return was && !there
}

// related reports whether one path leads to the other.
func related(a, b refconfig.FieldPath) bool {
	for i := range min(len(a), len(b)) {
		if a[i].Key != b[i].Key || (a[i].Key == "" && a[i].Index != b[i].Index) {
			return false
		}
	}
	return true
}

// was reports whether the field, or one above or below it, was told in a category before the change.
func was(before *Comparison, category Category, path refconfig.FieldPath) bool {
	return slices.ContainsFunc(before.Differences, func(d Difference) bool {
		return d.Category == category && related(d.Path, path)
	})
}

package patch_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// TestAnOverrideMakesNoFinding: whatever becomes of a CR for which overrides were made, they leave only
// findings that there are without them, and a fix sets what the reference says. Fields of the CR are
// put back to the reference's value, left or given a third value, and lists get another item.
func TestAnOverrideMakesNoFinding(t *testing.T) {
	tried, fixed := 0, 0
	rounds := testkit.Tries(1000)
	for seed := range rounds {
		s, value, object := differingPair(seed, 31)
		if value == nil {
			continue
		}
		compared := func(object any, opt compare.Options) *finding.Comparison {
			t.Helper()
			return s.compared(t, value, object, opt).Comparisons[0]
		}
		first := compared(object, compare.Options{Accept: &patch.Request{Extra: s.one(2)}})
		if first.Acceptance == nil {
			continue
		}
		made := compare.Options{Fix: true, Overrides: acceptances(&finding.Run{Comparisons: []*finding.Comparison{first}})}
		for range 4 {
			var other any = object
			for _, d := range first.Differences {
				path, err := refconfig.ParseFieldPath(d.Path)
				if err != nil || len(path) == 0 {
					continue
				}
				was, had := tree.At(value, path)
				switch n := s.r.IntN(3); {
				case n == 0 && had && (!inList(path) || d.Input != nil && d.Reference != nil): // the index of an extra item is the CR's
					if set, ok := tree.Set(other, path, was); ok {
						other = set
					}
				case n == 1 && d.Input != nil:
					if set, ok := tree.Set(other, path, "third"); ok {
						other = set
					}
				}
			}
			if s.one(2) {
				other = longer(s, other)
			}
			plain, with := compared(other, compare.Options{}), compared(other, made)
			tried++
			if f := with.Fix; f != nil && f.Held == "" && len(f.Open) == 0 {
				fixed++
				after := compared(parsed(t, f.CR), compare.Options{})
				for _, d := range after.Differences {
					isOpen := func(was finding.Difference) bool { return was.Path == d.Path && fails(was) }
					if path, _ := refconfig.ParseFieldPath(d.Path); fails(d) && !inList(path) && slices.ContainsFunc(with.Differences, isOpen) {
						t.Errorf("seed %d: the fix leaves %s\n%s\nof\n%s\n%s", seed, lines([]finding.Difference{d}), f.CR,
							tree.YAML(value), made.Overrides[0].Patch)
					}
				}
			}
			if with.Error != nil {
				t.Fatalf("seed %d: %v\n%s", seed, with.Error, made.Overrides[0].Patch)
			}
			var known []refconfig.FieldPath
			for _, d := range plain.Differences {
				path, _ := refconfig.ParseFieldPath(d.Path)
				known = append(known, beforeList(path))
			}
			if n := failing(with); n > len(plain.Differences) {
				t.Errorf("seed %d: %d findings:\n%s\nwithout it %s\n%s\nof\n%s\n%s", seed, n, lines(with.Differences), lines(plain.Differences),
					tree.YAML(other), tree.YAML(value), made.Overrides[0].Patch)
			}
			for _, d := range with.Differences {
				path, _ := refconfig.ParseFieldPath(d.Path)
				path = beforeList(path)
				near := func(p refconfig.FieldPath) bool { return starts(p, path) || starts(path, p) }
				if fails(d) && !slices.ContainsFunc(known, near) {
					t.Errorf("seed %d: %s\nwithout it %s\n%s\nof\n%s\n%s", seed, lines([]finding.Difference{d}), lines(plain.Differences),
						tree.YAML(other), tree.YAML(value), made.Overrides[0].Patch)
				}
			}
		}
	}
	t.Log(tried, fixed)
	if tried < rounds || fixed < rounds/10 {
		t.Error("too few are tried")
	}
}

// starts reports whether a path is equal to another one or leads to it.
func starts(path, to refconfig.FieldPath) bool {
	return len(path) <= len(to) && slices.Equal(path, to[:len(path)])
}

// longer returns a value with another item in some of its lists.
func longer(s *scene, v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for _, k := range tree.Keys(v) {
			m[k] = longer(s, v[k])
		}
		return m
	case []any:
		l := []any{}
		for _, x := range v {
			l = append(l, longer(s, x))
		}
		if s.one(2) {
			return slices.Insert(l, s.r.IntN(len(l)+1), any(fmt.Sprint("item ", len(l))))
		}
		return l
	}
	return v
}

func fails(d finding.Difference) bool {
	return d.Category == finding.Drift || d.Category == finding.Missing
}

func failing(c *finding.Comparison) int { return c.Counts.Drift + c.Counts.Missing }

// beforeList shortens a path to the first list that it leads into: items of a list may have other
// indexes beside an override.
func beforeList(path refconfig.FieldPath) refconfig.FieldPath {
	if i := slices.IndexFunc(path, func(step refconfig.Step) bool { return step.Index >= 0 }); i >= 0 {
		return path[:i]
	}
	return path
}

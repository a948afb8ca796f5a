package patch_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// TestWhatBecomesOfAnOverride: whatever the CR and the reference are, the overrides that are made for
// a CR accept this CR. Another value of a field drifts, with another value in the reference they are
// stale, and for the fixed CR they are obsolete.
func TestWhatBecomesOfAnOverride(t *testing.T) {
	rounds := testkit.Tries(1000)
	tried := map[string]int{}
	for seed := range rounds {
		s, value, object := differingPair(seed, 12)
		if value == nil {
			continue
		}
		compared := func(value, object any, opt compare.Options) (*finding.Comparison, string) {
			t.Helper()
			res := s.compared(t, value, object, opt)
			var states []string
			for _, o := range res.Overrides {
				states = append(states, string(o.State))
			}
			return res.Comparisons[0], strings.Join(states, " ")
		}
		check := func(what string, value, object any, opt compare.Options, state string, drifts bool) {
			t.Helper()
			tried[what]++
			one, is := compared(value, object, opt)
			if is != state || (one.Result == finding.Drifted) != drifts {
				t.Fatalf("seed %d: %s: %s %s, want %s: %s\n%s\nof\n%s\n%s", seed, what, is, one.Result, state,
					lines(one.Differences), tree.YAML(object), tree.YAML(value), opt.Overrides[0].Patch)
			}
		}
		first, _ := compared(value, object, compare.Options{Accept: &patch.Request{}, Fix: true})
		if first.Acceptance == nil {
			continue
		}
		made := compare.Options{Overrides: acceptances(&finding.Run{Comparisons: []*finding.Comparison{first}})}
		check("the same", value, object, made, "used", false)
		if first.Fix != nil && len(first.Fix.Open) == 0 && first.Fix.Held == "" {
			fixed := parsed(t, first.Fix.CR)
			if plain, _ := compared(value, fixed, compare.Options{}); plain.Result == finding.Clean {
				check("the fixed", value, fixed, made, "obsolete", false)
			}
		}
		for _, d := range first.Differences {
			path, err := refconfig.ParseFieldPath(d.Path)
			if err != nil || d.Category != finding.Drift || d.Reference == nil || d.Input == nil || inList(path) {
				continue
			}
			if other, ok := tree.Set(object, path, "another value"); ok {
				check("another value", value, other, made, "used", true)
			}
			if moved, ok := tree.Set(value, path, "another value"); ok {
				check("another reference", moved, object, made, "stale", true)
			}
		}
	}
	t.Log(tried)
	for _, what := range []string{"the same", "the fixed", "another value", "another reference"} {
		if tried[what] < rounds/20 {
			t.Errorf("%s was tried %d times in %d rounds", what, tried[what], rounds)
		}
	}
}

// inList reports whether a path may lead into a list, where the other side has other indexes.
func inList(path refconfig.FieldPath) bool {
	return slices.ContainsFunc(path, func(step refconfig.Step) bool { return step.Index >= 0 })
}

package patch_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// TestOverridesAcceptWhatWasFound: overrides made from a comparison, applied to the next, leave no
// drift and nothing missing, and each of them is used. Only a check that is about no field can
// stay.
func TestOverridesAcceptWhatWasFound(t *testing.T) {
	rounds := testkit.Tries(1200)
	accepted, stayed := 0, 0
	for seed := range rounds {
		s := &scene{r: rand.New(rand.NewPCG(uint64(seed), 7))}
		s.unspec = s.one(3)
		object := identity(s.value(4))
		if s.one(6) {
			s.head = s.pick(
				"{{ $.spec.lacking }}\n",
				"{{ fail \"headed\" }}\n",
				"{{ $.metadata.annotations.a }}\n",
				"{{ $.lacking.deep.er }}\n",
			)
		}
		m, ok := s.template(s.mutate(object, 4), nil).(map[string]any)
		if !ok {
			continue
		}
		m["apiVersion"], m["kind"], m["metadata"] = "v1", "Thing", map[string]any{"name": "it"}
		ref, engine, in, ok := s.load(t, m, object)
		if !ok {
			continue
		}
		extra := s.one(2)
		first := run(t, ref, engine, in, compare.Options{Workers: 1, Accept: &patch.Request{Extra: extra}})
		made := acceptances(first)
		second := run(t, ref, engine, in, compare.Options{Workers: 1, Overrides: made})
		was, is := first.Comparisons[0], second.Comparisons[0]
		n := is.Counts.Drift + is.Counts.Missing
		if extra {
			n += is.Counts.Extra
		}
		var left []finding.NotAccepted
		if was.Acceptance != nil && was.Result != finding.Failed {
			left = was.Acceptance.Left
		}
		accepted, stayed = accepted+len(made), stayed+len(left)
		wrong := slices.ContainsFunc(left, func(l finding.NotAccepted) bool {
			return !strings.Contains(l.Message, "check of the template")
		})
		unneeded := slices.ContainsFunc(second.Warnings, func(w finding.Warning) bool {
			return w.Code == code.OverrideUnused || w.Code == code.OverrideObsolete
		})
		if wrong || unneeded || n != len(left) || len(second.Rules) > 0 ||
			len(left) == 0 && second.Summary.Verdict == finding.Differs ||
			(is.Result == finding.Failed) != (was.Result == finding.Failed) {
			t.Fatalf("seed %d: %d findings stay, left %v: %s %v %v\n%v", seed, n, left, lines(is.Differences), is.Error,
				second.Warnings, made)
		}
	}
	t.Logf("%d overrides in %d rounds; %d findings stay", accepted, rounds, stayed)
	if accepted < rounds/4 {
		t.Errorf("only %d overrides in %d rounds", accepted, rounds)
	}
}

// TestOverridesHoldNoSecret: whatever differs in a Secret, its data gets neither into an override
// nor into a message about what was not accepted.
func TestOverridesHoldNoSecret(t *testing.T) {
	rounds := testkit.Tries(800)
	made, left := 0, 0
	for seed := range rounds {
		s := &scene{r: rand.New(rand.NewPCG(uint64(seed), 8))}
		hide := func(v any) any {
			number := 0
			for path := range tree.Leaves(v) {
				number++
				v, _ = tree.Set(v, path, fmt.Sprintf("hush%d", number))
			}
			return v
		}
		annotations := map[string]any{
			"kubectl.kubernetes.io/last-applied-configuration": `{"data":{"a":"hush"}}`,
			"note": s.text(),
		}
		object := map[string]any{
			"apiVersion": "v1",
			"kind":       "Secret",
			"data":       hide(s.value(2)),
			"stringData": hide(s.value(1)),
			"spec":       s.value(2),
			"metadata":   map[string]any{"name": "it", "annotations": annotations},
		}
		value, _ := s.template(s.mutate(object, 3), nil).(map[string]any)
		meta, isMap := value["metadata"].(map[string]any)
		if !isMap {
			continue
		}
		value["apiVersion"], value["kind"], meta["name"] = "v1", "Secret", "it"
		if s.one(2) {
			delete(meta, "annotations")
		}
		for _, k := range []string{"data", "stringData"} {
			if _, there := value[k]; there {
				value[k] = s.mutate(object["spec"], 2) // the reference has values of its own
			}
		}
		ref, engine, in, ok := s.load(t, value, object)
		if !ok {
			continue
		}
		res := run(t, ref, engine, in, compare.Options{Workers: 1, Accept: &patch.Request{Extra: true}})
		for _, c := range res.Comparisons {
			if c.Acceptance == nil {
				continue
			}
			made, left = made+len(c.Acceptance.Overrides), left+len(c.Acceptance.Left)
			if all := fmt.Sprint(c.Acceptance); strings.Contains(all, "hush") {
				t.Fatalf("seed %d: %s", seed, all)
			}
		}
	}
	t.Logf("%d overrides, %d findings not accepted", made, left)
	if made < rounds/3 || left < rounds/3 {
		t.Errorf("only %d overrides, and %d findings not accepted", made, left)
	}
}

// TestFurtherChangesAreFound: after all that was found is accepted, what changes besides is found
// all the same: each drift and missing field that was not there before makes its CR drift, and each
// CR that was not missing before is missing. CRs that agreed before these changes need none of the
// overrides.
func TestFurtherChangesAreFound(t *testing.T) {
	for _, example := range []string{"quickstart", "ran-du"} {
		ref, engine := given.Load(t, os.DirFS("../../../examples/"+example+"/reference"), "")
		in := compare.Collected{Objects: given.Folders(t, "../../../examples/"+example+"/cluster")}
		run := func(in compare.Collected, opt compare.Options) *finding.Run { return run(t, ref, engine, in, opt) }
		sound := run(in, compare.Options{})
		drifts, misses := 0, 0
		for round := range uint64(testkit.Tries(12)) {
			r := rand.New(rand.NewPCG(round, 3))
			before := without(r, compare.Collected{Objects: changed(t, r, in)})
			found := run(before, compare.Options{Accept: &patch.Request{}})
			opt := compare.Options{Overrides: acceptances(found)}
			for i, c := range run(in, opt).Comparisons {
				clean := sound.Comparisons[i].Result == finding.Clean
				if clean && (c.Result != finding.Clean || c.Override != nil) {
					t.Errorf("%s, round %d: %s is no longer clean: %s", example, round, c.Object, lines(c.Differences))
				}
			}
			after := without(r, compare.Collected{Objects: changed(t, r, before)})
			plain, res := run(after, compare.Options{}), run(after, opt)
			known, missed := map[string]bool{}, map[string]bool{}
			for _, c := range found.Comparisons {
				for _, d := range c.Differences {
					known[fmt.Sprint(c.Object, d.Category, d.Path, string(d.Input))] = true
				}
			}
			for i, c := range plain.Comparisons {
				for _, d := range c.Differences {
					if counts := d.Category == finding.Drift || d.Category == finding.Missing; !counts ||
						known[fmt.Sprint(c.Object, d.Category, d.Path, string(d.Input))] {
						continue
					}
					if drifts++; res.Comparisons[i].Result != finding.Drifted && !lost(found, c.Object, d) {
						t.Errorf("%s, round %d: %s: %s %s is not found", example, round, c.Object, d.Category, d.Path)
					}
				}
			}
			for _, name := range missing(found) {
				missed[name] = true
			}
			for _, name := range missing(plain) {
				if missed[name] {
					continue
				}
				misses++
				if !slices.Contains(missing(res), name) {
					t.Errorf("%s, round %d: %s is not missed", example, round, name)
				}
			}
		}
		t.Logf("%s: %d further drifts, %d further CRs missing", example, drifts, misses)
		if drifts == 0 || misses == 0 {
			t.Error("nothing was tried")
		}
	}
}

// lost reports whether a field is missing now of which everything was missing before: the map is
// gone with what it held.
func lost(before *finding.Run, o finding.Object, now finding.Difference) bool {
	i := slices.IndexFunc(before.Comparisons, func(c *finding.Comparison) bool { return c.Object == o })
	var of, gone map[string]any
	if i < 0 || now.Category != finding.Missing || json.Unmarshal(now.Reference, &of) != nil {
		return false
	}
	gone = map[string]any{}
	for _, d := range before.Comparisons[i].Differences {
		if key, below := strings.CutPrefix(d.Path, now.Path+"."); below && d.Category == finding.Missing {
			gone[strings.Trim(key, `"`)] = true
		}
	}
	return len(gone) == len(of)
}

// without takes a CR away.
func without(r *rand.Rand, in compare.Collected) compare.Collected {
	i := r.IntN(len(in.Objects))
	return compare.Collected{Objects: slices.Delete(slices.Clone(in.Objects), i, i+1)}
}

// acceptances are the overrides that accept all that was found.
func acceptances(r *finding.Run) (made []refconfig.Override) {
	for _, c := range r.Comparisons {
		if c.Acceptance != nil {
			made = append(made, c.Acceptance.Overrides...)
		}
	}
	for _, b := range r.Rules {
		if b.Acceptance != nil {
			made = append(made, b.Acceptance.Overrides...)
		}
	}
	for i := range made {
		made[i].Reason, made[i].Place = "because", refconfig.Place{File: "made.yaml", Line: i + 1}
	}
	return made
}

// missing are the templates that rules miss.
func missing(r *finding.Run) (names []string) {
	for _, b := range r.Rules {
		for _, m := range b.Missing {
			names = append(names, m.Template)
		}
	}
	return names
}

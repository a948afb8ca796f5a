package patch_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// container is an item of a list, with a list of its own.
type container struct {
	name  string
	value int
	more  string // another field; "" for none
	ports []container
}

// text writes items as YAML. of is the value of a field that every CR may have as it likes.
func text(items []container, indent, of string) string {
	if len(items) == 0 {
		return " []\n"
	}
	out := "\n"
	for _, one := range items {
		out += fmt.Sprintf("%s- name: %s\n%s  v: %d\n%s  of: %s\n", indent, one.name, indent, one.value, indent, of)
		if one.more != "" {
			out += indent + "  more: " + one.more + "\n"
		}
		if one.ports != nil {
			out += indent + "  ports:" + text(one.ports, indent+"  ", of)
		}
	}
	return out
}

// edited returns items of which some are moved, changed, removed or new.
func edited(r *rand.Rand, items []container) []container {
	out := slices.Clone(items)
	for i := range out {
		if r.IntN(3) == 0 {
			out[i].value++
		}
		if r.IntN(6) == 0 {
			out[i].more = "extra"
		}
		if out[i].ports != nil && r.IntN(3) == 0 {
			out[i].ports = edited(r, out[i].ports)
		}
	}
	if len(out) > 1 && r.IntN(4) > 0 {
		from, to := r.IntN(len(out)), r.IntN(len(out))
		one := out[from]
		out = slices.Insert(slices.Delete(out, from, from+1), to, one)
	}
	if len(out) > 1 && r.IntN(4) == 0 {
		at := r.IntN(len(out))
		out = slices.Delete(out, at, at+1)
	}
	if r.IntN(4) == 0 {
		out = slices.Insert(out, r.IntN(len(out)+1), container{name: "new"})
	}
	return out
}

// TestFindingsAccountForLists: whatever items of a list are moved, changed, new or missing, the CR agrees
// once each finding is accepted by itself, and never before. A fix sets what the reference says, has each
// item once, and keeps extra content.
func TestFindingsAccountForLists(t *testing.T) {
	const head = "apiVersion: v1\nkind: Thing\nmetadata: {name: it}\n"
	for _, list := range []struct {
		name, head string
		config     []string
	}{
		{"plain", head + "l:", nil},
		{"ordered", head + "l:", []string{"config: {perField: [{pathToKey: l, list: ordered}]}"}},
		{"in a text", head + "data:\n  l: |", []string{"config: {perField: [{pathToKey: data.l, embedded: yaml}]}"}},
	} {
		tried, several := 0, 0
		for seed := range testkit.Tries(400) {
			r := rand.New(rand.NewPCG(uint64(seed), 12))
			var items []container
			for _, name := range []string{"a", "b", "c", "d"}[:2+r.IntN(3)] {
				items = append(items, container{name: name})
				if r.IntN(3) == 0 {
					items[len(items)-1].ports = []container{{name: "p"}, {name: "q"}, {name: "r"}}
				}
			}
			indent := strings.Repeat(" ", 4*strings.Count(list.head, "|"))
			found := edited(r, items)
			reference := list.head + text(items, indent, "{{ $.kind }}")
			input := list.head + text(found, indent, "Thing")
			ref, engine := given.Load(t, files(reference, list.config...), "")
			compared := func(text string, opt compare.Options) *finding.Comparison {
				t.Helper()
				return run(t, ref, engine, compare.Collected{Objects: given.Objects(t, "in.yaml", text)}, opt).Comparisons[0]
			}
			first := compared(input, compare.Options{Fix: true})
			if first.Result != finding.Drifted {
				continue
			}
			tried++
			if fixed := first.Fix.CR; len(first.Fix.Open) == 0 {
				wrong := compared(fixed, compare.Options{}).Result == finding.Drifted
				wrong = wrong || strings.Count(fixed, "more: extra") != strings.Count(input, "more: extra")
				for _, one := range items {
					wrong = wrong || strings.Count(fixed, "name: "+one.name) != strings.Count(reference, "name: "+one.name)
				}
				if wrong {
					t.Fatalf("%s, seed %d: the fix of\n%s\nfor\n%s\nis\n%s", list.name, seed, input, reference, fixed)
				}
			}
			var all []patch.Field
			for _, d := range first.Differences {
				path, err := refconfig.ParseFieldPath(d.Path)
				if err != nil {
					t.Fatal(err)
				}
				if fails(d) {
					all = append(all, patch.FieldOf(path, d.Reference != nil && d.Input == nil))
				}
			}
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			if len(all) > 1 {
				several++
			}
			for n := 1; n <= len(all); n++ {
				cr := patch.CR{Template: "t.yaml", Object: first.Object}
				accept := &patch.Request{Only: map[patch.CR][]patch.Field{cr: all[:n]}}
				made := compared(input, compare.Options{Accept: accept})
				if made.Acceptance == nil || len(made.Acceptance.Left) > 0 {
					t.Fatalf("%s, seed %d: not accepted: %+v\n%v of\n%s\nin\n%s\nand\n%s", list.name, seed, made.Acceptance, all[:n],
						lines(first.Differences), input, reference)
				}
				overrides := acceptances(&finding.Run{Comparisons: []*finding.Comparison{made}})
				then := compared(input, compare.Options{Overrides: overrides})
				if isLast := n == len(all); isLast != (then.Result != finding.Drifted) {
					t.Fatalf("%s, seed %d: with %v of\n%s\n%s is left in\n%s\nand\n%s\nby %s", list.name, seed, all[:n],
						lines(first.Differences), lines(then.Differences), input, reference, overrides[0].Patch)
				}
			}
		}
		if t.Log(list.name, tried, several); several < tried/3 {
			t.Errorf("%s: too few have several findings", list.name)
		}
	}
}

package accept_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// TestOverridesAcceptWhatWasFound: overrides made from a comparison, applied to the next, leave no drift and nothing
// missing, and each of them is used. Only a check that is about no field can stay.
func TestOverridesAcceptWhatWasFound(t *testing.T) {
	rounds := rounds(1200)
	accepted, loaded, stayed := 0, 0, 0
	for seed := range rounds {
		s := &scene{r: rand.New(rand.NewPCG(uint64(seed), 7))}
		s.unspec = s.one(3)
		object := identity(s.value(4))
		if s.one(6) {
			s.head = s.pick("{{ $.spec.lacking }}\n", "{{ fail \"headed\" }}\n", "{{ $.metadata.annotations.a }}\n", "{{ $.lacking.deep.er }}\n")
		}
		value := s.template(s.mutate(object, 4), nil)
		m, ok := value.(map[string]any)
		if !ok {
			continue
		}
		m["apiVersion"], m["kind"], m["metadata"] = "v1", "Thing", map[string]any{"name": "it"}
		fsys := s.files(value)
		ref, problems := refconfig.Load(fsys, ".", refconfig.LoadOptions{})
		engine, more := render.Compile(ref)
		if len(problems)+len(more) > 0 {
			continue
		}
		loaded++
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		in := compare.Collected{Objects: objects(t, "in.json", string(text))}
		opt := compare.Options{Workers: 1, Accept: &compare.Accept{Extra: s.one(2)}}
		n, left := roundTrip(t, fmt.Sprint("seed ", seed), ref, engine, in, opt)
		accepted += n
		for _, l := range left {
			if strings.Contains(l.Message, "check of the template") {
				stayed++
				continue
			}
			t.Errorf("seed %d: left: %s: %s\n%s\n%s\n%s", seed, l.Path, l.Message, fsys["metadata.yaml"].Data, fsys["sub/t.yaml"].Data, text)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d references load; %d overrides; %d findings stay", loaded, rounds, accepted, stayed)
	if accepted < rounds/4 {
		t.Errorf("only %d overrides in %d rounds", accepted, rounds)
	}
}

// TestOverridesHoldNoSecret: whatever differs in a Secret, its data gets neither into an override nor into a message about
// what was not accepted.
func TestOverridesHoldNoSecret(t *testing.T) {
	rounds := rounds(800)
	made, left := 0, 0
	for seed := range rounds {
		s := &scene{r: rand.New(rand.NewPCG(uint64(seed), 8))}
		hide := func(v any) any {
			var number int
			var hide func(v any) any
			hide = func(v any) any {
				switch v := v.(type) {
				case map[string]any:
					m := map[string]any{}
					for k, x := range v {
						m[k] = hide(x)
					}
					return m
				case []any:
					l := make([]any, len(v))
					for i, x := range v {
						l[i] = hide(x)
					}
					return l
				}
				number++
				return fmt.Sprintf("hush%d", number)
			}
			return hide(v)
		}
		annotations := map[string]any{"kubectl.kubernetes.io/last-applied-configuration": `{"data":{"a":"hush"}}`, "note": s.text()}
		object := map[string]any{"apiVersion": "v1", "kind": "Secret", "data": hide(s.value(2)), "stringData": hide(s.value(1)),
			"spec": s.value(2), "metadata": map[string]any{"name": "it", "annotations": annotations}}
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
		ref, problems := refconfig.Load(s.files(value), ".", refconfig.LoadOptions{})
		engine, more := render.Compile(ref)
		if len(problems)+len(more) > 0 {
			continue
		}
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		in := compare.Collected{Objects: objects(t, "in.json", string(text))}
		res, err := compare.Run(context.Background(), ref, engine, in, compare.Options{Workers: 1, Accept: &compare.Accept{Extra: true}})
		if err != nil {
			t.Fatal(err)
		}
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

// roundTrip compares, and compares again with the overrides that accept what was found. It returns how many these are and
// what they leave, and holds the second comparison to that.
func roundTrip(t *testing.T, name string, ref *refconfig.Reference, engine *render.Engine, in compare.Collected, opt compare.Options) (int, []finding.NotAccepted) {
	t.Helper()
	first, err := compare.Run(context.Background(), ref, engine, in, opt)
	if err != nil {
		t.Fatal(err)
	}
	var made []refconfig.Override
	var left []finding.NotAccepted
	leftOf := map[finding.Object]int{}
	for _, c := range first.Comparisons {
		if c.Acceptance == nil {
			continue
		}
		for _, o := range c.Acceptance.Overrides {
			o.Reason, o.Place = "because", refconfig.Place{File: "made.yaml", Line: len(made) + 1}
			made = append(made, o)
		}
		if c.Result != finding.Failed {
			left = append(left, c.Acceptance.Left...)
			leftOf[c.Object] = len(c.Acceptance.Left)
		}
	}
	extra := opt.Accept.Extra
	opt.Overrides, opt.Accept = append(slices.Clone(opt.Overrides), made...), nil
	second, err := compare.Run(context.Background(), ref, engine, in, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range second.Warnings {
		if w.Code == code.OverrideUnused || w.Code == code.OverrideObsolete {
			t.Errorf("%s: %s", name, w.Message)
		}
	}
	for i, c := range second.Comparisons {
		n := c.Counts.Drift + c.Counts.Missing
		if extra {
			n += c.Counts.Extra
		}
		was := first.Comparisons[i]
		if n != leftOf[c.Object] || c.Template != was.Template || (c.Result == finding.Failed) != (was.Result == finding.Failed) {
			t.Errorf("%s: %s: %d findings stay where %d should: %s %v\n%v", name, c.Object, n, leftOf[c.Object], lines(c.Differences), c.Error, made)
		}
	}
	return len(made), left
}

// TestOverridesOfReferences does the same with the CRs of the examples, and with those for the published references where
// they are at hand: as they are, and with random changes.
func TestOverridesOfReferences(t *testing.T) {
	shared := "../../../shared/conformance/"
	for _, c := range []struct {
		reference string
		inputs    []string
	}{
		{"../../examples/quickstart/reference", []string{"../../examples/quickstart/cluster"}},
		{"../../examples/ran-du/reference", []string{"../../examples/ran-du/cluster"}},
		{shared + "references/core", []string{shared + "inputs/core", shared + "inputs/core-defaults"}},
		{shared + "references/hub", []string{shared + "inputs/hub"}},
	} {
		if _, err := os.Stat(c.reference); err != nil {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(c.reference))+"/"+filepath.Base(c.reference), func(t *testing.T) {
			in := folders(t, c.inputs...)
			ref, engine := load(t, os.DirFS(c.reference))
			total := 0
			for round := range 10 {
				tried := in
				if round > 1 {
					tried.Objects = changed(t, rand.New(rand.NewPCG(uint64(round), 5)), in)
				}
				made, left := roundTrip(t, c.reference, ref, engine, tried, compare.Options{Accept: &compare.Accept{Extra: round%2 == 1}})
				total += made
				for _, l := range left {
					if !strings.Contains(l.Message, "check of the template") && !strings.Contains(l.Message, "secret data") {
						t.Errorf("round %d: left: %s: %s", round, l.Path, l.Message)
					}
				}
			}
			t.Logf("%d overrides", total)
			if total == 0 {
				t.Error("no override was made")
			}
		})
	}
}

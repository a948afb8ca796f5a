package patch

import (
	"fmt"
	"slices"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// TestOverridesAreLookedUp: what an override is for is looked up, so that thousands of overrides
// cost a CR no more than those that are for it. The lists that a lookup returns are as long as
// that.
func TestOverridesAreLookedUp(t *testing.T) {
	var all []refconfig.Override
	for i := range 1000 {
		name := fmt.Sprintf("a_%d", i)
		all = append(
			all,
			refconfig.Override{Kind: "A", Name: name},
			refconfig.Override{ExactMatch: "v1_A_n_" + name},
			refconfig.Override{Kind: "A", Name: "b", TemplatePath: fmt.Sprintf("./t%d", i)},
			refconfig.Override{
				Kind:    "A",
				Name:    name,
				Missing: true,
			},
			refconfig.Override{ExactMatch: "v1_A_n_" + name, Missing: true},
			refconfig.Override{Kind: "A", Name: name, Expires: "2000-01-01"},
		)
	}
	s := NewSet(all, "2020-01-01")
	t7 := &refconfig.Template{Path: "t7"}
	for _, c := range []struct {
		namespace, name string
		want            []int
	}{{"n", "a_7", []int{43}}, {"m", "a_7", []int{42}}, {"n", "b", []int{44}}, {"n", "c", nil}} {
		id := manifest.ID{APIVersion: "v1", Kind: "A", Namespace: c.namespace, Name: c.name}
		var got []int
		for _, u := range s.For(id, t7) {
			got = append(got, u.index)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", id, got)
		}
	}
	for namespace, want := range map[string]int{"n": 45, "m": 45, "": 45} {
		o := finding.Object{APIVersion: "v1", Kind: "A", Namespace: namespace, Name: "a_7"}
		if near := s.whole.near(o.Name); len(near) != 2 || near[0] != want {
			t.Errorf("%s: %v", namespace, near)
		}
	}
	exact := s.acceptedOf(refconfig.Violation{Code: code.RuleMissing}, t7, []finding.Object{
		{APIVersion: "v1", Kind: "A", Namespace: "n", Name: "a_7"},
		{Kind: "A"},
		{Kind: "A", Name: "*_8"},
		{Kind: "B", Name: "a_7"},
	}, nil)
	if len(exact) != 3 || exact[0].Override != 45 || exact[1].Override != 3 || exact[2].Override != 51 {
		t.Errorf("%+v", exact)
	}
}

// TestOverridesOfOtherTemplatesAreNotExplained: they are for the object, but not where it is
// compared with this template.
func TestOverridesOfOtherTemplatesAreNotExplained(t *testing.T) {
	s := NewSet(
		[]refconfig.Override{
			{Kind: "A", Reason: "any"},
			{Kind: "A", TemplatePath: "other.yaml", Reason: "other"},
			{Kind: "A", TemplatePath: "./t.yaml", Reason: "this"},
		},
		"",
	)
	id, here := manifest.ID{APIVersion: "v1", Kind: "A", Name: "a"}, &refconfig.Template{Path: "t.yaml"}
	var got []string
	for _, o := range s.Explain(id, here, s.For(id, here)) {
		got = append(got, o.Reason+" "+string(o.State))
	}
	if want := []string{"any used", "this used"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestAnOverrideThatIsStaleForOneCRIsStale: it has to be looked at, whatever it is for the others.
func TestAnOverrideThatIsStaleForOneCRIsStale(t *testing.T) {
	s := NewSet([]refconfig.Override{{Kind: "A"}}, "")
	state := func(states ...finding.OverrideState) finding.OverrideUse {
		none := func(func(*refconfig.Template, finding.Object) bool) {}
		return s.States(Outcome{Stated: none, Required: none, LeftOut: none, Uses: func(yield func(finding.Object, []Use) bool) {
			for i, one := range states {
				if !yield(finding.Object{Name: fmt.Sprint(i)}, []Use{{state: one, why: string(one)[:1]}}) {
					return
				}
			}
		}})[0]
	}
	for want, states := range map[string][]finding.OverrideState{
		"stale s [{   1}]":    {finding.OverrideUsed, finding.OverrideStale, finding.OverrideObsolete},
		"stale s [{   0}]":    {finding.OverrideStale, finding.OverrideUsed},
		"used u [{   1}]":     {finding.OverrideObsolete, finding.OverrideUsed, finding.OverrideObsolete},
		"obsolete o [{   0}]": {finding.OverrideObsolete},
		"unused  []":          nil,
	} {
		use := state(states...)
		var objects []string
		for _, o := range use.Objects {
			objects = append(objects, fmt.Sprintf("{   %s}", o.Name))
		}
		if got := fmt.Sprintf("%s %s %v", use.State, use.Message, objects); got != want {
			t.Errorf("%v: %s, want %s", states, got, want)
		}
	}
}

package finding

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/run/code"
)

// found is a run with one difference for each of the texts, "NAME PATH REFERENCE INPUT".
func found(texts ...string) *Run {
	r := &Run{}
	for _, text := range texts {
		words := strings.Fields(text)
		o := Object{APIVersion: "v1", Kind: "ConfigMap", Namespace: "app", Name: words[0]}
		d := Difference{
			Category:  Drift,
			Path:      words[1],
			Reference: json.RawMessage(words[2]),
			Input:     json.RawMessage(words[3]),
		}
		c := &Comparison{Object: o, Differences: []Difference{d}}
		Identify(c.Differences, o, "cm.yaml")
		r.Comparisons = append(r.Comparisons, c)
	}
	return r
}

func TestCommonFindings(t *testing.T) {
	missing := Rule{
		Code:      code.RuleMissing,
		Part:      "p",
		Component: "c",
		Templates: []string{"ns.yaml"},
		Missing:   []Missed{{Template: "ns.yaml", Object: Object{Kind: "Namespace", Name: "app"}}},
	}
	a := found(`a x true false`, `b y 1 2`, `c z "s" "t"`)
	b := found(`a x true false`, `b y 1 3`, `c z "s" "t"`)
	c := found(`c z "s" "t"`)
	a.Rules, c.Rules = []Rule{missing}, []Rule{missing, {Code: code.RuleForbidden, Message: "one too many"}}
	b.Comparisons[0].Differences = append(
		b.Comparisons[0].Differences, b.Comparisons[0].Differences[0],
	) // told twice, it is still one
	wanted := missing
	wanted.Templates, wanted.Missing = nil, nil
	for _, kind := range []string{"Service", "Secret", "Route"} {
		path := kind + ".yaml"
		wanted.Templates = append(wanted.Templates, path)
		wanted.Missing = append(wanted.Missing, Missed{Template: path, Object: Object{Kind: kind, Name: "a"}})
	}
	for _, run := range []*Run{a, b, c} {
		run.Rules = append(run.Rules, wanted)
		run.Summary.Objects.Read = 1
	}
	got := ""
	for i, run := range []*Run{a, b, c} {
		run.Cluster.Name = fmt.Sprint("n", i)
	}
	for _, order := range [][]*Run{{a, b, c}, {c, a, b}} {
		f := (&Report{Runs: order}).Fleet(Filter{})
		all, several := f.Shared()
		got = ""
		for _, one := range append(several, all...) {
			got += fmt.Sprintln(one.N(), f.Names(one), one.Subject+"  "+one.Text)
		}
		want := `2 n0, n1 ConfigMap app/a  x: expected true, found false
2 n0, n2 Namespace app  not found (ns.yaml)
3  ConfigMap app/c  z: expected s, found t
3  p/c  3 CRs not found: Route a, Secret a, Service a
`
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	var alone []*Run
	for range 2 {
		alone = append(alone, &Run{Rules: []Rule{wanted}})
		alone[len(alone)-1].Summary.Objects.Read = 1
	}
	if all, several := (&Report{Runs: alone}).Fleet(Filter{}).Shared(); len(all) != 1 || len(several) > 0 || all[0].Text != "3 CRs not found: Route a, Secret a, Service a" {
		t.Errorf("CRs that are missing from one component alone: %v %v", all, several)
	}
	extra := found(`a x true false`)
	extra.Comparisons[0].Differences[0].Category = Extra
	if all, several := (&Report{Runs: []*Run{extra, extra}}).Fleet(Filter{}).Shared(); len(all)+len(several) > 0 {
		t.Errorf("what does not count as a failure is found in common: %v %v", all, several)
	}
}

// TestFewClustersWithoutAFindingAreNamed: of many clusters those that lack a finding are named, if
// they are few, else the first that have it.
func TestFewClustersWithoutAFindingAreNamed(t *testing.T) {
	r := &Report{}
	for i := range 24 {
		r.Runs = append(r.Runs, &Run{Cluster: Cluster{Name: fmt.Sprintf("c%02d", i)}})
	}
	var all []int32
	for i := range r.Runs {
		all = append(all, int32(i))
	}
	for want, places := range map[string][]int32{
		"":            all,
		"all but c23": all[:23],
		"c00, c01":    all[:2],
		"all but c13, c14, c15, c16, c17, … and 6 more": all[:13],
		"c00, c01, c02, c03, c04, c05":                  all[:6],
		"c00, c01, c02, c03, c04, … and 7 more":         all[:12],
	} {
		if got := r.Fleet(Filter{}).Names(Common{places: places}); got != want {
			t.Errorf("%v: %s, want %s", places, got, want)
		}
	}
}

// TestWhatIsAnotherFindingIsNotInCommon: part and component are told apart, whatever is in their
// names.
func TestWhatIsAnotherFindingIsNotInCommon(t *testing.T) {
	r := &Report{}
	for _, names := range [][2]string{{"a", "b"}, {"a,b", ""}, {"a\x00b", ""}, {`a" "b`, ""}, {"a b", ""}, {"", "a b"}} {
		r.Runs = append(r.Runs, &Run{
			Rules: []Rule{
				{Code: code.RuleMissing, Part: names[0], Component: names[1], Templates: []string{"t"}, Missing: []Missed{{Template: "t"}}},
			},
		})
	}
	if all, several := r.Fleet(Filter{}).Shared(); len(all)+len(several) > 0 {
		t.Errorf("rules of several components are in common: %v %v", all, several)
	}
}

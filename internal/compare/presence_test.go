package compare

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/refconfig"
)

// broken lists the rules that do not hold, each with its component, its code and its templates.
func broken(r *Result) string {
	var lines []string
	for _, b := range r.Rules {
		line := fmt.Sprintf("%s %s", b.Component.Name, b.Code)
		for _, t := range b.Templates {
			line += " " + t.Path
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

// TestATemplateOfSeveralComponents is compared once, as its first entry says, and counts in each of them.
func TestATemplateOfSeveralComponents(t *testing.T) {
	metadata := func(first, second string) string {
		return "apiVersion: v2\nparts: [{name: P, components: [{name: C, " + first + "}, {name: D, " + second + "}]}]\n" +
			"fieldsToOmit: {items: {some: [{pathToKey: data}]}}\n"
	}
	in := configMap("ns", "a", "k: other")
	for _, c := range []struct {
		name, metadata, input string
		skip                  string // a component
		want                  string
		failing               int // differences
	}{
		{"two that need it", metadata("allOf: [{path: t.yaml}]", "allOf: [{path: ./t.yaml}]"), in, "", "", 1},
		{"two that miss it", metadata("allOf: [{path: t.yaml}]", "allOf: [{path: t.yaml}]"), configMap("ns", "b", "k: v"), "",
			"C VT3001 t.yaml; D VT3001 t.yaml", 0},
		{"one that forbids it", metadata("allOrNoneOf: [{path: t.yaml}]", "noneOf: [{path: t.yaml}]"), in, "", "D VT3002 t.yaml", 1},
		{"the first is left out", metadata("allOf: [{path: t.yaml}]", "noneOf: [{path: t.yaml}]"), in, "C", "D VT3002 t.yaml", 1},
		{"the second is left out", metadata("allOf: [{path: t.yaml}]", "noneOf: [{path: t.yaml}]"), in, "D", "", 1},
		{"the first says how", metadata("allOf: [{path: t.yaml, config: {fieldsToOmitRefs: [some]}}]", "allOf: [{path: t.yaml}]"), in, "", "", 0},
		{"the second does not", metadata("allOf: [{path: t.yaml}]", "allOf: [{path: t.yaml, config: {fieldsToOmitRefs: [some]}}]"), in, "", "", 1},
		{"unless the first is left out", metadata("allOf: [{path: t.yaml}]", "allOf: [{path: t.yaml, config: {fieldsToOmitRefs: [some]}}]"), in, "C", "", 0},
	} {
		res := runFiles(t, map[string]string{"metadata.yaml": c.metadata, "t.yaml": configMap("ns", "a", "k: v")}, c.input,
			Options{Keep: func(x *refconfig.Component) bool { return x.Name != c.skip }})
		if got := broken(res); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := res.Counts.Differences[Drift]; got != c.failing {
			t.Errorf("%s: %d differences, want %d", c.name, got, c.failing)
		}
		for _, one := range res.Comparisons {
			if len(one.Correlation.Candidates) > 0 {
				t.Errorf("%s: there was a choice", c.name)
			}
		}
	}
}

// TestExplainATemplateOfSeveralComponents: it is one template, with the rules of all.
func TestExplainATemplateOfSeveralComponents(t *testing.T) {
	ref, engine := loadFiles(t, map[string]string{"t.yaml": configMap("ns", "a", "k: v"), "metadata.yaml": "apiVersion: v2\n" +
		"parts: [{name: P, components: [{name: C, allOf: [{path: t.yaml}]}, {name: D, noneOf: [{path: t.yaml}]}]}]\n"})
	in := Collected{Objects: objects(t, "in.yaml", configMap("ns", "a", "k: v"))}
	x, err := Explain(context.Background(), ref, engine, in, Options{}, "t.yaml")
	if err != nil || len(x.Templates) != 1 {
		t.Fatalf("%v %+v", err, x)
	}
	one := x.Templates[0]
	if fmt.Sprint(one.Rules) != "[allOf noneOf]" || len(one.Broken) != 1 || len(one.Objects) != 1 || len(one.Objects[0].Considered.Compared.Differences) != 0 {
		t.Errorf("rules %v, broken %v, objects %v", one.Rules, one.Broken, one.Objects)
	}
	x, err = Explain(context.Background(), ref, engine, in, Options{}, "ConfigMap/a")
	if err != nil || len(x.Objects) != 1 || len(x.Objects[0].Considered) != 1 {
		t.Errorf("%v %+v", err, x)
	}
}

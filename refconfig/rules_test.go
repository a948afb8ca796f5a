package refconfig_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// TestRulesBreak goes through every rule with none, some and all of three templates matched.
func TestRulesBreak(t *testing.T) {
	for _, c := range []struct {
		kind    refconfig.RuleKind
		matched string
		want    string // code, message, templates; "" where the rule holds
	}{
		{refconfig.AllOf, "", "VT3001 missing CRs: a b c"},
		{refconfig.AllOf, "b", "VT3001 missing CRs: a c"},
		{refconfig.AllOf, "a c", "VT3001 missing CRs: b"},
		{refconfig.AllOf, "a b c", ""},
		{refconfig.AllOrNoneOf, "", ""},
		{refconfig.AllOrNoneOf, "b", "VT3001 missing CRs: a c; there: b"},
		{refconfig.AllOrNoneOf, "a c", "VT3001 missing CRs: b; there: a c"},
		{refconfig.AllOrNoneOf, "a b c", ""},
		{refconfig.AnyOf, "", ""},
		{refconfig.AnyOf, "b", ""},
		{refconfig.AnyOf, "a b c", ""},
		{refconfig.NoneOf, "", ""},
		{refconfig.NoneOf, "b", "VT3002 should not be present: b"},
		{refconfig.NoneOf, "a b c", "VT3002 should not be present: a b c"},
		{refconfig.OneOf, "", "VT3003 one of these is required: a b c"},
		{refconfig.OneOf, "b", ""},
		{refconfig.OneOf, "a c", "VT3004 only one of these may be present: a c"},
		{refconfig.AnyOneOf, "", ""},
		{refconfig.AnyOneOf, "b", ""},
		{refconfig.AnyOneOf, "a c", "VT3004 only one of these may be present: a c"},
		{refconfig.AnyOneOf, "a b c", "VT3004 only one of these may be present: a b c"},
	} {
		component := &refconfig.Component{Name: "one"}
		rule := refconfig.Rule{Kind: c.kind}
		for _, name := range []string{"a", "b", "c"} {
			rule.Templates = append(rule.Templates, &refconfig.Template{Path: name, Component: component})
		}
		component.Rules = []refconfig.Rule{rule}
		ref := &refconfig.Reference{Parts: []*refconfig.Part{{Components: []*refconfig.Component{component}}}}
		got := violations(ref, c.matched, nil)
		if got != c.want && got != "one "+c.want {
			t.Errorf("%s with %q: %q, want %q", c.kind, c.matched, got, c.want)
		}
	}
}

// TestAPathThatIsListedAgain counts in every component that lists it, and once in a rule.
func TestAPathThatIsListedAgain(t *testing.T) {
	ref := loadComponents(t, `
      - {name: all, allOf: [{path: a}, {path: ./a}]}
      - {name: none, noneOf: [{path: a}]}
      - {name: one, oneOf: [{path: a}, {path: a}, {path: b}]}
`, "a", "b")
	for matched, want := range map[string]string{
		"":  "all VT3001 missing CRs: a\none VT3003 one of these is required: a b",
		"a": "none VT3002 should not be present: a",
	} {
		if got := violations(ref, matched, nil); got != want {
			t.Errorf("with %q: %q, want %q", matched, got, want)
		}
	}
}

// violations evaluates the rules with the templates whose paths are given matched: a line for each
// that is broken.
func violations(ref *refconfig.Reference, matched string, keep func(*refconfig.Component) bool) string {
	met := map[string]bool{}
	for _, m := range strings.Fields(matched) {
		met[m] = true
	}
	var lines []string
	for _, v := range ref.Evaluate(func(t *refconfig.Template) bool { return met[t.Path] }, keep) {
		var names []string
		for _, t := range v.Templates {
			names = append(names, t.Path)
		}
		line := fmt.Sprintf("%s %s %s: %s", v.Component.Name, v.Code, v.Message, strings.Join(names, " "))
		if !slices.Equal(v.There, v.Templates) {
			line += "; there:"
			for _, t := range v.There {
				line += " " + t.Path
			}
		}
		lines = append(lines, strings.TrimSuffix(line, "; there:"))
	}
	return strings.Join(lines, "\n")
}

func TestRulesOfV1(t *testing.T) {
	ref := load(t, `
parts:
  - name: base
    components:
      - name: must
        type: Required
        requiredTemplates: [{path: a}, {path: b}]
        optionalTemplates: [{path: c}]
      - name: may
        optionalTemplates: [{path: f}]
        type: Optional
        requiredTemplates: [{path: d}, {path: e}]
      - name: never
        requiredTemplates: [{path: g}]
`, "a", "b", "c", "d", "e", "f", "g")
	for _, c := range []struct{ matched, want string }{
		{"", "must VT3001 missing CRs: a b"},
		{"c f g", "must VT3001 missing CRs: a b"},
		{"a b", ""},
		{"a b d", "may VT3001 missing CRs: e; there: d"},
		{"b e c", "must VT3001 missing CRs: a\nmay VT3001 missing CRs: d; there: e"},
		{"a b d e", ""},
	} {
		if diff := cmp.Diff(c.want, violations(ref, c.matched, nil)); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.matched, diff)
		}
	}
	if got := len(ref.Templates); got != 7 {
		t.Errorf("%d templates, want all 7, also those of the component without type", got)
	}
	if len(ref.Warnings) != 1 || ref.Warnings[0].Code != code.RefNoType {
		t.Errorf("warnings %v, want one for the component without type", ref.Warnings)
	}
}

func TestRulesOfComponentsThatAreLeftOut(t *testing.T) {
	ref := load(t, `
apiVersion: v2
parts:
  - name: base
    components:
      - name: one
        allOf: [{path: a}]
      - name: two
        allOf: [{path: b}]
`, "a", "b")
	keep := func(c *refconfig.Component) bool { return c.Name == "two" }
	if got, want := violations(ref, "", keep), "two VT3001 missing CRs: b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRulesOfTheAnnotationsFormat(t *testing.T) {
	cr := func(attributes string) string {
		return "kind: X\nmetadata:\n  annotations:\n    reference-config.openshift.io/attributes: '" + attributes + "'\n"
	}
	ref := loadFiles(t, map[string]string{
		"a.yaml":      cr(`{"part-of": "p", "component-name": "c"}`),
		"b.yaml":      cr(`{"part-of": "p", "component-name": "c", "required": true}`),
		"c.yaml":      cr(`{"part-of": "p", "component-name": "c", "required": false}`),
		"d/e.yml":     cr(`{"part-of": "p"}`),
		"d/f.YAML":    cr(`{"part-of": "p", "required": false}`),
		"g.yaml":      "kind: X\n",
		"h.yaml":      cr(`{"component-name": "c"}`),
		"i.tmpl":      "not a template",
		".git/x.yaml": "not a template",
		".x.yaml":     "not a template",
	})
	var shape []string
	for _, c := range ref.Components() {
		for _, r := range c.Rules {
			var names []string
			for _, t := range r.Templates {
				names = append(names, t.Path)
			}
			shape = append(shape, fmt.Sprintf("%s: %s %v", c, r.Kind, names))
		}
	}
	want := []string{
		"p/c: allOrNoneOf [a.yaml b.yaml]", "p/c: anyOf [c.yaml]",
		"p/: allOf [d/e.yml]", "p/: anyOf [d/f.YAML]",
		"/: allOf [g.yaml]",
		"/c: allOrNoneOf [h.yaml]",
	}
	if diff := cmp.Diff(want, shape); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, c := range []struct{ matched, want string }{
		{"", " VT3001 missing CRs: d/e.yml\n VT3001 missing CRs: g.yaml"},
		{"d/e.yml g.yaml", ""},
		{"d/e.yml g.yaml c.yaml", ""}, // an optional CR makes the component not be there
		{"d/e.yml g.yaml a.yaml", "c VT3001 missing CRs: b.yaml; there: a.yaml"},
		{"d/e.yml g.yaml a.yaml b.yaml h.yaml", ""},
	} {
		if diff := cmp.Diff(c.want, violations(ref, c.matched, nil)); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.matched, diff)
		}
	}
}

package refconfig_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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
		got := violations(ref, c.matched)
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
		if got := violations(ref, matched); got != want {
			t.Errorf("with %q: %q, want %q", matched, got, want)
		}
	}
}

// violations evaluates the rules with the templates whose paths are given matched: a line for each
// that is broken.
func violations(ref *refconfig.Reference, matched string) string {
	met := map[string]bool{}
	for _, m := range strings.Fields(matched) {
		met[m] = true
	}
	var lines []string
	for _, v := range ref.Evaluate(func(t *refconfig.Template) bool { return met[t.Path] }, nil) {
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

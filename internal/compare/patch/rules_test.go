package patch_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// presences reads overrides without a patch from lines of "what it is for", which has missing or
// present in it.
func presences(t *testing.T, lines ...string) []refconfig.Override {
	t.Helper()
	all, _, problems := refconfig.ParseOverrides(
		"p.yaml", []byte("- {reason: agreed, "+strings.Join(lines, "}\n- {reason: agreed, ")+"}\n"),
	)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return all
}

// TestAcceptedCRs: a CR that is missing, or there, breaks no rule where an override accepts it;
// whatever else breaks the rule stays.
func TestAcceptedCRs(t *testing.T) {
	a, b, c := configMap("ns", "a", "k: v"), configMap(
		"ns", "b", "k: v",
	), configMap("ns", "{{ .metadata.name }}", "c: {{ .data.c }}")
	other := "apiVersion: v1\nkind: Service\nmetadata: {name: other}\n"
	for _, one := range []struct {
		name, rule, in string
		overrides      []string
		states, want   string // what is left of the rule, and what is accepted
	}{
		{"missing by name", "allOf: [{path: a.yaml}, {path: b.yaml}]", other, []string{"missing: true, kind: ConfigMap, name: a"},
			"used", "missing CRs: b.yaml; accepted ConfigMap ns/a (v1)"},
		{"missing by template", "allOf: [{path: a.yaml}, {path: b.yaml}]", other, []string{
			"missing: true, templatePath: a.yaml, kind: ConfigMap, namespace: ns, name: a", "missing: true, templatePath: b.yaml, exactMatch: v1_ConfigMap_ns_b",
		},
			"used used", "; accepted ConfigMap ns/a (v1), ConfigMap ns/b (v1)"},
		{"missing by a template that states a name", "allOf: [{path: a.yaml}]", other, []string{"missing: true, templatePath: a.yaml, kind: ConfigMap, namespace: ns"},
			"unused", "missing CRs: a.yaml; accepted "},
		{"missing by an open template", "allOf: [{path: c.yaml}]", other, []string{"missing: true, templatePath: c.yaml, kind: ConfigMap, namespace: ns"},
			"used", "; accepted ConfigMap ns/(no name) (v1)"},
		{"without the stated namespace", "allOf: [{path: c.yaml}]", other, []string{"missing: true, templatePath: c.yaml, kind: ConfigMap"},
			"unused", "missing CRs: c.yaml; accepted "},
		{"exactly", "allOf: [{path: a.yaml}, {path: b.yaml}]", other, []string{"missing: true, exactMatch: v1_ConfigMap_ns_b"},
			"used", "missing CRs: a.yaml; accepted ConfigMap ns/b (v1)"},
		{"of an open name", "allOf: [{path: c.yaml}]", other, []string{"missing: true, kind: ConfigMap, name: any, namespace: ns"},
			"used", "; accepted ConfigMap ns/(no name) (v1)"},
		{"of one of several open names", "allOf: [{path: c.yaml}, {path: d.yaml}]", other, []string{"missing: true, kind: ConfigMap, name: any, namespace: ns"},
			"unused", "missing CRs: c.yaml, d.yaml; accepted "},
		{"of one of several open names, the other is there", "allOf: [{path: c.yaml}, {path: e.yaml}]", configMap("else", "x", "e: f"), []string{"missing: true, kind: ConfigMap, name: any"},
			"unused", "missing CRs: c.yaml; accepted "},
		{"of several open names, by template", "allOf: [{path: c.yaml}, {path: d.yaml}]", other, []string{"missing: true, kind: ConfigMap, name: any, templatePath: d.yaml"},
			"used", "missing CRs: c.yaml; accepted ConfigMap ns/(no name) (v1)"},
		{"of any name", "allOf: [{path: c.yaml}, {path: d.yaml}]", other, []string{`missing: true, kind: ConfigMap, name: "*"`},
			"unused", "missing CRs: c.yaml, d.yaml; accepted "},
		{"of a stated name beside an open one", "allOf: [{path: a.yaml}, {path: c.yaml}]", other, []string{"missing: true, kind: ConfigMap, name: a"},
			"used", "missing CRs: c.yaml; accepted ConfigMap ns/a (v1)"},
		{"of a name in several namespaces", "allOf: [{path: a.yaml}, {path: f.yaml}]", other, []string{"missing: true, kind: ConfigMap, name: a"},
			"unused", "missing CRs: a.yaml, f.yaml; accepted "},
		{"of a name in one of several namespaces", "allOf: [{path: a.yaml}, {path: f.yaml}]", other, []string{"missing: true, kind: ConfigMap, name: a, namespace: else"},
			"used", "missing CRs: a.yaml; accepted ConfigMap else/a (v1)"},
		{"of an open name beside an optional one", "allOf: [{path: c.yaml}]}, {name: D, anyOf: [{path: d.yaml}]", other, []string{"missing: true, kind: ConfigMap, name: any"},
			"used", "; accepted ConfigMap ns/(no name) (v1)"},
		{"of another namespace", "allOf: [{path: c.yaml}]", other, []string{"missing: true, kind: ConfigMap, name: any, namespace: else"},
			"unused", "missing CRs: c.yaml; accepted "},
		{"it is there", "allOf: [{path: a.yaml}, {path: b.yaml}]", a + "---\n" + b, []string{"missing: true, kind: ConfigMap, name: a"},
			"obsolete", "; accepted "},
		{"the group is not there at all", "allOrNoneOf: [{path: a.yaml}, {path: b.yaml}]", other, []string{"missing: true, kind: ConfigMap, name: a"},
			"obsolete", "; accepted "},
		{"one of a group", "allOrNoneOf: [{path: a.yaml}, {path: b.yaml}]", a, []string{"missing: true, kind: ConfigMap, name: b"}, "used", "; accepted ConfigMap ns/b (v1)"},
		{"present is not missing", "allOf: [{path: a.yaml}]", other, []string{"present: true, kind: ConfigMap, name: a"},
			"obsolete", "missing CRs: a.yaml; accepted "},
		{"a patch accepts no missing CR", "allOf: [{path: a.yaml}]", other, []string{`kind: ConfigMap, name: a, type: mergepatch, patch: {data: {}}`},
			"unused", "missing CRs: a.yaml; accepted "},
		{"expired", "allOf: [{path: a.yaml}]", other, []string{"missing: true, kind: ConfigMap, name: a, expires: 2020-01-31"},
			"expired", "missing CRs: a.yaml; accepted "},
		{"none of one", "oneOf: [{path: a.yaml}, {path: b.yaml}]", other, []string{"missing: true, templatePath: ./a.yaml, kind: ConfigMap, name: a"},
			"used", "one of these is required: b.yaml; accepted ConfigMap ns/a (v1)"},
		{"forbidden", "noneOf: [{path: a.yaml}, {path: b.yaml}]", a + "---\n" + b, []string{"present: true, kind: ConfigMap, name: a"},
			"used", "should not be present: b.yaml; accepted ConfigMap ns/a (v1)"},
		{"not forbidden any more", "noneOf: [{path: a.yaml}]", other, []string{"present: true, kind: ConfigMap, name: a"}, "obsolete", "; accepted "},
		{"missing is not forbidden", "noneOf: [{path: a.yaml}]", a, []string{"missing: true, kind: ConfigMap, name: a"},
			"obsolete", "should not be present: a.yaml; accepted "},
		{"one of two is enough", "oneOf: [{path: a.yaml}, {path: b.yaml}]", a + "---\n" + b, []string{"present: true, kind: ConfigMap, name: a"},
			"used", "; accepted ConfigMap ns/a (v1)"},
		{"one of three is not", "oneOf: [{path: a.yaml}, {path: b.yaml}, {path: c.yaml}]", a + "---\n" + b + "---\n" + configMap("ns", "x", "c: \"1\""),
			[]string{"present: true, kind: ConfigMap, name: a"}, "used", "only one of these may be present: b.yaml, c.yaml; accepted ConfigMap ns/a (v1)"},
		{"two that are accepted together, beside a third", "oneOf: [{path: a.yaml}, {path: b.yaml}, {path: c.yaml}]", a + "---\n" + b + "---\n" + configMap("ns", "x", "c: \"1\""),
			[]string{"present: true, kind: ConfigMap, name: a", "present: true, kind: ConfigMap, name: b"},
			"obsolete obsolete", "only one of these may be present: a.yaml, b.yaml, c.yaml; accepted "},
		{"all CRs of a template", "noneOf: [{path: c.yaml}]", configMap("ns", "x", "c: \"1\"") + "---\n" + configMap("ns", "y", "c: \"1\""),
			[]string{"present: true, kind: ConfigMap, name: x"}, "used", "should not be present: c.yaml; accepted ConfigMap ns/x (v1)"},
	} {
		fsys := fstest.MapFS{"a.yaml": {Data: []byte(a)}, "b.yaml": {Data: []byte(b)}, "c.yaml": {Data: []byte(c)},
			"d.yaml": {Data: []byte(configMap("ns", "{{ .metadata.name }}", "d: {{ .data.d }}"))},
			"e.yaml": {Data: []byte(configMap("else", "{{ .metadata.name }}", "e: f"))},
			"f.yaml": {Data: []byte(configMap("else", "a", "k: v"))},
			"metadata.yaml": {
				Data: []byte("apiVersion: v2\nparts: [{name: P, components: [{name: C, " + one.rule + "}]}]\n"),
			}}
		res := runFiles(
			t, fsys, one.in, compare.Options{Overrides: presences(t, one.overrides...), Today: "2024-01-01"},
		)
		var rules, accepted, states []string
		for _, r := range res.Rules {
			rules = append(rules, r.Message+": "+strings.Join(r.Templates, ", "))
		}
		for _, x := range res.AcceptedCRs {
			accepted = append(accepted, x.Object.String())
		}
		for _, o := range res.Overrides {
			states = append(states, string(o.State))
		}
		if got := strings.Join(rules, " ") + "; accepted " + strings.Join(accepted, ", "); got != one.want ||
			strings.Join(states, " ") != one.states {
			t.Errorf("%s: %s, want %s; %s, want %s", one.name, got, one.want, states, one.states)
		}
		if want := fmt.Sprint(len(accepted), len(res.OtherRules())); fmt.Sprint(
			res.Summary.AcceptedCRs, res.Summary.BrokenRules,
		) != want {
			t.Errorf("%s: the summary says otherwise: %+v", one.name, res.Summary)
		}
		if len(rules) > 0 && res.Summary.Verdict == finding.Compliant {
			t.Errorf("%s: %s", one.name, res.Summary.Verdict)
		}
	}
}

// TestMissingCRsAreAcceptedByNameOnly: of all sets of the keys that select CRs, only those that name
// a CR accept that it is missing, with a stated name and an open one; any other set is refused or
// not applied, which a warning says.
func TestMissingCRsAreAcceptedByNameOnly(t *testing.T) {
	keys := []string{"apiVersion: v1", "kind: ConfigMap", "namespace: ns", "name: a", "templatePath: a.yaml"}
	const kind, namespace, name, template = 2, 4, 8, 16
	for _, open := range []bool{false, true} {
		stated := "a"
		if open {
			stated = "{{ .metadata.name }}"
		}
		fsys := fstest.MapFS{"a.yaml": {Data: []byte(configMap("ns", stated, "k: {{ .data.k }}"))}, "metadata.yaml": {
			Data: []byte("apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: a.yaml}]}]}]\n"),
		}}
		for set := range 1 << len(keys) {
			lines := []string{"missing: true"}
			has := func(all int) bool { return set&all == all }
			for i, key := range keys {
				if has(1 << i) {
					lines = append(lines, key)
				}
			}
			all, _, refused := refconfig.ParseOverrides("p.yaml", []byte("- {reason: agreed, "+strings.Join(lines, ", ")+"}\n"))
			res := runFiles(t, fsys, "apiVersion: v1\nkind: Service\nmetadata: {name: other}\n", compare.Options{Overrides: all})
			named := has(kind|name) || open && has(template|kind|namespace)
			if got := len(res.Rules) == 0; got != named {
				t.Errorf("open %v: %s accepts: %v", open, lines, got)
			}
			warned := len(res.Warnings) > 0 && strings.HasPrefix(res.Warnings[0].Place, "p.yaml:1")
			if told := len(refused) > 0 || warned; told == named {
				t.Errorf("open %v: %s: %v %v", open, lines, refused, res.Warnings)
			}
		}
	}
}

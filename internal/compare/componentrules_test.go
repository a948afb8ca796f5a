package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/refconfig"
)

// broken lists the broken rules, each with its component, its code and its templates.
func broken(r *finding.Run) string {
	var lines []string
	for _, b := range r.Rules {
		line := fmt.Sprintf("%s %s", b.Component, b.Code)
		for _, t := range b.Templates {
			line += " " + t
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

// TestATemplateOfSeveralComponents checks that a template counts in each of its components. Of
// entries that compare in different ways, the one with the smallest difference counts.
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
		{"the second says how", metadata("allOf: [{path: t.yaml}]", "noneOf: [{path: t.yaml, config: {fieldsToOmitRefs: [some]}}]"), in, "", "D VT3002 t.yaml", 0},
		{"all of one config", metadata("allOf: [{path: t.yaml}, {path: t.yaml, config: {perField: []}}]", "allOf: [{path: t.yaml, config: {}}]"), in, "", "", 1},
		{"twice in one component", metadata("allOf: [{path: t.yaml}, {path: ./t.yaml, config: {fieldsToOmitRefs: [some]}}]", "allOf: [{path: t.yaml}]"), in, "", "", 0},
		{"unless the first is left out", metadata("allOf: [{path: t.yaml}]", "allOf: [{path: t.yaml, config: {fieldsToOmitRefs: [some]}}]"), in, "C", "", 0},
		{"or the second is", metadata("allOf: [{path: t.yaml}]", "allOf: [{path: t.yaml, config: {fieldsToOmitRefs: [some]}}]"), in, "D", "", 0},
	} {
		res := runFiles(
			t,
			map[string]string{"metadata.yaml": c.metadata, "t.yaml": configMap("ns", "a", "k: v")},
			c.input,
			Options{Keep: func(x *refconfig.Component) bool { return x.Name != c.skip }},
		)
		if got := broken(res); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := res.Summary.Differences.Drift; got != c.failing {
			t.Errorf("%s: %d differences, want %d", c.name, got, c.failing)
		}
		for _, one := range res.Comparisons {
			if len(one.Correlation.Candidates) > 0 {
				t.Errorf("%s: there was a choice", c.name)
			}
		}
	}
}

// TestAComponentThatIsNamedIsAnswered checks that a component that the user names and that has no
// CR is incomplete, unless its rule says what that means.
func TestAComponentThatIsNamedIsAnswered(t *testing.T) {
	owned := "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: c, uid: u}]}\n"
	for _, c := range []struct {
		rule, input string
		override    bool
		want        finding.Verdict
	}{
		{"anyOf: [{path: c.yaml}]", configMap("ns", "a", "k: v"), false, finding.Incomplete},
		{"anyOf: [{path: c.yaml}]", configMap("ns", "a", "k: v") + "---\n" + configMap("ns", "c", "k: v"), false, finding.Compliant},
		// others refer to it
		{"anyOf: [{path: c.yaml}]", configMap("ns", "a", "k: v") + "---\n" + owned, false, finding.Incomplete},
		{"allOrNoneOf: [{path: b.yaml}, {path: c.yaml}]", configMap("ns", "a", "k: v"), false, finding.Incomplete},
		{"anyOneOf: [{path: b.yaml}, {path: c.yaml}]", configMap("ns", "a", "k: v"), false, finding.Incomplete},
		{"noneOf: [{path: c.yaml}]", configMap("ns", "a", "k: v"), false, finding.Compliant},
		{"allOf: [{path: c.yaml}]", configMap("ns", "a", "k: v"), false, finding.Differs},
		{"oneOf: [{path: b.yaml}, {path: c.yaml}]", configMap("ns", "a", "k: v"), false, finding.Differs},
		// an override accepts that it is missing
		{"allOf: [{path: c.yaml}]", configMap("ns", "a", "k: v"), true, finding.Compliant},
	} {
		metadata := "apiVersion: v2\nparts: [{name: P, components: [{name: A, allOf: [{path: a.yaml}]},\n {name: C, " + c.rule + "}]}]\n"
		opt := Options{Chosen: []string{"C"}}
		if c.override {
			opt.Overrides = []refconfig.Override{
				{TemplatePath: "c.yaml", Kind: "ConfigMap", Name: "c", Missing: true, Reason: "so it is"},
			}
		}
		res := runFiles(t, map[string]string{"metadata.yaml": metadata, "a.yaml": configMap("ns", "a", "k: v"),
			"b.yaml": configMap("ns", "b", "k: v"), "c.yaml": configMap("ns", "c", "k: v")}, c.input, opt)
		if res.Summary.Verdict != c.want {
			t.Errorf("%s with %s: %s, want %s", c.rule, c.input, res.Sentence(nil), c.want)
		}
		if c.want == finding.Incomplete && (len(res.Unreadable) != 1 || res.Unreadable[0].Line != 3) {
			t.Errorf("%s: %+v, want line 3", c.rule, res.Unreadable)
		}
	}
}

// TestBrokenRulesNameTheirCRs checks that a broken rule names its missing CRs as far as they are
// known, and the CRs that break it or make it require others.
func TestBrokenRulesNameTheirCRs(t *testing.T) {
	templates := map[string]string{
		"a.yaml": configMap("ns", "a", "k: v"),
		"b.yaml": configMap("{{ .metadata.namespace }}", "b-{{ .data.k }}", "k: v"),
		"c.yaml": configMap("ns", "{{ .metadata.name }}", "k: v"),
		"d.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {namespace: ns, name: d}\n",
	}
	a, b := configMap("ns", "a", "k: v"), configMap("x", "b-1", "k: v")+"---\n"+configMap("y", "b-2", "k: v")
	binding := "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: r, namespace: ns}\nsubjects: [{kind: ServiceAccount, name: d, namespace: ns}]\n"
	others := strings.ReplaceAll(binding, "name: d", "name: e")
	for _, c := range []struct{ rule, input, missing, present string }{
		{"allOf: [{path: a.yaml}, {path: b.yaml}, {path: c.yaml}]", a, "b.yaml /b-*, c.yaml ns/", ""},
		{"allOrNoneOf: [{path: a.yaml}, {path: b.yaml}]", b, "a.yaml ns/a", "b.yaml x/b-1, b.yaml y/b-2"},
		{"noneOf: [{path: a.yaml}, {path: b.yaml}]", a, "", "a.yaml ns/a"},
		{"oneOf: [{path: a.yaml}, {path: b.yaml}]", a + "---\n" + b, "", "a.yaml ns/a, b.yaml x/b-1, b.yaml y/b-2"},
		{"oneOf: [{path: a.yaml}, {path: b.yaml}]", binding, "a.yaml ns/a, b.yaml /b-*", ""},
		{"allOf: [{path: d.yaml}]", others + "---\n" + configMap("ns", "d", "k: v"), "d.yaml ns/d", ""},
		{"anyOneOf: [{path: a.yaml}, {path: d.yaml}]", a + "---\n" + binding, "", "a.yaml ns/a, d.yaml ns/d referenced"},
	} {
		templates["metadata.yaml"] = "apiVersion: v2\nparts: [{name: P, components: [{name: C, " + c.rule + "}]}]\n"
		res := runFiles(t, templates, c.input, Options{})
		if len(res.Rules) != 1 {
			t.Fatalf("%s: %s", c.rule, broken(res))
		}
		var missing, present []string
		for _, m := range res.Rules[0].Missing {
			missing = append(missing, m.Template+" "+m.Object.Namespace+"/"+m.Object.Name)
		}
		for _, p := range res.Rules[0].Present {
			line := p.Template + " " + p.Object.Namespace + "/" + p.Object.Name
			if p.Referenced {
				line += " referenced"
			}
			present = append(present, line)
		}
		if got := strings.Join(missing, ", "); got != c.missing {
			t.Errorf("%s: %s are missing, want %s", c.rule, got, c.missing)
		}
		if got := strings.Join(present, ", "); got != c.present {
			t.Errorf("%s: %s are there, want %s", c.rule, got, c.present)
		}
	}
}

// TestPointersAreLookedUp checks that owners and subjects are indexed, so that a template does not
// visit all objects.
func TestPointersAreLookedUp(t *testing.T) {
	var all []*manifest.Object
	for i := range 100 {
		name := fmt.Sprint(i)
		all = append(all, &manifest.Object{
			ID:       manifest.ID{APIVersion: "v1", Kind: "B", Name: name},
			Owners:   []manifest.Owner{{Kind: "A", Name: name}, {Kind: "A", Name: name}},
			Subjects: []manifest.Subject{{Kind: "ServiceAccount", Name: name}},
		})
	}
	pointers := newStore(all, false).pointers()
	for key, list := range pointers {
		if len(list) != 1 || list[0].ID.Name != key[1] {
			t.Errorf("%v has %d objects", key, len(list))
		}
	}
	if len(pointers) != 200 {
		t.Errorf("%d names", len(pointers))
	}
}

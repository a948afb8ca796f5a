package compare

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/correlate"
	"github.com/validationtool/validationtool/refconfig"
)

// namesCompared lists each object with its template and how the template was found.
func namesCompared(r *finding.Run) string {
	var all []string
	for _, c := range r.Comparisons {
		all = append(
			all, fmt.Sprintf("%s/%s %s %s", c.Object.Namespace, c.Object.Name, c.Template.Path, c.Correlation.By),
		)
	}
	return strings.Join(all, ", ")
}

// TestTheNearestOfObjects checks that a template without an object gets the nearest one, which does
// not make it present if its name differs; the other objects are unmatched.
func TestTheNearestOfObjects(t *testing.T) {
	open := func(namespace string) string { return configMap(namespace, "{{ .metadata.name }}", "k: v") }
	for _, c := range []struct {
		name, a, b string // templates
		input      []string
		compared   string
		broken     string
		nearest    string
		unmatched  int
	}{
		{"one of another name is compared, and is not it", configMap("ns", "a", "k: v"), "", []string{configMap("ns", "x", "k: v")},
			"ns/x a.yaml nearest", "C VT3001 a.yaml", "ns/x", 0},
		{"the smallest difference", configMap("ns", "a", "k: vvvvvvvv"), "", []string{configMap("ns", "w", "k: v"), configMap("ns", "x", "k: vvvvvvvv"), configMap("ns", "y", "k: vvv")},
			"ns/x a.yaml nearest", "C VT3001 a.yaml", "ns/x", 2},
		{"the namespace before the difference", configMap("ns", "a", "k: v"), "", []string{configMap("other", "x", "k: v"), configMap("ns", "y", "k: vvvvvvvvvvvvvvvvvvvv")},
			"ns/y a.yaml nearest", "C VT3001 a.yaml", "ns/y", 1},
		{"else a similar name", configMap("ns", "abc-d", "k: v"), "", []string{configMap("other", "abc-e", "k: v")},
			"other/abc-e a.yaml nearest", "C VT3001 a.yaml", "other/abc-e", 0},
		{"no other name in another namespace", configMap("ns", "a", "k: v"), "", []string{configMap("other", "x", "k: v")},
			"", "C VT3001 a.yaml", "", 1},
		{"no CR of the platform", configMap("ns", "abc-d", "k: v"), "",
			[]string{configMap("kube-system", "abc-e", "k: v"), configMap("openshift-x", "abc-d", "k: v"), configMap("ns", "kube-root-ca.crt", "k: v")},
			"", "C VT3001 a.yaml", "openshift-x/abc-d", 3},
		{"unless the template names its namespace", configMap("kube-system", "abc-d", "k: v"), "", []string{configMap("kube-system", "abc-e", "k: v")},
			"kube-system/abc-e a.yaml nearest", "C VT3001 a.yaml", "kube-system/abc-e", 0},
		{"the same name in another namespace is it", configMap("ns", "a", "k: v"), "", []string{configMap("other", "a", "k: v")},
			"other/a a.yaml nearest", "", "", 0},
		{"none in another namespace where the template states no name", open("ns"), "", []string{configMap("other", "x", "k: v")},
			"", "C VT3001 a.yaml", "", 1},
		{"a pattern is a name that is stated", configMap("ns", "a-{{ .k }}", "k: v"), "", []string{configMap("ns", "x", "k: v")},
			"ns/x a.yaml nearest", "C VT3001 a.yaml", "ns/x", 0},
		{"a template that has its own takes no other", configMap("ns", "a", "k: v"), "", []string{configMap("ns", "a", "k: x"), configMap("ns", "x", "k: v")},
			"ns/a a.yaml fixed", "", "", 1},
		{"one for each template", configMap("ns", "a", "k: v"), configMap("ns", "b", "l: wwww"), []string{configMap("ns", "x", "l: wwww"), configMap("ns", "y", "k: v")},
			"ns/x b.yaml nearest, ns/y a.yaml nearest", "C VT3001 a.yaml b.yaml", "ns/y ns/x", 0},
		{"and one template for each", configMap("ns", "a", "k: v"), configMap("ns", "b", "k: v"), []string{configMap("ns", "x", "k: v")},
			"ns/x a.yaml nearest", "C VT3001 a.yaml b.yaml", "ns/x", 0},
		{"not one that refuses it", "{{ doNotMatch \"no\" }}\n" + configMap("ns", "a", "k: v"), configMap("ns", "b", "k: wwww"), []string{configMap("ns", "x", "k: v")},
			"ns/x b.yaml nearest", "C VT3001 a.yaml b.yaml", "ns/x", 0},
		{"one that can be evaluated first", configMap("ns", "a", "k: {{ mustRegexMatch \"(\" \"x\" }}"), configMap("ns", "b", "k: wwww"), []string{configMap("ns", "x", "k: v")},
			"ns/x b.yaml nearest", "C VT3001 a.yaml b.yaml", "ns/x", 0},
		{"no unrelated kind", configMap("ns", "a", "k: v"), "", []string{strings.Replace(configMap("ns", "x", "k: v"), "ConfigMap", "Secret", 1)},
			"", "C VT3001 a.yaml", "", 0},
	} {
		files := map[string]string{
			"a.yaml":        c.a,
			"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: a.yaml}]}]}]\n",
		}
		if c.b != "" {
			files["b.yaml"] = c.b
			files["metadata.yaml"] = strings.Replace(files["metadata.yaml"], "a.yaml}", "a.yaml}, {path: b.yaml}", 1)
		}
		res := runFiles(t, files, strings.Join(c.input, "---\n"), Options{Nearest: true})
		var nearest []string
		for _, b := range res.Rules {
			for _, m := range b.Missing {
				if n := m.Nearest; n != nil {
					nearest = append(nearest, n.Object.Namespace+"/"+n.Object.Name)
				}
			}
		}
		if got := namesCompared(res); got != c.compared {
			t.Errorf("%s: %q, want %q", c.name, got, c.compared)
		}
		if got := broken(res); got != c.broken || strings.Join(nearest, " ") != c.nearest ||
			len(res.Unmatched) != c.unmatched {
			t.Errorf(
				"%s: %q, want %q; nearest %v, want %s; %d unmatched, want %d",
				c.name,
				got,
				c.broken,
				nearest,
				c.nearest,
				len(res.Unmatched),
				c.unmatched,
			)
		}
	}
}

// TestOnlyWantedTemplatesComeNear checks that an object is compared with the nearest template only
// if a rule requires the template, also in a component that is left out.
func TestOnlyWantedTemplatesComeNear(t *testing.T) {
	for rules, want := range map[string]string{
		"{name: C, noneOf: [{path: a.yaml}]}":                                        "",
		"{name: C, anyOf: [{path: a.yaml}]}":                                         "",
		"{name: C, oneOf: [{path: a.yaml}, {path: b.yaml}]}":                         "ns/b b.yaml fixed",
		"{name: C, anyOneOf: [{path: a.yaml}, {path: b.yaml}]}":                      "ns/b b.yaml fixed",
		"{name: C, allOrNoneOf: [{path: a.yaml}, {path: c.yaml}]}":                   "",
		"{name: C, allOrNoneOf: [{path: a.yaml}, {path: b.yaml}]}":                   "ns/b b.yaml fixed, ns/x a.yaml nearest",
		"{name: C, allOf: [{path: a.yaml}]}":                                         "ns/b a.yaml nearest",
		"{name: C, anyOf: [{path: a.yaml}, {path: b.yaml}]}":                         "ns/b b.yaml fixed, ns/x a.yaml nearest",
		"{name: C, noneOf: [{path: a.yaml}]}, {name: D, allOf: [{path: a.yaml}]}":    "ns/b a.yaml nearest",
		"{name: C, noneOf: [{path: a.yaml}]}, {name: left, allOf: [{path: a.yaml}]}": "ns/b a.yaml nearest",
		"{name: C, anyOf: [{path: b.yaml}]}, {name: left, allOf: [{path: a.yaml}]}":  "ns/b b.yaml fixed",
	} {
		res := runFiles(
			t,
			map[string]string{
				"a.yaml":        configMap("ns", "a", "k: v"),
				"b.yaml":        configMap("ns", "b", "k: v"),
				"c.yaml":        configMap("ns", "c", "k: v"),
				"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [" + rules + "]}]\n",
			},
			configMap("ns", "x", "k: v")+"---\n"+configMap("ns", "b", "k: v"),
			Options{Nearest: true, Keep: func(c *refconfig.Component) bool { return c.Name != "left" }},
		)
		if got := namesCompared(res); got != want {
			t.Errorf("%s: %q, want %q", rules, got, want)
		}
	}
}

// TestNearestOfMany checks that each template gets one of hundreds of objects, whatever their order
// and the number of workers.
func TestNearestOfMany(t *testing.T) {
	files := map[string]string{
		"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: a.yaml}, {path: b.yaml}, {path: c.yaml}]}]}]\n",
		"a.yaml":        configMap("ns", "settings", "k: v"),
		"b.yaml":        configMap("ns", "options", "k: v"),
		"c.yaml":        configMap("other", "certificates", "k: v"),
	}
	ref, engine := loadFiles(t, files)
	var text []string
	for i := range 505 {
		text = append(
			text, configMap(fmt.Sprintf("ns%d", i%50), fmt.Sprintf("cm-%d", i), "k: "+strings.Repeat("x", 1+i%7)),
		)
	}
	text = append(
		text,
		configMap("ns", "setting", "k: v"),
		configMap("ns", "opt", "k: v"),
		configMap("other", "certificates", "k: w"),
	)
	in := Collected{Objects: given.Objects(t, "in.yaml", strings.Join(text, "---\n"))}
	r := rand.New(rand.NewPCG(5, 6))
	var first *finding.Run
	for round := range 5 {
		res, err := Run(
			context.Background(),
			ref,
			engine,
			in,
			Options{Nearest: true, Workers: 1 + round%3, EveryKind: true, ListUnmatched: true},
		)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = res
			want := "ns/opt b.yaml nearest, ns/setting a.yaml nearest, other/certificates c.yaml fixed"
			if got := namesCompared(res); got != want || len(res.Unmatched) != 505 ||
				broken(res) != "C VT3001 a.yaml b.yaml" {
				t.Errorf("%s, want %s; %d unmatched; %s", got, want, len(res.Unmatched), broken(res))
			}
		}
		if !reflect.DeepEqual(first, res) {
			t.Error("another order or another number of workers gives another result")
		}
		r.Shuffle(len(in.Objects), func(i, j int) { in.Objects[i], in.Objects[j] = in.Objects[j], in.Objects[i] })
	}
}

// TestNearestNamesNoObjectOfAnotherTemplate checks that the nearest object of a missing CR is
// unmatched, or compared with its template.
func TestNearestNamesNoObjectOfAnotherTemplate(t *testing.T) {
	for _, example := range []string{"quickstart", "ran-du", "annotations"} {
		base := loadRun(t, "../../examples/"+example+"/reference", "../../examples/"+example+"/cluster")
		ref, engine := load(t, "../../examples/"+example+"/reference")
		for round := range uint64(20) {
			var in Collected
			r := rand.New(rand.NewPCG(round, 3))
			for _, o := range base.in.Objects {
				if r.IntN(3) > 0 {
					in.Objects = append(in.Objects, o)
				}
			}
			res, err := Run(context.Background(), ref, engine, in, Options{Nearest: round%2 == 0})
			if err != nil {
				t.Fatal(err)
			}
			with := map[finding.Object]string{}
			for _, c := range res.Comparisons {
				with[c.Object] = c.Template.Path
			}
			for _, b := range res.Rules {
				for _, m := range b.Missing {
					if m.Nearest == nil {
						continue
					}
					if other := with[m.Nearest.Object]; other != "" && other != m.Template {
						t.Errorf(
							"%s: %s is near to %s, and compared with %s", example, m.Nearest.Object, m.Template, other,
						)
					}
				}
			}
		}
	}
}

// TestAnInterruptedSearchForTheNearest checks that an interrupted run says so and does not call the
// other objects unmatched. The CR at work counts as not compared.
func TestAnInterruptedSearchForTheNearest(t *testing.T) {
	ref, engine := loadFiles(
		t,
		map[string]string{"a.yaml": configMap("ns", "z", "k: v"), "b.yaml": configMap("ns", "b", "k: v"),
			"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: a.yaml}, {path: b.yaml}]}]}]\n"},
	)
	in := Collected{
		Objects: given.Objects(t, "in.yaml", configMap("ns", "x", "k: v")+"---\n"+configMap("ns", "z", "k: v")),
	}
	ctx, cancel := context.WithCancel(context.Background())
	res, err := Run(ctx, ref, engine, in, Options{Nearest: true, Workers: 1, ListUnmatched: true,
		Accept: &patch.Request{
			Targets: []patch.Target{{Template: func(*refconfig.Template) bool { cancel(); return false }}},
		}})
	if err == nil || !res.Interrupted || len(res.Comparisons) != 0 || len(res.Unmatched)+len(res.Rules) != 0 {
		t.Errorf(
			"%v, interrupted: %v, %s, %d unmatched, %s",
			err,
			res.Interrupted,
			namesCompared(res),
			len(res.Unmatched),
			broken(res),
		)
	}
}

// TestSimilarNames checks which names are similar: most of their letters or words are the same.
func TestSimilarNames(t *testing.T) {
	for _, c := range []struct {
		stated, name  string
		sameNamespace bool
		want          bool
	}{
		{"ptp-operator", "ptp-operators", false, true},
		{"99-kubelet", "99-kubelets", false, true},
		{"openshift-sriov-network-operator", "openshift-network-operator", false, true},
		{"openshift-gitops-operator", "openshift-dns-operator", false, false},
		{"openshift-storage", "openshift-console", false, false},
		{"metallb-system", "kube-system", false, false},
		{"06-kdump-enable-master", "00-master", false, false},
		{"99-kubens-master", "99-master-ssh", false, false},
		{"redhat-operators-disconnected", "redhat-operators", true, true},
		{"redhat-operators-disconnected", "redhat-operators", false, false},
		{"ptp-operators", "openshift-ptp-7k2xw", true, true},
		{"registry-ca", "admin-kubeconfig-client-ca", true, false},
		{"a", "b", true, false},
		{"", "", true, true},
	} {
		if got := correlate.Similar(template.Literal(c.stated), c.name, c.sameNamespace); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if !correlate.Similar(template.Matcher{}, "anything", false) {
		t.Error("a template that states no name means any")
	}
}

// TestTheNearestAgreesInMostFields checks that a similar name counts only among CRs that agree in as
// many fields of the identity.
func TestTheNearestAgreesInMostFields(t *testing.T) {
	files := map[string]string{
		"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: a.yaml}]}]}]\n",
		"a.yaml":        configMap("ns", "abc-d", "k: v"),
	}
	for want, input := range map[string]string{
		"abc-xyz": configMap("ns", "abc-xyz", "k: v") + "---\n" + strings.Replace(configMap("ns", "abc-e", "k: v"), "v1", "v2", 1),
		"abc-e":   configMap("ns", "abc-xyz", "k: v") + "---\n" + configMap("ns", "abc-e", "k: v"),
	} {
		rules := runFiles(t, files, input, Options{}).Rules
		if len(rules) != 1 || rules[0].Missing[0].Nearest == nil || rules[0].Missing[0].Nearest.Object.Name != want {
			t.Errorf("%+v, want %s", rules, want)
		}
	}
}

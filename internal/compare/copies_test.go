package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
)

// referenceOf returns the files of a reference with templates that are all optional.
func referenceOf(templates ...string) map[string]string {
	files, paths := map[string]string{}, []string{}
	for i, text := range templates {
		name := fmt.Sprintf("%c.yaml", 'a'+i)
		files[name] = text
		paths = append(paths, "{path: "+name+"}")
	}
	files["metadata.yaml"] = "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [" +
		strings.Join(paths, ", ") + "]}]}]\n"
	return files
}

// TestCopiesOfWhichNoneIsTheNewest compares copies of one CR, and checks the result, which copy the
// report names, and the warnings about copies.
func TestCopiesOfWhichNoneIsTheNewest(t *testing.T) {
	plain := func(data string) string { return configMap("ns", "a", data) }
	versioned := func(version, data string) string {
		return strings.Replace(plain(data), "name: a", "name: a, resourceVersion: '"+version+"'", 1)
	}
	files := referenceOf("{{ if .data }}{{ if .data.r }}{{ doNotMatch \"no\" }}{{ end }}" +
		"{{ if .data.f }}]{{ end }}{{ end }}" + plain("x: a"))
	const lacking = "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: ns, name: a}\n"
	good, bad := plain("x: a"), plain("x: b")
	for name, c := range map[string]struct {
		copies []string
		result finding.Result
		copy   int
		code   code.Code
		told   string // a part of it
	}{
		"the same": {[]string{good, good}, finding.Clean, 0, "", ""},
		"one drifts": {[]string{good, bad}, finding.Drifted, 1, code.CopiesDisagree,
			"in.yaml:1 agrees with the reference, in.yaml:6 differs (1 drift)"},
		"the first drifts": {[]string{bad, good}, finding.Drifted, 0, code.CopiesDisagree,
			"in.yaml:1 differs (1 drift), in.yaml:6 agrees with the reference"},
		"several": {[]string{good, bad, bad, lacking}, finding.Drifted, 3, code.CopiesDisagree,
			"; 1 more copy differs from these; the worst"},
		"both drift alike": {[]string{bad, plain("x: b, y: z")}, finding.Drifted, 0, code.CopiesDiffer,
			"the same result: in.yaml:1, in.yaml:6"},
		"in one field": {[]string{bad, plain("x: c")}, finding.Drifted, 1, code.CopiesDisagree,
			"in.yaml:1 differs (1 drift), in.yaml:6 differs (1 drift)"},
		"in other ways": {[]string{bad, lacking}, finding.Drifted, 1, code.CopiesDisagree,
			"in.yaml:6 differs (1 missing)"},
		"one has more": {[]string{good, plain("x: a, y: b")}, finding.OnlyExtra, 1, code.CopiesDiffer,
			"the same result"},
		"one is refused": {[]string{plain("x: a, r: 1"), bad}, finding.Drifted, 1, code.CopiesDisagree,
			"in.yaml:1 is refused by its templates, in.yaml:6 differs"},
		"one fails": {[]string{bad, plain("f: 1")}, finding.Failed, 1, code.CopiesDisagree,
			"in.yaml:6 could not be compared"},
		"the newest is known": {[]string{versioned("3", "x: b"), versioned("5", "x: a")}, finding.Clean, 1, code.CopiesDiffer,
			"in.yaml:6 is compared, in.yaml:1 is not"},
		"long versions": {[]string{versioned("99999999999999999999", "x: b"), versioned("100000000000000000000", "x: a")},
			finding.Clean, 1, code.CopiesDiffer, "in.yaml:6 is compared, in.yaml:1 is not"},
		"one has a version": {[]string{bad, versioned("5", "x: a")}, finding.Drifted, 0, code.CopiesDisagree,
			"in.yaml:6 agrees with the reference, in.yaml:1 differs"},
		"one has no number": {[]string{versioned("5x", "x: b"), versioned("5", "x: a")}, finding.Drifted, 0,
			code.CopiesDisagree, "in.yaml:6 agrees with the reference, in.yaml:1 differs"},
		"an old one, a new one and one of unknown age": {
			[]string{versioned("3", "x: b"), versioned("5", "x: a"), good}, finding.Clean, 1, code.CopiesDiffer,
			"in.yaml:6 is compared, in.yaml:1 is not"},
		"all of one version": {[]string{versioned("5", "x: a"), versioned("5", "x: b")}, finding.Drifted, 1,
			code.CopiesDisagree, "in.yaml:1 agrees with the reference, in.yaml:6 differs"},
	} {
		t.Run(name, func(t *testing.T) {
			run := runFiles(t, files, strings.Join(c.copies, "---\n"), Options{})
			if len(run.Comparisons) != 1 {
				t.Fatalf("%d comparisons", len(run.Comparisons))
			}
			if got := run.Comparisons[0]; got.Result != c.result || got.Source.Document != c.copy {
				t.Errorf("the copy %d is %s", got.Source.Document, got.Result)
			}
			told := toldOfCopies(run)
			asWanted := len(told) == 0 && c.code == "" ||
				len(told) == 1 && told[0].Code == c.code && strings.Contains(told[0].Message, c.told)
			if !asWanted {
				t.Errorf("told: %+v", told)
			}
		})
	}
}

// TestCopiesThatDifferInFieldsOfTheCluster compares copies that differ only in what the cluster writes:
// templates may state it or look it up.
func TestCopiesThatDifferInFieldsOfTheCluster(t *testing.T) {
	const thing = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a, generation: %d}\nstatus: {v: %s}\n"
	const pool = "apiVersion: example.com/v1\nkind: Pool\nmetadata: {name: p}\nspec: {ready: good}\n"
	files := map[string]map[string]string{
		"read": referenceOf("apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n" +
			"{{ if ne .status.v \"good\" }}spec: {}{{ end }}\n"),
		"looked up": referenceOf("apiVersion: example.com/v1\nkind: Pool\nmetadata: {name: p}\n" +
			"spec: {ready: {{ (lookupCR \"example.com/v1\" \"Thing\" \"*\" \"a\").status.v }}}\n"),
	}
	for name, files := range files {
		for _, values := range [][2]string{{"good", "bad"}, {"bad", "good"}} {
			input := fmt.Sprintf(thing+"---\n"+thing, 1, values[0], 1, values[1]) + "---\n" + pool
			run := runFiles(t, files, input, Options{})
			if told := toldOfCopies(run); run.Summary.Objects.Drift != 1 || len(told) != 1 || told[0].Code != code.CopiesDisagree {
				t.Errorf("%s, %v: %d CRs drift; told: %+v", name, values, run.Summary.Objects.Drift, told)
			}
		}
		input := fmt.Sprintf(thing+"---\n"+thing, 1, "good", 2, "good") + "---\n" + pool
		if run := runFiles(t, files, input, Options{}); run.Summary.Objects.Drift != 0 || len(toldOfCopies(run)) != 0 {
			t.Errorf("%s, equal in what is read: told: %+v", name, toldOfCopies(run))
		}
	}
}

// toldOfCopies returns the alarms and warnings about copies.
func toldOfCopies(run *finding.Run) []finding.Warning {
	return slices.DeleteFunc(slices.Concat(run.Alarms, run.Warnings), func(w finding.Warning) bool {
		return w.Code != code.CopiesDiffer && w.Code != code.CopiesDisagree
	})
}

// TestAlarmsAboutCopiesAreFew checks that many CRs with copies that disagree give a few alarms; the
// others are warnings.
func TestAlarmsAboutCopiesAreFew(t *testing.T) {
	var input strings.Builder
	for i := range 8 {
		for _, x := range []string{"a", "b"} {
			input.WriteString("---\n" + configMap("ns", fmt.Sprint("c", i), "x: "+x))
		}
	}
	run := runFiles(t, referenceOf(configMap("ns", "\"{{ .metadata.name }}\"", "x: a")), input.String(), Options{})
	more := slices.ContainsFunc(run.Alarms, func(w finding.Warning) bool {
		return strings.HasPrefix(w.Message, "3 more CRs occur several times")
	})
	if told := toldOfCopies(run); len(run.Alarms) != 6 || len(told) != 9 || !more {
		t.Errorf("%+v", told)
	}
	if n := run.Summary.Objects.Drift; n != 8 {
		t.Errorf("%d CRs drift", n)
	}
}

// TestQuestionIsAboutTheFirstCopy checks that only the template of the first copy is asked for.
func TestQuestionIsAboutTheFirstCopy(t *testing.T) {
	asked := 0
	opt := Options{Choose: func(finding.Question) (int, bool) {
		asked++
		return 0, true
	}}
	files := referenceOf(configMap("ns", "a", "x: a"), configMap("ns", "a", "x: another"))
	run := runFiles(t, files, configMap("ns", "a", "x: a")+"---\n"+configMap("ns", "a", "x: b"), opt)
	if got := run.Comparisons[0]; asked != 1 || got.Result != finding.Drifted || len(toldOfCopies(run)) != 1 {
		t.Errorf("asked %d times, %+v", asked, got)
	}
}

// TestMoreCopiesThanAreCompared checks that the report says so.
func TestMoreCopiesThanAreCompared(t *testing.T) {
	for copies, want := range map[int]string{mostCopies - 1: "61 more copies differ", mostCopies + 1: "there may be more copies"} {
		var all []string
		for i := range copies {
			all = append(all, configMap("ns", "a", fmt.Sprint("x: a", i)))
		}
		told := toldOfCopies(runFiles(t, referenceOf(configMap("ns", "a", "x: a")), strings.Join(all, "---\n"), Options{}))
		if len(told) != 1 || !strings.Contains(told[0].Message, want) {
			t.Errorf("%d copies: %v, want %s", copies, told, want)
		}
	}
}

// TestCopiesComeNear checks that all copies of a CR without a template are compared with the
// nearest template.
func TestCopiesComeNear(t *testing.T) {
	input := configMap("ns", "b", "x: a") + "---\n" + configMap("ns", "b", "x: b") + "---\n" + configMap("ns", "z", "x: a")
	files := referenceOf(configMap("ns", "a", "x: a"), configMap("ns", "z", "x: a"))
	run := runFiles(t, files, input, Options{Nearest: true})
	if got := run.Comparisons; len(got) != 2 || got[0].Counts.Drift != 2 || got[0].Source.Document != 1 {
		t.Errorf("%+v", got)
	}
}

// TestExplainsTheCopyThatCounts checks that the copy that counts is explained.
func TestExplainsTheCopyThatCounts(t *testing.T) {
	ref, engine := loadFiles(t, referenceOf(configMap("ns", "a", "x: a")))
	objects := given.Objects(t, "in.yaml", configMap("ns", "a", "x: a")+"---\n"+configMap("ns", "a", "x: b"))
	study := NewStudy(t.Context(), ref, engine, Collected{Objects: objects}, Options{})
	if err := study.Complete(); err != nil {
		t.Fatal(err)
	}
	got := study.Object(0)
	if got.Object.Place.Line != 6 || len(got.Copies) != 1 || got.Chosen.Result != finding.Drifted {
		t.Errorf("%+v", got)
	}
	if len(got.Warnings) != 1 || got.Warnings[0].Code != code.CopiesDisagree {
		t.Errorf("%+v", got.Warnings)
	}
}

// TestCopiesInAnyOrder reorders the CRs of an input, the definitions among them, and those of the
// earlier state, merges an old dump with them, and expects the same findings.
func TestCopiesInAnyOrder(t *testing.T) {
	dump := func(version, name, data string) string {
		return strings.Replace(configMap("ns", name, data), "name: "+name, "name: "+name+", resourceVersion: '"+version+"'", 1)
	}
	files := referenceOf(
		configMap("ns", "a", "x: a"),
		configMap("ns", "b", `y: {{ (lookupCR "v1" "ConfigMap" "ns" "looked").data.y }}, z: '{{ (lookupCR "v1" "ConfigMap" "ns" "also").data.z }}'`),
		configMap("ns", "c", "x: {{ with oldCR }}{{ .data.x }}{{ end }}"),
		gateway("a", "{{ .spec.mode }}"),
	)
	const fast, safe, both = `enum: [Fast]`, `enum: [Safe]`, `enum: [Fast, Safe]`
	const same = `x-kubernetes-validations: [{rule: self == oldSelf}]`
	for name, c := range map[string]struct{ input, old []string }{
		"Git":             {input: []string{configMap("ns", "a", "x: a"), configMap("ns", "a", "x: b"), configMap("ns", "a", "x: c, w: d")}},
		"one version":     {input: []string{dump("7", "a", "x: a"), dump("7", "a", "x: b"), dump("7", "a", "x: a, w: d")}},
		"Git and dumps":   {input: []string{configMap("ns", "a", "x: b"), dump("7", "a", "x: a"), dump("8", "a", "x: a, w: d")}},
		"an old dump":     {input: []string{dump("100000000000000000000", "a", "x: a"), dump("99999999999999999999", "a", "x: b")}},
		"only extra":      {input: []string{configMap("ns", "a", "x: a, w: c"), configMap("ns", "a", "x: a, v: d")}},
		"looked up":       {input: []string{configMap("ns", "b", "y: c, z: d"), configMap("ns", "looked", "y: c"), configMap("ns", "looked", "y: d"), configMap("ns", "also", "z: d")}},
		"looked up twice": {input: []string{configMap("ns", "b", "y: c, z: d"), configMap("ns", "looked", "y: c"), configMap("ns", "looked", "y: d"), configMap("ns", "also", "z: e"), configMap("ns", "also", "z: d"), configMap("ns", "b", "y: d, z: e")}},
		"oldCR":           {input: []string{configMap("ns", "c", "x: a")}, old: []string{configMap("ns", "c", "x: a"), configMap("ns", "c", "x: b")}},
		"oldCR, all bad":  {input: []string{configMap("ns", "c", "x: a")}, old: []string{configMap("ns", "c", "x: c"), configMap("ns", "c", "x: b"), configMap("ns", "c", "x: d")}},
		"transitions":     {input: []string{gateway("a", "Fast"), definitionOf("v1", same)}, old: []string{gateway("a", "Safe"), gateway("a", "Fast")}},
		"definitions":     {input: []string{gateway("a", "Fast"), definitionOf("v1", fast), definitionOf("v1", safe), definitionOf("v1", both)}},
		"versions":        {input: []string{gateway("a", "Fast"), definitionOf("v1", both), definitionOf("v2", both)}},
		"one is unusable": {input: []string{gateway("a", "Fast"), definitionOf("v1", "pattern: 7"), definitionOf("v1", both)}},
		"defaults":        {input: []string{gateway("a", "Fast"), definitionOf("v1", "default: Fast"), definitionOf("v1", both)}},
		"not compared":    {input: []string{gateway("z", "Fast"), gateway("z", "Safe"), definitionOf("v1", fast)}},
		"all three": {
			input: []string{gateway("a", "Fast"), gateway("a", "Safe"), definitionOf("v1", fast), definitionOf("v1", same)},
			old:   []string{gateway("a", "Safe"), gateway("a", "Slow")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var want string
			for n := range 24 {
				ref, engine := loadFiles(t, files)
				read := func(name string, objects []string) Collected {
					return Collected{Objects: given.Objects(t, name, strings.Join(permuted(objects, n), "---\n"))}
				}
				opt := Options{Validate: true}
				if c.old != nil {
					opt.Old = map[string]Collected{"": read("old.yaml", c.old)}
				}
				run, err := Run(t.Context(), ref, engine, read("in.yaml", c.input), opt)
				if err != nil {
					t.Fatal(err)
				}
				got := fmt.Sprintln(len(run.Alarms), len(run.Warnings), run.Summary, run.NotValidated, len(run.NotKnown))
				for _, one := range run.InvalidCRs {
					got += fmt.Sprintln(one.Object, one.Code, one.Path, one.Message)
				}
				for _, one := range run.Comparisons {
					got += fmt.Sprintln(one.Object, one.Result)
					for _, d := range one.Differences {
						got += fmt.Sprintln(d.Category, d.Path, string(d.Input), d.Message, d.Fingerprint)
					}
				}
				if want = cmp.Or(want, got); got != want {
					t.Fatalf("in the order %d: %s\nin the first: %s", n, got, want)
				}
				if len(toldOfCopies(run)) == 0 && name != "an old dump" {
					t.Fatal("no warning names the copies")
				}
			}
		})
	}
}

// permuted returns the n-th permutation of a list, of its first four elements.
func permuted(all []string, n int) []string {
	order := slices.Clone(all)
	for i := range order {
		j := i + n%24/[]int{1, 4, 12, 24, 24, 24}[i]%(len(order)-i)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// gateway returns a CR of a custom kind.
func gateway(name, mode string) string {
	return "apiVersion: e.com/v1\nkind: Gateway\nmetadata: {namespace: ns, name: " + name + "}\nspec: {mode: " + mode + "}\n"
}

// definitionOf returns the definition of that kind in a version, with the schema of its mode.
func definitionOf(version, mode string) string {
	return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: gateways.e.com}\n" +
		"spec: {group: e.com, scope: Namespaced, names: {kind: Gateway, plural: gateways}, versions: [{name: " + version +
		", served: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: " +
		"{mode: {type: string, " + mode + "}}}}}}}]}\n"
}

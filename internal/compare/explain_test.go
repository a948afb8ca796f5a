package compare

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/correlate"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// agrees holds what is explained of every object against what a run came to.
func agrees(t *testing.T, ref *refconfig.Reference, engine *render.Engine, in Collected, opt Options) map[finding.Standing]int {
	t.Helper()
	opt.AllResources, opt.ListUnmatched = true, true
	result, err := Run(context.Background(), ref, engine, in, opt)
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(ref, engine, in, opt)
	if err := r.complete(context.Background(), engine); err != nil {
		t.Fatal(err)
	}
	r.trace = true
	x := explainer{run: r, engine: engine}
	seen := map[finding.Standing]int{}
	compared, unmatched, refused := 0, 0, 0
	for _, e := range r.store.distinct {
		o := x.object(e)
		switch {
		case o.Template != "":
			c := result.Comparisons[compared]
			if o.Object != c.Object || o.Result != c.Result || o.Template != c.Template.Path || !sameOutcome(o.Chosen(), c) {
				t.Errorf("%s: the explanation has another comparison than the run", o.Object)
			}
			compared++
		case o.By != "":
			if !reflect.DeepEqual(o.Object, result.Refused[refused].Object) {
				t.Errorf("%s is said to be refused", o.Object)
			}
			refused++
		default:
			if !reflect.DeepEqual(o.Object, result.Unmatched[unmatched].Object) {
				t.Errorf("%s is said to be unmatched", o.Object)
			}
			unmatched++
		}
		candidates, _ := r.templatesFor(e)
		chosen := 0
		for _, c := range o.Considered {
			seen[c.Standing]++
			of := slices.ContainsFunc(candidates, func(t *render.Template) bool { return t.Ref.Path == c.Template.Path })
			if of != c.Standing.Candidate() {
				t.Errorf("%s and %s: candidate %v, but %s", o.Object, c.Template.Path, of, c.Standing)
			}
			if c.Standing == finding.Chosen {
				chosen++
				if c.Template.Path != o.Template {
					t.Errorf("%s: %s is chosen and %s compared", o.Object, c.Template.Path, o.Template)
				}
			}
			if why := untrue(r, c, o); why != "" {
				t.Errorf("%s and %s: %s, but %s", o.Object, c.Template.Path, c.Standing, why)
			}
		}
		if chosen == 1 != (o.Template != "") {
			t.Errorf("%s: %d templates are chosen", o.Object, chosen)
		}
	}
	if compared != len(result.Comparisons) || unmatched != len(result.Unmatched) || refused != len(result.Refused) {
		t.Errorf("%d compared, %d unmatched, %d refused; the run has %d, %d and %d", compared, unmatched, refused,
			len(result.Comparisons), len(result.Unmatched), len(result.Refused))
	}
	return seen
}

// sameOutcome reports whether what is told of the chosen template is what the run found.
func sameOutcome(chosen *finding.Considered, c *finding.Comparison) bool {
	if chosen == nil || chosen.Result != c.Result || !reflect.DeepEqual(chosen.Error, c.Error) {
		return false
	}
	return c.Error != nil || *chosen.Counts == c.Counts && (chosen.Detail == nil || reflect.DeepEqual(chosen.Detail.Differences, c.Differences))
}

// untrue says what a standing asserts that is not so.
func untrue(r *run, c finding.Considered, o finding.ExplainedObject) string {
	t := r.byPath[path.Clean(c.Template.Path)]
	if (t == nil) != (c.Standing == finding.NotAnalysed) {
		return "its component is another matter"
	}
	all := !slices.ContainsFunc(c.Identity, finding.IdentityField.Disagrees)
	if t != nil && all != (correlate.Agree(t.Identity, manifest.ID(o.Object)) == correlate.Fixed(t.Identity)) {
		return "the fields are told wrongly"
	}
	switch c.Standing {
	case finding.LessSpecific, finding.Pattern:
		if !all {
			return "a field differs"
		}
	case finding.Unlike, finding.Farther:
		if all {
			return "no field differs"
		}
	case finding.Larger, finding.Tie:
		if winner := o.Chosen(); (c.Standing == finding.Tie) != (*c.Score == *winner.Score) || *c.Score < *winner.Score {
			return fmt.Sprintf("the scores are %d and %d", *c.Score, *winner.Score)
		}
	case finding.Overruled:
		if o.Manual == "" {
			return "there is no pair"
		}
	}
	return ""
}

func TestExplainAgreesWithRun(t *testing.T) {
	shared := "../../../shared/conformance/"
	for _, c := range []struct{ reference, input string }{
		{"../../examples/quickstart/reference", "../../examples/quickstart/cluster"},
		{"../../examples/ran-du/reference", "../../examples/ran-du/cluster"},
		{"../../examples/annotations/reference", "../../examples/annotations/cluster"},
		{shared + "references/core", shared + "inputs/core"},
		{shared + "references/hub", shared + "inputs/hub"},
	} {
		if _, err := os.Stat(c.reference); err != nil && strings.HasPrefix(c.reference, shared) {
			continue // not at hand
		}
		r := loadRun(t, c.reference, c.input)
		ref, engine := load(t, c.reference)
		for _, nearest := range []bool{false, true} {
			if seen := agrees(t, ref, engine, r.in, Options{Nearest: nearest}); seen[finding.Chosen] == 0 {
				t.Errorf("%s: nothing is chosen", c.reference)
			}
		}
	}
}

// TestExplainAgreesWithRunAnywhere makes references whose templates state and leave open any fields, refuse and fail, and objects
// near them.
func TestExplainAgreesWithRunAnywhere(t *testing.T) {
	seen := map[finding.Standing]int{}
	for seed := range 600 { // with fewer no tie comes up

		r := rand.New(rand.NewPCG(uint64(seed), 11))
		pick := func(of ...string) string { return of[r.IntN(len(of))] }
		fsys := fstest.MapFS{}
		metadata := "apiVersion: v2\nparts:\n- name: p\n  components:\n"
		for i := range 1 + r.IntN(8) {
			metadata += fmt.Sprintf("  - {name: c%d, anyOf: [{path: t%d.yaml}]}\n", i, i)
			fsys[fmt.Sprintf("t%d.yaml", i)] = &fstest.MapFile{Data: []byte("apiVersion: " + pick("v1", "v1", "v2", "{{ .apiVersion }}", "v{{ .v }}") +
				"\nkind: " + pick("A", "B", "A") + "\nmetadata:\n  name: " + pick("x", "x", "y", "{{ .metadata.name }}", "x{{ .y }}", "{{ .y }}y") +
				"\n  namespace: " + pick("n", "m", "{{ .metadata.namespace }}", "n{{ .y }}") + "\nspec: " +
				pick("1", "22", "{{ .spec }}", "{{ .spec.below }}", "[", "{{ doNotMatch \"no\" }}") + "\n")}
		}
		fsys["metadata.yaml"] = &fstest.MapFile{Data: []byte(metadata)}
		ref, problems := refconfig.Load(fsys, ".", refconfig.LoadOptions{})
		engine, more := render.Compile(ref)
		if len(problems)+len(more) > 0 {
			t.Fatalf("%v %v", problems, more)
		}
		var text strings.Builder
		for range 6 {
			fmt.Fprintf(&text, "---\napiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: %s}\nspec: %s\n", pick("v1", "v2", "v3"),
				pick("A", "B", "C"), pick("x", "y", "xy", "z"), pick("n", "m", "nm", "o"), pick("1", "22", "a"))
		}
		in := Collected{Objects: objects(t, "in.yaml", text.String())}
		opt := Options{Nearest: r.IntN(2) == 0, Manual: map[string]*refconfig.Template{}}
		if r.IntN(2) == 0 {
			opt.Manual[in.Objects[0].ID.Key()] = ref.Templates[r.IntN(len(ref.Templates))]
		}
		if r.IntN(3) == 0 {
			left := ref.Templates[0].Component
			opt.Keep = func(c *refconfig.Component) bool { return c != left }
		}
		for s, n := range agrees(t, ref, engine, in, opt) {
			seen[s] += n
		}
	}
	for _, s := range []finding.Standing{finding.Chosen, finding.Larger, finding.Tie, finding.NotEvaluated, finding.RefusedIt, finding.LessSpecific, finding.Pattern, finding.Unlike, finding.Farther, finding.Overruled, finding.NotAnalysed} {
		if seen[s] == 0 {
			t.Errorf("no template was %s", s)
		}
	}
}

func TestSubjects(t *testing.T) {
	ref, engine := load(t, "../../examples/ran-du/reference")
	in := loadRun(t, "../../examples/ran-du/reference", "../../examples/ran-du/cluster").in
	for _, c := range []struct{ subject, want string }{
		{"PerformanceProfile", "PerformanceProfile openshift-node-performance-profile"},
		{"performanceprofile/openshift-node-performance-profile", "PerformanceProfile openshift-node-performance-profile"},
		{"PtpConfig/openshift-ptp/ordinary", "PtpConfig openshift-ptp/ordinary"},
		{"PtpConfig.ptp.openshift.io/ordinary", "PtpConfig openshift-ptp/ordinary"},
		{"PtpConfig.v1.ptp.openshift.io", "PtpConfig openshift-ptp/ordinary"},
		{"PtpConfig//ordinary", ""},
		{"PtpConfig/openshift/ordinary", ""},
		{"PtpConfig.v2.ptp.openshift.io", ""},
		{"PtpConfig.", ""},
		{"/ordinary", ""},
		{"PtpConfig/", ""},
		{"", ""},
		{"ptp/PtpConfigOrdinary.yaml", "template ptp/PtpConfigOrdinary.yaml"},
		{"./ptp/../ptp/PtpConfigOrdinary.yaml", "template ptp/PtpConfigOrdinary.yaml"},
		{`ptp\PtpConfigOrdinary.yaml`, "template ptp/PtpConfigOrdinary.yaml"},
		{"PtpConfigOrdinary.yaml", ""},
	} {
		e, err := Explain(context.Background(), ref, engine, in, Options{}, ExplainOptions{Subject: c.subject})
		var got []string
		if err == nil {
			for _, o := range e.Objects {
				name, _, _ := strings.Cut(o.Object.String(), " (")
				got = append(got, name)
			}
			for _, tmpl := range e.Templates {
				got = append(got, "template "+tmpl.Template.Path)
			}
		}
		var missing *NotFound
		if strings.Join(got, ", ") != c.want || (err != nil) != errors.As(err, &missing) {
			t.Errorf("%q: %v, %v; want %q", c.subject, got, err, c.want)
		}
	}
}

// rendering makes lines of a text in which «…» is what an action printed of the input and ‹…› the unchanged metadata.name.
func rendering(text string) []render.Line {
	var lines []render.Line
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		var l render.Line
		for line != "" {
			before, rest, found := strings.Cut(line, "«")
			other, more, pure := strings.Cut(line, "‹")
			closing := "»"
			p := render.Print{Input: true}
			if pure && (!found || len(other) < len(before)) {
				before, rest, found, closing = other, more, true, "›"
				p.Path = refconfig.FieldPath{{Key: "metadata", Index: -1}, {Key: "name", Index: -1}}
			}
			l.Text += before
			if !found {
				break
			}
			printed, after, _ := strings.Cut(rest, closing)
			p.Start = len(l.Text)
			l.Text += printed
			p.End = len(l.Text)
			l.Prints = append(l.Prints, p)
			line = after
		}
		lines = append(lines, l)
	}
	return lines
}

// shown is what is shown of lines that hold secrets.
func shown(lines []renderedLine) string {
	var b strings.Builder
	for _, l := range lines {
		text := l.Text
		if l.Hidden {
			text = l.Masked
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

func TestSecretsInRenderedText(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"keys are shown, values are not", "kind: Secret\ndata:\n  a: «b2xk»\n  b: literal\ntype: Opaque\n",
			"kind: Secret\ndata:\n  a: (hidden, 4 bytes)\n  b: (hidden, 7 bytes)\ntype: Opaque\n"},
		{"several lines", "stringData:\n  a: |\n    one\n\n    two\n  b: \"x\n    y\"\nkind: Secret\n",
			"stringData:\n  a: (hidden, 9 bytes)\n    (hidden)\n\n    (hidden)\n  b: (hidden, 3 bytes)\n    (hidden)\nkind: Secret\n"},
		{"in braces", "data: {a: b}\nkind: Secret\n", "data: (hidden)\nkind: Secret\n"},
		{"one line of braces", "{kind: Secret, data: {a: b}}\n", "(hidden)\n"},
		{"deeper", "data:\n  a:\n    b: c\n", "data:\n  a: (hidden)\n    (hidden)\n"},
		{"comments among the data", "data:\n  # c\n  a: b # c\n  # d\n# e\nkind: Secret\n",
			"data:\n  (hidden)\n  a: (hidden, 1 byte)\n  (hidden)\n(hidden)\nkind: Secret\n"},
		{"what an action printed elsewhere", "metadata:\n  name: ‹n›\n  labels:\n    sum: «c3»\n    l: m\n# «x»\n",
			"metadata:\n  name: n\n  labels:\n    (hidden)\n    l: m\n(hidden)\n"},
		{"kubectl's copy", "metadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {\"data\": 1}\n    a: b\n",
			"metadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: (hidden, 12 bytes)\n      (hidden)\n    a: b\n"},
		{"kubectl's copy in braces", "metadata: {annotations: {kubectl.kubernetes.io/last-applied-configuration: x}}\nkind: Secret\n",
			"metadata: (hidden)\nkind: Secret\n"},
		{"no YAML", "kind: Secret\ndata: [\n  a: b\n", "(hidden)\n(hidden)\n  (hidden)\n"},
		{"two documents", "kind: Secret\n---\ndata: a\n", "(hidden)\n(hidden)\n(hidden)\n"},
		{"the key twice", "data:\n  a: b\ndata:\n  a: c\nkind: Secret\n", "(hidden)\n  (hidden)\ndata:\n  a: (hidden, 1 byte)\nkind: Secret\n"},
		{"no map", "data: «x»\nkind: Secret\n", "data: (hidden, 1 byte)\nkind: Secret\n"},
		{"an alias", "x: &a\n  b: c\ndata: *a\n", "x: &a\n  b: c\n(hidden)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, shown(renderedLines(rendering(c.text), true))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	open := "data:\n  a: b\n"
	if got := shown(renderedLines(rendering(open), false)); got != open {
		t.Errorf("of what is no Secret is shown:\n%s", got)
	}
}

// FuzzSecretsInRenderedText: what stands in the data of a text, and nowhere else in its value, is not shown.
func FuzzSecretsInRenderedText(f *testing.F) {
	for _, seed := range []string{
		"kind: Secret\ndata:\n  a: HUNTER\n", "data: HUNTER\n", "data: [HUNTER, b]\nkind: a\n", "stringData:\n  a: |\n    HUNTER\n  b: >-\n\n    HUNTER\n",
		"? data\n: HUNTER\n", "\"data\": HUNTER\n", "data:\n- HUNTER\n- a: HUNTER\n", "'data':\n  'a': 'HUNTER'\n", "metadata:\n  annotations:\n" +
			"    kubectl.kubernetes.io/last-applied-configuration: HUNTER\n", "metadata: {annotations: {kubectl.kubernetes.io/last-applied-configuration: HUNTER}}",
		"data:\n  a: \"x\n   HUNTER\"\nkind: b\n", "---\ndata:\n  a: HUNTER\n...\n", "data:\r\n  a: HUNTER\r\nkind: x\r\n", "  data:\n    a: HUNTER\n  x: y\n",
		"data:\u2028  HUNTER\n", "metadata:\n  kubectl.kubernetes.io/last-applied-configuration: HUNTER\n", "{\"data\":\n{\"a\":\n\"HUNTER\"}}\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const marker = "HUNTER"
		if strings.ContainsAny(text, "#&*!%«»‹›") { // comments, anchors, tags and directives are not of the value
			t.Skip()
		}
		docs, err := manifest.Parse([]byte(text))
		if err == nil && len(docs) == 1 && docs[0].Kind == manifest.Map {
			if len(manifest.DuplicateKeys(docs[0])) > 0 || elsewhere(nil, docs[0].Value(), marker) {
				t.Skip()
			}
		}
		if got := shown(renderedLines(rendering(text), true)); strings.Contains(got, marker) {
			t.Errorf("%q is shown as %q", text, got)
		}
	})
}

// elsewhere reports whether a marker stands in a key, or in a value that is not hidden.
func elsewhere(path refconfig.FieldPath, v any, marker string) bool {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			at := overlay.Extend(path, refconfig.Step{Key: k, Index: -1})
			if strings.Contains(k, marker) || (secret.Opened(at) || !hidden(at, x)) && elsewhere(at, x, marker) {
				return true
			}
		}
		return false
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return elsewhere(overlay.Extend(path, refconfig.Step{Index: 0}), x, marker) })
	}
	return strings.Contains(fmt.Sprint(v), marker)
}

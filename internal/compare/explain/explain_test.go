package explain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/correlate"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// agrees compares the explanation of every object with the result of a run.
func agrees(
	t *testing.T, ref *refconfig.Reference, engine *render.Engine, in compare.Collected, opt compare.Options,
) map[Standing]int {
	t.Helper()
	opt.EveryKind, opt.ListUnmatched, opt.Show.Expected = true, true, true
	result, err := compare.Run(context.Background(), ref, engine, in, opt)
	if err != nil {
		t.Fatal(err)
	}
	x := explainer{study: compare.NewStudy(t.Context(), ref, engine, in, opt), ref: ref}
	if err := x.study.Complete(); err != nil {
		t.Fatal(err)
	}
	seen := map[Standing]int{}
	compared, unmatched, refused := 0, 0, 0
	for at := range x.study.Objects() {
		o := x.object(at)
		switch {
		case x.study.Object(at).LeftOut:
			continue
		case o.Template != "":
			c := result.Comparisons[compared]
			if o.Object != c.Object || o.Result != c.Result || o.Template != c.Template.Path ||
				!sameOutcome(o.Chosen(), c) {
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
		candidates := x.study.Object(at).Candidates
		chosen := 0
		for _, c := range o.Considered {
			seen[c.Standing]++
			of := slices.ContainsFunc(
				candidates, func(t *render.Template) bool { return t.Ref.Path == c.Template.Path },
			)
			if of != c.Standing.Candidate() {
				t.Errorf("%s and %s: candidate %v, but %s", o.Object, c.Template.Path, of, c.Standing)
			}
			if c.Standing == Chosen {
				chosen++
				if c.Template.Path != o.Template {
					t.Errorf("%s: %s is chosen and %s compared", o.Object, c.Template.Path, o.Template)
				}
			}
			if why := untrue(x, c, o); why != "" {
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

// sameOutcome reports whether the explanation of the chosen template equals the result of the run.
// Only the run has findings of other copies.
func sameOutcome(chosen *Considered, c *finding.Comparison) bool {
	if chosen == nil || chosen.Result != c.Result || !reflect.DeepEqual(chosen.Error, c.Error) {
		return false
	}
	counts, differences := c.Counts, slices.Clone(c.Differences)
	differences = slices.DeleteFunc(differences, func(d finding.Difference) bool {
		if d.Code == code.CopiesDisagree {
			counts.Count(d.Category, -1)
		}
		return d.Code == code.CopiesDisagree
	})
	return c.Error != nil || *chosen.Counts == counts &&
		(chosen.Detail == nil || reflect.DeepEqual(chosen.Detail.Differences, differences))
}

// untrue returns what a standing claims that is not true.
func untrue(x explainer, c Considered, o ExplainedObject) string {
	var t *render.Template
	for _, one := range x.study.Templates() {
		if one.Ref.Path == c.Template.Path {
			t = one
		}
	}
	if analysed := x.study.Analyses(t); analysed && c.Standing == NotAnalysed ||
		!analysed && c.Standing != NotAnalysed && !c.Standing.Candidate() {
		return "its component is another matter"
	}
	all := !slices.ContainsFunc(c.Identity, IdentityField.Disagrees)
	if t != nil && all != (correlate.Agree(t.Identity, manifest.ID(o.Object)) == correlate.Fixed(t.Identity)) {
		return "the fields are told wrongly"
	}
	switch c.Standing {
	case LessSpecific, Pattern:
		if !all {
			return "a field differs"
		}
	case Unlike, Farther:
		if all {
			return "no field differs"
		}
	case Larger, Tie:
		if winner := o.Chosen(); (c.Standing == Tie) != (*c.Score == *winner.Score) || *c.Score < *winner.Score {
			return fmt.Sprintf("the scores are %d and %d", *c.Score, *winner.Score)
		}
	case Overruled:
		if o.Manual == "" {
			return "there is no pair"
		}
	}
	return ""
}

// The references are random: their templates fix and leave open any fields, refuse and fail, and
// the objects are similar to them.
func TestExplainAgreesWithRunAnywhere(t *testing.T) {
	seen := map[Standing]int{}
	for seed := range testkit.Tries(600) { // a quarter of other seeds gives no tie
		r := rand.New(rand.NewPCG(uint64(seed), 13))
		pick := func(of ...string) string { return of[r.IntN(len(of))] }
		fsys := fstest.MapFS{}
		metadata := "apiVersion: v2\nparts:\n- name: p\n  components:\n"
		for i := range 1 + r.IntN(8) {
			metadata += fmt.Sprintf("  - {name: c%d, %s: [{path: t%d.yaml}]}\n", i, pick("anyOf", "allOf"), i)
			fsys[fmt.Sprintf("t%d.yaml", i)] = &fstest.MapFile{
				Data: []byte("apiVersion: " + pick("v1", "v1", "v2", "{{ .apiVersion }}", "v{{ .v }}") +
					"\nkind: " + pick("A", "B", "A") + "\nmetadata:\n  name: " + pick("x", "x", "y", "{{ .metadata.name }}", "x{{ .y }}", "{{ .y }}y") +
					"\n  namespace: " + pick("n", "m", "{{ .metadata.namespace }}", "n{{ .y }}") + "\nspec: " +
					pick("1", "22", "{{ .spec }}", "{{ .spec.below }}", "[", "{{ doNotMatch \"no\" }}") + "\n"),
			}
		}
		fsys["metadata.yaml"] = &fstest.MapFile{Data: []byte(metadata)}
		ref, engine := given.Load(t, fsys, "")
		var text strings.Builder
		for range 6 {
			fmt.Fprintf(
				&text,
				"---\napiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: %s}\nspec: %s\n",
				pick("v1", "v2", "v3"),
				pick("A", "B", "C"),
				pick("x", "y", "xy", "z"),
				pick("n", "m", "nm", "o"),
				pick("1", "22", "a"),
			)
		}
		in := compare.Collected{Objects: given.Objects(t, "in.yaml", text.String())}
		opt := compare.Options{Nearest: r.IntN(2) == 0, Manual: map[string]*refconfig.Template{}}
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
	for _, s := range []Standing{Chosen, Larger, Tie, NotEvaluated, RefusedIt, LessSpecific, Pattern, Unlike, Farther, Overruled, NotAnalysed} {
		if seen[s] == 0 {
			t.Errorf("no template was %s", s)
		}
	}
}

// A template in several components must be explained once, with the rules of all of them.
func TestExplainATemplateOfSeveralComponents(t *testing.T) {
	const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: ns, name: a}\ndata: {k: v}\n"
	ref, engine := given.Load(
		t,
		fstest.MapFS{"t.yaml": {Data: []byte(text)}, "metadata.yaml": {Data: []byte("apiVersion: v2\n" +
			"parts: [{name: P, components: [{name: C, allOf: [{path: t.yaml}]}, {name: D, noneOf: [{path: t.yaml}]}]}]\n")}},
		"",
	)
	in := compare.Collected{Objects: given.Objects(t, "in.yaml", text)}
	x, err := Match(context.Background(), ref, engine, in, compare.Options{}, Options{Subject: "t.yaml"})
	if err != nil || len(x.Templates) != 1 {
		t.Fatalf("%v %+v", err, x)
	}
	one := x.Templates[0]
	if fmt.Sprint(one.Rules) != "[allOf noneOf]" || len(one.Broken) != 1 || len(one.Objects) != 1 ||
		len(one.Objects[0].Considered.Detail.Differences) != 0 {
		t.Errorf("rules %v, broken %v, objects %v", one.Rules, one.Broken, one.Objects)
	}
	x, err = Match(context.Background(), ref, engine, in, compare.Options{}, Options{Subject: "ConfigMap/a"})
	if err != nil || len(x.Objects) != 1 || len(x.Objects[0].Considered) != 1 {
		t.Errorf("%v %+v", err, x)
	}
}

func TestSubjects(t *testing.T) {
	ref, engine := given.Load(t, os.DirFS("../../../examples/ran-du/reference"), "")
	in := compare.Collected{Objects: given.Folders(t, "../../../examples/ran-du/cluster")}
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
		{"PtpConfigOrdinary.yaml", "template ptp/PtpConfigOrdinary.yaml"},
		{"PtpConfig * (PtpConfigOrdinary.yaml)", "template ptp/PtpConfigOrdinary.yaml"},
		{"(PtpConfigOrdinary.yaml)", "template ptp/PtpConfigOrdinary.yaml"},
		{"PtpConfig openshift-ptp/ordinary", "PtpConfig openshift-ptp/ordinary"},
		{"OperatorGroup openshift-ptp/ptp-operators", "template ptp/OperatorGroup.yaml"},
		{"OperatorGroup/ptp-operators", "template ptp/OperatorGroup.yaml"},
		{"OperatorGroup/openshift-ptp/ptp-*", "template ptp/OperatorGroup.yaml"},
		{"OperatorGroup.apps/ptp-operators", ""},
		{"OperatorGroup/ptp-operatorz", ""},
		{"PtpOperatorConfig", "template ptp/PtpOperatorConfig.yaml"},
	} {
		e, err := Match(context.Background(), ref, engine, in, compare.Options{}, Options{Subject: c.subject})
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

// TestWhatIsNearASubject: for a subject that names nothing, CRs of its name and kind are suggested.
func TestWhatIsNearASubject(t *testing.T) {
	ref, engine := given.Load(t, os.DirFS("../../../examples/ran-du/reference"), "")
	in := compare.Collected{Objects: given.Folders(t, "../../../examples/ran-du/cluster")}
	for subject, want := range map[string]string{
		"Ptp/ordinary":                  "PtpConfig/openshift-ptp/ordinary",
		"PtpConfig/openshift-ptp/other": "PtpConfig/openshift-ptp/ordinary",
		"Nothing/nowhere":               "",
	} {
		_, err := Match(context.Background(), ref, engine, in, compare.Options{}, Options{Subject: subject})
		var missing *NotFound
		if !errors.As(err, &missing) {
			t.Fatalf("%s: %v", subject, err)
		}
		if got := strings.Join(missing.Near, " "); got != want {
			t.Errorf("near %s is %s, want %s", subject, got, want)
		}
	}
}

// TestNoListIsNull: a document has an empty list where it has nothing.
func TestNoListIsNull(t *testing.T) {
	text, err := json.Marshal((&Explanation{}).Complete())
	if err != nil || strings.Contains(string(text), "null") {
		t.Errorf("%s, %v", text, err)
	}
}

// A template that never ends must end with the context, without an explanation of its CR.
func TestExplanationEndsWithItsContext(t *testing.T) {
	const endless = "{{ if .loop }}{{ range until 10000 }}{{ range until 10000 }}{{ end }}{{ end }}{{ end }}\n"
	ref, engine := given.Load(t, fstest.MapFS{
		"metadata.yaml": {
			Data: []byte("apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: a.yaml}]}]}]\n"),
		},
		"a.yaml": {Data: []byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\n" + endless)},
	}, "ref")
	in := compare.Collected{
		Objects: given.Objects(t, "in.yaml", "apiVersion: v1\nkind: A\nmetadata: {name: a}\nloop: true\n"),
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	opt := compare.Options{Limits: render.Limits{Steps: math.MaxInt32}}
	if e, err := Match(ctx, ref, engine, in, opt, Options{Subject: "A"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, %+v", err, e)
	}
}

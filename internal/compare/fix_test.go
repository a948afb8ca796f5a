package compare

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// TestAFixChangesNoInput compares CRs and makes their fixes, and checks that the CRs are as before.
func TestAFixChangesNoInput(t *testing.T) {
	shared := "../../../shared/conformance/"
	for _, of := range [][2]string{
		{"../../examples/ran-du/reference", "../../examples/ran-du/cluster"},
		{"../../examples/config-connector/reference", "../../examples/config-connector/cluster"},
		{"../../examples/machineconfig/reference", "../../examples/machineconfig/cluster"},
		{"../../examples/annotations/reference", "../../examples/annotations/cluster"},
		{shared + "references/core", shared + "inputs/core"},
	} {
		if _, err := os.Stat(of[0]); err == nil {
			r := loadRun(t, of[0], of[1])
			r.fixChangesNoInput(t)
		}
	}
	ref, engine := given.Load(t, fstest.MapFS{
		"metadata.yaml": {Data: []byte(`apiVersion: v2
parts: [{name: p, components: [{name: c, allOf: [{path: a.yaml, config: {ignore-unspecified-fields: true, perField: [
  {pathToKey: spec.text, inlineDiffFunc: regex}, {pathToKey: spec.inside, embedded: yaml}, {pathToKey: spec.set, list: set}]}}]}]}]
fieldsToOmit: {defaultOmitRef: all, items: {all: [{pathToKey: spec.omitted}, {pathToKey: spec.list.0}, {pathToKey: spec.set.*.x}, {pathToKey: spec.map.deep.key}]}}
`)},
		"a.yaml": {
			Data: []byte(
				"apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec: {omitted: 1, none: null, gone: null, list: [{x: 1}, {x: 2}], set: [{x: 1, y: 2}], " +
					"map: {deep: {key: 1}, also: {here: null}}, text: 'a(?<n>b*)', inside: 'k: 1', drift: {{ .spec.drift }}}\n",
			),
		},
	}, "")
	in := Collected{
		Objects: given.Objects(
			t,
			"in.yaml",
			"apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec: {gone: 1, omitted: 2, list: [{x: 3}, {x: 4}], set: [{x: 5, y: 6}], "+
				"map: {deep: {key: 2}, also: {}}, text: abc, inside: 'k: 2', drift: 1, own: 1}\n",
		),
	}
	newRun(t.Context(), ref, engine, in, Options{}).fixChangesNoInput(t)
}

// fixChangesNoInput makes the fix of every object and compares the object with its copy.
func (r *run) fixChangesNoInput(t *testing.T) {
	t.Helper()
	r.comparer.opt.Fix = true
	mended := 0
	for _, e := range r.comparer.store.distinct {
		input, err := e.decode()
		if err != nil {
			t.Fatal(err)
		}
		before := tree.Copy(input)
		subject := r.comparer.subject(e, nil)
		subject.value = input
		for _, c := range r.comparer.templates.find(e.object.ID, nil).all {
			a, refusal := r.comparer.attempt(subject, c)
			if refusal != nil || a.err != nil {
				continue
			}
			mended++
			r.comparer.maker(subject, a.template, a).Fix(&a.compared)
		}
		if diff := cmp.Diff(before, any(input)); diff != "" {
			t.Errorf("%s was changed: %s", e.object.ID, diff)
		}
	}
	if mended == 0 {
		t.Error("nothing was compared")
	}
}

// TestASecretStaysOneWithoutItsKind checks that a Secret inside a CR is hidden and never written,
// even if its kind is omitted from the comparison.
func TestASecretStaysOneWithoutItsKind(t *testing.T) {
	const mine, theirs = "aHVudGVyMg==", "c3dvcmRmaXNo"
	for _, object := range []string{"spec: {object: {kind: Secret, data: {password: %s}}}\n", "spec: {list: [{x: 1}, {kind: Secret, data: {password: %s}}]}\n"} {
		ref, engine := given.Load(t, fstest.MapFS{
			"metadata.yaml": {
				Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n" +
					"fieldsToOmit: {defaultOmitRef: all, items: {all: [{pathToKey: spec.object.kind}, {pathToKey: spec.list.*.kind}, {pathToKey: spec.list.0}]}}\n"),
			},
			"a.yaml": {Data: []byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\n" + fmt.Sprintf(object, mine))},
		}, "")
		in := Collected{
			Objects: given.Objects(
				t, "in.yaml", "apiVersion: v1\nkind: A\nmetadata: {name: a}\n"+fmt.Sprintf(object, theirs),
			),
		}
		r, err := Run(t.Context(), ref, engine, in, Options{Fix: true, Show: diff.Show{Lines: true, Context: 3}})
		if err != nil || len(r.Comparisons) != 1 || len(r.Comparisons[0].Differences) != 1 ||
			r.Comparisons[0].Fix == nil {
			t.Fatal(err, r)
		}
		text, err := json.Marshal(r)
		if err != nil || strings.Contains(string(text), mine) || strings.Contains(string(text), theirs) {
			t.Errorf("%v: %s", err, text)
		}
		if fix := r.Comparisons[0].Fix; fix.Held == "" || strings.Contains(fix.Patch+fix.CR, mine) ||
			strings.Contains(fix.Patch+fix.CR, theirs) {
			t.Errorf("%+v", fix)
		}
	}
}

// TestMendingACRTakesFewAllocations checks the cost of a fix after a comparison, in allocations: the
// template is executed once more, and only the changed part of the CR is copied.
func TestMendingACRTakesFewAllocations(t *testing.T) {
	fields := ""
	for i := range 40 {
		fields += fmt.Sprintf("  f%d: {a: [x, y], b: {c: 1}}\n", i)
	}
	text := func(value string) string {
		return "apiVersion: v1\nkind: A\nmetadata:\n  name: n\nspec:\n" + fields + "a: " + value + "\n"
	}
	ref, engine := given.Load(t, fstest.MapFS{
		"metadata.yaml": {
			Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n"),
		},
		"a.yaml": {Data: []byte(text("2"))},
	}, "")
	r := newRun(
		t.Context(), ref, engine, Collected{Objects: given.Objects(t, "in.yaml", text("1"))}, Options{Fix: true},
	)
	e := r.comparer.store.distinct[0]
	input, err := e.decode()
	if err != nil {
		t.Fatal(err)
	}
	subject := r.comparer.subject(e, nil)
	subject.value = input
	template := r.comparer.templates.find(e.object.ID, nil).all[0]
	a, _ := r.comparer.attempt(subject, template)
	const most = 3000
	n := testing.AllocsPerRun(5, func() {
		if fix := r.comparer.maker(subject, a.template, a).Fix(&a.compared); fix.Patch == "" || fix.CR == "" {
			t.Fatal(fix)
		}
	})
	if n > most {
		t.Errorf("%.0f allocations", n)
	}
	t.Logf("%.0f allocations", n)
}

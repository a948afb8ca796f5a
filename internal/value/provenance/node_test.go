package provenance_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

type (
	object = map[string]any
	list   = []any
)

// path parses a path.
func path(t *testing.T, text string) refconfig.FieldPath {
	t.Helper()
	p, err := refconfig.ParseFieldPath(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fields returns a map of nodes.
func fields(all map[string]provenance.Node) provenance.Node {
	var children []provenance.Node
	for k, n := range all { // Map sorts them
		children = append(children, n.Under(k))
	}
	return provenance.Map(children)
}

// sample returns a value with notes of all sorts, and parts without.
func sample() provenance.Node {
	printed := provenance.Note{Variable: true, Print: 2, Root: 1}
	failed := provenance.Note{Finding: &provenance.Finding{Code: code.EvalFail, Message: "failed"}}
	return fields(map[string]provenance.Node{
		"at once": fields(map[string]provenance.Node{
			"b": provenance.Leaf("x", printed),
			"a": provenance.List([]provenance.Node{provenance.Leaf("y", printed), *provenance.Plain(object{"z": "of the CR"})}),
		}),
		"fixed":  provenance.Fill(object{"l": list{"x", list{}}, "m": object{}}, provenance.Note{}),
		"failed": provenance.List([]provenance.Node{provenance.Leaf("x", failed), provenance.Leaf("y", provenance.Note{})}),
		"filled": provenance.Leaf(object{"k": list{"v"}}, provenance.Note{Secret: true}),
		"plain":  *provenance.Plain(object{"k": list{"v"}}),
	})
}

// TestANodeKnowsItsParts checks values and notes at paths, and what is summed over them.
func TestANodeKnowsItsParts(t *testing.T) {
	n := sample()
	want := object{
		"at once": object{"a": list{"y", object{"z": "of the CR"}}, "b": "x"},
		"fixed":   object{"l": list{"x", list{}}, "m": object{}}, "failed": list{"x", "y"},
		"filled": object{"k": list{"v"}}, "plain": object{"k": list{"v"}},
	}
	if d := cmp.Diff(any(want), n.Value()); d != "" {
		t.Error(d)
	}
	for _, c := range []struct {
		path                                 string
		there, whole, varies, failed, secret bool
		depth                                int // of the topmost map or list that is printed at once; 0 for none
	}{
		{path: `"at once"`, there: true, varies: true, depth: 1},
		{path: `"at once".a`, there: true, varies: true, depth: 1},
		{path: `"at once".a.0`, there: true, whole: true, varies: true},
		{path: `"at once".a.1`, there: true},
		{path: `"at once".a.1.z`, there: true},
		{path: `"at once".a.2`},
		{path: `"at once".b.x`},
		{path: `"at once".c`},
		{path: "fixed", there: true},
		{path: "fixed.l.0", there: true, whole: true},
		{path: "fixed.l.1", there: true, whole: true},
		{path: "fixed.m", there: true, whole: true},
		{path: "failed", there: true, varies: true, failed: true},
		{path: "failed.1", there: true, whole: true},
		{path: "filled", there: true, whole: true, secret: true},
		{path: "filled.k", there: true},
		{path: "filled.k.0", there: true},
		{path: "filled.x"},
		{path: "plain", there: true},
		{path: "plain.k.0", there: true},
		{path: "plain.k.1"},
	} {
		at := n.At(path(t, c.path))
		_, whole := at.Note()
		if (at != nil) != c.there || whole != c.whole || at.Varies() != c.varies || at.HasFailed() != c.failed ||
			at.IsSecret() != c.secret || at.IsAtOnce(1) != (c.depth == 1) || at.IsAtOnce(0) {
			t.Errorf("%s is %v: %+v", c.path, at.Value(), at)
		}
		if v, there := tree.At(n.Value(), path(t, c.path)); there != c.there || !tree.Equal(v, at.Value()) {
			t.Errorf("%s is %v, and %v in the value", c.path, at.Value(), v)
		}
	}
	if n.Item(0) != nil || n.Child("failed").Item(-1) != nil || n.Child("failed").Child("") != nil {
		t.Error("a map has items, or a list more than it has")
	}
	var leaves []string
	for at := range n.Leaves() {
		leaves = append(leaves, at.String())
	}
	if want := []string{"at once.a.0", "at once.b", "failed.0", "failed.1", "filled", "fixed.l.0", "fixed.l.1", "fixed.m"}; !slices.Equal(leaves, want) {
		t.Errorf("the leaves are %q", leaves)
	}
	if all := n.Findings(); len(all) != 1 || all[0].Message != "failed" {
		t.Errorf("%+v", all)
	}
}

// TestOfEqualKeysTheLastCounts checks that a map has each key once.
func TestOfEqualKeysTheLastCounts(t *testing.T) {
	leaf := func(k string, v any) provenance.Node { return provenance.Leaf(v, provenance.Note{}).Under(k) }
	n := provenance.Map([]provenance.Node{leaf("b", 1), leaf("a", 2), leaf("b", 3), leaf("a", 4), leaf("c", 5)})
	if d := cmp.Diff(any(object{"a": 4, "b": 3, "c": 5}), n.Value()); d != "" {
		t.Error(d)
	}
	if twice := provenance.Map([]provenance.Node{leaf("a", 1), leaf("a", 2)}); twice.Child("a").Value() != 2 {
		t.Errorf("%+v", twice)
	}
	if n.Child("a").Value() != 4 || n.Child("b").Value() != 3 || n.Child("c").Value() != 5 {
		t.Errorf("%+v", n)
	}
}

// TestWhatIsPrintedAtOnce checks that one action printed a whole list: it printed all of its leaves,
// inside of a text that contains the list, and none of them has a finding.
func TestWhatIsPrintedAtOnce(t *testing.T) {
	one := provenance.Note{Print: 1, Root: 1}
	deeper, other, found := one, one, one
	deeper.Root, other.Print, found.Finding = 2, 2, &provenance.Finding{}
	for what, c := range map[string]struct {
		notes []provenance.Note
		want  bool
	}{
		"one leaf":                  {[]provenance.Note{one}, true},
		"two":                       {[]provenance.Note{one, one}, true},
		"two prints":                {[]provenance.Note{one, other}, false},
		"two prints, one again":     {[]provenance.Note{one, other, one}, false},
		"a text that begins deeper": {[]provenance.Note{deeper, one}, false},
		"a finding":                 {[]provenance.Note{one, found}, false},
		"literal text":              {[]provenance.Note{{}, {}}, false},
		"none":                      {nil, false},
	} {
		var items []provenance.Node
		for _, n := range c.notes {
			items = append(items, provenance.Leaf("x", n))
		}
		if list := provenance.List(items); list.IsAtOnce(1) != c.want {
			t.Errorf("%s: %v, want %v", what, !c.want, c.want)
		}
	}
}

// TestWhatDepends checks what is known of a value from its notes: only what holds for all of them.
func TestWhatDepends(t *testing.T) {
	open := provenance.Note{Open: true, Unsure: true}
	input := provenance.Note{Input: true, Unsure: true}
	of := func(notes ...provenance.Note) provenance.Node {
		items := []provenance.Node{*provenance.Plain("of the CR")}
		for _, n := range notes {
			items = append(items, provenance.Leaf("x", n))
		}
		return provenance.List(items)
	}
	for what, c := range map[string]struct {
		n    provenance.Node
		want [3]bool
	}{
		"no notes":               {of(), [3]bool{}},
		"placeholders":           {of(open, open), [3]bool{true, true, true}},
		"one, and an input":      {of(open, input), [3]bool{false, true, true}},
		"literal text too":       {of(open, provenance.Note{}), [3]bool{}},
		"one that always stands": {of(open, provenance.Note{Open: true}), [3]bool{true, true, false}},
	} {
		var got [3]bool
		if got[0], got[1], got[2] = c.n.Depends(); got != c.want {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}

// TestOmissionOfNodes checks that a node without some fields has the value without them, and shares
// what stays.
func TestOmissionOfNodes(t *testing.T) {
	n := sample()
	for _, field := range []string{`"at once".a`, `"at once".*`, `"at once".a.1.z`, "fixed.l.0", "fixed.l", "fixed.m", "failed.0", "filled.k", "plain.k.0", "plain.x", "*", "x.y"} {
		omit := tree.Omitting([]refconfig.OmitEntry{{Path: path(t, field)}})
		rest := n.Without(omit)
		if d := cmp.Diff(omit.Rest(n.Value(), nil, nil), rest.Value()); d != "" {
			t.Errorf("without %s: %s", field, d)
		}
		if field == "x.y" && rest != &n {
			t.Error("it is copied although it has all of its fields")
		}
	}
	failed := n.Without(tree.Omitting([]refconfig.OmitEntry{{Path: path(t, "failed.0")}}))
	if failed.HasFinding() || !n.HasFinding() {
		t.Error("a finding stays behind, or the node has changed")
	}
}

// TestADraftIsTheOnlyWriter checks each change of a draft against the same change of a plain value,
// and that the node stays as it is.
func TestADraftIsTheOnlyWriter(t *testing.T) {
	n := sample()
	before := tree.YAML(n.Value())
	leaf := provenance.Leaf("new", provenance.Note{Variable: true})
	d, value := n.Edit(), tree.Copy(n.Value())
	for _, field := range []string{`"at once".a.0`, "fixed.l.1", "fixed.new", `"at once".a.1.z`, "filled.k.0", "plain.new", "failed.1", "failed.0", "fixed.l.0"} {
		value, _ = tree.Set(value, path(t, field), "new")
		if !d.Set(path(t, field), &leaf) {
			t.Errorf("%s is not set", field)
		}
		if at := d.At(path(t, field)); at.Value() != "new" || at.IsVariable() != (field != "filled.k.0" && field != `"at once".a.1.z` && field != "plain.new") {
			t.Errorf("%s is %+v", field, at)
		}
		if diff := cmp.Diff(value, d.Value()); diff != "" {
			t.Errorf("%s: %s", field, diff)
		}
	}
	for _, field := range []string{"failed.2", "failed.-1", "x.y", "fixed.new.x"} {
		if d.Set(path(t, field), &leaf) || d.At(path(t, field)) != nil {
			t.Errorf("%s is set", field)
		}
	}
	if d.Set(path(t, "failed.0"), nil) || !d.Set(path(t, "fixed.m"), nil) || d.At(path(t, "fixed.m")) != nil {
		t.Error("an item is removed, or a field is not")
	}
	delete(value.(object)["fixed"].(object), "m")
	done := d.Done()
	if diff := cmp.Diff(value, done.Value()); diff != "" {
		t.Error(diff)
	}
	note, whole := done.Child("filled").Note()
	if !note.Secret || !whole || done.Child("plain").Child("new").IsVariable() || !done.At(path(t, "fixed.l.1")).IsVariable() {
		t.Errorf("notes are lost, or come from nowhere: %+v", done)
	}
	if tree.YAML(n.Value()) != before || n.At(path(t, "fixed.new")) != nil {
		t.Error("the node has changed")
	}
}

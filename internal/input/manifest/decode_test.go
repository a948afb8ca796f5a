package manifest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

func only(t *testing.T, c Contents) *Object {
	t.Helper()
	if len(c.Objects) != 1 {
		t.Fatalf("%d objects; problems %v, passed %v", len(c.Objects), c.Problems, c.Passed)
	}
	return c.Objects[0]
}

func TestIDs(t *testing.T) {
	tests := []struct {
		id               ID
		key, text, group string
	}{
		{ID{"v1", "ConfigMap", "ns", "a"}, "v1_ConfigMap_ns_a", "ConfigMap ns/a (v1)", ""},
		{ID{"apps/v1", "Deployment", "", "a"}, "apps/v1_Deployment_a", "Deployment a (apps/v1)", "apps"},
		{ID{"v1", "Pod", "ns", ""}, "v1_Pod_ns_", "Pod ns/(no name) (v1)", ""},
	}
	for i, c := range tests {
		if diff := cmp.Diff([]string{c.key, c.text, c.group}, []string{c.id.Key(), c.id.String(), c.id.Group()}); diff != "" {
			t.Error(diff)
		}
		sorted := []ID{{"v2", "A", "b", "b"}, {"v1", "B", "a", "b"}, {"v2", "B", "b", "a"}, {"v1", "B", "b", "b"}, {"v2", "B", "b", "b"}}
		if !slices.IsSortedFunc(sorted, Compare) { // by kind, then namespace, name and apiVersion
			t.Errorf("%v is another order", sorted)
		}
		for j, other := range tests {
			if got := Compare(c.id, other.id); (got == 0) != (i == j) || got != -Compare(other.id, c.id) {
				t.Errorf("Compare(%v, %v) = %d", c.id, other.id, got)
			}
		}
	}
}

func TestDecodeOfAnItem(t *testing.T) {
	text := "apiVersion: apps/v1\nitems:\n- metadata:\n    name: a\n  spec:\n    replicas: 1.0\n    on: 0o17\n- metadata:\n    name: b\nkind: DeploymentList\n"
	for _, decode := range []bool{false, true} {
		c := read("f.yaml", "", []byte(text), Hints{}, decode)
		if len(c.Objects) != 2 {
			t.Fatalf("%d objects", len(c.Objects))
		}
		want := map[string]any{
			"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "a"},
			"spec": map[string]any{"replicas": int64(1), "true": int64(15)},
		}
		for range 2 {
			got, err := c.Objects[0].Decode()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			got["spec"] = "changed" // must not show the second time
		}
	}
}

func TestDecodeTellsTheLineOfTheFile(t *testing.T) {
	text := "# file\n---\napiVersion: v1\nkind: A\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: A\nmetadata:\n  name: b\nspec:\n  x: 1\n  z: a: b\n"
	c := Read("f.yaml", "", []byte(text), Hints{})
	if len(c.Objects) != 2 {
		t.Fatalf("%d objects: the scanner does not look into spec", len(c.Objects))
	}
	_, err := c.Objects[1].Decode()
	var fault *kubeyaml.SyntaxError
	if !errors.As(err, &fault) {
		t.Fatalf("no *SyntaxError: %v", err)
	}
	if diff := cmp.Diff(kubeyaml.SyntaxError{Line: 14, Column: 0, Message: "mapping values are not allowed in this context"}, *fault); diff != "" {
		t.Error(diff)
	}
	if line := c.Objects[1].Locator().Line(refconfig.FieldPath{{Key: "spec", Index: -1}}); line != 8 {
		t.Errorf("line %d for a field of an object that does not decode, want that of its beginning", line)
	}
	full := read("f.yaml", "", []byte(text), Hints{}, true)
	want := []refconfig.Problem{{
		Code: code.DocumentBroken,
		Place: refconfig.Place{
			File:     "f.yaml",
			Document: 2,
			Line:     14,
		}, Message: "not valid YAML: mapping values are not allowed in this context",
	}}
	if diff := cmp.Diff(want, full.Problems); diff != "" || len(full.Objects) != 1 {
		t.Errorf("%d objects\n%s", len(full.Objects), diff)
	}
}

func TestLinesOfFields(t *testing.T) {
	yaml := "---\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n  spec:\n    list:\n    - x: 1\n      w: 2\n    - z\n    10: q\n    base: &b\n      m: 1\n    derived:\n      <<: *b\nkind: List\n"
	json := "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n {\n  \"apiVersion\": \"v1\",\n  \"kind\": \"A\",\n  \"metadata\": {},\n  \"spec\": {\n   \"list\": [\n    {\"x\": 1,\n     \"w\": 2}\n   ]\n  }\n }\n]}"
	key := func(k string) refconfig.Step { return refconfig.Step{Key: k, Index: -1} }
	at := func(i int) refconfig.Step { return refconfig.Step{Key: fmt.Sprint(i), Index: i} }
	tests := []struct {
		name       string
		path       refconfig.FieldPath
		yaml, json int
	}{
		{"root", nil, 4, 2},
		{"field", refconfig.FieldPath{key("kind")}, 5, 4},
		{"element", refconfig.FieldPath{key("spec"), key("list"), at(0)}, 10, 8},
		{"field of an element", refconfig.FieldPath{key("spec"), key("list"), at(0), key("w")}, 11, 9},
		{"element that is not there", refconfig.FieldPath{key("spec"), key("list"), at(7), key("y")}, 9, 7},
		{"field that is not there", refconfig.FieldPath{key("spec"), key("none"), key("x")}, 8, 6},
		{"anything", refconfig.FieldPath{key("spec"), {Index: -1, Any: true}, key("x")}, 8, 6},
		{"digits as a key", refconfig.FieldPath{key("spec"), at(10)}, 13, 6},
		{"merged field", refconfig.FieldPath{key("spec"), key("derived"), key("m")}, 15, 6},
		{"below a scalar", refconfig.FieldPath{key("kind"), key("x")}, 5, 4},
	}
	for _, file := range []struct {
		name, text string
		line       func(i int) int
	}{
		{"f.yaml", yaml, func(i int) int { return tests[i].yaml }},
		{"f.json", json, func(i int) int { return tests[i].json }},
	} {
		o := only(t, Read(file.name, "", []byte(file.text), Hints{}))
		locator := o.Locator()
		n, err := o.Node()
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range tests {
			want := file.line(i)
			if got := [...]int{locator.Line(c.path), NewLocator(n).Line(c.path)}; got != [...]int{want, want} {
				t.Errorf("%s: %s: lines %v, want %d", file.name, c.name, got, want)
			}
		}
	}
}

// TestItemsOfALongListAreCutOut checks that decoding all items of a List is linear: together their
// texts are no longer than the file.
func TestItemsOfALongListAreCutOut(t *testing.T) {
	const items = 2000
	var yaml, json strings.Builder
	yaml.WriteString("apiVersion: v1\nitems:\n")
	json.WriteString(`{"apiVersion":"v1","kind":"List","items":[`)
	for i := range items {
		fmt.Fprintf(
			&yaml,
			"- apiVersion: v1\n  data:\n    text: |\n      - kind: B\n      number %d\n  kind: A\n  metadata:\n    name: a%d\n",
			i,
			i,
		)
		fmt.Fprintf(
			&json,
			`%s{"apiVersion":"v1","kind":"A","metadata":{"name":"a%d"}}`,
			map[bool]string{true: "", false: ","}[i == 0],
			i,
		)
	}
	yaml.WriteString("kind: List\n")
	json.WriteString("]}")
	for name, text := range map[string]string{"f.yaml": yaml.String(), "f.json": json.String()} {
		for _, decode := range []bool{false, true} {
			c := read(name, "", []byte(text), Hints{}, decode)
			parsed := 0
			for i, o := range c.Objects {
				parsed += len(o.source.text)
				tree, err := o.Decode()
				if err != nil || o.source.form == kept {
					t.Fatalf("%s %d: %v", name, i, err)
				}
				if got := tree["metadata"].(map[string]any)["name"]; got != fmt.Sprintf("a%d", i) ||
					o.Place.Item != i+1 {
					t.Fatalf("%s: item %d is %v", name, i, got)
				}
			}
			if len(c.Objects) != items || parsed == 0 || parsed > len(text) {
				t.Errorf("%s: %d objects, %d bytes to parse of %d", name, len(c.Objects), parsed, len(text))
			}
		}
	}
}

func TestDetachedObjectsDoNotNeedTheirFile(t *testing.T) {
	data := []byte("apiVersion: v1\nkind: A\nmetadata:\n  name: a\n")
	o := only(t, Read("f.yaml", "", data, Hints{}))
	o.Detach()
	clear(data)
	tree, err := o.Decode()
	if err != nil || tree["kind"] != "A" {
		t.Errorf("%v %v", tree, err)
	}
}

func TestDroppedObjectsKeepTheirIdentityOnly(t *testing.T) {
	o := only(t, Read("f.yaml", "", []byte("apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"), Hints{}))
	o.Drop()
	if tree, err := o.Decode(); err == nil {
		t.Errorf("what was let go decodes: %v", tree)
	}
	if o.Text() != 0 || o.Has("kind") || o.ID.Name != "a" || o.Locator().Line(nil) != 1 {
		t.Errorf("%d bytes, %+v", o.Text(), o.ID)
	}
}

func TestEncodings(t *testing.T) {
	text := "apiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n  name: a\r\ndata:\r\n  x: |\r\n    é😀\r\n    b\r\n"
	files := map[string][]byte{"UTF-8": []byte(text), "UTF-8 with a mark": []byte(kubeyaml.BOM + text)}
	for name, order := range map[string]binary.AppendByteOrder{"UTF-16 LE": binary.LittleEndian, "UTF-16 BE": binary.BigEndian} {
		for _, mark := range []string{"", "\ufeff"} {
			var data []byte
			for _, unit := range utf16.Encode([]rune(mark + text)) {
				data = order.AppendUint16(data, unit)
			}
			files[name+mark] = data
		}
	}
	for name, order := range map[string]binary.AppendByteOrder{"UTF-32 LE": binary.LittleEndian, "UTF-32 BE": binary.BigEndian} {
		for _, mark := range []string{"", "\ufeff"} {
			var data []byte
			for _, c := range mark + text {
				data = order.AppendUint32(data, uint32(c))
			}
			files[name+mark] = data
		}
	}
	for name, data := range files {
		tree, err := only(t, Read("f.yaml", "", data, Hints{})).Decode()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]any{"x": "é😀\nb\n"}, tree["data"]); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestDamage(t *testing.T) {
	object := "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"
	tests := []struct {
		name, data string
		objects    int
		problems   []string
		warnings   []string
		passed     []Reason
	}{
		{"f", "\x00\x00\x00", 0, nil, nil, []Reason{PassedNUL}},
		{"f.yaml", "", 0, nil, nil, []Reason{PassedEmpty}},
		{"f.yaml", "\n \n", 0, nil, nil, []Reason{PassedEmpty}},
		{
			"f.yaml",
			object + "\x00\x00\x00",
			0,
			[]string{"5: not valid YAML: a NUL byte, as in a damaged file; the file may be truncated here"},
			nil,
			nil,
		},
		{
			"f.yaml",
			object + "---\n" + object + "x: \xff\n",
			1,
			[]string{"10: not valid YAML: a byte is not valid UTF-8"},
			nil,
			nil,
		},
		{
			"f.json",
			`{"apiVersion":"v1","kind":"A"}` + "\x00",
			1,
			[]string{"1: not valid JSON: expected a value"},
			nil,
			nil,
		},
		{
			"f.yaml",
			object + "data:\n  x: \"y",
			0,
			[]string{"6: not valid YAML: found unexpected end of stream; the file may be truncated here"},
			nil,
			nil,
		},
		{
			"namespaces/a/b.yaml",
			object + "data:\n  x: y",
			1,
			nil,
			[]string{"6: the last line is incomplete; the file may be truncated here"},
			nil,
		},
		{"namespaces/a/b.yaml", object + "data:\n  x: y\n", 1, nil, nil, nil},
		{"f.yaml", object + "data:\n  x: y", 1, nil, nil, nil},
		{"namespaces/a/b.json", `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}`, 1, nil, nil, nil},
		{
			"namespaces/a/b.json",
			`{"apiVersion":"v1","kind":"A"}`,
			1,
			nil,
			[]string{"1: a CR has no name, although the cluster gave it one; the file may be truncated"},
			nil,
		},
	}
	for _, c := range tests {
		got := Read(c.name, "", []byte(c.data), Hints{})
		lines := func(problems []refconfig.Problem) []string {
			var texts []string
			for _, p := range problems {
				texts = append(texts, fmt.Sprintf("%d: %s", p.Place.Line, p.Message))
			}
			return texts
		}
		var passed []Reason
		for _, p := range got.Passed {
			passed = append(passed, p.Reason)
		}
		want := []any{c.objects, c.problems, c.warnings, c.passed}
		if diff := cmp.Diff(want, []any{len(got.Objects), lines(got.Problems), lines(got.Warnings), passed}); diff != "" {
			t.Errorf("%s %q:\n%s", c.name, c.data, diff)
		}
	}
}

func TestReadChangesNothing(t *testing.T) {
	for _, c := range testkit.Traps() {
		data := []byte(c.Text)
		for _, o := range Read("f.yaml", "", data, Hints{}).Objects {
			_, _ = o.Decode()
		}
		if !bytes.Equal(data, []byte(c.Text)) {
			t.Errorf("%s: the content was changed", c.Name)
		}
	}
}

// TestManyDirectives: the library compares each directive with all before it.
func TestManyDirectives(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "%%TAG !a%d! tag:x,2000:%d\n", i, i)
	}
	c := Read("a.yaml", "", []byte(text.String()+"---\napiVersion: v1\nkind: A\n"), Hints{})
	if len(c.Problems) != 1 || !strings.Contains(c.Problems[0].Message, "more than 100 directives") {
		t.Errorf("%v", c.Problems)
	}
}

package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/traps"
)

func TestScannerIsNotFooled(t *testing.T) {
	for _, c := range traps.All() {
		t.Run(c.Name, func(t *testing.T) {
			text := kubeyaml.DecodeText([]byte(c.Text))
			d := kubeyaml.Document{Text: text}.Body()
			ok := kubeyaml.IsPlainText(text) && text[len(text)-1] == '\n'
			if ok {
				_, ok = scanYAML(kubeyaml.DefaultLimits(), d)
			}
			if ok == c.Decline {
				t.Errorf("declined: %v, want %v", !ok, c.Decline)
			}
			for _, hints := range []Hints{{}, {NoScan: true}} {
				var keys []string
				for _, o := range Read("a.yaml", "", []byte(c.Text), hints).Objects {
					keys = append(keys, o.ID.Key())
				}
				if diff := cmp.Diff(c.Want, strings.Join(keys, ",")); diff != "" {
					t.Errorf("NoScan %v:\n%s", hints.NoScan, diff)
				}
			}
		})
	}
}

// TestItemsInBracesKeepTheirText: items of a List in braces hold their text, which takes far less
// memory than their nodes, and decode from it.
func TestItemsInBracesKeepTheirText(t *testing.T) {
	read := Read(
		"a.yaml",
		"",
		[]byte(
			"# b\n{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: A, metadata: {name: a}},\n {apiVersion: v1, kind: B, data: [é,\nc]}]}\n",
		),
		Hints{},
	)
	if len(read.Objects) != 2 || len(read.Problems) > 0 {
		t.Fatalf("%d objects, problems %v", len(read.Objects), read.Problems)
	}
	for i, want := range []string{"{apiVersion: v1, kind: A, metadata: {name: a}}", "{apiVersion: v1, kind: B, data: [é,\nc]}"} {
		o := read.Objects[i]
		n, err := o.Node()
		if err != nil || string(o.source.text) != want || n.Line != i+2 || n.Values[1].Text != o.ID.Kind {
			t.Errorf("item %d has the text %q, and %v: %+v", i, o.source.text, err, n)
		}
	}
}

// TestHeadsInBracesTakeFewAllocations: of a document in braces no nodes are made to read its head.
func TestHeadsInBracesTakeFewAllocations(t *testing.T) {
	text := []byte(
		"{apiVersion: v1, kind: A, metadata: {name: n000001}, a: 1, b: [{c: d, e: f}, g, h, i, j, k, l, m]}\n",
	)
	if n := testing.AllocsPerRun(100, func() { Read("a.yaml", "", text, Hints{}) }); n > 25 {
		t.Errorf("reading a CR in braces takes %.0f allocations", n)
	}
}

// Wherever JSON is cut off, it is neither JSON nor YAML.
func TestCutOffJSONIsNoYAML(t *testing.T) {
	const text = `{"apiVersion": "v1", "kind": "List", "items": [{"kind": "A", "n": [-1.5e+3, true, null, "\u00e4 # ' \" {"]},
  {"kind": "B", "metadata": {"name": "b", "labels": {}}}, []]}`
	if _, err := kubeyaml.Parse([]byte(text)); err != nil {
		t.Fatal(err)
	}
	for n := 1; n < len(text); n++ {
		for _, end := range []string{"", "\n", "\n\n"} {
			_, err := kubeyaml.Parse([]byte(text[:n] + end))
			if err == nil {
				t.Errorf("%q is accepted", text[:n]+end)
			}
			for _, noScan := range []bool{false, true} {
				out := Read("a.json", "", []byte(text[:n]+end), Hints{Asked: true, NoScan: noScan})
				if len(out.Objects) > 0 || n > 20 && len(out.Problems) != 1 {
					t.Errorf("%q: %d objects, problems %v", text[:n]+end, len(out.Objects), out.Problems)
				}
			}
		}
	}
}

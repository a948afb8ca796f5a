package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

func TestScannerIsNotFooled(t *testing.T) {
	scanned := 0
	for _, c := range testkit.Traps() {
		t.Run(c.Name, func(t *testing.T) {
			if scanOf([]byte(c.Text)) != nil {
				scanned++
			}
			for _, decode := range []bool{false, true} {
				var keys []string
				for _, o := range read("a.yaml", "", []byte(c.Text), Hints{}, decode).Objects {
					keys = append(keys, o.ID.Key())
				}
				if diff := cmp.Diff(c.Want, strings.Join(keys, ",")); diff != "" {
					t.Errorf("decoded %v:\n%s", decode, diff)
				}
			}
		})
	}
	if scanned < 70 {
		t.Errorf("only %d traps are scanned, the others are decoded", scanned)
	}
}

func newTestReader() *reader {
	limits := kubeyaml.DefaultLimits()
	return &reader{limits: &limits, nodes: &kubeyaml.Room{}}
}

// scanOf returns what scanYAML makes of a text as a file of one document; nil if it declines.
func scanOf(text []byte) *head {
	text = kubeyaml.DecodeText(text)
	if !kubeyaml.IsPlainText(text) || text[len(text)-1] != '\n' {
		return nil
	}
	return newTestReader().scanYAML(kubeyaml.Document{Text: text}.Body())
}

// Wherever JSON is cut off, it is neither JSON nor YAML.
func TestCutOffJSONIsNotYAML(t *testing.T) {
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
			for _, decode := range []bool{false, true} {
				out := read("a.json", "", []byte(text[:n]+end), Hints{Asked: true}, decode)
				if len(out.Objects) > 0 || n > 20 && len(out.Problems) != 1 {
					t.Errorf("%q: %d objects, problems %v", text[:n]+end, len(out.Objects), out.Problems)
				}
			}
		}
	}
}

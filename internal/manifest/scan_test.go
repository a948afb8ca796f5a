package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/testkit"
)

func TestScannerIsNotFooled(t *testing.T) {
	for _, c := range testkit.Traps() {
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

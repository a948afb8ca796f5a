package pattern

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestGolden applies capturegroups to the template and the input of each archive in testdata, and
// compares the value, and what is said about it, with the other two files.
func TestGolden(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		f := a.Files
		if len(f) != 4 || f[0].Name != "template" || f[1].Name != "input" || f[2].Name != "value" ||
			f[3].Name != "said" {
			t.Fatal("want the files template, input, value and said")
		}
		o, err := Apply(CaptureGroups, string(f[0].Data), string(f[1].Data))
		if err != nil {
			t.Fatal(err)
		}
		a.Want(t, "value", o.Value)
		a.Want(t, "said", said(o))
	})
}

func said(o Outcome) string {
	var b strings.Builder
	for _, c := range o.Captures {
		fmt.Fprintf(&b, "%s = %q\n", c.Name, c.Value)
	}
	for _, v := range o.Variable {
		fmt.Fprintf(&b, "%q varies\n", o.Value[v.Start:v.End])
	}
	for _, f := range o.Findings {
		fmt.Fprintln(&b, f.Message())
	}
	var g Groups
	g.Add("field", o.Captures)
	for _, c := range g.Conflicts() {
		fmt.Fprintln(&b, c.Message())
	}
	return b.String()
}

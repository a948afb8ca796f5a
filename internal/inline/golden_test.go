package inline

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

func TestMain(m *testing.M) {
	flag.Bool("update", false, "write the golden files anew")
	flag.Parse()
	os.Exit(m.Run())
}

// TestGolden applies capturegroups to the template and the input of each archive in testdata, and compares the value, and
// what is said about it, with the other two files.
func TestGolden(t *testing.T) {
	update := flag.Lookup("update").Value.String() == "true"
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f := archive.Files
			if len(f) != 4 || f[0].Name != "template" || f[1].Name != "input" || f[2].Name != "value" || f[3].Name != "said" {
				t.Fatal("want the files template, input, value and said")
			}
			o, err := Apply(CaptureGroups, string(f[0].Data), string(f[1].Data))
			if err != nil {
				t.Fatal(err)
			}
			if update {
				f[2].Data, f[3].Data = []byte(o.Value), []byte(said(o))
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(string(f[2].Data), o.Value); d != "" {
				t.Errorf("value (-want +got):\n%s", d)
			}
			if d := cmp.Diff(string(f[3].Data), said(o)); d != "" {
				t.Errorf("said (-want +got):\n%s", d)
			}
		})
	}
}

func said(o Outcome) string {
	var b strings.Builder
	for _, c := range o.Captures {
		fmt.Fprintf(&b, "%s = %q\n", c.Name, c.Value)
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

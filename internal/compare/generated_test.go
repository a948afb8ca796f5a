package compare_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/validationtool/validationtool/internal/author/generate"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/input/cluster"
)

// TestAuditOfGenerated generates references from CRs: the CRs match them, and a later change of a
// CR is found unless it is in a secret value, which is not written, or in a field that the cluster
// writes.
func TestAuditOfGenerated(t *testing.T) {
	for _, c := range []struct {
		input string
		least int // changes
		every int // see TestAudit
	}{
		{"../../examples/ran-du/cluster", 3000, 3},
		{"../../../shared/conformance/inputs/core", 9000, 7},
	} {
		if _, err := os.Stat(c.input); err != nil {
			continue
		}
		t.Run(filepath.Base(c.input), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			writeGenerated(t, folder, c.input)
			compare.AuditGenerated(t, folder, c.input, c.every, c.least)
		})
	}
}

// writeGenerated writes the reference that is generated from CRs.
func writeGenerated(t *testing.T, folder, input string) {
	t.Helper()
	var opt generate.Options
	clusters, err := cluster.Read(t.Context(), cluster.Options{Inputs: []string{input}}).Collect(opt.Trim)
	if err != nil {
		t.Fatal(err)
	}
	made, err := generate.From(t.Context(), clusters, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range made.Files {
		name := filepath.Join(folder, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

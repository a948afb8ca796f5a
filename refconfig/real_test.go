package refconfig_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/validationtool/validationtool/refconfig"
)

// TestReferencesOfOthersLoad loads what lies beside this checkout or in it, where it is there:
// published references, and the examples.
func TestReferencesOfOthersLoad(t *testing.T) {
	published, _ := filepath.Glob("../../shared/conformance/references/*")
	examples, _ := filepath.Glob("../examples/*/reference")
	all := append(published, examples...)
	if len(all) == 0 {
		t.Skip("there are none here")
	}
	for _, folder := range all {
		ref, problems := refconfig.Load(os.DirFS(folder), ".", refconfig.LoadOptions{Name: folder})
		for _, p := range problems {
			t.Errorf("%s %v", p.Code, p)
		}
		if len(ref.Templates) == 0 || len(ref.Parts) == 0 {
			t.Errorf("%s: %d templates in %d parts", folder, len(ref.Templates), len(ref.Parts))
		}
		for _, w := range ref.Warnings {
			t.Logf("warning: %s %v", w.Code, w)
		}
		t.Logf(
			"%s: %s, %d templates, %d parts, %d function files, %s",
			folder,
			ref.Format,
			len(ref.Templates),
			len(ref.Parts),
			len(ref.Functions),
			ref.Hash,
		)
	}
}

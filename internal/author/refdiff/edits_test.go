package refdiff

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// version loads a reference.
func version(t *testing.T, files fs.FS, name string) Version {
	t.Helper()
	ref, engine := given.Load(t, files, name)
	return Version{ref, engine}
}

// TestEditsAreNamed edits a copy of an example: each edit is named, and nothing else is. The comment
// of the archive is the folder of the example; each file has edits; "want" has their changes.
func TestEditsAreNamed(t *testing.T) {
	testkit.Each(t, "testdata/edits.txtar", func(t *testing.T, a *testkit.Archive) {
		original := given.Files(t, strings.TrimSpace(string(a.Comment)))
		before := version(t, original, "old")
		var got strings.Builder
		for _, f := range a.Files {
			if f.Name == "want" {
				continue
			}
			d, err := Of(t.Context(), before, version(t, given.Edited(t, original, string(f.Data)), "new"))
			if err != nil {
				t.Fatal(err)
			}
			got.WriteString(f.Name + "\n")
			for _, c := range d.Changes {
				fmt.Fprintf(&got, "  %s %s %s\n", c.Group, c.Kind, c.title())
				for _, line := range c.versions() {
					got.WriteString("    " + line + "\n")
				}
			}
		}
		a.Want(t, "want", got.String())
	})
}

// TestNoLineGoesUnnoticed takes lines out of the templates of an example, one by one: each of them
// is a change for users, or the reference does not load any more.
func TestNoLineGoesUnnoticed(t *testing.T) {
	original := given.Files(t, "../../../examples/ran-du/reference")
	before := version(t, original, "old")
	n, told := 0, 0
	for _, one := range before.Engine.Templates() {
		file := one.Ref.Path
		lines := strings.SplitAfter(string(original[file].Data), "\n")
		for i, line := range lines {
			text := strings.TrimSpace(line)
			if n++; text == "" || text[0] == '#' || strings.HasPrefix(text, "{{- /*") || !testkit.Whole() && n%9 > 0 {
				continue
			}
			files := maps.Clone(original)
			files[file] = &fstest.MapFile{Data: []byte(strings.Join(slices.Delete(slices.Clone(lines), i, i+1), ""))}
			ref, faults := refconfig.Load(files, ".", refconfig.LoadOptions{Name: "new"})
			engine, more := render.Compile(t.Context(), ref)
			if len(faults)+len(more) > 0 {
				continue
			}
			d, err := Of(t.Context(), before, Version{ref, engine})
			if err != nil {
				t.Fatal(err)
			}
			if told++; d.ExitStatus == 0 && !strings.Contains(line, "upgradeStrategy") {
				t.Errorf("%s:%d: %q is taken out, and %v is told", file, i+1, line, d.Changes)
			}
		}
	}
	if told < 30 {
		t.Errorf("%d lines were taken out", told)
	}
}

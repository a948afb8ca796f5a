// Package given loads references and the objects of inputs for tests. Any problem with them ends
// the test. It is for tests only.
package given

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Load loads and compiles the reference at the root of some files. Locations begin with the name.
func Load(t testing.TB, fsys fs.FS, name string) (*refconfig.Reference, *render.Engine) {
	t.Helper()
	ref, faults := refconfig.Load(fsys, ".", refconfig.LoadOptions{Name: name})
	engine, more := render.Compile(context.Background(), ref)
	if faults = append(faults, more...); len(faults) > 0 {
		t.Fatal(faults)
	}
	return ref, engine
}

// Objects reads the objects of a YAML text, which has at least one.
func Objects(t testing.TB, name, text string) []*manifest.Object {
	t.Helper()
	c := manifest.Read(name, "", []byte(text), manifest.Hints{})
	if len(c.Problems) > 0 || len(c.Objects) == 0 {
		t.Fatalf("%s: %d objects, %v", name, len(c.Objects), c.Problems)
	}
	return c.Objects
}

// Folders reads the objects of the YAML files of some folders.
func Folders(t testing.TB, names ...string) (objects []*manifest.Object) {
	t.Helper()
	for _, name := range names {
		err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			data, err := os.ReadFile(path)
			objects = append(objects, manifest.Read(path, "", data, manifest.Hints{}).Objects...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return objects
}

// FieldPath returns the path of keys (string) and indexes (int).
func FieldPath(path []any) refconfig.FieldPath {
	var p refconfig.FieldPath
	for _, s := range path {
		switch s := s.(type) {
		case string:
			p = append(p, refconfig.Key(s))
		case int:
			p = append(p, refconfig.Step{Index: s})
		}
	}
	return p
}

// Files reads the files of a folder into memory.
func Files(t testing.TB, folder string) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{}
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		all[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Edited returns a copy of some files after edits. A line "@ FILE" names the file of the hunks after
// it; "@ FILE -> NEW" renames the file, and "@ FILE ->" deletes it. The lines of a hunk begin as in a
// diff, and an empty line ends it. A hunk applies to the first place with its old lines.
func Edited(t testing.TB, files fstest.MapFS, edits string) fstest.MapFS {
	t.Helper()
	out, name := maps.Clone(files), ""
	for part := range strings.SplitSeq(strings.TrimSpace(edits)+"\n", "\n\n") {
		old, new := "\n", "\n"
		for line := range strings.Lines(strings.TrimSuffix(part, "\n") + "\n") {
			mark, rest := line[0], line[1:]
			if mark == '@' {
				from, to, isMove := strings.Cut(strings.TrimSpace(rest), " ->")
				name = from
				if isMove {
					name = strings.TrimSpace(to)
					out[name] = out[from]
					delete(out, from)
				}
				continue
			}
			if mark != '+' {
				old += rest
			}
			if mark != '-' {
				new += rest
			}
		}
		if old == new { // no hunk
			continue
		}
		text := "\n"
		if f := out[name]; f != nil {
			text += string(f.Data)
		}
		if !strings.Contains(text, old) || old == "\n" && text != "\n" {
			t.Fatalf("%s does not have the lines%s", name, old)
		}
		out[name] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, new, 1)[1:])}
	}
	delete(out, "")
	return out
}

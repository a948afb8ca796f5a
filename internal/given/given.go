// Package given loads references and the objects of inputs for tests. Any problem with them ends
// the test. It is for tests only.
package given

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Every test that imports this package has the flag.
var _ = flag.Bool("all", false, "try more of what is made up, and every change of an audit, not a sample of them")

// All reports whether a test must try everything.
func All() bool { return flag.Lookup("all").Value.(flag.Getter).Get().(bool) }

// Rounds returns how many generated cases a test tries: n, four times as many with -all, and few
// with -short.
func Rounds(n int) int {
	switch {
	case All():
		return 4 * n
	case testing.Short():
		return n / 4
	}
	return n
}

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

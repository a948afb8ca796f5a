package testkit

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// Every test that imports this package has the flag.
var _ = flag.Bool("update", false, "write what is wanted of the golden files anew")

// Updates reports whether golden files are to be written anew.
func Updates() bool { return flag.Lookup("update").Value.String() == "true" }

// Archive is one page. The test decides what its files mean.
type Archive struct {
	txtar.Archive
	written bool // the expected output was replaced
}

// Each runs a test for each archive that matches a pattern, and fails without any.
func Each(t *testing.T, pattern string, test func(t *testing.T, a *Archive)) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no archive %s: %v", pattern, err)
	}
	for _, name := range names {
		name, err := filepath.Abs(name) // the test may change the working folder
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			parsed, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			a := &Archive{Archive: *parsed}
			test(t, a)
			if a.written {
				if err := os.WriteFile(name, txtar.Format(&a.Archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Want compares the result of a test with a file of the archive, or replaces the file with -update.
func (a *Archive) Want(t *testing.T, name, got string) {
	t.Helper()
	if Updates() {
		a.set(name, got)
		return
	}
	want, there := a.Text(name)
	if !there {
		t.Fatalf("the archive has no file %q; run with -update", name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// Text returns the content of a file; ok is false if it does not exist.
func (a *Archive) Text(name string) (string, bool) {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data), true
		}
	}
	return "", false
}

func (a *Archive) set(name, text string) {
	a.written = true
	for i, f := range a.Files {
		if f.Name == name {
			a.Files[i].Data = []byte(text)
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
}

// Texts returns the files by name. In them, <NUL>, <BEL>, <FF>, <TAB> and <CR> are bytes that
// a text archive cannot hold, or that an editor would change.
func (a *Archive) Texts() map[string]string {
	bytes := strings.NewReplacer("<NUL>", "\x00", "<BEL>", "\a", "<FF>", "\xff", "<TAB>", "\t", "<CR>", "\r")
	texts := map[string]string{}
	for _, f := range a.Files {
		texts[f.Name] = bytes.Replace(string(f.Data))
	}
	return texts
}

package memoryfs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/memoryfs"
	"github.com/validationtool/validationtool/internal/pack"
	"github.com/validationtool/validationtool/internal/source"
)

func TestFilesAsAFileSystem(t *testing.T) {
	data := pack.GZ(pack.Tar(
		pack.Entry{Name: "./metadata.yaml", Data: "first"}, pack.Entry{Name: "parts/a.yaml", Data: ""}, pack.Entry{Name: "metadata.yaml", Data: "last"},
		pack.Entry{Name: "parts/b.yaml", Kind: '2', Link: "a.yaml"},
	))
	archive := filepath.Join(t.TempDir(), "ref.tgz")
	if err := os.WriteFile(archive, data, 0o600); err != nil {
		t.Fatal(err)
	}
	files, _, err := source.ReadAll(t.Context(), archive, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fsys := memoryfs.Of(source.Contents(files))
	got := map[string]string{}
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(fsys, name)
		got[name] = string(content)
		return err
	})
	if diff := cmp.Diff(map[string]string{"metadata.yaml": "last", "parts/a.yaml": "", "parts/b.yaml": ""}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if err := fstest.TestFS(struct{ fs.FS }{fsys}, "metadata.yaml", "parts", "parts/b.yaml"); err != nil {
		t.Error(err)
	}
}

// TestAFileSystemSharesItsContent: a reference with a hundred links to one large file takes it once.
func TestAFileSystemSharesItsContent(t *testing.T) {
	data := []byte("content")
	fsys := memoryfs.Of(source.Contents([]source.File{{Name: "a", Data: data}, {Name: "b/c", Data: data}, {Name: "a/in the way", Data: data}, {Name: "b", Data: data}, {Name: "../out", Data: data}}))
	for _, name := range []string{"a", "b/c", "out"} {
		if got, err := fs.ReadFile(fsys, name); err != nil || &got[0] != &data[0] {
			t.Errorf("%s: a copy, %v", name, err)
		}
	}
	for _, name := range []string{"b", "nowhere", "/a", "a/in the way"} {
		if _, err := fs.ReadFile(fsys, name); err == nil {
			t.Errorf("%s can be read", name)
		}
	}
}

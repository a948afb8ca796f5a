package source

import (
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFilesAsAFileSystem(t *testing.T) {
	data := gz(tarOf(
		entry{name: "./metadata.yaml", data: "first"}, entry{name: "parts/a.yaml", data: ""}, entry{name: "metadata.yaml", data: "last"},
		entry{name: "parts/b.yaml", kind: '2', link: "a.yaml"},
	))
	files, _, err := ReadAll(t.Context(), writeFile(t, "ref.tgz", data), Options{})
	if err != nil {
		t.Fatal(err)
	}
	fsys, err := FS(files)
	if err != nil {
		t.Fatal(err)
	}
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
}

package harvester

import (
	"archive/zip"
	"bytes"
	"flag"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "pack the support bundles anew")

// TestBundles holds the committed support bundles against the folders that they are packed from.
func TestBundles(t *testing.T) {
	for _, name := range []string{"healthy", "broken"} {
		made := pack(
			t, os.DirFS("bundles/"+name), "supportbundle_5b0a7d5c-93c4-4a26-8f6c-0d3e2a9b7c41_2024-05-14T08-30-12Z/",
		)
		if *update {
			if err := os.WriteFile("bundles/"+name+".zip", made, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		committed, err := os.ReadFile("bundles/" + name + ".zip")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(unpack(t, committed), unpack(t, made)); diff != "" {
			t.Errorf(
				"run `go test ./examples/harvester-cloudinit -update`: %s.zip is not what its folder gives (-committed +made):\n%s",
				name,
				diff,
			)
		}
	}
}

// pack returns a folder as a zip, with each folder of nodes/ as a zip in it: nodes/harv1.zip holds
// harv1/ and what is below it.
func pack(t *testing.T, folder fs.FS, prefix string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, data []byte) {
		w, err := z.CreateHeader(&zip.FileHeader{
			Name:     prefix + name,
			Method:   zip.Deflate,
			Modified: time.Date(2024, 5, 14, 8, 30, 12, 0, time.UTC),
		})
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path.Dir(name) == "nodes":
			node, err := fs.Sub(folder, name)
			if err != nil {
				return err
			}
			add(name+".zip", pack(t, node, path.Base(name)+"/"))
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		data, err := fs.ReadFile(folder, name)
		add(name, data)
		return err
	})
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unpack returns the texts of a zip and of the zips in it, by their names.
func unpack(t *testing.T, packed []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(f.Name, ".zip") {
			all[f.Name] = string(data)
			continue
		}
		for name, text := range unpack(t, data) {
			all[f.Name+"/"+name] = text
		}
	}
	return all
}

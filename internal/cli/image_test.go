package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// layout writes an OCI layout with an image of some layers, and returns the digest of its manifest.
func layout(t *testing.T, folder string, layers ...map[string]string) (digest string) {
	t.Helper()
	must(os.MkdirAll(filepath.Join(folder, "blobs/sha256"), 0o755))
	blob := func(text []byte) string {
		sum := sha256.Sum256(text)
		name := hex.EncodeToString(sum[:])
		must(os.WriteFile(filepath.Join(folder, "blobs/sha256", name), text, 0o644))
		return "sha256:" + name
	}
	var named []string
	for _, files := range layers {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		w := tar.NewWriter(z)
		for _, name := range tree.Keys(files) {
			must(w.WriteHeader(&tar.Header{Name: name, Size: int64(len(files[name])), Mode: 0o644, Typeflag: tar.TypeReg}))
			_, err := w.Write([]byte(files[name]))
			must(err)
		}
		must(w.Close())
		must(z.Close())
		named = append(named, fmt.Sprintf(`{"digest":%q}`, blob(packed.Bytes())))
	}
	digest = blob([]byte(`{"layers":[` + strings.Join(named, ",") + `]}`))
	must(os.WriteFile(filepath.Join(folder, "oci-layout"), []byte(`{"imageLayoutVersion":"1.0.0"}`), 0o644))
	must(os.WriteFile(filepath.Join(folder, "index.json"), []byte(`{"manifests":[{"digest":"`+digest+`"}]}`), 0o644))
	return digest
}

// dropLayer deletes a layer of the folder image.
func dropLayer() {
	all, err := filepath.Glob("image/blobs/sha256/*")
	must(err)
	for _, name := range all {
		if text, err := os.ReadFile(name); err == nil && text[0] == 0x1f {
			must(os.Remove(name))
			return
		}
	}
}

// packFolder writes an archive of the folder image as skopeo's oci-archive does: its content, or with
// top image the folder itself.
func packFolder(name, top string) error {
	from := "."
	if top == "." {
		from = "image"
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := tar.NewWriter(f)
	root := os.DirFS(from)
	err = fs.WalkDir(root, top, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, file)
		if err != nil {
			return err
		}
		header := &tar.Header{Name: file, Size: int64(len(text)), Mode: 0o644, Typeflag: tar.TypeReg}
		if err := w.WriteHeader(header); err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
	return errors.Join(err, w.Close(), f.Close())
}

// TestReferencesInImages: the unpacked image of a container is a reference, with all of its layers,
// and so is an archive of it.
func TestReferencesInImages(t *testing.T) {
	const (
		metadata = "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: a.yaml}]}]}]\n"
		template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: app}\n"
	)
	first := map[string]string{
		"ref/metadata.yaml": metadata, "ref/a.yaml": fmt.Sprintf(template, "old"), "etc/os": "x", "more/metadata.yaml": metadata,
	}
	for name, c := range map[string]struct {
		layers []map[string]string
		change func(digest string)
		want   string // a part of what is printed
	}{
		"changed":  {layers: []map[string]string{first, {"ref/a.yaml": fmt.Sprintf(template, "new"), "more/.wh.metadata.yaml": ""}}, want: "app/new"},
		"folder":   {layers: []map[string]string{first, {".wh.more": ""}}, want: "app/old"},
		"opaque":   {layers: []map[string]string{first, {"more/.wh..wh..opq": "", "more/b": ""}}, want: "app/old"},
		"several":  {layers: []map[string]string{first}, want: "name that: image/more/metadata.yaml, image/ref/metadata.yaml"},
		"nothing":  {layers: []map[string]string{{"etc/os": "x"}}, want: "has neither a metadata.yaml nor a CR"},
		"no layer": {want: "names 0 images instead of one"},
		"images": {layers: []map[string]string{first}, want: "index.json names 2 images instead of one", change: func(digest string) {
			one := fmt.Sprintf(`{"digest":%q}`, digest)
			must(os.WriteFile("image/index.json", []byte(`{"manifests":[`+one+`,`+one+`]}`), 0o644))
		}},
		"digest": {layers: []map[string]string{first}, want: "is not a SHA-256 digest", change: func(string) {
			must(os.WriteFile("image/index.json", []byte(`{"manifests":[{"digest":"sha256:../../x"}]}`), 0o644))
		}},
		"changed manifest": {layers: []map[string]string{first}, want: "does not have the checksum of its name", change: func(digest string) {
			must(os.WriteFile("image/blobs/sha256/"+strings.TrimPrefix(digest, "sha256:"), []byte(`{"layers":[]}`), 0o644))
		}},
		"empty layer":  {layers: []map[string]string{first, {".wh.more": ""}, {}}, want: "app/old"},
		"absent layer": {layers: []map[string]string{first, {".wh.more": ""}}, want: "blobs/sha256", change: func(string) { dropLayer() }},
		"lost": {layers: []map[string]string{first}, want: "it is an image that cannot be read", change: func(string) {
			must(os.Remove("image/index.json"))
		}},
	} {
		t.Chdir(t.TempDir())
		digest := layout(t, "image", c.layers...)
		if c.change != nil {
			c.change(digest)
		}
		status, out, errs := outcome("inspect", "image")
		for _, top := range []string{".", "image"} {
			must(packFolder("image.tar", top))
			again, packed, said := outcome("inspect", "image.tar")
			if status == 0 && strings.Replace(packed, "image.tar", "image", 1) != out || again != status {
				t.Errorf("%s, packed from %s: %d, %s%s, want %s", name, top, again, packed, said, out)
			}
		}
		if !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: %d, %s%s, want %s", name, status, out, errs, c.want)
		}
		if name == "several" { // one of them can be named
			for _, one := range []string{"image/ref", "image.tar/ref", "image.tar/ref/"} {
				if status, out, errs := outcome("inspect", one); status != 0 || !strings.Contains(out, "app/old") {
					t.Errorf("%s: %d, %s%s", one, status, out, errs)
				}
			}
		}
		if isReference := slices.Contains([]string{"changed", "folder", "opaque", "empty layer"}, name); isReference != (status == 0) {
			t.Errorf("%s: %d", name, status)
		}
	}
}

// TestSavedImages: what podman saves is a reference too, with its layers in the order of its manifest.
func TestSavedImages(t *testing.T) {
	const metadata = "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: a.yaml}]}]}]\n"
	cm := func(name string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: app}\n"
	}
	t.Chdir(t.TempDir())
	must(os.MkdirAll("image/first", 0o755))
	for file, entries := range map[string][]testkit.Entry{
		"image/first/layer.tar": {{Name: "ref/metadata.yaml", Data: metadata}, {Name: "ref/a.yaml", Data: cm("old")}},
		"image/a.tar":           {{Name: "ref/a.yaml", Data: cm("new")}},
	} {
		must(os.WriteFile(file, testkit.Tar(entries...), 0o644))
	}
	for manifest, want := range map[string]string{
		`[{"Layers":["first/layer.tar","a.tar"]}]`: "app/new",
		`[{"Layers":["a.tar","first/layer.tar"]}]`: "app/old",
		`[{"Layers":["a.tar"]},{"Layers":["b"]}]`:  "names 2 images instead of one",
		`[{"Layers":["first/layer.tar","b.tar"]}]`: "b.tar",
		`[{"Layers":["../x.tar"]}]`:                "is no path in it",
	} {
		must(os.WriteFile("image/manifest.json", []byte(manifest), 0o644))
		must(packFolder("image.tar", "."))
		for _, name := range []string{"image", "image.tar"} {
			if status, out, errs := outcome("inspect", name); !strings.Contains(out+errs, want) ||
				(status == 0) != strings.HasPrefix(want, "app/") {
				t.Errorf("%s, %s: %d, %s%s", manifest, name, status, out, errs)
			}
		}
	}
}

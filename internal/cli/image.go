package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/run/code"
)

// descriptor names a blob of an OCI layout. index.json and the manifest of an image have lists of
// them.
type descriptor struct {
	MediaType string       `json:"mediaType"`
	Digest    string       `json:"digest"`
	Manifests []descriptor `json:"manifests"`
	Layers    []descriptor `json:"layers"`
}

// isImage reports whether a folder is an OCI layout, as `skopeo copy docker://IMAGE oci:FOLDER`
// writes it, or oci-archive:FILE into an archive.
func isImage(folder fs.FS) bool {
	_, err := fs.Stat(folder, "oci-layout")
	return err == nil
}

// image is an OCI layout: a folder, or what was read of an archive of one.
type image struct {
	name   string // the folder or the archive
	folder fs.FS
	packed *packed // the archive; nil for a folder
	top    string  // the folder of the layout in the archive
}

// readImage returns the files of the only image of an OCI layout, with all layers applied, and the
// folder in it with a metadata.yaml.
func (p *program) readImage(ctx context.Context, i image) (fs.FS, string, error) {
	broken := func(format string, args ...any) (fs.FS, string, error) {
		return nil, "", fmt.Errorf("%s: %s: %s", code.RefUnreadable, i.name, fmt.Sprintf(format, args...))
	}
	manifest, err := manifestOf(i.folder)
	if err != nil {
		return broken("it is an OCI layout that cannot be read: %v", err)
	}
	all := fstest.MapFS{}
	for _, l := range manifest.Layers {
		blob, err := blobOf(l.Digest)
		if err != nil {
			return broken("%v", err)
		}
		layer, err := p.layerOf(ctx, i, blob)
		switch {
		case err != nil:
			return nil, "", err
		case layer == nil:
			return broken("it is an OCI layout that cannot be read: its layer %s is absent, or is no archive", l.Digest)
		}
		addLayer(all, layer)
	}
	within := topFolder(all)
	var found []string
	for file := range all {
		if path.Base(file) == "metadata.yaml" {
			found = append(found, path.Dir(file))
		}
	}
	slices.Sort(found)
	switch {
	case len(found) > 1 && !slices.Contains(found, within):
		return broken("the image has several metadata.yaml; unpack it and name the folder of one: %s", strings.Join(found, ", "))
	case len(found) == 1:
		within = found[0]
	}
	return all, within, nil
}

// layerOf returns the files of a layer, or nil if it is absent from an archive or is none itself. An
// archive inside an archive is a folder with an exclamation mark after its name.
func (p *program) layerOf(ctx context.Context, i image, blob string) (fstest.MapFS, error) {
	if i.packed == nil {
		layer, err := p.readPacked(ctx, path.Join(i.name, blob))
		if err != nil || layer.plain {
			return nil, err
		}
		return layer.files, nil
	}
	blob = path.Join(i.top, blob)
	if i.packed.files[blob] != nil || !i.packed.met[blob] {
		return nil, nil
	}
	layer := fstest.MapFS{}
	for name, file := range i.packed.files {
		if inner, is := strings.CutPrefix(name, blob+"!/"); is {
			layer[inner] = file
		}
	}
	return layer, nil
}

// manifestOf returns the manifest of the only image of an OCI layout.
func manifestOf(folder fs.FS) (d descriptor, err error) {
	const most = 4 << 20 // bytes, as registries allow
	file := "index.json"
	for range 4 { // an index can have another one
		if info, err := fs.Stat(folder, file); err != nil {
			return d, err
		} else if info.Size() > most {
			return d, fmt.Errorf("%s is larger than 4 MiB", file)
		}
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return d, err
		}
		if sum := sha256.Sum256(text); file != "index.json" && path.Base(file) != hex.EncodeToString(sum[:]) {
			return d, fmt.Errorf("%s does not have the checksum of its name", file)
		}
		next := descriptor{}
		if err := json.Unmarshal(text, &next); err != nil {
			return d, fmt.Errorf("%s: %w", file, err)
		}
		if len(next.Layers) > 0 {
			return next, nil
		}
		if len(next.Manifests) != 1 {
			return d, fmt.Errorf("%s names %d images instead of one", file, len(next.Manifests))
		}
		if file, err = blobOf(next.Manifests[0].Digest); err != nil {
			return d, err
		}
	}
	return d, errors.New("it has no image with layers")
}

// blobOf returns the file of a blob in an OCI layout.
func blobOf(digest string) (string, error) {
	sum, isSum := strings.CutPrefix(digest, "sha256:")
	if bytes, err := hex.DecodeString(sum); !isSum || err != nil || len(bytes) != sha256.Size {
		return "", fmt.Errorf("%q is not a SHA-256 digest", digest)
	}
	return "blobs/sha256/" + sum, nil
}

// addLayer applies a layer to the files of those below it. A file .wh.NAME deletes NAME, and
// .wh..wh..opq all that the layers below have in its folder.
func addLayer(all, added fstest.MapFS) {
	for file := range added {
		folder, base := path.Split(file)
		gone, isMark := strings.CutPrefix(base, ".wh.")
		if !isMark {
			continue
		}
		delete(added, file)
		for below := range all {
			if gone == ".wh..opq" && strings.HasPrefix(below, folder) || below == folder+gone ||
				strings.HasPrefix(below, folder+gone+"/") {
				delete(all, below)
			}
		}
	}
	for file, content := range added {
		all[file] = content
	}
}

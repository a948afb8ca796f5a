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
// writes it, or oci-archive:FILE into an archive; or the content of an archive of `podman save`.
func isImage(folder fs.FS) bool {
	if _, err := fs.Stat(folder, "oci-layout"); err == nil {
		return true
	}
	return slices.ContainsFunc(savedOf(folder), func(s savedImage) bool { return len(s.Layers) > 0 })
}

// savedImage names the layers of an image in the file manifest.json of an archive of `podman save`.
type savedImage struct {
	Layers []string // paths of archives
}

// savedOf returns the images of an archive of `podman save`; none for any other folder.
func savedOf(folder fs.FS) (all []savedImage) {
	const file = "manifest.json"
	if info, err := fs.Stat(folder, file); err != nil || info.Size() > mostManifest {
		return nil
	}
	if text, err := fs.ReadFile(folder, file); err != nil || json.Unmarshal(text, &all) != nil {
		return nil
	}
	return all
}

// layersOf returns the paths of the layers of the only image of a folder, the lowest first.
func layersOf(folder fs.FS) (paths []string, err error) {
	if _, err := fs.Stat(folder, "oci-layout"); err != nil {
		saved := savedOf(folder)
		if len(saved) != 1 {
			return nil, fmt.Errorf("manifest.json names %d images instead of one", len(saved))
		}
		for _, l := range saved[0].Layers {
			if paths = append(paths, path.Clean(l)); !fs.ValidPath(path.Clean(l)) {
				return nil, fmt.Errorf("%q is no path in it", l)
			}
		}
		return paths, nil
	}
	manifest, err := manifestOf(folder)
	if err != nil {
		return nil, err
	}
	for _, l := range manifest.Layers {
		blob, err := blobOf(l.Digest)
		if err != nil {
			return nil, err
		}
		paths = append(paths, blob)
	}
	return paths, nil
}

// image is a folder with an image, see isImage, or what was read of an archive of one.
type image struct {
	name   string // the folder or the archive
	folder fs.FS
	packed *packed // the archive; nil for a folder
	top    string  // the folder of the image in the archive
}

// readImage returns the files of the only image of a folder, with all layers applied, and the
// folder in it with a metadata.yaml.
func (p *program) readImage(ctx context.Context, i image) (fs.FS, string, error) {
	broken := func(format string, args ...any) (fs.FS, string, error) {
		return nil, "", fmt.Errorf("%s: %s: %s", code.RefUnreadable, i.name, fmt.Sprintf(format, args...))
	}
	layers, err := layersOf(i.folder)
	if err != nil {
		return broken("it is an image that cannot be read: %v", err)
	}
	all := fstest.MapFS{}
	for _, file := range layers {
		layer, err := p.layerOf(ctx, i, file)
		switch {
		case err != nil:
			return nil, "", err
		case layer == nil:
			return broken("it is an image that cannot be read: its layer %s is absent, or is no archive", file)
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
	if len(found) == 1 {
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

// mostManifest is the largest size of a manifest in bytes, as registries allow it.
const mostManifest = 4 << 20

// manifestOf returns the manifest of the only image of an OCI layout.
func manifestOf(folder fs.FS) (d descriptor, err error) {
	file := "index.json"
	for range 4 { // an index can have another one
		if info, err := fs.Stat(folder, file); err != nil {
			return d, err
		} else if info.Size() > mostManifest {
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

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// imageProcessors returns the processors of the image, all with Linux.
func imageProcessors() []string { return []string{"amd64", "arm64", "s390x"} }

// image writes the container image as an archive with an OCI layout, and pushes it where a
// registry is given. It has the binary and the licenses, and nothing else.
func (r release) image(targets []target) error {
	var index v1.ImageIndex = mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, t := range targets {
		if t.system != "linux" || !slices.Contains(imageProcessors(), t.processor) {
			continue
		}
		one, err := r.platform(t)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add:        one,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: t.system, Architecture: t.processor}},
		})
	}
	dir, err := os.MkdirTemp("", tool)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	at, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	named := layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": r.tag()})
	if err := at.AppendIndex(index, named); err != nil {
		return err
	}
	var entries []entry
	files := os.DirFS(dir)
	err = fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		entries = append(entries, entry{name, 0o644, data})
		return err
	})
	var b bytes.Buffer
	if err := errors.Join(err, r.tar(&b, entries), r.save(tool+"_"+r.version+"_image.tar", b.Bytes())); err != nil {
		return err
	}
	return r.push(index)
}

// tag returns the version as a tag of an image, which has no plus sign.
func (r release) tag() string { return strings.ReplaceAll(r.version, "+", "-") }

// platform returns the image of one target.
func (r release) platform(t target) (v1.Image, error) {
	var b bytes.Buffer
	err := r.tar(&b, []entry{
		{"usr/local/bin/" + tool, 0o755, t.binary},
		{"usr/share/licenses/" + tool + "/" + noticesFile, 0o644, t.notices},
	})
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(
		func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer),
	)
	if err != nil {
		return nil, err
	}
	plain := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err := mutate.AppendLayers(plain, layer)
	if err != nil {
		return nil, err
	}
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Created = t.system, t.processor, v1.Time{Time: r.time.UTC()}
	file.Config = v1.Config{
		User:       "65532:65532",
		Entrypoint: []string{"/usr/local/bin/" + tool},
		Env:        []string{"PATH=/usr/local/bin"},
		Labels: map[string]string{
			"org.opencontainers.image.title":    tool,
			"org.opencontainers.image.version":  r.version,
			"org.opencontainers.image.licenses": "Apache-2.0",
			"org.opencontainers.image.source":   homepage,
		},
	}
	return mutate.ConfigFile(image, file)
}

// push pushes the image for all processors, where a registry is given, and prints its digest.
func (r release) push(index v1.ImageIndex) error {
	if r.registry == "" {
		return nil
	}
	to, err := name.ParseReference(r.registry)
	if err != nil {
		return err
	}
	if err := remote.WriteIndex(to, index, remote.WithAuthFromKeychain(authn.DefaultKeychain)); err != nil {
		return err
	}
	digest, err := index.Digest()
	fmt.Println(to.Context().Digest(digest.String()))
	return err
}

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// tool is the name of the binary.
const tool = "validationTool"

// release describes a release to pack.
type release struct {
	version, binaries, out, url string
	files                       []string // further files of each archive
	completions                 string   // the folder with tool.SHELL of each shell
	sources                     string   // the folder with the sources of the tool, with docs and examples
	registry                    string   // the name that the image is pushed to; "" for no registry
	time                        time.Time
	notices                     func(system, processor string) ([]byte, error)
	buildInfo                   func(binary string) (*buildinfo.BuildInfo, error)
}

// target is the tool for one system.
type target struct {
	path, system, processor string
	binary, notices         []byte
}

// packed is an archive of a target.
type packed struct {
	name, system, processor, binary string
	sum                             [sha256.Size]byte
}

// entry is a file of an archive.
type entry struct {
	name string
	mode int64
	data []byte
}

// write writes all that belongs to a release.
func (r release) write() error {
	targets, err := r.targets()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	var all []packed
	for _, t := range targets {
		p, err := r.pack(t)
		if err != nil {
			return err
		}
		all = append(all, p)
		if err := errors.Join(r.packages(t), r.bill(t)); err != nil {
			return err
		}
	}
	scoop, err := r.bucket(all)
	return errors.Join(
		err,
		r.image(targets),
		r.save("validationtool.json", append(scoop, '\n')),
		r.save(plugin+".yaml", []byte(r.manifest(all))),
		r.save("validationtool.rb", []byte(r.formula(all))),
		r.sums(),
	)
}

// targets reads the binaries, sorted by system and processor.
func (r release) targets() (all []target, err error) {
	found, err := filepath.Glob(filepath.Join(r.binaries, "*_*", tool+"*"))
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("%s: there is no binary, such as linux_amd64/%s (%v)", r.binaries, tool, err)
	}
	slices.Sort(found)
	for _, path := range found {
		t := target{path: path}
		t.system, t.processor, _ = strings.Cut(filepath.Base(filepath.Dir(path)), "_")
		if t.binary, err = os.ReadFile(path); err != nil {
			return nil, err
		}
		if t.notices, err = r.notices(t.system, t.processor); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// save writes a file of the release.
func (r release) save(name string, data []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}

// sums writes the checksums of all files of the release.
func (r release) sums() error {
	files, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, file := range files {
		if file.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(r.out, file.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), file.Name())
	}
	return r.save("SHA256SUMS", []byte(sums.String()))
}

// pack writes the archive of one target: a zip archive for Windows, as its users expect, a tar
// archive for others.
func (r release) pack(t target) (packed, error) {
	p := packed{system: t.system, processor: t.processor, binary: filepath.Base(t.path)}
	p.name = strings.Join([]string{tool, r.version, t.system, t.processor}, "_")
	entries := []entry{{p.binary, 0o755, t.binary}, {noticesFile, 0o644, t.notices}}
	for _, name := range r.files {
		data, err := os.ReadFile(name)
		if err != nil {
			return p, err
		}
		entries = append(entries, entry{filepath.Base(name), 0o644, data})
	}
	manual, err := r.manual()
	if err != nil {
		return p, err
	}
	for _, name := range manual {
		data, err := os.ReadFile(filepath.Join(r.sources, name))
		if err != nil {
			return p, err
		}
		entries = append(entries, entry{filepath.ToSlash(name), 0o644, data})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var b bytes.Buffer
	if t.system == "windows" {
		p.name += ".zip"
		err = r.zip(&b, entries)
	} else {
		p.name += ".tar.gz"
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a level that there is
		err = errors.Join(r.tar(z, entries), z.Close())
	}
	if err != nil {
		return p, err
	}
	p.sum = sha256.Sum256(b.Bytes())
	return p, r.save(p.name, b.Bytes())
}

// manual returns the names of the chapters, schemas and pictures, and of the smallest example, below
// the sources.
func (r release) manual() (names []string, err error) {
	for _, folder := range []string{"docs", "examples/quickstart"} {
		walk := func(name string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && filepath.Ext(name) != ".go" {
				names = append(names, name)
			}
			return err
		}
		if err := fs.WalkDir(os.DirFS(r.sources), folder, walk); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// tar writes a tar archive whose files belong to nobody, at the time of the release.
func (r release) tar(w io.Writer, entries []entry) error {
	t := tar.NewWriter(w)
	for _, e := range entries {
		head := tar.Header{
			Name:     e.name,
			Mode:     e.mode,
			Size:     int64(len(e.data)),
			ModTime:  r.time.UTC(),
			Typeflag: tar.TypeReg,
			Format:   tar.FormatUSTAR,
		}
		if err := t.WriteHeader(&head); err != nil {
			return err
		}
		if _, err := t.Write(e.data); err != nil {
			return err
		}
	}
	return t.Close()
}

// zip writes a zip archive, all files at the time of the release.
func (r release) zip(b *bytes.Buffer, entries []entry) error {
	z := zip.NewWriter(b)
	for _, e := range entries {
		head := zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: r.time.UTC()}
		head.SetMode(os.FileMode(e.mode))
		w, err := z.CreateHeader(&head)
		if err != nil {
			return err
		}
		if _, err := w.Write(e.data); err != nil {
			return err
		}
	}
	return z.Close()
}

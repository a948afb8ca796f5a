package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// tool is what the binary is called.
const tool = "validationTool"

// release is what is to be packed.
type release struct {
	version, binaries, out, url string
	files                       []string // what each archive has beside the binary
	time                        time.Time
	notices                     func(system, processor string) ([]byte, error)
}

// packed is an archive.
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
	folders, err := filepath.Glob(filepath.Join(r.binaries, "*_*", tool+"*"))
	if err != nil || len(folders) == 0 {
		return fmt.Errorf("%s: there is no binary, such as linux_amd64/%s (%v)", r.binaries, tool, err)
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	slices.Sort(folders)
	var all []packed
	var sums strings.Builder
	for _, binary := range folders {
		p, err := r.pack(binary)
		if err != nil {
			return err
		}
		all = append(all, p)
		fmt.Fprintf(&sums, "%x  %s\n", p.sum, p.name)
	}
	if err := os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.String()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, plugin+".yaml"), []byte(r.manifest(all)), 0o644)
}

// pack writes the archive of one binary: a zip archive for Windows, as its users expect, a tar
// archive for others.
func (r release) pack(binary string) (packed, error) {
	system, processor, _ := strings.Cut(filepath.Base(filepath.Dir(binary)), "_")
	p := packed{system: system, processor: processor, binary: filepath.Base(binary)}
	p.name = strings.Join([]string{tool, r.version, system, processor}, "_")
	entries, err := r.entries(binary)
	if err != nil {
		return p, err
	}
	licenses, err := r.notices(system, processor)
	if err != nil {
		return p, err
	}
	entries = append(entries, entry{noticesFile, 0o644, licenses})
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var b bytes.Buffer
	if system == "windows" {
		p.name += ".zip"
		err = r.zip(&b, entries)
	} else {
		p.name += ".tar.gz"
		err = r.tar(&b, entries)
	}
	if err != nil {
		return p, err
	}
	p.sum = sha256.Sum256(b.Bytes())
	return p, os.WriteFile(filepath.Join(r.out, p.name), b.Bytes(), 0o644)
}

// entries reads the files of an archive.
func (r release) entries(binary string) ([]entry, error) {
	var all []entry
	for _, name := range append([]string{binary}, r.files...) {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		e := entry{path.Base(filepath.ToSlash(name)), 0o644, data}
		if name == binary {
			e.mode = 0o755
		}
		all = append(all, e)
	}
	return all, nil
}

// tar writes a tar archive whose files belong to nobody, at the time of the release.
func (r release) tar(b *bytes.Buffer, entries []entry) error {
	z, err := gzip.NewWriterLevel(b, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
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
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
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

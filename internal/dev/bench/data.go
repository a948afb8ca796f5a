package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/ulikunitz/xz"
)

// datasets returns what fills the folder of each input, by name.
func datasets() map[string]func(*tree) {
	// A grown cluster has mostly logs, and much of them is new; a fresh one has fewer logs.
	all := map[string]func(*tree){
		"grown-10":         cluster{seed: 7, size: 417_000_000, logged: 66, repeat: 31}.write,
		"grown-1":          cluster{seed: 7, size: 41_700_000, logged: 66, repeat: 31}.write,
		"fresh-2":          cluster{seed: 1, size: 83_000_000, logged: 37, repeat: 90}.write,
		"fresh-1":          cluster{seed: 1, size: 41_800_000, logged: 37, repeat: 90}.write,
		"objects-10000-10": profiles{count: 10_000, compared: 10, differing: 50, templates: 10}.write,
		"objects-10000":    profiles{count: 10_000, compared: 10_000, differing: 50, templates: 10}.write,
		"objects-1000":     profiles{count: 1_000, compared: 1_000, differing: 50, templates: 10}.write,
		"objects-20":       profiles{count: 20, compared: 20, differing: 50, templates: 10}.write,
		"drifting-10000":   profiles{count: 10_000, compared: 10_000, differing: 100, templates: 10}.write,
		"one":              profiles{count: 1, compared: 1, differing: 50, templates: 1}.write,
		"small":            profiles{count: 1, compared: 1, differing: 50, templates: 98}.write,
		"wide":             profiles{count: 1, compared: 1, differing: 50, templates: 980}.write,
		"list.yaml":        largeList{size: 100_000_000}.write,
		"list.json":        largeList{size: 100_000_000, inJSON: true}.write,
		"configmap":        longText{size: 100_000_000}.write,
		"text-100":         longText{size: 1_000_000, compared: true, differing: 100}.write,
		"text-1":           longText{size: 1_000_000, compared: true, differing: 1}.write,
	}
	all["alike"] = func(t *tree) {
		alike := profiles{count: 100, compared: 100, differing: 50, templates: 10}
		alike.writeReference(t)
		for i := range 200 {
			alike.writeObjects(t, fmt.Sprintf("%03d", i))
		}
	}
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		crowd := profiles{count: n, compared: n, differing: 50, templates: 10}
		all[fmt.Sprintf("crowd-%d", n)] = func(t *tree) { crowd.writeObjects(t, "input") }
	}
	for _, n := range []int{90, 900} {
		all[fmt.Sprintf("levels-%d", n)] = levels(n).write
	}
	for i := range 2_000 {
		all[fmt.Sprintf("member-%04d", i)] = cluster{seed: 5000 + i, size: 800_000, logged: 37, repeat: 90}.write
	}
	for i := range 200 {
		all[fmt.Sprintf("cluster-%03d", i)] = cluster{seed: 1000 + i, size: 8_100_000, logged: 37, repeat: 90}.write
	}
	return all
}

// makeAt makes a data set at a path: a folder, or an archive if the name has the extension of one.
// An incomplete one is never at the path.
func makeAt(path string) error {
	name, isZip := strings.CutSuffix(filepath.Base(path), ".zip")
	name, _, isTar := strings.Cut(name, ".tar.")
	write := datasets()[name]
	if write == nil {
		return fmt.Errorf("there is no data set %s", name)
	}
	work := path + ".incomplete"
	made := filepath.Join(work, name)
	t := &tree{root: made, err: os.RemoveAll(work)}
	if write(t); t.err != nil {
		return t.err
	}
	if isTar || isZip {
		folder := made
		made = filepath.Join(work, filepath.Base(path))
		if err := pack(folder, made); err != nil {
			return err
		}
	}
	return errors.Join(os.Rename(made, path), os.RemoveAll(work))
}

// tree is a folder that is being filled.
type tree struct {
	root    string
	written int   // bytes
	err     error // the first error; nothing is written after it
}

// file writes a file with a name below the root.
func (t *tree) file(name string, data []byte) {
	if t.err != nil {
		return
	}
	full := filepath.Join(t.root, filepath.FromSlash(name))
	t.err = errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, data, 0o644))
	t.written += len(data)
}

// pack packs a folder as a .tar.gz, or as a .tar.xz or .zip if the path says so.
func pack(folder, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if strings.HasSuffix(path, ".zip") {
		archive := zip.NewWriter(f)
		return errors.Join(archive.AddFS(os.DirFS(folder)), archive.Close(), f.Close())
	}
	var packer io.WriteCloser = gzip.NewWriter(f)
	if strings.HasSuffix(path, ".xz") {
		if packer, err = xz.NewWriter(f); err != nil {
			return err
		}
	}
	archive := tar.NewWriter(packer)
	err = filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, file)
		header := &tar.Header{
			Typeflag: tar.TypeDir, Name: filepath.ToSlash(name) + "/", Mode: 0o755,
			ModTime: gathered(), Format: tar.FormatGNU, // like archives of collectors, with records for long names
		}
		var data []byte
		if !entry.IsDir() {
			data, err = os.ReadFile(file)
			header.Typeflag, header.Name, header.Size = tar.TypeReg, filepath.ToSlash(name), int64(len(data))
		}
		err = errors.Join(err, archive.WriteHeader(header))
		_, failed := archive.Write(data)
		return errors.Join(err, failed)
	})
	return errors.Join(err, archive.Close(), packer.Close(), f.Close())
}

// unpack unpacks a .xz or .zip file with a library alone, and prints the number of bytes.
func unpack(path string, out io.Writer) error {
	size := sizeOfXZ
	if strings.HasSuffix(path, ".zip") {
		size = sizeOfZip
	}
	n, err := size(path)
	fmt.Fprintln(out, n)
	return err
}

// sizeOfXZ unpacks a .xz file and returns the number of bytes.
func sizeOfXZ(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r, err := xz.NewReader(bufio.NewReaderSize(f, 64<<10))
	if err != nil {
		return 0, err
	}
	return io.Copy(io.Discard, r)
}

// sizeOfZip unpacks a .zip file and returns the number of bytes.
func sizeOfZip(path string) (all int64, err error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return 0, err
	}
	defer archive.Close()
	for _, entry := range archive.File {
		r, err := entry.Open()
		if err != nil {
			return all, err
		}
		n, err := io.Copy(io.Discard, r)
		if all += n; err != nil {
			return all, err
		}
	}
	return all, nil
}

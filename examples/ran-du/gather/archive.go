package main

import (
	"archive/tar"
	"io"
	"path"
	"time"
)

// writeTar writes the files, and each folder before the first file in it. Names of more than 100
// bytes get the records that GNU tar writes for them, as in archives that were packed by hand.
func writeTar(w io.Writer, files []file) error {
	t := tar.NewWriter(w)
	seen := map[string]bool{".": true}
	for _, f := range files {
		if err := writeFolders(t, path.Dir(f.path), seen); err != nil {
			return err
		}
		header := newHeader(f.path, tar.TypeReg, 0o644)
		header.Size = int64(len(f.data))
		if f.tool {
			header.Mode = 0o755
		}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	return t.Close()
}

// writeFolders writes a folder and its parents, unless they were written before.
func writeFolders(t *tar.Writer, folder string, seen map[string]bool) error {
	if seen[folder] {
		return nil
	}
	if err := writeFolders(t, path.Dir(folder), seen); err != nil {
		return err
	}
	seen[folder] = true
	return t.WriteHeader(newHeader(folder+"/", tar.TypeDir, 0o755))
}

func newHeader(name string, kind byte, mode int64) *tar.Header {
	return &tar.Header{
		Name:     name,
		Typeflag: kind,
		Mode:     mode,
		ModTime:  time.Date(2024, 9, 17, 11, 3, 42, 0, time.UTC),
		Uname:    "root",
		Gname:    "root",
		Format:   tar.FormatGNU,
	}
}

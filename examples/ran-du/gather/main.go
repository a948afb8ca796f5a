package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	dir := filepath.Join("examples", "ran-du")
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := run(dir); err != nil {
		fmt.Fprintln(os.Stderr, "gather:", err)
		os.Exit(1)
	}
}

// run writes the archive of the example in dir.
func run(dir string) error {
	out, err := os.Create(filepath.Join(dir, "must-gather.tar.gz"))
	if err != nil {
		return err
	}
	if err := pack(out, filepath.Join(dir, "cluster")); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// pack writes the CRs of a folder and their surroundings to w as a gzipped tar.
func pack(w io.Writer, folder string) error {
	objects, err := load(folder)
	if err != nil {
		return err
	}
	zip, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := writeTar(zip, layOut(objects)); err != nil {
		return err
	}
	return zip.Close()
}

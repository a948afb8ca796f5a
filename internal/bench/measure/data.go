package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// dataset is input from the program generate.
type dataset struct {
	name string // name of the file or folder
	args []string
}

// make returns the path of a data set. It generates the data unless the same program has already
// done so with the same arguments.
func (b *bench) make(d dataset) (string, error) {
	path := filepath.Join(b.data, d.name)
	stamp, err := b.stamp(d)
	if err != nil {
		return "", err
	}
	if known, err := os.ReadFile(path + ".stamp"); err == nil && bytes.Equal(known, stamp) {
		return path, nil
	}
	fmt.Fprintf(b.progress, "making %s\n", path)
	if err := errors.Join(os.RemoveAll(path), os.RemoveAll(path+".stamp"), os.MkdirAll(b.data, 0o755)); err != nil {
		return "", err
	}
	if _, err := (child{args: append(append([]string{b.generate}, d.args...), "-out", path)}).once(); err != nil {
		return "", err
	}
	return path, os.WriteFile(path+".stamp", stamp, 0o644)
}

// stamp identifies the program and the arguments of a data set.
func (b *bench) stamp(d dataset) ([]byte, error) {
	f, err := os.Open(b.generate)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%x %s\n", h.Sum(nil), strings.Join(d.args, " ")), nil
}

// The archives. A grown cluster has mostly logs, and much of them is new; a fresh one has fewer
// logs.
func grown(scale string) dataset {
	return dataset{
		"grown-" + scale + ".tar.gz",
		[]string{"must-gather", "-seed", "7", "-scale", scale, "-logs", "66", "-repeat", "25"},
	}
}

func fresh(name, scale string) dataset {
	return dataset{name, []string{"must-gather", "-scale", scale, "-repeat", "90"}}
}

// clusterOf returns the i-th of many small archives of different clusters.
func clusterOf(i int) dataset {
	return dataset{fmt.Sprintf("cluster-%03d.tar.gz", i),
		[]string{"must-gather", "-seed", fmt.Sprint(1000 + i), "-scale", "0.2", "-repeat", "90"}}
}

// manyObjects returns up to ten thousand objects. Some of them are compared.
func manyObjects(count, compared int) dataset {
	return dataset{fmt.Sprintf("objects-%d-%d", count, compared),
		[]string{"objects", "-objects", fmt.Sprint(count), "-compared", fmt.Sprint(compared), "-templates", "10"}}
}

// driftingObjects returns ten thousand objects that all differ.
func driftingObjects() dataset {
	d := manyObjects(10_000, 10_000)
	return dataset{"drifting-10000", append(d.args, "-differing", "100")}
}

func largeFile(form string) dataset {
	return dataset{"large-" + form, []string{"large", "-form", form}}
}

func longText(differing string) dataset {
	return dataset{"text-" + differing, []string{"text", "-differing", differing}}
}

// unpackedSize returns the unpacked size of an archive according to gzip.
func unpackedSize(path string) (int64, error) {
	c := shell(gunzip, path)
	var n int64
	text, err := c.output()
	if err == nil {
		_, err = fmt.Sscan(text, &n)
	}
	return n, err
}

// treeSize returns the number and the size of the files in a folder.
func treeSize(path string) (files int, total int64, err error) {
	err = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files++
			total += info.Size()
		}
		return err
	})
	return files, total, err
}

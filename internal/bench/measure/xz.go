package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/ulikunitz/xz"
)

// inflateXZ is the argument with which this program unpacks .xz files, to compare with.
const inflateXZ = "inflate-xz"

// inflate unpacks a file with the library alone and prints the number of bytes.
func inflate(path string, out io.Writer) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := xz.NewReader(bufio.NewReaderSize(f, 64<<10))
	if err != nil {
		return err
	}
	n, err := io.Copy(io.Discard, r)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, n)
	return err
}

// inflateChild runs inflate in its own process.
func inflateChild(path string) (child, error) {
	self, err := os.Executable()
	return child{args: []string{self, inflateXZ, path}}, err
}

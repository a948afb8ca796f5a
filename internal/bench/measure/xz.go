package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/ulikunitz/xz"
)

// inflateXZ is the argument with which this program is its own yardstick for .xz files.
const inflateXZ = "inflate-xz"

// inflate unpacks a file with the library alone, and prints how many bytes it holds.
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

// inflateChild runs that in a process of its own.
func inflateChild(path string) (child, error) {
	self, err := os.Executable()
	return child{args: []string{self, inflateXZ, path}}, err
}

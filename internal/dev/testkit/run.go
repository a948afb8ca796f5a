// Package testkit is what the tests of several packages share: golden files, folders and archives to
// read, texts that careless readers misread, and choices of what a test tries. It imports no package
// of the tool, so the tests of all packages can use it. It is for tests only.
package testkit

import (
	"os"
	"runtime/debug"
	"testing"
)

// Run runs the tests of a package with as little garbage collection as the tool uses for small
// inputs, and with their files in memory, if the system has a folder there and nobody chose another.
// Otherwise they take up to twice as long.
func Run(m *testing.M) {
	debug.SetGCPercent(400)
	if parent := memory(); parent != "" && os.Getenv("TMPDIR") == "" {
		if dir, err := os.MkdirTemp(parent, "validationtool"); err == nil {
			os.Setenv("TMPDIR", dir)
			defer os.RemoveAll(dir)
		}
	}
	m.Run()
}

// Package testkit is what the tests of several packages share: golden files, folders and archives to
// read, and texts that careless readers misread. It imports no package of the tool, so the tests of
// all packages can use it. It is for tests only.
package testkit

import (
	"runtime/debug"
	"testing"
)

// Run runs the tests of a package with as little garbage collection as the tool uses for small
// inputs. Otherwise it takes up to a third of their time.
func Run(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

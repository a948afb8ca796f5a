// Package seldom runs the tests of a package with the garbage collector coming as seldom as the
// tool lets it come for small inputs: it takes up to a third of their time otherwise. It is for
// tests only.
package seldom

import (
	"runtime/debug"
	"testing"
)

// Collected runs the tests.
func Collected(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

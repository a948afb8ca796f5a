// Package seldom runs the tests of a package with as little garbage collection as the tool uses for
// small inputs. Otherwise it takes up to a third of their time. It is for tests only.
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

package accept_test

import (
	"runtime/debug"
	"testing"
)

// TestMain lets the garbage collector come as seldom as the tool does for small inputs: it takes a third of the time otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

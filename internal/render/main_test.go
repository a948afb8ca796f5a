package render

import (
	"runtime/debug"
	"testing"
)

// TestMain lets the garbage collector come as seldom as the tool does for small inputs.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

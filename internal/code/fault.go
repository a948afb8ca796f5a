package code

import (
	"runtime"
	"strings"
)

// module is the path that all functions of this program begin with.
const module = "github.com/validationtool/validationtool/"

// Fault says what a recovered panic was, for a message with the code Internal, without anything of
// the values at hand: the panic's own text where the Go runtime wrote it, which names types and
// numbers only, and the function of this program that it happened in. It must be called by the
// function that recovers.
func Fault(recovered any) string {
	what := "a library gave up"
	if e, ok := recovered.(runtime.Error); ok {
		what = e.Error()
	}
	counters := make([]uintptr, 64)
	frames := runtime.CallersFrames(counters[:runtime.Callers(1, counters)])
	panicked := false
	for {
		frame, more := frames.Next()
		name, ours := strings.CutPrefix(frame.Function, module)
		switch {
		case strings.HasPrefix(frame.Function, "runtime.gopanic"),
			strings.HasPrefix(frame.Function, "runtime.sigpanic"):
			panicked = true
		case panicked && ours:
			return "a fault of the tool itself (" + what + ", in " + name + "); please report it"
		}
		if !more {
			return "a fault of the tool itself (" + what + "); please report it"
		}
	}
}

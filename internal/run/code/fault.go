package code

import (
	"errors"
	"io/fs"
	"runtime"
	"strings"
)

// module is the prefix of the names of this program's functions.
const module = "github.com/validationtool/validationtool/"

// Fault describes a recovered panic for a message with the code Internal. It names the function of
// this program that panicked. It quotes the text of a panic only if the Go runtime raised it,
// because that text has only types and numbers, and no data. The function that recovers must call
// Fault directly.
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

// Reason returns an error of the file system without the name of the file.
func Reason(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

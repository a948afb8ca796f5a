package cli

import (
	"errors"
	"io"
	"os"
)

// Output returns the standard output f, or a writer of which every write fails if the program was started without one, as by `>&-`. Go
// puts the null device in the place of one that is closed, so that a report would be lost without an error. It opens that for reading
// too, which tells it from one that the user names.
func Output(f *os.File) io.Writer {
	info, err := f.Stat()
	null, nullErr := os.Stat(os.DevNull)
	if err != nil || nullErr != nil || !os.SameFile(info, null) {
		return f
	}
	if _, err := f.Read(make([]byte, 1)); err != io.EOF {
		return f
	}
	return noOutput{}
}

var errNoOutput = errors.New("standard output is closed")

// noOutput is a standard output that is not there.
type noOutput struct{}

func (noOutput) Write([]byte) (int, error) { return 0, errNoOutput }

package cli

import (
	"cmp"
	"os"
	"strconv"

	"golang.org/x/term"

	"github.com/validationtool/validationtool/internal/report/text"
)

// defaultWidth is the default width of a report without a terminal.
const defaultWidth = 150

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := file(stream)
	return ok && term.IsTerminal(int(f.Fd()))
}

// file returns the *os.File behind a stream, if there is one.
func file(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && f != nil
}

// terminalWidth returns the number of columns of the terminal behind a stream, or 0.
func terminalWidth(stream any) int {
	f, ok := file(stream)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// widthFor returns the width of text on a stream: that of the stream's terminal, else COLUMNS, else
// that of the error stream's terminal, because a pager would show the text there. It is at most
// text.MaxWidth.
func widthFor(stream, errors any, env func(string) (string, bool)) int {
	columns, _ := env("COLUMNS")
	wanted, err := strconv.Atoi(columns)
	if err != nil || wanted < 0 {
		wanted = 0
	}
	return min(cmp.Or(terminalWidth(stream), wanted, terminalWidth(errors), defaultWidth), text.MaxWidth)
}

// colored reports whether a report is coloured. The choices "always" and "never" decide. For "auto"
// it is coloured on a terminal, unless NO_COLOR, CLICOLOR_FORCE or TERM decide differently.
func colored(choice string, stream any, env func(string) (string, bool)) bool {
	switch choice {
	case "always":
		return true
	case "never":
		return false
	}
	if v, ok := env("NO_COLOR"); ok && v != "" {
		return false
	}
	if v, ok := env("CLICOLOR_FORCE"); ok && v != "" && v != "0" {
		return true
	}
	if v, _ := env("TERM"); v == "dumb" {
		return false
	}
	return isTerminal(stream)
}

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

// environment returns the environment variables that a run reads, with what each does.
func environment() [][2]string {
	return [][2]string{
		{"NO_COLOR", "no colours, if it is not empty"},
		{"FORCE_COLOR, CLICOLOR_FORCE", "colours without a terminal too, if it is neither empty nor 0"},
		{"CLICOLOR", "no colours, if it is 0"},
		{"TERM", "no colours, if it is dumb; what the terminal of browse understands"},
		{"COLUMNS", "width of reports without a terminal"},
		{"LINES", "height of browse on a terminal without a size"},
		{"GOMEMLIMIT", "when memory is collected; --limit memory ends a run whatever it is"},
		{"GOMAXPROCS", "most processors at a time"},
	}
}

// colored reports whether a report is coloured. The choices "always" and "never" decide. For "auto"
// it is coloured on a terminal only, unless the environment decides differently. Of its variables the
// first one counts.
func colored(choice string, terminal bool, env func(string) (string, bool)) bool {
	switch choice {
	case "always":
		return true
	case "never":
		return false
	}
	if v, _ := env("NO_COLOR"); v != "" {
		return false
	}
	for _, name := range []string{"FORCE_COLOR", "CLICOLOR_FORCE"} {
		if v, _ := env(name); v != "" && v != "0" {
			return true
		}
	}
	clicolor, _ := env("CLICOLOR")
	kind, _ := env("TERM")
	return clicolor != "0" && kind != "dumb" && terminal
}

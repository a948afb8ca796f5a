package cli

import (
	"cmp"
	"strconv"

	"golang.org/x/term"
)

// widthWhenPiped is the width of a report that no terminal shows.
const widthWhenPiped = 150

// widestWanted is the most columns that are believed to be meant.
const widestWanted = 10_000

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := file(stream)
	return ok && term.IsTerminal(int(f.Fd()))
}

// isTerminal reports whether somebody sits at a stream, who can be asked and told.
func (p *program) isTerminal(stream any) bool {
	if p.io.Terminal != nil {
		return p.io.Terminal(stream)
	}
	return isTerminal(stream)
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

// widthOf is the width of what goes to a stream: that of its terminal; where it is piped, COLUMNS, else the terminal of the error stream,
// which is the one where a pager shows it.
func (p *program) widthOf(stream any) int {
	columns, _ := p.io.Env("COLUMNS")
	wanted, err := strconv.Atoi(columns)
	if err != nil || wanted < 0 || wanted > widestWanted {
		wanted = 0
	}
	return cmp.Or(terminalWidth(stream), wanted, terminalWidth(p.io.Err), widthWhenPiped)
}

// colorWanted decides whether the report is coloured: always and never are the user's word; else only on a terminal, and
// the customary variables count: NO_COLOR (no-color.org), CLICOLOR_FORCE, TERM=dumb.
func (p *program) colorWanted(choice string, stream any) bool {
	switch choice {
	case "always":
		return true
	case "never":
		return false
	}
	if v, ok := p.io.Env("NO_COLOR"); ok && v != "" {
		return false
	}
	if v, ok := p.io.Env("CLICOLOR_FORCE"); ok && v != "" && v != "0" {
		return true
	}
	if v, _ := p.io.Env("TERM"); v == "dumb" {
		return false
	}
	return isTerminal(stream)
}

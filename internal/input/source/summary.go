package source

import (
	"fmt"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Summary describes the inputs, apart from the delivered files.
type Summary struct {
	Inputs   []Input
	Problems []Problem      // content that could not be read, in the order of discovery
	NotRead  []Problem      // nested archives that were not opened (code.ArchiveNotRead)
	Skipped  map[string]int // numbers of skipped files, by reason
}

// Input is one argument, or one match of a glob among the arguments.
type Input struct {
	Path string // the argument, "-" for standard input
	// "directory", "file", "stdin", or for an archive or compressed file "tar", "tar.gz", "zip",
	// "gz", …
	Format  string
	Layout  string   // name of the collector whose layout the input has, or ""; see collector.Names
	Certain bool     // more than names of folders shows the layout
	Roots   []string // prefixes of names below which the objects of a cluster are, sorted; see collector.Names
	Files   int      // number of files delivered
	Bytes   int64    // bytes of their content
	SHA256  string   // checksum in hexadecimal digits, if all its bytes were read in their order, else ""
	Whole   bool     // reading reached the end, or the last readable byte; false if it stopped early

	// Replaced is the set of turns of files that a later entry with the same name in the same
	// archive replaces. They do not count.
	Replaced map[int]bool
}

// Problem describes something in an input that could not be used.
type Problem struct {
	refconfig.Problem
	Input int    // as in File
	Name  string // as in File

	Foreign string // for an archive that --nested does not open either: why, and what to do
}

func (p place) problem(c code.Code, format string, args ...any) Problem {
	return Problem{
		Problem: refconfig.Place{File: p.path, Entry: p.entry}.Problem(c, format, args...),
		Input:   p.input,
		Name:    p.name,
	}
}

// problemList keeps the problems of one input, up to a number of each code, so that an archive full
// of faults cannot exhaust the memory.
type problemList struct {
	list   []Problem
	counts map[code.Code]int
}

// maxProblems is the number of problems of one code that are kept for one input.
const maxProblems = 1000

func (l *problemList) add(p Problem) {
	if l.counts == nil {
		l.counts = map[code.Code]int{}
	}
	l.counts[p.Code]++
	if l.counts[p.Code] <= maxProblems {
		l.list = append(l.list, p)
	}
}

// all returns the problems. If a code has too many, its last problem says how many are not listed.
func (l *problemList) all() []Problem {
	for i := len(l.list) - 1; i >= 0; i-- {
		p := &l.list[i]
		if more := l.counts[p.Code] - maxProblems; more > 0 {
			p.Message += fmt.Sprintf(" (and %d more like this, not listed)", more)
		}
		delete(l.counts, p.Code)
	}
	return l.list
}

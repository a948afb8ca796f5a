package source

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Summary says what was found besides the files.
type Summary struct {
	Inputs   []Input
	Problems []Problem // what could not be read, in the order in which it was met
	NotRead  []Problem // archives inside the inputs that were left closed (code.ArchiveNotRead)
	Skipped  []Skipped // files passed over, by reason, sorted by reason
}

// Input is one argument, or one match of a glob among the arguments.
type Input struct {
	Path string // as given, "-" for standard input
	// "directory", "file", "stdin", or of an archive or compressed file "tar", "tar.gz", "zip",
	// "gz", …
	Format string
	Layout string   // the collector whose layout the names have, or ""; see collector.Names
	Roots  []string // prefixes of names below which a cluster's objects lie, sorted; see collector.Names
	Files  int      // files delivered
	Bytes  int64    // bytes of their content
	Whole  bool     // it was read to its end, or as far as it can be; false where the reading was ended before

	// Replaced has the turns of files that a later entry of the same name in the same archive
	// replaces. They do not count.
	Replaced map[int]bool
}

// Skipped is how many files were passed over for one reason.
type Skipped struct {
	Reason string
	Count  int
}

// Problem is something of an input that could not be used.
type Problem struct {
	refconfig.Problem
	Input int    // as in File
	Name  string // as in File

	Foreign string // of an archive that --nested does not open either: why, and what to do
}

func (p place) problem(c code.Code, format string, args ...any) Problem {
	return Problem{
		Problem: refconfig.Place{File: p.path, Entry: p.entry}.Problem(c, format, args...),
		Input:   p.input,
		Name:    p.name,
	}
}

// problemList keeps problems of one input up to a number of each code, so that an archive that is
// nothing but trouble cannot fill the memory.
type problemList struct {
	list   []Problem
	counts map[code.Code]int
}

// maxProblems is how many problems of one code are kept for one input.
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

// all returns the problems. The last of a kind that has too many says how many are not listed.
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

// sortedSkips puts the counts into the order of the reasons.
func sortedSkips(counts map[string]int) []Skipped {
	var all []Skipped
	for reason, n := range maps.All(counts) {
		all = append(all, Skipped{reason, n})
	}
	slices.SortFunc(all, func(a, b Skipped) int { return cmp.Compare(a.Reason, b.Reason) })
	return all
}

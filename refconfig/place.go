package refconfig

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/validationtool/validationtool/internal/run/code"
)

// Place is a location: a file or an entry of an archive, and a position in it. Each field but the
// first may be unknown, and is then zero.
type Place struct {
	File     string `json:"file"`             // as a user would open it; "" for none, such as for a name on the command line
	Entry    string `json:"entry,omitempty"`  // path inside the archive File
	Document int    `json:"-"`                // number of the document in the file, from 1
	Item     int    `json:"-"`                // number of the item in a List, or in a list at the top level, from 1
	Line     int    `json:"line,omitempty"`   // from 1; 0 for the whole file
	Column   int    `json:"column,omitempty"` // from 1
}

// String returns the location as people and editors write it: "file:line:column", "file:line" or
// "file", with "archive!entry" for a file.
func (p Place) String() string {
	s := p.File
	if p.Entry != "" {
		s += "!" + p.Entry
	}
	if s == "" || p.Line == 0 {
		return s
	}
	s += ":" + strconv.Itoa(p.Line)
	if p.Column > 0 {
		s += ":" + strconv.Itoa(p.Column)
	}
	return s
}

// Compare orders locations by file, entry, document, item, line and column. It returns zero only
// for equal ones.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Entry, q.Entry), cmp.Compare(p.Document, q.Document),
		cmp.Compare(p.Item, q.Item), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Problem returns a problem at the location. Its message is formatted as by fmt.Sprintf. If the
// arguments say what was meant by a word, the problem is about this word.
func (p Place) Problem(of, format string, args ...any) Problem {
	problem := Problem{Code: of, Place: p, Message: fmt.Sprintf(format, args...)}
	for _, a := range args {
		if meant, ok := a.(code.Meant); ok {
			problem.Word, problem.Instead = meant.Word, meant.Instead
		}
	}
	return problem
}

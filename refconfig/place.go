package refconfig

import (
	"cmp"
	"fmt"
	"strconv"
)

// Place says where something stands: in a file, or in an entry of an archive, and where in that.
// Each field but the first may be unknown, and then is zero.
type Place struct {
	File     string // as a user would open it; "" where there is none, as for a name on the command line
	Entry    string // path inside the archive that File is
	Document int    // number of the document in the file, from 1
	Item     int    // number of the item in a List, or in a list at the top level, from 1
	Line     int    // from 1; 0 where the file as a whole is meant
	Column   int    // from 1
}

// String writes the place as people and editors do: "file:line:column", "file:line" or "file", and
// "archive!entry" for a file.
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

// Compare orders places by file, entry, document, item, line and column. It is zero for equal ones
// only.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Entry, q.Entry), cmp.Compare(p.Document, q.Document),
		cmp.Compare(p.Item, q.Item), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Problem returns a problem at the place; its message is put together as by fmt.Sprintf.
func (p Place) Problem(code, format string, args ...any) Problem {
	return Problem{Code: code, Place: p, Message: fmt.Sprintf(format, args...)}
}

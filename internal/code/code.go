// Package code holds the one table of stable codes that errors, warnings, broken rules and differences carry.
//
// A code is "VT" and four digits: 1xxx usage and input, 2xxx reference, 3xxx rules, 4xxx evaluation of one object,
// 5xxx limits and safety. The table is what `validationTool explain CODE` prints and what docs/codes.md is made from.
// A code, once released, keeps its meaning for ever.
package code

// Code is a stable identifier such as "VT2003".
type Code string

// String returns the code as it is printed.
func (c Code) String() string { return string(c) }

// Entry says what a code means to a user.
type Entry struct {
	Code  Code
	Title string // one line, lower case, no full stop
	Cause string // a typical cause, as sentences
	Do    string // what to do about it, as sentences
	Alarm bool   // as a warning it says that less is checked than the author may have meant
}

// Lookup returns the entry of a code, and whether there is one.
func Lookup(c Code) (Entry, bool) {
	for _, e := range table() {
		if e.Code == c {
			return e, true
		}
	}
	return Entry{}, false
}

// All returns every entry in the order of the codes.
func All() []Entry { return table() }

// Alarm reports whether a warning with this code is an alarm: it says that less is checked than the author of the reference may
// have meant, so it must not drown among other warnings.
func Alarm(c Code) bool {
	e, _ := Lookup(c)
	return e.Alarm
}

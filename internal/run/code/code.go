// Package code has the table of the stable codes of errors, warnings, broken rules and differences.
// The constants are in table.go, and the explanation of each code in codes.txt.
//
// A code is "VT" and four digits: 1xxx usage and input, 2xxx reference, 3xxx rules, 4xxx evaluation
// of one object, 5xxx limits and safety. `validationTool explain CODE` prints an entry of the
// table, and docs/codes.md is made from the table. The meaning of a released code never changes.
package code

import (
	_ "embed" // codes.txt
	"strings"
)

//go:embed codes.txt
var codesText string

// Code is a stable identifier such as "VT2003". It is plain text, so that refconfig can return codes
// to modules that cannot import this package.
type Code = string

// Entry explains a code to a user.
type Entry struct {
	Code  Code
	Title string // one line, lower case, no full stop
	Cause string // typical causes, as sentences
	Do    string // advice, as sentences
	Alarm bool   // a warning with this code is an alarm; see Alarm
}

// entry reads an entry of codes.txt. An indented line continues the line before it.
func entry(text string) Entry {
	lines := strings.Split(strings.ReplaceAll(text, "\n  ", " "), "\n")
	code, title, _ := strings.Cut(lines[0], " ")
	e := Entry{Code: code, Title: title}
	for _, line := range lines[1:] {
		switch key, text, _ := strings.Cut(line, ": "); key {
		case "alarm":
			e.Alarm = true
		case "cause":
			e.Cause = text
		case "do":
			e.Do = text
		}
	}
	return e
}

// Lookup returns the entry of a code; false if the code has no entry.
func Lookup(c Code) (Entry, bool) {
	if len(c) == 0 || strings.ContainsAny(c, " \n") {
		return Entry{}, false
	}
	text, begins := strings.CutPrefix(codesText, c+" ")
	if !begins {
		if _, text, begins = strings.Cut(codesText, "\n\n"+c+" "); !begins {
			return Entry{}, false
		}
	}
	text, _, _ = strings.Cut(text, "\n\n")
	return entry(c + " " + text), true
}

// All returns every entry in the order of the codes, as a new slice.
func All() []Entry {
	var all []Entry
	for text := range strings.SplitSeq(codesText, "\n\n") {
		all = append(all, entry(text))
	}
	return all
}

// Alarm reports whether a warning with this code is an alarm: the comparison may check less than
// the author of the reference intended, or may use the wrong reference or input. Reports list
// alarms separately from other warnings.
func Alarm(c Code) bool {
	e, _ := Lookup(c)
	return e.Alarm
}

package kubeyaml

import (
	"bytes"
	"strings"
)

// WhatItIs describes a text that is no YAML or JSON of any sort, and says what to do about it; "" if
// nothing is known about it. The description continues a sentence: "is HTML or XML, …".
func WhatItIs(text []byte) string {
	start := bytes.TrimLeft(text, " \t\r\n")
	begins := func(prefix string) bool {
		return len(start) >= len(prefix) && strings.EqualFold(string(start[:len(prefix)]), prefix)
	}
	switch {
	case begins("version https://git-lfs"):
		return "is a pointer of Git LFS; get the file itself with git lfs pull"
	case begins("/annex/objects/"):
		return "is a pointer of git-annex; get the file itself with git annex get"
	case begins("<!doctype"), begins("<html"), begins("<?xml"), begins("<head"), begins("<body"):
		return "is HTML or XML, such as an error page; get it again"
	case HasConflict(text):
		return "has marks of a merge conflict; resolve it"
	case !isReadable(text):
		return "is no text: it is damaged or encrypted; get it again or decrypt it"
	}
	return ""
}

// HasConflict reports whether a line of a text is one of the marks that Git leaves around
// conflicting lines.
func HasConflict(text []byte) bool {
	for _, mark := range []string{"<<<<<<< ", ">>>>>>> ", "||||||| "} {
		if bytes.HasPrefix(text, []byte(mark)) || bytes.Contains(text, []byte("\n"+mark)) {
			return true
		}
	}
	return false
}

// isReadable reports whether a text has no control characters except white space and escapes.
func isReadable(text []byte) bool {
	return !bytes.ContainsFunc(text, func(c rune) bool {
		return c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\x1b' || c == '\uFFFD'
	})
}

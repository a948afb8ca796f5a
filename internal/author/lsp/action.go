package lsp

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// action is an action of a template, as far as it is written. The parser of templates reads no text
// that is half written, as most texts in an editor are.
type action struct {
	from, to int  // offsets of its braces
	closed   bool // its closing braces are written
	tokens   []token
}

// token is a word of an action.
type token struct {
	kind     tokenKind
	from, to int
	text     string // of a string, its value
	closed   bool   // a string has its second quote
}

type tokenKind int

const (
	otherToken tokenKind = iota
	nameToken            // a keyword or a function
	fieldToken           // such as .spec.mtu, $x.mtu, $ and .
	textToken            // a string
)

func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// actions returns the actions of a text, without comments.
func actions(s string) (all []action) {
	for at := 0; ; {
		next := strings.Index(s[at:], "{{")
		if next < 0 {
			return all
		}
		a := scan(s, at+next)
		if at = a.to; !strings.HasPrefix(strings.TrimLeft(s[a.from+2:], "- \t\r\n"), "/*") {
			all = append(all, a)
		}
	}
}

// longest is the number of bytes after which the end of a comment or of a text in backquotes is not looked
// for: without it, the time to read many that have no end would be quadratic.
const longest = 1 << 16

// scan reads the action at an offset. One that is not closed ends with its first line.
func scan(s string, from int) action {
	a := action{from: from, to: len(s)}
	at := from + len("{{")
	if rest := strings.TrimLeft(s[at:], "- \t\r\n"); strings.HasPrefix(rest, "/*") {
		if end := strings.Index(rest[:min(len(rest), longest)], "*/"); end >= 0 {
			at = len(s) - len(rest) + end
		}
	}
	for at < len(s) && !strings.HasPrefix(s[at:], "{{") {
		if strings.HasPrefix(s[at:], "}}") {
			a.to, a.closed = at+len("}}"), true
			return a
		}
		one := next(s, at)
		if at = one.to; one.text != "" || one.kind == textToken {
			a.tokens = append(a.tokens, one)
		}
	}
	if end := strings.IndexAny(s[from:], "\r\n"); end >= 0 {
		a.to = from + end
	}
	a.tokens = slices.DeleteFunc(a.tokens, func(t token) bool { return t.from >= a.to })
	if n := len(a.tokens); n > 0 {
		last := &a.tokens[n-1]
		last.closed = last.closed && last.to <= a.to
		last.to = min(last.to, a.to)
	}
	return a
}

// next returns the token at an offset. The text of one that says nothing is empty.
func next(s string, at int) token {
	first, size := utf8.DecodeRuneInString(s[at:])
	one := token{from: at, to: at + size}
	switch {
	case first == '"', first == '\'', first == '`':
		one.kind = textToken
		one.to, one.text, one.closed = quoted(s, at)
	case first == '.', first == '$', isLetter(first):
		one.kind = nameToken
		if first == '.' || first == '$' {
			one.kind = fieldToken
		}
		rest := strings.TrimLeftFunc(s[one.to:], func(r rune) bool { return r == '.' || isLetter(r) })
		one.to = len(s) - len(rest)
		one.text = s[at:one.to]
	case !unicode.IsSpace(first):
		one.text = s[at:one.to]
	}
	return one
}

// quoted returns the end and the value of the text in quotes at an offset. It ends with the line if the
// second quote is missing.
func quoted(s string, at int) (to int, value string, closed bool) {
	quote := s[at]
	for to = at + 1; to < min(len(s), at+longest); to++ {
		switch {
		case s[to] == quote:
			value, err := strconv.Unquote(s[at : to+1])
			if err != nil {
				value = s[at+1 : to]
			}
			return to + 1, value, true
		case s[to] == '\n' && quote != '`':
			return to, s[at+1 : to], false
		case s[to] == '\\' && quote != '`' && to+1 < len(s) && s[to+1] != '\n':
			to++
		}
	}
	return to, s[at+1:], false
}

// first returns the name with which an action begins: a keyword or a function; "" for none.
func (a action) first() string {
	for _, t := range a.tokens {
		if t.kind == nameToken {
			return t.text
		}
		if t.text != "-" {
			break
		}
	}
	return ""
}

// inside reports whether an offset is between the braces.
func (a action) inside(offset int) bool {
	return offset >= a.from+2 && (offset <= a.to-2 || !a.closed && offset <= a.to)
}

// actionAt returns the action around an offset, and the index of its first token that ends there or
// behind.
func actionAt(s string, offset int) (a action, index int, found bool) {
	for _, a := range actions(s) {
		if a.inside(offset) {
			isBefore := func(t token) bool { return t.to >= offset }
			if index = slices.IndexFunc(a.tokens, isBefore); index < 0 {
				index = len(a.tokens)
			}
			return a, index, true
		}
	}
	return action{}, 0, false
}

// mention is the name of a named template or of a code in an action.
type mention struct {
	kind     nameKind
	name     string
	from, to int  // offsets of the name, without quotes
	defines  bool // define and block
	whole    int  // for a definition, the offset of its end
	start    int  // and of its beginning
}

// mentions returns the names in the actions of a text.
func mentions(s string) (all []mention) {
	var open []int // indexes of the definitions that have no end yet; negative for other blocks
	for _, a := range actions(s) {
		first := a.first()
		opened := -1
		for i, t := range a.tokens[:max(len(a.tokens)-1, 0)] {
			kind, name := kindOfArgument(t, a.tokens[:i]), a.tokens[i+1]
			if kind == noName || !name.closed {
				continue
			}
			m := mention{kind: kind, name: name.text, from: name.from + 1, to: name.to - 1, start: a.from, whole: a.to}
			if m.defines = t.text == "define" || t.text == "block"; m.defines {
				opened = len(all)
			}
			all = append(all, m)
		}
		switch {
		case slices.Contains([]string{"if", "range", "with", "define", "block"}, first):
			open = append(open, opened)
		case first == "end" && len(open) > 0:
			if i := open[len(open)-1]; i >= 0 {
				all[i].whole = a.to
			}
			open = open[:len(open)-1]
		}
	}
	return all
}

// kindOfArgument returns what the text behind a token names, given the tokens before it.
func kindOfArgument(t token, before []token) nameKind {
	isFirst := len(before) == 0 || len(before) == 1 && before[0].text == "-"
	switch {
	case t.kind != nameToken:
	case t.text == "include", isFirst && slices.Contains([]string{"template", "define", "block"}, t.text):
		return templateName
	case t.text == "violation", t.text == "note":
		return codeName
	}
	return noName
}

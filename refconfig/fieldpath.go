package refconfig

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseFieldPath parses a path in the syntax of pathToKey in the reference configuration formats:
//
//   - Keys are separated by dots. One dot may come first: spec.profile.0.data, .spec.profile.0.data
//   - A key in double quotes is literal: metadata.annotations."example.com/note.1". A double quote
//     inside it is written as two, as in CSV: "say ""when""".
//   - An integer selects an element of a list, counted from 0, or the key of a map, whichever the
//     object has. In quotes it is only a key.
//   - An exclamation mark after a key, or after its closing quote, selects the document in the text
//     of that field: spec.source!.level is a field of the document at spec.source; see Inside.
//   - A bare * selects all keys of a map or all elements of a list. In quotes it is a key.
//
// Ambiguous words and likely mistakes must be quoted: an empty key, spaces around a key, and
// brackets, which other notations use for list elements.
func ParseFieldPath(s string) (FieldPath, error) {
	path, odd, err := readFieldPath(s)
	if err == nil && odd != "" {
		return nil, errors.New(odd)
	}
	return path, err
}

// readFieldPath also accepts what ParseFieldPath rejects as ambiguous, because other readers of
// references accept it: they read a line of CSV with dots for commas. odd describes the ambiguity,
// or is "".
func readFieldPath(s string) (path FieldPath, odd string, err error) {
	rest, broken := strings.CutSuffix(strings.TrimPrefix(s, "."), "\n")
	if broken {
		odd = "a line break at its end"
	}
	if rest == "" {
		return nil, "", errors.New("the path is empty")
	}
	for {
		step, after, oddStep, err := parseStep(rest)
		if err != nil {
			return nil, "", err
		}
		path, odd = append(path, step), cmp.Or(odd, oddStep)
		if after == "" {
			return path, odd, nil
		}
		rest = after[1:] // the dot
	}
}

// parseStep reads the first step of s. odd describes its ambiguity, or is "". The rest is empty or
// begins with a dot.
func parseStep(s string) (step Step, rest, odd string, err error) {
	if strings.HasPrefix(s, `"`) {
		step, rest, err = parseQuoted(s)
		return step, rest, "", err
	}
	word := s
	if dot := strings.IndexByte(s, '.'); dot >= 0 {
		word, rest = s[:dot], s[dot:]
	}
	switch {
	case word == "*":
		return AnyStep(), rest, "", nil
	case strings.Contains(word, `"`):
		return step, "", "", fmt.Errorf(
			"a double quote inside the key %s; quote the whole key, and write the quotes in it as \"\"", word,
		)
	case word == "":
		odd = `an empty key; if the key is really empty, write ""`
	case strings.TrimSpace(word) != word:
		odd = fmt.Sprintf(
			"a space at the start or end of the key %q; if it is part of the key, put the key in double quotes", word,
		)
	case strings.ContainsAny(word, "[]"):
		odd = fmt.Sprintf(
			"a bracket in the key %s; write list elements as numbers (spec.items.0), and put a key that contains brackets in double quotes",
			word,
		)
	}
	return Step{Key: word, Index: index(word)}, rest, odd, nil
}

func parseQuoted(s string) (step Step, rest string, err error) {
	key, rest := "", s[1:]
	for {
		part, after, closed := strings.Cut(rest, `"`)
		if !closed {
			return step, "", fmt.Errorf("the double quote before %q is not closed", s[1:])
		}
		key += part
		if rest, closed = strings.CutPrefix(after, `"`); !closed {
			break
		}
		key += `"`
	}
	if inside, marked := strings.CutPrefix(rest, insideMark); marked {
		key, rest = key+insideMark, inside
	}
	if rest != "" && rest[0] != '.' {
		return step, "", fmt.Errorf("%q follows a quoted key; expected a dot", rest)
	}
	return Key(key), rest, nil
}

// index returns the list element that a bare word selects, or -1. A larger number than any list has
// elements selects none.
func index(word string) int {
	n, err := strconv.ParseUint(word, 10, 31)
	if err != nil {
		return -1
	}
	return int(n)
}

// String returns the path in a form that ParseFieldPath reads back, so that paths from a report can
// be pasted into a reference. The empty path, the whole object, is ".".
func (p FieldPath) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for i, step := range p {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(step.String())
	}
	return b.String()
}

// String returns the step as written in a path.
func (s Step) String() string {
	switch {
	case s.Any:
		return "*"
	case s.Key == "" && s.Index >= 0:
		return strconv.Itoa(s.Index)
	case needsQuotes(s):
		key, mark := s.Key, ""
		if around, inside := s.Around(); inside {
			key, mark = around.Key, insideMark
		}
		return `"` + strings.ReplaceAll(key, `"`, `""`) + `"` + mark
	}
	return s.Key
}

// needsQuotes reports whether a bare key would be read as something else.
func needsQuotes(s Step) bool {
	if s.Key == "" || s.Key == "*" || strings.ContainsAny(s.Key, `."[]`) || strings.TrimSpace(s.Key) != s.Key {
		return true
	}
	return s.Index < 0 && strings.Trim(s.Key, "0123456789") == ""
}

// Key returns the step to a key of a map.
func Key(name string) Step { return Step{Key: name, Index: -1} }

// AnyStep returns the step to all keys of a map, or to all elements of a list.
func AnyStep() Step { return Step{Index: -1, Any: true} }

// PathOf returns the path of nested keys.
func PathOf(keys ...string) FieldPath {
	path := make(FieldPath, len(keys))
	for i, key := range keys {
		path[i] = Key(key)
	}
	return path
}

// Below returns the path with one more step. It shares no memory that a later call could overwrite.
func (p FieldPath) Below(step Step) FieldPath { return append(p[:len(p):len(p)], step) }

// Starred returns the path with * in place of list indexes.
func (p FieldPath) Starred() FieldPath {
	all := slices.Clone(p)
	for i, step := range all {
		if step.Index >= 0 {
			all[i] = AnyStep()
		}
	}
	return all
}

// insideMark ends the key of a field whose text is a document, if the path continues in that
// document.
const insideMark = "!"

// Inside returns the path of the document in the text of a field. The path of a list item stays the
// same, because it has no key to mark.
func (p FieldPath) Inside() FieldPath {
	inside := slices.Clone(p)
	if n := len(p) - 1; n >= 0 && p[n].Index < 0 {
		inside[n].Key += insideMark
	}
	return inside
}

// Around returns the step to the text of a field for a step to the document in it; false for any
// other step.
func (s Step) Around() (Step, bool) {
	key, inside := strings.CutSuffix(s.Key, insideMark)
	return Key(key), inside && key != ""
}

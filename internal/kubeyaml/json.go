package kubeyaml

import (
	"bytes"
	"strconv"
)

// LooksLikeJSON reports whether the first character after white space opens a map or a list.
func LooksLikeJSON(text []byte) bool {
	text = firstText(text)
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// IsJSON reports whether text that looks like JSON is JSON: the first key is quoted. Otherwise it
// is YAML in braces.
func IsJSON(text []byte) bool {
	text = firstText(text)
	for len(text) > 0 && text[0] == '[' {
		text = firstText(text[1:])
	}
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	text = firstText(text[1:])
	return len(text) > 0 && (text[0] == '"' || text[0] == '}')
}

func firstText(text []byte) []byte { return bytes.TrimLeft(trimBOM(text), " \t\r\n") }

// JSON reads consecutive JSON values. It makes Nodes of them or only skips them.
type JSON struct {
	Line int // current line in the file
	Pos  int // offset of the next byte to read

	text      []byte
	lineStart int // offset of the current line
	limits    Limits
	items     int // number of List items in the current document so far
	counted   int // values counted so far
	room      *Room
}

// NewJSON returns a reader of JSON values in a text that has base lines before it in its file.
func (l Limits) NewJSON(text []byte, base int) *JSON {
	r := &JSON{text: text, Line: base + 1, limits: l, room: &Room{}}
	if bytes.HasPrefix(text, []byte(BOM)) {
		r.Pos, r.lineStart = len(BOM), len(BOM)
	}
	return r
}

// Begin starts another document: the counts of values and items start at zero.
func (r *JSON) Begin() { r.counted, r.items = 0, 0 }

// Item starts an item of a List. Items are decoded separately, so the count of values starts at
// zero. The number of items has the same limit as the number of values.
func (r *JSON) Item() *SyntaxError {
	r.counted = 0
	if r.items++; r.items > r.limits.Values {
		return r.limits.tooMany(r.Line, r.Column())
	}
	return nil
}

// Rest returns the unread text.
func (r *JSON) Rest() []byte { return r.text[r.Pos:] }

// From returns the text from an offset to the current position.
func (r *JSON) From(start int) []byte { return r.text[start:r.Pos] }

// Column returns the current column, 1-based, in bytes.
func (r *JSON) Column() int { return r.Pos - r.lineStart + 1 }

// Deep returns the fault of a value that is nested deeper than the limit.
func (r *JSON) Deep(depth int) *SyntaxError {
	if depth > r.limits.Nesting {
		return r.limits.tooDeep(r.Line, r.Column())
	}
	return nil
}

// Enter counts a value at a depth that is going to be kept; it returns a fault if a limit is
// exceeded.
func (r *JSON) Enter(depth int) *SyntaxError {
	if fault := r.Deep(depth); fault != nil {
		return fault
	}
	if r.counted++; r.counted > r.limits.Values {
		return r.limits.tooMany(r.Line, r.Column())
	}
	return nil
}

// SkipLines skips lines between values that are not JSON. length returns the length of such lines
// at the beginning of a text, 0 for none.
func (r *JSON) SkipLines(length func(text []byte) int) {
	for r.Pos < len(r.text) && r.Pos == r.lineStart {
		rest := r.Rest()
		skipped := length(rest)
		if skipped == 0 {
			return
		}
		r.Line += bytes.Count(rest[:skipped], []byte{'\n'})
		r.Pos += skipped
		r.lineStart = r.Pos
		r.SkipSpace()
	}
}

func (r *JSON) fault(message string) *SyntaxError {
	cut := r.Pos >= len(r.text)
	if cut {
		message = "unexpected end of the JSON text"
	}
	return &SyntaxError{Line: r.Line, Column: r.Column(), Message: message, IsJSON: cut}
}

// SkipSpace skips spaces and line ends.
func (r *JSON) SkipSpace() {
	for r.Pos < len(r.text) {
		switch r.text[r.Pos] {
		case ' ', '\t', '\r':
			r.Pos++
		case '\n':
			r.Pos++
			r.Line++
			r.lineStart = r.Pos
		default:
			return
		}
	}
}

// Peek returns the current byte, or 0 at the end.
func (r *JSON) Peek() byte {
	if r.Pos < len(r.text) {
		return r.text[r.Pos]
	}
	return 0
}

// Key is a key as written in the text.
type Key struct {
	Raw                  []byte // text between the quotes
	Offset, Line, Column int
}

// Text returns the key with escapes resolved.
func (k Key) Text() string { return unescape(k.Raw) }

// Members calls each for every field of an object, to read the value.
func (r *JSON) Members(each func(key Key) *SyntaxError) *SyntaxError {
	r.Pos++
	r.SkipSpace()
	for first := true; r.Peek() != '}'; first = false {
		if fault := r.comma(first, "expected a comma or }"); fault != nil {
			return fault
		}
		key, fault := r.key()
		if fault != nil {
			return fault
		}
		if fault := each(key); fault != nil {
			return fault
		}
		r.SkipSpace()
	}
	r.Pos++
	return nil
}

// key reads a key and its colon.
func (r *JSON) key() (k Key, fault *SyntaxError) {
	if r.Peek() != '"' {
		return k, r.fault("expected a key in double quotes")
	}
	k = Key{Offset: r.Pos, Line: r.Line, Column: r.Column()}
	if k.Raw, fault = r.string(); fault != nil {
		return k, fault
	}
	if r.SkipSpace(); r.Peek() != ':' {
		return k, r.fault("expected a colon")
	}
	r.Pos++
	r.SkipSpace()
	return k, nil
}

// comma reads the comma before every member and element but the first.
func (r *JSON) comma(first bool, missing string) *SyntaxError {
	if first {
		return nil
	}
	if r.Peek() != ',' {
		return r.fault(missing)
	}
	r.Pos++
	r.SkipSpace()
	return nil
}

// Elements calls each for every element of an array, to read it.
func (r *JSON) Elements(each func() *SyntaxError) *SyntaxError {
	r.Pos++
	r.SkipSpace()
	for first := true; r.Peek() != ']'; first = false {
		if fault := r.comma(first, "expected a comma or ]"); fault != nil {
			return fault
		}
		if fault := each(); fault != nil {
			return fault
		}
		r.SkipSpace()
	}
	r.Pos++
	return nil
}

func (r *JSON) word() ([]byte, *SyntaxError) {
	rest := r.text[r.Pos:]
	for _, word := range [...]string{"true", "false", "null"} {
		if bytes.HasPrefix(rest, []byte(word)) {
			r.Pos += len(word)
			return rest[:len(word)], nil
		}
		if tail := bytes.TrimRight(rest, " \t\r\n"); len(tail) > 0 && len(tail) < len(word) &&
			word[:len(tail)] == string(tail) {
			r.Pos = len(r.text)
		}
	}
	return nil, r.fault("expected a value")
}

func (r *JSON) number() ([]byte, *SyntaxError) {
	rest := r.text[r.Pos:]
	raw := rest[:jsonNumberLength(rest)]
	if len(raw) == 0 {
		return nil, r.fault("expected a number")
	}
	if len(raw) > 300 || bytes.ContainsAny(raw, "eE") { // other numbers fit a float64
		if _, err := strconv.ParseFloat(string(raw), 64); err != nil {
			fault := r.fault("a number is too large")
			fault.IsJSON = true
			return nil, fault
		}
	}
	r.Pos += len(raw)
	return raw, nil
}

// scalar reads a string, number, true, false or null and returns it as written; for a string the
// text between the quotes.
func (r *JSON) scalar() (raw []byte, quoted bool, fault *SyntaxError) {
	switch c := r.Peek(); {
	case c == '"':
		raw, fault = r.string()
		return raw, true, fault
	case c == '-' || c >= '0' && c <= '9':
		raw, fault = r.number()
	default:
		raw, fault = r.word()
	}
	return raw, false, fault
}

// SkipValue skips and checks a value without counting it.
func (r *JSON) SkipValue(depth int) (fault *SyntaxError) {
	if fault := r.Deep(depth); fault != nil {
		return fault
	}
	switch r.Peek() {
	case '{':
		return r.Members(func(Key) *SyntaxError { return r.SkipValue(depth + 1) })
	case '[':
		return r.Elements(func() *SyntaxError { return r.SkipValue(depth + 1) })
	}
	_, _, fault = r.scalar()
	return fault
}

// jsonNumberLength returns the length of the JSON number at the beginning of text, or 0.
func jsonNumberLength(text []byte) int {
	sign := 0
	if len(text) > 0 && text[0] == '-' {
		sign = 1
	}
	d := readDecimal(text[sign:])
	if d.whole == 0 || d.whole > 1 && text[sign] == '0' || d.point && d.fraction == 0 ||
		d.exponential && d.exponent == 0 {
		return 0
	}
	return sign + d.length
}

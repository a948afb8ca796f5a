package kubeyaml

import (
	"bytes"
	"strconv"
)

// LooksLikeJSON reports whether the first character of the text that is not blank opens a map or a
// list.
func LooksLikeJSON(text []byte) bool {
	text = firstText(text)
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// IsJSON says of text that looks like JSON whether it is: the first key is quoted. Otherwise it is
// YAML in braces.
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

// JSON reads JSON values, one after the other, or a value of YAML in braces or brackets (see
// NewFlow): it makes Nodes of them, or only goes over them.
type JSON struct {
	Line int  // that at hand, in the file
	Pos  int  // offset of what is to be read next
	Flow bool // it is YAML

	text      []byte
	lineStart int // offset of that line
	before    int // bytes before the text in that which the offsets of nodes count in
	limits    Limits
	items     int // of Lists in the document at hand, so far
	counted   int // until now
	nodes     *nodeRoom
}

// NewJSON reads the JSON values of a text that has base lines before it in its file.
func (l Limits) NewJSON(text []byte, base int) *JSON {
	r := &JSON{text: text, Line: base + 1, limits: l, nodes: &nodeRoom{}}
	if bytes.HasPrefix(text, []byte(BOM)) {
		r.Pos, r.lineStart = len(BOM), len(BOM)
	}
	return r
}

// Begin begins another document: values and items are counted anew.
func (r *JSON) Begin() { r.counted, r.items = 0, 0 }

// Item begins an item of a List, which is decoded by itself: values are counted anew. There may be
// as many items as values.
func (r *JSON) Item() *SyntaxError {
	r.counted = 0
	if r.items++; r.items > r.limits.Values {
		return r.limits.tooMany(r.Line, r.Column())
	}
	return nil
}

// Rest is what was not read yet.
func (r *JSON) Rest() []byte { return r.text[r.Pos:] }

// From is the text from an offset to what is to be read next.
func (r *JSON) From(start int) []byte { return r.text[start:r.Pos] }

// Column is the 1-based column at hand, in bytes.
func (r *JSON) Column() int { return r.Pos - r.lineStart + 1 }

// Deep returns the fault of a value that lies deeper than the limit.
func (r *JSON) Deep(depth int) *SyntaxError {
	if depth > r.limits.Nesting {
		return r.limits.tooDeep(r.Line, r.Column())
	}
	return nil
}

// Enter begins a value that lies so deep and is to be kept; it is a fault beyond the limits.
func (r *JSON) Enter(depth int) *SyntaxError {
	if fault := r.Deep(depth); fault != nil {
		return fault
	}
	if r.counted++; r.counted > r.limits.Values {
		return r.limits.tooMany(r.Line, r.Column())
	}
	return nil
}

// SkipLines goes over lines between values that are no JSON. length tells how long those are that a
// text begins with, 0 for none.
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

// SkipSpace goes over blanks and line ends.
func (r *JSON) SkipSpace() {
	for r.Pos < len(r.text) {
		switch r.text[r.Pos] {
		case ' ', '\t':
			r.Pos++
		case '\n':
			r.Pos++
			r.Line++
			r.lineStart = r.Pos
		case '\r':
			r.Pos++
			if r.Peek() != '\n' {
				r.Line++
				r.lineStart = r.Pos
			}
		default:
			return
		}
	}
}

// Peek is the byte at hand, or 0 at the end.
func (r *JSON) Peek() byte {
	if r.Pos < len(r.text) {
		return r.text[r.Pos]
	}
	return 0
}

// Key is a key as it is in the text.
type Key struct {
	Raw                  []byte // between the quotes
	Quote                byte   // which they are; 0 for a key of YAML without any
	Offset, Line, Column int
}

// Text is the key without escapes.
func (k Key) Text() string { return unescape(k.Raw) }

// Members goes through the fields of an object; each reads the value.
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

// key reads a key with its colon.
func (r *JSON) key() (k Key, fault *SyntaxError) {
	if r.Peek() != '"' && !r.Flow {
		return k, r.fault("expected a key in double quotes")
	}
	k = Key{Offset: r.Pos, Line: r.Line, Column: r.Column()}
	if k.Raw, k.Quote, fault = r.Scalar(); fault != nil {
		return k, fault
	}
	if r.SkipSpace(); r.Peek() != ':' || r.Flow && !r.endsFlowKey(k) {
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

// Elements goes through an array; each reads one element.
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
	if len(raw) > 300 || bytes.ContainsAny(raw, "eE") { // others fit a float64
		if _, err := strconv.ParseFloat(string(raw), 64); err != nil {
			fault := r.fault("a number is too large")
			fault.IsJSON = true
			return nil, fault
		}
	}
	r.Pos += len(raw)
	return raw, nil
}

// Scalar reads a string, number, true, false or null as it is in the text: that between the
// quotes of a string. quote is which they are, or 0.
func (r *JSON) Scalar() (raw []byte, quote byte, fault *SyntaxError) {
	switch c := r.Peek(); {
	case r.Flow:
		return r.flowScalar()
	case c == '"':
		raw, fault = r.string()
		return raw, c, fault
	case c == '-' || c >= '0' && c <= '9':
		raw, fault = r.number()
	default:
		raw, fault = r.word()
	}
	return raw, 0, fault
}

// SkipValue goes over a value, checks it, and counts nothing.
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
	_, _, fault = r.Scalar()
	return fault
}

// jsonNumberLength is the length of the JSON number that text begins with, or 0.
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

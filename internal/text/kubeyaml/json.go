package kubeyaml

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// LooksLikeJSON reports whether the first character after white space opens a map or a list.
func LooksLikeJSON(text []byte) bool {
	text = firstText(text)
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// IsJSON reports whether text that looks like JSON is JSON rather than YAML in braces: its first
// key is in double quotes.
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
	text      []byte
	pos       int // offset of the next byte to read
	line      int // current line in the file
	lineStart int // offset of the current line
	depth     int // number of maps and lists around the current value
	limits    Limits
	items     int // number of List items in the current document so far
	counted   int // values counted so far
	room      *Room
}

// NewJSON returns a reader of JSON values in a text that has base lines before it in its file.
func (l Limits) NewJSON(room *Room, text []byte, base int) *JSON {
	r := &JSON{text: text, line: base + 1, limits: l, room: room}
	if bytes.HasPrefix(text, []byte(BOM)) {
		r.pos, r.lineStart = len(BOM), len(BOM)
	}
	return r
}

// Begin starts another document: the counts of values and items start at zero.
func (r *JSON) Begin() { r.counted, r.items = 0, 0 }

// item counts an item of a List. Items are decoded separately, so the count of values starts at
// zero. The number of items has the same limit as the number of values.
func (r *JSON) item() *SyntaxError {
	r.counted = 0
	if r.items++; r.items > r.limits.Values {
		return r.limits.tooMany(r.line, r.column())
	}
	return nil
}

// Rest returns the unread text.
func (r *JSON) Rest() []byte { return r.text[r.pos:] }

// Line returns the line, in the file, of the unread text.
func (r *JSON) Line() int { return r.line }

// column returns the current column, 1-based, in bytes.
func (r *JSON) column() int { return r.pos - r.lineStart + 1 }

// deep returns the fault of a value that is nested deeper than the limit.
func (r *JSON) deep() *SyntaxError {
	if r.depth > r.limits.Nesting {
		return r.limits.tooDeep(r.line, r.column())
	}
	return nil
}

// SkipLines skips the lines between JSON values that are not JSON themselves. length returns the
// length of such lines at the beginning of a text, 0 for none; line is the line of the text in the
// file.
func (r *JSON) SkipLines(length func(text []byte, line int) int) {
	for r.pos < len(r.text) && r.pos == r.lineStart {
		rest := r.Rest()
		skipped := length(rest, r.line)
		if skipped == 0 {
			return
		}
		r.line += bytes.Count(rest[:skipped], []byte{'\n'})
		r.pos += skipped
		r.lineStart = r.pos
		r.SkipSpace()
	}
}

func (r *JSON) fault(message string) *SyntaxError {
	cut := r.pos >= len(r.text)
	if cut {
		message = "unexpected end of the JSON text"
	}
	return &SyntaxError{Line: r.line, Column: r.column(), Message: message, IsJSON: cut}
}

// SkipSpace skips spaces and line ends.
func (r *JSON) SkipSpace() {
	pos := r.pos // a local variable is faster, here and in string
	for ; pos < len(r.text) && r.text[pos] <= ' '; pos++ {
		switch r.text[pos] {
		case ' ', '\t', '\r':
		case '\n':
			r.line++
			r.lineStart = pos + 1
		default:
			r.pos = pos
			return
		}
	}
	r.pos = pos
}

// peek returns the current byte, or 0 at the end.
func (r *JSON) peek() byte {
	if r.pos < len(r.text) {
		return r.text[r.pos]
	}
	return 0
}

// jsonKey is a key as written in the text.
type jsonKey struct {
	raw                  []byte // text between the quotes
	offset, line, column int
}

// members calls each for every field of a map, to read the value.
func (r *JSON) members(each func(key jsonKey) *SyntaxError) *SyntaxError {
	return r.inside('}', "expected a comma or }", func() *SyntaxError {
		key, fault := r.key()
		if fault != nil {
			return fault
		}
		return each(key)
	})
}

// inside reads a map or list up to its closing bracket. It calls each for every part.
func (r *JSON) inside(closing byte, noComma string, each func() *SyntaxError) *SyntaxError {
	if fault := r.deep(); fault != nil {
		return fault
	}
	r.depth++
	r.pos++
	r.SkipSpace()
	for first := true; r.peek() != closing; first = false {
		if !first {
			if r.peek() != ',' {
				return r.fault(noComma)
			}
			r.pos++
			r.SkipSpace()
		}
		if fault := each(); fault != nil {
			return fault
		}
		r.SkipSpace()
	}
	r.pos++
	r.depth--
	return nil
}

// key reads a key and its colon.
func (r *JSON) key() (k jsonKey, fault *SyntaxError) {
	if r.peek() != '"' {
		return k, r.fault("expected a key in double quotes")
	}
	k = jsonKey{offset: r.pos, line: r.line, column: r.column()}
	if k.raw, fault = r.string(); fault != nil {
		return k, fault
	}
	if r.SkipSpace(); r.peek() != ':' {
		return k, r.fault("expected a colon")
	}
	r.pos++
	r.SkipSpace()
	return k, nil
}

func (r *JSON) word() ([]byte, *SyntaxError) {
	rest := r.text[r.pos:]
	for _, word := range [...]string{"true", "false", "null"} {
		if bytes.HasPrefix(rest, []byte(word)) {
			r.pos += len(word)
			return rest[:len(word)], nil
		}
		if tail := bytes.TrimRight(rest, " \t\r\n"); len(tail) > 0 && len(tail) < len(word) &&
			word[:len(tail)] == string(tail) {
			r.pos = len(r.text)
		}
	}
	return nil, r.fault("expected a value")
}

func (r *JSON) number() ([]byte, *SyntaxError) {
	rest := r.text[r.pos:]
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
	r.pos += len(raw)
	return raw, nil
}

// scalar reads a string, number, true, false or null and returns it as written; for a string the
// text between the quotes.
func (r *JSON) scalar() (raw []byte, quoted bool, fault *SyntaxError) {
	if fault = r.deep(); fault != nil {
		return nil, false, fault
	}
	switch c := r.peek(); {
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

// Skip skips and checks a value without counting it.
func (r *JSON) Skip() (fault *SyntaxError) {
	switch r.peek() {
	case '{':
		return r.members(func(jsonKey) *SyntaxError { return r.Skip() })
	case '[':
		return r.inside(']', "expected a comma or ]", r.Skip)
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

// parseJSON reads consecutive JSON values. It is separate from the YAML reader because YAML 1.1
// does not include all of JSON (surrogate pairs, tabs, control characters), and because it is ten
// times as fast.
func (l Limits) parseJSON(text []byte, base int, room *Room) ([]*Node, *SyntaxError) {
	r := l.NewJSON(room, text, base)
	var nodes []*Node
	for {
		r.SkipSpace()
		if len(r.Rest()) == 0 {
			return nodes, nil
		}
		if len(nodes) >= l.Values {
			return nil, l.tooMany(r.line, r.column())
		}
		n, fault := r.Value()
		if fault != nil {
			return nil, fault
		}
		nodes = append(nodes, n)
	}
}

// Value reads the next value.
func (r *JSON) Value() (*Node, *SyntaxError) { return r.ReadOutline(Outline{}) }

// ReadOutline reads parts of the next value, and only checks the others.
func (r *JSON) ReadOutline(o Outline) (*Node, *SyntaxError) {
	if r.counted++; r.counted > r.limits.Values {
		return nil, r.limits.tooMany(r.line, r.column())
	}
	n := r.room.node(r.pos, r.line, r.column())
	var fault *SyntaxError
	switch r.peek() {
	case '{':
		n.Kind, n.Flow = Map, true
		fault = r.object(n, o)
	case '[':
		n.Kind, n.Flow, n.Values = List, true, []*Node{}
		fault = r.inside(']', "expected a comma or ]", func() *SyntaxError { return r.element(n, o) })
	default:
		fault = r.scalarNode(n)
	}
	n.End = r.pos
	return n, fault
}

// element reads an element of a list.
func (r *JSON) element(list *Node, o Outline) *SyntaxError {
	if o.Field != nil {
		if fault := r.item(); fault != nil {
			return fault
		}
	}
	mark := r.room.Mark()
	n, fault := r.ReadOutline(Outline{Field: o.Field})
	if fault == nil && o.Element != nil {
		o.Element(n, n.Offset, n.End)
		r.room.Reuse(mark)
		n = nil
	}
	list.Values = append(list.Values, n)
	return fault
}

func (r *JSON) object(n *Node, o Outline) *SyntaxError {
	fields := newFields(4)
	fault := r.members(func(k jsonKey) *SyntaxError {
		name, below := "", Outline{}
		if o.Field != nil {
			raw := k.raw
			if bytes.IndexByte(raw, '\\') >= 0 {
				raw = []byte(unescape(raw))
			}
			if name, below = o.Field(raw); name == "" {
				return r.Skip()
			}
		} else {
			name = unescape(k.raw)
		}
		value, fault := r.ReadOutline(below)
		if fault != nil {
			return fault
		}
		key := r.room.node(k.offset, k.line, k.column)
		key.Style, key.Text = DoubleQuoted, name
		key.End = k.offset + len(k.raw) + len(`""`)
		return fields.add(key, value)
	})
	fields.set(n)
	return fault
}

func (r *JSON) scalarNode(n *Node) *SyntaxError {
	raw, quoted, fault := r.scalar()
	switch {
	case fault != nil:
		return fault
	case quoted:
		n.Style, n.Text = DoubleQuoted, unescape(raw)
	default:
		n.Text = string(raw)
	}
	return nil
}

// string reads a string and checks its escapes without resolving them.
func (r *JSON) string() ([]byte, *SyntaxError) {
	r.pos++
	start := r.pos
	for r.pos < len(r.text) {
		pos := r.pos
		for pos < len(r.text) && isOrdinary(r.text[pos]) {
			pos++
		}
		if r.pos = pos; pos == len(r.text) {
			break
		}
		switch c := r.text[r.pos]; {
		case c == '"':
			r.pos++
			return r.text[start : r.pos-1], nil
		case c == '\\':
			length := jsonEscapeLength(r.text[r.pos:])
			if length == 0 {
				return nil, r.badEscape()
			}
			r.pos += length
		default:
			if len(firstText(r.text[r.pos:])) == 0 {
				r.pos = len(r.text)
			}
			return nil, r.fault("a string has a line break or a control character")
		}
	}
	return nil, r.fault("")
}

func isOrdinary(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

func (r *JSON) badEscape() *SyntaxError {
	const longest = len(`\u0000`)
	if len(r.text)-r.pos < longest && bytes.IndexByte(r.text[r.pos:], '"') < 0 {
		r.pos = len(r.text)
	}
	return r.fault("an invalid escape in a string")
}

// jsonEscapeLength returns the length of the escape at the beginning of text, or 0.
func jsonEscapeLength(text []byte) int {
	const hex = "0123456789abcdefABCDEF"
	switch {
	case len(text) > 1 && bytes.IndexByte([]byte(`"\/bfnrt`), text[1]) >= 0:
		return len(`\n`)
	case len(text) >= len(`\u0000`) && text[1] == 'u' && len(bytes.Trim(text[2:len(`\u0000`)], hex)) == 0:
		return len(`\u0000`)
	}
	return 0
}

// unescape resolves escapes, which must be well formed. As in Kubernetes, invalid UTF-8 and
// unpaired surrogates become U+FFFD.
//
// The library would need several times the text at once, so it gets one part after the other, each
// up to a character that cannot belong to the escape before it.
func unescape(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw)
	}
	const part = 64 << 10
	var out strings.Builder
	quoted := make([]byte, 0, min(len(raw), part)+len(`""`))
	for rest := raw; len(rest) > 0; {
		end := endOfPart(rest, part)
		quoted = append(append(append(quoted[:0], '"'), rest[:end]...), '"')
		var text string
		_ = json.Unmarshal(quoted, &text) // the text is well formed
		if end == len(raw) {
			return text
		}
		out.Grow(len(rest)) // does nothing after the first part
		out.WriteString(text)
		rest = rest[end:]
	}
	return out.String()
}

// endOfPart returns the end of a part of an escaped text, which has some more than the given number
// of bytes and ends before a letter that is not a part of an escape.
func endOfPart(raw []byte, from int) int {
	const escape = len(`\u0000`)
	for i := from; i < len(raw); i++ {
		if c := raw[i]; c >= 'a' && c <= 'z' && bytes.IndexByte(raw[i-escape:i], '\\') < 0 {
			return i
		}
	}
	return len(raw)
}

package manifest

import (
	"bytes"
	"strconv"
)

// looksLikeJSON says whether the first character of the text that is not blank opens a map or a list.
func looksLikeJSON(text []byte) bool {
	text = firstText(text)
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// isJSON says of text that looks like JSON whether it is: the first key is quoted. Otherwise it is YAML in braces.
func isJSON(text []byte) bool {
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

// parseJSON reads JSON values, one after the other. It exists beside the YAML reader because JSON is not quite a part of
// YAML 1.1 (surrogate pairs, tabs, control characters), and because it is ten times faster.
func (l Limits) parseJSON(text []byte, base int) ([]*Node, *SyntaxError) {
	r := newJSONReader(text, base)
	r.limits = l
	var nodes []*Node
	for {
		r.skipSpace()
		if r.pos == len(text) {
			return nodes, nil
		}
		if len(nodes) >= l.Values {
			return nil, r.tooMany()
		}
		n, fault := r.value(0)
		if fault != nil {
			return nil, fault
		}
		nodes = append(nodes, n)
	}
}

// jsonReader reads JSON into Nodes.
type jsonReader struct {
	limits    Limits
	values    int // nodes and heads made of the document at hand
	text      []byte
	pos       int
	line      int // of pos, in the file
	lineStart int // offset of that line
}

func newJSONReader(text []byte, base int) *jsonReader {
	r := &jsonReader{limits: DefaultLimits(), text: text, line: base + 1}
	if bytes.HasPrefix(text, []byte(bomUTF8)) {
		r.pos, r.lineStart = len(bomUTF8), len(bomUTF8)
	}
	return r
}

func (r *jsonReader) fault(message string) *SyntaxError {
	cut := r.pos >= len(r.text)
	if cut {
		message = "the JSON text breaks off at its end"
	}
	return &SyntaxError{Line: r.line, Column: r.pos - r.lineStart + 1, Message: message, IsJSON: cut}
}

func (r *jsonReader) tooDeep() *SyntaxError {
	return r.limits.tooDeep(r.line, r.pos-r.lineStart+1)
}

func (r *jsonReader) tooMany() *SyntaxError {
	return r.limits.tooMany(r.line, r.pos-r.lineStart+1)
}

func (r *jsonReader) skipSpace() {
	for r.pos < len(r.text) {
		switch r.text[r.pos] {
		case ' ', '\t':
			r.pos++
		case '\n':
			r.pos++
			r.line++
			r.lineStart = r.pos
		case '\r':
			r.pos++
			if r.peek() != '\n' {
				r.line++
				r.lineStart = r.pos
			}
		default:
			return
		}
	}
}

// peek is the byte at hand, or 0 at the end.
func (r *jsonReader) peek() byte {
	if r.pos < len(r.text) {
		return r.text[r.pos]
	}
	return 0
}

func (r *jsonReader) node(kind Kind) *Node {
	return &Node{Kind: kind, Flow: kind != Scalar, Offset: r.pos, Line: r.line, Column: r.pos - r.lineStart + 1}
}

func (r *jsonReader) value(depth int) (n *Node, fault *SyntaxError) {
	if depth > r.limits.Nesting {
		return nil, r.tooDeep()
	}
	if r.values++; r.values > r.limits.Values {
		return nil, r.tooMany()
	}
	switch c := r.peek(); {
	case c == '{':
		n, fault = r.object(depth)
	case c == '[':
		n, fault = r.array(depth)
	case c == '"':
		n, fault = r.string()
	case c == '-' || c >= '0' && c <= '9':
		n, fault = r.number()
	default:
		n, fault = r.word()
	}
	if fault != nil {
		return nil, fault
	}
	n.end = r.pos
	return n, nil
}

func (r *jsonReader) object(depth int) (*Node, *SyntaxError) {
	n := r.node(Map)
	fields := newFields(4)
	fault := r.members(func(key jsonKey) *SyntaxError {
		value, fault := r.value(depth + 1)
		if fault != nil {
			return fault
		}
		return fields.add(key.node(), value)
	})
	fields.set(n)
	return n, fault
}

// jsonKey is a key as it stands in the text. Only a key that is kept is made a Node.
type jsonKey struct {
	raw                  []byte // between the quotes
	offset, line, column int
}

func (k jsonKey) node() *Node {
	return &Node{
		Style: DoubleQuoted, Text: unescapeJSON(k.raw),
		Offset: k.offset, Line: k.line, Column: k.column, end: k.offset + len(k.raw) + len(`""`),
	}
}

// members goes through the fields of an object; each reads the value.
func (r *jsonReader) members(each func(key jsonKey) *SyntaxError) *SyntaxError {
	r.pos++
	r.skipSpace()
	for first := true; r.peek() != '}'; first = false {
		if fault := r.comma(first, "a comma or } is expected"); fault != nil {
			return fault
		}
		key, fault := r.key()
		if fault != nil {
			return fault
		}
		if fault := each(key); fault != nil {
			return fault
		}
		r.skipSpace()
	}
	r.pos++
	return nil
}

// key reads a key with its colon.
func (r *jsonReader) key() (k jsonKey, fault *SyntaxError) {
	if r.peek() != '"' {
		return k, r.fault("a key in double quotes is expected")
	}
	k = jsonKey{offset: r.pos, line: r.line, column: r.pos - r.lineStart + 1}
	if k.raw, fault = r.rawString(); fault != nil {
		return k, fault
	}
	if r.skipSpace(); r.peek() != ':' {
		return k, r.fault("a colon is expected")
	}
	r.pos++
	r.skipSpace()
	return k, nil
}

// comma reads the comma before every member and element but the first.
func (r *jsonReader) comma(first bool, missing string) *SyntaxError {
	if first {
		return nil
	}
	if r.peek() != ',' {
		return r.fault(missing)
	}
	r.pos++
	r.skipSpace()
	return nil
}

func (r *jsonReader) array(depth int) (*Node, *SyntaxError) {
	n := r.node(List)
	fault := r.elements(func() *SyntaxError {
		value, fault := r.value(depth + 1)
		n.Values = append(n.Values, value)
		return fault
	})
	return n, fault
}

// elements goes through an array; each reads one element.
func (r *jsonReader) elements(each func() *SyntaxError) *SyntaxError {
	r.pos++
	r.skipSpace()
	for first := true; r.peek() != ']'; first = false {
		if fault := r.comma(first, "a comma or ] is expected"); fault != nil {
			return fault
		}
		if fault := each(); fault != nil {
			return fault
		}
		r.skipSpace()
	}
	r.pos++
	return nil
}

func (r *jsonReader) word() (*Node, *SyntaxError) {
	n := r.node(Scalar)
	raw, fault := r.rawWord()
	n.Text = string(raw)
	return n, fault
}

func (r *jsonReader) rawWord() ([]byte, *SyntaxError) {
	rest := r.text[r.pos:]
	for _, word := range [...]string{"true", "false", "null"} {
		if bytes.HasPrefix(rest, []byte(word)) {
			r.pos += len(word)
			return rest[:len(word)], nil
		}
		if tail := bytes.TrimRight(rest, " \t\r\n"); len(tail) > 0 && len(tail) < len(word) && word[:len(tail)] == string(tail) {
			r.pos = len(r.text)
		}
	}
	return nil, r.fault("a value is expected")
}

func (r *jsonReader) number() (*Node, *SyntaxError) {
	n := r.node(Scalar)
	raw, fault := r.rawNumber()
	n.Text = string(raw)
	return n, fault
}

func (r *jsonReader) rawNumber() ([]byte, *SyntaxError) {
	rest := r.text[r.pos:]
	raw := rest[:jsonNumberLength(rest)]
	if len(raw) == 0 {
		return nil, r.fault("a number is expected")
	}
	if len(raw) > 300 || bytes.ContainsAny(raw, "eE") { // others fit a float64
		if _, err := strconv.ParseFloat(string(raw), 64); err != nil {
			fault := r.fault("a number is too large")
			fault.IsJSON = true
			return nil, fault
		}
	}
	r.pos += len(raw)
	return raw, nil
}

// jsonNumberLength is the length of the JSON number that text begins with, or 0.
func jsonNumberLength(text []byte) int {
	digits := func(i int) int {
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		return i
	}
	i := 0
	if i < len(text) && text[i] == '-' {
		i++
	}
	whole := digits(i)
	if whole == i || text[i] == '0' && whole > i+1 {
		return 0
	}
	i = whole
	if i < len(text) && text[i] == '.' {
		fraction := digits(i + 1)
		if fraction == i+1 {
			return 0
		}
		i = fraction
	}
	if i >= len(text) || text[i]|0x20 != 'e' {
		return i
	}
	i++
	if i < len(text) && (text[i] == '+' || text[i] == '-') {
		i++
	}
	exponent := digits(i)
	if exponent == i {
		return 0
	}
	return exponent
}

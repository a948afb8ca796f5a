package manifest

import (
	"bytes"
	"slices"
	"strings"
)

// textObject is an object or List inside text that is neither YAML nor JSON, complete or not.
type textObject struct {
	kind        string
	first, last int // lines in the text, 1-based
}

// objectsInText returns the objects and Lists inside a text, by their keys: in braces and in lines
// of block YAML. If records is set, those inside other values in braces are left out, because logs
// have records about objects.
func objectsInText(text []byte, records bool) []textObject {
	if !bytes.Contains(text, []byte("apiVersion")) {
		return nil
	}
	found := objectsInBraces(text, records)
	inBraces := func(o textObject) bool {
		return slices.ContainsFunc(found, func(b textObject) bool { return b.first <= o.first && o.first <= b.last })
	}
	return append(found, slices.DeleteFunc(objectsInLines(text), inBraces)...)
}

// mapping collects the keys of a mapping in a text.
type mapping struct {
	claim
	kindName string
	line     int          // line of its beginning
	indent   int          // of the lines with its keys
	inside   []textObject // objects inside it
}

// take records a key and the text after its colon.
func (m *mapping) take(key string, value []byte) {
	known := m.kind
	if m.claim.take(key, value); m.kind && !known {
		m.kindName = string(bytes.Trim(value[:wordLength(value)], `"'`))
	}
}

// objects returns the objects of a mapping that ends on a line: the mapping itself, those inside it,
// or the items of a List. In a record about objects there are none.
func (m *mapping) objects(line int, records bool) []textObject {
	switch {
	case !m.apiVersion || !m.kind || !m.has("metadata") && !m.has("items"):
		if records {
			return nil
		}
		return m.inside
	case m.kindName == "List":
		return m.inside
	}
	return append(m.inside, textObject{strings.TrimSuffix(m.kindName, "List"), m.line, line})
}

// mappings are the mappings around the current line of a text, from the outside in, and the objects
// among those that have ended.
type mappings struct {
	open    []mapping
	records bool // see objectsInText
	found   []textObject
}

// begin adds a mapping inside the current one.
func (m *mappings) begin(line, indent int) *mapping {
	const deepest = 100 // of the mappings in any real object
	if len(m.open) == deepest {
		m.end(0, line)
	}
	m.open = append(m.open, mapping{line: line, indent: indent})
	return m.current()
}

func (m *mappings) current() *mapping { return &m.open[len(m.open)-1] }

// end ends all mappings at a depth and below it, on a line.
func (m *mappings) end(depth, line int) {
	for len(m.open) > depth {
		found := m.current().objects(line, m.records)
		if m.open = m.open[:len(m.open)-1]; len(m.open) == 0 {
			m.found = append(m.found, found...)
			continue
		}
		m.current().inside = append(m.current().inside, found...)
	}
}

func objectsInBraces(text []byte, records bool) []textObject {
	m := mappings{records: records}
	line := 1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			line++
		case c == '{':
			m.begin(line, 0).take(keyAfter(text[i+1:]))
		case len(m.open) == 0:
		case c == ',':
			m.current().take(keyAfter(text[i+1:]))
		case c == '}':
			m.end(len(m.open)-1, line)
		case c == '"':
			i += quotedLength(text[i:]) - 1
		}
	}
	m.end(0, line)
	return m.found
}

// keyAfter is keyAt after the white space at the beginning of a text.
func keyAfter(text []byte) (key string, value []byte) { return keyAt(bytes.TrimLeft(text, " \t\r\n")) }

// quotedLength returns the length of the quoted text at the beginning of a text; 1 if it does not
// end on its line.
func quotedLength(text []byte) int {
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 1
}

func objectsInLines(text []byte) []textObject {
	var m mappings
	number := 0
	for line := range bytes.Lines(text) {
		number++
		begin := afterDashes(line)
		key, value := keyAt(begin)
		if !slices.Contains(objectKeys(), key) {
			continue
		}
		indent := len(line) - len(begin)
		for len(m.open) > 0 && (m.current().indent > indent || m.current().indent == indent && m.current().has(key)) {
			m.end(len(m.open)-1, number)
		}
		if len(m.open) == 0 || m.current().indent < indent {
			m.begin(number, indent)
		}
		m.current().take(key, value)
	}
	m.end(0, number)
	return m.found
}

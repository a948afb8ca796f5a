package kubeyaml

import (
	"strings"
)

// Kind says what a Node is.
type Kind uint8

// The kinds of nodes.
const (
	Scalar Kind = iota
	List
	Map
)

// Style is the way a scalar is written.
type Style uint8

// The styles of scalars.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal
	Folded
)

// Node is a value of a YAML or JSON text together with its place. Nodes are not modified once Parse
// has returned them; what an alias stands for is the same Node as its anchor's.
type Node struct {
	Kind   Kind
	Style  Style  // of a scalar
	Flow   bool   // a map or list in braces or brackets
	Text   string // of a scalar: its content, unescaped, before its type is resolved
	Tag    string // the tag that was written ("!!str", "!custom"), or ""
	Line   int    // 1-based
	Column int    // 1-based, in bytes
	// of the first byte in the parsed text; quotes and block indicators belong to the node, tags
	// and anchors do not
	Offset int

	Keys       []*Node // of a map, in source order; merge keys are merged in, of duplicates the last is kept
	Values     []*Node // of a map, parallel to Keys; of a list, its elements
	Duplicates []*Node // of a map: the keys whose values were lost to a later duplicate

	End int // of a JSON value: the offset behind its last byte; 0 for YAML
}

// styleOf is the style of a scalar on one line that is in quotes like this one, or in none
// where it is 0.
func styleOf(quote byte) Style {
	switch quote {
	case '"':
		return DoubleQuoted
	case '\'':
		return SingleQuoted
	}
	return Plain
}

// nodeRoom makes nodes, several at a time: a few first, because there may be no more.
type nodeRoom struct {
	free []Node
	made int
}

func (r *nodeRoom) node(offset, line, column int) *Node {
	const few, many = 4, 16
	if len(r.free) == 0 {
		r.free = make([]Node, min(max(few, r.made), many))
		r.made += len(r.free)
	}
	n := &r.free[0]
	r.free = r.free[1:]
	n.Offset, n.Line, n.Column = offset, line, column
	return n
}

// Value is the node as Kubernetes decodes it: map[string]any, []any, string, bool, int64, float64
// or nil. Each call makes a fresh tree.
func (n *Node) Value() any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Map:
		m := make(map[string]any, len(n.Keys))
		for i, key := range n.Keys {
			m[KeyString(key)] = n.Values[i].Value()
		}
		return m
	case List:
		l := make([]any, len(n.Values))
		for i, v := range n.Values {
			l[i] = v.Value()
		}
		return l
	default:
		return Resolve(n.Text, n.Style, n.Tag)
	}
}

// IsNull reports whether there is no value: the node is nil, or null.
func (n *Node) IsNull() bool { return n == nil || n.Kind == Scalar && n.Value() == nil }

// IsText reports whether the node is a string. Words that YAML 1.1 alone takes for booleans, such
// as yes and on, are text where people write text.
func (n *Node) IsText() bool {
	if n == nil || n.Kind != Scalar {
		return false
	}
	switch n.Value().(type) {
	case string:
		return true
	case bool:
		return !strings.EqualFold(n.Text, "true") && !strings.EqualFold(n.Text, "false")
	}
	return false
}

// TypeName names what the node is, for messages.
func (n *Node) TypeName() string {
	switch n.Kind {
	case Map:
		return "a mapping"
	case List:
		return "a list"
	}
	if n.IsText() {
		return "text"
	}
	switch n.Value().(type) {
	case nil:
		return "nothing"
	case bool:
		return "true or false"
	}
	return "a number"
}

// LineAt returns the line of the byte at an offset of a scalar's content, as far as it is known.
func (n *Node) LineAt(offset int) int {
	switch n.Style {
	case Literal:
		return n.Line + 1 + strings.Count(n.Text[:min(max(offset, 0), len(n.Text))], "\n")
	case Folded:
		return n.Line + 1
	}
	return n.Line
}

// Field is the key and the value of a map's field; both are nil if there is none or n is no map.
func (n *Node) Field(name string) (key, value *Node) {
	if n == nil || n.Kind != Map {
		return nil, nil
	}
	for i, k := range n.Keys {
		if KeyString(k) == name {
			return k, n.Values[i]
		}
	}
	return nil, nil
}

// EndIn is the offset behind the last byte of a scalar or an empty container in the text that it
// is in, as far as that goes.
func (n *Node) EndIn(text string) int {
	if n.Offset >= len(text) {
		return n.Offset
	}
	rest := text[n.Offset:]
	switch {
	case n.Kind != Scalar:
		return n.Offset + 1 + strings.IndexAny(rest, "}]")
	case n.Style == DoubleQuoted:
		return n.Offset + QuotedLength(rest, '"', '\\')
	case n.Style == SingleQuoted:
		return n.Offset + QuotedLength(rest, '\'', '\'')
	case n.Style == Literal || n.Style == Folded:
		return n.Offset + blockLength(rest)
	case strings.HasPrefix(rest, n.Text):
		return n.Offset + len(n.Text)
	}
	if i := strings.IndexByte(rest, '\n'); i >= 0 && !strings.Contains(n.Text, " ") {
		return n.Offset + i
	}
	return len(text)
}

// DuplicateKeys lists the keys below n that stand more than once in one map: those whose values
// were lost.
func DuplicateKeys(n *Node) []*Node {
	if n == nil {
		return nil
	}
	lost := append([]*Node(nil), n.Duplicates...)
	for _, v := range n.Values {
		lost = append(lost, DuplicateKeys(v)...)
	}
	return lost
}

package kubeyaml

import (
	"strings"
)

// Kind is the type of a Node.
type Kind uint8

// The kinds of nodes.
const (
	Scalar Kind = iota
	List
	Map
)

// Style is the notation of a scalar.
type Style uint8

// The styles of scalars.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal
	Folded
)

// Node is a value of a YAML or JSON text with its position. Nodes are not modified after Parse has
// returned them; an alias is the same Node as its anchor's value.
type Node struct {
	Kind   Kind
	Style  Style  // notation of a scalar
	Flow   bool   // a map or list in braces or brackets
	Text   string // content of a scalar, unescaped, before type resolution
	Line   int    // 1-based
	Column int    // 1-based, in bytes
	// offset of the first byte in the parsed text; quotes and block indicators belong to the node,
	// tags and anchors do not
	Offset int

	Keys   []*Node // keys of a map, in source order, with merge keys resolved; of duplicate keys only the last
	Values []*Node // values of a map, parallel to Keys, or elements of a list
	Rare   *Rare   // nil for most nodes

	End int // offset after the last byte of a JSON value; 0 for YAML
}

// Rare has the properties that few nodes have. It is separate from Node to keep nodes small,
// because they take most of the memory of decoding.
type Rare struct {
	Tag        string  // the tag in the text ("!!str", "!custom"), or ""
	Duplicates []*Node // keys of a map whose values a later duplicate replaced
	Replaced   []*Node // the values that were replaced, parallel to Duplicates
}

// Tag returns the tag in the text, or "".
func (n *Node) Tag() string {
	if n.Rare == nil {
		return ""
	}
	return n.Rare.Tag
}

// Duplicates returns the keys of a map whose values a later duplicate replaced.
func (n *Node) Duplicates() []*Node {
	if n.Rare == nil {
		return nil
	}
	return n.Rare.Duplicates
}

// Replaced returns the values that a later duplicate of their key replaced, parallel to Duplicates.
func (n *Node) Replaced() []*Node {
	if n.Rare == nil {
		return nil
	}
	return n.Rare.Replaced
}

// Value returns the node as Kubernetes decodes it: map[string]any, []any, string, bool, int64,
// float64 or nil. Each call makes a new tree.
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
		return Resolve(n.Text, n.Style, n.Tag())
	}
}

// IsVerbatim reports whether the value of a scalar is certainly its Text, as of most. Unlike Value
// it allocates nothing.
func (n *Node) IsVerbatim() bool { return n.Tag() == "" && (n.Style != Plain || IsWord(n.Text)) }

// IsNull reports whether the node is nil or null.
func (n *Node) IsNull() bool {
	return n == nil || n.Kind == Scalar && !n.IsVerbatim() && n.Value() == nil
}

// IsText reports whether the node is a string. Words that only YAML 1.1 reads as booleans, such as
// yes and on, count as strings, because users write them as text.
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

// TypeName returns the type of the node for messages.
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

// LineAt returns the line of an offset in a scalar's content, as far as known.
func (n *Node) LineAt(offset int) int {
	switch n.Style {
	case Literal:
		return n.Line + 1 + strings.Count(n.Text[:min(max(offset, 0), len(n.Text))], "\n")
	case Folded:
		return n.Line + 1
	}
	return n.Line
}

// Field returns the key and the value of a map's field; both are nil if it does not exist or n is
// not a map.
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

// EndIn returns the offset after the last byte of a scalar or an empty container in its text, as
// far as known.
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

// DuplicateKeys returns the keys, of n and all maps below it, whose values a later duplicate
// replaced.
func DuplicateKeys(n *Node) []*Node {
	if n == nil {
		return nil
	}
	lost := append([]*Node(nil), n.Duplicates()...)
	for _, v := range n.Values {
		lost = append(lost, DuplicateKeys(v)...)
	}
	return lost
}

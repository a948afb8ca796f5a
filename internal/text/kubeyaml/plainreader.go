package kubeyaml

import (
	"bytes"
	"slices"
)

// parsePlain does the same as parseYAML many times as fast, or returns nil for a text that it does
// not support. It supports block YAML without tags and anchors: most objects, and most output of
// templates. It takes little more memory than the values.
//
// Guarantee: if it returns a node, parseYAML returns only that node, and no fault unless it
// estimates too many values.
func (l Limits) parsePlain(text []byte, source string, base int, room *Room) *Node {
	const longest = 1 << 20 // a longer text may have long scalars that are not parts of it
	body, marked := bytes.CutPrefix(text, []byte("---\n"))
	if len(body) == 0 || body[len(body)-1] != '\n' || !isPrintable(body) {
		return nil
	}
	if marked {
		base++
	}
	r := plainReader{
		scanner:  newScanner(Document{Text: body, Base: base}),
		before:   len(text) - len(body),
		limits:   l,
		room:     room,
		openMaps: room.open,
	}
	switch {
	case len(body) > longest:
	case source != "":
		r.source = source[r.before:]
	default:
		r.source = string(body)
	}
	n, behind := r.document(Outline{})
	if behind.Start != len(body) {
		return nil
	}
	return n
}

// Outline says which parts of a document are read; the others are skipped. The zero value reads
// everything.
type Outline struct {
	// Field returns the text of a key, and the outline of its value; "" for a field to skip.
	Field func(key []byte) (name string, value Outline)
	// Element, if set, receives each element of a list, and the range of its text: in YAML its
	// lines. The element is valid only during the call, and the list has nil in its place.
	Element func(n *Node, start, end int)
}

// ReadOutline reads parts of a document of plain block YAML, or returns nil for a document that it
// does not support. The text must be the body of a document, plain text (see IsPlainText), and end
// with a line break.
//
// Guarantee: if ParseIn reads the document, it has the same values in these parts.
func (l Limits) ReadOutline(room *Room, d Document, o Outline) *Node {
	r := plainReader{scanner: newScanner(d), limits: l, room: room, openMaps: room.open}
	n, _ := r.document(o)
	if n == nil || n.Kind != Map || n.Column != 1 {
		return nil
	}
	return n
}

// longestKey is the maximum length in bytes of a key; yaml.v3 accepts 1024 characters.
const longestKey = 1000

// plainReader builds nodes from tokens. After it has declined, its results are meaningless.
type plainReader struct {
	*scanner
	source string // the text; the texts of nodes are parts of this string. "" if each is a copy
	before int    // number of bytes before this text
	limits Limits
	made   int // number of nodes; a key and its value are two
	room   *Room
	openMaps
}

// document reads the whole text, and returns the root and the token after it; nil if it declined.
func (r *plainReader) document(o Outline) (*Node, token) {
	n, behind := r.collection(r.next(), 0, o)
	r.room.open = openMaps{names: r.names[:0], keys: r.keys[:0], values: r.values[:0]}
	if r.isDeclined() || !behind.end() {
		return nil, behind
	}
	return n, behind
}

// node returns a new node at an offset of a token's line.
func (r *plainReader) node(t token, at, depth int) *Node {
	if r.made++; depth > r.limits.Nesting || r.made > 2*r.limits.Values {
		r.decline()
	}
	return r.room.node(r.before+at, t.Line, at-t.Start+1)
}

// collection reads the map or list that begins with a token, and returns the token after it.
func (r *plainReader) collection(t token, depth int, o Outline) (*Node, token) {
	switch {
	case t.Dashes == 1:
		return r.list(t, depth, o)
	case t.Dashes == 0 && t.IsKey:
		return r.mapping(t, depth, o)
	}
	return nil, r.decline()
}

func (r *plainReader) list(t token, depth int, o Outline) (*Node, token) {
	n, first, dash := r.node(t, t.Start+t.Indent, depth), len(r.values), t.Indent
	n.Kind = List
	for t.Indent == dash && t.Dashes == 1 {
		var item *Node
		if o.Element != nil {
			t = r.element(t, depth, o)
		} else {
			item, t = r.item(t, depth, o)
		}
		r.values = append(r.values, item)
	}
	n.Values = r.room.list(r.values[first:])
	r.values = r.values[:first]
	if t.Indent > dash {
		return nil, r.decline()
	}
	return n, t
}

// item reads the list element that begins with a token, and returns the token after it.
func (r *plainReader) item(t token, depth int, o Outline) (*Node, token) {
	switch {
	case t.IsKey:
		return r.mapping(t, depth+1, o)
	case o.Field != nil:
		return nil, r.decline()
	}
	n := r.scalar(t, t.Start+t.Column, depth+1)
	return n, r.next()
}

func (r *plainReader) mapping(t token, depth int, o Outline) (*Node, token) {
	n, column := r.node(t, t.Start+t.Column, depth), t.Column
	n.Kind = Map
	firstKey, firstValue := len(r.keys), len(r.values)
	for first := true; first || t.Indent == column && t.Dashes == 0; first = false {
		if !t.IsKey || len(t.Key) > longestKey || !t.QuotedKey && string(t.Key) == "<<" {
			return nil, r.decline()
		}
		name, below := "", Outline{}
		if o.Field != nil {
			if name, below = o.Field(t.Key); name == "" {
				t = r.skip(t)
				continue
			}
		}
		key := r.node(t, t.Start+t.Column, depth+1)
		key.Text, key.Style = r.cut(t.Start+t.Column, t.Key, t.QuotedKey, name)
		if name == "" {
			var fault string
			if name, fault = keyString(key); fault != "" {
				return nil, r.decline()
			}
		}
		var value *Node
		value, t = r.value(t, depth+1, below)
		r.names, r.keys, r.values = append(r.names, name), append(r.keys, key), append(r.values, value)
	}
	if t.Indent >= column || !areDistinct(r.names[firstKey:]) { // deeper, or a duplicate key
		return nil, r.decline()
	}
	n.Keys, n.Values = r.room.list(r.keys[firstKey:]), r.room.list(r.values[firstValue:])
	r.names, r.keys, r.values = r.names[:firstKey], r.keys[:firstKey], r.values[:firstValue]
	return n, t
}

// areDistinct reports whether no two names are equal. It may sort the names; the keys of most maps
// are sorted already.
func areDistinct(names []string) bool {
	for i := 1; i < len(names); i++ {
		if names[i] <= names[i-1] {
			slices.Sort(names)
			return len(slices.Compact(names)) == len(names)
		}
	}
	return true
}

// cut returns the text of a key or scalar that begins at an offset, quoted or not, and its style.
// known is the text, if it is known already.
func (r *plainReader) cut(at int, text []byte, quoted bool, known string) (string, Style) {
	style := Plain
	begin := at
	if quoted {
		begin++
		style = SingleQuoted
		if r.text[at] == '"' {
			style = DoubleQuoted
		}
	}
	switch {
	case known != "":
		return known, style
	case r.source == "":
		return string(text), style
	}
	return r.source[begin : begin+len(text)], style
}

// value reads the value of a key.
func (r *plainReader) value(key token, depth int, o Outline) (*Node, token) {
	at := key.Start + key.Column + len(key.Key) + len(":")
	if key.QuotedKey {
		at += len(`""`)
	}
	if key.Value != noValue {
		for r.text[at] == ' ' {
			at++
		}
		return r.scalar(key, at, depth), r.next()
	}
	t := r.next()
	if t.Indent > key.Column || t.Indent == key.Column && t.Dashes > 0 {
		return r.collection(t, depth, o)
	}
	return r.node(key, at, depth), t // null
}

// scalar returns the node of a token's value, which begins at an offset.
func (r *plainReader) scalar(t token, at, depth int) *Node {
	n := r.node(t, at, depth)
	switch t.Value {
	case emptyMap:
		n.Kind, n.Flow, n.Keys, n.Values = Map, true, []*Node{}, []*Node{}
		return n
	case emptyList:
		n.Kind, n.Flow, n.Values = List, true, []*Node{}
		return n
	case plainValue:
		if bytes.Contains(t.Text, []byte(": ")) || bytes.HasSuffix(t.Text, []byte(":")) {
			r.decline()
		}
	}
	n.Text, n.Style = r.scalarText(t, at)
	if n.noValue() != nil {
		r.decline()
	}
	return n
}

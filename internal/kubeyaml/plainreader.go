package kubeyaml

import (
	"bytes"
	"slices"
)

// parsePlain does the same as parseYAML many times as fast, or returns nil for a text that it does
// not support. It supports block YAML with each scalar on one line, without escapes, tags and
// anchors: most objects, and most output of templates.
//
// Guarantee: if it returns a node, parseYAML returns only that node, and no fault.
func (l Limits) parsePlain(text []byte, base int, room *Room) *Node {
	const longest = 1 << 20 // a longer text has long scalars, usually in an unsupported style
	body, marked := bytes.CutPrefix(text, []byte("---\n"))
	if len(text) > longest || len(body) == 0 || !IsPrintable(body) || !l.fits(text) {
		return nil
	}
	if marked {
		base++
	}
	r := plainReader{
		Scanner:  NewScanner(Document{Text: body, Base: base}),
		source:   string(body),
		before:   len(text) - len(body),
		most:     l.Nesting,
		room:     room,
		openMaps: room.open,
	}
	n, behind := r.block(r.Next(), 0)
	room.open = openMaps{names: r.names[:0], keys: r.keys[:0], values: r.values[:0]}
	if r.Declined() || !behind.End() || behind.Start != len(body) || body[len(body)-1] != '\n' {
		return nil
	}
	return n
}

// longestKey is the maximum length in bytes of a key; yaml.v3 accepts 1024 characters.
const longestKey = 1000

// plainReader builds nodes from tokens. After it has declined, its results are meaningless.
type plainReader struct {
	*Scanner
	source string // the text; the texts of nodes are parts of this string
	before int    // number of bytes before this text
	most   int    // maximum nesting of maps and lists
	room   *Room
	openMaps
}

// node returns a new node at an offset of a token's line.
func (r *plainReader) node(t Token, at, depth int) *Node {
	if depth > r.most {
		r.Decline()
	}
	return r.room.node(r.before+at, t.Line, at-t.Start+1)
}

// block reads the map or list that begins with a token, and returns the token after it.
func (r *plainReader) block(t Token, depth int) (*Node, Token) {
	switch {
	case t.Dashes == 1:
		return r.list(t, depth)
	case t.Dashes == 0 && t.IsKey:
		return r.mapping(t, depth)
	}
	return nil, r.Decline()
}

func (r *plainReader) list(t Token, depth int) (*Node, Token) {
	n, first, dash := r.node(t, t.Start+t.Indent, depth), len(r.values), t.Indent
	n.Kind = List
	for t.Indent == dash && t.Dashes == 1 {
		var item *Node
		if t.IsKey {
			item, t = r.mapping(t, depth+1)
		} else {
			item = r.scalar(t, t.Start+t.Column, depth+1)
			t = r.Next()
		}
		r.values = append(r.values, item)
	}
	n.Values = r.room.list(r.values[first:])
	r.values = r.values[:first]
	if t.Indent > dash {
		return nil, r.Decline()
	}
	return n, t
}

func (r *plainReader) mapping(t Token, depth int) (*Node, Token) {
	n, column := r.node(t, t.Start+t.Column, depth), t.Column
	n.Kind = Map
	firstKey, firstValue := len(r.keys), len(r.values)
	for first := true; first || t.Indent == column && t.Dashes == 0; first = false {
		if !t.IsKey || len(t.Key) > longestKey || !t.QuotedKey && string(t.Key) == "<<" {
			return nil, r.Decline()
		}
		key := r.node(t, t.Start+t.Column, depth+1)
		key.Text, key.Style = r.cut(t.Start+t.Column, t.Key, t.QuotedKey)
		name, fault := keyString(key)
		if fault != "" {
			return nil, r.Decline()
		}
		var value *Node
		value, t = r.value(t, depth+1)
		r.names, r.keys, r.values = append(r.names, name), append(r.keys, key), append(r.values, value)
	}
	if t.Indent >= column || !areDistinct(r.names[firstKey:]) { // deeper, or a duplicate key
		return nil, r.Decline()
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
func (r *plainReader) cut(at int, text []byte, quoted bool) (string, Style) {
	if !quoted {
		return r.source[at : at+len(text)], Plain
	}
	style := SingleQuoted
	if r.source[at] == '"' {
		style = DoubleQuoted
	}
	return r.source[at+1 : at+1+len(text)], style
}

// value reads the value of a key.
func (r *plainReader) value(key Token, depth int) (*Node, Token) {
	at := key.Start + key.Column + len(key.Key) + len(":")
	if key.QuotedKey {
		at += len(`""`)
	}
	if key.Value != NoValue {
		for r.source[at] == ' ' {
			at++
		}
		return r.scalar(key, at, depth), r.Next()
	}
	t := r.Next()
	if t.Indent > key.Column || t.Indent == key.Column && t.Dashes > 0 {
		return r.block(t, depth)
	}
	return r.node(key, at, depth), t // null
}

// scalar returns the node of a token's value, which begins at an offset.
func (r *plainReader) scalar(t Token, at, depth int) *Node {
	n := r.node(t, at, depth)
	switch t.Value {
	case EmptyMap:
		n.Kind, n.Flow, n.Keys, n.Values = Map, true, []*Node{}, []*Node{}
		return n
	case EmptyList:
		n.Kind, n.Flow, n.Values = List, true, []*Node{}
		return n
	case QuotedValue:
	case PlainValue:
		if bytes.Contains(t.Text, []byte(": ")) || bytes.HasSuffix(t.Text, []byte(":")) {
			r.Decline()
		}
	default:
		r.Decline()
	}
	if !t.Simple {
		r.Decline()
		return n
	}
	n.Text, n.Style = r.cut(at, t.Text, t.Value == QuotedValue)
	if n.noValue() != nil {
		r.Decline()
	}
	return n
}

package kubeyaml

import (
	"bytes"
	"slices"
)

// parsePlain reads a text as parseYAML does, many times as fast, or returns nil. It knows YAML in
// which each scalar stands on one line and has no escapes, no tag and no anchor, in blocks, in
// braces or in both: most objects, and most of what templates print.
//
// Guarantee: where it returns a node, parseYAML returns the same one alone, and no fault.
func (l Limits) parsePlain(text []byte, base int) *Node {
	const longest = 1 << 20 // what is longer has long texts, nearly always in a style that is declined
	body, marked := bytes.CutPrefix(text, []byte("---\n"))
	if len(text) > longest || len(body) == 0 || !IsPrintable(body) || !l.Fits(text) {
		return nil
	}
	if marked {
		base++
	}
	r := plainReader{
		Scanner: NewScanner(Document{Text: body, Base: base}, l.Nesting),
		text:    body,
		before:  len(text) - len(body),
		most:    l.Nesting,
	}
	if body[0] == '{' || body[0] == '[' {
		n, rest := r.flow(Token{Line: base + 1}, 0, 0)
		if r.Declined() || len(rest) > 0 {
			return nil
		}
		return n
	}
	n, behind := r.block(r.Next(), 0)
	if r.Declined() || !behind.End() || behind.Start != len(body) || body[len(body)-1] != '\n' {
		return nil
	}
	return n
}

// plainReader makes nodes of tokens. Once it has declined, what it returns means nothing.
type plainReader struct {
	*Scanner
	text         []byte
	before       int // bytes of the text before this one
	most         int // how many maps and lists may lie in each other
	room         nodeRoom
	names        []string // of the keys of all maps that are not at their end
	keys, values []*Node  // parallel to them; values are those of lists, too
}

// node is a new node that begins at an offset of the line of a token.
func (r *plainReader) node(t Token, at, depth int) *Node {
	if depth > r.most {
		r.Decline()
	}
	return r.room.node(r.before+at, t.Line, at-t.Start+1)
}

// flow reads the map or list in braces or brackets that begins at an offset of the line of a token,
// and returns what is behind it but blanks.
func (r *plainReader) flow(t Token, at, depth int) (*Node, []byte) {
	in := newFlow(r.text, t, at, r.most)
	in.nodes, in.before = &r.room, r.before
	n, fault := in.Value(depth)
	if fault != nil {
		r.Decline()
	}
	in.SkipSpace()
	return n, in.Rest()
}

// block reads the map or list that begins with a token, and returns what is behind it.
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
	n.Values = slices.Clone(r.values[first:])
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
		if !t.IsKey || len(t.Key) > LongestKey || !t.QuotedKey && string(t.Key) == "<<" {
			return nil, r.Decline()
		}
		key := r.node(t, t.Start+t.Column, depth+1)
		key.Text = string(t.Key)
		if t.QuotedKey {
			key.Style = styleOf(r.text[t.Start+t.Column])
		}
		name, fault := keyString(key)
		if fault != "" {
			return nil, r.Decline()
		}
		var value *Node
		value, t = r.value(t, depth+1)
		r.names, r.keys, r.values = append(r.names, name), append(r.keys, key), append(r.values, value)
	}
	names := r.names[firstKey:]
	slices.Sort(names)
	if t.Indent >= column || len(slices.Compact(names)) < len(names) { // deeper, or a key twice
		return nil, r.Decline()
	}
	both := slices.Concat(r.keys[firstKey:], r.values[firstValue:])
	n.Keys, n.Values = both[:len(both)/2:len(both)/2], both[len(both)/2:]
	r.names, r.keys, r.values = r.names[:firstKey], r.keys[:firstKey], r.values[:firstValue]
	return n, t
}

// value reads the value of a key.
func (r *plainReader) value(key Token, depth int) (*Node, Token) {
	at := key.Start + key.Column + len(key.Key) + len(":")
	if key.QuotedKey {
		at += len(`""`)
	}
	if key.Value != NoValue {
		for r.text[at] == ' ' {
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

// scalar makes the node of a token's value, which begins at an offset.
func (r *plainReader) scalar(t Token, at, depth int) *Node {
	if t.Value == FlowValue {
		n, _ := r.flow(t, at, depth)
		return n
	}
	n := r.node(t, at, depth)
	switch t.Value {
	case EmptyMap:
		n.Kind, n.Flow, n.Keys, n.Values = Map, true, []*Node{}, []*Node{}
		return n
	case EmptyList:
		n.Kind, n.Flow, n.Values = List, true, []*Node{}
		return n
	case QuotedValue:
		n.Style = styleOf(r.text[at])
	case PlainValue:
		if bytes.Contains(t.Text, []byte(": ")) || bytes.HasSuffix(t.Text, []byte(":")) {
			r.Decline()
		}
	default:
		r.Decline()
	}
	if !t.Simple {
		r.Decline()
	}
	n.Text = string(t.Text)
	if n.noValue() != nil {
		r.Decline()
	}
	return n
}

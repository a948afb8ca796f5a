package kubeyaml

// parseJSON reads consecutive JSON values. It exists besides the YAML reader because JSON is not
// entirely a part of YAML 1.1 (surrogate pairs, tabs, control characters), and because it is ten
// times as fast.
func (l Limits) parseJSON(text []byte, base int, room *Room) ([]*Node, *SyntaxError) {
	r := l.NewJSON(text, base)
	r.room = room
	var nodes []*Node
	for {
		r.SkipSpace()
		if len(r.Rest()) == 0 {
			return nodes, nil
		}
		if len(nodes) >= l.Values {
			return nil, l.tooMany(r.Line, r.Column())
		}
		n, fault := r.Value(0)
		if fault != nil {
			return nil, fault
		}
		nodes = append(nodes, n)
	}
}

// Value reads the next value at a nesting depth.
func (r *JSON) Value(depth int) (*Node, *SyntaxError) {
	if fault := r.Enter(depth); fault != nil {
		return nil, fault
	}
	n := r.room.node(r.Pos, r.Line, r.Column())
	var fault *SyntaxError
	switch r.Peek() {
	case '{':
		n.Kind, n.Flow = Map, true
		fault = r.object(n, depth)
	case '[':
		n.Kind, n.Flow, n.Values = List, true, []*Node{}
		fault = r.Elements(func() *SyntaxError {
			value, fault := r.Value(depth + 1)
			n.Values = append(n.Values, value)
			return fault
		})
	default:
		fault = r.scalarNode(n)
	}
	n.End = r.Pos
	return n, fault
}

func (r *JSON) object(n *Node, depth int) *SyntaxError {
	fields := newFields(4)
	fault := r.Members(func(k Key) *SyntaxError {
		value, fault := r.Value(depth + 1)
		if fault != nil {
			return fault
		}
		key := r.room.node(k.Offset, k.Line, k.Column)
		key.Style, key.Text = DoubleQuoted, k.Text()
		key.End = k.Offset + len(k.Raw) + len(`""`)
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

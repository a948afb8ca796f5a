package kubeyaml

// element passes the list element that begins with a token to Outline.Element, and returns the token
// after it. An element that the reader does not support is decoded alone, so that one of them in a
// large List does not cost the memory of decoding all.
func (r *plainReader) element(t token, depth int, o Outline) token {
	mark, made, open := r.room.Mark(), r.made, r.openMaps
	n, next := r.item(t, depth, o)
	if r.isDeclined() {
		r.openMaps = open
		n, next = r.elementAlone(t)
	}
	if n == nil {
		return r.decline()
	}
	o.Element(n, t.Start, next.Start)
	r.room.Reuse(mark)
	r.made = made
	return next
}

// elementAlone decodes the lines of the list element that begins with a token, and returns the token
// after it; nil if they do not stand for themselves. Lines that a quoted text or braces join are
// cut apart only where both parts are broken.
func (r *plainReader) elementAlone(t token) (*Node, token) {
	end, line := t.Start, t.Line
	for {
		end += LineLength(r.text[end:])
		if line++; endsElement(r.text[end:], t.Indent) {
			break
		}
	}
	p := r.limits.ReadYAML(r.text[t.Start:end], t.Line-1)
	if p.Fault != nil || p.Anchored || len(p.Nodes) != 1 || p.Nodes[0].Kind != List || len(p.Nodes[0].Values) != 1 {
		return nil, token{}
	}
	n := p.Nodes[0].Values[0]
	n.move(t.Start)
	*r.scanner = scanner{text: r.text, pos: end, line: line, pending: -1}
	next := r.next()
	if r.isDeclined() && isDash(r.text[end:], t.Indent) {
		r.declined = false
		next = token{Start: end, Line: line, Indent: t.Indent, Dashes: 1}
	}
	return n, next
}

// endsElement reports whether a line ends the list element before it, whose dash has a column.
func endsElement(line []byte, dash int) bool {
	spaces := leadingSpaces(line)
	return len(line) == 0 || spaces <= dash && line[spaces] != '#' && !startsBlankLine(line)
}

// isDash reports whether a line begins with a dash in a column.
func isDash(line []byte, column int) bool {
	at := leadingSpaces(line)
	return at == column && len(line) > at+1 && line[at] == '-' && isBlankOrBreak(line[at+1])
}

// move adds a number to the offsets of a node and all nodes below it, none of which is an alias.
func (n *Node) move(by int) {
	n.Offset += by
	for _, below := range [][]*Node{n.Keys, n.Values, n.Duplicates(), n.Replaced()} {
		for _, one := range below {
			one.move(by)
		}
	}
}

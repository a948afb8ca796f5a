package kubeyaml

import "github.com/validationtool/validationtool/internal/run/memory"

// Room is reusable memory for nodes: decoding an object takes far more memory than its value. The
// zero value is an empty room. Only one goroutine may use a room at a time.
type Room struct {
	nodes memory.Blocks[Node]
	lists memory.Blocks[*Node]
	open  openMaps
	text  []byte // of Text and bytes
}

// Text returns the text that build appends to a text.
func (r *Room) Text(build func(text []byte) []byte) string {
	r.text = build(r.text[:0])
	return string(r.text)
}

// bytes returns the bytes of a text, until the room has another text.
func (r *Room) bytes(text string) []byte {
	r.text = append(r.text[:0], text...)
	return r.text
}

// openMaps are the maps and lists that a reader has not read to their ends.
type openMaps struct {
	names        []string // names of the keys of all open maps
	keys, values []*Node  // parallel to names; values also has the values of lists
}

// Mark is a state of a room.
type Mark struct{ nodes, lists memory.Mark }

// Mark returns the state of the room.
func (r *Room) Mark() Mark { return Mark{r.nodes.Mark, r.lists.Mark} }

// Reuse lets the room use the memory of all nodes that it returned since a mark for other nodes.
// The caller must not use those nodes any more. The room keeps only some of the memory.
func (r *Room) Reuse(since Mark) {
	r.nodes.Reuse(since.nodes)
	r.lists.Reuse(since.lists)
	const most = 1 << 20 // maximum number of bytes that are kept
	if cap(r.text) > most {
		r.text = nil
	}
}

// node returns a new node.
func (r *Room) node(offset, line, column int) *Node {
	n := &r.nodes.Take(1)[0]
	n.Offset, n.Line, n.Column = offset, line, column
	return n
}

// list returns a copy of a list of nodes.
func (r *Room) list(all []*Node) []*Node {
	l := r.lists.Take(len(all))
	copy(l, all)
	return l
}

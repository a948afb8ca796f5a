package kubeyaml

import "slices"

// Room is reusable memory for nodes: decoding an object takes far more memory than its value. The
// zero value is an empty room. Only one goroutine may use a room at a time.
type Room struct {
	nodes blocks[Node]
	lists blocks[*Node]
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
type Mark struct{ nodes, lists position }

// Mark returns the state of the room.
func (r *Room) Mark() Mark { return Mark{r.nodes.position, r.lists.position} }

// Reuse lets the room use the memory of all nodes that it returned since a mark for other nodes.
// The caller must not use those nodes any more. The room keeps only some of the memory.
func (r *Room) Reuse(since Mark) {
	r.nodes.reuse(since.nodes)
	r.lists.reuse(since.lists)
	const most = 1 << 20 // maximum number of bytes that are kept
	if cap(r.text) > most {
		r.text = nil
	}
}

// node returns a new node.
func (r *Room) node(offset, line, column int) *Node {
	n := &r.nodes.take(1)[0]
	n.Offset, n.Line, n.Column = offset, line, column
	return n
}

// list returns a copy of a list of nodes.
func (r *Room) list(all []*Node) []*Node {
	l := r.lists.take(len(all))
	copy(l, all)
	return l
}

// blocks allocates values of one type in blocks. The first blocks are small, because few values may
// be needed.
type blocks[T any] struct {
	all [][]T
	position
}

// position is the place of the next value.
type position struct{ block, used int }

// take returns n zero values.
func (b *blocks[T]) take(n int) []T {
	for b.block < len(b.all) && n > len(b.all[b.block])-b.used {
		b.position = position{block: b.block + 1}
	}
	if b.block == len(b.all) {
		const few, many, larger = 8, 32, 2 // each of the first blocks is twice as large as the one before it
		if b.all == nil {
			b.all = make([][]T, 0, few)
		}
		b.all = append(b.all, make([]T, max(n, min(few<<min(b.block, larger), many))))
	}
	from := b.used
	b.used += n
	return b.all[b.block][from:b.used:b.used]
}

// reuse clears the values since a position, so that they are taken again.
func (b *blocks[T]) reuse(since position) {
	const most = 256 // maximum number of blocks that are kept
	from := since.used
	for i := since.block; i <= b.block && i < len(b.all); i++ {
		clear(b.all[i][from:])
		from = 0
	}
	b.position = since
	if kept := max(most, since.block+1); len(b.all) > kept {
		b.all = slices.Clone(b.all[:kept])
	}
}

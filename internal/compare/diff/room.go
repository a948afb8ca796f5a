package diff

import (
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/memory"
)

// Room is memory that the comparison of one object after another uses. The zero value is an empty
// room. Only one goroutine may use a room at a time.
type Room struct {
	pairs    memory.Blocks[Pair]
	children memory.Blocks[*Pair]
	sides    []finding.Side
}

// Reuse lets the room use the memory of all pairs again. The caller must not use them any more.
func (r *Room) Reuse() {
	r.pairs.Reuse(memory.Mark{})
	r.children.Reuse(memory.Mark{})
}

// childrenOf returns n pairs, and an empty list for those that are kept. The room may be nil.
func (r *Room) childrenOf(n int) (pairs []Pair, kept []*Pair) {
	if r == nil {
		return make([]Pair, n), make([]*Pair, 0, n)
	}
	return r.pairs.Take(n), r.children.Take(n)[:0]
}

// pair returns a pair. The room may be nil.
func (r *Room) pair() *Pair {
	if r == nil {
		return &Pair{}
	}
	return &r.pairs.Take(1)[0]
}

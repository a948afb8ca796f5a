// Package memory reuses memory for one object after another.
package memory

import "slices"

// Blocks allocates values of one type in blocks. The first blocks are small, because few values may
// be needed. The zero value is empty. Only one goroutine may use blocks at a time.
type Blocks[T any] struct {
	all [][]T
	Mark
}

// Mark is a state of blocks: the place of the next value.
type Mark struct{ block, used int }

// Take returns n zero values.
func (b *Blocks[T]) Take(n int) []T {
	for b.block < len(b.all) && n > len(b.all[b.block])-b.used {
		b.Mark = Mark{block: b.block + 1}
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

// Reuse clears the values since a mark, so that they are taken again. The caller must not use them any
// more.
func (b *Blocks[T]) Reuse(since Mark) {
	const most = 256 // maximum number of blocks that are kept
	from := since.used
	for i := since.block; i <= b.block && i < len(b.all); i++ {
		clear(b.all[i][from:])
		from = 0
	}
	b.Mark = since
	if kept := max(most, since.block+1); len(b.all) > kept {
		b.all = slices.Clone(b.all[:kept])
	}
}

package budget

import (
	"slices"
	"sync"
)

// Shelf decides which of many things are kept until the end of a run. Things have an order, that of the input, and come in any order.
// A thing is let go if it is larger than the shelf, or if it and those before it that are not are larger together. That is so whenever
// each of them came. Methods may be called by several goroutines at once.
type Shelf[T any] struct {
	size    int64
	compare func(a, b T) int
	drop    func(T)

	mu    sync.Mutex
	list  []shelved[T] // in no order
	held  int64        // by those in the list
	end   *T           // what is not before it is let go; nil as long as everything fits
	ended bool
}

// shelved is a thing with its size.
type shelved[T any] struct {
	thing T
	size  int64
}

// NewShelf is a Shelf of size bytes for things in the order that compare tells. drop lets go of one; it is never called twice at a time.
func NewShelf[T any](size int64, compare func(a, b T) int, drop func(T)) *Shelf[T] {
	return &Shelf[T]{size: size, compare: compare, drop: drop}
}

// Put takes in a thing of size bytes, or lets go of it. A while after the shelf is full, what does not fit is let go, so that it never
// holds much more than its size.
func (s *Shelf[T]) Put(thing T, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ended:
	case size > s.size, s.end != nil && s.compare(thing, *s.end) >= 0:
		s.drop(thing)
	default:
		s.list = append(s.list, shelved[T]{thing, size})
		if s.held += size; s.held > s.size+s.size/8 {
			s.settle()
		}
	}
}

// Full reports whether a thing would be let go, whatever its size.
func (s *Shelf[T]) Full(thing T) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end != nil && s.compare(thing, *s.end) >= 0
}

// Settle lets go of all that does not fit now.
func (s *Shelf[T]) Settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle()
}

// End lets go of all that does not fit, and returns how much is held. What comes later is left alone.
func (s *Shelf[T]) End() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle()
	s.ended = true
	return s.held
}

// settle lets go of the first thing that does not fit behind those before it, and of all after it. Whatever comes later before it, none
// of these would fit again.
func (s *Shelf[T]) settle() {
	if s.held <= s.size {
		return
	}
	slices.SortStableFunc(s.list, func(a, b shelved[T]) int { return s.compare(a.thing, b.thing) })
	sum, n := int64(0), 0
	for n < len(s.list) && s.list[n].size <= s.size-sum {
		sum += s.list[n].size
		n++
	}
	end := s.list[n].thing
	for _, one := range s.list[n:] {
		s.drop(one.thing)
	}
	clear(s.list[n:])
	s.list, s.held, s.end = s.list[:n], sum, &end
}

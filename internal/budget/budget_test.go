package budget

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestARoomIsNeverOverfull(t *testing.T) {
	r := NewRoom(10)
	var now, most atomic.Int64
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			n := int64(1 + i%10)
			if !r.Acquire(t.Context(), n) {
				t.Error("it did not fit")
			}
			most.Store(max(most.Load(), now.Add(n)))
			now.Add(-n)
			r.Release(n)
		})
	}
	group.Wait()
	if most.Load() > 10 || r.used != 0 {
		t.Errorf("at most %d of 10 were taken, and %d are at the end", most.Load(), r.used)
	}
}

func TestWhatNeverFitsDoesNotWait(t *testing.T) {
	r := NewRoom(10)
	if r.Acquire(t.Context(), 11) || !r.Acquire(t.Context(), 10) || r.Fits(11) || !r.Fits(10) {
		t.Error("a room of 10 holds 10")
	}
	var none *Room
	if !none.Acquire(t.Context(), 1<<62) || !none.Fits(1<<62) {
		t.Error("a nil room holds everything")
	}
	none.Release(1)
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRoom(10)
		r.Acquire(t.Context(), 10)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan bool)
		go func() { ended <- r.Acquire(ctx, 1) }()
		synctest.Wait()
		cancel()
		if <-ended {
			t.Error("it got what was not free")
		}
		go func() { ended <- r.Acquire(t.Context(), 1) }()
		synctest.Wait()
		r.Release(5)
		if !<-ended {
			t.Error("it did not get what was free")
		}
	})
}

// TestAShelfKeepsTheSameInAnyOrder: the first ones that fit together, without those that would not fit alone.
func TestAShelfKeepsTheSameInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		const size = 100
		things := make([]int64, 1+random.IntN(60)) // their sizes
		sum, full := int64(0), false
		var want []int
		for i := range things {
			things[i] = random.Int64N(1 + random.Int64N(120))
			if things[i] > size {
				continue
			}
			if full = full || things[i] > size-sum; !full {
				sum += things[i]
				want = append(want, i)
			}
		}
		dropped := map[int]int{}
		s := NewShelf(size, cmp.Compare[int], func(i int) { dropped[i]++ })
		for _, i := range random.Perm(len(things)) {
			s.Put(i, things[i])
			if s.held > size+size/8 {
				t.Fatalf("it holds %d of %d", s.held, size)
			}
		}
		held := s.End()
		var kept []int
		for i := range things {
			switch dropped[i] {
			case 0:
				kept = append(kept, i)
			case 1:
			default:
				t.Fatalf("%d was dropped %d times", i, dropped[i])
			}
		}
		if !slices.Equal(kept, want) || held != sum {
			t.Fatalf("of %v it kept %v, %d; want %v, %d", things, kept, held, want, sum)
		}
		s.Put(len(things), 1000)
		if dropped[len(things)] != 0 {
			t.Fatal("it goes on after its end")
		}
	}
}

package formats

import (
	"sync"
	"sync/atomic"
)

// fixFile is one that is to be written.
type fixFile struct {
	number     int // in the order in which they were made
	name, text string
}

// fixWriters starts goroutines that write files while others are made. Put hands them a file; end
// waits until all are written, and returns the error of the first that could not be. Behind an
// error at most one more is written by each goroutine.
func fixWriters(write func(name string, text []byte) error) (put func(name, text string), end func() error) {
	const ahead, size = 10_000, 2 // files, whose texts are there anyway, and goroutines: more bring nothing more
	files := make(chan fixFile, ahead)
	var failed atomic.Bool
	var group sync.WaitGroup
	var faults sync.Mutex
	var first error
	at, made := 0, 0
	for range size {
		group.Go(func() {
			for !failed.Load() {
				f, more := <-files
				if !more {
					return
				}
				if err := write(f.name, []byte(f.text)); err != nil {
					failed.Store(true)
					faults.Lock()
					if first == nil || f.number < at {
						first, at = err, f.number
					}
					faults.Unlock()
				}
			}
			for range files { // nobody writes them
			}
		})
	}
	put = func(name, text string) {
		made++
		files <- fixFile{made, name, text}
	}
	end = func() error {
		close(files)
		group.Wait()
		return first
	}
	return put, end
}

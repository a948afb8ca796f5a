package formats

import (
	"sync"
	"sync/atomic"
)

// fixFile is a file to be written.
type fixFile struct {
	number     int // the order in which the files were made
	name, text string
}

// fixWriters starts goroutines that write files while other files are made. put passes a file to
// them. end waits for them and returns the error of the first file that could not be written. After
// an error each goroutine writes at most one more file.
func fixWriters(write func(name string, text []byte) error) (put func(name, text string), end func() error) {
	const ahead, size = 10_000, 2 // more goroutines are not faster; the texts of waiting files are in memory anyway
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
			for range files { // the remaining files are dropped
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

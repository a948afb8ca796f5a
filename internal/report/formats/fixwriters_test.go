package formats

import (
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestTheFirstFileThatCannotBeWrittenIsTold: whichever of those that are written at once fails
// first, and although many more were made.
func TestTheFirstFileThatCannotBeWrittenIsTold(t *testing.T) {
	for _, slow := range []int{70, 71} {
		synctest.Test(t, func(t *testing.T) {
			var written atomic.Int64
			put, end := fixWriters(func(name string, text []byte) error {
				n, err := strconv.Atoi(name)
				if err != nil || string(text) != "text of "+name {
					t.Errorf("%s has %q", name, text)
				}
				if n < 70 {
					written.Add(1)
					return nil
				}
				if n == slow {
					time.Sleep(time.Second)
				}
				return errors.New(name)
			})
			for i := range 30_000 {
				put(strconv.Itoa(i), fmt.Sprint("text of ", i))
			}
			if err := end(); err == nil || err.Error() != "70" || written.Load() != 70 {
				t.Errorf("%d files are written, then %v", written.Load(), err)
			}
		})
	}
}

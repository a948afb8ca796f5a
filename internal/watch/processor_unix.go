//go:build unix

package watch

import (
	"syscall"
	"time"
)

// Processor is how long processors have worked for this process; 0 where the system does not tell.
func Processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

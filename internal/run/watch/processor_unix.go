//go:build unix

package watch

import (
	"syscall"
	"time"
)

// Processor returns the time that processors have worked for this process; 0 if the system does not
// report it.
func Processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

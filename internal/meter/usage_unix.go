//go:build unix

package meter

import (
	"runtime"
	"syscall"
	"time"
)

// usage is the processor time of this process, and the largest part of it that was in memory at one time. Linux and the
// BSDs count that in KiB, macOS in bytes.
func usage() (processor time.Duration, memory uint64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0
	}
	memory = uint64(u.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		memory <<= 10
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), memory
}

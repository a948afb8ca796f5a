//go:build unix

package cli

import (
	"runtime"
	"syscall"
)

// peak is the largest part of this process that was in memory at one time, in bytes; 0 where the
// system does not tell. Linux and the BSDs count it in KiB, macOS in bytes.
func peak() uint64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	memory := uint64(u.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		memory <<= 10
	}
	return memory
}

//go:build unix

package cli

import (
	"runtime"
	"syscall"
)

// peak returns the largest resident size of this process in bytes; 0 if unknown. Linux and the BSDs
// report it in KiB, macOS in bytes.
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

//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the largest part of a process that was in memory at one time. Linux and the BSDs count in
// KiB, macOS in bytes.
func peak(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}

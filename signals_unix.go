//go:build unix

package main

import (
	"os"
	"syscall"
)

// moreEndings returns the signals that end a run on Unix only, such as those of batch systems and of
// limits on the processor time and the size of files.
func moreEndings() []os.Signal {
	return []os.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGVTALRM, syscall.SIGXCPU, syscall.SIGXFSZ}
}

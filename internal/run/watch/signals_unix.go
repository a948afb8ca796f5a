//go:build unix

package watch

import (
	"os"
	"syscall"
)

// moreSignals returns the signals that end a run on Unix only, such as those of batch systems and of
// limits on the processor time and the size of files.
func moreSignals() []os.Signal {
	return []os.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGVTALRM, syscall.SIGXCPU, syscall.SIGXFSZ}
}

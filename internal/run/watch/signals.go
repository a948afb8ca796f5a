package watch

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// Signals returns the signals that end a run, so that it leaves no unfinished file. A signal that the
// caller ignores, as nohup does, stays ignored.
func Signals() []os.Signal {
	all := append(moreSignals(), syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGALRM)
	all = slices.DeleteFunc(all, signal.Ignored)
	return append(all, os.Interrupt, syscall.SIGTERM)
}

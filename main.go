// Command validationTool compares the configuration of a cluster with a reference configuration.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"

	"github.com/validationtool/validationtool/internal/cli"
)

// The build of a release; `make release` sets them with the linker.
var release, commit, date string

func main() {
	signal.Ignore(syscall.SIGPIPE) // a closed output pipe is then a write error, which ends the run quietly
	useProcessors()
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt) }) // a second Ctrl-C ends the run at once
	build := cli.Build{Release: release, Commit: commit, Date: date}
	code := cli.Run(
		ctx,
		os.Args,
		cli.IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv, Build: build, Exit: os.Exit},
	)
	stop()
	os.Exit(code)
}

// endings returns the signals that end a run, so that it leaves no unfinished file. A signal that the
// caller ignores, as nohup does, stays ignored.
func endings() []os.Signal {
	all := append(moreEndings(), syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGALRM)
	all = slices.DeleteFunc(all, signal.Ignored)
	return append(all, os.Interrupt, syscall.SIGTERM)
}

// useProcessors limits the goroutines that run at once to the number of processors, even if
// GOMAXPROCS is larger. More would only hold more memory, and start work that turns out to exceed a
// limit.
func useProcessors() {
	if n := runtime.NumCPU(); runtime.GOMAXPROCS(0) > n {
		runtime.GOMAXPROCS(n)
	}
}

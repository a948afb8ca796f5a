// Command validationTool compares the configuration of a cluster with a reference configuration.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/validationtool/validationtool/internal/cli"
	"github.com/validationtool/validationtool/internal/run/watch"
)

// The build of a release; `make release` sets them with the linker.
var release, commit, date string

func main() {
	signal.Ignore(syscall.SIGPIPE) // a closed output pipe is then a write error, which ends the run quietly
	watch.LimitProcessors()
	ctx, _ := signal.NotifyContext(context.Background(), watch.Signals()...)
	context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt) }) // a second Ctrl-C ends the run at once
	build := cli.Build{Release: release, Commit: commit, Date: date}
	// the signals are not given back: that takes a tenth of a small run
	os.Exit(cli.Run(
		ctx,
		os.Args,
		cli.IO{
			In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv, Now: time.Now, Build: build, Exit: os.Exit,
		},
	))
}

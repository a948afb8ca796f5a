// Command validationTool compares the configuration of a cluster with a reference configuration.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/validationtool/validationtool/internal/cli"
)

// What a release was made from: `make release` has the linker set it.
var release, commit, date string

func main() {
	signal.Ignore(syscall.SIGPIPE) // a closed output pipe shows as a write error, and ends the run quietly
	useProcessors()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the run at once
	build := cli.Build{Release: release, Commit: commit, Date: date}
	code := cli.Run(
		ctx,
		os.Args,
		cli.IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv, Build: build, Exit: os.Exit},
	)
	stop()
	os.Exit(code)
}

// useProcessors has no more goroutines work at once than the machine has processors, whatever
// GOMAXPROCS says: they would only hold more at once, and begin with what turns out to be beyond a
// limit.
func useProcessors() {
	if n := runtime.NumCPU(); runtime.GOMAXPROCS(0) > n {
		runtime.GOMAXPROCS(n)
	}
}

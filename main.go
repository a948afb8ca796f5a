// Command validationTool compares the configuration of a cluster with a reference configuration.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/validationtool/validationtool/internal/cli"
)

func main() {
	signal.Ignore(syscall.SIGPIPE) // a closed output pipe shows as a write error, and ends the run quietly
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the run at once
	code := cli.Run(ctx, os.Args, cli.IO{In: os.Stdin, Out: cli.Output(os.Stdout), Err: os.Stderr, Env: os.LookupEnv})
	stop()
	os.Exit(code)
}

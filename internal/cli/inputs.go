package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/fleet"
	"github.com/validationtool/validationtool/internal/meter"
	"github.com/validationtool/validationtool/internal/terminal"
)

// fleetOptions say how the inputs are read.
func (p *program) fleetOptions(o *options) fleet.Options {
	if slices.Contains(o.inputs, "-") && p.isTerminal(p.io.In) {
		fmt.Fprintln(p.io.Err, "Reading CRs from the terminal, because the INPUT is -; end them with Ctrl-D (on Windows Ctrl-Z and Enter), or give up with Ctrl-C.")
	}
	opt := fleet.Options{
		Inputs: o.inputs, Stdin: p.io.In, Limits: o.limits, Jobs: o.jobs, Join: o.join, Clusters: o.clusters, Nested: o.nested, NoScan: o.noScan,
		Placeholders: o.placeholders, Wrapped: o.wrapped,
		SkipUnreadable: o.skipUnreadable, Given: p.watch.Given, Progress: p.progress, Timings: p.timings,
	}
	return opt
}

// inputError is the error for inputs that cannot be read as it is wanted.
func (p *program) inputError(err error) error {
	if unknown := (fleet.UnknownCluster{}); errors.As(err, &unknown) {
		return p.usageError("--cluster: %s", unknown)
	}
	return err
}

// startProgress begins to show how far the reading of inputs is, if there is a terminal to show it on, on which nobody types.
func (p *program) startProgress(inputs []string) {
	if term, _ := p.io.Env("TERM"); term == "dumb" || !p.isTerminal(p.io.Err) || slices.Contains(inputs, "-") && p.isTerminal(p.io.In) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.progress = meter.Start(p.io.Err, func() int { return terminal.Width(p.io.Err) }, p.io.Tick, inputs, p.io.In)
}

package cli

import (
	"context"

	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/watch"
)

// watched runs a command under the limits of time and memory.
func (p *program) watched(run func(context.Context, command.Line) error) func(context.Context, command.Line) error {
	return func(ctx context.Context, l command.Line) error {
		ctx, p.watch = watch.Start(ctx, watch.Limits{Time: p.limits.Time(), Memory: p.limits.Memory()}, p.exit)
		defer p.watch.Stop()
		return run(ctx, l)
	}
}

// exit ends the process where a run goes on after its limits. Files that are not complete are taken away.
func (p *program) exit(why error) {
	if p.io.Exit == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock() // at the end of the process, so that nothing new is begun
	p.progress.Hide()
	p.complain(why)
	for _, drop := range p.unfinished {
		drop()
	}
	p.io.Exit(exitTrouble)
}

// begun has exit take away what was written so far of a file or folder, by drop.
func (p *program) begun(drop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unfinished = append(p.unfinished, drop)
}

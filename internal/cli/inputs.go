package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/cluster"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/workers"
	"github.com/validationtool/validationtool/refconfig"
)

// inputs returns the options for reading the inputs.
func (p *program) inputs(o *options) cluster.Options {
	if slices.Contains(o.read.Inputs, "-") && p.isTerminal(p.io.In) {
		fmt.Fprintln(
			p.io.Err,
			"Reading CRs from the terminal, because the INPUT is -; end with Ctrl-D (on Windows Ctrl-Z and Enter), or cancel with Ctrl-C.",
		)
	}
	opt := o.read
	opt.Stdin = p.io.In
	opt.Files = o.limits.Source()
	opt.Text = o.limits.Text()
	opt.Objects = o.limits.Objects()
	opt.Most = o.limits.Clusters()
	opt.Read = p.given()
	opt.Found = func(objects, bytes int) {
		p.progress.Found(objects)
		p.watch.AddInput(int64(bytes)) // archives report their packed size separately
	}
	return opt
}

// given returns a function that reports to the watch and to the progress line how much of the
// inputs was read.
func (p *program) given() func(inputs int, bytes int64) {
	shown := p.progress.Read()
	return func(inputs int, bytes int64) {
		if shown != nil {
			shown(inputs, bytes)
		}
		p.watch.AddInput(bytes)
	}
}

// read starts to read inputs.
func (p *program) read(ctx context.Context, opt cluster.Options) *cluster.Reading {
	p.progress.Reading("reading")
	return cluster.Read(ctx, opt)
}

// collect returns what was read of each cluster. trim drops content of CRs that no later step
// needs.
func (p *program) collect(in *cluster.Reading, trim cluster.Trimmer) ([]cluster.Collected, error) {
	all, err := in.Collect(trim)
	p.progress.Hide()
	if unknown := (cluster.UnknownError{}); errors.As(err, &unknown) {
		return nil, p.usageError("--cluster: %s", unknown)
	}
	if err != nil {
		return nil, err
	}
	objects := 0
	for _, one := range all {
		objects += len(one.Objects)
	}
	p.timings.Input(in.Summary.Inputs, objects)
	return all, nil
}

// readOld reads the inputs of --old, in which templates see the CRs as they were. If it holds one
// cluster, that is the earlier state of every cluster; otherwise that of the cluster of its name.
func (p *program) readOld(
	ctx context.Context, o *options, ref *refconfig.Reference, engine *render.Engine, opt *compare.Options,
) error {
	if len(o.old) == 0 {
		return nil
	}
	earlier := *o
	earlier.read.Inputs, earlier.read.Only = o.old, nil
	all, err := p.read(ctx, p.inputs(&earlier)).Collect(compare.Wants(ref, engine, *opt).Trim)
	if err != nil {
		return fmt.Errorf("--old: %w", err)
	}
	opt.Old = map[string][]*manifest.Object{}
	for _, one := range all {
		name := one.Cluster
		if len(all) == 1 {
			name = ""
		}
		one.Settle(func(string) bool { return true })
		opt.Old[name] = append(opt.Old[name], one.Objects...)
		opt.Warnings = append(opt.Warnings, one.Unreadable...)
	}
	return nil
}

// comparer compares clusters.
type comparer struct {
	trim  cluster.Trimmer // drops content of CRs that no later step needs
	files bool            // keeps the names of files
	run   func(context.Context, cluster.Collected, *workers.Semaphore) *finding.Run
}

// runs compares each cluster of the inputs. After an interrupt it compares what was read until
// then, as far as this takes no time.
func (p *program) runs(
	ctx context.Context, o *options, in *cluster.Reading, how comparer,
) (runs []*finding.Run, err error) {
	if how.files {
		in.KeepNames()
	}
	clusters, err := p.collect(in, how.trim)
	if err != nil {
		return nil, err
	}
	p.timings.Done("read input")
	if slices.ContainsFunc(clusters, func(one cluster.Collected) bool { return one.Stopped != nil }) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), cluster.AfterInterrupt)
		defer cancel()
	}
	semaphore := o.limits.Semaphore()
	for i, one := range clusters {
		clusters[i] = cluster.Collected{} // the report does not need the CRs
		p.progress.Comparing(i+1, len(clusters))
		runs = append(runs, how.run(ctx, one, semaphore))
	}
	p.timings.Done("compare")
	return runs, nil
}

// startProgress starts the progress line, if there is a terminal for it and --interactive does not
// use it.
func (p *program) startProgress(o *options) {
	if term, _ := p.io.Env("TERM"); term == "dumb" || !p.isTerminal(p.io.Err) ||
		slices.Contains(o.read.Inputs, "-") && p.isTerminal(p.io.In) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.progress = newProgress(p.io.Err, func() int { return terminalWidth(p.io.Err) }, p.io.Tick, o.read.Inputs, p.io.In)
}

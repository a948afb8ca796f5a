package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/workers"
)

// inputs completes the options for reading inputs.
func (p *program) inputs(opt cluster.Options) cluster.Options {
	if slices.Contains(opt.Inputs, stdin) && p.io.Terminal(p.io.In) {
		p.watch.Attended()
		fmt.Fprintln(
			p.io.Err,
			"Reading CRs from the terminal, because the INPUT is -; end with Ctrl-D (on Windows Ctrl-Z and Enter), or cancel with Ctrl-C.",
		)
	}
	opt.Jobs = cmp.Or(opt.Jobs, max(1, runtime.GOMAXPROCS(0)/2))
	opt.Stdin = p.io.In
	opt.FollowLinks = p.followLinks
	opt.Files = p.limits.Source()
	opt.Text = p.limits.Text()
	opt.Objects = p.limits.Objects()
	opt.Most = p.limits.Clusters()
	if p.own.touches(opt.Inputs) || opt.FollowLinks && p.own.isSet() {
		opt.NoInput = p.own.why
	}
	opt.Used = func(path string) { p.inUse.Add("a file with CRs", path) }
	opt.Read = p.countRead
	opt.Found = func(objects, bytes int) {
		p.progress.objects.Add(int64(objects))
		p.watch.AddInput(int64(bytes)) // archives report their packed size separately
	}
	return opt
}

// countRead reports the amount of input that was read, to the watch and to the progress line.
func (p *program) countRead(inputs int, bytes int64) {
	p.progress.started.Add(int64(inputs))
	p.progress.bytes.Add(bytes)
	p.watch.AddInput(bytes)
}

// use adds the files that the options of a comparison name to those in use, and its reference to the
// files that are no input.
func (p *program) use(o *comparing) {
	if o.reference != "" { // a fixture names none
		p.useReference(o.reference)
	}
	p.useFiles("the INPUT", o.read.Inputs...)
	p.own.surround("the INPUT", o.read.Inputs)
	p.useFiles("--old", o.old...)
	p.useFiles("--crds", o.crds...)
	p.useOption("--overrides", o.overrides...)
	p.useOption("--impact", o.impactFiles...)
	p.useOption("--diff-config", o.diffConfig)
}

// useReference adds a reference to the files in use, and to those that are no input.
func (p *program) useReference(name string) {
	name, _ = fileOf(filepath.ToSlash(name))
	p.useFiles("the REFERENCE", name)
	p.own.expect(name)
	p.own.surround("the REFERENCE", []string{name})
}

// useOption adds the files of an option to those in use, and to those that are no input.
func (p *program) useOption(option string, names ...string) {
	p.useFiles(option, names...)
	p.own.addOption(names)
}

// useFiles adds the files that names and globs lead to to those in use. It leaves out folders, of
// which only some files are read, and names that lead nowhere. role says why the files are read.
func (p *program) useFiles(role string, names ...string) {
	for _, name := range names {
		if file, ok := p.io.In.(fs.File); name == stdin && ok {
			p.inUse.AddOpen(role, file)
			continue
		}
		found, _ := source.Match(name)
		for _, path := range found {
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				p.inUse.Add(role, path)
			}
		}
	}
}

// read starts to read inputs.
func (p *program) read(ctx context.Context, opt cluster.Options) *cluster.Reading {
	p.progress.Reading()
	return cluster.Read(ctx, p.inputs(opt))
}

// collect returns the CRs and problems of each cluster. trim drops content of CRs that no later
// step needs.
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

// readOld reads the inputs of --old, which have an earlier state of CRs for the templates. If they
// have only one cluster, it is the earlier state of every cluster. If they have several, each is
// the earlier state of the cluster with the same name.
func (p *program) readOld(ctx context.Context, o *comparing, l *plan) error {
	if len(o.old) == 0 {
		return nil
	}
	if err := allOpen(o.old); err != nil {
		return fmt.Errorf("--old: %w", err)
	}
	read := o.read
	read.Inputs = o.old
	read.Only = nil
	all, err := p.read(ctx, read).Collect(l.opt.Wanted.Trim)
	if err != nil {
		return fmt.Errorf("--old: %w", err)
	}
	l.opt.Old = cluster.ByName(all)
	return nil
}

// allOpen returns an error that names the inputs that cannot be opened.
func allOpen(inputs []string) error {
	var errs []error
	for _, input := range inputs {
		if _, err := source.Expand([]string{input}, true); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", code.InputNotFound, err))
		}
	}
	return errors.Join(errs...)
}

// comparer has the function that compares a cluster, and says which part of the input it needs.
type comparer struct {
	trim  cluster.Trimmer // drops content of CRs that no later step needs
	files bool            // the comparison needs the names of files
	run   func(context.Context, cluster.Collected, *workers.Semaphore) *finding.Run
}

// runs compares each cluster of the inputs. After an interrupt it compares the CRs that were read
// before, but only for a short time (cluster.AfterInterrupt).
func (p *program) runs(
	ctx context.Context, in *cluster.Reading, how comparer,
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
	semaphore := p.limits.Semaphore()
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
func (p *program) startProgress(inputs []string) {
	if term, _ := p.io.Env("TERM"); term == "dumb" || !p.io.Terminal(p.io.Err) ||
		slices.Contains(inputs, stdin) && p.io.Terminal(p.io.In) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.progress.Start(p.io.Err, func() int { return terminalWidth(p.io.Err) }, p.io.Tick, inputs, p.io.In)
}

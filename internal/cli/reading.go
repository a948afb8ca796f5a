package cli

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/source"
)

// noObjects is the error for an input that holds nothing to compare.
func noObjects(inputs []string) error {
	return fmt.Errorf("%s: %s: no Kubernetes object was found; point at the folder or archive that holds the CRs as YAML or JSON",
		code.InputNoObjects, quoted(inputs))
}

// watch counts what is read, for the user and the collector of garbage.
type watch struct {
	progress *progress
	bytes    atomic.Int64 // read until now
}

// seen is told what was read.
func (w *watch) seen(objects, bytes int) {
	w.progress.found(objects)
	w.volume(bytes)
}

// watch begins to count.
func (p *program) watch(o *options) *watch {
	debug.SetGCPercent(garbageOfSmall)
	p.spareMemory(o.limits)
	return &watch{progress: p.progress}
}

// readOptions say how inputs are read within limits.
func (p *program) readOptions(o *options, l limits, seen func(objects, bytes int)) gather.ReadOptions {
	return gather.ReadOptions{
		Source: source.Options{Stdin: p.io.In, Nested: o.nested, Limits: l.source(), Progress: p.progress.read()},
		Text:   l.text(), NoScan: o.noScan, Objects: l.objects(), Memory: l.memory(), Seen: seen,
	}
}

// apart says how clusters are told apart.
func (o *options) apart() gather.Options {
	return gather.Options{Join: o.join, Only: o.clusters}
}

// reading is the reading of the inputs, which begins while the reference is loaded.
type reading struct {
	*gather.Reading
	*watch
	p   *program
	o   *options
	ctx context.Context
}

// read begins to read the inputs. Either collect or abandon has to be called.
func (p *program) read(ctx context.Context, o *options) *reading {
	if slices.Contains(o.inputs, "-") && p.isTerminal(p.io.In) {
		fmt.Fprintln(p.io.Err, "Reading CRs from the terminal, because the INPUT is -; end them with Ctrl-D (on Windows Ctrl-Z and Enter), or give up with Ctrl-C.")
	}
	r := &reading{p: p, o: o, ctx: ctx, watch: p.watch(o)}
	r.progress.reading("reading")
	r.Reading = gather.Read(ctx, o.inputs, p.readOptions(o, o.limits, r.seen))
	return r
}

// abandon ends the reading before it is known what is wanted.
func (r *reading) abandon() { r.Abandon() }

// collect returns what was read, or why nothing can be compared. trim drops what no later step asks for of an object.
func (r *reading) collect(trim gather.Trimmer) ([]gather.Collected, error) {
	err := r.End(trim)
	r.progress.hide()
	if err != nil {
		return nil, err
	}
	all, err := r.Collected(r.o.apart())
	if err != nil {
		return nil, r.p.usageError("--cluster: %s", err)
	}
	objects, unreadable := 0, 0
	for _, in := range all {
		objects += len(in.Objects)
		unreadable += len(in.Unreadable)
	}
	if objects+unreadable == 0 && all[0].Stopped == "" {
		return nil, noObjects(r.o.inputs)
	}
	r.p.timings.input(r.Summary.Inputs, objects)
	r.sparing(all)
	if r.o.skipUnreadable {
		for i := range all {
			all[i].SkipUnreadable()
		}
	}
	return all, nil
}

// runs returns what was found about each cluster, and what was passed over.
func (r *reading) runs(how comparer) (runs []*finding.Run, passed []finding.Passed, err error) {
	clusters, err := r.collect(how.trim)
	if err != nil {
		return nil, nil, err
	}
	r.p.timings.done("read input")
	ctx, cancel := afterInterrupt(r.ctx, slices.ContainsFunc(clusters, func(in gather.Collected) bool { return in.Stopped != "" }))
	defer cancel()
	held := int64(0) // of the report
	for i, in := range clusters {
		clusters[i] = gather.Collected{} // what the report does not need is let go
		r.progress.comparing(i+1, len(clusters))
		run := how.run(ctx, in, r.o.limits.comparing(held))
		runs = append(runs, run)
		held += run.Held()
	}
	r.p.timings.done("compare")
	return runs, passedOf(r.Passed()), nil
}

// passedOf counts what was passed over.
func passedOf(all []source.Skipped) (passed []finding.Passed) {
	for _, s := range all {
		passed = append(passed, finding.Passed(s))
	}
	return passed
}

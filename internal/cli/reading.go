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

// reading is the reading of the inputs, which begins while the reference is loaded.
type reading struct {
	*gather.Reading
	p        *program
	o        *options
	progress *progress
	bytes    atomic.Int64     // read until now
	passed   []finding.Passed // what of the inputs was passed over; set by collect
}

// read begins to read the inputs. Either collect or abandon has to be called.
func (p *program) read(ctx context.Context, o *options) *reading {
	debug.SetGCPercent(garbageOfSmall)
	p.spareMemory(o.limits)
	if slices.Contains(o.inputs, "-") && p.isTerminal(p.io.In) {
		fmt.Fprintln(p.io.Err, "Reading CRs from the terminal, because the INPUT is -; end them with Ctrl-D (on Windows Ctrl-Z and Enter), or give up with Ctrl-C.")
	}
	r := &reading{p: p, o: o, progress: p.startProgress()}
	r.Reading = gather.Read(ctx, o.inputs, gather.ReadOptions{
		Source: source.Options{Stdin: p.io.In, Nested: o.nested, Limits: o.limits.source()},
		Text:   o.limits.text(), NoScan: o.noScan, Objects: o.limits.objects(), Memory: o.limits.memory(), Seen: r.seen,
	})
	return r
}

// seen is told what was read.
func (r *reading) seen(objects, bytes int) {
	r.progress.add(objects)
	r.volume(bytes)
}

// abandon ends the reading before it is known what is wanted.
func (r *reading) abandon() {
	r.Abandon()
	r.progress.stop()
}

// collect returns what was read, or why nothing can be compared. trim drops what no later step asks for of an object.
func (r *reading) collect(trim gather.Trimmer) ([]gather.Collected, error) {
	err := r.End(trim)
	r.progress.stop()
	if err != nil {
		return nil, err
	}
	all, err := r.Collected(gather.Options{Join: r.o.join, Only: r.o.clusters.Value()})
	if err != nil {
		return nil, r.p.usageError("--cluster: %s", err)
	}
	for _, s := range r.Passed() {
		r.passed = append(r.passed, finding.Passed(s))
	}
	objects, unreadable := 0, 0
	for _, in := range all {
		objects += len(in.Objects)
		unreadable += len(in.Unreadable)
	}
	if objects+unreadable == 0 && all[0].Stopped == "" {
		return nil, noObjects(r.o.inputs)
	}
	r.p.timings.input(r.Summary, objects)
	r.sparing(all)
	if r.o.skipUnreadable {
		for i := range all {
			all[i].SkipUnreadable()
		}
	}
	return all, nil
}

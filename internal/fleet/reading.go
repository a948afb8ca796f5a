package fleet

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/meter"
	"github.com/validationtool/validationtool/internal/source"
)

// noObjects is the error for inputs that hold nothing to compare. It tells of archives in them that were not opened, and of links.
func noObjects(inputs []string, summaries ...source.Summary) error {
	var closed, links []source.Problem
	pretender := "" // an input that is called like an archive and is none
	for _, s := range summaries {
		for _, in := range s.Inputs {
			if _, _, packed := archive.SplitName(in.Path); packed && in.Format == "file" {
				pretender = in.Path
			}
		}
		closed = append(closed, s.NotRead...)
		links = append(links, slices.DeleteFunc(slices.Clone(s.Problems), func(p source.Problem) bool { return p.Code != code.LinkSkipped })...)
	}
	slices.SortStableFunc(closed, func(a, b source.Problem) int { return min(1, len(a.Foreign)) - min(1, len(b.Foreign)) })
	hint := "point at the folder or archive that holds the CRs as YAML or JSON"
	switch {
	case len(closed) > 0:
		do := "read what is in archives with --nested, or name them as inputs"
		if foreign := closed[0].Foreign; foreign != "" { // as all are
			do = "it is " + foreign
		}
		hint = fmt.Sprintf("%s not opened, such as %s: %s", finding.Plural(len(closed), "archive was", "archives were"), closed[0].Place, do)
	case len(links) > 0:
		hint = fmt.Sprintf("%s not followed, such as %s: name what links lead to", finding.Plural(len(links), "link was", "links were"), links[0].Place)
	case pretender != "":
		hint = fmt.Sprintf("%s is called like an archive, but its content is none: copy it again", pretender)
	}
	named := slices.Clone(inputs)
	if at := slices.Index(named, "-"); at >= 0 {
		named[at] = "standard input"
	}
	return fmt.Errorf("%s: %s: no Kubernetes object was found; %s", code.InputNoObjects, strings.Join(named, ", "), hint)
}

// counter counts what is read, for the user and the collector of garbage.
type counter struct {
	progress *meter.Progress
	bytes    atomic.Int64 // read until now
	objects  atomic.Int64 // found until now
	given    func(bytes int64)
}

// seen is told what was read.
func (w *counter) seen(objects, bytes int) {
	w.progress.Found(objects)
	w.volume(objects, bytes)
	if w.given != nil { // archives tell besides what they have packed
		w.given(int64(bytes))
	}
}

// newCounter begins to count.
func newCounter(opt Options) *counter {
	debug.SetGCPercent(garbageOfSmall)
	return &counter{progress: opt.Progress, given: opt.Given}
}

// Reading is the reading of all inputs at once.
type Reading struct {
	*counter
	reading *gather.Reading
	opt     Options
	ctx     context.Context
}

// Read begins to read the inputs, all at once. Either Collect or Abandon has to be called.
func Read(ctx context.Context, opt Options) *Reading {
	r := &Reading{opt: opt, ctx: ctx, counter: newCounter(opt)}
	r.progress.Reading("reading")
	r.reading = gather.Read(ctx, opt.Inputs, opt.reading(opt.Limits, r.seen))
	return r
}

// Abandon ends the reading before it is known what is wanted.
func (r *Reading) Abandon() { r.reading.Abandon() }

// Collect returns what was read, or why nothing can be compared. trim drops what no later step asks for of an object.
func (r *Reading) Collect(trim gather.Trimmer) ([]gather.Collected, error) {
	err := r.reading.End(trim)
	r.progress.Hide()
	if err != nil {
		return nil, err
	}
	all, err := r.reading.Collected(r.opt.apart())
	if err != nil {
		return nil, UnknownCluster{err}
	}
	if most := r.opt.Limits.Clusters(); len(all) > most {
		return nil, gather.TooMany("clusters", most, "clusters")
	}
	objects, unreadable := 0, 0
	for _, in := range all {
		objects += len(in.Objects)
		unreadable += len(in.Unreadable) + len(in.Lost)
	}
	if objects+unreadable == 0 && all[0].Stopped == nil {
		return nil, noObjects(r.opt.Inputs, r.reading.Summary)
	}
	r.opt.Timings.Input(r.reading.Summary.Inputs, objects)
	r.sparing(all)
	if r.opt.SkipUnreadable {
		for i := range all {
			all[i].SkipUnreadable()
		}
	}
	return all, nil
}

// Runs returns what was found about each cluster, and what was passed over.
func (r *Reading) Runs(how Comparer) (runs []*finding.Run, passed []finding.Passed, err error) {
	clusters, err := r.Collect(how.Trim)
	if err != nil {
		return nil, nil, err
	}
	r.opt.Timings.Done("read input")
	ctx, cancel := afterInterrupt(r.ctx, slices.ContainsFunc(clusters, func(in gather.Collected) bool { return in.Stopped != nil }))
	defer cancel()
	room := r.opt.Limits.Room()
	for i, in := range clusters {
		clusters[i] = gather.Collected{} // what the report does not need is let go
		r.progress.Comparing(i+1, len(clusters))
		runs = append(runs, how.Run(ctx, in, room))
	}
	r.opt.Timings.Done("compare")
	return runs, passedOf(r.reading.Passed()), nil
}

// passedOf counts what was passed over.
func passedOf(all []source.Skipped) (passed []finding.Passed) {
	for _, s := range all {
		passed = append(passed, finding.Passed(s))
	}
	return passed
}

package fleet

import (
	"slices"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/source"
)

// Runs returns what was found about each cluster, in the order of the inputs, and what was passed over.
func (f *fleet) Runs(how Comparer) ([]*finding.Run, []finding.Passed, error) {
	f.how = how
	close(f.ready)
	f.wait()
	slices.Sort(f.later)
	for _, i := range f.later {
		if f.ended() {
			break
		}
		f.one(i, 1)
	}
	switch {
	case f.err != nil:
		return nil, nil, f.err
	case f.objects() > f.opt.Limits.Objects():
		return nil, nil, gather.TooMany("CRs", f.opt.Limits.Objects(), "objects")
	}
	again := f.openOnes()
	if f.beyond() {
		again = make([]int, len(f.paths))
		for i := range again {
			again[i] = i
		}
	}
	if len(again) > 0 {
		if err := f.readAgain(again); err != nil {
			return nil, nil, err
		}
	}
	clusters, err := f.clusters()
	if err != nil {
		return nil, nil, err
	}
	passed := passedOf(gather.Passed(f.present()))
	runs, err := f.finish(clusters)
	f.opt.Timings.Done("read, compare")
	return runs, passed, err
}

// readAgain reads inputs together that were read by themselves.
func (f *fleet) readAgain(numbers []int) error {
	for _, i := range numbers {
		f.pieces[i], f.found[i] = nil, nil
	}
	piece, err := f.read(numbers, f.opt.Limits)
	f.pieces[numbers[0]] = piece
	return err
}

// present are the pieces that there are.
func (f *fleet) present() []*gather.Piece {
	return slices.DeleteFunc(slices.Clone(f.pieces), func(p *gather.Piece) bool { return p == nil })
}

// clusters tells the clusters apart, and reads again what has to be compared together.
func (f *fleet) clusters() ([]gather.Whole, error) {
	for {
		all, again, err := gather.Together(f.present(), f.paths, f.opt.apart())
		switch {
		case err != nil:
			return nil, UnknownCluster{err}
		case len(again) == 0:
			return all, nil
		}
		if err := f.readAgain(again); err != nil {
			return nil, err
		}
	}
}

// finish compares what was not compared yet.
func (f *fleet) finish(clusters []gather.Whole) ([]*finding.Run, error) {
	pieces := f.present()
	var inputs []source.Input
	var summaries []source.Summary
	for _, p := range pieces {
		inputs, summaries = append(inputs, p.Summary.Inputs...), append(summaries, p.Summary)
	}
	f.opt.Timings.Input(inputs, f.objects())
	f.work.Bound(given(inputs))
	if most := f.opt.Limits.Clusters(); len(clusters) > most {
		return nil, gather.TooMany("clusters", most, "clusters")
	}
	if barren(clusters) {
		return nil, noObjects(f.opt.Inputs, summaries...)
	}
	f.pieces = nil
	ctx, cancel := afterInterrupt(f.ctx, slices.ContainsFunc(clusters, func(w gather.Whole) bool { return w.Stopped != "" }))
	defer cancel()
	var runs []*finding.Run
	held := int64(0)
	for i, w := range clusters {
		f.progress.Comparing(i+1, len(clusters))
		share := f.opt.Limits.Comparing(held, f.work)
		run := f.settled(w, share, held)
		if run == nil {
			in, err := f.collected(w)
			if err != nil {
				return nil, err
			}
			run = f.run(ctx, in, share)
		}
		runs = append(runs, run)
		held += run.Held()
		clusters[i] = gather.Whole{} // what the report does not need is let go
	}
	return runs, nil
}

// barren reports whether nothing was found in any input.
func barren(clusters []gather.Whole) bool {
	return !slices.ContainsFunc(clusters, func(w gather.Whole) bool {
		return w.Released || w.Stopped != "" || len(w.Objects)+len(w.Unreadable)+len(w.Lost) > 0
	})
}

// settled is what was found about a cluster that was let go, where the report has room for it and there was work; else nil.
func (f *fleet) settled(w gather.Whole, share compare.Share, held int64) *finding.Run {
	if !w.Released || len(f.found[w.Input]) <= w.Index {
		return nil
	}
	found := f.found[w.Input][w.Index]
	if found.run.Held() > share.Report || held > 0 && fell(found.run) || found.steps >= share.Work.Left() || found.all >= share.Work.All() {
		return nil
	}
	share.Work.Spend(found.steps, found.all)
	return found.run
}

// collected is what was read of a cluster. One that was let go is read again.
func (f *fleet) collected(w gather.Whole) (gather.Collected, error) {
	if !w.Released {
		return w.Collected, nil
	}
	piece, err := f.read([]int{w.Input}, f.opt.Limits)
	if err != nil {
		return gather.Collected{}, err
	}
	if all, ok := piece.Alone(f.opt.apart()); ok && w.Index < len(all) {
		return all[w.Index], nil
	}
	return gather.Collected{Inputs: []finding.Input{{Path: f.paths[w.Input]}},
		Stopped: "the run was interrupted while the input was read again; run it again"}, nil
}

// openOnes are the inputs that cannot be compared by themselves, if they are more than there is room for.
func (f *fleet) openOnes() (all []int) {
	size := int64(0)
	for i, p := range f.pieces {
		if p == nil || p.Released || p.Stopped {
			continue
		}
		if _, ok := p.Alone(f.opt.apart()); !ok {
			all = append(all, i)
			size += p.Size
		}
	}
	if size <= f.room() {
		return nil
	}
	return all
}

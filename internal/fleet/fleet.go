package fleet

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/crew"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/limit"
	"github.com/validationtool/validationtool/internal/source"
)

// fleet reads several inputs and compares each as soon as it is read, some at a time, so that few are held at once. When all were read, it
// is known which of them are one cluster with others: these are read again together.
//
// What comes out is what comes of reading all at once, whatever the number of jobs is. Of the limits, those of what archives unpack to, of
// entries and of CRs are for all inputs; that of memory is for all jobs together, and what does not fit into the part of one job is done
// again at the end, when it can have all.
type fleet struct {
	*counter
	opt   Options
	ctx   context.Context
	paths []string
	work  *budget.Work
	large *budget.Turns // see compare.Share

	workers   *crew.Crew
	next      atomic.Int64
	ready     chan struct{} // closed when it is known what to compare with, or that nothing is wanted any more
	abandoned bool
	how       Comparer

	mu     sync.Mutex
	pieces []*gather.Piece // by input; of several inputs that were read together, at the first
	found  [][]tried       // of what was let go, by input; nil where it has to be compared, or compared again
	later  []int           // inputs that take more memory than a job has
	held   int64           // by pieces that wait until all were read
	open   int64           // by pieces that cannot be compared by themselves
	kept   int64           // by runs
	steps  int64           // that are left for trying what comes of inputs by themselves
	err    error
}

// tried is what was found about a cluster before it was known how many steps are left for it, and how many it took.
type tried struct {
	run        *finding.Run
	steps, all int64 // see budget.Work.Spend
}

// window is how much of the first inputs is held until all are read: of those that are one cluster with others nothing has to be read again.
const window = 4 << 20

// begin begins to read several inputs by themselves. It is nil where they are one, or have to be read at once.
func begin(ctx context.Context, opt Options) *fleet {
	if opt.Join || opt.Hold == All {
		return nil
	}
	paths, err := source.Expand(opt.Inputs, opt.Stdin != nil)
	if err != nil || !gather.Separate(paths) {
		return nil
	}
	f := &fleet{counter: newCounter(opt), opt: opt, ctx: ctx, paths: paths, ready: make(chan struct{}),
		pieces: make([]*gather.Piece, len(paths)), found: make([][]tried, len(paths)), work: opt.work(), large: opt.Limits.Comparing(0, nil).Large}
	f.steps = f.work.Limit() / 2
	f.progress.Reading("reading and comparing")
	f.workers = crew.Start(min(opt.Jobs, len(paths)), f.step)
	return f
}

// Abandon ends the reading before it is known what is wanted.
func (f *fleet) Abandon() {
	f.mu.Lock()
	f.abandoned = true
	f.mu.Unlock()
	close(f.ready)
	f.wait()
}

// wait waits until all inputs were read and compared, as far as that goes.
func (f *fleet) wait() {
	f.workers.Wait(context.Background(), 0) // after an interrupt each ends soon
}

// step reads and compares the next input.
func (f *fleet) step() bool {
	i := int(f.next.Add(1)) - 1
	if i >= len(f.paths) || f.ended() {
		return false
	}
	f.one(i, f.opt.Jobs)
	return true
}

// ended reports whether what is still to be read does not matter.
func (f *fleet) ended() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err != nil || f.abandoned || f.ctx.Err() != nil || f.beyond() || f.objects() > f.opt.Limits.Objects()
}

// beyond reports whether the archives are more, taken together, than the limits allow. Then all are read at once, up to the limits.
func (f *fleet) beyond() bool {
	most, unpacked, entries := f.opt.Limits.Source().OrDefault(), int64(0), 0
	for _, p := range f.pieces {
		if p != nil {
			unpacked += p.Summary.Unpacked
			entries += p.Summary.Entries
		}
	}
	return unpacked >= most.Unpacked || entries > most.Entries
}

func (f *fleet) objects() int {
	n := 0
	for _, p := range f.pieces {
		if p != nil {
			n += p.Objects
		}
	}
	return n
}

// one reads an input with the part of the memory that one of so many jobs has, and compares it if that is not to wait until all were read.
func (f *fleet) one(i, jobs int) {
	defer func() {
		if r := recover(); r != nil {
			f.fail(fmt.Errorf("%s: %s", code.Internal, code.Fault(r)))
		}
	}()
	part := f.opt.Limits.Part(jobs)
	piece, err := f.read([]int{i}, part)
	if piece == nil {
		f.fail(err)
		return
	}
	if jobs > 1 && piece.Short {
		f.postpone(i)
		return
	}
	if f.hold(i, piece) {
		return
	}
	all, ok := piece.Alone(f.opt.apart())
	if !ok {
		f.leaveOpen(piece)
		return
	}
	found, short := f.try(all, part, f.work.Limit()/int64(4*jobs), given(piece.Summary.Inputs))
	if jobs > 1 && short {
		f.postpone(i)
		return
	}
	f.release(i, found)
}

func (f *fleet) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
}

// read reads inputs as one piece. It is nil where nothing is wanted any more.
func (f *fleet) read(numbers []int, l limit.Limits) (*gather.Piece, error) {
	opt := f.opt.reading(l, f.seen)
	opt.Numbers = numbers
	var paths []string
	for _, i := range numbers {
		paths = append(paths, f.paths[i])
	}
	r := gather.Read(f.ctx, paths, opt)
	if <-f.ready; f.abandoned {
		r.Abandon()
		return nil, nil
	}
	if err := r.End(f.how.Trim); err != nil {
		return nil, err
	}
	return r.Piece(), nil
}

// postpone leaves an input to the end, where it can have all of the memory.
func (f *fleet) postpone(i int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pieces[i] = nil
	f.later = append(f.later, i)
}

// hold takes in a piece, and reports whether it is to be held until all are read, because it is little, or the run was interrupted.
func (f *fleet) hold(i int, piece *gather.Piece) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pieces[i] = piece
	most := min(window, f.room()/2)
	switch {
	case f.opt.Hold == None:
		most = -1
	case len(f.paths) == 2:
		most = f.room()
	}
	if piece.Stopped == nil && f.held+piece.Size > most {
		return false
	}
	f.held += piece.Size
	return true
}

// room is how many bytes pieces may hold that were read by themselves. No more fits if they are read together.
func (f *fleet) room() int64 { return f.opt.Limits.Memory() / budget.Eighth }

// leaveOpen takes in a piece that cannot be compared by itself. Those that are more than there is room for are read again together.
func (f *fleet) leaveOpen(piece *gather.Piece) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open += piece.Size; f.open > f.room() {
		piece.Drop()
	}
}

// try compares the clusters of an input, and reports whether there was too little memory. It returns none where they take more than so many
// steps, and where trying takes half of what there is for a run: then all are compared in their order, each with what is left for it.
func (f *fleet) try(all []gather.Collected, l limit.Limits, steps, given int64) (found []tried, short bool) {
	if len(all) > f.opt.Limits.Clusters() { // the run ends with that
		return nil, false
	}
	work := f.work.Trial(f.takeSteps(steps), given)
	for _, in := range all {
		before, allBefore := work.Left(), work.All()
		if work.Short() || before <= 1 {
			return nil, false
		}
		share := l.Comparing(0, work)
		share.Large = f.large
		run := f.run(f.ctx, in, share)
		found = append(found, tried{run, before - work.Left(), allBefore - work.All()})
		short = short || share.Room.Refused() || share.Rendered.Refused() || fell(run)
	}
	if work.Short() {
		return nil, short
	}
	f.takeSteps(-work.Left())
	return found, short
}

// takeSteps takes up to so many of the steps for trying, or gives back as many.
func (f *fleet) takeSteps(steps int64) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	steps = min(steps, f.steps)
	f.steps -= steps
	return steps
}

// run compares a cluster.
func (f *fleet) run(ctx context.Context, in gather.Collected, share compare.Share) *finding.Run {
	if f.opt.SkipUnreadable {
		in.SkipUnreadable()
	}
	return f.how.Run(ctx, in, share)
}

// fell reports whether of something that was found there was too much to hold.
func fell(run *finding.Run) bool {
	return slices.ContainsFunc(run.Comparisons, func(c *finding.Comparison) bool { return c.Error != nil && c.Error.Code == code.LimitMemory })
}

// release lets go of what was read of an input, and keeps what was found, if there is memory for that.
func (f *fleet) release(i int, found []tried) {
	f.pieces[i].Release(f.opt.apart())
	held := int64(0)
	for _, one := range found {
		held += one.run.Held()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept+held <= f.opt.Limits.Comparing(0, nil).Report {
		f.kept += held
		f.found[i] = found
	}
}

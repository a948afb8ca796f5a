package gather

import (
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/crew"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/internal/watch"
)

// ReadOptions say how inputs are read. A number that is zero limits nothing.
type ReadOptions struct {
	Source  source.Options           // what is set of it is Stdin, Nested, Limits, Progress and Jobs
	Text    kubeyaml.Limits          // of what is read, and decoded later
	NoScan  bool                     // decode everything
	Open    bool                     // placeholders stand for values, see manifest.Hints
	Wrapped bool                     // objects lie in others, see manifest.Hints
	Objects int                      // how many there may be in all inputs
	Memory  int64                    // bytes that files being read may take, and as many again documents being decoded
	Seen    func(objects, bytes int) // is told what was read, by several goroutines at once
}

// Trimmer lets go of what of an object nobody wants.
type Trimmer func(*manifest.Object)

// Reading is the reading of inputs, once. The files of an input are read in order, as archives demand, while their objects are found on all
// processors. What is collected does not depend on the order of what comes out.
type Reading struct {
	Summary source.Summary // valid after End

	ctx       context.Context
	parsing   context.Context // lasts a little longer, for what was read until then
	inputs    []string
	named     map[string]bool // the inputs
	opt       ReadOptions
	buffers   *source.Buffers
	documents *crew.Room     // for documents that are decoded
	passed    map[string]int // what within files was of no interest, by reason

	interrupted func() *watch.Ended // nil while it is not
	cancel      context.CancelFunc
	ended       chan struct{}
	err         error
	stopped     *watch.Ended // why it was interrupted before it ended; set by End

	mu      sync.Mutex
	charts  map[spot]bool // folders that were seen to hold a Chart.yaml
	trim    Trimmer       // nil while it is not known yet what is wanted
	early   []found       // what was read until then
	ahead   int           // its bytes
	known   chan struct{} // closed when trim is
	kept    []found       // in the order in which they were read, which is any
	objects int
}

// Read begins to read inputs. Either End or Abandon has to be called.
func Read(ctx context.Context, inputs []string, opt ReadOptions) *Reading {
	inner, cancel := context.WithCancel(ctx)
	r := newReading(inner, inputs, opt)
	r.cancel = cancel
	r.interrupted = func() *watch.Ended {
		if ctx.Err() == nil {
			return nil
		}
		return watch.Cause(ctx)
	}
	go func() {
		defer close(r.ended)
		defer func() {
			if f := recover(); f != nil {
				r.err = fmt.Errorf("%s: %s", code.Internal, code.Fault(f))
			}
		}()
		if err := r.readAll(); err != nil && r.interrupted() == nil {
			r.err = fmt.Errorf("%s: %w", code.InputNotFound, err)
		}
	}()
	return r
}

func newReading(ctx context.Context, inputs []string, opt ReadOptions) *Reading {
	if opt.Objects <= 0 {
		opt.Objects = math.MaxInt
	}
	if opt.Memory <= 0 {
		opt.Memory = math.MaxInt64
	}
	if opt.Seen == nil {
		opt.Seen = func(objects, bytes int) {}
	}
	named := map[string]bool{}
	for _, i := range inputs {
		named[i] = true
	}
	return &Reading{ctx: ctx, parsing: longer(ctx), inputs: inputs, named: named, opt: opt, buffers: &source.Buffers{}, documents: crew.NewRoom(opt.Memory),
		charts: map[spot]bool{}, known: make(chan struct{}), ended: make(chan struct{})}
}

// longer returns a context that ends AfterInterrupt after another.
func longer(ctx context.Context) context.Context {
	parsing, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(AfterInterrupt, stop) })
	return parsing
}

// readAll reads all inputs.
func (r *Reading) readAll() error {
	opt := r.opt.Source
	opt.Want, opt.Buffers, opt.Look, opt.Room = source.Candidate, r.buffers, r.look, crew.NewRoom(r.opt.Memory)
	workers := runtime.GOMAXPROCS(0)
	queue := make(chan job, 2*workers)
	readers := crew.Start(workers, func() bool {
		j, more := <-queue
		if more {
			r.read(j)
		}
		return more
	})
	err := r.walk(opt, queue)
	readers.Wait(r.ctx, AfterInterrupt) // a large file that is being read is left
	return err
}

// walk hands the files on to those who read them, and closes the queue.
func (r *Reading) walk(opt source.Options, queue chan<- job) (err error) {
	defer close(queue)
	r.Summary, err = source.Walk(r.ctx, r.inputs, opt, func(f source.File) error {
		hints := r.hints(f)
		if later, ok := f.Looked.(source.File); ok {
			later.Turn = f.Turn
			f = later
		}
		if f.Data == nil {
			return nil
		}
		select {
		case queue <- job{f, hints}:
			return nil
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
	})
	return err
}

// AfterInterrupt is how long an interrupted run may go on with what it has begun.
const AfterInterrupt = 400 * time.Millisecond

// mostAhead is how many bytes may be read before it is known what of them is wanted.
const mostAhead = 4 << 20

// want installs the function that drops what nobody wants of an object. It is called once, at any time.
func (r *Reading) want(trim Trimmer) {
	defer close(r.known)
	r.mu.Lock()
	r.trim = trim
	early := r.early
	r.early = nil
	r.mu.Unlock()
	for _, f := range early {
		r.keep(f, trim)
	}
}

// Abandon ends the reading before it is known what is wanted.
func (r *Reading) Abandon() {
	r.cancel()
	r.want(func(*manifest.Object) {})
	<-r.ended
}

// End waits until everything is read. It says why nothing can be compared, where that is so. trim drops what no later step asks for of
// an object.
func (r *Reading) End(trim Trimmer) error {
	r.want(trim)
	<-r.ended
	if r.stopped = r.interrupted(); r.stopped == nil { // else a file that was left may still be read
		r.buffers = nil // they would be kept through the comparison
	}
	r.cancel()
	if r.err == nil && r.count() > r.opt.Objects {
		return TooMany("CRs", r.opt.Objects, "objects")
	}
	return r.err
}

// TooMany is the error for more CRs or clusters than the limit of a name.
func TooMany(what string, limit int, name string) error {
	return fmt.Errorf("%s: the inputs hold more than %d %s, the limit; nothing was compared; name a part of them, or raise the limit with --limit %s=N",
		code.LimitObjects, limit, what, name)
}

// Collected returns what was read of each cluster, after End, and behind them the inputs that were not read before the run was interrupted.
// It fails where no cluster is called as Options.Only says. It is called once.
func (r *Reading) Collected(opt Options) ([]Collected, error) {
	batches, moments := r.batches()
	opt.part = r.stopped != nil
	clusters, err := Split(r.Summary.Inputs, batches, opt)
	if err != nil {
		return nil, err
	}
	all := clusters.collect(r.Summary, moments)
	if r.stopped != nil {
		all = r.stop(all, clusters)
	}
	if len(all) == 0 {
		none := nothing(r.Summary.Inputs)
		if r.stopped != nil {
			none.Stopped = r.stopped.And(" while the input was read, and no CR was found until then")
		}
		all = []Collected{none}
	}
	return all, nil
}

// stop says of clusters that not all was read, and names the inputs of which nothing was.
func (r *Reading) stop(all []Collected, clusters *Clusters) []Collected {
	for i := range all {
		all[i].Stopped = r.stopped.And(fmt.Sprintf(" while the input was read: %s found until then, and no rule was evaluated",
			finding.Plural(len(all[i].Objects), "CR was", "CRs were")))
	}
	var unread []source.Input
	for i, in := range r.Summary.Inputs {
		if !in.Whole && !clusters.Found(i) {
			unread = append(unread, in)
		}
	}
	if len(unread) > 0 {
		c := nothing(unread)
		c.Stopped = r.stopped.And(" before these inputs were read")
		all = append(all, c)
	}
	return all
}

// Passed counts what of the inputs was passed over, by reason, after Collected: files, and what within files was of no interest.
func (r *Reading) Passed() []source.Skipped {
	counts := maps.Clone(r.passed)
	for _, s := range r.Summary.Skipped {
		counts[s.Reason] += s.Count
	}
	var all []source.Skipped
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, source.Skipped{Reason: reason, Count: counts[reason]})
	}
	return all
}

// count is how many objects were read until now.
func (r *Reading) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.objects
}

// batches are the files that count, with what was found in them: a file that a later entry of its name in the same archive replaces does
// not. moments are the files that say when an archive was gathered.
func (r *Reading) batches() (batches []*Batch, moments []*moment) {
	r.mu.Lock() // a file that was left may still be read
	defer r.mu.Unlock()
	r.passed = map[string]int{}
	for _, f := range r.kept {
		if f.batch.File.Entry != "" && r.Summary.Inputs[f.batch.File.Input].Replaced[f.batch.File.Turn] { // files of folders are read before they have a turn
			continue
		}
		if f.moment != nil {
			r.passed[source.ReasonContent]++
			moments = append(moments, f.moment)
		}
		for _, p := range f.batch.Contents.Passed {
			r.passed[string(p.Reason)] += p.Count
		}
		if c := f.batch.Contents; len(c.Objects)+len(c.Lists)+len(c.Problems)+len(c.Lost)+len(c.Warnings)+len(c.Blank)+len(c.Failed) > 0 {
			batches = append(batches, f.batch)
		}
	}
	r.kept = nil // a cluster that was compared can be let go
	return batches, moments
}

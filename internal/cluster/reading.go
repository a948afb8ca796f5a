package cluster

import (
	"context"
	"fmt"
	"io"
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

// Options say what is read, how, and how the clusters are told apart. The zero value reads
// everything without a limit, and keeps every cluster by itself.
type Options struct {
	Inputs []string
	Stdin  io.Reader // what the input "-" stands for
	Jobs   int       // how many inputs are read at a time
	Nested bool      // read archives in archives

	NoScan         bool // decode everything
	Placeholders   bool // placeholders stand for values, see manifest.Hints
	Wrapped        bool // objects lie in others, see manifest.Hints
	SkipUnreadable bool // what cannot be read is a warning

	Join bool     // take everything for one cluster
	Each bool     // where nothing tells an identity, take each input for a cluster
	Only []string // keep only clusters with a name, or an identity, that one of these globs matches

	Files   source.Limits
	Text    kubeyaml.Limits
	Objects int // how many there may be in all inputs; 0 for any number
	Most    int // how many clusters there may be; 0 for any number

	// Read is called with the inputs and bytes that were read since it was called before, and Found
	// with objects and bytes of files; both by several goroutines at once, both may be nil.
	Read  func(inputs int, bytes int64)
	Found func(objects, bytes int)
}

// Trimmer drops what nobody wants of an object.
type Trimmer func(*manifest.Object)

// Reading is the reading of inputs, once. The files of an input are read in order, as archives
// demand, while their objects are found on all processors. What is collected does not depend on the
// order of what comes out.
type Reading struct {
	Summary source.Summary // valid after Collect

	ctx       context.Context // of the caller
	reading   context.Context
	cancel    context.CancelFunc // of reading
	parsing   context.Context    // ends a little later, for what was read until then
	opt       Options
	buffers   *source.Buffers
	documents *crew.Room     // for documents that are decoded
	passed    map[string]int // counts what within files was of no interest, by reason

	ended   chan struct{}
	err     error        // valid once ended is closed
	stopped *watch.Ended // why it was interrupted; valid after Collect

	volume *volume

	mu      sync.Mutex
	charts  map[spot]bool // folders that were seen to hold a Chart.yaml
	trim    Trimmer       // nil while it is not known yet what is wanted
	early   []found       // what was read until then
	ahead   int           // its bytes
	known   chan struct{} // closed when trim is set
	kept    []found       // in the order in which they were read, which is any
	objects int
}

// UnknownError says that Options.Only matches no cluster.
type UnknownError struct{ error }

// Read begins to read inputs. Either Collect or Abandon has to be called.
func Read(ctx context.Context, opt Options) *Reading {
	r := newReading(ctx, opt)
	go r.start()
	return r
}

func newReading(ctx context.Context, opt Options) *Reading {
	if opt.Objects <= 0 {
		opt.Objects = math.MaxInt
	}
	if opt.Files.Memory <= 0 {
		opt.Files.Memory = math.MaxInt64
	}
	r := &Reading{
		ctx:       ctx,
		parsing:   later(ctx),
		opt:       opt,
		buffers:   &source.Buffers{},
		documents: crew.NewRoom(opt.Files.Memory),
		charts:    map[spot]bool{},
		known:     make(chan struct{}),
		ended:     make(chan struct{}),
		volume:    newVolume(),
	}
	r.reading, r.cancel = context.WithCancel(ctx)
	return r
}

// start reads the inputs, and records what went wrong.
func (r *Reading) start() {
	defer close(r.ended)
	defer func() {
		if f := recover(); f != nil {
			r.err = fmt.Errorf("%s: %s", code.Internal, code.Fault(f))
		}
	}()
	if err := r.readAll(); err != nil && r.ctx.Err() == nil {
		r.err = fmt.Errorf("%s: %w", code.InputNotFound, err)
	}
}

// AfterInterrupt is how long an interrupted run may go on with what it has begun.
const AfterInterrupt = 400 * time.Millisecond

// later returns a context that ends AfterInterrupt after another.
func later(ctx context.Context) context.Context {
	parsing, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(AfterInterrupt, stop) })
	return parsing
}

// readAll reads all inputs.
func (r *Reading) readAll() error {
	workers := runtime.GOMAXPROCS(0)
	queue := make(chan job, 2*workers)
	readers := crew.Start(workers, func() bool {
		j, more := <-queue
		if more {
			r.read(j)
		}
		return more
	})
	err := r.walk(queue)
	readers.Wait(r.reading, AfterInterrupt) // a large file that is being read is left
	return err
}

// walk hands the files on to those who read them, and closes the queue.
func (r *Reading) walk(queue chan<- job) (err error) {
	defer close(queue)
	opt := source.Options{
		Stdin:    r.opt.Stdin,
		Nested:   r.opt.Nested,
		Limits:   r.opt.Files,
		Progress: r.opt.Read,
		Jobs:     r.opt.Jobs,
		Want:     source.Candidate,
		Buffers:  r.buffers,
		Look:     r.look,
		Room:     crew.NewRoom(r.opt.Files.Memory),
	}
	r.Summary, err = source.Walk(r.reading, r.opt.Inputs, opt, func(f source.File) error {
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
		case <-r.reading.Done():
			return r.reading.Err()
		}
	})
	return err
}

// want installs the function that drops what nobody wants of an object. It is called once, at any
// time.
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

// Collect waits until everything is read, and returns what was read of each cluster: at least one,
// and behind them the inputs that were not read before the run was interrupted. trim drops what no
// later step asks for of an object. The error says why nothing can be compared; it is an
// UnknownError where Options.Only matches no cluster.
func (r *Reading) Collect(trim Trimmer) ([]Collected, error) {
	if err := r.end(trim); err != nil {
		return nil, err
	}
	all, err := r.split()
	if err != nil {
		return nil, UnknownError{err}
	}
	if r.opt.Most > 0 && len(all) > r.opt.Most {
		return nil, tooMany("clusters", r.opt.Most, "clusters")
	}
	objects, unreadable := 0, 0
	for _, in := range all {
		objects += len(in.Objects)
		unreadable += len(in.Unreadable) + len(in.Lost)
	}
	if objects+unreadable == 0 && r.stopped == nil {
		return nil, noObjects(r.opt.Inputs, r.Summary)
	}
	r.volume.beforeComparing(all)
	if r.opt.SkipUnreadable {
		for i := range all {
			all[i].SkipUnreadable()
		}
	}
	return all, nil
}

// end waits until everything is read.
func (r *Reading) end(trim Trimmer) error {
	r.want(trim)
	<-r.ended
	if r.ctx.Err() != nil { // a file that was left may still be read
		r.stopped = watch.Cause(r.ctx)
	} else {
		r.buffers = nil // they would be kept through the comparison
	}
	r.cancel()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil && r.objects > r.opt.Objects {
		return tooMany("CRs", r.opt.Objects, "objects")
	}
	return r.err
}

// tooMany is the error for more CRs or clusters than the limit of a name.
func tooMany(what string, limit int, name string) error {
	return fmt.Errorf(
		"%s: the inputs hold more than %d %s, the limit; nothing was compared; give fewer inputs, or raise the limit with --limit %s=N",
		code.LimitObjects, limit, what, name,
	)
}

// split returns what was read of each cluster.
func (r *Reading) split() ([]Collected, error) {
	batches, moments := r.batches()
	clusters, err := tellApart(r.Summary.Inputs, batches, r.opt, r.stopped != nil)
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
func (r *Reading) stop(all []Collected, clusters *clusters) []Collected {
	for i := range all {
		all[i].Stopped = r.stopped.And(
			fmt.Sprintf(" while the input was read: %s found until then, and no rule was evaluated",
				finding.Plural(len(all[i].Objects), "CR was", "CRs were")),
		)
	}
	var unread []source.Input
	for i, in := range r.Summary.Inputs {
		if !in.Whole && !clusters.found(i) {
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

// Passed counts what of the inputs was passed over, by reason, after Collect: files, and what
// within files was of no interest.
func (r *Reading) Passed() (passed []finding.Passed) {
	counts := maps.Clone(r.passed)
	for _, s := range r.Summary.Skipped {
		counts[s.Reason] += s.Count
	}
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		passed = append(passed, finding.Passed{Reason: reason, Count: counts[reason]})
	}
	return passed
}

// batches are the files that count, with what was found in them: a file that a later entry of its
// name in the same archive replaces does not. moments are the files that say when an archive was
// gathered.
func (r *Reading) batches() (batches []*Batch, moments []*moment) {
	r.mu.Lock() // a file that was left may still be read
	defer r.mu.Unlock()
	r.passed = map[string]int{}
	for _, f := range r.kept {
		// Files of folders are read before they have a turn.
		if f.batch.File.Entry != "" && r.Summary.Inputs[f.batch.File.Input].Replaced[f.batch.File.Turn] {
			continue
		}
		if f.moment != nil {
			r.passed[source.ReasonContent]++
			moments = append(moments, f.moment)
		}
		for _, p := range f.batch.Contents.Passed {
			r.passed[string(p.Reason)] += p.Count
		}
		if !isEmpty(f.batch.Contents) {
			batches = append(batches, f.batch)
		}
	}
	r.kept = nil // a cluster that was compared can be let go
	return batches, moments
}

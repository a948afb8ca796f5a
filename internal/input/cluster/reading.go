package cluster

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// Options control what is read and how clusters are distinguished. The zero value reads everything
// without a limit and keeps clusters separate.
type Options struct {
	Inputs []string
	Stdin  io.Reader // source of the input "-"
	Jobs   int       // number of inputs that are read concurrently
	Nested bool      // read archives in archives

	FollowLinks bool // follow links of folders that lead out of the input

	Placeholders   bool // values may be placeholders, see manifest.Hints
	Wrapped        bool // objects may be inside other objects, see manifest.Hints
	Checksums      bool // compute those of inputs, see source.Input
	SkipUnreadable bool // turn unreadable content into warnings

	Join bool     // treat everything as one cluster
	Each bool     // treat each input as a cluster if no object identifies one
	Only []string // keep only clusters with a name or an identity that matches one of these globs

	NoInput func(root, file string) (reason string) // see source.Options; may be nil

	Files   source.Limits
	Text    kubeyaml.Limits
	Objects int // maximum number of objects in all inputs; 0 for no limit
	Most    int // maximum number of clusters; 0 for no limit

	// Used receives each file from which objects were read or could not be read. If reading was
	// interrupted, it also receives the inputs. It is called before Collect returns, and may be nil.
	Used func(path string)

	// Read receives the number of inputs and bytes that were read since its last call, Found the
	// number of objects and bytes of files. Several goroutines may call them at once; both may be
	// nil.
	Read  func(inputs int, bytes int64)
	Found func(objects, bytes int)
}

// Trimmer drops the unneeded content of an object.
type Trimmer func(*manifest.Object)

// Reading is one pass over the inputs. It reads the files of an input in order, as archives
// require, and finds their objects on all processors. The result does not depend on the order in
// which files are finished.
type Reading struct {
	Summary source.Summary // valid after Collect

	ctx       context.Context // the context of the caller
	reading   context.Context
	cancel    context.CancelFunc // cancels reading
	parsing   context.Context    // ends AfterInterrupt later, so that files already read are finished
	opt       Options
	buffers   *source.Buffers
	documents *workers.Semaphore // memory for documents that are being decoded
	rooms     sync.Pool          // memory for reading files, as *kubeyaml.Room
	passed    passedOver         // what was ignored of the files; valid after Collect
	beside    beside             // valid after Collect

	ended   chan struct{}
	err     error        // valid once ended is closed
	stopped *watch.Ended // why reading was interrupted; valid after Collect

	volume *watch.Volume

	mu      sync.Mutex
	charts  map[string]bool // folders of archives that contain a Chart.yaml, by path
	trim    Trimmer         // nil until the wanted objects are known
	known   chan struct{}   // closed when trim is set
	kept    []*Batch        // in the order of reading, which varies
	listing bool            // see KeepNames
	names   []source.File   // files that were read, without content
	objects int
}

// UnknownError is the error if Options.Only matches no cluster.
type UnknownError struct{ error }

// Read starts to read inputs. The caller must call Collect or Abandon.
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
	if opt.Used == nil {
		opt.Used = func(string) {}
	}
	r := &Reading{
		ctx:       ctx,
		parsing:   Later(ctx),
		opt:       opt,
		buffers:   &source.Buffers{},
		documents: workers.NewSemaphore(opt.Files.Memory),
		charts:    map[string]bool{},
		known:     make(chan struct{}),
		ended:     make(chan struct{}),
		volume:    watch.NewVolume(),
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

// AfterInterrupt is how long an interrupted run may continue work that it has begun.
const AfterInterrupt = 400 * time.Millisecond

// Later returns a context that ends AfterInterrupt after ctx, with the same cause.
func Later(ctx context.Context) context.Context {
	later, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(AfterInterrupt, func() { stop(context.Cause(ctx)) }) })
	return later
}

// readAll reads all inputs.
func (r *Reading) readAll() error {
	size := runtime.GOMAXPROCS(0)
	queue := make(chan job, 2*size)
	readers := workers.Start(size, func() bool {
		j, more := <-queue
		if more {
			r.read(j)
		}
		return more
	})
	err := r.walk(queue)
	readers.Wait(r.reading, AfterInterrupt) // a large file that is being read is abandoned
	return err
}

// walk sends the files to the readers and closes the queue.
func (r *Reading) walk(queue chan<- job) (err error) {
	defer close(queue)
	opt := source.Options{
		Stdin:       r.opt.Stdin,
		Nested:      r.opt.Nested,
		FollowLinks: r.opt.FollowLinks,
		NoInput:     r.opt.NoInput,
		Limits:      r.opt.Files,
		Progress:    r.opt.Read,
		Jobs:        r.opt.Jobs,
		Want:        source.Candidate,
		Checksums:   r.opt.Checksums,
		Buffers:     r.buffers,
		Unordered:   true,
		Semaphore:   workers.NewSemaphore(r.opt.Files.Memory),
	}
	r.Summary, err = source.Walk(r.reading, r.opt.Inputs, opt, func(f source.File) error {
		select {
		case queue <- job{f, r.hints(f)}:
			return nil
		case <-r.reading.Done():
			return r.reading.Err()
		}
	})
	return err
}

// want sets the function that drops unneeded content. It must be called once, at any time.
func (r *Reading) want(trim Trimmer) {
	r.trim = trim
	close(r.known)
}

// Abandon stops the reading before the wanted objects are known.
func (r *Reading) Abandon() {
	r.cancel()
	r.want(func(*manifest.Object) {})
	<-r.ended
}

// KeepNames makes Collect return the names of files as well. It must be called before Collect.
func (r *Reading) KeepNames() { r.listing = true }

// Collect waits until everything is read and returns what was read of each cluster, at least one
// entry, followed by inputs that were not read before an interrupt. trim drops the content of an
// object that no later step needs. The error says why nothing can be compared; it is an
// UnknownError if Options.Only matches no cluster.
func (r *Reading) Collect(trim Trimmer) ([]Collected, error) {
	if err := r.end(trim); err != nil {
		return nil, err
	}
	r.recognise()
	r.used()
	all, err := r.split()
	if err != nil {
		return nil, UnknownError{err}
	}
	if r.opt.Most > 0 && len(all) > r.opt.Most {
		return nil, tooMany("clusters", r.opt.Most, "clusters")
	}
	objects, unreadable := 0, 0
	for _, in := range all {
		objects += len(in.Objects) + len(in.Refused)
		unreadable += len(in.Unreadable) + len(in.Lost)
	}
	if objects+unreadable == 0 && r.stopped == nil {
		return nil, noObjects(r.opt.Inputs, r.Summary, r.passed)
	}
	if r.opt.SkipUnreadable {
		for i := range all {
			all[i].SkipUnreadable()
		}
	}
	return all, nil
}

// used passes the files with objects, and those that could not be read, to Options.Used.
func (r *Reading) used() {
	last := ""
	use := func(path string) {
		if path != last { // entries of an archive follow each other
			r.opt.Used(path)
		}
		last = path
	}
	r.mu.Lock() // a goroutine that was left behind may still read a file
	defer r.mu.Unlock()
	for _, b := range r.kept {
		if len(b.Contents.Objects)+len(b.Contents.Lists)+len(b.Contents.Lost)+len(b.Contents.Problems) > 0 {
			use(b.File.Path)
		}
	}
	for _, p := range slices.Concat(r.Summary.Problems, r.Summary.NotRead) {
		if !Harmless(p.Code) {
			use(p.File)
		}
	}
	for _, in := range r.Summary.Inputs {
		if r.stopped != nil {
			use(in.Path)
		}
	}
}

// end waits until reading has ended.
func (r *Reading) end(trim Trimmer) error {
	r.want(trim)
	<-r.ended
	if r.ctx.Err() != nil { // an abandoned file may still be in use
		r.stopped = watch.Cause(r.ctx)
	} else {
		r.buffers = nil // free them before the comparison
	}
	r.cancel()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil && r.objects > r.opt.Objects {
		return tooMany("CRs", r.opt.Objects, "objects")
	}
	return r.err
}

// tooMany returns the error for more CRs or clusters than a limit, which has a name.
func tooMany(what string, limit int, name string) error {
	return fmt.Errorf(
		"%s: the inputs hold more than %d %s, the limit; nothing was compared; give fewer inputs, or raise the limit with --limit %s=N",
		code.LimitObjects, limit, what, name,
	)
}

// split returns what was read of each cluster.
func (r *Reading) split() ([]Collected, error) {
	batches, moments := r.batches()
	clusters, err := split(r.Summary.Inputs, batches, r.opt, r.stopped != nil)
	if err != nil {
		return nil, err
	}
	all := clusters.collect(r.Summary, moments, r.beside)
	for _, f := range r.names {
		for _, i := range clusters.of(f.Input, f.Name) {
			all[i].Files = append(all[i].Files, f.Name)
		}
	}
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

// stop records in all clusters that not everything was read, and names the inputs that were not
// read at all.
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

// Passed returns what was ignored of the files, by reason. It is valid after Collect.
func (r *Reading) Passed() []finding.Passed { return r.passed.sorted() }

// batches returns the files that count, with their contents, and the files that say when an archive
// was gathered. A file that a later entry with its name replaces in the same archive does not
// count.
func (r *Reading) batches() (batches []*Batch, moments []*moment) {
	r.mu.Lock() // a goroutine that was left behind may still read a file
	defer r.mu.Unlock()
	r.passed, r.beside = passedOver{}, beside{excused: map[int]bool{}, unbuilt: map[int]*unbuilt{}}
	for reason, n := range r.Summary.Skipped {
		r.passed.of(reason).count += n
	}
	// Files of folders are read before they get a turn.
	kept := slices.DeleteFunc(r.kept, func(b *Batch) bool {
		return b.File.Entry != "" && r.Summary.Inputs[b.File.Input].Replaced[b.File.Turn]
	})
	r.setAside(kept)
	others := sync.OnceValue(func() neighbours { return newNeighbours(kept) }) // few inputs ask for it
	for _, b := range kept {
		if r.listing {
			r.names = append(r.names, b.File)
		}
		if b.moment != nil {
			r.passed.of(source.ReasonContent).count++
			moments = append(moments, b.moment)
		}
		plain := r.Summary.Inputs[b.File.Input].Layout == ""
		r.beside.add(b, plain)
		if !plain {
			b.Contents = b.inCollectorsArchive(others)
		}
		r.passed.add(b, plain)
		if !b.Contents.IsEmpty() {
			batches = append(batches, b)
		}
	}
	r.kept = nil // memory of a compared cluster can be released
	return batches, moments
}

package cli

import (
	"context"
	"path"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/crew"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/source"
)

// gatherer reads inputs. Files are read in order, as archives demand, while their objects are found on all processors. The
// comparison does not depend on the order of what comes out.
type gatherer struct {
	inputs  []string
	named   map[string]bool // the inputs
	seen    func(objects int)
	limits  limits
	noScan  bool         // decode everything
	bytes   atomic.Int64 // read until now
	buffers *source.Buffers
	charts  map[string]bool // folders that were seen to hold a Chart.yaml

	mu      sync.Mutex
	trim    trimmer       // nil while it is not known yet what is wanted
	early   []found       // what was read until then
	ahead   int           // its bytes
	known   chan struct{} // closed when trim is
	kept    []found       // in the order in which they were read, which is any
	memory  *memory
	objects int
}

// newGatherer is for inputs; seen is told how many objects were read.
func newGatherer(inputs []string, seen func(objects int), l limits, noScan bool) *gatherer {
	named := map[string]bool{}
	for _, i := range inputs {
		named[i] = true
	}
	return &gatherer{inputs: inputs, named: named, seen: seen, limits: l, noScan: noScan, known: make(chan struct{}), buffers: &source.Buffers{},
		memory: newMemory(l.memory()), charts: map[string]bool{}}
}

// job is a file whose objects are to be found.
type job struct {
	file  source.File
	hints manifest.Hints
}

// found is what a file holds, and its memory.
type found struct {
	batch  *gather.Batch
	data   []byte
	moment moment // set where the file says when an archive was gathered
}

// gather reads all inputs.
func (g *gatherer) gather(ctx context.Context, opt source.Options) (source.Summary, error) {
	opt.Buffers, opt.Look, opt.Room = g.buffers, g.look, g.memory.files
	workers := runtime.GOMAXPROCS(0)
	queue := make(chan job, 2*workers)
	readers := crew.Start(workers, func() bool {
		j, more := <-queue
		if more {
			g.read(j)
			opt.Room.Release(j.file.Claimed)
		}
		return more
	})
	summary, err := func() (source.Summary, error) {
		defer close(queue)
		return g.walk(ctx, opt, queue)
	}()
	readers.Wait(ctx, afterInterrupt) // a large file that is being read is left
	return summary, err
}

// walk hands the files on to those who read them.
func (g *gatherer) walk(ctx context.Context, opt source.Options, queue chan<- job) (source.Summary, error) {
	return source.Walk(ctx, g.inputs, opt, func(f source.File) error {
		hints := g.hints(f)
		if later, ok := f.Looked.(source.File); ok {
			f = later
		}
		if f.Data == nil {
			return nil
		}
		select {
		case queue <- job{f, hints}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// afterInterrupt is how long an interrupted run may go on with what it has begun.
const afterInterrupt = 400 * time.Millisecond

// look reads a file at once. What is known of some depends on files before them: those are left as they are.
func (g *gatherer) look(f source.File) any {
	if _, chart := chartOf(f.Name); chart {
		return f
	}
	g.read(job{f, g.alone(f)})
	return nil
}

// read finds the objects of a file, and gives its memory back.
func (g *gatherer) read(j job) {
	data := j.file.Data
	j.file.Data = nil
	g.volume(len(data))
	if m, ok := readMoment(j.file, data); ok {
		g.add(found{batch: &gather.Batch{File: j.file}, moment: m})
		return
	}
	f := found{batch: &gather.Batch{File: j.file, Contents: readSafely(j, data)}, data: data}
	g.seen(len(f.batch.Contents.Objects))
	g.mu.Lock()
	trim := g.trim
	wait := false
	if trim == nil {
		g.early = append(g.early, f)
		g.ahead += len(data)
		wait = g.ahead > mostAhead
	}
	g.mu.Unlock()
	switch {
	case trim != nil:
		g.keep(f, trim)
	case wait:
		<-g.known
	}
}

// mostAhead is how many bytes may be read before it is known what of them is wanted.
const mostAhead = 4 << 20

// want says what lets go of what nobody wants of an object. It is called once, at any time.
func (g *gatherer) want(trim trimmer) {
	defer close(g.known)
	g.mu.Lock()
	g.trim = trim
	early := g.early
	g.early = nil
	g.mu.Unlock()
	for _, f := range early {
		g.keep(f, trim)
	}
}

// keep takes in of what a file holds what is wanted, and gives its memory back where little is.
func (g *gatherer) keep(f found, trim trimmer) {
	held := 0
	objects := f.batch.Contents.Objects
	sizes := make([]int64, len(objects))
	for i, o := range objects {
		sizes[i] = trim(o)
		held += o.Text()
	}
	detached := held <= largeFile || held <= len(f.data)/2 // else a copy would cost more than what it lets go
	if detached {
		for _, o := range objects {
			o.Detach()
		}
		g.buffers.Give(f.data)
	}
	if held > 0 {
		g.memory.putTexts(f.batch, sizes, detached, len(f.data))
	}
	f.data = nil
	g.add(f)
}

// readSafely finds the objects in the content of a file. A panic is a problem of this file only.
func readSafely(j job, data []byte) (c manifest.Contents) {
	defer func() {
		if r := recover(); r != nil {
			c = manifest.Contents{Problems: []manifest.Problem{{Code: code.Internal, Message: "the file could not be read: " + code.Fault(r),
				Place: manifest.Place{File: j.file.Path, Entry: j.file.Entry}}}}
		}
	}()
	return manifest.Read(j.file.Path, j.file.Entry, data, j.hints)
}

// add takes in what a file holds. Of more objects than the limit none are kept.
func (g *gatherer) add(f found) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.objects += len(f.batch.Contents.Objects); g.objects > g.limits.objects() {
		g.kept = nil
		return
	}
	g.kept = append(g.kept, f)
	g.memory.putBatch(f.batch)
}

// count is how many objects were read until now.
func (g *gatherer) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.objects
}

// batches are the files that count, with what was found in them: a file that a later entry of its name in the same archive replaces does
// not. passed counts what of them was passed over, by reason; moments are the files that say when an archive was gathered.
func (g *gatherer) batches(replaced map[int]bool) (batches []*gather.Batch, passed map[string]int, moments []moment) {
	g.mu.Lock() // a file that was left may still be read
	defer g.mu.Unlock()
	passed = map[string]int{}
	batches = g.memory.end()
	for _, f := range g.kept {
		if f.batch.File.Entry != "" && replaced[f.batch.File.Turn] { // files of folders are read before they have a turn
			continue
		}
		if f.moment.file != "" {
			passed[source.ReasonContent]++
			moments = append(moments, f.moment)
		}
		for _, p := range f.batch.Contents.Passed {
			passed[string(p.Reason)] += p.Count
		}
		if c := f.batch.Contents; len(c.Objects)+len(c.Lists)+len(c.Problems)+len(c.Warnings)+len(c.Blank) > 0 {
			batches = append(batches, f.batch)
		}
	}
	return batches, passed, moments
}

// largeFile is from which size on a file is kept as it is where most of it is wanted.
const largeFile = 1 << 20

// hints says what a file's surroundings tell about it. It is asked in the order of the files.
func (g *gatherer) hints(f source.File) manifest.Hints {
	folder, base := path.Split(f.Name)
	if base == "Chart.yaml" {
		g.charts[folder] = true
	}
	hints := g.alone(f)
	chart, inside := chartOf(f.Name)
	hints.Chart = inside && g.charts[chart]
	return hints
}

// alone says what is known of a file without the files before it.
func (g *gatherer) alone(f source.File) manifest.Hints {
	hints := manifest.Hints{Asked: g.asked(f), NoScan: g.noScan, Limits: g.limits.text(), Room: g.memory.documents}
	hints.APIVersion, hints.Kind = collector.KindOf(f.Name, f.Path+"/"+f.Entry)
	return hints
}

// chartOf returns the folder that would be a Helm chart if the file were one of its templates.
func chartOf(name string) (string, bool) {
	chart, _, templates := strings.Cut(name, "templates/")
	return chart, templates
}

// asked reports whether the user named this very file.
func (g *gatherer) asked(f source.File) bool {
	return f.Entry == "" && (f.Path == "-" || g.named[f.Path])
}

// harmless reports whether a problem of a source loses nothing of what the user handed in.
func harmless(c code.Code) bool { return c == code.LinkSkipped || c == code.UnsafeName }

// skippable reports whether a problem is one of a file that cannot be read. A limit, which can be raised, and a fault of the tool
// never are.
func skippable(c code.Code) bool {
	return c == code.InputUnreadable || c == code.DocumentBroken || c == code.ArchiveBroken || c == code.ObjectWithoutName
}

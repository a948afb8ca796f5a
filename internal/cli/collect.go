package cli

import (
	"cmp"
	"context"
	"maps"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
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
	trim    func(*manifest.Object) // lets go of what nobody wants of an object; nil while that is not known yet
	early   []found                // what was read until then
	ahead   int                    // its bytes
	known   chan struct{}          // closed when trim is
	kept    []found                // in the order in which they were read, which is any
	objects int
}

// newGatherer is for inputs; seen is told how many objects were read.
func newGatherer(inputs []string, seen func(objects int), l limits, noScan bool) *gatherer {
	named := map[string]bool{}
	for _, i := range inputs {
		named[i] = true
	}
	return &gatherer{inputs: inputs, named: named, seen: seen, limits: l, noScan: noScan, known: make(chan struct{}), buffers: &source.Buffers{},
		charts: map[string]bool{}}
}

// job is a file whose objects are to be found.
type job struct {
	file  source.File
	hints manifest.Hints
}

// found is what a file holds, and its memory.
type found struct {
	file     source.File
	data     []byte
	contents manifest.Contents
	moment   moment // of a file that says when the archive was gathered
}

// gather reads all inputs.
func (g *gatherer) gather(ctx context.Context, opt source.Options) (source.Summary, error) {
	opt.Buffers, opt.Look = g.buffers, g.look
	workers := runtime.GOMAXPROCS(0)
	queue := make(chan job, 2*workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for j := range queue {
				g.read(j)
			}
		})
	}
	summary, err := source.Walk(ctx, g.inputs, opt, func(f source.File) error {
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
	close(queue)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		group.Wait()
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		select {
		case <-ended:
		case <-time.After(afterInterrupt): // a large file that is being read is left
		}
	}
	return summary, err
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
	if m, ok := readMoment(j.file.Name, data); ok {
		g.add(found{file: j.file, moment: m})
		return
	}
	f := found{file: j.file, data: data, contents: readSafely(j, data)}
	g.seen(len(f.contents.Objects))
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
func (g *gatherer) want(trim func(*manifest.Object)) {
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
func (g *gatherer) keep(f found, trim func(*manifest.Object)) {
	held := 0
	for _, o := range f.contents.Objects {
		trim(o)
		held += o.Text()
	}
	if held <= largeFile || held <= len(f.data)/2 { // else a copy would cost more than what it lets go
		for _, o := range f.contents.Objects {
			o.Detach()
		}
		g.buffers.Give(f.data)
	}
	f.data = nil
	g.add(f)
}

// readSafely finds the objects in the content of a file. A panic is a problem of this file only.
func readSafely(j job, data []byte) (c manifest.Contents) {
	defer func() {
		if r := recover(); r != nil {
			c = manifest.Contents{Problems: []manifest.Problem{{Code: code.Internal, Message: "the file could not be read: " + code.Fault(r),
				Place: manifest.Place{File: j.file.Path, Entry: j.file.Entry, Item: -1}}}}
		}
	}()
	return manifest.Read(j.file.Path, j.file.Entry, data, j.hints)
}

// add takes in what a file holds. Of more objects than the limit none are kept.
func (g *gatherer) add(f found) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.objects += len(f.contents.Objects); g.objects > g.limits.objects() {
		g.kept = nil
		return
	}
	g.kept = append(g.kept, f)
}

// count is how many objects were read until now.
func (g *gatherer) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.objects
}

// joined is all that was read, put together.
type joined struct {
	in      compare.Collected
	damaged []manifest.Problem // what was read and looks damaged
	passed  map[string]int     // by reason
	files   []source.File      // those that hold objects
	moment  moment
}

// join puts together what the files hold, in the order of the files, whenever each was read. A file that a later entry of its name in the
// same archive replaces does not count.
func (g *gatherer) join(replaced map[int]bool) joined {
	g.mu.Lock() // a file that was left may still be read
	defer g.mu.Unlock()
	slices.SortFunc(g.kept, func(a, b found) int {
		return cmp.Or(a.file.Input-b.file.Input, a.file.Turn-b.file.Turn, strings.Compare(a.file.Name, b.file.Name))
	})
	all := joined{passed: map[string]int{}}
	listed := map[compare.GroupKind]bool{}
	for _, f := range g.kept {
		if f.file.Entry != "" && replaced[f.file.Turn] { // files of folders are read before they have a turn
			continue
		}
		if f.moment.file != "" {
			all.passed[source.ReasonContent]++
			if all.moment.file == "" || f.moment.before(all.moment) {
				all.moment = f.moment
			}
		}
		if len(f.contents.Objects) > 0 {
			all.files = append(all.files, f.file)
		}
		all.in.Objects = append(all.in.Objects, f.contents.Objects...)
		all.in.Unreadable = append(all.in.Unreadable, f.contents.Problems...)
		for _, l := range f.contents.Lists {
			kind := compare.GroupKind{Group: manifest.ID{APIVersion: l.APIVersion}.Group(), Kind: l.Kind}
			if l.Kind != "" && !listed[kind] {
				listed[kind] = true
				all.in.Listed = append(all.in.Listed, kind)
			}
		}
		all.damaged = append(all.damaged, f.contents.Warnings...)
		for _, p := range f.contents.Passed {
			all.passed[string(p.Reason)] += p.Count
		}
	}
	return all
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
	hints := manifest.Hints{Asked: g.asked(f), NoScan: g.noScan, Limits: g.limits.text()}
	hints.APIVersion, hints.Kind = insightsKind(f)
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

// collected returns what was read, as it is compared. The roots tell the clusters of one archive apart.
func (g *gatherer) collected(summary source.Summary) compare.Collected {
	all := g.join(summary.Replaced)
	in := all.in
	in.When = all.moment.when
	for _, i := range summary.Inputs {
		in.Inputs = append(in.Inputs, compare.Input{Path: i.Path, Format: i.Format, Layout: i.Layout})
		in.Gathered = in.Gathered || i.Layout != ""
	}
	for _, w := range all.damaged {
		if in.Gathered { // no collector leaves files so
			in.Unreadable = append(in.Unreadable, w)
			continue
		}
		in.Warnings = append(in.Warnings, compare.Warning{Code: w.Code, Message: w.Message, Place: compare.Where(w.Place)})
	}
	for _, p := range summary.Problems {
		if harmless(p.Code) {
			in.Warnings = append(in.Warnings, compare.Warning{Code: p.Code, Message: p.Message, Place: compare.Where(problem(p).Place)})
			continue
		}
		in.Unreadable = append(in.Unreadable, problem(p))
	}
	for _, p := range summary.NotRead {
		in.NotRead = append(in.NotRead, problem(p))
	}
	if roots := rootOf(summary, all.files); roots != nil {
		in.Root = func(p manifest.Place) string { return roots[p.File+"!"+p.Entry] }
	}
	in.Layout = layoutOf(summary)
	for _, s := range summary.Skipped {
		all.passed[s.Reason] += s.Count
	}
	for _, reason := range slices.Sorted(maps.Keys(all.passed)) {
		in.Passed = append(in.Passed, compare.Passed{Reason: reason, Count: all.passed[reason]})
	}
	return in
}

// harmless reports whether a problem of a source loses nothing of what the user handed in.
func harmless(c code.Code) bool { return c == code.LinkSkipped || c == code.UnsafeName }

// skippable reports whether a problem is one of a file that cannot be read. A limit, which can be raised, and a fault of the tool
// never are.
func skippable(c code.Code) bool {
	return c == code.InputUnreadable || c == code.DocumentBroken || c == code.ArchiveBroken || c == code.ObjectWithoutName
}

// rootOf maps every file that holds objects to the cluster root it lies in; nil where there is at most one root.
func rootOf(summary source.Summary, files []source.File) map[string]string {
	count := 0
	for _, i := range summary.Inputs {
		count += len(i.Roots)
	}
	if count < 2 {
		return nil
	}
	roots := map[string]string{}
	for _, f := range files {
		in := summary.Inputs[f.Input]
		roots[f.Path+"!"+f.Entry] = in.Path + ":" + source.RootOf(f.Name, in.Roots)
	}
	return roots
}

// layoutOf tells the layout of the innermost input that a place lies in; nil where none has one.
func layoutOf(summary source.Summary) func(manifest.Place) string {
	layouts := map[string]string{}
	known := false
	for _, i := range summary.Inputs {
		layouts[filepath.Clean(i.Path)] = i.Layout
		known = known || i.Layout != ""
	}
	if !known {
		return nil
	}
	return func(p manifest.Place) string {
		for at := filepath.Clean(p.File); ; at = filepath.Dir(at) {
			if layout, ok := layouts[at]; ok {
				return layout
			}
			if at == filepath.Dir(at) {
				return ""
			}
		}
	}
}

// problem turns a problem of a source into one of the result.
func problem(p source.Problem) manifest.Problem {
	return manifest.Problem{Code: p.Code, Place: manifest.Place{File: p.Path, Entry: p.Entry, Item: -1}, Message: p.Message}
}

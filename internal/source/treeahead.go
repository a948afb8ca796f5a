package source

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/scan"
)

// The walk through a folder takes its time in the system: for every folder and file a handful of calls. So all processors list
// folders, and read and look at files, ahead of the walk, which takes over what they found in its own order.
//
// Work lies on a stack in the order of the walk, so that what is done first is wanted first. Where the walk comes to something
// that nobody has begun, it does it itself; where somebody is at it, it does other work until that is done.

const (
	// aheadFiles is how many files are looked at in one go: enough for the handing over not to matter.
	aheadFiles = 32
	// aheadSize is up to which size files are read ahead of the walk.
	aheadSize = 4 << 20
	// aheadTasks is how many pieces of work may be done before the walk takes them over.
	aheadTasks = 4096
)

// treeAhead does the work ahead of one walk.
type treeAhead struct {
	w      *walker
	root   place
	prefix string // of the paths of all files
	group  sync.WaitGroup

	mu      sync.Mutex
	wake    sync.Cond // there may be work, or it is over
	stack   []*aheadTask
	pending int // done and not taken over yet
	over    bool
}

// aheadTask is one folder to be listed, or some files of one to be looked at.
type aheadTask struct {
	begun atomic.Bool
	done  chan struct{}

	rel     string // of a folder to be listed, or of the folder that the files lie in
	listing bool
	entries []aheadEntry
	err     error // of a listing that may be incomplete
	taken   bool  // the walk has it
}

// aheadEntry is an entry of a folder.
type aheadEntry struct {
	fs.DirEntry
	folder *aheadTask // of a folder
	files  *aheadTask // the work that a file is part of
	found  *foundFile // of a file
}

// foundFile is what is known of a file before the walk comes to it.
type foundFile struct {
	place    place
	size     int64
	err      error // why the size is not known
	decision Decision
	read     bool // looked is what Options.Look said of it
	rejected bool // its first bytes say that it holds no objects
	objects  bool // holdsObjects said so
	looked   any
}

// newTreeAhead begins to work on the folder at root.
func newTreeAhead(w *walker, root place) (*treeAhead, *aheadTask) {
	a := &treeAhead{w: w, root: root, prefix: strings.TrimSuffix(filepath.ToSlash(filepath.Join(root.path, "x")), "x")}
	a.wake.L = &a.mu
	first := newListing("")
	a.stack = []*aheadTask{first}
	for range runtime.GOMAXPROCS(0) - 1 {
		a.group.Go(a.work)
	}
	return a, first
}

func newListing(rel string) *aheadTask {
	return &aheadTask{done: make(chan struct{}), rel: rel, listing: true}
}

// halt ends all work ahead of the walk.
func (a *treeAhead) halt() {
	a.mu.Lock()
	a.over = true
	a.mu.Unlock()
	a.wake.Broadcast()
	a.group.Wait()
}

// work does what there is to be done until it is over.
func (a *treeAhead) work() {
	for {
		t, ok := a.next()
		if !ok {
			return
		}
		a.do(t)
	}
}

// next waits for work.
func (a *treeAhead) next() (*aheadTask, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		if a.over {
			return nil, false
		}
		if t := a.pop(); t != nil {
			return t, true
		}
		a.wake.Wait()
	}
}

// pop takes work off the stack; nil if there is none, or enough was done ahead. The caller holds the lock.
func (a *treeAhead) pop() *aheadTask {
	for len(a.stack) > 0 && a.pending < aheadTasks {
		last := len(a.stack) - 1
		t := a.stack[last]
		a.stack[last] = nil
		a.stack = a.stack[:last]
		if t.begun.CompareAndSwap(false, true) {
			a.pending++
			return t
		}
	}
	return nil
}

// push adds work that is to be done in the order of the list.
func (a *treeAhead) push(tasks []*aheadTask) {
	if len(tasks) == 0 {
		return
	}
	slices.Reverse(tasks)
	a.mu.Lock()
	a.stack = append(a.stack, tasks...)
	a.mu.Unlock()
	if len(tasks) > 1 {
		a.wake.Broadcast()
	} else {
		a.wake.Signal()
	}
}

// await has a task done, by whomever. Only the walk calls it.
func (a *treeAhead) await(t *aheadTask) {
	if t.taken {
		return
	}
	t.taken = true
	if t.begun.CompareAndSwap(false, true) {
		a.do(t)
		return
	}
	for {
		select {
		case <-t.done:
			a.taken()
			return
		default:
		}
		a.mu.Lock()
		other := a.pop()
		a.mu.Unlock()
		if other == nil {
			<-t.done
			continue
		}
		a.do(other)
	}
}

// taken makes room for more work ahead.
func (a *treeAhead) taken() {
	a.mu.Lock()
	a.pending--
	low := a.pending == aheadTasks/2
	a.mu.Unlock()
	if low {
		a.wake.Broadcast()
	}
}

func (a *treeAhead) do(t *aheadTask) {
	defer close(t.done)
	if !t.listing {
		a.look(t)
		return
	}
	a.list(t)
}

// list lists a folder and looks at its files, or has them looked at.
func (a *treeAhead) list(t *aheadTask) {
	entries, err := os.ReadDir(a.at(t.rel).path)
	t.err = err // what could be listed is read
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(sortKey(a), sortKey(b)) })
	t.entries = make([]aheadEntry, len(entries))
	var more []*aheadTask
	var files *aheadTask
	for i, e := range entries {
		t.entries[i].DirEntry = e
		switch {
		case e.IsDir() && e.Name() == ".git":
		case e.IsDir():
			t.entries[i].folder = newListing(below(t.rel, e.Name()))
			more = append(more, t.entries[i].folder)
		case e.Type().IsRegular():
			if files == nil || len(files.entries) == aheadFiles {
				files = &aheadTask{done: make(chan struct{}), rel: t.rel, entries: make([]aheadEntry, 0, min(aheadFiles, len(entries)-i))}
				more = append(more, files)
			}
			t.entries[i].found = &foundFile{}
			t.entries[i].files = files
			files.entries = append(files.entries, t.entries[i])
		}
	}
	a.push(more)
}

// look reads some files of one folder.
func (a *treeAhead) look(t *aheadTask) {
	folder := a.at(t.rel).path
	for _, e := range t.entries {
		e.found.place = a.in(folder, t.rel, e.Name())
		a.find(e.DirEntry, e.found)
	}
	t.entries = nil
}

// find finds out what it can of a file. What is not as usual is left to the walk. The size of a file that is not wanted by its
// name is not asked for.
func (a *treeAhead) find(e fs.DirEntry, found *foundFile) {
	p := found.place
	found.size, found.decision = -1, a.w.want(p, -1)
	_, _, packed := archive.SplitName(p.name)
	switch {
	case a.w.opt.Look == nil || found.decision.Action == Skip && packed:
		info, err := e.Info()
		if found.err = err; err == nil {
			found.size = info.Size()
			found.decision = a.w.want(p, found.size)
		}
		return
	case found.decision.Action == Skip || a.w.ctx.Err() != nil:
		return
	}
	data, ok := a.content(found)
	if !ok {
		a.w.opt.Buffers.Give(data)
		return
	}
	found.read = true
	found.objects = holdsObjects(p.name, data)
	found.looked = a.w.opt.Look(p.file(found.size, data))
}

// content reads a file that is to be read, is no archive and is not large.
func (a *treeAhead) content(found *foundFile) ([]byte, bool) {
	f, err := os.Open(found.place.path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	memory := a.w.opt.Buffers.Take(bufferAtLeast)
	n, err := f.Read(memory)
	head := memory[:min(n, archive.HeadSize)]
	switch {
	case err != nil && err != io.EOF:
		return memory, false
	case n == 0:
		found.size = 0
		found.decision = a.w.want(found.place, 0)
		return memory, false
	case archive.IsPacked(head) || archive.Foreign(head) != "" || isAppleDouble(found.place.name, head):
		return memory, false
	case found.decision.Action == Sniff && !scan.LooksLikeObjects(head):
		found.rejected = true
		return memory, false
	case n == len(memory) || int64(n) > a.w.fileLimit():
		return a.rest(f, found, memory[:n])
	}
	found.size = int64(n)
	return memory[:n], true
}

// rest reads on in a file that has more than was read.
func (a *treeAhead) rest(f *os.File, found *foundFile, first []byte) ([]byte, bool) {
	info, err := f.Stat()
	if err != nil {
		return first, false
	}
	if found.size = info.Size(); found.size > min(aheadSize, a.w.fileLimit()) {
		return first, false
	}
	memory := a.w.opt.Buffers.Take(int(max(found.size, int64(len(first)))) + 1)
	data, err := archive.ReadAll(f, memory[:copy(memory, first)], a.w.fileLimit())
	a.w.opt.Buffers.Give(first)
	found.size = int64(len(data))
	return data, err == nil
}

// at is the place of a path inside the folder, which is slash-separated.
func (a *treeAhead) at(rel string) place {
	p := a.root
	p.name = rel
	if rel == "" {
		p.path = filepath.ToSlash(filepath.Clean(p.path))
		return p
	}
	p.path = a.prefix + rel
	p.name = p.path[len(a.prefix):] // the same, kept once
	return p
}

// in is the place of an entry of a folder.
func (a *treeAhead) in(folder, rel, name string) place {
	if rel == "" {
		return a.at(below(rel, name))
	}
	p := a.root
	p.path = folder + "/" + name
	p.name = p.path[len(a.prefix):] // the same, kept once
	return p
}

// below is the path of an entry of a folder.
func below(folder, name string) string {
	if folder == "" {
		return name
	}
	return folder + "/" + name
}

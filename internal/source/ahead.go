package source

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/manifest"
)

// The walk through a folder takes its time in the system: a handful of calls for every folder and
// file. So one goroutine lists the folders, and all processors read and look at the files, ahead of
// the walk, which takes over what they found in its own order.

const (
	// batchFiles is how many files are looked at in one go: enough for the handing over not to
	// matter.
	batchFiles = 32
	// aheadBatches is how many batches may be listed before the walk takes them over.
	aheadBatches = 128
	// aheadSize is up to which size, in bytes, files are read ahead of the walk.
	aheadSize = 4 << 20
)

// tree is a folder that is read ahead of the walk.
type tree struct {
	ctx    context.Context // ends with the walk
	w      *walker
	root   place
	prefix string      // of the paths of all files
	now    *batch      // is being filled
	order  chan *batch // for the walk, in its order
	work   chan *batch // the same, for those who look at the files
	group  sync.WaitGroup
}

// batch is some entries of folders, one after the other.
type batch struct {
	found []foundFile
	done  chan struct{} // closed when the files were looked at
}

// foundFile is what is known of an entry of a folder before the walk comes to it. Folders stand for
// themselves where they are passed over, or cannot be listed.
type foundFile struct {
	place    place
	mode     fs.FileMode // the type only
	entry    fs.DirEntry
	err      error // why the folder cannot be listed, or the size of the file is not known
	size     int64 // -1 where nobody asked
	decision Decision
	read     bool // looked is what Options.Look said of it
	rejected bool // its first bytes say that it holds no objects
	objects  bool // holdsObjects said so
	looked   any
}

// startTree begins to read the folder at root. The batches are in order, until ctx ends or all is
// read; then order is closed. Nothing runs any more when group is done.
func startTree(ctx context.Context, w *walker, root place) *tree {
	t := &tree{
		ctx:    ctx,
		w:      w,
		root:   root,
		prefix: strings.TrimSuffix(filepath.ToSlash(filepath.Join(root.path, "x")), "x"),
		now:    newBatch(),
		order:  make(chan *batch, aheadBatches),
		work:   make(chan *batch, aheadBatches),
	}
	t.group.Go(func() {
		t.list("")
		t.flush()
		close(t.work)
		close(t.order)
	})
	for range runtime.GOMAXPROCS(0) {
		t.group.Go(func() {
			for b := range t.work {
				for i := range b.found {
					t.look(&b.found[i])
				}
				close(b.done)
			}
		})
	}
	return t
}

func newBatch() *batch {
	return &batch{found: make([]foundFile, 0, batchFiles), done: make(chan struct{})}
}

// list lists a folder, and those in it.
func (t *tree) list(rel string) {
	dir := t.at(rel)
	entries, err := os.ReadDir(dir.path)
	if err != nil {
		t.add(foundFile{place: dir, mode: fs.ModeDir, err: err})
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(sortKey(a), sortKey(b)) })
	for _, e := range entries {
		below := strings.TrimPrefix(rel+"/"+e.Name(), "/")
		switch {
		case t.ctx.Err() != nil:
			return
		case e.IsDir() && e.Name() != ".git":
			t.list(below)
		default:
			t.add(foundFile{place: t.at(below), mode: e.Type(), entry: e, size: -1})
		}
	}
}

// sortKey orders the entries of a folder as the paths of all files below them are ordered.
func sortKey(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return e.Name()
}

// at is the place of a path inside the folder, which is slash-separated.
func (t *tree) at(rel string) place {
	p := t.root
	if rel == "" {
		p.path = filepath.ToSlash(filepath.Clean(p.path))
		return p
	}
	p.path = t.prefix + rel
	p.name = p.path[len(t.prefix):] // the same, kept once
	return p
}

// add puts an entry into the batch.
func (t *tree) add(f foundFile) {
	if t.now.found = append(t.now.found, f); len(t.now.found) == batchFiles {
		t.flush()
	}
}

// flush hands the batch on: first to those who look at its files, as the walk waits for them.
func (t *tree) flush() {
	b := t.now
	t.now = newBatch()
	for _, to := range []chan *batch{t.work, t.order} {
		select {
		case to <- b:
		case <-t.ctx.Done():
			return
		}
	}
}

// look finds out what it can of a file. What is not as usual is left to the walk. The size of a
// file that is not wanted by its name is not asked for.
func (t *tree) look(f *foundFile) {
	if !f.mode.IsRegular() || t.ctx.Err() != nil {
		return
	}
	w := t.w
	f.decision = w.want(f.place, -1)
	skip := f.decision.Action == Skip
	if _, _, packed := archive.SplitName(f.place.name); w.opt.Look == nil || skip && packed {
		info, err := f.entry.Info()
		if f.err = err; err == nil {
			f.size = info.Size()
			f.decision = w.want(f.place, f.size)
		}
		return
	}
	if skip {
		return
	}
	data, ok := t.content(f)
	if !ok {
		w.opt.Buffers.Give(data)
		return
	}
	f.read = true
	f.objects = holdsObjects(f.place.name, data)
	f.looked = w.opt.Look(f.place.file(f.size, data))
}

// content reads a file that is to be read, is no archive and is not large. What is returned besides
// false is memory to be given back.
func (t *tree) content(found *foundFile) ([]byte, bool) {
	f, err := os.Open(found.place.path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	buffers, limit := t.w.opt.Buffers, t.w.fileLimit()
	memory := buffers.Take(bufferAtLeast)
	n, err := f.Read(memory)
	head := memory[:min(n, archive.HeadSize)]
	switch {
	case err != nil && err != io.EOF:
		return memory, false
	case n == 0:
		found.size = 0
		found.decision = t.w.want(found.place, 0)
		return memory, false
	case archive.IsPacked(head) || archive.Foreign(head) != "" || isAppleDouble(found.place.name, head):
		return memory, false
	case found.decision.Action == Sniff && !manifest.LooksLikeObjects(head):
		found.rejected = true
		return memory, false
	case n < len(memory) && int64(n) <= limit:
		found.size = int64(n)
		return memory[:n], true
	}
	info, err := f.Stat()
	if err != nil {
		return memory, false
	}
	if found.size = info.Size(); found.size > min(aheadSize, limit) {
		return memory, false
	}
	larger := buffers.Take(int(max(found.size, int64(n))) + 1)
	data, err := archive.ReadAll(f, larger[:copy(larger, memory[:n])], limit)
	buffers.Give(memory)
	found.size = int64(len(data))
	return data, err == nil
}

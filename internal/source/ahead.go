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

// Walking a folder spends its time in system calls, several for every folder and file. So one
// goroutine lists the folders, and all processors read and classify the files in advance. The walk
// then uses their results in its own order.

const (
	// batchFiles is the number of files per batch, large enough to make the cost of handing over a
	// batch irrelevant.
	batchFiles = 32
	// aheadBatches is the number of batches that may be listed before the walk uses them.
	aheadBatches = 128
	// aheadSize is the size, in bytes, up to which files are read in advance.
	aheadSize = 4 << 20
)

// tree is a folder that is read ahead of the walk.
type tree struct {
	ctx    context.Context // ends with the walk
	w      *walker
	root   place
	prefix string      // common prefix of the paths of all files
	now    *batch      // the batch being filled
	order  chan *batch // batches for the walk, in its order
	work   chan *batch // the same batches, for the goroutines that inspect the files
	group  sync.WaitGroup
}

// batch is a run of consecutive entries of folders.
type batch struct {
	found []foundFile
	done  chan struct{} // closed when the files were inspected
}

// foundFile is what is known of an entry of a folder before the walk reaches it. A folder has an
// entry only if it is passed over or cannot be listed.
type foundFile struct {
	place    place
	mode     fs.FileMode // only the type bits
	entry    fs.DirEntry
	err      error // why the folder cannot be listed, or the size of the file is unknown
	size     int64 // -1 if it was not requested
	decision Decision
	read     bool // looked is the result of Options.Look
	rejected bool // its first bytes show that it contains no objects
	objects  bool // result of holdsObjects
	looked   any
}

// startTree starts to read the folder at root. It sends the batches in order until everything is
// read or ctx ends, then closes order. When group is done, none of its goroutines runs any more.
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

// list lists a folder and the folders in it.
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

// sortKey returns a key that sorts the entries of a folder like the paths of the files below them.
func sortKey(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return e.Name()
}

// at returns the place of a slash-separated path inside the folder.
func (t *tree) at(rel string) place {
	p := t.root
	if rel == "" {
		p.path = filepath.ToSlash(filepath.Clean(p.path))
		return p
	}
	p.path = t.prefix + rel
	p.name = p.path[len(t.prefix):] // share the memory of the path
	return p
}

// add adds an entry to the batch.
func (t *tree) add(f foundFile) {
	if t.now.found = append(t.now.found, f); len(t.now.found) == batchFiles {
		t.flush()
	}
}

// flush sends the batch, first to the goroutines that inspect its files, because the walk waits for
// them.
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

// look inspects a file in advance. It leaves unusual files to the walk, and does not request the
// size of a file with an unwanted name.
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

// content reads a wanted file that is neither an archive nor large. Memory returned with false goes
// back to the buffers.
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

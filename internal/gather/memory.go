package gather

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/refconfig"
)

// memory is what is held of the inputs.
type memory struct {
	files, documents *budget.Room
	texts            *budget.Shelf[texts]
	batches          *budget.Shelf[*Batch]
	size             int64       // for the batches
	short            atomic.Bool // something was let go, for which there was no memory; both shelves say so
	held             int64       // at the end
	lost             int         // CRs of batches that were let go
	from             *Batch
}

// Trimmer lets go of what of a CR nobody wants, and returns how much memory is held beside its identity then.
type Trimmer func(*manifest.Object) int64

// texts are CRs of a file whose texts are held or let go together. at is the index of the first.
type texts struct {
	batch   *Batch
	at      int
	objects []*manifest.Object
}

// newMemory is for a run that may hold so many bytes.
func newMemory(size int64) *memory {
	m := &memory{files: budget.NewRoom(size / budget.Quarter), documents: budget.NewRoom(size / budget.Quarter), size: size / budget.Eighth}
	refused := &kubeyaml.SyntaxError{Code: code.LimitMemory, Message: fmt.Sprintf(
		"with the CRs before it that are compared it takes more than %d bytes of memory; name a part of the input, or raise the limit with --limit memory=N", size/budget.Quarter)}
	m.texts = budget.NewShelf(size/budget.Quarter, func(a, b texts) int { return cmp.Or(compareBatches(a.batch, b.batch), a.at-b.at) }, func(t texts) {
		m.short.Store(true)
		for _, o := range t.objects {
			o.Refuse(refused)
		}
	})
	m.batches = budget.NewShelf(m.size, compareBatches, func(b *Batch) {
		m.short.Store(true)
		m.lost += len(b.Contents.Objects)
		if m.from == nil || compareBatches(b, m.from) < 0 {
			m.from = b
		}
		b.Contents = manifest.Contents{Passed: b.Contents.Passed}
	})
	return m
}

// putTexts takes in the CRs of a file. Where they were not detached from it, all of the file is held as long as one of them is.
func (m *memory) putTexts(b *Batch, sizes []int64, detached bool, file int) {
	objects := b.Contents.Objects
	if !detached {
		sum := int64(file)
		for i, o := range objects {
			sum += sizes[i] - int64(o.Text())
		}
		m.texts.Put(texts{b, 0, slices.DeleteFunc(slices.Clone(objects), func(o *manifest.Object) bool { return o.Text() == 0 })}, sum)
		return
	}
	for i := range objects {
		if sizes[i] > 0 {
			m.texts.Put(texts{b, i, objects[i : i+1 : i+1]}, sizes[i])
		}
	}
}

// putBatch takes in what is told of a file and its CRs.
func (m *memory) putBatch(b *Batch) {
	const each = 256 // bytes that an identity, or a problem, takes
	c := b.Contents
	m.batches.Put(b, each*int64(1+len(c.Objects)+len(c.Lists)+len(c.Problems)+len(c.Lost)+len(c.Warnings)+len(c.Blank)+len(c.Failed)))
}

// end lets go of what is too much, and returns a problem that says so, if anything was.
func (m *memory) end() []*Batch {
	m.held = m.texts.End() + m.batches.End()
	if m.from == nil {
		return nil
	}
	f := m.from.File
	return []*Batch{{File: f, Contents: manifest.Contents{Problems: []refconfig.Problem{{
		Code: code.LimitMemory, Place: refconfig.Place{File: f.Path, Entry: f.Entry},
		Message: fmt.Sprintf("the names of what the inputs hold take more than %d bytes of memory: this file and those behind it, with %s, were left out; "+
			"name a part of the input, or raise the limit with --limit memory=N", m.size, finding.Plural(m.lost, "CR", "CRs")),
	}}}}}
}

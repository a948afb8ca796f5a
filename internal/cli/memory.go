package cli

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/manifest"
)

// Shares of the limit of memory: what is held at the same time takes about as much together, where every share is full (9/8 while the inputs
// are read, all of it while CRs are compared).
//
// While the inputs are read, a quarter each is for windows of decompressors with archives in memory, for the files that are being read,
// for the documents that are decoded, and for the CRs that templates want; an eighth is for the identities of all CRs. While the CRs are compared, these keep
// what they have; the CRs that are being compared share three eighths, what templates print is read in another, and what was found about the others gets
// the rest. The shares are fixed, so that what goes beyond one does not depend on when anything happens.
const (
	quarter = 4
	eighth  = 8
)

// memory is what is held of the inputs.
type memory struct {
	files, documents *budget.Room
	texts            *budget.Shelf[texts]
	batches          *budget.Shelf[*gather.Batch]
	size             int64 // for the batches
	lost             int   // CRs of batches that were let go
	from             *gather.Batch
}

// trimmer lets go of what of a CR nobody wants, and returns how much memory is held beside its identity then.
type trimmer func(*manifest.Object) int64

// texts are CRs of a file whose texts are held or let go together. at is the index of the first.
type texts struct {
	batch   *gather.Batch
	at      int
	objects []*manifest.Object
}

// newMemory is for a run that may hold so many bytes.
func newMemory(size int64) *memory {
	m := &memory{files: budget.NewRoom(size / quarter), documents: budget.NewRoom(size / quarter), size: size / eighth}
	refused := &manifest.SyntaxError{Code: code.LimitMemory, Message: fmt.Sprintf(
		"with the CRs before it that are compared it takes more than %d bytes of memory; name a part of the input, or raise the limit with --limit memory=N", size/quarter)}
	m.texts = budget.NewShelf(size/quarter, func(a, b texts) int { return cmp.Or(gather.CompareBatches(a.batch, b.batch), a.at-b.at) }, func(t texts) {
		for _, o := range t.objects {
			o.Refuse(refused)
		}
	})
	m.batches = budget.NewShelf(m.size, gather.CompareBatches, func(b *gather.Batch) {
		m.lost += len(b.Contents.Objects)
		if m.from == nil || gather.CompareBatches(b, m.from) < 0 {
			m.from = b
		}
		b.Contents = manifest.Contents{Passed: b.Contents.Passed}
	})
	return m
}

// putTexts takes in the CRs of a file. Where they were not detached from it, all of the file is held as long as one of them is.
func (m *memory) putTexts(b *gather.Batch, sizes []int64, detached bool, file int) {
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
func (m *memory) putBatch(b *gather.Batch) {
	const each = 256 // bytes that an identity, or a problem, takes
	c := b.Contents
	m.batches.Put(b, each*int64(1+len(c.Objects)+len(c.Lists)+len(c.Problems)+len(c.Warnings)+len(c.Blank)))
}

// end lets go of what is too much, and returns a problem that says so, if anything was.
func (m *memory) end() []*gather.Batch {
	m.texts.End()
	m.batches.End()
	if m.from == nil {
		return nil
	}
	f := m.from.File
	return []*gather.Batch{{File: f, Contents: manifest.Contents{Problems: []manifest.Problem{{
		Code: code.LimitMemory, Place: manifest.Place{File: f.Path, Entry: f.Entry, Item: -1},
		Message: fmt.Sprintf("the names of what the inputs hold take more than %d bytes of memory: this file and those behind it, with %d CRs, were left out; "+
			"name a part of the input, or raise the limit with --limit memory=N", m.size, m.lost),
	}}}}}
}

// comparing is how much memory the comparison of clusters takes, of whose reports so much is held already.
func (l limits) comparing(held int64) compare.Memory {
	size := l.memory()
	return compare.Memory{Room: budget.NewRoom(3 * (size / eighth)), Rendered: budget.NewRoom(size / eighth), Report: max(1, size/eighth-held)}
}

// heldOf is how many bytes of the report the results keep.
func heldOf(r *compare.Result) (n int64) {
	for i := range r.Comparisons {
		n += r.Comparisons[i].Held()
	}
	return n
}

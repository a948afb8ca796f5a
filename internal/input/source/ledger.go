package source

import (
	"github.com/validationtool/validationtool/internal/input/archive"
	"github.com/validationtool/validationtool/internal/run/code"
)

// ledger counts the entries of one input by outcome. Each entry has exactly one outcome; Walk
// checks the sum, so that no entry is skipped silently. Folders do not count as entries. An opened
// archive counts as one, and so does each entry in it.
type ledger struct {
	met    int
	read   int // delivered to the receiver
	passed int // skipped for a reason that Summary.Skipped counts
	lost   int // reported by a problem; one problem may report several
	closed int // archives listed in Summary.NotRead
	opened int // archives whose entries are counted themselves
}

// missing returns the number of entries without an outcome.
func (l ledger) missing() int {
	return l.met - l.read - l.passed - l.lost - l.closed - l.opened
}

// balance checks the ledger at the end of an input. Entries without an outcome, or lost without a
// problem, are a fault of this package.
func (w *walker) balance(p place) {
	l := w.ledger
	silent := l.lost > 0 && len(w.problems.list) == 0 || l.closed > 0 && len(w.unread.list) == 0
	if l.missing() != 0 || silent {
		w.problem(
			p,
			code.Internal,
			"%d entries were found, but %d were read, %d skipped, %d reported as not read, and %d opened as archives, "+
				"which does not add up",
			l.met,
			l.read,
			l.passed,
			l.lost+l.closed,
			l.opened,
		)
	}
}

// lost counts an entry whose content cannot be read. The caller that handles the fault records the
// problem.
func (w *walker) lost(p place, err error) error {
	w.ledger.lost++
	return &fault{p, err}
}

// lose calls ended for an entry and counts it as lost.
func (w *walker) lose(c *container, s *archive.Stream, f *fault) error {
	w.ledger.lost++
	return w.ended(c, s, f)
}

// span is the range of turns of the files delivered for one entry of an archive: one file, or the
// files of a nested archive.
type span struct {
	from, to int
	waits    int // number of the waiting archive, from one; or zero
}

// delivered reports whether the entry was read, or waits to be read.
func (s span) delivered() bool { return s.to > s.from || s.waits > 0 }

// takeContent processes an entry of an archive. If the archive contains a name several times, the
// last entry counts, as it does when the archive is unpacked.
func (w *walker) takeContent(c *container, p place, e archive.Entry) error {
	w.replace(c, p)
	got, waiting := span{from: w.turn}, len(c.waiting)
	err := w.take(c, item{place: p, size: e.Size, open: e.Open, later: e.Later, inner: true})
	if got.to = w.turn; len(c.waiting) > waiting {
		got.waits = len(c.waiting)
	}
	if got.delivered() || !w.want(p, -1).unwanted() { // without a file too: links may lead to it
		if c.entries == nil {
			c.entries = map[string]span{}
		}
		c.entries[p.name] = got
	}
	return err
}

// replace withdraws an earlier entry with the same name: the files delivered for it, or the waiting
// archive.
func (w *walker) replace(c *container, p place) {
	before, ok := c.entries[p.name]
	if !ok {
		return
	}
	delete(c.entries, p.name)
	if before.waits > 0 {
		c.waiting[before.waits-1].replaced = true
		w.release(&c.waiting[before.waits-1])
		w.skip(ReasonReplaced)
	}
	for turn := before.from; turn < before.to; turn++ {
		if w.in.Replaced == nil {
			w.in.Replaced = map[int]bool{}
		}
		w.in.Replaced[turn] = true
		w.ledger.read--
		w.skip(ReasonReplaced)
	}
}

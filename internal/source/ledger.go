package source

import (
	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/code"
)

// ledger counts the entries of one input, and where they ended. Each entry that is met ends in
// exactly one place; Walk checks that they add up, so that nothing is passed over in silence.
// Folders are no entries. An archive that is opened is one, and so is each in it.
type ledger struct {
	met    int
	read   int // handed to the receiver
	passed int // passed over for a reason that Summary.Skipped counts
	lost   int // told by a problem; one problem may tell of several
	closed int // archives that are named in Summary.NotRead
	opened int // archives whose own entries were met in turn
}

// missing is how many entries ended nowhere.
func (l ledger) missing() int {
	return l.met - l.read - l.passed - l.lost - l.closed - l.opened
}

// balance checks the ledger at the end of an input. That entries are missing, or were lost without
// a word, is a fault of this package.
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

// lost counts an entry whose content cannot be read. Whoever gets the fault records it.
func (w *walker) lost(p place, err error) error {
	w.ledger.lost++
	return &fault{p, err}
}

// lose is ended for an entry.
func (w *walker) lose(c *container, s *archive.Stream, f *fault) error {
	w.ledger.lost++
	return w.ended(c, s, f)
}

// span are the files that were delivered for one entry of an archive, by their turns: one, or those
// of an archive in it.
type span struct {
	from, to int
	waits    int // the number of a waiting archive, from one; or zero
}

// takeContent takes an entry of an archive, at a place. Where the archive holds a name twice, the
// later entry counts, as it does when it is unpacked.
func (w *walker) takeContent(c *container, p place, e archive.Entry) error {
	w.replace(c, p)
	got, waiting := span{from: w.turn}, len(c.waiting)
	err := w.take(c, item{place: p, size: e.Size, open: e.Open, later: e.Later, inner: true})
	if got.to = w.turn; len(c.waiting) > waiting {
		got.waits = len(c.waiting)
	}
	if got.to > got.from || got.waits > 0 {
		if c.entries == nil {
			c.entries = map[string]span{}
		}
		c.entries[p.name] = got
	}
	return err
}

// replace takes back what was delivered, or waits, for an earlier entry of a name.
func (w *walker) replace(c *container, p place) {
	before, ok := c.entries[p.name]
	if !ok {
		return
	}
	delete(c.entries, p.name)
	if before.waits > 0 {
		c.waiting[before.waits-1].replaced = true
		w.letGo(&c.waiting[before.waits-1])
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

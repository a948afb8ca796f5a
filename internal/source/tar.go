package source

import (
	"errors"
	"io"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/code"
)

// readTar reads a tar archive. Archives in it that have to wait are opened in a second pass, if the archive can be read again.
func (w *walker) readTar(c *container, s *archive.Stream, again reopen) error {
	c.twice = again != nil
	err := w.tarEntries(c, s.Tar())
	var f *fault
	if errors.As(err, &f) {
		err = w.tarEnded(c, s, f)
	}
	halted := errors.Is(err, errHalt)
	if err != nil && !halted && !errors.As(err, &f) {
		return err
	}
	w.reportJunk(c.place, s)
	if !halted {
		if later := w.followTarLinks(c, again); later != nil {
			err, halted = later, errors.Is(later, errHalt)
		}
	}
	var later error
	if c.twice && !c.own && !halted && len(c.waiting) > 0 {
		later = w.tarSecondPass(c, again)
	} else {
		later = w.settle(c, !halted)
	}
	w.reportTallies(c)
	if later != nil {
		return later
	}
	return err
}

// tarEnded puts what is special to tar into words.
func (w *walker) tarEnded(c *container, s *archive.Stream, f *fault) error {
	switch {
	case errors.Is(f.err, archive.ErrNoEnd) && c.faulty:
		return w.ctx.Err()
	case errors.Is(f.err, archive.ErrNoEnd):
		w.problem(c.place, code.ArchiveBroken, "the mark of its end is missing after byte %d%s, so it may have been cut off; %s; copy it again",
			s.Offset(), unpackedWord(s), readSoFar(c))
		return w.ctx.Err()
	case errors.Is(f.err, archive.ErrAfterEnd):
		w.problem(c.place, code.ArchiveBroken, "something that is no archive follows its end at byte %d%s and was not read; copy it again, or cut it off",
			s.Offset(), unpackedWord(s))
		return w.ctx.Err()
	}
	return w.ended(c, s, f)
}

// tarEntries is the first pass.
func (w *walker) tarEntries(c *container, t *archive.Tar) error {
	last := c.place
	for {
		e, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return &fault{last, err}
		}
		if err := w.countEntry(c); err != nil {
			return err
		}
		it := w.entryItem(c, e)
		last = it.place
		if e.Kind != archive.File {
			continue
		}
		if err := w.takeEntry(c, it); err != nil {
			return err
		}
	}
}

// countEntry counts an entry of an archive against the limit.
func (w *walker) countEntry(c *container) error {
	if w.entries++; w.entries <= w.limits.Entries {
		return nil
	}
	w.problem(c.place, code.LimitEntries, "it goes beyond %d entries, the limit for all archives of an input; the rest of it was not read; %s; "+
		"raise the limit with --limit entries=N if you trust it", w.limits.Entries, readSoFar(c))
	return errHalt
}

// entryItem makes an item of an entry. What is not a regular file is counted, if it is worth that.
func (w *walker) entryItem(c *container, e archive.Entry) item {
	p := c.inside(e.Name)
	if e.Unsafe != "" {
		c.unsafe.add(p, e.Unsafe)
	}
	switch e.Kind {
	case archive.Link:
		w.addLink(c, p, e)
	case archive.Special:
		w.special(c, p)
	}
	return itemAt(p, e)
}

// itemAt is an entry, at a place.
func itemAt(p place, e archive.Entry) item {
	return item{place: p, size: e.Size, open: e.Open, again: e.Again, inner: true, index: e.Index}
}

// special counts a device, socket or pipe.
func (w *walker) special(c *container, p place) {
	w.replace(c, p)
	w.ledger.met++
	w.skip(p, -1, ReasonSpecial)
}

// tarSecondPass opens the archives in a tar archive that holds nothing else.
func (w *walker) tarSecondPass(c *container, again reopen) error {
	list := c.waiting
	c.waiting = nil
	r, err := again()
	if err != nil {
		w.ledger.lost += len(list)
		w.unreadable(c.place, err)
		return w.ctx.Err()
	}
	defer r.Close()
	s, err := w.unpacker.Open(r, false)
	defer s.End()
	t := s.Tar()
	for i := 0; i < len(list) && err == nil; i++ {
		if list[i].replaced {
			continue
		}
		if cut := t.Forward(list[i].index); cut != nil {
			err = &fault{place{}, cut}
			break
		}
		err = w.enterEntry(c, t, list[i], again)
		list[i].replaced = true // settled
		if errors.Is(err, errHalt) {
			w.listUnread(c, list[i+1:])
			list = list[:i+1]
		}
	}
	for _, t := range list {
		if !t.replaced {
			w.ledger.lost++
		}
	}
	return w.secondPassEnded(c, s, err)
}

// secondPassEnded passes on what ends the walk. Damage was recorded by the first pass already, if it is not new.
func (w *walker) secondPassEnded(c *container, s *archive.Stream, err error) error {
	var f *fault
	switch {
	case !errors.As(err, &f):
		return err
	case c.faulty:
		return w.ctx.Err()
	}
	return w.ended(c, s, f)
}

// heldAtOnce is up to which size an archive in an archive is kept in memory while it is read. To read a larger one twice, what is around it
// is read again up to there.
const heldAtOnce = 16 << 20

// enterEntry reads the archive that is the current entry of t.
func (w *walker) enterEntry(c *container, t *archive.Tar, inner waiting, again reopen) error {
	p := inner.place
	if inner.size <= heldAtOnce {
		data, cut := io.ReadAll(t)
		if err := w.openWaiting(c, &waiting{place: p, held: data, cut: cut != nil}); err != nil || cut == nil {
			return err
		}
		return &fault{p, cut}
	}
	s, err := w.unpacker.Open(t, true)
	defer s.End()
	if err != nil {
		return w.lose(&container{place: p}, s, &fault{p, err})
	}
	return w.enter(c, waiting{place: p}, s, w.entryAgain(again, inner.index))
}

// entryAgain opens an entry of a tar archive anew, from the beginning of the archive. It is needed where an archive that is only
// wrapped does nothing but wrap others itself.
func (w *walker) entryAgain(again reopen, index int) reopen {
	return func() (io.ReadCloser, error) {
		r, err := again()
		if err != nil {
			return nil, err
		}
		s, err := w.unpacker.Open(r, false)
		t := s.Tar()
		if err == nil {
			err = t.Forward(index)
		}
		entry := &tarEntry{Reader: t, close: func() error { s.End(); return r.Close() }}
		if err != nil {
			entry.Close()
			return nil, err
		}
		return entry, nil
	}
}

// tarEntry is an entry that closes the archive it is read from.
type tarEntry struct {
	io.Reader
	close func() error
}

// Close closes the archive.
func (e *tarEntry) Close() error { return e.close() }

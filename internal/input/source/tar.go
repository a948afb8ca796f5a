package source

import (
	"errors"
	"io"

	"github.com/validationtool/validationtool/internal/input/archive"
	"github.com/validationtool/validationtool/internal/run/code"
)

// readTar reads a tar archive.
func (w *walker) readTar(c *container, s *archive.Stream) error {
	err := w.tarEntries(c, s.Tar())
	var f *fault
	if errors.As(err, &f) {
		if last := len(c.waiting) - 1; last >= 0 && c.waiting[last].place == f.place {
			c.waiting[last].cut = true
		}
		err = w.ended(c, s, f)
	}
	if err != nil && !errors.Is(err, errHalt) && !errors.As(err, &f) {
		return err
	}
	w.reportJunk(c.place, s)
	return w.endArchive(c, nil, err)
}

// endArchive follows the links of an archive, opens or lists the archives that wait in it, and
// reports the counted faults. err is the result of reading the archive.
func (w *walker) endArchive(c *container, z *archive.Zip, err error) error {
	whole := !errors.Is(err, errHalt)
	if whole {
		if later := w.followLinks(c, z); later != nil {
			whole, err = !errors.Is(later, errHalt), later
		}
	}
	if later := w.openRest(c, whole); later != nil {
		err = later
	}
	w.reportTallies(c)
	return err
}

// tarEntries reads the entries.
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
		last = c.inside(e.Name)
		if err := w.takeEntry(c, e); err != nil {
			return err
		}
	}
}

// takeEntry processes an entry of an archive, or counts it if it is not worth reading.
func (w *walker) takeEntry(c *container, e archive.Entry) error {
	if err := w.countEntry(c); err != nil {
		return err
	}
	p := c.inside(e.Name)
	if e.Unsafe != "" {
		c.unsafe.add(p, e.Unsafe)
	}
	if e.Fault != "" {
		c.broken.add(p, e.Fault)
	}
	switch {
	case e.Kind == archive.Link:
		w.addLink(c, p, e)
	case e.Kind == archive.Special:
		w.replace(c, p)
		w.ledger.met++
		w.skip(ReasonSpecial)
	case e.Kind != archive.File:
	case e.Lost:
		w.ledger.met++
		w.ledger.lost++
	default:
		return w.takeContent(c, p, e)
	}
	return nil
}

// countEntry counts an entry of an archive against Limits.Entries.
func (w *walker) countEntry(c *container) error {
	if w.entries++; w.entries <= w.limits.Entries {
		return nil
	}
	w.problem(
		c.place,
		code.LimitEntries,
		"the archives of an input may have %d entries, the limit, which was reached; the rest was not read; %s; "+
			"raise the limit with --limit entries=N if you trust it",
		w.limits.Entries,
		readSoFar(c),
	)
	return errHalt
}

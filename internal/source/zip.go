package source

import (
	"errors"
	"fmt"
	"io"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/code"
)

// readZip reads a zip archive, by the list at its end. Where that is missing, it reads from the beginning what there is.
func (w *walker) readZip(c *container, s *archive.Stream) error {
	content, size, err := w.wholeZip(c, s)
	if content == nil {
		return err
	}
	z, err := w.unpacker.Zip(content, size, w.limits.Entries-w.entries)
	switch {
	case errors.Is(err, archive.ErrEntries):
		w.problem(c.place, code.LimitEntries, "it lists more than %d entries, the limit for all archives of an input, and was not read; "+
			"raise the limit with --limit entries=N if you trust it", w.limits.Entries)
		return errHalt
	case err != nil:
		err = w.salvageZip(c, z, err)
	default:
		if at := z.Unlisted(); at >= 0 {
			w.problem(c.place, code.ArchiveBroken, "there are entries in it that its list lacks, at byte %d, as where another archive stands before it; they were not read; "+
				"unpack it with another program and name the result", at)
		}
		if err = w.zipEntries(c, z); err == nil && z.Misplaced() { // which is recorded
			_, err = w.salvageEntries(c, z)
		}
	}
	if err != nil && !errors.Is(err, errHalt) {
		return err
	}
	if later := w.settle(c, err == nil); later != nil {
		err = later
	}
	w.reportTallies(c)
	return err
}

// wholeZip returns the bytes of the zip archive in s: the file it lies in, or else all of it in memory. Nil without an error says that
// there is a problem, which is recorded.
func (w *walker) wholeZip(c *container, s *archive.Stream) (io.ReaderAt, int64, error) {
	most := min(w.limits.File, w.unpacker.Left())
	content, size, err := s.Whole(most)
	switch {
	case errors.Is(err, archive.ErrTooLarge) && most < w.limits.File:
		w.problem(c.place, code.LimitMemory, "it is a zip archive of more than %d bytes that has to be unpacked to memory first, which is what it may take beside what is around it; "+
			"it was not read; unpack it yourself and name the result, "+raiseMemory, most)
		return nil, 0, nil
	case errors.Is(err, archive.ErrTooLarge):
		w.problem(c.place, code.LimitSize, "it is a zip archive of more than %d bytes that has to be unpacked to memory first, and was not read; "+
			"unpack it yourself and name the result, or raise the limit with --limit file=N", w.limits.File)
		return nil, 0, nil
	case err != nil:
		return nil, 0, w.ended(c, s, &fault{c.place, err})
	}
	w.reportJunk(c.place, s)
	return content, size, nil
}

// zipEntries reads what the list names, but for entries that hold others.
func (w *walker) zipEntries(c *container, z *archive.Zip) error {
	for i := range z.Len() {
		if err := w.countEntry(c); err != nil {
			return err
		}
		e := z.Entry(i)
		it := w.entryItem(c, e)
		if e.Fault != "" {
			c.broken.add(it.place, e.Fault)
		}
		switch {
		case e.Kind != archive.File: // it was counted
		case e.Lost:
			w.ledger.met++
			w.ledger.lost++
		default:
			if err := w.zipTaken(c, w.takeEntry(c, it)); err != nil {
				return err
			}
		}
	}
	return w.followZipLinks(c, z)
}

// zipTaken sorts out what went wrong with one entry. The others do not depend on it.
func (w *walker) zipTaken(c *container, err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	var refusal *archive.Refusal
	refused := errors.As(f.err, &refusal)
	switch {
	case refused && (refusal.Code == code.LimitMemory || refusal.Code == code.Internal):
		w.problem(f.place, refusal.Code, "%s", refusal.What)
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case errors.Is(f.err, archive.ErrUnpacked):
		return w.unpackedTooMuch(c, f)
	case refused:
		c.locked.add(f.place, refusal.What)
	default:
		c.broken.add(f.place, f.err.Error())
	}
	return nil
}

// followZipLinks reads what the links of a zip archive lead to, where they count.
func (w *walker) followZipLinks(c *container, z *archive.Zip) error {
	wanted := w.linkTargets(c)
	for i := 0; i < z.Len() && len(wanted) > 0; i++ {
		e := z.Entry(i)
		k, ok := wanted[nestedPrefix(c)+e.Name]
		if !ok || e.Kind != archive.File {
			continue
		}
		if err := w.zipTaken(c, w.takeLinked(c, k, itemAt(k.from, e))); err != nil {
			w.leftLinks(wanted)
			return err
		}
	}
	w.leftLinks(wanted)
	return nil
}

// salvageZip reads a zip archive that has lost its list.
func (w *walker) salvageZip(c *container, z *archive.Zip, cause error) error {
	c.twice = false
	in, err := w.salvageEntries(c, z)
	if err == nil && !c.faulty {
		cut := ""
		if in != "" {
			cut = fmt.Sprintf(", and it breaks off in the entry %q", in)
		}
		w.problem(c.place, code.ArchiveBroken, "the list of entries at its end is missing or corrupt (%v)%s; %s; copy it again", cause, cut, readSoFar(c))
	}
	return err
}

// salvageEntries reads the entries that can be salvaged. It returns the one in which the archive breaks off, "" if it does not.
func (w *walker) salvageEntries(c *container, z *archive.Zip) (cut string, err error) {
	salvage := z.Salvage()
	defer salvage.Close()
	for {
		e, err := salvage.Next()
		if errors.Is(err, archive.ErrUnpacked) {
			return "", w.zipTaken(c, &fault{c.place, err})
		}
		if err != nil {
			return "", w.ctx.Err() // the end of what can be read
		}
		if err := w.countEntry(c); err != nil {
			return "", err
		}
		if e.Kind != archive.File {
			continue
		}
		err = w.takeEntry(c, w.entryItem(c, e))
		var f *fault
		if errors.As(err, &f) && errors.Is(f.err, io.ErrUnexpectedEOF) {
			return f.place.entry, w.ctx.Err()
		}
		if err := w.zipTaken(c, err); err != nil {
			return "", err
		}
	}
}

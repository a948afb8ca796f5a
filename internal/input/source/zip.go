package source

import (
	"errors"
	"io"

	"github.com/validationtool/validationtool/internal/input/archive"
	"github.com/validationtool/validationtool/internal/run/code"
)

// readZip reads a zip archive through its central directory.
func (w *walker) readZip(c *container, s *archive.Stream) error {
	content, size, err := w.wholeZip(c, s)
	if content == nil {
		return err
	}
	z, err := w.unpacker.Zip(content, size, w.limits.Entries-w.entries)
	switch {
	case errors.Is(err, archive.ErrEntries):
		w.problem(
			c.place,
			code.LimitEntries,
			"not read, because it lists more than %d entries, the limit for all archives of an input; "+
				"raise the limit with --limit entries=N if you trust it",
			w.limits.Entries,
		)
		return errHalt
	case err != nil:
		if !c.faulty {
			w.problem(
				c.place,
				code.ArchiveBroken,
				"the central directory at its end is missing or corrupt (%v), so nothing was read; "+
					"copy it again, or repair it with zip -FF",
				err,
			)
		}
		return nil
	}
	if at := z.Unlisted(); at >= 0 {
		w.problem(
			c.place,
			code.ArchiveBroken,
			"the entries at byte %d are not in its central directory, as if another archive came before it, and were not read; "+
				"unpack it with another program and name the result",
			at,
		)
	}
	err = w.zipEntries(c, z)
	if err != nil && !errors.Is(err, errHalt) {
		return err
	}
	return w.endArchive(c, z, err)
}

// wholeZip returns the bytes of the zip archive in s: its file, or a copy in memory. Nil without an
// error means that a problem was recorded.
func (w *walker) wholeZip(c *container, s *archive.Stream) (io.ReaderAt, int64, error) {
	most := min(w.limits.File, w.unpacker.Left())
	content, size, err := s.Whole(most)
	switch {
	case errors.Is(err, archive.ErrTooLarge) && most < w.limits.File:
		w.problem(
			c.place,
			code.LimitMemory,
			"not read, because this zip archive must be unpacked to memory first and has more than %d bytes, the memory that the outer archives leave; "+
				"unpack it yourself and name the result, "+raiseMemory,
			most,
		)
		return nil, 0, nil
	case errors.Is(err, archive.ErrTooLarge):
		w.problem(
			c.place,
			code.LimitSize,
			"not read, because this zip archive must be unpacked to memory first and has more than %d bytes, the limit for one file; "+
				"unpack it yourself and name the result, or raise the limit with --limit file=N",
			w.limits.File,
		)
		return nil, 0, nil
	case err != nil:
		return nil, 0, w.ended(c, s, &fault{c.place, err})
	}
	w.reportJunk(c.place, s)
	return content, size, nil
}

// zipEntries reads the entries of the central directory.
func (w *walker) zipEntries(c *container, z *archive.Zip) error {
	defer z.ReadAhead(func(e archive.Entry) bool {
		return e.Size <= w.fileLimit() && w.want(c.inside(e.Name), e.Size).Action == Read
	})()
	for i := range z.Len() {
		if err := w.zipTaken(c, w.takeEntry(c, z.Entry(i))); err != nil {
			return err
		}
	}
	return nil
}

// zipTaken handles an error of one entry. The other entries do not depend on it.
func (w *walker) zipTaken(c *container, err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	var refusal *archive.Refusal
	refused := errors.As(f.err, &refusal)
	switch {
	case refused && refusal.Code == code.LimitMemory:
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

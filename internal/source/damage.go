package source

import (
	"errors"
	"fmt"
	"io"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/code"
)

// ended records why an archive or compressed file could not be read to its end. It returns nil if
// the rest of the input can be read, errHalt if the enclosing archives cannot, and the fault itself
// if its cause is in the enclosing archive.
func (w *walker) ended(c *container, s *archive.Stream, f *fault) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	read, below := s.Source()
	var refusal *archive.Refusal
	known := c.faulty
	c.faulty = true
	switch {
	case s.OverLimit() || errors.Is(f.err, archive.ErrUnpacked):
		return w.unpackedTooMuch(c, f)
	case below != nil && s.Nested:
		return &fault{f.place, below}
	case known && errors.Is(f.err, io.ErrUnexpectedEOF):
		// The enclosing archive is cut off inside this one, which was already reported.
	case below != nil:
		w.problem(
			c.place,
			code.InputUnreadable,
			"reading failed at byte %d: %s; the part before it was read",
			read,
			code.Reason(below),
		)
	case errors.Is(f.err, archive.ErrNoEnd) && known:
	case errors.Is(f.err, archive.ErrNoEnd):
		w.problem(
			c.place,
			code.ArchiveBroken,
			"the end-of-archive mark is missing after byte %d%s, so the archive may be truncated; %s; copy it again",
			s.Offset(),
			unpackedWord(s),
			readSoFar(c),
		)
	case errors.Is(f.err, archive.ErrAfterEnd):
		w.problem(
			c.place,
			code.ArchiveBroken,
			"the archive ends at byte %d%s, but other data follows, which was not read; copy it again, or remove that data",
			s.Offset(),
			unpackedWord(s),
		)
	case errors.As(f.err, &refusal):
		w.problem(f.place, refusal.Code, "%s", refusal.What)
	case errors.Is(f.err, io.ErrUnexpectedEOF):
		w.problem(
			c.place,
			code.ArchiveBroken,
			"truncated at byte %d%s%s; %s; copy it again",
			s.Offset(),
			unpackedWord(s),
			at(c, f),
			readSoFar(c),
		)
	default:
		w.problem(
			c.place,
			code.ArchiveBroken,
			"corrupt at byte %d%s%s (%v); %s; copy it again",
			s.Offset(),
			unpackedWord(s),
			at(c, f),
			f.err,
			readSoFar(c),
		)
	}
	return nil
}

// unpackedTooMuch records that the limit of unpacked bytes was reached, and ends the archive and
// all archives around it.
func (w *walker) unpackedTooMuch(c *container, f *fault) error {
	w.problem(
		c.place,
		code.LimitUnpacked,
		"the archives of an input may unpack to %d bytes, the limit, which was reached%s; the rest "+
			"was not read; unpack it yourself if you trust it, or raise the limit with --limit unpacked=N",
		w.limits.Unpacked,
		at(c, f),
	)
	return errHalt
}

// at names the entry of the archive c at which a fault occurred; "" if it was at none.
func at(c *container, f *fault) string {
	if f.place.entry == "" || f.place == c.place {
		return ""
	}
	return fmt.Sprintf(", in the entry %q", f.place.entry)
}

func unpackedWord(s *archive.Stream) string {
	if !s.Compressed() {
		return ""
	}
	return " of the unpacked data"
}

func readSoFar(c *container) string {
	switch c.read {
	case 0:
		return "nothing was read"
	case 1:
		return "1 file before it was read"
	}
	return fmt.Sprintf("%d files before it were read", c.read)
}

// reportJunk records that compressed data is followed by something else.
func (w *walker) reportJunk(p place, s *archive.Stream) {
	if s.Junk() {
		w.problem(
			p,
			code.ArchiveBroken,
			"other data follows the end of the compressed data and was not read; copy the file again, or remove that data",
		)
	}
}

// reportTallies records the counted faults of a whole archive.
func (w *walker) reportTallies(c *container) {
	if t := c.unsafe; t.count > 0 {
		w.problem(
			t.first,
			code.UnsafeName,
			"the entry name %s is unsafe%s; the content was read; find out who made the archive",
			t.text,
			t.others(),
		)
	}
	if t := c.locked; t.count > 0 {
		w.problem(
			t.first,
			code.InputUnreadable,
			"%s%s; unpack the archive with another program and name the result",
			t.text,
			t.others(),
		)
	}
	if t := c.hollow; t.count > 0 && !c.own { // the empty file may be all that was collected of a cluster
		more := ""
		if t.count > 1 {
			more = fmt.Sprintf(" (and %d more)", t.count-1)
		}
		w.problem(t.first, code.ArchiveBroken, "the archive is empty%s; copy it again", more)
	}
	if t := c.broken; t.count > 0 {
		w.problem(
			t.first,
			code.ArchiveBroken,
			"the entry is corrupt (%s) and was not read%s; copy the archive again",
			t.text,
			t.others(),
		)
	}
}

package source

import (
	"errors"
	"fmt"
	"io"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/code"
)

// ended records why an archive, or a compressed file, could not be read to its end. It returns nil
// where the rest of the input can be read on, errHalt where the archives around cannot, and the
// fault itself where its cause lies in the archive around.
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
		// What is around this archive was cut off in it, and that was said.
	case below != nil:
		w.problem(
			c.place,
			code.InputUnreadable,
			"reading ended at byte %d: %s; what comes before was read",
			read,
			Reason(below),
		)
	case errors.Is(f.err, archive.ErrNoEnd) && known:
	case errors.Is(f.err, archive.ErrNoEnd):
		w.problem(
			c.place,
			code.ArchiveBroken,
			"the mark of its end is missing after byte %d%s, so it may have been cut off; %s; copy it again",
			s.Offset(),
			unpackedWord(s),
			readSoFar(c),
		)
	case errors.Is(f.err, archive.ErrAfterEnd):
		w.problem(
			c.place,
			code.ArchiveBroken,
			"something that is no archive follows its end at byte %d%s and was not read; copy it again, or cut it off",
			s.Offset(),
			unpackedWord(s),
		)
	case errors.As(f.err, &refusal):
		w.problem(f.place, refusal.Code, "%s", refusal.What)
	case errors.Is(f.err, io.ErrUnexpectedEOF):
		w.problem(
			c.place,
			code.ArchiveBroken,
			"it breaks off at byte %d%s%s; %s; copy it again",
			s.Offset(),
			unpackedWord(s),
			at(c, f),
			readSoFar(c),
		)
	default:
		w.problem(
			c.place,
			code.ArchiveBroken,
			"it is corrupt at byte %d%s%s (%v); %s; copy it again",
			s.Offset(),
			unpackedWord(s),
			at(c, f),
			f.err,
			readSoFar(c),
		)
	}
	return nil
}

// unpackedTooMuch records that the limit of all that is unpacked was reached, and ends the archive
// and all around it.
func (w *walker) unpackedTooMuch(c *container, f *fault) error {
	w.problem(
		c.place,
		code.LimitUnpacked,
		"it unpacks to more than %d bytes, the limit for all archives of an input, which was reached%s; the rest of it "+
			"was not read; unpack it yourself if you trust it, or raise the limit with --limit unpacked=N",
		w.limits.Unpacked,
		at(c, f),
	)
	return errHalt
}

// at says at which entry of the archive c something happened, if it was at one.
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
	return " of what it unpacks to"
}

func readSoFar(c *container) string {
	switch c.read {
	case 0:
		return "nothing was read from it"
	case 1:
		return "1 file before was read"
	}
	return fmt.Sprintf("%d files before were read", c.read)
}

// reportJunk records that something follows the end of compressed data.
func (w *walker) reportJunk(p place, s *archive.Stream) {
	if s.Junk() {
		w.problem(
			p,
			code.ArchiveBroken,
			"something that is not compressed data follows its end and was not read; copy it again, or cut it off",
		)
	}
}

// reportTallies records what is counted over a whole archive.
func (w *walker) reportTallies(c *container) {
	if t := c.unsafe; t.count > 0 {
		w.problem(
			t.first,
			code.UnsafeName,
			"the name %s is unsafe%s; the content was read; find out where the archive comes from",
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
	if t := c.hollow; t.count > 0 && !c.own { // which may be all that there is of a cluster
		more := ""
		if t.count > 1 {
			more = fmt.Sprintf(" (and %d more beside it)", t.count-1)
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

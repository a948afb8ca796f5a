package source

import (
	"errors"
	"fmt"
	"io"

	"github.com/validationtool/validationtool/internal/input/archive"
	"github.com/validationtool/validationtool/internal/run/code"
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
	offset := fmt.Sprint("byte ", s.Offset())
	if s.Compressed() {
		offset += " of the unpacked data"
	}
	broken := func(format string, args ...any) { w.problem(c.place, code.ArchiveBroken, format, args...) }
	switch {
	case s.OverLimit() || errors.Is(f.err, archive.ErrUnpacked):
		return w.unpackedTooMuch(c, f)
	case below != nil && s.Nested:
		return &fault{f.place, below}
	case known && (errors.Is(f.err, io.ErrUnexpectedEOF) || errors.Is(f.err, archive.ErrNoEnd)):
		// The enclosing archive is cut off inside this one, which was already reported.
	case below != nil:
		w.problem(c.place, code.InputUnreadable, "reading failed at byte %d: %s; the part before it was read",
			read, code.Reason(below))
	case errors.Is(f.err, archive.ErrNoEnd):
		broken("the end-of-archive mark is missing after %s, so the archive may be truncated; %s; copy it again",
			offset, readSoFar(c))
	case errors.Is(f.err, archive.ErrAfterEnd):
		broken("the archive ends at %s, but other data follows, which was not read; copy it again, or remove that data",
			offset)
	case errors.As(f.err, &refusal):
		w.problem(f.place, refusal.Code, "%s", refusal.What)
	case errors.Is(f.err, io.ErrUnexpectedEOF):
		broken("truncated at %s%s; %s; copy it again", offset, at(c, f), readSoFar(c))
	default:
		broken("corrupt at %s%s (%v); %s; copy it again", offset, at(c, f), f.err, readSoFar(c))
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

// tally counts entries of a container with faults of one sort, which are one problem.
type tally struct {
	count int
	first place
	text  string
}

func (t *tally) add(p place, text string) {
	if t.count == 0 {
		t.first, t.text = p, text
	}
	t.count++
}

// reportTallies records the counted faults of a whole container.
func (w *walker) reportTallies(c *container) {
	if c.own && c.hollow.count > 0 { // without other objects, the empty file may be all that was collected of a cluster
		w.unread.add(c.hollow.first.problem(
			code.ArchiveNotRead, "%s%s; copy it again if it should hold CRs", archiveEmpty, andMore(c.hollow)))
		c.hollow = tally{}
	}
	for _, one := range []struct {
		tally
		code   code.Code
		format string // of the text, and of how many more there are
	}{
		{c.unsafe, code.UnsafeName, "the entry name %s is unsafe%s; the content was read; find out who made the archive"},
		{c.locked, code.InputUnreadable, "%s%s; unpack the archive with another program and name the result"},
		{c.hollow, code.ArchiveBroken, "%s%s; copy it again"},
		{c.broken, code.ArchiveBroken, "the entry is corrupt (%s) and was not read%s; copy the archive again"},
	} {
		if one.count > 0 {
			w.problem(one.first, one.code, one.format, one.text, andMore(one.tally))
		}
	}
}

// andMore returns a remark that a tally has more entries than one; "" if it has not.
func andMore(t tally) string {
	if t.count < 2 {
		return ""
	}
	return fmt.Sprintf(" (and %d more)", t.count-1)
}

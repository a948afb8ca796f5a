package source

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/validationtool/validationtool/internal/code"
)

// tarReader walks through the entries of a tar archive, and of further ones that follow it in the same stream.
type tarReader struct {
	src   *tarSource
	tr    *tar.Reader
	index int
}

func newTarReader(s *stream) *tarReader {
	src := &tarSource{stream: s}
	return &tarReader{src: src, tr: tar.NewReader(src), index: -1}
}

// tarSource tells apart an archive that ends with a block of zeros, as it should, and one that just ends.
type tarSource struct {
	*stream
	marked bool // the last block that was read is zero
}

const tarBlock = 512

func (t *tarSource) Read(p []byte) (int, error) {
	if len(p) != tarBlock {
		t.marked = false
		return t.stream.Read(p)
	}
	n, err := fill(t.stream, p)
	if n == 0 && err == nil {
		return 0, io.EOF
	}
	t.marked = n == tarBlock && len(bytes.Trim(p, "\x00")) == 0
	return n, err
}

// errNoEnd is for a tar archive that ends between two entries, without the blocks that mark the end.
var errNoEnd = errors.New("the mark of its end is missing")

// errAfterEnd is for something behind the end of a tar archive.
var errAfterEnd = errors.New("what follows the end of the archive is no archive")

// next goes to the next entry; io.EOF says that there is none.
func (t *tarReader) next() (*tar.Header, error) {
	for {
		h, err := t.tr.Next()
		switch {
		case err == nil || errors.Is(err, tar.ErrInsecurePath):
			t.index++
			return h, nil
		case err != io.EOF:
			return nil, err
		case !t.src.marked:
			return nil, errNoEnd
		}
		if err := t.nextArchive(); err != nil {
			return nil, err
		}
	}
}

// nextArchive goes through the zeros at the end of an archive to another archive behind it, as when archives were concatenated.
func (t *tarReader) nextArchive() error {
	for {
		block, err := t.src.Peek(tarBlock)
		switch {
		case err != nil && err != io.EOF:
			return err
		case len(bytes.Trim(block, "\x00")) > 0:
			if sniff(block) != formatTar {
				return errAfterEnd
			}
			t.src.marked = false
			t.tr = tar.NewReader(t.src)
			return nil
		case err == io.EOF:
			return io.EOF
		}
		if _, err := t.src.Discard(tarBlock); err != nil {
			return err
		}
	}
}

// readTar reads a tar archive. Archives in it that have to wait are opened in a second pass, if the archive can be read again.
func (w *walker) readTar(c *container, s *stream, again reopen) error {
	c.twice = again != nil
	err := w.tarEntries(c, newTarReader(s))
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
func (w *walker) tarEnded(c *container, s *stream, f *fault) error {
	switch {
	case errors.Is(f.err, errNoEnd) && c.faulty:
		return w.ctx.Err()
	case errors.Is(f.err, errNoEnd):
		w.problem(c.place, code.ArchiveBroken, "the mark of its end is missing after byte %d%s, so it may have been cut off; %s; copy it again",
			s.offset(), unpackedWord(s), readSoFar(c))
		return w.ctx.Err()
	case errors.Is(f.err, errAfterEnd):
		w.problem(c.place, code.ArchiveBroken, "something that is no archive follows its end at byte %d%s and was not read; copy it again, or cut it off",
			s.offset(), unpackedWord(s))
		return w.ctx.Err()
	}
	return w.ended(c, s, f)
}

// tarEntries is the first pass.
func (w *walker) tarEntries(c *container, t *tarReader) error {
	last := c.place
	for {
		h, err := t.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return &fault{last, err}
		}
		if err := w.countEntry(c); err != nil {
			return err
		}
		it, regular := w.tarItem(c, t, h)
		last = it.place
		if !regular {
			continue
		}
		if err := w.takeEntry(c, it); err != nil {
			return err
		}
	}
}

// countEntry counts an entry of an archive against the limit.
func (w *walker) countEntry(c *container) error {
	w.entries++
	if w.entries <= w.limits.Entries {
		return nil
	}
	w.problem(c.place, code.LimitEntries, "it goes beyond %d entries, the limit for all archives together; the rest of it was not read; %s; "+
		"raise the limit with --limit entries=N if you trust it", w.limits.Entries, readSoFar(c))
	return errHalt
}

// tarItem makes an item of an entry. What is not a regular file is counted, if it is worth that.
func (w *walker) tarItem(c *container, t *tarReader, h *tar.Header) (it item, regular bool) {
	name, unsafe := cleanName(h.Name, formatTar)
	p := c.inside(name)
	if unsafe {
		c.unsafe.add(p, strconv.Quote(h.Name))
	}
	switch h.Typeflag {
	case tar.TypeLink, tar.TypeSymlink:
		w.addLink(c, p, name, h.Linkname, h.Typeflag == tar.TypeSymlink)
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		w.special(c, p)
	}
	return t.item(w, p, h), isTarFile(h.Typeflag)
}

// isTarFile says whether an entry of a type is a file. What is unknown is one, says POSIX.
func isTarFile(kind byte) bool {
	switch kind {
	case tar.TypeLink, tar.TypeSymlink, tar.TypeChar, tar.TypeBlock, tar.TypeFifo, tar.TypeDir, tar.TypeXGlobalHeader,
		tarDumpDir, tarVolume, tarSolaris, tarACL:
		return false
	}
	return true
}

// item is the current entry, at a place.
func (t *tarReader) item(w *walker, p place, h *tar.Header) item {
	open := func() (io.ReadCloser, error) { return io.NopCloser(t.tr), nil }
	if sparse(h) { // its holes come out of nothing, so they count as unpacked
		open = func() (io.ReadCloser, error) { return io.NopCloser(&limiter{w: w, src: t.tr}), nil }
	}
	return item{place: p, size: h.Size, inner: true, index: t.index, open: open}
}

// Types of tar entries that archive/tar does not name, and that are no files: lists of what a folder held, labels of volumes, and
// attributes of the entry behind.
const (
	tarDumpDir = 'D'
	tarVolume  = 'V'
	tarSolaris = 'X'
	tarACL     = 'A'
)

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
	s, err := w.unpack(r, false)
	defer s.close()
	t := newTarReader(s)
	for i := 0; i < len(list) && err == nil; i++ {
		if list[i].replaced {
			continue
		}
		if err = t.forward(list[i].index); err == nil {
			err = w.enterEntry(c, t, list[i].place, list[i].size, again)
			list[i].replaced = true // settled
		}
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
func (w *walker) secondPassEnded(c *container, s *stream, err error) error {
	var f *fault
	switch {
	case !errors.As(err, &f):
		return err
	case c.faulty:
		return w.ctx.Err()
	}
	return w.ended(c, s, f)
}

// forward goes on to the entry of an index.
func (t *tarReader) forward(index int) error {
	for t.index < index {
		if _, err := t.next(); err != nil {
			return &fault{place{}, eofUnexpected(err)}
		}
	}
	return nil
}

// heldAtOnce is up to which size an archive in an archive is kept in memory while it is read. To read a larger one twice, what is around it
// is read again up to there.
const heldAtOnce = 16 << 20

// enterEntry reads the archive that is the current entry of t, which has a size.
func (w *walker) enterEntry(c *container, t *tarReader, p place, size int64, again reopen) error {
	if size <= heldAtOnce {
		data, cut := io.ReadAll(t.tr)
		if err := w.openWaiting(c, &waiting{place: p, held: data, cut: cut != nil}); err != nil || cut == nil {
			return err
		}
		return &fault{p, cut}
	}
	s, err := w.unpack(t.tr, true)
	defer s.close()
	if err != nil {
		return w.lose(&container{place: p}, s, &fault{p, err})
	}
	return w.enter(c, waiting{place: p}, s, w.entryAgain(again, t.index))
}

// entryAgain opens an entry of a tar archive anew, from the beginning of the archive. It is needed where an archive that is only
// wrapped does nothing but wrap others itself.
func (w *walker) entryAgain(again reopen, index int) reopen {
	return func() (io.ReadCloser, error) {
		r, err := again()
		if err != nil {
			return nil, err
		}
		s, err := w.unpack(r, false)
		t := newTarReader(s)
		if err == nil {
			err = t.forward(index)
		}
		entry := &tarEntry{Reader: t.tr, close: func() error { s.close(); return r.Close() }}
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

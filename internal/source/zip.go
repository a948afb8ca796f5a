package source

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/inflate"
)

// Numbers of compression methods in zip files that archive/zip does not bring along.
const (
	zipMethodBzip2 = 12
	zipMethodZstd  = 93
	zipMethodXZ    = 95
)

// readZip reads a zip archive, by the list at its end. Where that is missing, it reads from the beginning what there is.
func (w *walker) readZip(c *container, s *stream) error {
	held := w.held
	defer func() { w.held = held }()
	archive, size, err := w.randomAccess(c, s)
	if err != nil {
		return err
	}
	if archive == nil {
		return nil
	}
	guard := &entryCounter{src: archive, left: min(w.limits.Entries-w.entries, math.MaxInt-entrySlack) + entrySlack}
	list, err := zip.NewReader(guard, size)
	over := guard.left < 0
	guard.left = math.MaxInt // what is read from now on is content
	switch {
	case over:
		w.problem(c.place, code.LimitEntries, "it lists more than %d entries, the limit for all archives together, and was not read; "+
			"raise the limit with --limit entries=N if you trust it", w.limits.Entries)
		return errHalt
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		err = w.salvageZip(c, io.NewSectionReader(archive, 0, size), err)
	default:
		l := newZipList(list, archive, size)
		if at := l.unlisted(); at >= 0 && len(l.misplaced) == 0 {
			w.problem(c.place, code.ArchiveBroken, "there are entries in it that its list lacks, at byte %d, as where another archive stands before it; they were not read; "+
				"unpack it with another program and name the result", at)
		}
		if err = w.zipEntries(c, l); err == nil && len(l.misplaced) > 0 {
			err = w.salvageMisplaced(c, io.NewSectionReader(archive, 0, size), l.misplaced)
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

// randomAccess returns the bytes of the zip archive in s: the file it lies in, or else all of it in memory. Nil says that there is
// a problem, which is recorded.
func (w *walker) randomAccess(c *container, s *stream) (io.ReaderAt, int64, error) {
	if s.at != nil && len(s.layers) == 0 {
		size, err := s.at.Seek(0, io.SeekEnd)
		if err != nil {
			w.unreadable(c.place, err)
			return nil, 0, w.ctx.Err()
		}
		return s.at, size, nil
	}
	most := min(w.limits.File, w.limits.Memory-w.held)
	data, err := readAll(s, nil, most)
	switch {
	case errors.Is(err, errTooLarge) && most < w.limits.File:
		w.problem(c.place, code.LimitMemory, "it is a zip archive of more than %d bytes that has to be unpacked to memory first, which is what it may take beside what is around it; "+
			"it was not read; unpack it yourself and name the result, "+raiseMemory, most)
		return nil, 0, nil
	case errors.Is(err, errTooLarge):
		w.problem(c.place, code.LimitSize, "it is a zip archive of more than %d bytes that has to be unpacked to memory first, and was not read; "+
			"unpack it yourself and name the result, or raise the limit with --limit file=N", w.limits.File)
		return nil, 0, nil
	case err != nil:
		return nil, 0, w.ended(c, s, &fault{c.place, err})
	}
	w.reportJunk(c.place, s)
	w.held += int64(len(data))
	return bytes.NewReader(data), int64(len(data)), nil
}

// entrySlack allows for the end of the list, where archive/zip looks twice.
const entrySlack = 4096

// entryCounter counts roughly the entries of a zip archive's list while it is read, before memory is allocated for many more than
// the limit.
type entryCounter struct {
	src  io.ReaderAt
	left int
}

func (e *entryCounter) ReadAt(p []byte, off int64) (int, error) {
	n, err := e.src.ReadAt(p, off)
	e.left -= bytes.Count(p[:n], []byte("PK\x01\x02"))
	if e.left < 0 {
		return 0, errUnpacked
	}
	return n, err
}

// zipEntries reads what the list names, but for entries that hold others.
func (w *walker) zipEntries(c *container, list *zipList) error {
	w.registerDecompressors(list.Reader)
	for _, f := range list.File {
		if err := w.countEntry(c); err != nil {
			return err
		}
		it, regular := w.zipItem(c, f)
		if list.hold[f] {
			w.lostEntry(regular)
			c.broken.add(it.place, "it holds the bytes of other entries, as archives do that are built to unpack to very much")
			continue
		}
		if wrong := list.contradicts(f, regular); wrong != "" {
			c.broken.add(it.place, wrong)
		}
		if !regular {
			continue
		}
		if list.misplaced[f.Name] {
			w.lostEntry(regular)
			c.broken.add(it.place, "it is not where the list says")
			continue
		}
		if err := w.zipTaken(c, w.takeEntry(c, it)); err != nil {
			return err
		}
	}
	return w.followZipLinks(c, list)
}

// zipTaken sorts out what went wrong with one entry. The others do not depend on it.
func (w *walker) zipTaken(c *container, err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	var unsupported *unsupportedError
	var memory *memoryError
	switch {
	case errors.As(f.err, &memory):
		w.problem(f.place, code.LimitMemory, "%s", memory.what)
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case errors.Is(f.err, errUnpacked):
		return w.unpackedTooMuch(c, f)
	case errors.As(f.err, &unsupported):
		c.locked.add(f.place, unsupported.what)
	default:
		c.broken.add(f.place, f.err.Error())
	}
	return nil
}

func (w *walker) zipItem(c *container, f *zip.File) (it item, regular bool) {
	name, unsafe := cleanName(f.Name, formatZip)
	p := c.inside(name)
	if unsafe {
		c.unsafe.add(p, strconv.Quote(f.Name))
	}
	mode := f.Mode()
	switch {
	case mode.IsDir() || strings.HasSuffix(f.Name, `\`):
		return item{place: p}, false
	case mode&fs.ModeSymlink != 0:
		target, _ := linkText(f)
		w.addLink(c, p, name, target, true)
		return item{place: p}, false
	case !mode.IsRegular():
		w.special(c, p)
		return item{place: p}, false
	}
	return w.zipFile(p, f), true
}

// zipFile is the content of an entry, at a place.
func (w *walker) zipFile(p place, f *zip.File) item {
	open := func() (io.ReadCloser, error) { return w.openZipEntry(f) }
	return item{place: p, size: max(int64(f.UncompressedSize64), -1), open: open, again: true, inner: true}
}

// followZipLinks reads what the links of a zip archive lead to, where they count.
func (w *walker) followZipLinks(c *container, list *zipList) error {
	wanted := w.linkTargets(c)
	for _, f := range list.File {
		name, _ := cleanName(f.Name, formatZip)
		k, ok := wanted[nestedPrefix(c)+name]
		if !ok || !f.Mode().IsRegular() {
			continue
		}
		if err := w.zipTaken(c, w.takeLinked(c, k, w.zipFile(k.from, f))); err != nil {
			return err
		}
	}
	w.leftLinks(wanted)
	return nil
}

func (w *walker) openZipEntry(f *zip.File) (io.ReadCloser, error) {
	if f.Flags&1 != 0 {
		return nil, &unsupportedError{"the entry is encrypted and was not read"}
	}
	r, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, &unsupportedError{fmt.Sprintf("the entry is compressed by a method that is not supported (%d) and was not read", f.Method)}
	}
	if err != nil {
		return nil, err
	}
	return zipEntry{&limiter{w: w, src: r}, r}, nil
}

// zipEntry is the content of an entry, counted against the limit.
type zipEntry struct {
	io.Reader
	io.Closer
}

// registerDecompressors adds the methods that archive/zip lacks, and a faster one for the usual.
func (w *walker) registerDecompressors(list *zip.Reader) {
	list.RegisterDecompressor(zip.Deflate, w.inflater)
	list.RegisterDecompressor(zipMethodBzip2, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	list.RegisterDecompressor(zipMethodXZ, func(r io.Reader) io.ReadCloser {
		return orFailing(w.unxz(bufio.NewReader(r), new(bool)))
	})
	list.RegisterDecompressor(zipMethodZstd, func(r io.Reader) io.ReadCloser { return orFailing(w.unzstd(r)) })
}

// orFailing is r, or a reader of nothing but the error.
func orFailing[R io.ReadCloser](r R, err error) io.ReadCloser {
	if err != nil {
		return io.NopCloser(failingReader{err})
	}
	return r
}

// failingReader has nothing but an error.
type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// inflater unpacks deflated data, and is kept for the next entry when it is closed.
func (w *walker) inflater(r io.Reader) io.ReadCloser {
	f := &inflater{w: w}
	if n := len(w.inflaters); n > 0 {
		f, w.inflaters = w.inflaters[n-1], w.inflaters[:n-1]
		f.src.Reset(r)
	} else {
		f.src = bufio.NewReaderSize(r, 32<<10)
	}
	f.Reset(f.src)
	return f
}

type inflater struct {
	inflate.Reader
	w   *walker
	src *bufio.Reader
}

// Close keeps the inflater for another entry.
func (f *inflater) Close() error {
	f.w.inflaters = append(f.w.inflaters, f)
	return nil
}

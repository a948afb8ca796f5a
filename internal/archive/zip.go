package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
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

// Zip is a zip archive that is read by the list at its end.
type Zip struct {
	u       *Unpacker
	archive io.ReaderAt
	size    int64
	list    *zip.Reader // nil where the list cannot be read
	library bool        // the library unpacks deflated entries

	hold      map[*zip.File]bool // entries that hold others
	misplaced map[string]bool    // names of entries that are not where the list says
	spots     map[*zip.File]zipSpot
}

// ErrEntries is for a zip archive that has more entries than are allowed.
var ErrEntries = errors.New("more entries than the limit")

// Zip reads the list of a zip archive, which may have so many entries. After an error other than ErrEntries, what there is can be
// salvaged.
func (u *Unpacker) Zip(archive io.ReaderAt, size int64, most int) (*Zip, error) {
	z := &Zip{u: u, archive: archive, size: size}
	guard := &entryCounter{src: archive, left: min(most, math.MaxInt-entrySlack) + entrySlack}
	list, err := zip.NewReader(guard, size)
	over := guard.left < 0
	guard.left = math.MaxInt // what is read from now on is content
	switch {
	case over:
		return z, ErrEntries
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return z, err
	}
	z.list = list
	z.locate()
	z.registerDecompressors()
	return z, nil
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
	e.left -= bytes.Count(p[:n], []byte(zipListed))
	if e.left < 0 {
		return 0, ErrEntries
	}
	return n, err
}

// Len is how many entries the list names.
func (z *Zip) Len() int { return len(z.list.File) }

// Misplaced reports whether entries are not where the list says. Salvage looks for them.
func (z *Zip) Misplaced() bool { return len(z.misplaced) > 0 }

// Entry is an entry of the list.
func (z *Zip) Entry(i int) Entry {
	f := z.list.File[i]
	e := named(f.Name, formatZip)
	e.Size, e.Open, e.Again = max(int64(f.UncompressedSize64), -1), func() (io.ReadCloser, error) { return z.open(f) }, true
	switch mode := f.Mode(); {
	case mode.IsDir() || strings.HasSuffix(f.Name, `\`):
		e.Kind = Other
	case mode&fs.ModeSymlink != 0:
		target, _ := linkText(f)
		e.linkTo(target, true)
	case !mode.IsRegular():
		e.Kind = Special
	}
	switch {
	case z.hold[f]:
		e.Fault, e.Lost = "it holds the bytes of other entries, as archives do that are built to unpack to very much", true
	case z.misplaced[f.Name] && e.Kind == File:
		e.Fault, e.Lost = "it is not where the list says", true
	default:
		e.Fault = z.contradicts(f, e.Kind == File)
	}
	return e
}

// open opens an entry, whose content is counted against the limit.
func (z *Zip) open(f *zip.File) (io.ReadCloser, error) {
	if f.Flags&1 != 0 {
		return nil, unsupported("the entry is encrypted and was not read")
	}
	r, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, unsupported("the entry is compressed by a method that is not supported (%d) and was not read", f.Method)
	}
	if err != nil {
		return nil, err
	}
	doubtful := doubter{src: r, again: func() bool { return f.Method == zip.Deflate && z.sound(f) }}
	return zipEntry{&limiter{u: z.u, src: doubtful}, r}, nil
}

// zipEntry is the content of an entry, counted against the limit.
type zipEntry struct {
	io.Reader
	io.Closer
}

// sound reads an entry with the library alone, and reports whether it finds nothing wrong. What it unpacks counts once more.
func (z *Zip) sound(f *zip.File) bool {
	z.library = true
	defer func() { z.library = false }()
	r, err := f.Open()
	if err != nil {
		return false
	}
	defer r.Close()
	_, err = io.Copy(io.Discard, &limiter{u: z.u, src: r})
	return err == nil
}

// doubter reads an entry of a zip archive. Where that is not what was packed, it has it read again before it says so.
type doubter struct {
	src   io.Reader
	again func() bool
}

func (d doubter) Read(p []byte) (int, error) {
	n, err := d.src.Read(p)
	suspect := damaged(err) || errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrFormat) || errors.Is(err, io.ErrUnexpectedEOF)
	if suspect && d.again() {
		err = &Refusal{code.Internal, fmt.Sprintf("unpacking it went wrong (%v), but another way of unpacking it finds nothing wrong: this is a fault of the tool itself, "+
			"please report it; unpack the archive with another program and name the result", err)}
	}
	return n, err
}

// registerDecompressors adds the methods that archive/zip lacks, and a faster one for the usual.
func (z *Zip) registerDecompressors() {
	z.list.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser {
		if z.library {
			return flate.NewReader(r)
		}
		return z.u.inflater(r)
	})
	z.list.RegisterDecompressor(zipMethodBzip2, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	z.list.RegisterDecompressor(zipMethodXZ, func(r io.Reader) io.ReadCloser {
		return orFailing(z.u.unxz(bufio.NewReader(r), new(bool)))
	})
	z.list.RegisterDecompressor(zipMethodZstd, func(r io.Reader) io.ReadCloser { return orFailing(z.u.unzstd(r)) })
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
func (u *Unpacker) inflater(r io.Reader) io.ReadCloser {
	n := len(u.inflaters)
	if n == 0 {
		u.inflaters, n = append(u.inflaters, &inflater{u: u, src: bufio.NewReaderSize(nil, 32<<10)}), 1
	}
	f := u.inflaters[n-1]
	u.inflaters = u.inflaters[:n-1]
	f.src.Reset(r)
	f.Reset(f.src)
	return f
}

type inflater struct {
	inflate.Reader
	u   *Unpacker
	src *bufio.Reader
}

// Close keeps the inflater for another entry.
func (f *inflater) Close() error {
	f.u.inflaters = append(f.u.inflaters, f)
	return nil
}

package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"io"
	"io/fs"
	"math"
	"strings"

	"github.com/validationtool/validationtool/internal/input/inflate"
)

// Numbers of compression methods that archive/zip does not define.
const (
	zipMethodBzip2 = 12
	zipMethodZstd  = 93
	zipMethodXZ    = 95
)

// Zip is a zip archive, read through its central directory.
type Zip struct {
	u       *Unpacker
	archive io.ReaderAt
	size    int64
	list    *zip.Reader
	spots   []zipSpot // locations of the entries, sorted by offset
	faults  map[*zip.File]zipFault
	ahead   *zipAhead // nil if nothing is unpacked ahead
}

// zipFault is impossible data of an entry in the central directory.
type zipFault struct {
	text string
	lost bool // the entry is unreadable
}

// ErrEntries is the error for a zip archive with more entries than the limit.
var ErrEntries = errors.New("more entries than the limit")

// Zip reads the central directory of a zip archive of at most most entries; more are ErrEntries.
// Any other error says that the directory is missing or damaged.
func (u *Unpacker) Zip(archive io.ReaderAt, size int64, most int) (*Zip, error) {
	guard := &entryCounter{src: archive, left: min(most, math.MaxInt-entrySlack) + entrySlack}
	list, err := zip.NewReader(guard, size)
	over := guard.left < 0
	guard.left = math.MaxInt // later reads are no list
	switch {
	case over:
		return nil, ErrEntries
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return nil, err
	}
	z := &Zip{u: u, archive: archive, size: size, list: list, faults: map[*zip.File]zipFault{}}
	z.locate(guard)
	guard.ended = true
	z.registerDecompressors()
	return z, nil
}

// entrySlack is a number of bytes for the end of the directory, which archive/zip reads several
// times.
const entrySlack = 4096

// entryCounter estimates the number of entries while the central directory is read, so that reading
// stops before memory is allocated for many more than the limit. It records the offset of the last
// read of archive/zip. Once ended is set, it only passes on, and several goroutines may call ReadAt.
type entryCounter struct {
	src   io.ReaderAt
	left  int
	last  int64
	ended bool
}

func (e *entryCounter) ReadAt(p []byte, off int64) (int, error) {
	n, err := e.src.ReadAt(p, off)
	if e.ended {
		return n, err
	}
	e.last = off
	e.left -= bytes.Count(p[:n], []byte(zipListed))
	if e.left < 0 {
		return 0, ErrEntries
	}
	return n, err
}

// Len returns the number of entries in the central directory.
func (z *Zip) Len() int { return len(z.list.File) }

// Entry returns entry i of the central directory.
func (z *Zip) Entry(i int) Entry {
	f := z.list.File[i]
	e := named(f.Name, formatZip)
	e.Size = max(int64(f.UncompressedSize64), -1)
	e.Later = func() (io.ReadCloser, error) { return z.open(f) }
	e.Open = func() (io.ReadCloser, error) {
		if z.ahead != nil {
			if content, ok := z.ahead.take(i); ok {
				return io.NopCloser(&limiter{u: z.u, src: bytes.NewReader(content)}), nil
			}
		}
		return z.open(f)
	}
	switch mode := f.Mode(); {
	case mode.IsDir() || strings.HasSuffix(f.Name, `\`):
		e.Kind = Other
	case mode&fs.ModeSymlink != 0:
		target, _ := linkText(f)
		e.linkTo(target, true)
	case !mode.IsRegular():
		e.Kind = Special
	}
	e.Fault, e.Lost = z.faults[f].text, z.faults[f].lost
	if e.Fault == "" && e.Kind != File && f.UncompressedSize64 > 0 {
		if _, link := linkText(f); !link || e.Kind != Link {
			e.Fault = "it has content, but the type of a folder or link"
		}
	}
	return e
}

// open opens an entry. Its content counts against the limit of unpacked bytes.
func (z *Zip) open(f *zip.File) (io.ReadCloser, error) {
	if f.Flags&1 != 0 {
		return nil, unsupported("the entry is encrypted and was not read")
	}
	r, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, unsupported("the entry has an unsupported compression method (%d) and was not read", f.Method)
	}
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{&limiter{u: z.u, src: r}, r}, nil
}

// registerDecompressors adds the methods that archive/zip lacks, and a faster deflate decoder, the only
// one that several goroutines may use.
func (z *Zip) registerDecompressors() {
	z.list.RegisterDecompressor(zip.Deflate, z.u.inflater)
	for method, open := range map[uint16]func(io.Reader) (io.ReadCloser, error){
		zipMethodBzip2: func(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil },
		zipMethodXZ:    func(r io.Reader) (io.ReadCloser, error) { return z.u.unxz(bufio.NewReader(r), new(bool)) },
		zipMethodZstd:  z.u.unzstd,
	} {
		z.list.RegisterDecompressor(method, func(r io.Reader) io.ReadCloser {
			unpacked, err := open(r)
			if err != nil {
				return io.NopCloser(failingReader{err})
			}
			return unpacked
		})
	}
}

// failingReader is a reader that only returns an error.
type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// inflater is a decoder of deflated data.
type inflater struct {
	inflate.Reader
	u   *Unpacker
	src *bufio.Reader
}

// inflater starts to decode r.
func (u *Unpacker) inflater(r io.Reader) io.ReadCloser {
	f := u.inflaters.take()
	if f == nil {
		f = &inflater{u: u, src: bufio.NewReaderSize(nil, 32<<10)}
	}
	f.src.Reset(r)
	f.Reset(f.src)
	return f
}

// Close keeps the decoder for another entry.
func (f *inflater) Close() error {
	f.u.inflaters.put(f)
	return nil
}

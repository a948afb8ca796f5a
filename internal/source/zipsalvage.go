package source

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/inflate"
)

// salvageZip reads a zip archive that has lost the list at its end, as one that was not copied completely has. Each entry has a
// header before its content too; they are read one after the other for as long as that goes well.
func (w *walker) salvageZip(c *container, archive io.Reader, cause error) error {
	c.twice = false
	z := &zipScan{src: w.buffer(archive), w: w}
	defer w.release(z.src)()
	err := w.salvageEntries(c, z, nil)
	if err == nil && !c.faulty {
		cut := ""
		if z.cut != "" {
			cut = fmt.Sprintf(", and it breaks off in the entry %q", z.cut)
		}
		w.problem(c.place, code.ArchiveBroken, "the list of entries at its end is missing or corrupt (%v)%s; %s; copy it again", cause, cut, readSoFar(c))
	}
	return err
}

// salvageMisplaced reads, of a zip archive of which a piece is missing, those entries that are not where its list says. That they are
// not is recorded already.
func (w *walker) salvageMisplaced(c *container, archive io.Reader, only map[string]bool) error {
	z := &zipScan{src: w.buffer(archive), w: w}
	defer w.release(z.src)()
	return w.salvageEntries(c, z, only)
}

// salvageEntries reads entries by the headers before them: all of them, or those of some names.
func (w *walker) salvageEntries(c *container, z *zipScan, only map[string]bool) error {
	for {
		h, err := z.next()
		if errors.Is(err, errUnpacked) {
			return w.zipTaken(c, &fault{c.place, err})
		}
		if err != nil {
			return w.ctx.Err() // the end of what can be read
		}
		if err := w.countEntry(c); err != nil {
			return err
		}
		if strings.HasSuffix(h.name, "/") || only != nil && !only[h.name] {
			continue
		}
		name, unsafe := cleanName(h.name, formatZip)
		p := c.inside(name)
		if unsafe {
			c.unsafe.add(p, strconv.Quote(h.name))
		}
		open := func() (io.ReadCloser, error) { return io.NopCloser(z), nil }
		err = w.takeEntry(c, item{place: p, size: h.size, open: open, inner: true})
		var f *fault
		if errors.As(err, &f) && errors.Is(f.err, io.ErrUnexpectedEOF) {
			z.cut = f.place.entry
			return w.ctx.Err()
		}
		if err := w.zipTaken(c, err); err != nil {
			return err
		}
	}
}

// zipScan reads the entries of a zip archive by the headers before them.
type zipScan struct {
	src   *bufio.Reader
	w     *walker
	entry *zipLocal
	cut   string // the entry in which the archive breaks off
}

// zipLocal is the entry at which a zipScan is.
type zipLocal struct {
	name    string
	size    int64 // -1 where the header does not tell
	packed  int64
	sum     uint32
	trailed bool // sizes and checksum follow the content

	body io.Reader
	got  int64
	hash hash.Hash32
	err  error
}

// Bytes of a header before an entry, without name and extra field.
const zipHeaderSize = 30

// next goes on to the next entry. Any error is the end.
func (z *zipScan) next() (*zipLocal, error) {
	if err := z.finish(); err != nil {
		return nil, err
	}
	var head [zipHeaderSize]byte
	if _, err := io.ReadFull(z.src, head[:]); err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	if string(head[:4]) != "PK\x03\x04" {
		return nil, zip.ErrFormat
	}
	flags, method := le.Uint16(head[6:]), le.Uint16(head[8:])
	e := &zipLocal{
		sum: le.Uint32(head[14:]), packed: int64(le.Uint32(head[18:])), size: int64(le.Uint32(head[22:])),
		trailed: flags&8 != 0, hash: crc32.NewIEEE(),
	}
	names := make([]byte, int(le.Uint16(head[26:]))+int(le.Uint16(head[28:])))
	if _, err := io.ReadFull(z.src, names); err != nil {
		return nil, err
	}
	extra := names[le.Uint16(head[26:]):]
	e.name = string(names[:le.Uint16(head[26:])])
	e.largeSizes(extra)
	if flags&1 != 0 || method != zip.Deflate && (method != zip.Store || e.trailed) {
		return nil, zip.ErrAlgorithm // where the next one begins cannot be known, or what it holds
	}
	z.open(e, method)
	return e, nil
}

// largeSizes takes sizes that do not fit into the header from the extra field.
func (e *zipLocal) largeSizes(extra []byte) {
	le := binary.LittleEndian
	for len(extra) >= 4 {
		id, size := le.Uint16(extra), int(le.Uint16(extra[2:]))
		if size > len(extra)-4 {
			return
		}
		if id == 1 && size >= 16 {
			e.size, e.packed = int64(le.Uint64(extra[4:])), int64(le.Uint64(extra[12:]))
		}
		extra = extra[4+size:]
	}
}

func (z *zipScan) open(e *zipLocal, method uint16) {
	z.entry = e
	if e.trailed {
		e.size = -1
	}
	if method == zip.Store {
		e.body = io.LimitReader(z.src, e.packed)
		return
	}
	r := new(inflate.Reader)
	r.Reset(z.src)
	e.body = &limiter{w: z.w, src: r}
}

// Read reads the content of the entry. The end comes only if size and checksum are right.
func (z *zipScan) Read(p []byte) (int, error) {
	e := z.entry
	if e.err != nil {
		return 0, e.err
	}
	n, err := e.body.Read(p)
	e.got += int64(n)
	e.hash.Write(p[:n])
	if err == io.EOF {
		err = z.check()
	}
	e.err = err
	return n, err
}

// check compares what was read with what the archive says about it.
func (z *zipScan) check() error {
	e := z.entry
	if e.trailed {
		if err := z.trailer(); err != nil {
			return eofUnexpected(err)
		}
	}
	if e.size >= 0 && e.got < e.size {
		return io.ErrUnexpectedEOF
	}
	if e.got != e.size || e.hash.Sum32() != e.sum {
		return zip.ErrChecksum
	}
	return io.EOF
}

// trailer reads checksum and sizes that follow the content, with a signature or without, of four or eight bytes each.
func (z *zipScan) trailer() error {
	le := binary.LittleEndian
	head, err := z.src.Peek(4)
	if err != nil {
		return err
	}
	if string(head) == "PK\x07\x08" {
		if _, err := z.src.Discard(4); err != nil {
			return err
		}
	}
	short, err := z.src.Peek(12)
	if err != nil {
		return err
	}
	z.entry.sum, z.entry.size = le.Uint32(short), int64(le.Uint32(short[8:]))
	length := 12
	if long, err := z.src.Peek(22); err == nil && string(long[12:14]) != "PK" && string(long[20:]) == "PK" {
		z.entry.size, length = int64(le.Uint64(long[12:])), 20
	}
	_, err = z.src.Discard(length)
	return err
}

// finish reads the rest of the current entry, so that the next one is reached.
func (z *zipScan) finish() error {
	if z.entry == nil {
		return nil
	}
	_, err := io.Copy(io.Discard, z)
	z.entry = nil
	if errors.Is(err, zip.ErrChecksum) {
		return nil // its own fault; the next one may be sound
	}
	return err
}

package archive

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"strings"

	"github.com/validationtool/validationtool/internal/inflate"
)

// Salvage reads the entries of a zip archive by the headers before them, one after the other for as long as that goes well: that is how
// one is read that has lost the list at its end, as one that was not copied completely has.
type Salvage struct {
	u        *Unpacker
	archive  *io.SectionReader
	src      *bufio.Reader // reads it
	inflater inflate.Reader
	library  bool            // the library unpacks, and not our own decoder
	only     map[string]bool // names of the entries that are wanted; nil for all
	entry    *zipLocal
}

// Salvage begins to read the entries from the beginning: those that are not where the list says, or all where there is no list. It must be
// closed.
func (z *Zip) Salvage() *Salvage {
	archive := io.NewSectionReader(z.archive, 0, z.size)
	return &Salvage{u: z.u, archive: archive, src: z.u.buffer(archive), only: z.misplaced}
}

// Close keeps the memory for another archive.
func (z *Salvage) Close() { z.u.release(z.src)() }

// Next goes on to the next entry. ErrUnpacked is for more than the limit allows; any other error is the end of what can be read. An entry
// that is not wanted is of the kind Other.
func (z *Salvage) Next() (Entry, error) {
	h, err := z.next()
	if err != nil {
		return Entry{}, err
	}
	e := named(h.name, formatZip)
	content := doubter{src: z, again: func() bool { return h.deflated && z.sound(h) }}
	e.Size, e.Open = h.size, func() (io.ReadCloser, error) { return io.NopCloser(content), nil }
	if strings.HasSuffix(h.name, "/") || z.only != nil && !z.only[h.name] {
		e.Kind = Other
	}
	return e, nil
}

// zipLocal is the entry at which a Salvage is.
type zipLocal struct {
	name    string
	size    int64 // -1 where the header does not tell
	packed  int64
	sum     uint32
	trailed bool // sizes and checksum follow the content

	deflated bool
	begin    int64 // where its header begins

	body io.Reader
	got  int64
	hash hash.Hash32
	err  error
}

// Bytes of a header before an entry, without name and extra field.
const zipHeaderSize = 30

func (z *Salvage) next() (*zipLocal, error) {
	if err := z.finish(); err != nil {
		return nil, err
	}
	var head [zipHeaderSize]byte
	if _, err := io.ReadFull(z.src, head[:]); err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	if string(head[:4]) != zipHeader {
		return nil, zip.ErrFormat
	}
	read, err := z.archive.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	flags, method := le.Uint16(head[6:]), le.Uint16(head[8:])
	e := &zipLocal{
		sum: le.Uint32(head[14:]), packed: int64(le.Uint32(head[18:])), size: int64(le.Uint32(head[22:])),
		trailed: flags&8 != 0, hash: crc32.NewIEEE(), deflated: method == zip.Deflate, begin: read - int64(z.src.Buffered()) - zipHeaderSize,
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
	z.open(e)
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

func (z *Salvage) open(e *zipLocal) {
	z.entry = e
	if e.trailed {
		e.size = -1
	}
	switch {
	case !e.deflated:
		e.body = io.LimitReader(z.src, e.packed)
	case z.library:
		e.body = &rawReader{ctx: z.u.ctx, src: flate.NewReader(z.src)}
	default:
		z.inflater.Reset(z.src)
		e.body = &limiter{u: z.u, src: &z.inflater}
	}
}

// sound reads an entry once more, with the library alone, and reports whether it finds nothing wrong.
func (z *Salvage) sound(e *zipLocal) bool {
	archive := io.NewSectionReader(z.archive, e.begin, z.archive.Size()-e.begin)
	again := &Salvage{u: z.u, archive: archive, src: bufio.NewReader(archive), library: true}
	if _, err := again.next(); err != nil {
		return false
	}
	_, err := io.Copy(io.Discard, again)
	return err == nil
}

// Read reads the content of the entry. The end comes only if size and checksum are right.
func (z *Salvage) Read(p []byte) (int, error) {
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
func (z *Salvage) check() error {
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
func (z *Salvage) trailer() error {
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
func (z *Salvage) finish() error {
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

package archive

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"strings"
)

// Tar iterates over the entries of a tar archive, and of further tar archives that follow in the
// same stream.
type Tar struct {
	src  *tarSource
	tr   *tar.Reader
	open func() (io.ReadCloser, error)
}

// Tar starts to read the tar archive in the stream.
func (s *Stream) Tar() *Tar {
	src := &tarSource{Stream: s}
	t := &Tar{src: src, tr: tar.NewReader(src)}
	t.open = func() (io.ReadCloser, error) { return io.NopCloser(t.tr), nil }
	return t
}

// tarSource distinguishes an archive that ends with a block of zeros, as it should, from one that
// just ends.
type tarSource struct {
	*Stream
	marked bool // the last block that was read is all zeros
}

const tarBlock = 512

func (t *tarSource) Read(p []byte) (int, error) {
	if len(p) != tarBlock {
		t.marked = false
		return t.Stream.Read(p)
	}
	n, err := Fill(t.Stream, p)
	if n == 0 && err == nil {
		return 0, io.EOF
	}
	t.marked = n == tarBlock && len(bytes.Trim(p, "\x00")) == 0
	return n, err
}

// ErrNoEnd is the error for a tar archive that ends after a complete entry, without the
// end-of-archive blocks.
var ErrNoEnd = errors.New("the end-of-archive mark is missing")

// ErrAfterEnd is the error for data after the end of a tar archive.
var ErrAfterEnd = errors.New("other data follows the end of the archive")

// Next returns the next entry, or io.EOF at the end.
func (t *Tar) Next() (Entry, error) {
	h, err := t.next()
	if err != nil {
		return Entry{}, err
	}
	return t.entry(h), nil
}

func (t *Tar) next() (*tar.Header, error) {
	for {
		h, err := t.tr.Next()
		switch {
		case err == nil || errors.Is(err, tar.ErrInsecurePath):
			return h, nil
		case err != io.EOF:
			return nil, err
		case !t.src.marked:
			return nil, ErrNoEnd
		}
		if err := t.nextArchive(); err != nil {
			return nil, err
		}
	}
}

// nextArchive skips the zeros at the end of an archive to another archive after it, as in
// concatenated archives.
func (t *Tar) nextArchive() error {
	for {
		block, err := t.src.Peek(tarBlock)
		switch {
		case err != nil && err != io.EOF:
			return err
		case len(bytes.Trim(block, "\x00")) > 0:
			if sniff(block) != formatTar {
				return ErrAfterEnd
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

// Types of tar entries that archive/tar does not name and that are not files: lists of folder
// contents, volume labels, and attributes of the next entry.
const (
	tarDumpDir = 'D'
	tarVolume  = 'V'
	tarSolaris = 'X'
	tarACL     = 'A'
)

// entry returns the entry of a header. According to POSIX, an entry of unknown type is a file.
func (t *Tar) entry(h *tar.Header) Entry {
	e := named(h.Name, formatTar)
	e.Size, e.Open = h.Size, t.open
	switch h.Typeflag {
	case tar.TypeLink, tar.TypeSymlink:
		e.linkTo(h.Linkname, h.Typeflag == tar.TypeSymlink)
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		e.Kind = Special
	case tar.TypeDir, tar.TypeXGlobalHeader, tarDumpDir, tarVolume, tarSolaris, tarACL:
		e.Kind = Other
	}
	switch at, ok := t.src.position(); {
	case sparse(h): // holes take no space in the archive, so they count as unpacked bytes
		e.Open = func() (io.ReadCloser, error) { return io.NopCloser(&limiter{u: t.src.u, src: t.tr}), nil }
	case ok:
		e.Later = func() (io.ReadCloser, error) { return section{io.NewSectionReader(t.src.at, at, h.Size)}, nil }
	}
	return e
}

// section is the content of an entry, readable at any time.
type section struct{ *io.SectionReader }

// Close does nothing, because the file belongs to the archive.
func (section) Close() error { return nil }

// sparse reports whether an entry of a tar archive has holes, so that it unpacks to more bytes than
// it takes.
func sparse(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}

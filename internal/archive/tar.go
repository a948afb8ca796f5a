package archive

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"strings"
)

// Tar walks through the entries of a tar archive, and of further ones that follow it in the same
// stream.
type Tar struct {
	src  *tarSource
	tr   *tar.Reader
	open func() (io.ReadCloser, error)
}

// Tar begins to read the tar archive in the stream.
func (s *Stream) Tar() *Tar {
	src := &tarSource{Stream: s}
	t := &Tar{src: src, tr: tar.NewReader(src)}
	t.open = func() (io.ReadCloser, error) { return io.NopCloser(t.tr), nil }
	return t
}

// tarSource tells apart an archive that ends with a block of zeros, as it should, and one that just
// ends.
type tarSource struct {
	*Stream
	marked bool // the last block that was read is zero
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

// ErrNoEnd is for a tar archive that ends between two entries, without the blocks that mark the
// end.
var ErrNoEnd = errors.New("the end-of-archive mark is missing")

// ErrAfterEnd is for something behind the end of a tar archive.
var ErrAfterEnd = errors.New("other data follows the end of the archive")

// Next goes to the next entry; io.EOF says that there is none.
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

// nextArchive goes through the zeros at the end of an archive to another archive behind it, as when
// archives were concatenated.
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

// Types of tar entries that archive/tar does not name, and that are no files: lists of what a
// folder held, labels of volumes, and attributes of the entry behind.
const (
	tarDumpDir = 'D'
	tarVolume  = 'V'
	tarSolaris = 'X'
	tarACL     = 'A'
)

// entry is the entry of a header. One of an unknown type is a file, says POSIX.
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
	case sparse(h): // its holes come out of nothing, so they count as unpacked
		e.Open = func() (io.ReadCloser, error) { return io.NopCloser(&limiter{u: t.src.u, src: t.tr}), nil }
	case ok:
		e.Later = func() (io.ReadCloser, error) { return section{io.NewSectionReader(t.src.at, at, h.Size)}, nil }
	}
	return e
}

// section is an entry that is read by itself.
type section struct{ *io.SectionReader }

// Close does nothing: the file is the archive's.
func (section) Close() error { return nil }

// sparse reports whether an entry of a tar archive has holes: it unpacks to more than it takes.
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

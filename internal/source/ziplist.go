package source

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"strings"
)

// The list of a zip archive has no checksum. A bit that changed in it could make a file one of another name, or no file at all, which
// would be passed over in silence. So it is held against the header that stands before each entry, and against the content.

// zipList is the list of a zip archive, and what it is the list of.
type zipList struct {
	*zip.Reader
	archive   io.ReaderAt
	hold      map[*zip.File]bool // entries that hold others
	misplaced map[string]bool    // names of entries that are not where the list says
}

// contradicts says what is wrong with what the list says of an entry, "" if nothing is.
func (l *zipList) contradicts(f *zip.File, regular bool) string {
	start, err := f.DataOffset()
	switch {
	case err != nil:
		l.misplaced[f.Name] = true
		return ""
	case !l.sameName(f, start):
		return "its name in the list is not that before its content"
	case regular || f.UncompressedSize64 == 0:
		return ""
	case f.Mode()&fs.ModeSymlink != 0 && isTarget(f):
		return ""
	}
	return "it is said to be no file, and has content"
}

// sameName reports whether the header before an entry's content has the name that the list has. What cannot be read shows when it is.
func (l *zipList) sameName(f *zip.File, start int64) bool {
	// The list tells where the content begins only, and the header before it has an extra field of any size behind the name.
	const extra = 1 << 10
	before := make([]byte, min(start, int64(zipHeaderSize+len(f.Name)+extra)))
	if _, err := l.archive.ReadAt(before, start-int64(len(before))); err != nil {
		return true
	}
	le := binary.LittleEndian
	for rest := before; ; rest = rest[1:] {
		at := bytes.Index(rest, []byte("PK\x03\x04"))
		if at < 0 || len(rest[at:]) < zipHeaderSize {
			return true
		}
		rest = rest[at:]
		name, more := int(le.Uint16(rest[26:])), int(le.Uint16(rest[28:]))
		if zipHeaderSize+name+more == len(rest) {
			return string(rest[zipHeaderSize:zipHeaderSize+name]) == f.Name
		}
	}
}

// isTarget reports whether the content of an entry can be what a symbolic link leads to: a short text without a line break.
func isTarget(f *zip.File) bool {
	if f.UncompressedSize64 > maxName {
		return false
	}
	r, err := f.Open()
	if err != nil {
		return false
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxName+1))
	return err == nil && len(text) <= maxName && !strings.ContainsAny(string(text), "\n\x00")
}

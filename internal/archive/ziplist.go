package archive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// The list of a zip archive has no checksum. A bit that changed in it could make a file one of another name, or no file at all, which
// would be passed over in silence. So it is held against the header that stands before each entry, and against the content.

// zipSpot is where an entry lies, and the header before its content.
type zipSpot struct {
	begin, start, end int64  // of the header, of the content, and the end of that
	header            []byte // with the name; nil where it was not found, and begin is that of the content
}

// locate finds out where the entries lie, and which lie in others.
func (z *Zip) locate() {
	z.misplaced, z.spots = map[string]bool{}, make(map[*zip.File]zipSpot, len(z.list.File))
	for _, f := range z.list.File {
		start, err := f.DataOffset()
		if err != nil {
			z.misplaced[f.Name] = true
			continue
		}
		z.spots[f] = z.spot(f, start)
	}
	z.hold = z.overlapping()
}

// spot finds the header before the content of an entry. What cannot be read shows when it is.
func (z *Zip) spot(f *zip.File, start int64) zipSpot {
	s := zipSpot{start, start, start + int64(min(f.CompressedSize64, uint64(z.size-start))), nil}
	// The list tells where the content begins only, and the header before it has an extra field of any size behind the name.
	const extra = 1 << 10
	before := make([]byte, min(start, int64(zipHeaderSize+len(f.Name)+extra)))
	if _, err := z.archive.ReadAt(before, start-int64(len(before))); err != nil {
		return s
	}
	le := binary.LittleEndian
	for rest := before; ; rest = rest[1:] {
		at := bytes.Index(rest, []byte(zipHeader))
		if at < 0 || len(rest[at:]) < zipHeaderSize {
			return s
		}
		rest = rest[at:]
		name, more := int(le.Uint16(rest[26:])), int(le.Uint16(rest[28:]))
		if zipHeaderSize+name+more == len(rest) {
			s.begin, s.header = start-int64(len(rest)), bytes.Clone(rest[:zipHeaderSize+name])
			return s
		}
	}
}

// contradicts says what is wrong with what the list says of an entry, "" if nothing is.
func (z *Zip) contradicts(f *zip.File, regular bool) string {
	if wrong := z.spots[f].contradicts(f); wrong != "" || z.misplaced[f.Name] {
		return wrong
	}
	switch {
	case regular || f.UncompressedSize64 == 0:
		return ""
	case f.Mode()&fs.ModeSymlink != 0:
		if _, ok := linkText(f); ok {
			return ""
		}
	}
	return "it is said to be no file, and has content"
}

// contradicts holds what the list says of an entry against the header before its content.
func (s zipSpot) contradicts(f *zip.File) string {
	if s.header == nil {
		return ""
	}
	le := binary.LittleEndian
	flags := le.Uint16(s.header[6:])
	same := func(at int, listed uint64) bool {
		v := le.Uint32(s.header[at:])
		return v == uint32(listed) || v == 1<<32-1 // it stands in the extra field
	}
	switch {
	case string(s.header[zipHeaderSize:]) != f.Name:
		return "its name in the list is not that before its content"
	case (flags^f.Flags)&1 != 0 || le.Uint16(s.header[8:]) != f.Method:
		return "the list says that it is packed in another way than what stands before its content"
	case flags&8 == 0 && !(same(14, uint64(f.CRC32)) && same(18, f.CompressedSize64) && same(22, f.UncompressedSize64)): // else they follow the content
		return "its sizes or its checksum in the list are not those before its content"
	}
	return ""
}

// What begins the header before an entry, an entry of the list, and what follows the list.
const (
	zipHeader    = "PK\x03\x04"
	zipListed    = "PK\x01\x02"
	zipListEnd   = "PK\x05\x06"
	zipListEnd64 = "PK\x06\x06"
)

// Unlisted returns where entries stand that the list lacks; -1 if there are none, or if entries are misplaced. There may be none between those that it has, none
// before the list, and none behind it.
func (z *Zip) Unlisted() int64 {
	if z.Misplaced() {
		return -1
	}
	spots := slices.SortedFunc(maps.Values(z.spots), func(a, b zipSpot) int { return cmp.Compare(a.begin, b.begin) })
	end := int64(0)
	for _, s := range spots {
		if at, _ := z.find(end, s.begin, zipHeader); at >= 0 && s.header != nil {
			return at
		}
		end = max(end, s.end)
	}
	at, magic := z.find(end, z.size, zipHeader, zipListed, zipListEnd, zipListEnd64)
	if at < 0 || magic == zipHeader {
		return at
	}
	if at, _ = z.find(at, z.size, zipListEnd); at >= 0 {
		at, _ = z.find(at, z.size, zipHeader)
	}
	return at
}

// find returns where the first of some texts of four bytes stands between two offsets, and which it is; -1 if there is none.
func (z *Zip) find(from, to int64, magics ...string) (int64, string) {
	const step = 64 << 10
	for at := from; at+4 <= to; at += step {
		piece := make([]byte, min(step+3, to-at)) // one may begin at the end of a step
		if _, err := z.archive.ReadAt(piece, at); err != nil {
			return -1, ""
		}
		first, which := -1, ""
		for _, magic := range magics {
			if i := bytes.Index(piece, []byte(magic)); i >= 0 && (first < 0 || i < first) {
				first, which = i, magic
			}
		}
		if first >= 0 {
			return at + int64(first), which
		}
	}
	return -1, ""
}

// linkText is what a symbolic link leads to: a short text without a line break. The content of other entries is none.
func linkText(f *zip.File) (string, bool) {
	if f.UncompressedSize64 > maxName {
		return "", false
	}
	r, err := f.Open()
	if err != nil {
		return "", false
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxName+1))
	return string(text), err == nil && len(text) <= maxName && !strings.ContainsAny(string(text), "\n\x00")
}

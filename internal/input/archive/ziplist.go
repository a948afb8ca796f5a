package archive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"slices"
	"strings"
)

// The central directory of a zip archive has no checksum. A flipped bit in it could change the name
// of a file, or hide the file, which would then be skipped silently. So the directory is compared
// with the local header of each entry and with the content.

// zipSpot is the location of an entry.
type zipSpot struct {
	file               *zip.File
	header, start, end int64 // offsets of the local header, the content, and the end of the content
}

// locate computes the location of each entry and checks the data of the central directory. An entry
// that contains or overlaps another is lost: a small archive whose entries share their bytes could
// unpack to a huge size. No program writes such archives.
func (z *Zip) locate(read *entryCounter) {
	for _, f := range z.list.File {
		start, err := f.DataOffset()
		if err != nil {
			z.faults[f] = zipFault{"it is not at its offset in the central directory", true}
			continue
		}
		s := zipSpot{file: f, header: read.last, start: start} // archive/zip read the header before the content
		s.end = start + int64(min(f.CompressedSize64, uint64(z.size-start)))
		z.spots = append(z.spots, s)
		if wrong := z.contradicts(s); wrong != "" {
			z.faults[f] = zipFault{text: wrong}
		}
	}
	slices.SortStableFunc(z.spots, func(a, b zipSpot) int { return cmp.Compare(a.start, b.start) })
	next := z.size
	for i, s := range slices.Backward(z.spots) {
		if i+1 < len(z.spots) && z.spots[i+1].start > s.start {
			next = z.spots[i+1].start
		}
		again := i > 0 && z.spots[i-1].start == s.start && s.end > s.start
		if again || s.end > next {
			z.faults[s.file] = zipFault{
				"it overlaps other entries, as in archives that are built to unpack to a huge size", true,
			}
		}
	}
}

// contradicts compares the central directory with the local header of an entry. It returns the
// contradiction, or "".
func (z *Zip) contradicts(s zipSpot) string {
	header := make([]byte, min(s.start-s.header, int64(zipHeaderSize+len(s.file.Name))))
	if _, err := z.archive.ReadAt(header, s.header); err != nil || len(header) < zipHeaderSize {
		return "" // reading the entry will show the error
	}
	le := binary.LittleEndian
	flags := le.Uint16(header[6:])
	same := func(at int, listed uint64) bool {
		v := le.Uint32(header[at:])
		return v == uint32(listed) || v == 1<<32-1 // the value is in the extra field
	}
	f := s.file
	switch {
	case int(le.Uint16(header[26:])) != len(f.Name) || string(header[zipHeaderSize:]) != f.Name:
		return "its name differs between the central directory and its local header"
	case (flags^f.Flags)&1 != 0 || le.Uint16(header[8:]) != f.Method:
		return "its compression method differs between the central directory and its local header"
	// if bit 3 of the flags is set, the values follow the content instead
	case flags&8 == 0 && !(same(14, uint64(f.CRC32)) && same(18, f.CompressedSize64) && same(22, f.UncompressedSize64)):
		return "its sizes or checksum differ between the central directory and its local header"
	}
	return ""
}

// zipHeaderSize is the size in bytes of a local header without name and extra field.
const zipHeaderSize = 30

// Magic numbers of a local header, an entry of the central directory, and what follows the
// directory.
const (
	zipHeader    = "PK\x03\x04"
	zipListed    = "PK\x01\x02"
	zipListEnd   = "PK\x05\x06"
	zipListEnd64 = "PK\x06\x06"
)

// Unlisted returns the offset of the first entry that the central directory lacks, before, between
// or after the listed entries; -1 for none, or if listed entries are not at their offsets.
func (z *Zip) Unlisted() int64 {
	if len(z.spots) < len(z.list.File) {
		return -1
	}
	end := int64(0)
	for _, s := range z.spots {
		if at, _ := z.find(end, s.header, zipHeader); at >= 0 {
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

// find returns the offset and the text of the first occurrence of one of some four-byte texts
// between two offsets; -1 for none.
func (z *Zip) find(from, to int64, magics ...string) (int64, string) {
	const step = 64 << 10
	for at := from; at+4 <= to; at += step {
		piece := make([]byte, min(step+3, to-at)) // an occurrence may span two steps
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

// linkText returns the target of a symbolic link, the content of its entry; false if the content is
// not a short text without a line break.
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

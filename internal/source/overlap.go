package source

import (
	"archive/tar"
	"archive/zip"
	"slices"
	"strings"
)

// overlapping returns the entries of a zip archive that hold the bytes of others too: an archive of which all entries share their
// bytes unpacks to very much, however small it is. Entries that are packed as any program packs them never overlap.
func overlapping(list *zip.Reader, size int64) map[*zip.File]bool {
	if !sharesBytes(list, size) {
		return nil
	}
	offsets := make([]int64, 0, len(list.File))
	starts := make(map[*zip.File]int64, len(list.File))
	for _, f := range list.File {
		offset, err := f.DataOffset()
		if err != nil {
			continue // reading it will tell
		}
		starts[f] = offset
		offsets = append(offsets, offset)
	}
	slices.Sort(offsets)
	found := map[*zip.File]bool{}
	taken := map[int64]bool{}
	for _, f := range list.File {
		start, known := starts[f]
		if !known {
			continue
		}
		next, _ := slices.BinarySearch(offsets, start+1)
		over := next < len(offsets) && uint64(offsets[next]-start) < f.CompressedSize64
		found[f] = over || taken[start] && f.CompressedSize64 > 0
		taken[start] = true
	}
	return found
}

// sharesBytes says whether the entries of a zip archive claim more bytes than it has.
func sharesBytes(list *zip.Reader, size int64) bool {
	left := uint64(size)
	for _, f := range list.File {
		if f.CompressedSize64 > left {
			return true
		}
		left -= f.CompressedSize64
	}
	return false
}

// sparse says whether an entry of a tar archive has holes: it unpacks to more than it takes.
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

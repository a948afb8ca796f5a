package archive

import (
	"archive/zip"
	"slices"
)

// overlapping returns the entries of a zip archive that hold the bytes of others too: an archive of which all entries share their
// bytes unpacks to very much, however small it is. Entries that are packed as any program packs them never overlap. One that is
// misplaced has no spot; reading it will tell.
func (z *Zip) overlapping() map[*zip.File]bool {
	if !z.sharesBytes() {
		return nil
	}
	starts := make([]int64, 0, len(z.spots))
	for _, s := range z.spots {
		starts = append(starts, s.start)
	}
	slices.Sort(starts)
	found, taken := map[*zip.File]bool{}, map[int64]bool{}
	for _, f := range z.list.File {
		s, known := z.spots[f]
		if !known {
			continue
		}
		next, _ := slices.BinarySearch(starts, s.start+1)
		found[f] = next < len(starts) && starts[next] < s.end || taken[s.start] && f.CompressedSize64 > 0
		taken[s.start] = true
	}
	return found
}

// sharesBytes says whether the entries of a zip archive claim more bytes than it has.
func (z *Zip) sharesBytes() bool {
	left := uint64(z.size)
	for _, f := range z.list.File {
		if f.CompressedSize64 > left {
			return true
		}
		left -= f.CompressedSize64
	}
	return false
}

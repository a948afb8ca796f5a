package source

import (
	"bytes"
	"fmt"
	"testing"
)

// TestNoBitOfAZipListHidesAnEntry changes every bit of the list of a zip archive, which has no checksum: what is read is right, or there
// is a problem.
func TestNoBitOfAZipListHidesAnEntry(t *testing.T) {
	data := zipOf(manyFiles()[:3]...)
	right := walkBytes(t, Options{}, "x.zip", data).names()
	step := 1
	if testing.Short() {
		step = 7
	}
	for bit := 8 * bytes.Index(data, []byte("PK\x01\x02")); bit < 8*len(data); bit += step {
		bad := bytes.Clone(data)
		bad[bit/8] ^= 1 << (bit % 8)
		got := walkBytes(t, Options{}, "x.zip", bad)
		if names := got.names(); fmt.Sprint(names) != fmt.Sprint(right) && len(got.sum.Problems) == 0 {
			t.Errorf("bit %d of byte %d: %d of %d files, and no problem", bit%8, bit/8, len(names), len(right))
		}
	}
}

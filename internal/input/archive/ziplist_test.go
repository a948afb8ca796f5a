package archive

import (
	"archive/zip"
	"bytes"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestEachEntryOfAZipIsHeldAgainstItsHeader: an entry that the list places wrongly hides no fault of
// the entries behind it.
func TestEachEntryOfAZipIsHeldAgainstItsHeader(t *testing.T) {
	packed := testkit.Zip(
		zip.Store, testkit.Entry{Name: "a", Data: "x"}, testkit.Entry{Name: "b", Data: "x"}, testkit.Entry{Name: "c", Data: "x"},
	)
	const offset, name = 42, 46 // in what the list says of an entry
	listed := packed[bytes.Index(packed, []byte("PK\x01\x02")):]
	listed[offset]++
	listed[bytes.LastIndex(listed, []byte("PK\x01\x02"))+name] = 'd'
	z, err := NewUnpacker(t.Context(), testLimits()).Zip(bytes.NewReader(packed), int64(len(packed)), 3)
	must(err)
	for i, want := range []struct{ faulty, lost bool }{{true, true}, {}, {true, false}} {
		if e := z.Entry(i); (e.Fault != "") != want.faulty || e.Lost != want.lost {
			t.Errorf("entry %d: %q, lost is %v", i, e.Fault, e.Lost)
		}
	}
}

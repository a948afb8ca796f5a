package archive

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestEntriesShareMemory: what unpacks one entry of a zip archive unpacks the next, so that small
// entries cost little memory each.
func TestEntriesShareMemory(t *testing.T) {
	const entries, most = 2000, 4 << 10 // bytes each
	var all []testkit.Entry
	for i := range entries {
		all = append(all, testkit.Entry{Name: fmt.Sprintf("%d.yaml", i), Data: "kind: ConfigMap\n"})
	}
	packed := testkit.Zip(zip.Deflate, all...)
	z, err := NewUnpacker(t.Context(), testLimits()).Zip(bytes.NewReader(packed), int64(len(packed)), entries)
	must(err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range z.Len() {
		r, err := z.Entry(i).Open()
		must(err)
		if text, err := io.ReadAll(r); err != nil || len(text) != 16 {
			t.Fatalf("entry %d: %d bytes, %v", i, len(text), err)
		}
		must(r.Close())
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / entries; each > most {
		t.Errorf("unpacking an entry of 16 bytes allocates %d bytes, want at most %d", each, most)
	}
}

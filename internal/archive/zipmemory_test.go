package archive

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"
)

// TestEntriesShareMemory: what unpacks one entry of a zip archive unpacks the next, so that small entries cost little memory each.
func TestEntriesShareMemory(t *testing.T) {
	const entries, most = 2000, 4 << 10 // bytes each
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for i := range entries {
		entry, err := w.Create(fmt.Sprintf("%d.yaml", i))
		must(err)
		_, err = io.WriteString(entry, "kind: ConfigMap\n")
		must(err)
	}
	must(w.Close())
	z, err := NewUnpacker(t.Context(), testLimits()).Zip(bytes.NewReader(packed.Bytes()), int64(packed.Len()), entries)
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

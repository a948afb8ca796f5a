package archive

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// onProcessors runs a test on n processors, as many as the machine has or not.
func onProcessors(t *testing.T, n int) {
	was := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(was) })
}

// TestReadingAheadChangesNothing: entries of all sizes, some damaged, some not opened and some not
// expected to be, have the content, error and count of bytes that they have without reading ahead.
func TestReadingAheadChangesNothing(t *testing.T) {
	onProcessors(t, 3)
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 0))
		var entries []testkit.Entry
		for i := range 40 {
			size := random.IntN([]int{1, 100, 60_000, 900_000, 1_200_000}[random.IntN(5)])
			text := strings.Repeat(fmt.Sprintf("%d: %x\n", i, random.Uint64()), size/16+1)[:size]
			entries = append(entries, testkit.Entry{Name: fmt.Sprint(i), Data: text})
		}
		packed := testkit.Zip([]uint16{zip.Deflate, zip.Deflate, zip.Store, testkit.Zstd}[random.IntN(4)], entries...)
		list := bytes.Index(packed, []byte(zipListed))
		for range random.IntN(4) {
			packed[random.IntN(list)] ^= 1 << random.IntN(8)
		}
		open := func(i int) bool { return (uint64(i)*2654435761+seed)%7 > 1 }
		read := func(ahead bool) (all []string) {
			u := NewUnpacker(t.Context(), Limits{Unpacked: 8 << 20, Memory: 1 << 30, Depth: 4})
			z, err := u.Zip(bytes.NewReader(packed), int64(len(packed)), len(entries))
			must(err)
			if ahead {
				worth := func(e Entry) bool { return strings.Contains("02345679", e.Name[len(e.Name)-1:]) }
				defer z.ReadAhead(worth)()
			}
			for i := range z.Len() {
				if !open(i) {
					continue
				}
				var text []byte
				r, err := z.Entry(i).Open()
				if err == nil {
					text, err = io.ReadAll(r)
					must(r.Close())
				}
				sum := crc32.ChecksumIEEE(text)
				all = append(all, fmt.Sprintf("%d: %d bytes, %x, %v, %d in all", i, len(text), sum, err, u.unpacked))
			}
			return all
		}
		want, got := read(false), read(true)
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("seed %d: %s, want %s", seed, got[i], want[i])
			}
		}
	}
}

// TestEntriesAreReadAhead: what was read ahead is not read again, and no more is read ahead than memory
// is set aside for.
func TestEntriesAreReadAhead(t *testing.T) {
	onProcessors(t, 3)
	const entries, size = 30, 500_000
	var all []testkit.Entry
	for i := range entries {
		all = append(all, testkit.Entry{Name: fmt.Sprint(i), Data: strings.Repeat("x", size)})
	}
	packed := testkit.Zip(zip.Deflate, all...)
	z, err := NewUnpacker(t.Context(), testLimits()).Zip(bytes.NewReader(packed), int64(len(packed)), entries)
	must(err)
	halt := z.ReadAhead(func(Entry) bool { return true })
	defer halt()
	for _, b := range z.ahead.queue {
		<-b.done
	}
	clear(packed)
	for i := range entries {
		r, err := z.Entry(i).Open()
		if ahead := i < aheadBlocks*(aheadBlock/size); (err == nil) != ahead {
			t.Fatalf("entry %d: %v", i, err)
		}
		if err == nil {
			if text, err := io.ReadAll(r); err != nil || len(text) != size {
				t.Errorf("entry %d: %d bytes, %v", i, len(text), err)
			}
		}
	}
}

package inflate_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/flate"

	"github.com/validationtool/validationtool/internal/input/inflate"
)

// benchmark is deflate data: so many streams, one after the other.
type benchmark struct {
	streams int
	packed  []byte
}

// benchmarks are what archives are made of.
func benchmarks() map[string]benchmark {
	r := rand.New(rand.NewPCG(9, 9))
	var objects strings.Builder
	for range 60_000 {
		fmt.Fprintf(
			&objects,
			"  - name: pod-%d\n    namespace: openshift-%d\n    image: registry.example.com/it@sha256:%016x\n    restartCount: %d\n",
			r.IntN(5000),
			r.IntN(60),
			r.Uint64(),
			r.IntN(9),
		)
	}
	members := make([]string, 20_000)
	for i := range members {
		members[i] = fmt.Sprintf(
			"gathered/configmaps/c%d.yaml%s%011o ustar root%s",
			i,
			strings.Repeat("\x00", 70),
			i,
			strings.Repeat("\x00", 180),
		)
	}
	return map[string]benchmark{"objects": streams(objects.String()), "tiny": streams(members...)}
}

// streams packs texts, each into a stream of its own.
func streams(texts ...string) benchmark {
	var out bytes.Buffer
	w, _ := flate.NewWriter(nil, 6) // a level that there is
	for _, text := range texts {
		w.Reset(&out)
		io.WriteString(w, text) // a buffer takes all
		w.Close()
	}
	return benchmark{len(texts), out.Bytes()}
}

// BenchmarkReader unpacks each sort of data with our reader and with the library in turn, and tells
// how many times as fast ours is.
func BenchmarkReader(b *testing.B) {
	sorts := benchmarks()
	for _, name := range slices.Sorted(maps.Keys(sorts)) {
		all := sorts[name]
		b.Run(name, func(b *testing.B) {
			var ours inflate.Reader
			library, src, to := flate.NewReader(nil), bufio.NewReaderSize(nil, 256<<10), make([]byte, 1<<20)
			unpack := func(r io.Reader, reset func()) (time.Duration, int64) {
				begin, size := time.Now(), int64(0)
				src.Reset(bytes.NewReader(all.packed))
				for range all.streams {
					for reset(); ; {
						n, err := r.Read(to)
						size += int64(n)
						if err == io.EOF {
							break
						}
						if err != nil {
							b.Fatal(err)
						}
					}
				}
				return time.Since(begin), size
			}
			own, theirs := time.Hour, time.Hour // the shortest time that each took
			for b.Loop() {
				took, size := unpack(&ours, func() { ours.Reset(src) })
				own = min(own, took)
				b.SetBytes(size)
				b.StopTimer()
				took, _ = unpack(library, func() { library.(flate.Resetter).Reset(src, nil) }) // it returns nil
				theirs = min(theirs, took)
				b.StartTimer()
			}
			b.ReportMetric(float64(theirs)/float64(own), "×library")
		})
	}
}

package inflate_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/inflate"
)

// unpacked is what our reader makes of deflate data that it gets and hands out in pieces, with what
// is left of the data behind it.
func unpacked(packed []byte, src func(io.Reader) io.Reader, piece int) (data, rest []byte, err error) {
	from := bufio.NewReaderSize(src(bytes.NewReader(packed)), 512)
	var r inflate.Reader
	r.Reset(from)
	return drain(&r, from, piece)
}

// drain reads r by pieces, and then what is left in src.
func drain(r io.Reader, src io.Reader, piece int) (data, rest []byte, err error) {
	for p := make([]byte, piece); err == nil; {
		var n int
		n, err = r.Read(p)
		data = append(data, p[:n]...)
	}
	if err == io.EOF {
		err = nil
	}
	rest, _ = io.ReadAll(src)
	return data, rest, err
}

// byLibrary is what compress/flate makes of it.
func byLibrary(packed []byte) (data, rest []byte, err error) {
	from := bufio.NewReader(bytes.NewReader(packed))
	return drain(flate.NewReader(from), from, 4096)
}

// agree holds our reader against compress/flate, with input and output in pieces of several sizes.
// What comes before an error need only begin alike: who is further when it is found out is no
// matter.
func agree(t testing.TB, packed []byte) {
	t.Helper()
	want, wantRest, wantErr := byLibrary(packed)
	whole := func(r io.Reader) io.Reader { return r }
	for _, way := range []struct {
		name  string
		src   func(io.Reader) io.Reader
		piece int
	}{{"whole", whole, 1 << 20}, {"small pieces", whole, 333}, {"byte by byte", iotest.OneByteReader, 64<<10 + 1}, {"error with data", iotest.DataErrReader, 70_000}} {
		got, rest, err := unpacked(packed, way.src, way.piece)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf(
				"%s: the error is %v, compress/flate says %v (%d bytes of data)", way.name, err, wantErr, len(packed),
			)
		}
		if n := min(len(got), len(want)); !bytes.Equal(got[:n], want[:n]) || err == nil && len(got) != len(want) {
			t.Fatalf("%s: %d bytes are not the %d of compress/flate", way.name, len(got), len(want))
		}
		if errors.Is(err, io.ErrUnexpectedEOF) && len(got) < len(want) {
			t.Fatalf("%s: %d bytes before the end, compress/flate has %d", way.name, len(got), len(want))
		}
		if err == nil && !bytes.Equal(rest, wantRest) {
			t.Fatalf(
				"%s: %d bytes are left behind the data, compress/flate leaves %d", way.name, len(rest), len(wantRest),
			)
		}
	}
}

// packedBy packs data with the library, at a level and with a flush every so many bytes, so that
// there are blocks of all sorts.
func packedBy(t testing.TB, data []byte, level, flush int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	for len(data) > 0 {
		n := min(len(data), flush)
		w.Write(data[:n])
		data = data[n:]
		if len(data) > 0 {
			w.Flush()
		}
	}
	w.Close()
	return out.Bytes()
}

// samples are data of many kinds.
func samples(r *rand.Rand) map[string][]byte {
	random := make([]byte, 100_000)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	var text, skewed, rows strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&text, "  - name: pod-%d\n    image: registry.example.com/it@sha256:%x\n", r.IntN(100), r.Uint64())
		skewed.WriteByte(byte(bits.TrailingZeros32(r.Uint32() | 1<<30)))
		rows.WriteString(strings.Repeat(string(rune('a'+i%7)), r.IntN(600)))
	}
	return map[string][]byte{
		"nothing": nil, "a byte": {7}, "zeros": make([]byte, 300_000), "random": random, "text": []byte(text.String()),
		"skewed": []byte(strings.Repeat(skewed.String(), 5)), "rows": []byte(rows.String()),
		"far": append(random[:32768:32768], random[:40000]...), // copies from as far back as can be
	}
}

func TestAgreesWithTheLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, data := range samples(r) {
		t.Run(name, func(t *testing.T) {
			for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, 1, 6, 9} {
				for _, flush := range []int{1 << 20, 5000, 100} {
					if flush == 100 && (len(data) > 100_000 || testing.Short()) {
						continue
					}
					packed := packedBy(t, data, level, flush)
					agree(t, append(packed, "behind it"...))
				}
			}
		})
	}
}

// Whatever is cut off or changed, both find it out, or make the same of it.
func TestDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, data := range samples(r) {
		t.Run(name, func(t *testing.T) {
			packed := packedBy(t, data[:min(len(data), 50_000)], 6, 20_000)
			for range testkit.Tries(150) {
				cut := packed[:r.IntN(len(packed))]
				agree(t, cut)
				if _, _, err := unpacked(cut, func(r io.Reader) io.Reader { return r }, 5000); !errors.Is(
					err, io.ErrUnexpectedEOF,
				) {
					t.Fatalf("cut off at %d bytes of %d: %v", len(cut), len(packed), err)
				}
				changed := bytes.Clone(packed)
				for range 1 + r.IntN(3) {
					changed[r.IntN(min(len(changed), 1+r.IntN(len(changed))))] ^= 1 << r.IntN(8)
				}
				agree(t, changed)
			}
		})
	}
}

// fixedBlock writes a block with the fixed codes of RFC 1951, section 3.2.6.
type fixedBlock struct {
	out  []byte
	bits uint64
	n    int
}

func (b *fixedBlock) put(v uint64, n int) {
	b.bits |= v << b.n
	for b.n += n; b.n >= 8; b.n -= 8 {
		b.out = append(b.out, byte(b.bits))
		b.bits >>= 8
	}
}

// code writes a code, whose first bit is the highest.
func (b *fixedBlock) code(v uint16, n int) { b.put(uint64(bits.Reverse16(v)>>(16-n)), n) }

func (b *fixedBlock) literal(c byte) {
	if c < 144 {
		b.code(0x30+uint16(c), 8)
	} else {
		b.code(0x190+uint16(c)-144, 9)
	}
}

func (b *fixedBlock) repeat(length, offset int) {
	lengths := []int{
		3,
		4,
		5,
		6,
		7,
		8,
		9,
		10,
		11,
		13,
		15,
		17,
		19,
		23,
		27,
		31,
		35,
		43,
		51,
		59,
		67,
		83,
		99,
		115,
		131,
		163,
		195,
		227,
		258,
	}
	i := 0
	for i+1 < len(lengths) && lengths[i+1] <= length {
		i++
	}
	if symbol := 257 + i; symbol < 280 {
		b.code(uint16(symbol-256), 7)
	} else {
		b.code(uint16(0xc0+symbol-280), 8)
	}
	if i >= 8 && i < 28 {
		b.put(uint64(length-lengths[i]), i/4-1)
	}
	offset--
	if offset < 4 {
		b.code(uint16(offset), 5)
		return
	}
	extra := bits.Len(uint(offset)) - 2
	b.code(uint16(2*extra+offset>>extra), 5)
	b.put(uint64(offset&(1<<extra-1)), extra)
}

func (b *fixedBlock) end() []byte {
	b.code(0, 7)
	b.put(0, 7)
	return b.out
}

// Every length is copied from every distance, at every place in a word, both where there is much of
// input and output and where not.
func TestEveryCopy(t *testing.T) {
	offsets := []int{511, 512, 513, 4095, 4096, 32767, 32768}
	for n := 1; n <= 300 && !testing.Short(); n++ {
		offsets = append(offsets, n)
	}
	for _, offset := range offsets {
		b := &fixedBlock{}
		b.put(3, 3)
		var want []byte
		for i := range offset {
			b.literal(byte(i * 31 / 7))
			want = append(want, byte(i*31/7))
		}
		for length := 3; length <= 258; length++ {
			b.repeat(length, offset)
			for range length {
				want = append(want, want[len(want)-offset])
			}
			for i := range length % 3 { // so that the next one begins elsewhere in its word
				b.literal(byte(i))
				want = append(want, byte(i))
			}
		}
		packed := b.end()
		for _, piece := range []int{1 << 20, 64 << 10, 1000} {
			got, _, err := unpacked(packed, func(r io.Reader) io.Reader { return r }, piece)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("offset %d, in pieces of %d: %d bytes of %d, %v", offset, piece, len(got), len(want), err)
			}
		}
	}
}

// Wherever the memory of the caller ends: among literals and the longest copies, of which one may
// write most behind its end.
func TestEveryEndOfTheOutput(t *testing.T) {
	b := &fixedBlock{}
	b.put(3, 3)
	for range 800 {
		b.literal('a')
		b.literal('b')
		b.repeat(258, 1)
	}
	packed, want := b.end(), strings.Repeat("a"+strings.Repeat("b", 259), 800)
	for piece := 64 << 10; piece < 64<<10+600; piece++ {
		got, _, err := unpacked(packed, func(r io.Reader) io.Reader { return r }, piece)
		if err != nil || string(got) != want {
			t.Fatalf("in pieces of %d: %d bytes of %d, %v", piece, len(got), len(want), err)
		}
	}
}

func TestNothingIsAllocatedAfterTheFirstBlock(t *testing.T) {
	packed := packedBy(t, samples(rand.New(rand.NewPCG(5, 6)))["text"], 6, 5000)
	var r inflate.Reader
	at, to := bytes.NewReader(nil), make([]byte, 1<<20)
	src := bufio.NewReader(at)
	if n := testing.AllocsPerRun(5, func() {
		at.Reset(packed)
		src.Reset(at)
		r.Reset(src)
		for {
			if _, err := r.Read(to); err != nil {
				return
			}
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzReader(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, data := range samples(r) {
		for _, level := range []int{flate.HuffmanOnly, 0, 1, 9} {
			f.Add(packedBy(f, data[:min(len(data), 5000)], level, 2000))
		}
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		if data, _, _ := byLibrary(packed); len(data) < 16<<20 {
			agree(t, packed)
		}
	})
}

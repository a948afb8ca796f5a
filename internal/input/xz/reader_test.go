package xz_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	library "github.com/therootcompany/xz"
	writer "github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/xz"
)

const most = 64 << 20 // bytes of a window

// unpacked is what our reader makes of a file, given and handed out in pieces, and whether it found
// junk behind it.
func unpacked(r *xz.Reader, packed []byte, src func(io.Reader) io.Reader, piece int) (data []byte, junk bool, err error) {
	if err := r.Reset(bufio.NewReaderSize(src(bytes.NewReader(packed)), 512), most); err != nil {
		return nil, false, err
	}
	for p := make([]byte, piece); err == nil; {
		var n int
		n, err = r.Read(p)
		data = append(data, p[:n]...)
	}
	if n, again := r.Read(make([]byte, 1)); n != 0 || again != err {
		return nil, false, fmt.Errorf("after %w: %d bytes, %w", err, n, again)
	}
	return data, r.Junk(), nilEOF(err)
}

func nilEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func whole(r io.Reader) io.Reader { return r }

// separate is a reader that returns no bytes together with io.EOF, for which the library would miss
// a second stream.
type separate struct{ io.Reader }

func (s separate) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// byLibrary is what the library makes of a file.
func byLibrary(packed []byte) (data []byte, junk bool, err error) {
	r, err := library.NewReader(separate{bytes.NewReader(packed)}, most)
	for err == nil {
		r.Multistream(false)
		var some []byte
		some, err = io.ReadAll(r)
		if data = append(data, some...); err != nil {
			break
		}
		err = r.Reset(nil)
		if junk = errors.Is(err, library.ErrFormat) || errors.Is(err, library.ErrBuf); junk {
			err = nil
			break
		}
	}
	return data, junk, nilEOF(err)
}

// agree holds our reader against the library, with input and output in pieces of several sizes.
// Before an error, ours has at least the data of the library. Only ours rejects other filters, and
// chunks that do not begin with zero.
func agree(t testing.TB, packed []byte) {
	t.Helper()
	want, wantJunk, wantErr := byLibrary(packed)
	var r xz.Reader
	for _, way := range []struct {
		name  string
		src   func(io.Reader) io.Reader
		piece int
	}{
		{"whole", whole, 1 << 20}, {"small pieces", whole, 333}, {"byte by byte", iotest.OneByteReader, 64<<10 + 1},
		{"error with data", iotest.DataErrReader, 70_000},
	} {
		got, junk, err := unpacked(&r, packed, way.src, way.piece)
		stricter := errors.Is(err, xz.ErrUnsupported) && !errors.Is(wantErr, library.ErrOptions)
		if stricter || err != nil && strings.Contains(err.Error(), "begin with zero") {
			if n := min(len(got), len(want)); !bytes.Equal(got[:n], want[:n]) {
				t.Fatalf("%s: %d bytes before %v are not those of the library", way.name, len(got), err)
			}
			continue
		}
		if (err == nil) != (wantErr == nil) || err == nil && junk != wantJunk {
			t.Fatalf("%s: %v, junk %t; the library says %v, %t", way.name, err, junk, wantErr, wantJunk)
		}
		if len(got) < len(want) || !bytes.Equal(got[:len(want)], want) || err == nil && len(got) > len(want) {
			t.Fatalf("%s: %d bytes are not the %d of the library (%v, %v)", way.name, len(got), len(want), err, wantErr)
		}
		if errors.Is(wantErr, library.ErrBuf) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("%s: %v; the library says %v", way.name, err, wantErr)
		}
	}
}

// samples are data of many kinds.
func samples(r *rand.Rand) map[string][]byte {
	random := make([]byte, 100_000)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	var text, rows, copies bytes.Buffer
	for i := range 1000 {
		fmt.Fprintf(&text, "  - name: pod-%d\n    image: registry.example.com/it@sha256:%x\n", r.IntN(100), r.Uint64())
		rows.WriteString(strings.Repeat(string(rune('a'+i%7)), r.IntN(600)))
	}
	copies.Write(random[:700]) // then copies of every length from everywhere
	for copies.Len() < 70_000 {
		all := copies.Bytes()
		size, back := 1+r.IntN(300), 1+r.IntN(min(len(all), 1<<(1+r.IntN(17))))
		for range size {
			copies.WriteByte(copies.Bytes()[copies.Len()-back])
		}
		copies.Write(random[:r.IntN(3)])
	}
	return map[string][]byte{
		"nothing": nil, "a byte": {7}, "zeros": make([]byte, 300_000), "random": random, "text": text.Bytes(),
		"rows": rows.Bytes(), "copies": copies.Bytes(), "mixed": slices.Concat(text.Bytes(), random, text.Bytes()),
	}
}

// packings are settings of the library that writes.
func packings() []writer.WriterConfig {
	all := []writer.WriterConfig{
		{NoCheckSum: true}, {CheckSum: writer.CRC32}, {CheckSum: writer.CRC64, BlockSize: 7000},
		{CheckSum: writer.SHA256, DictCap: 4096}, {DictCap: 6 << 10, BufSize: 4096}, {DictCap: 1 << 20},
	}
	for _, p := range []lzma.Properties{{LC: 0, LP: 0, PB: 0}, {LC: 4, LP: 0, PB: 4}, {LC: 0, LP: 4, PB: 1}, {LC: 1, LP: 2, PB: 3}} {
		all = append(all, writer.WriterConfig{Properties: &p, DictCap: 4096})
	}
	return all
}

func TestAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	all, configs := samples(rand.New(rand.NewPCG(1, 2))), packings()
	all["two chunks"] = make([]byte, 2<<20+1000) // one has at most 2 MiB; the first byte of a later one says if it is short
	names := slices.Sorted(maps.Keys(all))
	for _, row := range testkit.Matrix(len(names), len(configs), 5) {
		name, config := names[row[0]], configs[row[1]]
		data := all[name]
		packed := packedBy(config, data)
		if packed == nil {
			continue
		}
		if got, _, err := unpacked(new(xz.Reader), packed, whole, 1<<20); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s, %+v: %d bytes of %d, %v", name, config, len(got), len(data), err)
		}
		agree(t, [][]byte{
			packed,
			slices.Concat(packed, packed, make([]byte, 4)),
			slices.Concat(packed, make([]byte, 3), packed),
			append(packed, "other data"...),
			append(packed, "other"...),
		}[row[2]])
	}
}

// Whatever is cut off or changed, both find it out. Never is other data unpacked without an error.
func TestDamage(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	files := filesOfOthers(t)
	delete(files, "long")
	delete(files, "filter-x86")
	delete(files, "filter-delta")
	names := slices.Sorted(maps.Keys(files))
	for i := range testkit.Tries(2000) {
		name := names[i%len(names)]
		packed := files[name]
		original, _, err := unpacked(new(xz.Reader), packed, whole, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(packed)
		switch i % 4 {
		case 0:
			changed = changed[:r.IntN(len(changed))]
			agree(t, changed)
			got, junk, err := unpacked(new(xz.Reader), changed, whole, 5000)
			whole := err == nil && !junk && !strings.HasPrefix(name, "streams") // which may end between them
			if whole || !bytes.HasPrefix(original, got) {
				t.Fatalf("%s cut off at %d bytes: %d bytes, %v", name, len(changed), len(got), err)
			}
			continue
		case 1:
			changed[r.IntN(len(changed))] = byte(r.Uint32())
		default:
			for range 1 + r.IntN(3) {
				changed[r.IntN(min(len(changed), 1+r.IntN(len(changed))))] ^= 1 << r.IntN(8)
			}
		}
		agree(t, changed)
		got, junk, err := unpacked(new(xz.Reader), changed, whole, 5000)
		unchecked := changed[7] == 0 // the file has no checksums
		if err == nil && !junk && !unchecked && !bytes.Equal(got, original) {
			t.Fatalf("%s: %d bytes of %d, without an error", name, len(got), len(original))
		}
	}
}

// file packs LZMA2 data as a block of a file without checksums. It states the size of the window by
// its property.
func file(property byte, data ...[]byte) []byte {
	word := binary.LittleEndian.AppendUint32
	sum := func(b []byte) []byte { return word(b, crc32.ChecksumIEEE(b)) }
	head := append([]byte("\xfd7zXZ\x00\x00\x00"), word(nil, crc32.ChecksumIEEE([]byte{0, 0}))...)
	block := slices.Concat(sum([]byte{2, 0, 0x21, 1, property, 0, 0, 0}), slices.Concat(data...), []byte{0})
	unpadded := len(block)
	for len(block)%4 > 0 {
		block = append(block, 0)
	}
	size := 0
	if made, _, err := unpacked(new(xz.Reader), slices.Concat(head, block), whole, 1000); err != nil {
		size = len(made)
	}
	index := binary.AppendUvarint(binary.AppendUvarint([]byte{0, 1}, uint64(unpadded)), uint64(size))
	for len(index)%4 > 0 {
		index = append(index, 0)
	}
	index = sum(index)
	foot := append(word(nil, uint32(len(index)/4-1)), 0, 0)
	return slices.Concat(head, block, index, word(nil, crc32.ChecksumIEEE(foot)), foot, []byte("YZ"))
}

// plain is a chunk of bytes that are not packed.
func plain(control byte, data string) []byte {
	return append([]byte{control, byte((len(data) - 1) >> 8), byte(len(data) - 1)}, data...)
}

// chunk is the only chunk of a file without checksums and sizes, with another control byte.
func chunk(t *testing.T, packed []byte, reset byte) []byte {
	t.Helper()
	at := 12 + 4*(int(packed[12])+1)
	size := 6 + int(binary.BigEndian.Uint16(packed[at+3:])) + 1
	if packed[at] < 0xe0 || packed[at+size] != 0 {
		t.Fatal("not one chunk")
	}
	got := bytes.Clone(packed[at : at+size])
	got[0] = reset | got[0]&0x1f
	if reset < 0xc0 {
		got = slices.Delete(got, 5, 6)
	}
	return got
}

// Chunks may reset the window, the properties and the models, or not.
func TestChunks(t *testing.T) {
	files, text := filesOfOthers(t), string(othersText())
	free := files["properties-0-0-0"] // its data depends neither on its position nor on the byte before
	const window = 16                 // 1 MiB
	for name, c := range map[string]struct {
		data  [][]byte
		want  string
		valid bool
	}{
		"plain":                 {[][]byte{plain(1, "abc"), plain(2, "def")}, "abcdef", true},
		"plain, two windows":    {[][]byte{plain(1, "abc"), plain(1, "def")}, "abcdef", true},
		"plain without window":  {[][]byte{plain(2, "abc")}, "", false},
		"packed":                {[][]byte{chunk(t, free, 0xe0)}, text, true},
		"packed, two windows":   {[][]byte{chunk(t, free, 0xe0), chunk(t, files["check-none"], 0xe0)}, text + text, true},
		"packed without window": {[][]byte{chunk(t, free, 0xc0)}, "", false},
		"packed after plain":    {[][]byte{plain(1, "abc"), chunk(t, free, 0xc0), plain(2, "d")}, "abc" + text + "d", true},
		"properties":            {[][]byte{chunk(t, files["level-1"], 0xe0), chunk(t, free, 0xc0)}, text + text, true},
		"models":                {[][]byte{chunk(t, free, 0xe0), plain(2, "a"), chunk(t, free, 0xa0)}, text + "a" + text, true},
		"models, no properties": {[][]byte{plain(1, "abc"), chunk(t, free, 0xa0)}, "abc", false},
		"nothing, no models":    {[][]byte{plain(1, "abc"), chunk(t, free, 0x80)}, "abc", false},
		"unknown":               {[][]byte{plain(1, "abc"), {3}}, "abc", false},
		"large and plain":       {[][]byte{plain(1, strings.Repeat("x", 1<<16)), plain(2, text)}, strings.Repeat("x", 1<<16) + text, true},
	} {
		t.Run(name, func(t *testing.T) {
			packed := file(window, c.data...)
			agree(t, packed)
			got, _, err := unpacked(new(xz.Reader), packed, whole, 1000)
			if c.valid && (err != nil || string(got) != c.want) || !c.valid && !errors.Is(err, xz.ErrCorrupt) || !strings.HasPrefix(c.want, string(got)) {
				t.Errorf("%d bytes of %d, %v", len(got), len(c.want), err)
			}
		})
	}
}

// The window takes no more than what is unpacked, whatever the file states, and no more than is
// allowed.
func TestWindowsGrow(t *testing.T) {
	small := plain(1, "abc")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, _, err := unpacked(new(xz.Reader), file(28, small), whole, 1000) // 64 MiB
	runtime.ReadMemStats(&after)
	if kib := (after.TotalAlloc - before.TotalAlloc) >> 10; kib > 1024 || err != nil || string(got) != "abc" {
		t.Errorf("%q, %v, %d KiB", got, err, kib)
	}
	for property, want := range map[byte]error{29: xz.ErrWindow, 40: xz.ErrWindow, 41: xz.ErrUnsupported} {
		if _, _, err := unpacked(new(xz.Reader), file(property, small), whole, 1000); !errors.Is(err, want) {
			t.Errorf("property %d: %v", property, err)
		}
	}
	data := bytes.Repeat(samples(rand.New(rand.NewPCG(5, 6)))["mixed"], 3)
	var r xz.Reader
	for _, window := range []int{1 << 16, 1 << 20, 1 << 16, 96 << 10} { // one reader, as they come
		packed := testkit.XZBy(writer.WriterConfig{DictCap: window}, data)
		if got, _, err := unpacked(&r, packed, whole, 1<<20); err != nil || !bytes.Equal(got, data) {
			t.Errorf("window of %d: %d bytes of %d, %v", window, len(got), len(data), err)
		}
		if _, _, err := unpacked(&r, packed[:len(packed)/2], whole, 1<<20); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("half of window %d: %v", window, err)
		}
	}
}

// Errors of the source are returned as they are, after what was read before.
func TestErrorsOfTheSource(t *testing.T) {
	broken := errors.New("the disk is broken")
	packed := filesOfOthers(t)["check-crc64"]
	for cut := range packed {
		src := io.MultiReader(bytes.NewReader(packed[:cut]), iotest.ErrReader(broken))
		got, _, err := unpacked(new(xz.Reader), nil, func(io.Reader) io.Reader { return src }, 1000)
		if !errors.Is(err, broken) || !bytes.HasPrefix(othersText(), got) {
			t.Fatalf("at %d: %d bytes, %v", cut, len(got), err)
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, data := range samples(rand.New(rand.NewPCG(7, 8))) {
		for _, config := range packings() {
			f.Add(testkit.XZBy(config, data[:min(len(data), 3000)]))
		}
	}
	for _, packed := range filesOfOthers(f) {
		f.Add(packed)
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		if data, _, _ := byLibrary(packed); len(data) < 16<<20 {
			agree(t, packed)
		}
	})
}

// packedBy packs data; nil if the writer panics.
func packedBy(c writer.WriterConfig, data []byte) (packed []byte) {
	defer func() {
		if recover() != nil {
			packed = nil
		}
	}()
	return testkit.XZBy(c, data)
}

// FuzzWriter packs anything with settings of all sorts.
func FuzzWriter(f *testing.F) {
	for _, data := range samples(rand.New(rand.NewPCG(9, 10))) {
		for i := range packings() {
			f.Add(data[:min(len(data), 3000)], uint8(i), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, config, property uint8) {
		c := packings()[int(config)%len(packings())]
		if lc, lp, pb := int(property%5), int(property/5%5), int(property/25%5); lc+lp <= 4 {
			c.Properties = &lzma.Properties{LC: lc, LP: lp, PB: pb}
		}
		packed := packedBy(c, data)
		if packed == nil {
			t.Skip("the writer panics")
		}
		if got, _, err := unpacked(new(xz.Reader), packed, whole, 5000); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes of %d, %v", len(got), len(data), err)
		}
	})
}

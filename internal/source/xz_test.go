package source

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

func unxz(data []byte) (string, bool, error) {
	junk := false
	x, err := new(walker).unxz(bufio.NewReader(bytes.NewReader(data)), &junk)
	if err != nil {
		return "", false, err
	}
	out, err := io.ReadAll(x)
	return string(out), junk, err
}

func TestXZ(t *testing.T) {
	text := strings.Repeat("some text that repeats ", 5000)
	for name, data := range map[string][]byte{
		"one":     xzOf([]byte(text)),
		"blocks":  xzWith(xz.WriterConfig{BlockSize: 10_000}, []byte(text)),
		"streams": slicesConcat(xzOf([]byte(text[:70])), xzOf(nil), make([]byte, 12), xzOf([]byte(text[70:])), make([]byte, 4)),
	} {
		got, junk, err := unxz(data)
		if got != text || junk || err != nil {
			t.Errorf("%s: %d bytes of %d, junk %t, %v", name, len(got), len(text), junk, err)
		}
	}
	if got, junk, err := unxz(xzOf(nil)); got != "" || junk || err != nil {
		t.Errorf("empty: %q, %t, %v", got, junk, err)
	}
}

func TestXZFindsEveryChange(t *testing.T) {
	text := strings.Repeat("abc ", 50) + "end"
	for _, data := range [][]byte{xzOf([]byte(text)), xzWith(xz.WriterConfig{BlockSize: 60, CheckSum: xz.SHA256}, []byte(text))} {
		for at := range data {
			for _, flip := range []byte{1, 0x80, 0xff} {
				bad := bytes.Clone(data)
				bad[at] ^= flip
				if got, junk, err := unxz(bad); err == nil && !junk && got != text {
					t.Fatalf("byte %d of %d changed by %#x is not noticed (%d bytes)", at, len(data), flip, len(got))
				}
			}
		}
		for cut := range data {
			if _, _, err := unxz(data[:cut]); err != io.ErrUnexpectedEOF {
				t.Fatalf("cut at %d of %d: %v", cut, len(data), err)
			}
		}
	}
}

func TestXZKeepsItsError(t *testing.T) {
	data := xzOf([]byte("text"))
	data[len(data)-20] ^= 1
	r, err := new(walker).unxz(bufio.NewReader(bytes.NewReader(data)), new(bool))
	must(err)
	_, first := io.Copy(io.Discard, r)
	if _, second := r.Read(make([]byte, 1)); first == nil || second != first {
		t.Errorf("first %v, then %v", first, second)
	}
}

// statingDictionary makes every block of an xz file without stated sizes say that it needs the dictionary of this property.
func statingDictionary(data []byte, property byte) []byte {
	data = bytes.Clone(data)
	filter := []byte{0x02, 0x00, 0x21, 0x01} // size of the header in words, flags, filter, size of its properties
	for at := 0; ; at += 12 {
		next := bytes.Index(data[at:], filter)
		if next < 0 {
			return data
		}
		at += next
		data[at+4] = property
		binary.LittleEndian.PutUint32(data[at+8:], crc32.ChecksumIEEE(data[at:at+8]))
	}
}

// zstFrames are frames that state a window of 256 MiB each.
func zstFrames(n int) []byte {
	var b bytes.Buffer
	for range n {
		b.WriteString("\x28\xb5\x2f\xfd\x00\x90\x09\x00\x00#") // one raw block of one byte
	}
	return b.Bytes()
}

func TestWindowsGrowWithWhatIsUnpacked(t *testing.T) {
	const n = 200
	blocks := statingDictionary(xzWith(xz.WriterConfig{BlockSize: 20}, bytes.Repeat([]byte("#"), 20*n)), 32)
	single := statingDictionary(xzOf([]byte("# nothing")), 32)
	files := map[string][]entry{"xz": nil, "zst": nil}
	for i := range n {
		files["xz"] = append(files["xz"], entry{name: fmt.Sprintf("%d.yaml.xz", i), data: string(single)})
		files["zst"] = append(files["zst"], entry{name: fmt.Sprintf("%d.yaml.zst", i), data: string(zstFrames(1))})
	}
	for what, data := range map[string][]byte{
		"blocks of xz": blocks, "streams of xz": bytes.Repeat(single, n), "frames of zstd": zstFrames(n),
		"files of xz": tarOf(files["xz"]...), "files of zstd": tarOf(files["zst"]...),
		"files of xz in a zip": zipBy(zip.Store, files["xz"]...),
	} {
		t.Run(what, func(t *testing.T) {
			path := writeFile(t, "x", data)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := walk(t, Options{Want: Candidate}, path)
			runtime.ReadMemStats(&after)
			if len(got.sum.Problems) > 0 || len(got.files) == 0 {
				t.Errorf("%d files, problems %.3v", len(got.files), got.sum.Problems)
			}
			if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 300 {
				t.Errorf("%d bytes took %d MiB", len(data), mib)
			}
		})
	}
}

package source

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"runtime"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// statingDictionary makes every block of an xz file without stated sizes say that it needs the
// dictionary of this property.
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
	blocks := statingDictionary(testkit.XZBy(xz.WriterConfig{BlockSize: 20}, bytes.Repeat([]byte("#"), 20*n)), 32)
	single := statingDictionary(testkit.XZ([]byte("# nothing")), 32)
	files := map[string][]testkit.Entry{"xz": nil, "zst": nil}
	for i := range n {
		files["xz"] = append(files["xz"], testkit.Entry{Name: fmt.Sprintf("%d.yaml.xz", i), Data: string(single)})
		files["zst"] = append(files["zst"], testkit.Entry{Name: fmt.Sprintf("%d.yaml.zst", i), Data: string(zstFrames(1))})
	}
	for what, data := range map[string][]byte{
		"blocks of xz": blocks, "streams of xz": bytes.Repeat(single, n), "frames of zstd": zstFrames(n),
		"files of xz": testkit.Tar(files["xz"]...), "files of zstd": testkit.Tar(files["zst"]...),
		"files of xz in a zip": testkit.Zip(zip.Store, files["xz"]...),
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

package source

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
)

// TestNoBitOfAZipListHidesAnEntry changes bits of the list of a zip archive, which has no checksum:
// what is read is right, or there is a problem. It changes every fifth bit, and with Whole each.
func TestNoBitOfAZipListHidesAnEntry(t *testing.T) {
	t.Parallel()
	data := zipOf(manyFiles()[:3]...)
	file := writeFile(t, "x.zip", data)
	right := walkWritten(t, file, data).names()
	step := 5
	if testkit.Whole() {
		step = 1
	}
	for bit := 8 * bytes.Index(data, []byte("PK\x01\x02")); bit < 8*len(data); bit += step {
		bad := bytes.Clone(data)
		bad[bit/8] ^= 1 << (bit % 8)
		got := walkWritten(t, file, bad)
		if names := got.names(); fmt.Sprint(names) != fmt.Sprint(right) && len(got.sum.Problems) == 0 {
			t.Errorf("bit %d of byte %d: %d of %d files, and no problem", bit%8, bit/8, len(names), len(right))
		}
	}
}

// TestWhatTheListOfAZipLacksIsAProblem: the list is held against all that is in the archive.
func TestWhatTheListOfAZipLacksIsAProblem(t *testing.T) {
	a, b := zipOf(testkit.Entry{Name: "a.yaml", Data: config("a")}), zipOf(testkit.Entry{Name: "b.yaml", Data: config("b")})
	both := zipOf(testkit.Entry{Name: "a.yaml", Data: config("a")}, testkit.Entry{Name: "b.yaml", Data: config("b")})
	list := bytes.Index(both, []byte("PK\x01\x02"))
	second := list + bytes.Index(both[list+1:], []byte("PK\x01\x02")) + 1
	end := bytes.LastIndex(both, []byte("PK\x05\x06"))
	without := func(from, to int) []byte { // the list without one of its entries
		out := slicesConcat(both[:from], both[to:])
		tail := out[len(out)-22:]
		tail[8], tail[10] = 1, 1
		binary.LittleEndian.PutUint32(tail[12:], uint32(end-list-(to-from)))
		return out
	}
	large := testkit.Zip(
		zip.Store, testkit.Entry{Name: "a.yaml", Data: config(strings.Repeat("a", 200_000))},
	) // over several steps
	for what, data := range map[string][]byte{
		"one behind another": slicesConcat(a, b), "an empty one behind": slicesConcat(a, zipOf()), "without the first": without(list, second), "without the last": without(second, end),
		"a large one before": slicesConcat(large, b),
	} {
		for _, got := range []walked{walkBytes(t, Options{}, "x.zip", data), walkStdin(t, Options{}, data)} {
			if len(got.sum.Problems) != 1 || got.sum.Problems[0].Code != code.ArchiveBroken ||
				!strings.Contains(got.sum.Problems[0].Message, "not in its central directory") {
				t.Errorf("%s: %v, problems %v", what, got.names(), got.sum.Problems)
			}
		}
	}
	inner := testkit.Zip(
		zip.Store, testkit.Entry{Name: "in.zip", Data: string(both)}, testkit.Entry{Name: "c.yaml", Data: config("c")},
	)
	for what, data := range map[string][]byte{"none": both, "a stored archive": inner, "empty": zipOf()} {
		if got := walkBytes(t, Options{}, "x.zip", data); len(got.sum.Problems) != 0 {
			t.Errorf("%s: %v", what, got.sum.Problems)
		}
	}
}

// TestAListThatContradictsAnEntryIsAProblem: a list that says less of an entry than what stands
// before its content.
func TestAListThatContradictsAnEntryIsAProblem(t *testing.T) {
	text := config("a") + "---\n" + config("b")
	short := len(config("a"))
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	f, err := w.CreateRaw(&zip.FileHeader{
		Name:               "a.yaml",
		Method:             zip.Store,
		CRC32:              crc32.ChecksumIEEE([]byte(text)),
		CompressedSize64:   uint64(len(text)),
		UncompressedSize64: uint64(len(text)),
	})
	must(err)
	_, err = f.Write([]byte(text))
	must(errors.Join(err, w.Close()))
	if got := walkBytes(t, Options{}, "x.zip", packed.Bytes()); len(got.files) != 1 || got.sum.Problems != nil {
		t.Fatalf("%v %v", got.names(), got.sum.Problems)
	}
	list := bytes.Index(packed.Bytes(), []byte("PK\x01\x02"))
	le := binary.LittleEndian
	for what, change := range map[string]func(listed []byte){
		"shorter": func(listed []byte) {
			le.PutUint32(listed[16:], crc32.ChecksumIEEE([]byte(text[:short])))
			le.PutUint32(listed[20:], uint32(short))
			le.PutUint32(listed[24:], uint32(short))
		},
		"another name": func(listed []byte) { listed[46] = 'b' },
	} {
		bad := bytes.Clone(packed.Bytes())
		change(bad[list:])
		if got := walkBytes(t, Options{}, "x.zip", bad); len(got.sum.Problems) != 1 ||
			got.sum.Problems[0].Code != code.ArchiveBroken {
			t.Errorf("%s: %v, problems %v", what, got.names(), got.sum.Problems)
		}
	}
}

package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
)

// overlapped is a zip archive whose list names its first entry once more for each of the names.
func overlapped(names []string, entries ...testkit.Entry) []byte {
	data := zipOf(entries...)
	list := bytes.Index(data, []byte("PK\x01\x02"))
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	first := data[list : list+46+len(entries[0].Name)]
	out := bytes.Clone(data[:end])
	for _, name := range names {
		one := bytes.Clone(first[:46])
		binary.LittleEndian.PutUint16(one[28:], uint16(len(name)))
		binary.LittleEndian.PutUint16(one[30:], 0) // no extra field
		out = append(append(out, one...), name...)
	}
	tail := bytes.Clone(data[end:])
	count := uint16(len(entries) + len(names))
	binary.LittleEndian.PutUint16(tail[8:], count)
	binary.LittleEndian.PutUint16(tail[10:], count)
	binary.LittleEndian.PutUint32(tail[12:], uint32(len(out)-list))
	return append(out, tail...)
}

func TestEntriesOfAZipThatShareTheirBytesAreReadOnce(t *testing.T) {
	var names []string
	for i := range 50 {
		names = append(names, fmt.Sprintf("again%02d.yaml", i))
	}
	data := overlapped(
		names, testkit.Entry{Name: "a.yaml", Data: big(3000)}, testkit.Entry{Name: "z.yaml", Data: config("z")},
	)
	got := walkBytes(t, Options{}, "x.zip", data)
	if diff := cmp.Diff([]string{"a.yaml=big\n" + strings.Repeat("# filling\n", 300)[:2999], "z.yaml=z"}, got.names()); diff != "" {
		t.Error(diff)
	}
	if p := got.sum.Problems; len(p) != 1 || p[0].Code != code.ArchiveBroken ||
		!strings.Contains(p[0].Message, "overlaps other entries") ||
		!strings.Contains(p[0].Message, "49 more") {
		t.Errorf("problems: %v", p)
	}
}

func TestAnEntryOfAZipThatSpansOthersIsTheOneLeftOut(t *testing.T) {
	data := testkit.Zip(
		zip.Store,
		testkit.Entry{Name: "a.yaml", Data: config("a")},
		testkit.Entry{Name: "b.yaml", Data: config("b")},
		testkit.Entry{Name: "c.yaml", Data: config("c")},
	)
	listed := data[bytes.Index(data, []byte("PK\x01\x02")):]
	binary.LittleEndian.PutUint32(listed[20:], uint32(len(data))) // the packed size of a.yaml
	got := walkBytes(t, Options{}, "x.zip", data)
	if diff := cmp.Diff([]string{"b.yaml=b", "c.yaml=c"}, got.names()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]code.Code{code.ArchiveBroken}, got.codes()); diff != "" {
		t.Error(diff)
	}
}

// sparseTar is a tar archive whose entries are said to be of a size and are nothing but a hole.
func sparseTar(size int64, names ...string) []byte {
	var b bytes.Buffer
	for _, name := range names {
		header := make([]byte, tarBlock)
		copy(header, name)
		copy(header[100:], "0000644\x000000000\x000000000\x0000000000000\x0000000000000\x00")
		header[156] = tar.TypeGNUSparse
		copy(header[257:], "ustar  \x00")
		copy(header[386:], fmt.Sprintf("%011o\x00%011o\x00", size, 0)) // one piece of no bytes, at the end
		copy(header[483:], fmt.Sprintf("%011o\x00", size))
		setChecksum(header)
		b.Write(header)
	}
	b.Write(make([]byte, 2*tarBlock))
	return b.Bytes()
}

func TestHolesOfSparseFilesCountAsUnpacked(t *testing.T) {
	data := sparseTar(3<<20, "a.yaml", "b.yaml", "c.yaml")
	for limit, want := range map[int64]int{10 << 20: 3, 4 << 20: 1, 1 << 20: 0} {
		got := walkBytes(t, Options{Limits: Limits{Unpacked: limit}}, "x.tar", data)
		var problems []code.Code
		if want < 3 {
			problems = []code.Code{code.LimitUnpacked}
		}
		if diff := cmp.Diff(problems, got.codes()); diff != "" || len(got.files) != want {
			t.Errorf("limit %d: %d files: %s", limit, len(got.files), diff)
		}
	}
	got := walkBytes(t, Options{Limits: Limits{File: 1 << 20}}, "x.tar", data)
	if diff := cmp.Diff([]code.Code{code.LimitSize, code.LimitSize, code.LimitSize}, got.codes()); diff != "" {
		t.Error(diff)
	}
}

package archive

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// tarHeader is the header of an entry, with the checksum set.
func tarHeader(name string, kind byte, size int) []byte {
	h := make([]byte, tarBlock)
	copy(h, name)
	copy(h[100:], "0000644\x000000000\x000000000\x00")
	copy(h[124:], fmt.Sprintf("%011o\x00%011o\x00        ", size, 0))
	h[156] = kind
	copy(h[257:], "ustar\x0000")
	sum := 0
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return h
}

// tarEntry is a header, with content padded to whole blocks.
func tarEntry(name string, kind byte, content string) []byte {
	padding := make([]byte, (tarBlock-len(content)%tarBlock)%tarBlock)
	return bytes.Join([][]byte{tarHeader(name, kind, len(content)), []byte(content), padding}, nil)
}

// paxRecord is a record of a PAX header: its own length, a key and a value.
func paxRecord(key, value string) string {
	rest := " " + key + "=" + value + "\n"
	n := len(rest)
	for len(fmt.Sprint(n))+len(rest) != n {
		n = len(fmt.Sprint(n)) + len(rest)
	}
	return fmt.Sprint(n) + rest
}

func openTar(t *testing.T, limits Limits, entries ...[]byte) *Tar {
	data := append(bytes.Join(entries, nil), make([]byte, 2*tarBlock)...)
	s, err := NewUnpacker(t.Context(), limits).Open(bytes.NewReader(data), false)
	must(err)
	t.Cleanup(s.End)
	return s.Tar()
}

// TestTarEntriesWithoutFiles: labels of volumes, lists of folders and attributes have a name and
// are no files; an entry of an unknown type is one.
func TestTarEntriesWithoutFiles(t *testing.T) {
	for kind, want := range map[byte]Kind{
		'0': File, '5': Other, 'V': Other, 'D': Other, 'X': Other, 'A': Other, '3': Special, '6': Special, 'Z': File,
	} {
		e, err := openTar(t, testLimits(), tarEntry("pod.yaml", kind, "")).Next()
		if err != nil || e.Kind != want {
			t.Errorf("type %q is of kind %v, %v, want %v", kind, e.Kind, err, want)
		}
	}
}

// TestHolesCountInEachForm: the holes of a sparse file take no bytes of the archive, and count
// against what may be unpacked, however the archive says where they are.
func TestHolesCountInEachForm(t *testing.T) {
	const size = 3 << 20
	name, whole := paxRecord("GNU.sparse.name", "a.yaml"), fmt.Sprint(size)
	list := fmt.Sprintf("1\n%d\n0\n", size)
	for form, data := range map[string][]byte{
		"0.1": append(
			tarEntry("PaxHeaders/a", 'x', name+paxRecord("GNU.sparse.size", whole)+
				paxRecord("GNU.sparse.numblocks", "1")+paxRecord("GNU.sparse.map", whole+",0")),
			tarEntry("a", '0', "")...),
		"1.0": append(
			tarEntry("PaxHeaders/a", 'x', name+paxRecord("GNU.sparse.realsize", whole)+
				paxRecord("GNU.sparse.major", "1")+paxRecord("GNU.sparse.minor", "0")),
			tarEntry("a", '0', list+strings.Repeat("\x00", tarBlock-len(list)))...),
	} {
		for limit, over := range map[int64]bool{size: false, size - 1: true} {
			limits := testLimits()
			limits.Unpacked = limit
			e, err := openTar(t, limits, data).Next()
			if err != nil || e.Name != "a.yaml" || e.Size != size {
				t.Fatalf("form %s: %q of %d bytes, %v", form, e.Name, e.Size, err)
			}
			r, err := e.Open()
			must(err)
			if n, err := io.Copy(io.Discard, r); (err == ErrUnpacked) != over {
				t.Errorf("form %s, limit %d: %d bytes, %v", form, limit, n, err)
			}
		}
	}
}

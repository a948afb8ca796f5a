package cli

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// packed is one entry of an archive that a test builds.
type packed struct {
	name, data string
	kind       byte // a type flag of tar; 0 is a regular file
	link       string
	pax        map[string]string
}

func tarOf(entries ...packed) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: e.kind, Linkname: e.link, Mode: 0o644, Size: int64(len(e.data)), PAXRecords: e.pax}
		if e.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		must(w.WriteHeader(h))
		_, err := io.WriteString(w, e.data)
		must(err)
	}
	must(w.Close())
	return b.Bytes()
}

func zipOf(method uint16, entries ...packed) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		f, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: method})
		must(err)
		_, err = io.WriteString(f, e.data)
		must(err)
	}
	must(w.Close())
	return b.Bytes()
}

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	must(err)
	must(w.Close())
	return b.Bytes()
}

func xzipped(data []byte) []byte {
	var b bytes.Buffer
	w, err := xz.WriterConfig{DictCap: 1 << 16}.NewWriter(&b)
	must(err)
	_, err = w.Write(data)
	must(err)
	must(w.Close())
	return b.Bytes()
}

func zstandard(data []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	must(err)
	defer w.Close()
	return w.EncodeAll(data, nil)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// noise is text that does not compress, so that what stands before it is unpacked when it breaks off.
func noise(n int) string {
	b := make([]byte, n)
	rand.New(rand.NewSource(1)).Read(b)
	return base64.StdEncoding.EncodeToString(b)
}

// holes is an entry of a tar archive that is said to have a size and is nothing but a hole.
func holes(name string, size int64) []byte {
	h := make([]byte, 512)
	copy(h, name)
	copy(h[100:], "0000644\x000000000\x000000000\x0000000000000\x0000000000000\x00")
	h[156] = tar.TypeGNUSparse
	copy(h[257:], "ustar  \x00")
	copy(h[386:], fmt.Sprintf("%011o\x00%011o\x00", size, 0))
	copy(h[483:], fmt.Sprintf("%011o\x00", size))
	return summed(h)
}

// summed puts the checksum into a tar header.
func summed(h []byte) []byte {
	copy(h[148:], "        ")
	sum := 0
	for _, c := range h[:512] {
		sum += int(c)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return h
}

// unended is a tar archive without the blocks that mark its end.
func unended(entries ...packed) []byte {
	data := tarOf(entries...)
	return data[:len(data)-1024]
}

// listOf returns where the list of a zip archive begins.
func listOf(data []byte) int { return bytes.Index(data, []byte("PK\x01\x02")) }

// listed returns the entry in the list of a zip archive that has this name.
func listed(data []byte, name string) []byte {
	return data[bytes.LastIndex(data, []byte(name))-46:]
}

// repeated is a zip archive whose list names an entry again and again.
func repeated(times int, entries ...packed) []byte {
	data := zipOf(zip.Deflate, entries...)
	last := entries[len(entries)-1]
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	one := bytes.Clone(listed(data, last.name)[:46])
	out := bytes.Clone(data[:end])
	for i := range times {
		name := fmt.Sprintf("again%d.yaml", i)
		binary.LittleEndian.PutUint16(one[28:], uint16(len(name)))
		binary.LittleEndian.PutUint16(one[30:], 0)
		out = append(append(out, one...), name...)
	}
	tail := bytes.Clone(data[end:])
	for _, at := range []int{8, 10} {
		binary.LittleEndian.PutUint16(tail[at:], uint16(len(entries)+times))
	}
	binary.LittleEndian.PutUint32(tail[12:], uint32(len(out)-listOf(data)))
	return append(out, tail...)
}

// writeFiles makes a folder of files, by slash-separated path.
func writeFiles(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, data := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// bzipped is a tar archive with goodCR and another, made with bzip2, which Go cannot write.
func bzipped() []byte {
	data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(bzippedText, "\n", ""))
	must(err)
	return data
}

const bzippedText = `
QlpoMTFBWSZTWRcf3X0AAL1flMyQQAVvkAgCAZBv7986IABAAAgIMADYBgDTQ0aMRkA0AGhhgDTQ0aMRkA0AGhgVSUxG0mhkmhkBoMRtE9J7puyTNkBKkhC6
3g1Jl2S1YrQhIdStxUtkRelEetsuncsIzJEPLzoQz0xg1+Cle27kqtk0ptLejk3lz6cEzmbUmY6Pl2TVLTOwVt6hQ5MMqX21Of4pLFK3tovVMHR1XrE15Qkx
a0lLQobSTModW5lrWJGlJOOKTFQZFTPcxTYu2Q2LXsiD/F3JFOFCQFx/dfQ=
`

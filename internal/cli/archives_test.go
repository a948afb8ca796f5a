package cli

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/rand"
	"strings"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// noise is text that does not compress, so that what stands before it is unpacked when it breaks
// off.
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
func unended(entries ...pack.Entry) []byte {
	data := pack.Tar(entries...)
	return data[:len(data)-1024]
}

// listOf returns where the list of a zip archive begins.
func listOf(data []byte) int { return bytes.Index(data, []byte("PK\x01\x02")) }

// listed returns the entry in the list of a zip archive that has this name.
func listed(data []byte, name string) []byte {
	return data[bytes.LastIndex(data, []byte(name))-46:]
}

// repeated is a zip archive whose list names an entry again and again.
func repeated(times int, entries ...pack.Entry) []byte {
	data := pack.Zip(zip.Deflate, entries...)
	last := entries[len(entries)-1]
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	one := bytes.Clone(listed(data, last.Name)[:46])
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

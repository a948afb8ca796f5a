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

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// noise returns text that does not compress.
func noise(n int) string {
	b := make([]byte, n)
	rand.New(rand.NewSource(1)).Read(b)
	return base64.StdEncoding.EncodeToString(b)
}

// summed sets the checksum of a tar header.
func summed(h []byte) []byte {
	copy(h[148:], "        ")
	sum := 0
	for _, c := range h[:512] {
		sum += int(c)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return h
}

// unended makes a tar archive without the blocks that mark its end.
func unended(entries ...pack.Entry) []byte {
	data := pack.Tar(entries...)
	return data[:len(data)-1024]
}

// hostileArchives returns inputs that are archives with the good CR. Tests of internal/input/source cover
// damage.
func hostileArchives() []hostile {
	good, other := pack.Entry{Name: "good.yaml", Data: goodCR}, pack.Entry{Name: "z.yaml", Data: config("z")}
	broken := func(name, code string, archive []byte) hostile {
		return hostile{name: name, archive: archive, lost: true, codes: code}
	}
	limited := func(name, limit, code string, archive []byte) hostile {
		return hostile{name: name, archive: archive, lost: true, codes: code, args: "--nested --limit " + limit}
	}
	sized := func(size string) []byte { // in the header of the second entry
		data := pack.Tar(good, other)
		copy(data[1024+124:], size)
		summed(data[1024:])
		return data
	}
	listed := func(size uint32) []byte { // in the list of a zip archive
		data := pack.Zip(zip.Deflate, good, other)
		binary.LittleEndian.PutUint32(data[bytes.LastIndex(data, []byte("z.yaml"))-46+24:], size)
		return data
	}
	inTar, inFile := pack.Tar(other), []byte(config("deep"))
	for range 6 {
		inTar = pack.Tar(pack.Entry{Name: "in.tar.gz", Data: string(pack.GZ(inTar))})
		inFile = pack.GZ(inFile)
	}
	bomb := pack.Entry{Name: "bomb.yaml", Data: strings.Repeat("\x00", 8<<20)}
	bombed := pack.Tar(good, bomb)
	return []hostile{
		broken("tar with a huge size", "VT5001", sized("\x80\x00\x00\x00\x3f\xff\xff\xff\xff\xff\xff\xff")),
		broken("tar with a negative size", "VT1006", sized("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xf0")),
		broken("tar with a size that is no number", "VT1006", sized("99999999999\x00")),
		broken("pax with an absurd size", "VT5001", append(append(unended(good), paxHeader("26 size=99999999999999999\n")...), pack.Tar(other)...)),
		broken("pax that is no record", "VT1006", append(append(unended(good), paxHeader("999 broken")...), pack.Tar(other)...)),
		broken("pax larger than any", "VT1006", append(append(unended(good), paxHeader(strings.Repeat("x", 2<<20))...), pack.Tar(other)...)),
		broken("zip with a size too small", "VT1006", listed(5)),
		broken("zip with a size too large", "VT1006", listed(1<<31)),
		limited("gz bomb", "unpacked=2MiB", "VT5006", pack.GZ(bombed)),
		limited("xz bomb", "unpacked=2MiB", "VT5006", pack.XZ(bombed)),
		limited("zst bomb", "unpacked=2MiB", "VT5006", pack.ZST(bombed)),
		limited("zip bomb", "unpacked=2MiB", "VT5006", pack.Zip(zip.Deflate, good, bomb)),
		limited("large entry", "file=1MiB", "VT5001", pack.GZ(pack.Tar(good, bomb, other))),
		limited("archives in archives", "depth=3", "VT5002", append(unended(good), inTar...)),
		limited("compressed over and over", "depth=3", "VT5002", pack.Tar(good, pack.Entry{Name: "deep.yaml.gz", Data: string(inFile)})),
		{name: "names that climb", codes: "VT1010", archive: pack.Tar(good, pack.Entry{Name: "a/../../../up.yaml", Data: config("up")})},
		{name: "a name of 100 kB", codes: "VT1010", archive: pack.Tar(good, pack.Entry{Name: strings.Repeat("n", 100_000) + ".yaml", Data: config("n")})},
		{name: "names with escapes", codes: "VT1044", archive: pack.Tar(
			good,
			pack.Entry{Name: "a\x1b[2J\x1b]0;owned\a\u202eb\r\n.yaml", Data: config("e")},
			pack.Entry{Name: "z\xff\x9b.yaml", Data: strings.ReplaceAll(goodCR, "lenient", "other")},
		)},
	}
}

// paxHeader returns an entry of extended headers with this content.
func paxHeader(content string) []byte {
	h := make([]byte, 512)
	copy(h, "pax")
	copy(h[100:], "0000644\x000000000\x000000000\x00")
	copy(h[124:], fmt.Sprintf("%011o\x0000000000000\x00", len(content)))
	h[156] = tar.TypeXHeader
	copy(h[257:], "ustar\x0000")
	return append(summed(h), append([]byte(content), make([]byte, (512-len(content)%512)%512)...)...)
}

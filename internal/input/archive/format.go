package archive

import (
	"bytes"
	"path"
	"strings"

	"github.com/validationtool/validationtool/internal/input/collector"
)

// format is the format that the first bytes of a file show.
type format string

const (
	formatPlain format = ""
	formatTar   format = "tar"
	formatZip   format = "zip"
	formatGzip  format = "gz"
	formatXZ    format = "xz"
	formatZstd  format = "zst"
	formatBzip2 format = "bz2"
)

func (f format) archive() bool { return f == formatTar || f == formatZip }

// HeadSize is the number of bytes that are needed to recognize a format.
const HeadSize = 512

// IsPacked reports whether a file that begins with head is compressed or an archive. HeadSize bytes
// are enough.
func IsPacked(head []byte) bool { return sniff(head) != formatPlain }

// sniff recognizes the format from the first HeadSize bytes.
func sniff(head []byte) format {
	starts := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	switch {
	case starts("\x1f\x8b\x08"):
		return formatGzip
	case starts("PK\x03\x04"), starts("PK\x05\x06"), starts("PK\x07\x08"):
		return formatZip
	case starts("\xfd7zXZ\x00"):
		return formatXZ
	case starts("\x28\xb5\x2f\xfd"),
		len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18": // or a skippable frame
		return formatZstd
	case isBzip2(head):
		return formatBzip2
	case isTar(head):
		return formatTar
	}
	return formatPlain
}

// Foreign returns, for a known archive or compression format that cannot be unpacked, its name and
// what to do; else "".
func Foreign(head []byte) string {
	for _, known := range []struct{ magic, name string }{
		{"7z\xbc\xaf\x27\x1c", "7z"}, {"Rar!\x1a\x07", "RAR"}, {"\x04\x22\x4d\x18", "lz4"}, {"LZIP", "lzip"}, {"\x1f\x9d", "compress"},
		{"\x5d\x00\x00", "lzma"},
	} {
		if bytes.HasPrefix(head, []byte(known.magic)) {
			return unknownPacking(known.name)
		}
	}
	for _, known := range []struct{ magic, name string }{
		{"age-encryption.org/", "age"}, {"-----BEGIN AGE ENCRYPTED FILE-----", "age"}, {"-----BEGIN PGP MESSAGE-----", "PGP"}, {"Salted__", "OpenSSL"},
		{"\x00GITCRYPT\x00", "git-crypt"}, {"$ANSIBLE_VAULT;", "Ansible Vault"},
	} {
		if bytes.HasPrefix(head, []byte(known.magic)) {
			return encrypted(known.name)
		}
	}
	return ""
}

// ForeignName does the same as Foreign, by the suffix of a file's name.
func ForeignName(name string) string {
	switch ext := collector.Extension(name); ext {
	case "7z", "rar", "lz4", "lzma":
		return unknownPacking(ext)
	case "lz", "tlz":
		return unknownPacking("lzip")
	case "z":
		return unknownPacking("compress")
	case "gpg", "pgp", "age", "aes", "enc":
		return encrypted(ext)
	}
	return ""
}

func unknownPacking(name string) string {
	return "in an unsupported format (" + name + "); unpack it"
}

func encrypted(name string) string { return "encrypted (" + name + "); decrypt it" }

// isBzip2 checks the magic number of the stream and that of its first block, or of the end of an
// empty stream.
func isBzip2(head []byte) bool {
	if len(head) < 10 || string(head[:3]) != "BZh" || head[3] < '1' || head[3] > '9' {
		return false
	}
	block := string(head[4:10])
	return block == "\x31\x41\x59\x26\x53\x59" || block == "\x17\x72\x45\x38\x50\x90"
}

// isTar checks the magic number of a tar header.
func isTar(head []byte) bool { return len(head) == HeadSize && string(head[257:262]) == "ustar" }

// SplitName removes from a name the suffix that says that the file is compressed or an archive. The
// suffix never decides the format of a file, only whether an unwanted file is inspected, and the
// name of a decompressed file.
func SplitName(name string) (inner string, archive, packed bool) {
	base := path.Base(name)
	lower := strings.ToLower(base)
	for _, ending := range []string{".tgz", ".txz", ".tbz", ".tbz2", ".tzst", ".tar", ".zip"} {
		if stem, found := strings.CutSuffix(lower, ending); found && stem != "" {
			return base[:len(stem)], true, true
		}
	}
	for _, ending := range []string{".gz", ".xz", ".zst", ".bz2"} {
		if stem, found := strings.CutSuffix(lower, ending); found && stem != "" {
			return base[:len(stem)], strings.HasSuffix(stem, ".tar"), true
		}
	}
	return base, false, false
}

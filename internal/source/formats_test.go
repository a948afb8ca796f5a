package source

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ulikunitz/xz"

	"github.com/validationtool/validationtool/internal/pack"
)

func TestEveryFormatGivesTheSameFiles(t *testing.T) {
	plain := standardTar()
	blocks := pack.XZBy(xz.WriterConfig{BlockSize: 700, CheckSum: xz.CRC64}, plain)
	cases := []struct {
		format string
		data   []byte
	}{
		{"tar", plain},
		{"tar.gz", pack.GZ(plain)},
		{"tar.gz", slicesConcat(pack.GZ(plain[:1000]), pack.GZ(plain[1000:]))},
		{"tar.gz", slicesConcat(pack.GZ(plain), make([]byte, 3000))},
		{"tar.xz", pack.XZ(plain)},
		{"tar.xz", pack.XZBy(xz.WriterConfig{CheckSum: xz.CRC32}, plain)},
		{"tar.xz", pack.XZBy(xz.WriterConfig{CheckSum: xz.SHA256}, plain)},
		{"tar.xz", pack.XZBy(xz.WriterConfig{NoCheckSum: true}, plain)},
		{"tar.xz", blocks},
		{"tar.xz", slicesConcat(pack.XZ(plain[:1000]), make([]byte, 8), pack.XZ(plain[1000:]))},
		{"tar.zst", pack.ZST(plain)},
		{"tar.zst", slicesConcat(pack.ZST(plain[:1000]), pack.ZST(plain[1000:]))},
		{"tar.bz2", bz2Tar()},
		{"zip", zipOf(standardEntries()...)},
		{"zip", pack.Zip(zip.Store, standardEntries()...)},
		{"zip", pack.Zip(pack.Zstd, standardEntries()...)},
		{"zip.gz", pack.GZ(zipOf(standardEntries()...))},
		{"zip.xz", pack.XZ(zipOf(standardEntries()...))},
		{"tar.gz.gz", pack.GZ(pack.GZ(plain))},
		{"tar.bz2.xz.gz", pack.GZ(pack.XZ(bz2Tar()))},
	}
	for _, c := range cases {
		t.Run(c.format, func(t *testing.T) {
			for _, got := range []walked{walkBytes(t, Options{}, "misleading.yaml", c.data), walkStdin(t, Options{}, c.data)} {
				if diff := cmp.Diff(standardFiles(), got.names()); diff != "" {
					t.Errorf("files (-want +got):\n%s", diff)
				}
				if got.sum.Inputs[0].Format != c.format {
					t.Errorf("format %q, want %q", got.sum.Inputs[0].Format, c.format)
				}
				if got.sum.Problems != nil || got.sum.NotRead != nil {
					t.Errorf("problems: %v, not read: %v", got.sum.Problems, got.sum.NotRead)
				}
			}
		})
	}
}

// TestFormatOfWhatBreaksOff: a compression that breaks off before its content begins is named once.
func TestFormatOfWhatBreaksOff(t *testing.T) {
	plain := standardTar()
	for format, data := range map[string][]byte{"gz": pack.GZ(plain)[:12], "xz": pack.XZ(plain)[:20], "zst": pack.ZST(plain)[:7], "gz.gz": pack.GZ(pack.GZ(plain)[:12])} {
		if got := walkBytes(t, Options{}, "x", data); got.sum.Inputs[0].Format != format || len(got.sum.Problems) != 1 {
			t.Errorf("%s: format %q, problems %v", format, got.sum.Inputs[0].Format, got.sum.Problems)
		}
	}
}

func slicesConcat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func octalField(n int) string {
	digits := ""
	for ; n > 0; n /= 8 {
		digits = string(rune('0'+n%8)) + digits
	}
	return strings.Repeat("0", 6-len(digits)) + digits + "\x00 "
}

func TestPlainAndCompressedSingleFiles(t *testing.T) {
	cases := []struct {
		name, format, entry string
		data                []byte
	}{
		{"x.yaml", "file", "", []byte(config("x"))},
		{"notes", "file", "", []byte(config("x"))},
		{"x.yaml.gz", "gz", "x.yaml", pack.GZ([]byte(config("x")))},
		{"x.yaml.xz", "xz", "x.yaml", pack.XZ([]byte(config("x")))},
		{"x.yaml.zst", "zst", "x.yaml", pack.ZST([]byte(config("x")))},
		{"X.YAML.GZ", "gz", "X.YAML", pack.GZ([]byte(config("x")))},
		{"x.yaml", "gz", "", pack.GZ([]byte(config("x")))},
		{"x.gz", "file", "", []byte(config("x"))},
	}
	for _, c := range cases {
		t.Run(c.name+" as "+c.format, func(t *testing.T) {
			got := walkBytes(t, Options{}, c.name, c.data)
			if len(got.files) != 1 || string(got.files[0].Data) != config("x") {
				t.Fatalf("files: %v", got.files)
			}
			if f := got.files[0]; f.Entry != c.entry || got.sum.Inputs[0].Format != c.format {
				t.Errorf("entry %q of %q, want %q of %q", f.Entry, got.sum.Inputs[0].Format, c.entry, c.format)
			}
		})
	}
}

func TestAFileThatIsAnArgumentIsReadWhateverItsName(t *testing.T) {
	got := walkBytes(t, Options{}, "list.log", []byte("no object at all"))
	if len(got.files) != 1 {
		t.Errorf("files: %v", got.files)
	}
}

func TestLinksAndSpecialFilesInArchivesAreCounted(t *testing.T) {
	data := pack.Tar(
		pack.Entry{Name: "dir/", Kind: '5'},
		pack.Entry{Name: "dir/a.yaml", Data: config("a")},
		pack.Entry{Name: "dir/soft.yaml", Kind: '2', Link: "a.yaml"},
		pack.Entry{Name: "dir/hard.yaml", Kind: '1', Link: "dir/a.yaml"},
		pack.Entry{Name: "dir/pipe", Kind: '6'},
		pack.Entry{Name: "dir/device", Kind: '3'},
	)
	got := walkBytes(t, Options{}, "links.tar", data)
	if diff := cmp.Diff([]string{"dir/a.yaml=a"}, got.names()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{ReasonLink: 2, ReasonSpecial: 2}, got.skipped()); diff != "" {
		t.Error(diff)
	}
	got = walkBytes(
		t,
		Options{},
		"links.zip",
		zipOf(pack.Entry{Name: "a.yaml", Data: config("a")}, pack.Entry{Name: "b.yaml", Kind: '2', Link: "a.yaml"}),
	)
	if diff := cmp.Diff(map[string]int{ReasonLink: 1}, got.skipped()); diff != "" || len(got.files) != 1 {
		t.Error(diff, got.files)
	}
}

func TestTheReceiverOwnsTheData(t *testing.T) {
	got := walkBytes(t, Options{}, "a.tar.gz", pack.GZ(standardTar()))
	first := string(got.files[1].Data)
	for i := range got.files[0].Data[:cap(got.files[0].Data)] {
		got.files[0].Data[:cap(got.files[0].Data)][i] = 'x'
	}
	if string(got.files[1].Data) != first {
		t.Error("two files share memory")
	}
}

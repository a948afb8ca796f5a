package source

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ulikunitz/xz"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

func TestEveryFormatGivesTheSameFiles(t *testing.T) {
	plain := standardTar()
	blocks := testkit.XZBy(xz.WriterConfig{BlockSize: 700, CheckSum: xz.CRC64}, plain)
	cases := []struct {
		format string
		data   []byte
	}{
		{"tar", plain},
		{"tar.gz", testkit.GZ(plain)},
		{"tar.gz", slicesConcat(testkit.GZ(plain[:1000]), testkit.GZ(plain[1000:]))},
		{"tar.gz", slicesConcat(testkit.GZ(plain), make([]byte, 3000))},
		{"tar.xz", testkit.XZ(plain)},
		{"tar.xz", testkit.XZBy(xz.WriterConfig{CheckSum: xz.CRC32}, plain)},
		{"tar.xz", testkit.XZBy(xz.WriterConfig{CheckSum: xz.SHA256}, plain)},
		{"tar.xz", testkit.XZBy(xz.WriterConfig{NoCheckSum: true}, plain)},
		{"tar.xz", blocks},
		{"tar.xz", slicesConcat(testkit.XZ(plain[:1000]), make([]byte, 8), testkit.XZ(plain[1000:]))},
		{"tar.zst", testkit.ZST(plain)},
		{"tar.zst", slicesConcat(testkit.ZST(plain[:1000]), testkit.ZST(plain[1000:]))},
		{"tar.bz2", bz2Tar()},
		{"zip", zipOf(standardEntries()...)},
		{"zip", testkit.Zip(zip.Store, standardEntries()...)},
		{"zip", testkit.Zip(testkit.Zstd, standardEntries()...)},
		{"zip.gz", testkit.GZ(zipOf(standardEntries()...))},
		{"zip.xz", testkit.XZ(zipOf(standardEntries()...))},
		{"tar.gz.gz", testkit.GZ(testkit.GZ(plain))},
		{"tar.bz2.xz.gz", testkit.GZ(testkit.XZ(bz2Tar()))},
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
	for format, data := range map[string][]byte{"gz": testkit.GZ(plain)[:12], "xz": testkit.XZ(plain)[:20], "zst": testkit.ZST(plain)[:7], "gz.gz": testkit.GZ(testkit.GZ(plain)[:12])} {
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
		{"x.yaml.gz", "gz", "x.yaml", testkit.GZ([]byte(config("x")))},
		{"x.yaml.xz", "xz", "x.yaml", testkit.XZ([]byte(config("x")))},
		{"x.yaml.zst", "zst", "x.yaml", testkit.ZST([]byte(config("x")))},
		{"X.YAML.GZ", "gz", "X.YAML", testkit.GZ([]byte(config("x")))},
		{"x.yaml", "gz", "", testkit.GZ([]byte(config("x")))},
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
	data := testkit.Tar(
		testkit.Entry{Name: "dir/", Kind: '5'},
		testkit.Entry{Name: "dir/a.yaml", Data: config("a")},
		testkit.Entry{Name: "dir/soft.yaml", Kind: '2', Link: "a.yaml"},
		testkit.Entry{Name: "dir/hard.yaml", Kind: '1', Link: "dir/a.yaml"},
		testkit.Entry{Name: "dir/pipe", Kind: '6'},
		testkit.Entry{Name: "dir/device", Kind: '3'},
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
		zipOf(testkit.Entry{Name: "a.yaml", Data: config("a")}, testkit.Entry{Name: "b.yaml", Kind: '2', Link: "a.yaml"}),
	)
	if diff := cmp.Diff(map[string]int{ReasonLink: 1}, got.skipped()); diff != "" || len(got.files) != 1 {
		t.Error(diff, got.files)
	}
}

func TestTheReceiverOwnsTheData(t *testing.T) {
	got := walkBytes(t, Options{}, "a.tar.gz", testkit.GZ(standardTar()))
	first := string(got.files[1].Data)
	for i := range got.files[0].Data[:cap(got.files[0].Data)] {
		got.files[0].Data[:cap(got.files[0].Data)][i] = 'x'
	}
	if string(got.files[1].Data) != first {
		t.Error("two files share memory")
	}
}

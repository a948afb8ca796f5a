package source

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ulikunitz/xz"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
)

// manyFiles are entries that compress badly enough for cuts and flips to meet different ones.
func manyFiles() []testkit.Entry {
	var out []testkit.Entry
	for i := range 12 {
		value := ""
		for j := range 40 {
			value += fmt.Sprintf("%x", (i+3)*(j+7)*7919%65521)
		}
		out = append(out, testkit.Entry{Name: fmt.Sprintf("f%02d.yaml", i), Data: config(value)})
	}
	return out
}

func archives() map[string][]byte {
	plain := testkit.Tar(manyFiles()...)
	return map[string][]byte{
		"tar":        plain,
		"tar.gz":     testkit.GZ(plain),
		"tar.xz":     testkit.XZ(plain),
		"blocks.xz":  testkit.XZBy(xz.WriterConfig{BlockSize: 3000}, plain),
		"tar.zst":    testkit.ZST(plain),
		"zip":        zipOf(manyFiles()...),
		"zip.stored": testkit.Zip(zip.Store, manyFiles()...),
		"wrapped":    testkit.Tar(testkit.Entry{Name: "in.tar.gz", Data: string(testkit.GZ(plain))}),
		"zip.gz":     testkit.GZ(zipOf(manyFiles()...)),
	}
}

// judge checks what every damaged archive of files must give: nothing that is not right, unless
// there is a problem.
func judge(t *testing.T, what string, files []testkit.Entry, got walked) {
	t.Helper()
	if len(got.files) == 1 && got.files[0].Entry == "" {
		return // no longer recognised as an archive, and so handed on as it is
	}
	right := slices.EqualFunc(files, got.files, func(e testkit.Entry, f File) bool { return e.Data == string(f.Data) })
	if !right && len(got.sum.Problems) == 0 {
		t.Errorf("%s: %d of %d files are right and there is no problem", what, len(got.files), len(files))
	}
}

func TestTruncatedArchivesGiveWhatWasComplete(t *testing.T) {
	t.Parallel()
	files, at := manyFiles(), writeFile(t, "x", nil)
	for how, data := range archives() {
		for cut := 0; cut < len(data); cut += max(1, len(data)/testkit.Tries(200)) {
			what := fmt.Sprintf("%s cut at %d of %d", how, cut, len(data))
			for i, got := range []walked{walkWritten(t, at, data[:cut]), walkStdin(t, Options{}, data[:cut])} {
				judge(t, fmt.Sprintf("%s (%d)", what, i), files, got)
				if len(got.sum.Problems) > 1 {
					t.Errorf("%s: %d problems: %v", what, len(got.sum.Problems), got.sum.Problems)
				}
				for j, f := range got.files {
					if f.Entry != "" && string(f.Data) != files[j].Data {
						t.Errorf("%s: %s is not what was packed", what, f.Entry)
					}
				}
			}
		}
	}
}

func TestCorruptArchivesAreNeverTakenForSound(t *testing.T) {
	t.Parallel()
	files, file := manyFiles(), writeFile(t, "x", nil)
	for how, data := range archives() {
		if how == "tar" {
			continue // has checksums for its headers only
		}
		for at := 0; at < len(data); at += max(1, len(data)/testkit.Tries(200)) {
			bad := bytes.Clone(data)
			bad[at] ^= 0x41
			judge(t, fmt.Sprintf("%s with byte %d changed", how, at), files, walkWritten(t, file, bad))
		}
	}
}

// TestEverySortOfDamageIsTold damages archives of all formats in the ways that disks, networks and
// people do, all over them: what is not right is told, whether the archive is an argument, standard
// input or in a folder. That the entries add up is seen to by walk. The matrix is that of formats,
// sorts of damage and ways to the archive, each everywhere in it.
func TestEverySortOfDamageIsTold(t *testing.T) {
	t.Parallel()
	const piece = 64 // bytes
	sorts := map[string]func(data []byte, at int) []byte{
		"cut off":       func(data []byte, at int) []byte { return data[:at] },
		"cut out":       func(data []byte, at int) []byte { return slices.Delete(data, at, min(at+piece, len(data))) },
		"begin cut off": func(data []byte, at int) []byte { return data[at:] },
		"a bit changed": func(data []byte, at int) []byte { data[at] ^= 1 << (at % 8); return data },
		"set to zero":   func(data []byte, at int) []byte { clear(data[at:min(at+piece, len(data))]); return data },
		"twice": func(data []byte, at int) []byte {
			return slices.Insert(data, at, bytes.Clone(data[at:min(at+piece, len(data))])...)
		},
		"put in": func(data []byte, at int) []byte {
			return slices.Insert(data, at, []byte("apiVersion: v1\nkind: ConfigMap\n---\n")...)
		},
		"swapped": func(data []byte, at int) []byte {
			slices.Reverse(data[at:min(at+piece, len(data))])
			return data
		},
		"line ends": func(data []byte, at int) []byte {
			return append(data[:at], bytes.ReplaceAll(data[at:], []byte("\n"), []byte("\r\n"))...)
		},
	}
	type packed struct {
		files []testkit.Entry
		data  []byte
	}
	all := map[string]packed{"tar.bz2": {standardEntries(), bz2Tar()}}
	for how, data := range archives() {
		all[how] = packed{manyFiles(), data}
	}
	plain := testkit.Tar(manyFiles()...)
	all["tar.xz in zip"] = packed{manyFiles(), zipOf(testkit.Entry{Name: "in.tar.xz", Data: string(testkit.XZ(plain))})}
	all["zip in tar.zst"] = packed{
		manyFiles(),
		testkit.ZST(testkit.Tar(testkit.Entry{Name: "in.zip", Data: string(zipOf(manyFiles()...))})),
	}
	delete(all, "tar") // has checksums for its headers only
	delete(all, "wrapped")
	file, folder := writeFile(t, "x", nil), t.TempDir()
	ways := []func(name string, data []byte) walked{
		func(_ string, data []byte) walked { return walkWritten(t, file, data) },
		func(_ string, data []byte) walked { return walkStdin(t, Options{}, data) },
		func(name string, data []byte) walked {
			entry := filepath.Join(folder, name)
			must(os.WriteFile(entry, data, 0o600))
			got := walk(t, Options{Want: Candidate, Nested: true}, folder)
			must(os.Remove(entry))
			return got
		},
	}
	formats, damages := slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(sorts))
	for _, row := range testkit.Matrix(len(formats), len(damages), len(ways)) {
		how, sort := formats[row[0]], damages[row[1]]
		a := all[how]
		_, name, inside := strings.Cut(how, " in ")
		if !inside {
			name = strings.NewReplacer("blocks.", "tar.", "zip.stored", "zip").Replace(how)
		}
		step := max(1, len(a.data)/12)
		for at := step / 2; at < len(a.data); at += step {
			bad := sorts[sort](bytes.Clone(a.data), at)
			if bytes.Equal(bad, a.data) {
				continue
			}
			if got := ways[row[2]]("x."+name, bad); row[2] < 2 || len(got.sum.NotRead) == 0 {
				judge(t, fmt.Sprintf("%s, %s at %d of %d, way %d", how, sort, at, len(a.data), row[2]), a.files, got)
			}
		}
	}
}

func TestDamageSaysWhereAndWhatToDo(t *testing.T) {
	plain := standardTar()
	flipped := bytes.Clone(plain)
	flipped[1024] ^= 1 // the name in the second header
	badSum := testkit.GZ([]byte(config("x")))
	badSum[len(badSum)-5] ^= 1
	stored := testkit.GZBy(
		gzip.NoCompression, []byte(config("x")),
	) // a header of 10 bytes, then blocks with 5 bytes before their content
	zipped := zipOf(standardEntries()...)
	cases := []struct {
		what, name string
		data       []byte
		files      int
		want       string
	}{
		{"tar cut in an entry", "x.tar", plain[:1536+20], 1,
			`VT1006 : truncated at byte 1556, in the entry "sub/b.yaml"; 1 file before it was read; copy it again`},
		{"tar.zst cut in an entry", "x", testkit.ZST(plain[:1536+20]), 1,
			`VT1006 : truncated at byte 1556 of the unpacked data, in the entry "sub/b.yaml"; 1 file before it was read; copy it again`},
		{"tar cut between entries", "x.tar", plain[:1024], 1,
			`VT1006 : the end-of-archive mark is missing after byte 1024, so the archive may be truncated; 1 file before it was read; copy it again`},
		{"tar with a changed header", "x.tar", flipped, 1,
			`VT1006 : corrupt at byte 1536, in the entry "a.yaml" (archive/tar: invalid tar header); 1 file before it was read; copy it again`},
		{"tar with something behind", "x.tar", slicesConcat(plain, []byte("more")), 2,
			`VT1006 : the archive ends at byte 3072, but other data follows, which was not read; copy it again, or remove that data`},
		{"gz with something behind", "x", slicesConcat(testkit.GZ(plain), []byte("more")), 2,
			`VT1006 : other data follows the end of the compressed data and was not read; copy the file again, or remove that data`},
		{"xz with something behind", "x", slicesConcat(testkit.XZ(plain), []byte("more")), 2,
			`VT1006 : other data follows the end of the compressed data and was not read; copy the file again, or remove that data`},
		{"gz with a wrong checksum", "x.yaml.gz", badSum, 0,
			`VT1006 : corrupt at byte 68 of the unpacked data (gzip: invalid checksum); nothing was read; copy it again`},
		{"gz file cut", "x.yaml.gz", stored[:10+5+20], 0,
			`VT1006 : truncated at byte 20 of the unpacked data; nothing was read; copy it again`},
		{"zip without its list", "x.zip", zipped[:bytes.Index(zipped, []byte("PK\x01\x02"))], 0,
			`VT1006 : the central directory at its end is missing or corrupt (zip: not a valid zip file), so nothing was read; ` +
				`copy it again, or repair it with zip -FF`},
	}
	for _, c := range cases {
		t.Run(c.what, func(t *testing.T) {
			got := walkBytes(t, Options{}, c.name, c.data)
			if diff := cmp.Diff([]string{c.want}, messages(got.sum.Problems)); diff != "" {
				t.Error(diff)
			}
			if len(got.files) != c.files {
				t.Errorf("%d files, want %d", len(got.files), c.files)
			}
		})
	}
}

func TestACorruptEntryOfAZipDoesNotHideTheOthers(t *testing.T) {
	data := testkit.Zip(zip.Store, manyFiles()...)
	for _, name := range []string{"f03.yaml", "f05.yaml"} {
		data[bytes.Index(data, []byte(name))+40] ^= 1
	}
	got := walkBytes(t, Options{}, "x.zip", data)
	if len(got.files) != 10 {
		t.Errorf("%d files", len(got.files))
	}
	want := []string{
		"VT1006 f03.yaml: the entry is corrupt (zip: checksum error) and was not read (and 1 more); copy the archive again",
	}
	if diff := cmp.Diff(want, messages(got.sum.Problems)); diff != "" {
		t.Error(diff)
	}
}

func TestDamageOfANestedArchiveLeavesTheOthers(t *testing.T) {
	good, bad := testkit.GZ(standardTar()), testkit.GZ(standardTar())
	bad[40] ^= 0xff
	entries := []testkit.Entry{
		{Name: "1.tgz", Data: string(good)},
		{Name: "2.tgz", Data: string(bad)},
		{Name: "3.tgz", Data: string(good)},
	}
	root := t.TempDir()
	for _, e := range entries {
		must(writeAt(root, e.Name, e.Data))
	}
	for how, got := range map[string]walked{
		"tar": walkBytes(t, Options{}, "x", testkit.Tar(entries...)), "zip": walkBytes(t, Options{}, "x", zipOf(entries...)),
		"stdin": walkStdin(t, Options{}, testkit.Tar(entries...)), "folder": walk(t, Options{Want: Candidate}, root),
		"nested": walkBytes(t, Options{Nested: true}, "x", testkit.Tar(entries...)),
	} {
		names := strings.Join(got.names(), " ")
		if !strings.Contains(names, "1.tgz!/a.yaml=a") || !strings.Contains(names, "3.tgz!/sub/b.yaml=b") {
			t.Errorf("%s: %s", how, names)
		}
		if p := got.sum.Problems; len(p) != 1 || p[0].Code != code.ArchiveBroken ||
			!strings.Contains(p[0].Error(), "2.tgz") {
			t.Errorf("%s: problems %v", how, p)
		}
	}
}

func TestATruncatedWrapperIsReportedOnce(t *testing.T) {
	inner := testkit.Tar(manyFiles()...)
	for how, outer := range map[string][]byte{"tar": testkit.Tar(testkit.Entry{Name: "in.tgz", Data: string(inner)}), "nested twice": testkit.Tar(testkit.Entry{Name: "mid.tar",
		Data: string(testkit.Tar(testkit.Entry{Name: "in.tgz", Data: string(inner)}))})} {
		cut := outer[:len(outer)-len(inner)/2-2560]
		for from, got := range map[string]walked{"disk": walkBytes(t, Options{}, "x.tar", cut), "gz": walkBytes(t, Options{}, "x", testkit.ZST(cut)), "stdin": walkStdin(t, Options{}, cut)} {
			if len(got.sum.Problems) != 1 || got.sum.Problems[0].Code != code.ArchiveBroken {
				t.Errorf("%s from %s: %v", how, from, got.sum.Problems)
			}
			if from != "stdin" && len(got.files) == 0 {
				t.Errorf("%s from %s: nothing was read: %v", how, from, got.sum.Problems)
			}
		}
	}
}

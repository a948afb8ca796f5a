package source

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
)

// zeros is a compressed file of n zero bytes, as bombs are made of.
func zeros(n int64) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.CopyN(w, zeroReader{}, n)
	must(err)
	must(w.Close())
	return b.Bytes()
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func big(n int) string { return config("big") + strings.Repeat("# filling\n", n/10) }

func TestFilesOverTheLimitAreNotRead(t *testing.T) {
	limits := Limits{File: 1000}
	entries := []testkit.Entry{
		{Name: "a.yaml", Data: config("a")},
		{Name: "big.yaml", Data: big(2000)},
		{Name: "z.yaml", Data: config("z")},
	}
	root := t.TempDir()
	for _, e := range entries {
		must(writeAt(root, e.Name, e.Data))
	}
	lying := zipOf(entries...)
	listed := lying[bytes.LastIndex(lying[:bytes.LastIndex(lying, []byte("z.yaml"))-46], []byte("PK\x01\x02")):]
	copy(listed[24:28], "\x64\x00\x00\x00") // says 100 bytes
	for how, got := range map[string]walked{
		"tar": walkBytes(t, Options{Limits: limits}, "x", testkit.GZ(testkit.Tar(entries...))), "zip": walkBytes(t, Options{Limits: limits}, "x", zipOf(entries...)),
		"folder":    walk(t, Options{Limits: limits, Want: Candidate}, root),
		"lying zip": walkBytes(t, Options{Limits: limits}, "x", lying),
	} {
		if diff := cmp.Diff([]string{"a.yaml=a", "z.yaml=z"}, got.names()); diff != "" {
			t.Errorf("%s: %s", how, diff)
		}
		if len(got.sum.Problems) != 1 || !strings.Contains(got.sum.Problems[0].Error(), "big.yaml") {
			t.Errorf("%s: %v", how, got.sum.Problems)
		}
	}
	for how, got := range map[string]walked{
		"plain": walkBytes(t, Options{Limits: limits}, "big.yaml", []byte(big(2000))), "gz": walkBytes(t, Options{Limits: limits}, "big.yaml.gz", testkit.GZ([]byte(big(2000)))),
		"stdin": walkStdin(t, Options{Limits: limits}, []byte(big(2000))),
	} {
		if diff := cmp.Diff([]code.Code{code.LimitSize}, got.codes()); diff != "" || got.files != nil {
			t.Errorf("%s: %s", how, diff)
		}
	}
	exact := walkBytes(t, Options{Limits: Limits{File: int64(len(config("a")))}}, "x.tar", testkit.Tar(entries[0]))
	if len(exact.files) != 1 || exact.sum.Problems != nil {
		t.Errorf("a file of just the limit: %v", exact.sum.Problems)
	}
}

func TestABombIsStoppedAndTheNextInputIsRead(t *testing.T) {
	const limit = 1 << 20
	skipped := testkit.Entry{Name: "logs/huge.log", Data: string(bytes.Repeat([]byte("x"), 3<<20))}
	tarBomb := testkit.Tar(
		testkit.Entry{Name: "a.yaml", Data: config("a")}, skipped, testkit.Entry{Name: "z.yaml", Data: config("z")},
	)
	bombs := map[string][]byte{
		"tar.gz":        testkit.GZ(tarBomb),
		"tar.xz":        testkit.XZ(tarBomb),
		"tar.zst":       testkit.ZST(tarBomb),
		"gz in gz":      testkit.GZ(zeros(5 << 20)),
		"gz":            zeros(5 << 20),
		"nested":        testkit.Tar(testkit.Entry{Name: "in.tgz", Data: string(testkit.GZ(tarBomb))}),
		"nested in zip": zipOf(testkit.Entry{Name: "in.tgz", Data: string(testkit.GZ(tarBomb))}),
	}
	for how, data := range bombs {
		other := writeFile(t, "other.yaml", []byte(config("other")))
		got := walk(t, Options{Want: Candidate, Limits: Limits{Unpacked: limit}}, writeFile(t, "bomb", data), other)
		if diff := cmp.Diff([]code.Code{code.LimitUnpacked}, got.codes()); diff != "" {
			t.Errorf("%s: %s %v", how, diff, got.sum.Problems)
		}
		names := strings.Join(got.names(), " ")
		if !strings.HasSuffix(names, "other.yaml=other") || strings.Contains(names, "z.yaml") {
			t.Errorf("%s: %s", how, names)
		}
	}
}

func TestWhatIsUnpackedInAllIsLimited(t *testing.T) {
	data := testkit.Tar(testkit.Entry{Name: "a.yaml", Data: config("a")})
	root := t.TempDir()
	for i := range 5 {
		must(writeAt(root, fmt.Sprintf("%d.tgz", i), string(testkit.GZ(data))))
	}
	got := walk(t, Options{Want: Candidate, Nested: true, Limits: Limits{Unpacked: int64(3*len(data) + 10)}}, root)
	if len(got.files) != 3 {
		t.Errorf("%d files", len(got.files))
	}
	if diff := cmp.Diff([]code.Code{code.LimitUnpacked, code.LimitUnpacked}, got.codes()); diff != "" {
		t.Error(diff)
	}
}

func TestExactlyTheLimitIsAllowed(t *testing.T) {
	data := testkit.Tar(testkit.Entry{Name: "a.yaml", Data: config("a")})
	for extra, problems := range map[int64]int{0: 0, 1: 0, -1: 1} {
		got := walkBytes(t, Options{Limits: Limits{Unpacked: int64(len(data)) + extra}}, "x", testkit.GZ(data))
		if len(got.sum.Problems) != problems {
			t.Errorf("limit %+d: %v", extra, got.sum.Problems)
		}
	}
}

func TestEntriesAreLimited(t *testing.T) {
	for how, data := range map[string][]byte{"tar": testkit.Tar(manyFiles()...), "tar.gz": testkit.GZ(testkit.Tar(manyFiles()...)), "zip": zipOf(manyFiles()...)} {
		got := walkBytes(t, Options{Limits: Limits{Entries: 5}}, "x", data)
		if diff := cmp.Diff([]code.Code{code.LimitEntries}, got.codes()); diff != "" || len(got.files) != 5 {
			t.Errorf("%s: %d files: %s", how, len(got.files), diff)
		}
	}
	var many []testkit.Entry
	for i := range entrySlack + 100 {
		many = append(many, testkit.Entry{Name: fmt.Sprintf("%d.yaml", i), Data: config("x")})
	}
	got := walkBytes(t, Options{Limits: Limits{Entries: 5}}, "x", zipOf(many...))
	if diff := cmp.Diff([]code.Code{code.LimitEntries}, got.codes()); diff != "" || len(got.files) != 0 {
		t.Errorf("zip: %d files: %s", len(got.files), diff)
	}
	if got := walkBytes(t, Options{Limits: Limits{Entries: 12}}, "x", zipOf(manyFiles()...)); len(got.files) != 12 {
		t.Errorf("zip: %d files, %v", len(got.files), got.sum.Problems)
	}
}

func TestTheListOfAZipIsOnlyCountedWhileItIsRead(t *testing.T) {
	data := testkit.Zip(
		zip.Store, testkit.Entry{Name: "a.yaml", Data: config("a") + strings.Repeat("# PK\x01\x02\n", 2*entrySlack)},
	)
	if got := walkBytes(t, Options{Limits: Limits{Entries: 20}}, "x", data); len(got.files) != 1 ||
		got.sum.Problems != nil {
		t.Errorf("problems %v", got.sum.Problems)
	}
}

func TestDepthIsLimited(t *testing.T) {
	in := func(n int) []byte {
		data := standardTar()
		for range n - 1 {
			data = testkit.GZ(testkit.Tar(testkit.Entry{Name: "in", Data: string(data)}))
		}
		return data
	}
	for n, problems := range map[int]int{1: 0, 3: 0, 4: 1, 6: 1} {
		for _, opt := range []Options{{Limits: Limits{Depth: 3}}, {Limits: Limits{Depth: 3}, Nested: true}} {
			for from, got := range map[string]walked{"disk": walkBytes(t, opt, "x", in(n)), "stdin": walkStdin(t, opt, in(n))} {
				if len(got.sum.Problems) != problems || len(got.files) != 2-2*problems {
					t.Errorf("%d archives from %s: files %v, problems %v", n, from, got.names(), got.sum.Problems)
				}
				if problems == 1 && got.sum.Problems[0].Code != code.LimitDepth {
					t.Errorf("%v", got.sum.Problems)
				}
			}
		}
	}
	layers := []byte(config("x"))
	for range 5 {
		layers = testkit.GZ(layers)
	}
	got := walkBytes(t, Options{}, "x.gz", layers)
	if diff := cmp.Diff([]code.Code{code.LimitDepth}, got.codes()); diff != "" || got.files != nil {
		t.Error(diff)
	}
}

func TestZipArchivesThatNeedMemoryAreLimited(t *testing.T) {
	data := testkit.Zip(zip.Store, testkit.Entry{Name: "a.yaml", Data: big(5000)})
	got := walkBytes(t, Options{Limits: Limits{File: 4000}}, "x", testkit.GZ(data))
	if diff := cmp.Diff([]code.Code{code.LimitSize}, got.codes()); diff != "" {
		t.Error(diff)
	}
}

func TestDictionariesThatNeedTooMuchMemoryAreRefused(t *testing.T) {
	// A zstd frame that states a window of 2 GiB.
	window := []byte("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00")
	got := walkBytes(t, Options{}, "x.yaml.zst", window)
	if p := got.sum.Problems; len(p) != 1 || p[0].Code != code.InputUnreadable ||
		!strings.Contains(p[0].Message, "256 MiB") {
		t.Errorf("zstd: %v", p)
	}
	got = walkBytes(t, Options{}, "x.yaml.xz", statingDictionary(testkit.XZ([]byte(config("x"))), 37)) // 1 GiB
	if p := got.sum.Problems; len(p) != 1 || p[0].Code != code.InputUnreadable ||
		!strings.Contains(p[0].Message, "256 MiB") {
		t.Errorf("xz: %v", p)
	}
}

func TestProblemsAreLimitedInNumber(t *testing.T) {
	var entries []testkit.Entry
	for i := range maxProblems + 7 {
		entries = append(entries, testkit.Entry{Name: fmt.Sprintf("%d.tgz", i), Data: "\x1f\x8b\x08nothing"})
	}
	got := walkBytes(t, Options{}, "x", testkit.Tar(entries...))
	if n := len(got.sum.Problems); n != maxProblems {
		t.Fatalf("%d problems", n)
	}
	if last := got.sum.Problems[maxProblems-1].Message; !strings.HasSuffix(last, "(and 7 more like this, not listed)") {
		t.Error(last)
	}
}

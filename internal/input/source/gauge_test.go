package source

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// gauged walks inputs, and returns what Options.Progress was told besides: the inputs that were
// begun, and the bytes.
func gauged(t *testing.T, opt Options, inputs ...string) (out walked, begun int, bytes int64) {
	t.Helper()
	var mu sync.Mutex
	opt.Progress = func(inputs int, n int64) {
		mu.Lock()
		defer mu.Unlock()
		begun += inputs
		bytes += n
	}
	out = walk(t, opt, inputs...)
	return out, begun, bytes
}

// TestProgressAddsUp: the bytes that are told of a file are its size in the end, however it is
// read: skipping, at any place, twice, or not to its end. What is read is the same.
func TestProgressAddsUp(t *testing.T) {
	long := testkit.Entry{Name: "long.log", Data: string(bytes.Repeat([]byte("a line of a log\n"), 60_000))}
	tarred := testkit.Tar(append(standardEntries(), long)...)
	files := map[string][]byte{
		"one.yaml": []byte(
			config("one"),
		), "empty.yaml": nil, "x.tar": tarred, "x.tar.gz": testkit.GZ(tarred), "x.zip": zipOf(append(standardEntries(), long)...),
		"around.tar": testkit.Tar(
			testkit.Entry{Name: "x.tar", Data: string(tarred)},
			testkit.Entry{Name: "y.tar.gz", Data: string(testkit.GZ(tarred))},
		),
		"cut.tar.gz": testkit.GZ(tarred)[:len(testkit.GZ(tarred))/2], "cut.zip": zipOf(standardEntries()...)[:60],
		"links.tar": testkit.Tar(
			testkit.Entry{Name: "a.yaml", Kind: '2', Link: "b.txt"}, testkit.Entry{Name: "b.txt", Data: config("b")},
		),
	}
	var all []string
	sum := int64(0)
	for name, data := range files {
		path := writeFile(t, name, data)
		all = append(all, path)
		sum += int64(len(data))
		opt := Options{Want: Candidate}
		plain := walk(t, opt, path)
		got, begun, n := gauged(t, opt, path)
		if begun != 1 || n != int64(len(data)) {
			t.Errorf("%s: %d inputs were begun, %d bytes of %d", name, begun, n, len(data))
		}
		if diff := cmp.Diff(plain.files, got.files); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(plain.sum, got.sum); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if _, begun, n := gauged(t, Options{Want: Candidate}, all...); begun != len(files) || n != sum {
		t.Errorf("%d inputs were begun of %d, %d bytes of %d", begun, len(files), n, sum)
	}
}

// TestProgressOfStreamsAndFolders: the bytes of a stream are told, those of a folder are not.
func TestProgressOfStreamsAndFolders(t *testing.T) {
	data := testkit.GZ(standardTar())
	if _, begun, n := gauged(t, Options{Want: Candidate, Stdin: bytes.NewReader(data)}, "-"); begun != 1 ||
		n != int64(len(data)) {
		t.Errorf("%d inputs were begun, %d bytes of %d", begun, n, len(data))
	}
	folder := testkit.Folder(t, map[string]string{"a.yaml": config("a")})
	if _, begun, n := gauged(t, Options{Want: Candidate}, folder); begun != 1 || n != 0 {
		t.Errorf("%d inputs were begun, %d bytes", begun, n)
	}
}

// TestChecksums: an input whose bytes all pass by has the checksum of its file, whatever is skipped
// of its content and however many goroutines read. Every other input has none, or the right one.
func TestChecksums(t *testing.T) {
	long := testkit.Entry{Name: "long.log", Data: string(bytes.Repeat([]byte("a line of a log\n"), 60_000))}
	tarred := testkit.Tar(append(standardEntries(), long, testkit.Entry{Name: "z.yaml", Data: config("z")})...)
	files := map[string][]byte{
		"one.yaml": []byte(config("one")), "one.yaml.gz": testkit.GZ([]byte(config("one"))), "x.tar.gz": testkit.GZ(tarred),
		"two.tar.gz":    append(testkit.GZ(tarred), testkit.GZ(tarred)...),
		"around.tar.gz": testkit.GZ(testkit.Tar(testkit.Entry{Name: "x.tar.gz", Data: string(testkit.GZ(tarred))})),
		"skips.tar":     tarred, "x.zip": zipOf(append(standardEntries(), long)...), "cut.tar.gz": testkit.GZ(tarred)[:900],
		"junk.tar.gz": append(testkit.GZ(tarred), "other data"...),
	}
	var paths, want []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sum := ""
		switch name {
		case "one.yaml", "one.yaml.gz", "x.tar.gz", "two.tar.gz", "around.tar.gz", "x.zip": // the zip fits into the first block
			sum = fmt.Sprintf("%x", sha256.Sum256(files[name]))
		}
		paths, want = append(paths, writeFile(t, name, files[name])), append(want, sum)
	}
	paths, want = append(paths, t.TempDir()), append(want, "")
	for jobs := 1; jobs <= 3; jobs++ {
		got := walk(t, Options{Checksums: true, Want: Candidate, Jobs: jobs, Unordered: true}, paths...)
		for i, in := range got.sum.Inputs {
			if in.SHA256 != want[i] {
				t.Errorf("%s with %d jobs: %q, want %q", filepath.Base(in.Path), jobs, in.SHA256, want[i])
			}
		}
	}
	stream := files["x.tar.gz"]
	got := walk(t, Options{Checksums: true, Want: Candidate, Stdin: bytes.NewReader(stream)}, "-")
	if sum := fmt.Sprintf("%x", sha256.Sum256(stream)); got.sum.Inputs[0].SHA256 != sum {
		t.Errorf("standard input: %q, want %q", got.sum.Inputs[0].SHA256, sum)
	}
}

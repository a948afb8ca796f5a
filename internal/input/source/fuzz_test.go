package source

import (
	"bytes"
	"context"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// FuzzWalk gives anything to the reader of archives. It must not panic, must keep its limits, and
// must not depend on whether it reads a file, or a stream, or does so a second time.
func FuzzWalk(f *testing.F) {
	for _, data := range archives() {
		f.Add(data, false)
	}
	for _, data := range wrapped(testkit.GZ(standardTar())) {
		f.Add(data, true)
	}
	f.Add([]byte(config("x")), false)
	f.Add(bz2Tar(), true)
	f.Add(testkit.Zip(testkit.Zstd, standardEntries()...), true)
	f.Add(zipOf(standardEntries()...)[:200], false)
	f.Fuzz(func(t *testing.T, data []byte, nested bool) {
		limits := Limits{Unpacked: 1 << 20, File: 64 << 10, Held: 128 << 10, Entries: 200, Depth: 3}
		opt := Options{Want: Candidate, Nested: nested, Limits: limits}
		path := writeFile(t, "fuzz", data)
		fromDisk := fuzzWalk(t, opt, path)
		if again := fuzzWalk(t, opt, path); !sameFiles(fromDisk, again) {
			t.Error("a second walk gives other files")
		}
		opt.Stdin = bytes.NewReader(data)
		stream := fuzzWalk(t, opt, "-")
		if fromDisk.sum.Problems == nil && stream.sum.Problems == nil && !sameFiles(fromDisk, stream) {
			t.Error("a stream gives other files")
		}
	})
}

func fuzzWalk(t *testing.T, opt Options, input string) walked {
	t.Helper()
	var out walked
	var err error
	total := int64(0)
	out.sum, err = Walk(context.Background(), []string{input}, opt, func(f File) error {
		if total += int64(len(f.Data)); int64(len(f.Data)) > opt.Limits.File {
			t.Errorf("%s has %d bytes", f.Name, len(f.Data))
		}
		out.files = append(out.files, f)
		return nil
	})
	if err != nil {
		t.Errorf("error %v", err)
	}
	if in := out.sum.Inputs[0]; in.Files != len(out.files) || in.Bytes != total {
		t.Errorf("%d files of %d bytes, but the summary says %+v", len(out.files), total, in)
	}
	return out
}

func sameFiles(a, b walked) bool {
	if len(a.files) != len(b.files) {
		return false
	}
	for i, f := range a.files {
		if f.Entry != b.files[i].Entry || !bytes.Equal(f.Data, b.files[i].Data) {
			return false
		}
	}
	return true
}

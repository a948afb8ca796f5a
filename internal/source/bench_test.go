package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/testkit"
)

// benchmarkEntries are as many logs as files with an object, the logs ten times as large.
func benchmarkEntries() []testkit.Entry {
	var all []testkit.Entry
	line := "2025-03-04T09:30:00.%09d0Z I0304 reconciler.go:%d] nothing to do for object %x\n"
	for i := range 300 {
		var log strings.Builder
		for n := range 400 {
			fmt.Fprintf(&log, line, i*n*7919, n, i*n)
		}
		folder := fmt.Sprintf("gathered/namespaces/n%d/", i)
		all = append(
			all,
			testkit.Entry{Name: folder + "pods/p/c/c/logs/current.log", Data: log.String()},
			testkit.Entry{
				Name: folder + "core/configmaps.yaml",
				Data: config(strings.Repeat("long", 500)),
			},
			testkit.Entry{Name: folder + "pods/p/c/c/logs/previous.log"},
		)
	}
	return all
}

// BenchmarkWalk reads an archive, packed and not, and the same as a folder.
func BenchmarkWalk(b *testing.B) {
	dir := b.TempDir()
	unpacked := testkit.Tar(benchmarkEntries()...)
	must(os.WriteFile(filepath.Join(dir, "a.tar.gz"), testkit.GZ(unpacked), 0o644))
	must(os.WriteFile(filepath.Join(dir, "a.tar"), unpacked, 0o644))
	for _, e := range benchmarkEntries() {
		name := filepath.Join(dir, "tree", e.Name)
		must(os.MkdirAll(filepath.Dir(name), 0o755))
		must(os.WriteFile(name, []byte(e.Data), 0o644))
	}
	for _, name := range []string{"a.tar.gz", "a.tar", "tree"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(unpacked)))
			b.ReportAllocs()
			for b.Loop() {
				files := 0
				_, err := Walk(
					context.Background(),
					[]string{filepath.Join(dir, name)},
					Options{Want: Candidate},
					func(File) error {
						files++
						return nil
					},
				)
				if err != nil || files != 300 {
					b.Fatal(files, err)
				}
			}
		})
	}
}

package source

import (
	"archive/tar"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/pack"
)

// TestWorkGrowsAsTheInputDoes makes each dimension of an input ten times as large: what is
// allocated may be twelve times as much.
func TestWorkGrowsAsTheInputDoes(t *testing.T) {
	many := func(n int, one func(i int) pack.Entry) []pack.Entry {
		var out []pack.Entry
		for i := range n {
			out = append(out, one(i))
		}
		return out
	}
	file := func(i int) pack.Entry { return pack.Entry{Name: fmt.Sprintf("%05d.yaml", i), Data: config("x")} }
	dimensions := map[string]func(n int) []byte{
		"files of a tar": func(n int) []byte { return pack.Tar(many(n, file)...) },
		"files of a zip": func(n int) []byte { return zipOf(many(n, file)...) },
		"roots": func(n int) []byte {
			return pack.Tar(many(n, func(i int) pack.Entry {
				return pack.Entry{Name: fmt.Sprintf("r%05d/namespaces/n/x.yaml", i), Data: config("x")}
			})...)
		},
		"a name again and again": func(n int) []byte { return pack.Tar(many(n, func(int) pack.Entry { return file(1) })...) },
		"an archive again and again": func(n int) []byte {
			return pack.Tar(
				many(n, func(int) pack.Entry { return pack.Entry{Name: "in.tar", Data: string(standardTar())} })...)
		},
		"archives": func(n int) []byte {
			return pack.Tar(
				many(
					n,
					func(i int) pack.Entry { return pack.Entry{Name: fmt.Sprintf("%d.tar", i), Data: string(standardTar())} },
				)...)
		},
		"archives in archives": func(n int) []byte {
			return pack.GZ(pack.Tar(many(n, func(i int) pack.Entry {
				return pack.Entry{
					Name: fmt.Sprintf("%d.tar", i),
					Data: string(pack.Tar(pack.Entry{Name: "in.tar", Data: string(standardTar())})),
				}
			})...))
		},
		"links to one": func(n int) []byte {
			return pack.Tar(append(many(n, func(i int) pack.Entry {
				return pack.Entry{Name: fmt.Sprintf("%d.yaml", i), Kind: tar.TypeSymlink, Link: "blob.bin"}
			}), pack.Entry{Name: "blob.bin", Data: config("x")})...)
		},
		"links to others": func(n int) []byte {
			return pack.Tar(
				append(
					many(
						n,
						func(i int) pack.Entry { return pack.Entry{Name: fmt.Sprintf("%d.bin", i), Data: config("x")} },
					),
					many(n, func(i int) pack.Entry {
						return pack.Entry{
							Name: fmt.Sprintf("%d.yaml", i),
							Kind: tar.TypeSymlink,
							Link: fmt.Sprintf("%d.bin", i),
						}
					})...)...)
		},
		"dead links": func(n int) []byte {
			return pack.Tar(many(n, func(i int) pack.Entry {
				return pack.Entry{Name: fmt.Sprintf("%d.yaml", i), Kind: tar.TypeSymlink, Link: "../../x"}
			})...)
		},
		"broken archives": func(n int) []byte {
			return pack.Tar(
				many(n, func(i int) pack.Entry { return pack.Entry{Name: fmt.Sprintf("%d.tgz", i), Data: "no"} })...)
		},
		"empty entries": func(n int) []byte {
			return zipOf(many(n, func(i int) pack.Entry { return pack.Entry{Name: fmt.Sprintf("%d.yaml", i)} })...)
		},
	}
	for what, of := range dimensions {
		t.Run(what, func(t *testing.T) {
			const n = 300
			few, all := allocated(t, of(n)), allocated(t, of(10*n))
			if all > 12*few {
				t.Errorf("%d allocations for %d, %d for ten times as many", few, n, all)
			}
		})
	}
}

// allocated is how often memory is allocated for reading an archive.
func allocated(t *testing.T, data []byte) uint64 {
	path := writeFile(t, "x", data)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	files, sum, err := ReadAll(t.Context(), path, Options{Want: Candidate})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		collector.RootOf(f.Name, sum.Inputs[0].Roots)
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// TestLinksThatMultiplyAreBounded: links of a reference in an archive, of which each leads to all
// of a folder.
func TestLinksThatMultiplyAreBounded(t *testing.T) {
	entries := []pack.Entry{{Name: "d/a", Data: strings.Repeat("x", 1<<20)}}
	for i := range 100 {
		entries = append(entries, pack.Entry{Name: fmt.Sprintf("l%d", i), Kind: tar.TypeSymlink, Link: "d"})
	}
	path := writeFile(t, "x.tar", pack.Tar(entries...))
	files, sum, err := ReadAll(t.Context(), path, Options{})
	if err != nil || len(files) != 101 || len(sum.Problems) != 0 || &files[0].Data[0] != &files[100].Data[0] {
		t.Errorf("%d files, problems %v, %v", len(files), sum.Problems, err)
	}
	two := writeFile(t, "x.tar", pack.Tar(append(entries, pack.Entry{Name: "d/b", Data: "x"})...))
	for _, limits := range []Limits{{Unpacked: 10 << 20}, {Entries: 150}} { // 102 entries, but 202 files
		files, sum, err = ReadAll(t.Context(), two, Options{Limits: limits})
		if err != nil || len(files) != 2 || len(sum.Problems) != 1 || sum.Problems[0].Code != code.LimitUnpacked {
			t.Errorf("%+v: %d files, problems %v, %v", limits, len(files), sum.Problems, err)
		}
	}
}

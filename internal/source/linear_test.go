package source

import (
	"archive/tar"
	"fmt"
	"runtime"
	"testing"

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
	got := walk(t, Options{Want: Candidate}, path)
	for _, f := range got.files {
		collector.RootOf(f.Name, got.sum.Inputs[0].Roots)
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

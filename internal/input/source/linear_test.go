package source

import (
	"archive/tar"
	"fmt"
	"runtime"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/collector"
)

// TestWorkGrowsAsTheInputDoes makes each dimension of an input ten times as large: what is
// allocated may be twelve times as much.
func TestWorkGrowsAsTheInputDoes(t *testing.T) {
	link := func(name, to string) testkit.Entry { return testkit.Entry{Name: name, Kind: tar.TypeSymlink, Link: to} }
	file := func(i int) testkit.Entry { return testkit.Entry{Name: fmt.Sprintf("%05d.yaml", i), Data: config("x")} }
	inner := string(standardTar())
	dimensions := map[string]func(i int) []testkit.Entry{
		"files": func(i int) []testkit.Entry { return []testkit.Entry{file(i)} },
		"roots": func(i int) []testkit.Entry {
			return []testkit.Entry{{Name: fmt.Sprintf("r%05d/namespaces/n/x.yaml", i), Data: config("x")}}
		},
		"a name again and again":     func(int) []testkit.Entry { return []testkit.Entry{file(1)} },
		"an archive again and again": func(int) []testkit.Entry { return []testkit.Entry{{Name: "in.tar", Data: inner}} },
		"archives": func(i int) []testkit.Entry {
			return []testkit.Entry{{Name: fmt.Sprintf("%d.tar", i), Data: inner}}
		},
		"archives in archives": func(i int) []testkit.Entry {
			return []testkit.Entry{
				{Name: fmt.Sprintf("%d.tar", i), Data: string(testkit.Tar(testkit.Entry{Name: "in.tar", Data: inner}))},
			}
		},
		"links to one": func(i int) []testkit.Entry {
			return []testkit.Entry{link(fmt.Sprintf("%d.yaml", i), "0.bin"), {Name: "0.bin", Data: config("x")}}
		},
		"links to others": func(i int) []testkit.Entry {
			name := fmt.Sprint(i)
			return []testkit.Entry{link(name+".yaml", name+".bin"), {Name: name + ".bin", Data: config("x")}}
		},
		"dead links": func(i int) []testkit.Entry { return []testkit.Entry{link(fmt.Sprintf("%d.yaml", i), "../../x")} },
		"broken archives": func(i int) []testkit.Entry {
			return []testkit.Entry{{Name: fmt.Sprintf("%d.tgz", i), Data: "no"}}
		},
		"empty entries": func(i int) []testkit.Entry { return []testkit.Entry{{Name: fmt.Sprintf("%d.yaml", i)}} },
	}
	for what, of := range dimensions {
		t.Run(what, func(t *testing.T) {
			const n = 150
			var entries []testkit.Entry
			for i := range 10 * n {
				entries = append(entries, of(i)...)
			}
			few := entries[:len(entries)/10]
			for how, packed := range map[string]func(...testkit.Entry) []byte{"tar": testkit.Tar, "zip": zipOf} {
				if few, all := allocated(t, packed(few...)), allocated(t, packed(entries...)); all > 12*few {
					t.Errorf("%s: %d allocations for %d, %d for ten times as many", how, few, n, all)
				}
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

package cli

import (
	"archive/zip"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// TestLimitsOfReferencesInArchives: all of such an archive is kept in memory, so that less is
// allowed.
func TestLimitsOfReferencesInArchives(t *testing.T) {
	if got := (limits{}).Reference(); got.Unpacked != 512<<20 || got.Entries != 100_000 || got.File != 512<<20 {
		t.Errorf("%+v", got)
	}
	dir := t.TempDir()
	files := agreeing()
	archive := pack.GZ(pack.Tar(
		pack.Entry{Name: "metadata.yaml", Data: files["ref/metadata.yaml"]},
		pack.Entry{Name: "good.yaml", Data: files["ref/good.yaml"]},
		pack.Entry{Name: "more.yaml", Data: files["ref/more.yaml"]},
	))
	files["ref.tar.gz"] = string(archive)
	pack.Files(t, dir, files)
	for limit, want := range map[string]int{"unpacked=1MiB": 0, "unpacked=1KiB": 2, "entries=3": 0, "entries=2": 2} {
		status, out, errs := runIn(t, "", "--limit", limit, filepath.Join(dir, "ref.tar.gz"), filepath.Join(dir, "in"))
		if status != want || want == 2 && (out != "" || !strings.Contains(errs, "VT500")) {
			t.Errorf("%s: exit status %d, want %d: %s%s", limit, status, want, out, errs)
		}
	}
}

// TestLimitsAtTheTopOfTheirRange: the largest value of each limit limits nothing, and overflows
// nowhere.
func TestLimitsAtTheTopOfTheirRange(t *testing.T) {
	dir := t.TempDir()
	files := agreeing()
	good := pack.Entry{Name: "good.yaml", Data: files["in/good.yaml"]}
	files["zip.zip"] = string(pack.Zip(zip.Deflate, good))
	files["in.tgz"] = string(pack.GZ(pack.Tar(good)))
	files["wrapped.tar"] = string(pack.Tar(pack.Entry{Name: "in.tar.xz", Data: string(pack.XZ(pack.Tar(good)))}))
	pack.Files(t, dir, files)
	for _, input := range []string{"in", "zip.zip", "in.tgz", "wrapped.tar", "-"} {
		for _, l := range allLimits() {
			most := l.Most
			if most == 0 {
				most = math.MaxInt
			}
			at := input
			if at != "-" {
				at = filepath.Join(dir, input)
			}
			args := []string{filepath.Join(dir, "ref"), at}
			status, plain, errs := runIn(t, files["wrapped.tar"], args...)
			value := fmt.Sprintf("%s=%d", l.Name, most)
			if l.Name == "time" {
				value += "ms"
			}
			top, limited, more := runIn(t, files["wrapped.tar"], append([]string{"--limit", value}, args...)...)
			if status == 2 || top != status || limited != plain || more != errs {
				t.Errorf("%s on %s: exit status %d, want %d: %.2000s", value, input, top, status, limited+more)
			}
		}
	}
}

package cli

import (
	"archive/zip"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/limit"
	"github.com/validationtool/validationtool/internal/pack"
)

// TestLimitsOfReferencesInArchives: all of such an archive is kept in memory, so that less is allowed.
func TestLimitsOfReferencesInArchives(t *testing.T) {
	if got := (limit.Limits{}).Reference(); got.Unpacked != 512<<20 || got.Entries != 100_000 || got.File != 512<<20 {
		t.Errorf("%+v", got)
	}
	dir := t.TempDir()
	files := agreeing()
	archive := pack.GZ(pack.Tar(pack.Entry{Name: "metadata.yaml", Data: files["ref/metadata.yaml"]}, pack.Entry{Name: "good.yaml", Data: files["ref/good.yaml"]},
		pack.Entry{Name: "more.yaml", Data: files["ref/more.yaml"]}))
	files["ref.tar.gz"] = string(archive)
	pack.Files(t, dir, files)
	for limit, want := range map[string]int{"unpacked=1MiB": 0, "unpacked=1KiB": 2, "entries=3": 0, "entries=2": 2} {
		status, out, errs := runIn(t, "", "--limit", limit, filepath.Join(dir, "ref.tar.gz"), filepath.Join(dir, "in"))
		if status != want || want == 2 && (out != "" || !strings.Contains(errs, "VT500")) {
			t.Errorf("%s: exit status %d, want %d: %s%s", limit, status, want, out, errs)
		}
	}
}

// TestLimitsAtTheTopOfTheirRange: the largest value of each limit limits nothing, and overflows nowhere.
func TestLimitsAtTheTopOfTheirRange(t *testing.T) {
	dir := t.TempDir()
	files := agreeing()
	good := pack.Entry{Name: "good.yaml", Data: files["in/good.yaml"]}
	files["zip.zip"] = string(pack.Zip(zip.Deflate, good))
	files["in.tgz"] = string(pack.GZ(pack.Tar(good)))
	files["wrapped.tar"] = string(pack.Tar(pack.Entry{Name: "in.tar.xz", Data: string(pack.XZ(pack.Tar(good)))}))
	pack.Files(t, dir, files)
	for _, input := range []string{"in", "zip.zip", "in.tgz", "wrapped.tar", "-"} {
		for _, l := range limit.All() {
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
			top, limited, more := runIn(t, files["wrapped.tar"], append([]string{"--limit", fmt.Sprintf("%s=%d", l.Name, most)}, args...)...)
			if status == 2 || top != status || limited != plain || more != errs {
				t.Errorf("%s=%d on %s: exit status %d, want %d: %.2000s", l.Name, most, input, top, status, limited+more)
			}
		}
	}
}

// TestLookingForSecretsFollowsTheLimit: commands that look for Secrets in texts beside the comparison take so many steps as --limit work says.
func TestLookingForSecretsFollowsTheLimit(t *testing.T) {
	dir := t.TempDir()
	texts := func(name string, n int) string {
		text := "apiVersion: v1\nkind: A\nmetadata: {name: " + name + "}\nx:\n"
		for i := range n {
			text += fmt.Sprintf("  a%d: \"kindSecret &x%s%d%s\\n---\\n]\"\n", i, name, i, strings.Repeat(`\n---\na`, 20))
		}
		return text
	}
	const metadata = "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n"
	plain := "apiVersion: v1\nkind: A\nmetadata: {name: a}\n"
	pack.Files(t, dir, map[string]string{"old/metadata.yaml": metadata, "new/metadata.yaml": metadata, "old/a.yaml": texts("a", 100), "new/a.yaml": plain, "in/b.yaml": texts("b", 100),
		"looks/metadata.yaml": metadata, "looks/a.yaml": plain + "x: {{ (lookupCR \"v1\" \"A\" \"\" \"b\").kind }}\n", "is/a.yaml": texts("a", 100) + "y: 1\n"})
	at := func(name string) string { return filepath.Join(dir, name) }
	for what, args := range map[string][]string{
		"two versions":        {"reference", "diff", at("old"), at("new")},
		"a reference":         {"reference", "generate", at("in"), "--output", at("made")},
		"CRs":                 {"reference", "render", at("old"), "--output", "-"},
		"CRs of a folder":     {"reference", "render", at("new"), "--check", at("is")},
		"CRs for lookups":     {"reference", "render", at("looks"), "--output", "-", "--input", at("in")},
		"the CR that is gone": {at("old"), at("in"), "--output", "fix=" + at("fix")},
	} {
		for work, want := range map[string]bool{"40000000": false, "1000": true} {
			_, out, errs := runIn(t, "", append(args, "--limit", "work="+work)...)
			script, _ := os.ReadFile(at("fix/commands.sh"))
			said := strings.Contains(errs, "VT5016") && strings.Contains(errs, "looking for Secrets") || strings.Contains(string(script), "it takes more steps than are left")
			if said != want {
				t.Errorf("%s with %s steps: it is said that these are too few: %v, want %v: %.1000s", what, work, said, want, errs+out+string(script))
			}
			if err := errors.Join(os.RemoveAll(at("made")), os.RemoveAll(at("fix"))); err != nil {
				t.Fatal(err)
			}
		}
	}
}

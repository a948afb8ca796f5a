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

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/source"
)

func TestLimitsAreRead(t *testing.T) {
	for text, want := range map[string]int{"file=1": 1, "file=3KiB": 3 << 10, "file= 2 MiB ": 2 << 20, "file=5GiB": 5 << 30, "steps=12": 12, " calls = 7": 7} {
		set := limits{}
		err := set.set(text)
		name, _, _ := strings.Cut(strings.TrimSpace(text), "=")
		if err != nil || set[strings.TrimSpace(name)] != want {
			t.Errorf("%q: %v, %v", text, set, err)
		}
	}
	set := limits{}
	if err := errors.Join(set.set("file=1"), set.set("file=2"), set.set("depth=3")); err != nil || set["file"] != 2 || set["depth"] != 3 {
		t.Errorf("the last one counts: %v, %v", set, err)
	}
	for text, want := range map[string]string{
		"file": "is not NAME=VALUE", "size=1": `there is no limit "size"; there are file, unpacked,`, "file=": "a whole number of bytes", "file=1MB": "KiB, MiB or GiB",
		"file=0": "above zero", "file=-1": "above zero", "steps=1KiB": "it is a whole number", "steps=x": "it is a whole number", "nesting=100000": "9000 at most",
		"file=9223372036854775807GiB": "at most", "file=99999999999999999999": "whole number",
	} {
		if err := (limits{}).set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestEveryLimitIsSet: each name of --limit reaches the field that it is for, and each field has a name.
func TestEveryLimitIsSet(t *testing.T) {
	set := limits{}
	for i, l := range allLimits() {
		set[l.name] = 1000 + i
		if e, ok := code.Lookup(l.code); !ok || !strings.Contains(e.Do, "--limit "+l.name+"=") {
			t.Errorf("what there is to do about %s does not name --limit %s", l.code, l.name)
		}
		if n, err := l.parse(l.shown()); err != nil || n != l.def {
			t.Errorf("the default of %s is shown as %s: %d, %v", l.name, l.shown(), n, err)
		}
	}
	if got, want := set.source(), (source.Limits{File: 1000, Unpacked: 1001, Entries: 1002, Archives: 1003, Depth: 1004, Held: 1005, Memory: 1014 / 4}); got != want {
		t.Errorf("source: %+v", got)
	}
	text := manifest.Limits{Nesting: 1007, Aliases: 1008, Values: 1009}
	if got, want := set.render(), (render.Limits{Steps: 1010, Output: 1011, Calls: 1012, Text: text}); got != want || set.objects() != 1006 {
		t.Errorf("render: %+v, objects %d", got, set.objects())
	}
	if got := set.reference(); got != set.source() {
		t.Errorf("an archive of a reference: %+v", got)
	}
	none := limits{}
	if none.source() != (source.Limits{Memory: source.DefaultLimits().Memory}) || none.render() != (render.Limits{}) || none.objects() >= math.MaxInt32 {
		t.Error("without --limit there are other limits than the defaults")
	}
}

// TestLimitsOfReferencesInArchives: all of such an archive is kept in memory, so that less is allowed.
func TestLimitsOfReferencesInArchives(t *testing.T) {
	if got := (limits{}).reference(); got.Unpacked != 512<<20 || got.Entries != 100_000 || got.File != 512<<20 {
		t.Errorf("%+v", got)
	}
	dir := t.TempDir()
	files := agreeing()
	archive := gzipped(tarOf(packed{name: "metadata.yaml", data: files["ref/metadata.yaml"]}, packed{name: "good.yaml", data: files["ref/good.yaml"]},
		packed{name: "more.yaml", data: files["ref/more.yaml"]}))
	files["ref.tar.gz"] = string(archive)
	writeFiles(t, dir, files)
	for limit, want := range map[string]int{"unpacked=1MiB": 0, "unpacked=1KiB": 2, "entries=3": 0, "entries=2": 2} {
		status, out, errs := runIn(t, "", "--limit", limit, filepath.Join(dir, "ref.tar.gz"), filepath.Join(dir, "in"))
		if status != want || want == 2 && (out != "" || !strings.Contains(errs, "VT500")) {
			t.Errorf("%s: exit status %d, want %d: %s%s", limit, status, want, out, errs)
		}
	}
}

// TestManualListsTheLimits holds the table of limits in the chapter on security against the limits that there are.
func TestManualListsTheLimits(t *testing.T) {
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| name | of | default | code | what goes beyond it |\n|---|---|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	if !found || len(rows) != len(allLimits()) {
		t.Fatalf("%d rows for %d limits", len(rows), len(allLimits()))
	}
	for i, l := range allLimits() {
		want := fmt.Sprintf("| `%s` | %s | %s | %s | ", l.name, l.said(), l.shown(), l.code)
		if rest, ok := strings.CutPrefix(rows[i], want); !ok || len(rest) < 10 {
			t.Errorf("the row %s\ndoes not begin with %s", rows[i], want)
		}
	}
}

// TestLimitsAtTheTopOfTheirRange: the largest value of each limit limits nothing, and overflows nowhere.
func TestLimitsAtTheTopOfTheirRange(t *testing.T) {
	dir := t.TempDir()
	files := agreeing()
	good := packed{name: "good.yaml", data: files["in/good.yaml"]}
	files["zip.zip"] = string(zipOf(zip.Deflate, good))
	files["in.tgz"] = string(gzipped(tarOf(good)))
	files["wrapped.tar"] = string(tarOf(packed{name: "in.tar.xz", data: string(xzipped(tarOf(good)))}))
	writeFiles(t, dir, files)
	for _, input := range []string{"in", "zip.zip", "in.tgz", "wrapped.tar", "-"} {
		for _, l := range allLimits() {
			most := l.most
			if most == 0 {
				most = math.MaxInt
			}
			at := input
			if at != "-" {
				at = filepath.Join(dir, input)
			}
			args := []string{filepath.Join(dir, "ref"), at}
			status, plain, errs := runIn(t, files["wrapped.tar"], args...)
			top, limited, more := runIn(t, files["wrapped.tar"], append([]string{"--limit", fmt.Sprintf("%s=%d", l.name, most)}, args...)...)
			if status == 2 || top != status || limited != plain || more != errs {
				t.Errorf("%s=%d on %s: exit status %d, want %d: %.2000s", l.name, most, input, top, status, limited+more)
			}
		}
	}
}

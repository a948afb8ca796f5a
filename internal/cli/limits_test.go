package cli

import (
	"archive/zip"
	"cmp"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// TestLimitsAreRead checks the values of --limit. The last value of a limit counts.
func TestLimitsAreRead(t *testing.T) {
	set := limits{"file": 9}
	for text, want := range map[string]int64{"file=1": 1, "file=3KiB": 3 << 10, "file= 2 MiB ": 2 << 20, "file=5GiB": 5 << 30, "steps=12": 12, " calls = 7": 7, "time=90s": 90_000} {
		name, _, _ := strings.Cut(text, "=")
		if err := set.Set(text); err != nil || set[strings.TrimSpace(name)] != want {
			t.Errorf("%q: %v, %v", text, set, err)
		}
	}
	for text, want := range map[string]string{
		"file": "is not NAME=VALUE", "size=1": `unknown limit "size"; the limits are file, unpacked,`, "file=": "a whole number of bytes", "file=1MB": "KiB, MiB, GiB or TiB",
		"file=0": "above zero", "file=-1": "above zero", "steps=1KiB": "it must be a whole number", "steps=x": "it must be a whole number", "nesting=100000": "9000 at most",
		"file=9223372036854775807GiB": "at most", "file=99999999999999999999": "whole number", "time=90": "a duration above zero", "time=-1s": "a duration above zero",
		"memory=127MiB": "128MiB or more",
	} {
		if err := set.Set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestEveryLimitIsSet checks that each name of --limit sets its field, and that each field has a
// name.
func TestEveryLimitIsSet(t *testing.T) {
	set := limits{}
	for i, l := range allLimits() {
		set[l.Name] = int64(1000 + i)
		if e, ok := code.Lookup(l.code); !ok || !strings.Contains(e.Do, "--limit "+l.Name+"=") {
			t.Errorf("what there is to do about %s does not name --limit %s", l.code, l.Name)
		}
		if n, err := l.parse(l.shown()); (err != nil || n != l.def) && l.Name != "memory" {
			t.Errorf("the default of %s is shown as %s: %d, %v", l.Name, l.shown(), n, err)
		}
	}
	if got, want := set.Source(), (source.Limits{File: 1000, Unpacked: 1001, Entries: 1002, Archives: 1003, Depth: 1004, Held: 1005, Memory: 1015 / 4}); got != want {
		t.Errorf("source: %+v", got)
	}
	text := kubeyaml.Limits{
		Nesting: 1007, Aliases: 1008, Values: 1009, Dense: 1009, Size: leastDecoded,
	}
	if got, want := set.Render(), (render.Limits{Steps: 1010, Output: 1011, Calls: 1012, Text: text}); got != want ||
		set.Objects() != 1006 ||
		set.Clusters() != 1017 {
		t.Errorf("render: %+v, objects %d", got, set.Objects())
	}
	if got := set.Reference(); got != set.Source() {
		t.Errorf("an archive of a reference: %+v", got)
	}
	none := limits{}
	if none.Source() != (source.Limits{Memory: none.Memory() / 4}) || none.Render() != (render.Limits{Text: none.Text()}) ||
		none.Text() != (kubeyaml.Limits{Size: int(none.Memory() / ofDecoded)}) ||
		none.Objects() >= math.MaxInt32 {
		t.Error("without --limit there are other limits than the defaults")
	}
}

// TestManualListsTheLimits compares the table of limits in docs/security.md with the limits.
func TestManualListsTheLimits(t *testing.T) {
	_, table, found := strings.Cut(
		read(t, "../../docs/security.md"), "| name | limits | default | at most | code | content beyond it |\n|---|---|---|---|---|---|\n",
	)
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	if !found || len(rows) != len(allLimits()) {
		t.Fatalf("%d rows for %d limits", len(rows), len(allLimits()))
	}
	for i, l := range allLimits() {
		most := "–"
		switch {
		case l.unit == timed:
			most = fmt.Sprintf("%.0fh", math.Floor((time.Duration(l.Most) * time.Millisecond).Hours()))
		case l.Most > 0:
			most = fmt.Sprint(l.Most)
		}
		want := fmt.Sprintf("| `%s` | %s | %s | %s | %s | ", l.Name, l.What, l.shown(), most, l.code)
		if rest, ok := strings.CutPrefix(rows[i], want); !ok || len(rest) < 10 {
			t.Errorf("the row %s\ndoes not begin with %s", rows[i], want)
		}
	}
}

// TestLargeCRsAreComparedButNotShown: a CR may be larger than one whose differences are shown if it agrees
// with its template. If it differs, the result says so and is incomplete.
func TestLargeCRsAreComparedButNotShown(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  mode: "
	long := "\n  k: |\n" + strings.Repeat("    some words\n", leastDecoded/15)
	agreeing(t, map[string]string{
		"cm/metadata.yaml": "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    allOf:\n    - path: cm.yaml\n" +
			"      config:\n        ignore-unspecified-fields: true\n",
		"cm/cm.yaml": head + "fast\n", "agrees": head + "fast" + long + "\n\n\n", "differs": head + "slow" + long + "\n\n\n", "small": head + "slow\n",
	})
	for name, want := range map[string]string{
		"agrees": "0 COMPLIANT", "differs": "2 INCOMPLETE", "small": "1 DRIFT",
	} {
		status, out, errs := fed("", "--limit", "memory=1GiB", "cm", name)
		verdict, _, _ := strings.Cut(out, ":")
		if got := fmt.Sprint(status, " ", verdict); got != want || strings.Contains(out, string(code.LimitMemory)) != (status == 2) {
			t.Errorf("%s: %s, want %s: %.2000s", name, got, want, out+errs)
		}
	}
}

// TestLimitsAtTheTopOfTheirRange checks that the largest value of each limit changes nothing and
// does not overflow.
func TestLimitsAtTheTopOfTheirRange(t *testing.T) {
	good := pack.Entry{Name: "good.yaml", Data: strictCR}
	wrapped := string(pack.Tar(pack.Entry{Name: "in.tar.xz", Data: string(pack.XZ(pack.Tar(good)))}))
	agreeing(t, map[string]string{
		"zip.zip": string(pack.Zip(zip.Deflate, good)), "in.tgz": string(pack.GZ(pack.Tar(good))), "wrapped.tar": wrapped,
	})
	for _, input := range []string{"in", "zip.zip", "in.tgz", "wrapped.tar", "-"} {
		status, plain, errs := fed(wrapped, "ref", input)
		for _, l := range allLimits() {
			value := fmt.Sprintf("%s=%d", l.Name, cmp.Or(l.Most, math.MaxInt))
			if l.Name == "time" {
				value += "ms"
			}
			top, limited, more := fed(wrapped, "--limit", value, "ref", input)
			if status == 2 || top != status || limited != plain || more != errs {
				t.Errorf("%s on %s: exit status %d, want %d: %.2000s", value, input, top, status, limited+more)
			}
		}
	}
}

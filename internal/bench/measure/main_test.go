package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ulikunitz/xz"
)

func someLines() []line {
	return []line{
		{
			what:    "a file",
			cost:    sample{wall: 1234 * time.Millisecond, processor: 20 * time.Millisecond, peak: 48_000_000},
			figures: []figure{{0.456, 0.5, "× `gzip -dc`", 2}, {value: 48, goal: 40, unit: "MB at the peak"}},
		},
		{
			what:    "another",
			cost:    sample{wall: 999 * time.Microsecond},
			figures: []figure{{value: 7, unit: "of something"}},
		},
	}
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	writeTable(&b, someLines(), true)
	want := "" +
		"| compared | time   | processor | peak  | that is                              | goal                |\n" +
		"|----------|--------|-----------|-------|--------------------------------------|---------------------|\n" +
		"| a file   | 1.23 s | 20 ms     | 48 MB | 0.46 × `gzip -dc`, 48 MB at the peak | ≤ 0.50, ≤ 40 missed |\n" +
		"| another  | 1 ms   | 0 ms      | 0 MB  | 7 of something                       |                     |\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestMedians(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	ones := []sample{{wall: ms(30), peak: 1}, {wall: ms(10), peak: 3}, {wall: ms(80), peak: 2}}
	others := []sample{{wall: ms(10)}, {wall: ms(10)}, {wall: ms(40)}}
	if got := medians(ones); got.wall != ms(30) || got.peak != 2 {
		t.Errorf("medians %+v", got)
	}
	if got := ratio(ones, others, wall); got != 2 { // of 3, 1 and 2: those of the pairs, not that of the medians
		t.Errorf("ratio %v", got)
	}
}

func TestTheTableOfAFileIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.md")
	if err := os.WriteFile(path, []byte("before\n"+tableBegins+"old\n"+tableEnds+"after\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := rewrite(path, someLines()); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	if !strings.HasPrefix(got, "before\n"+tableBegins+"| compared ") || !strings.HasSuffix(got, "processors.\n"+tableEnds+"after\n") ||
		strings.Contains(got, "old") || strings.Contains(got, "goal") ||
		strings.Count(got, "| a file") != 1 {
		t.Errorf("got %s", got)
	}
	if err := os.WriteFile(path, []byte("no marks\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := rewrite(path, someLines()); err == nil {
		t.Error("a file without marks: no error")
	}
}

// TestTheManualHasTheMarks: else the table could not be written there.
func TestTheManualHasTheMarks(t *testing.T) {
	text, err := os.ReadFile("../../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, begins := strings.Cut(string(text), tableBegins)
	if !begins || !strings.Contains(rest, tableEnds) {
		t.Errorf("docs/performance.md lacks %q or %q", tableBegins, tableEnds)
	}
}

func TestTheXZYardstick(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.xz")
	var packed bytes.Buffer
	w, err := xz.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(bytes.Repeat([]byte("text\n"), 1000)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run([]string{inflateXZ, path}, &out, &out); err != nil || out.String() != "5000\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestRowsHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rows() {
		if seen[r.name] || r.measure == nil {
			t.Errorf("%q stands twice, or measures nothing", r.name)
		}
		seen[r.name] = true
	}
	var out bytes.Buffer
	if err := run([]string{"-only", "no such row"}, &out, &out); err == nil {
		t.Error("nothing to measure is no error")
	}
	if err := run([]string{"-only", "small", "-table", "table.md"}, &out, &out); err == nil {
		t.Error("a part of the table would take the place of the whole")
	}
	if err := run([]string{"-only", "("}, &out, &out); err == nil {
		t.Error("a broken pattern is no error")
	}
}

func TestFailingCommands(t *testing.T) {
	if _, err := (child{args: []string{"sh", "-c", "echo what is wrong >&2; exit 2"}, fine: 1}).once(); err == nil ||
		!strings.Contains(err.Error(), "what is wrong") {
		t.Errorf("got %v", err)
	}
	if _, err := (child{args: []string{"sh", "-c", "exit 1"}, fine: 1}).once(); err != nil {
		t.Error(err)
	}
}

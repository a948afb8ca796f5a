package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func someLines() []line {
	return []line{
		{
			what:   "a file",
			sample: sample{wall: 1.234, processor: 0.02, peak: 48},
			figures: []figure{
				{value: 0.456, goal: 0.5, format: "%.2f × `gzip -dc`"},
				{value: 48, goal: 40, format: peakFormat},
			},
		},
		{what: "another", sample: sample{wall: 0.000999}, figures: []figure{{value: 7, format: "%.0f of something"}}},
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
	ours := []sample{{wall: 30, peak: 1}, {wall: 10, peak: 3}, {wall: 80, peak: 2}}
	yardstick := []sample{{wall: 10}, {wall: 10}, {wall: 40}}
	var ratios []sample
	for i := range ours {
		ratios = append(ratios, ours[i].over(yardstick[i]))
	}
	if got := medians(ours); got[wall] != 30 || got[peak] != 2 {
		t.Errorf("medians %v", got)
	}
	if got := medians(ratios)[wall]; got != 2 { // of 3, 1 and 2: those of the pairs, not that of the medians
		t.Errorf("ratio %v", got)
	}
}

func TestTheTableOfAFileIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.md")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("before\n" + tableBegins + "old\n" + tableEnds + "after\n")
	for range 2 {
		if err := rewrite(path, append(someLines(), line{what: "old", aside: true})); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	if !strings.HasPrefix(got, "before\n"+tableBegins+"| compared ") || !strings.HasSuffix(got, "processors.\n"+tableEnds+"after\n") ||
		strings.Contains(got, "old") || strings.Contains(got, "goal") || strings.Count(got, "| a file") != 1 {
		t.Errorf("got %s", got)
	}
	write("no marks\n")
	if err := rewrite(path, someLines()); err == nil {
		t.Error("a file without marks: no error")
	}
}

// TestTheManualHasTheMarks: else the table could not be written there.
func TestTheManualHasTheMarks(t *testing.T) {
	atRoot(t)
	text, err := os.ReadFile("docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, begins := strings.Cut(string(text), tableBegins)
	if !begins || !strings.Contains(rest, tableEnds) {
		t.Errorf("docs/performance.md lacks %q or %q", tableBegins, tableEnds)
	}
}

// TestRows checks that each row has a name of its own, and commands of which all names are known.
func TestRows(t *testing.T) {
	known := map[string]bool{"tool": true, "bench": true, "reference": true, "data": true, "new": true, "$": true}
	for name := range datasets() {
		for _, extension := range []string{"", ".tar.gz", ".tar.xz", ".zip"} {
			known[name+extension] = true
		}
	}
	seen := map[string]bool{}
	for _, r := range rows("", "") {
		if seen[r.name] {
			t.Errorf("two rows are named %q", r.name)
		}
		seen[r.name] = true
		for _, command := range [][]string{r.before, r.command, r.yardstick, {r.sized}} {
			for _, arg := range command {
				os.Expand(arg, func(name string) string {
					if !known[name] {
						t.Errorf("%s: %s is unknown", r.name, name)
					}
					return ""
				})
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	var out bytes.Buffer
	for _, args := range [][]string{
		{"-only", "no such row"}, {"-only", "small", "-table", "table.md"}, {"-only", "("}, {"-runs", "0"}, {"more"},
		{makeInput, filepath.Join(t.TempDir(), "nothing")}, {unpackFile, "no such file"},
	} {
		if err := run(args, &out, &out); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

func TestCommands(t *testing.T) {
	b := &bench{tool: "sh", data: t.TempDir()}
	if _, err := b.once(tool("-c", "echo what is wrong >&2; exit 2")); err == nil || !strings.Contains(err.Error(), "what is wrong") {
		t.Errorf("exit status 2: %v", err)
	}
	if _, err := b.once(tool("-c", "exit 1")); err != nil {
		t.Errorf("differences are a failure: %v", err)
	}
	if s, err := b.once([]string{"expr", "2", "+", "3"}); err != nil || s[printed] != 5 {
		t.Errorf("a yardstick prints %v, %v", s[printed], err)
	}
}

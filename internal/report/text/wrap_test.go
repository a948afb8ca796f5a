package text

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		name, text  string
		first, rest int
		want        string // pieces, separated by ⏎
	}{
		{"fits", "abc", 3, 3, "abc"},
		{"empty", "", 3, 3, ""},
		{"hard", "abcdefgh", 3, 2, "abc⏎de⏎fg⏎h"},
		{"before a blank", "aaaa bbbb cccc", 10, 10, "aaaa bbbb⏎ cccc"},
		{"behind a comma", "0-1,20-21,40-41", 11, 11, "0-1,20-21,⏎40-41"},
		{"not far from the end", "a bbbbbbbbbbbbb", 10, 10, "a bbbbbbbb⏎bbbbb"},
		{"wide characters", "設定設定", 5, 4, "設定⏎設定"},
		{"characters of several parts", "ae\u0301🇩🇪b", 2, 2, "ae\u0301⏎🇩🇪⏎b"},
	}
	ruler := newRuler()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var pieces []string
			for _, p := range ruler.wrap(test.text, test.first, test.rest, cutValue) {
				pieces = append(pieces, test.text[p.start:p.end])
			}
			if got := strings.Join(pieces, "⏎"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestPlacesCanBePasted: a place is on one line, and only a terminal shortens the root.
func TestPlacesCanBePasted(t *testing.T) {
	long := strings.Repeat("registry-example-com-", 5) + "sha256"
	run := &finding.Run{
		Inputs: []finding.Input{{Path: "in.tar", Format: "tar", Folder: "top/" + long}},
		Comparisons: []*finding.Comparison{{
			Object: finding.Object{APIVersion: "v1", Kind: "ConfigMap", Name: "a"}, Template: finding.Template{Path: "a.yaml"},
			Source: finding.Source{File: "in.tar", Entry: "top/" + long + "/" + long + "/a.yaml", Line: 3},
			Result: finding.Drifted, Counts: finding.Counts{Drift: 1},
		}},
	}
	run.Conclude()
	file := "\n  file       " + long + "/a.yaml:3\n"
	for _, c := range []struct {
		opt  Options
		root string
	}{
		{Options{Width: 80}, "top/" + long + "/"},
		{Options{Width: 80, Terminal: true}, "top/registry-example-c…e-com-sha256/"},
		{Options{Width: 80, Terminal: true, Verbose: true}, "top/" + long + "/"},
		{Options{Width: 200, Terminal: true}, "top/" + long + "/"},
	} {
		var out strings.Builder
		if err := Report(&out, &finding.Report{Runs: []*finding.Run{run}}, c.opt); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"\nroot       " + c.root + "\n", file} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%+v: no %q in\n%s", c.opt, want, out.String())
			}
		}
	}
}

// TestSignsOfReportsAreMeasuredWithoutTables: the library would fill its tables for them.
func TestSignsOfReportsAreMeasuredWithoutTables(t *testing.T) {
	var r ruler // without the library
	text := "⋮ 2 lines − of n…\t↳ 3"
	if n := r.width(text[:len("⋮ 2 lines − of n…")]); n != 17 {
		t.Errorf("%d columns", n)
	}
	if n := r.fit(text, 1); n != len("⋮") {
		t.Errorf("%d bytes in one column", n)
	}
}

// TestTextsAreMeasuredAsTheLibraryDoes checks this for texts in which each sign may stand beside
// each other one.
func TestTextsAreMeasuredAsTheLibraryDoes(t *testing.T) {
	r := newRuler()
	signs := []rune("ab …⋮↳−é\u0301\u200d設🇩🇪\r\n\t\x7f\u00ad")
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(8) {
			few := []int{len(signs), 7}[random.IntN(2)]
			b.WriteRune(signs[random.IntN(few)])
		}
		text, width := b.String(), random.IntN(10)
		if got, want := r.head(text, width), r.condition.Truncate(text, width, ""); got != want {
			t.Errorf("%q in %d columns: %q, want %q", text, width, got, want)
		}
		if got, want := r.width(text), r.condition.StringWidth(text); got != want && !isASCII(text) {
			t.Errorf("%q: %d columns, want %d", text, got, want)
		}
	}
}

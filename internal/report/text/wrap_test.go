package text

import (
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

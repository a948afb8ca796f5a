package text

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

// FuzzText prints any strings in any width, and checks what must hold for every report: see
// checkReport and checkRejoin.
func FuzzText(f *testing.F) {
	f.Add(int64(1), "plain", "a\tb \x1b[31m\u202e", 70)
	f.Add(int64(3), strings.Repeat("k", 1100), "v", 80)
	f.Add(int64(2), "line\nline \n", "\xff\xfe\u200b", 120)
	f.Fuzz(func(t *testing.T, seed int64, key, value string, width int) {
		left := map[string]any{key: value, "list": []any{value, map[string]any{key: value + "\n" + key}}}
		right := map[string]any{key: value + "x", "list": []any{key, value}, value: key}
		g := &generator{random: rand.New(rand.NewSource(seed))}
		r, tree := g.result(left, right, diff.Show{Full: true})
		c := r.Runs[0].Comparisons[0]
		c.Object.Name, c.Source.File = value, key
		finding.Identify(c.Differences, c.Object, c.Template.Path)
		r.Runs[0].Warnings = []finding.Warning{{Code: "VT1008", Message: value, Place: key}}
		checkReport(t, r, Options{Width: width % 300, Color: seed%2 == 0, Unified: seed%3 == 0})
		if !isMixed(tree) {
			checkRejoin(t, tree)
		}
		checkDocument(t, r)
	})
}

// FuzzWrap lays any text out in any width: as a value's line, of which nothing is lost, and as a
// paragraph.
func FuzzWrap(f *testing.F) {
	f.Add("a: some words, and\tmore; of them", 20, 2)
	f.Add("設定 e\u0301 👩\u200d👩\u200d👧 \u202e\x1b[31m\xff", 9, 0)
	f.Add(strings.Repeat("x", 200)+"  "+strings.Repeat("界", 90), 18, 40)
	f.Fuzz(func(t *testing.T, s string, width, indent int) {
		width, indent = 18+max(width, -width)%200, max(indent, -indent)%100
		if width < 0 || indent < 0 {
			return
		}
		ruler := newRuler()
		checkWrap(t, ruler, &finding.Line{Indent: indent, Text: escape.Text(s)}, width)
		for _, l := range ruler.paragraph(s, width, min(indent, width/4), min(indent, width/4)+2) {
			if w := ruler.width(l); w > width {
				t.Errorf("%q is %d columns wide; at most %d fit", l, w, width)
			}
			if safe := escape.Text(l); safe != l {
				t.Errorf("%q holds what is not safe to print", l)
			}
		}
	})
}

package text

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-runewidth"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/refconfig"
)

// TestTextKeepsItsPromises prints random objects in many ways and checks what must hold for every
// report: see checkText.
func TestTextKeepsItsPromises(t *testing.T) {
	for seed := range testkit.Tries(400) {
		checkText(t, int64(seed))
	}
}

func checkText(t *testing.T, seed int64) {
	t.Helper()
	g := &generator{random: rand.New(rand.NewSource(seed))}
	left := g.value(4)
	right := g.change(left, 4)
	for _, width := range []int{0, 40, 60, 71, 80, 120, 200} {
		opt := Options{
			Width:        width,
			Color:        g.random.Intn(2) == 0,
			Unified:      g.random.Intn(4) == 0,
			ShowExpected: g.random.Intn(2) == 0,
			Verbose:      true,
		}
		show := diff.Show{Context: g.random.Intn(4), Full: g.random.Intn(2) == 0, Expected: opt.ShowExpected}
		r, tree := g.result(left, right, show)
		checkReport(t, r, opt)
		if width == 0 {
			checkDocument(t, r)
		}
		if width == 0 && !isMixed(tree) {
			checkRejoin(t, tree)
		}
		if t.Failed() {
			t.Fatalf("seed %d, options %+v, %+v", seed, opt, show)
		}
	}
	if t.Failed() {
		t.Fatalf("seed %d", seed)
	}
}

// checkReport checks that no line is wider than asked for, and that nothing raw gets through.
func checkReport(t *testing.T, r *finding.Report, opt Options) {
	t.Helper()
	var out bytes.Buffer
	if err := Report(&out, r, opt); err != nil {
		t.Fatal(err)
	}
	width := opt.Width
	if width == 0 {
		width = widthDefault
	}
	width = max(width, MinWidth)
	text := out.String()
	if !utf8.ValidString(text) {
		t.Error("the report is no UTF-8")
	}
	if opt.Color {
		text = regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(text, "")
	}
	condition := &runewidth.Condition{StrictEmojiNeutral: true}
	for n, line := range strings.Split(text, "\n") {
		if w := condition.StringWidth(line); w > width &&
			!regexp.MustCompile(`^(Next, |root  |input  |reference  | *file  )| https://`).MatchString(line) { // which are to be pasted
			t.Errorf("line %d is %d columns wide, more than %d: %q", n+1, w, width, line)
		}
		if strings.HasSuffix(line, " ") && !opt.Color {
			t.Errorf("line %d ends with a blank: %q", n+1, line)
		}
		for _, c := range line {
			if visible := ' ' <= c && c < 0x7f; !visible &&
				(unicode.Is(unicode.Cc, c) || unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Zl, c) || unicode.Is(unicode.Zp, c)) {
				t.Errorf("line %d holds %U: %q", n+1, c, line)
			}
		}
	}
}

// isMixed reports whether a string of one line is shown as a block somewhere, because the other
// side is one: a whole value is not printed like that.
func isMixed(p *diff.Pair) bool {
	for _, child := range p.Children {
		if isMixed(child) {
			return true
		}
	}
	l, _ := p.Left.Data.(string)
	r, _ := p.Right.Data.(string)
	return p.Category == finding.Drift && l != "" && r != "" && escape.IsBlock(l) != escape.IsBlock(r)
}

// checkRejoin checks that the cells of either side give the side's YAML back, in the rows and,
// wrapped, in the columns of every width.
func checkRejoin(t *testing.T, tree *diff.Pair) {
	t.Helper()
	sides := diff.Show{Secrets: true, Full: true}.Sides(&diff.Room{}, tree, nil)
	for context := range 5 {
		for _, show := range []diff.Show{{Context: context}, {Context: context, Secrets: true, Expected: true}, {Context: context, Varying: true}} {
			all := show
			all.Full = true
			want := diff.Fold(
				all.Sides(&diff.Room{}, tree, nil), diff.Folding{Context: context, Expected: show.Expected || show.Varying},
			)
			if got := show.Sides(&diff.Room{}, tree, nil); !reflect.DeepEqual(want, got) {
				t.Errorf(
					"the lines made are not those kept of all lines, with %d around findings: %s",
					context,
					cmp.Diff(want, got),
				)
			}
		}
	}
	var left, right []string
	for _, r := range sides {
		if r.Left != nil {
			left = append(left, spacesOf(r.Left.Indent)+r.Left.Text)
		}
		if r.Right != nil {
			right = append(right, spacesOf(r.Right.Indent)+r.Right.Text)
		}
	}
	for name, side := range map[string]struct {
		value any
		got   []string
	}{"reference": {tree.Left.Data, left}, "input": {tree.Right.Data, right}} {
		var want []string
		for _, c := range escape.Lines(side.value, "", &escape.Lead{}, "") {
			want = append(want, spacesOf(c.Indent)+c.Text)
		}
		if got, want := strings.Join(side.got, "\n"), strings.Join(want, "\n"); got != want {
			t.Errorf("the %s's cells give\n%s\nwant\n%s", name, got, want)
		}
	}
	ruler := newRuler()
	for _, r := range sides {
		for _, c := range []*finding.Line{r.Left, r.Right} {
			if c == nil {
				continue
			}
			for _, width := range []int{18, 33, 58} {
				checkWrap(t, ruler, c, width)
			}
		}
	}
}

func checkWrap(t *testing.T, ruler ruler, c *finding.Line, width int) {
	t.Helper()
	lines, columns := ruler.cellLines(c, width, nil, nil)
	joined := ""
	for i, l := range lines {
		if w := ruler.width(l); w > width || w != columns[i] {
			t.Errorf("%q is %d columns wide and said to be %d; at most %d fit", l, w, columns[i], width)
		}
		l = strings.TrimPrefix(l, spacesOf(len(l)-len(strings.TrimLeft(l, " "))))
		if i > 0 {
			l = strings.TrimPrefix(l, continued)
		}
		joined += l
	}
	// A block's own blanks at the begin of a line cannot be told from indentation.
	if strings.TrimLeft(joined, " ") != strings.TrimLeft(c.Text, " ") {
		t.Errorf("%q wraps to %q", c.Text, lines)
	}
}

// TestWriteErrorsAreReturned lets the writer fail after any number of bytes.
func TestWriteErrorsAreReturned(t *testing.T) {
	g := &generator{random: rand.New(rand.NewSource(5))}
	left := map[string]any{"a": strings.Repeat("x ", 20_000)}
	r, _ := g.result(left, map[string]any{"a": strings.Repeat("y ", 20_000)}, diff.Show{})
	for name, print := range map[string]func(io.Writer) error{
		"text": func(w io.Writer) error { return Report(w, r, Options{}) },
		"json": func(w io.Writer) error { return formats.JSON(w, r, formats.Omit{}) },
		"yaml": func(w io.Writer) error { return formats.YAML(w, r, formats.Omit{}) },
	} {
		for _, limit := range []int{0, 100, 5000, 9000} {
			if err := print(&brokenWriter{left: limit}); !errors.Is(err, errBroken) {
				t.Errorf("%s, broken after %d bytes: got the error %v", name, limit, err)
			}
		}
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{ left int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		return w.left, errBroken
	}
	w.left -= len(p)
	return len(p), nil
}

// generator makes random values, and pairs of them with random categories.
type generator struct{ random *rand.Rand }

func (g *generator) result(left, right any, show diff.Show) (*finding.Report, *diff.Pair) {
	c := &finding.Comparison{
		Object:      finding.Object{APIVersion: "v1", Kind: "Kind" + g.text(), Namespace: g.text(), Name: g.text()},
		Source:      finding.Source{File: g.text(), Entry: g.text(), Line: 3},
		Template:    finding.Template{Path: g.text(), Description: g.text(), Component: g.text(), Part: g.text()},
		Correlation: finding.Correlation{By: "fixed", Fields: []string{}},
	}
	tree := g.pair(refconfig.Step{Index: -1}, diff.Present(left), diff.Present(right))
	finish(c, tree, show)
	return reportOf(c), tree
}

// finish fills in what follows from a tree.
func finish(c *finding.Comparison, tree *diff.Pair, show diff.Show) {
	var all []diff.Difference
	flatten(tree, nil, func(d diff.Difference) {
		all = append(all, d)
		c.Counts.Count(d.Category, 1)
	})
	line := func(path refconfig.FieldPath) int {
		return c.Source.Line + 1 + slices.IndexFunc(all, func(d diff.Difference) bool { return slices.Equal(d.Path, path) })
	}
	c.Result, c.Differences = c.Counts.Result(), show.Differences(all, line)
	c.Sides = show.Packed(&diff.Room{}, tree, all)
	finding.Identify(c.Differences, c.Object, c.Template.Path)
}

func flatten(p *diff.Pair, path refconfig.FieldPath, add func(diff.Difference)) {
	for _, child := range p.Children {
		flatten(child, append(slices.Clone(path), child.Step), add)
	}
	if p.Category == finding.Same && p.Message != "" { // a finding about no field
		add(diff.Difference{Category: finding.Drift, Path: path, Message: p.Message, Code: p.Code})
	}
	if p.Category != finding.Same {
		add(diff.Difference{
			Category:  p.Category,
			Path:      path,
			Reference: p.Left,
			Input:     p.Right,
			Message:   p.Message,
			Code:      p.Code,
			Secret:    p.Secret,
		})
	}
}

// reportOf is the report on CRs.
func reportOf(all ...*finding.Comparison) *finding.Report {
	r := &finding.Run{Comparisons: all}
	r.Summary.Objects.Read = len(all)
	r.Conclude()
	report := &finding.Report{
		Reference: finding.Reference{Path: "ref", Format: "v2", Hash: "sha256:0"},
		Tool:      finding.Tool{Name: finding.ToolName, Version: "1.2.3"}, Runs: []*finding.Run{r}}
	report.Conclude()
	return report
}

func (g *generator) pair(step refconfig.Step, left, right diff.Value) *diff.Pair {
	p := &diff.Pair{Step: step, Left: left, Right: right}
	if g.random.Intn(8) == 0 {
		p.Message, p.Code = g.text(), "VT4006"
	}
	lm, isMapL := left.Data.(map[string]any)
	rm, isMapR := right.Data.(map[string]any)
	ll, isListL := left.Data.([]any)
	rl, isListR := right.Data.([]any)
	switch {
	case !right.Present:
		p.Category = finding.Missing
		return p
	case !left.Present:
		p.Category = finding.Extra
		return p
	case isMapL && isMapR && len(lm)*len(rm) > 0:
		keys := maps.Clone(lm)
		maps.Copy(keys, rm)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			l, inLeft := lm[key]
			r, inRight := rm[key]
			p.Children = append(p.Children, g.pair(
				refconfig.Step{Key: key, Index: -1}, diff.Value{Present: inLeft, Data: l}, diff.Value{Present: inRight, Data: r},
			))
		}
	case isListL && isListR && len(ll)*len(rl) > 0:
		p.List = true
		for i := range max(len(ll), len(rl)) {
			p.Children = append(p.Children, g.pair(refconfig.Step{Index: i}, item(ll, i), item(rl, i)))
		}
	case fmt.Sprintf("%#v", left.Data) == fmt.Sprintf("%#v", right.Data):
		p.Category = []finding.Category{finding.Same, finding.Expected}[g.random.Intn(2)]
	default:
		p.Category = finding.Drift
	}
	return p
}

func item(list []any, i int) diff.Value {
	if i < len(list) {
		return diff.Present(list[i])
	}
	return diff.Value{}
}

func (g *generator) value(depth int) any {
	kind := g.random.Intn(9)
	if depth == 4 {
		kind = 0
	}
	switch {
	case kind < 3 && depth > 0:
		m := map[string]any{}
		for range 1 + g.random.Intn(4) {
			m[g.key()] = g.value(depth - 1)
		}
		return m
	case kind < 5 && depth > 0:
		list := []any{}
		for range g.random.Intn(4) {
			list = append(list, g.value(depth-1))
		}
		return list
	case kind == 5:
		return int64(g.random.Int63())
	case kind == 6:
		return []any{nil, true, false, 1.5, 1e21}[g.random.Intn(5)]
	}
	return g.text()
}

// change returns a value with some of what is in it changed.
func (g *generator) change(v any, depth int) any {
	if depth < 4 && g.random.Intn(6) == 0 {
		return g.value(depth)
	}
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if g.random.Intn(6) > 0 {
				out[key] = g.change(v[key], depth-1)
			}
		}
		if g.random.Intn(3) == 0 {
			out[g.key()] = g.value(max(depth-1, 0))
		}
		return out
	case []any:
		var out = []any{}
		for _, x := range v {
			out = append(out, g.change(x, depth-1))
		}
		return out
	case string:
		if g.random.Intn(3) == 0 {
			return v + g.text()
		}
	}
	return v
}

func (g *generator) key() string {
	if g.random.Intn(5) == 0 {
		return g.text()
	}
	return string(rune('a'+g.random.Intn(26))) + "-key"
}

func (g *generator) text() string {
	pieces := []string{
		"word", " ", "\n", "a: b", "#", "- ", "設定", "é", "e\u0301", "👍🏽", "👩\u200d👩\u200d👧", "\u202e", "\u200b", "\x1b[31m", "\t", "\xff",
		"yes", "1e3", "🇩🇪", "\u2028", "\r\n", "0-1,20-21", strings.Repeat("long", 30), strings.Repeat("\u0301", 9), "\u00a0", "한글", "\\t", "|", "'\"",
	}
	out := ""
	for range 1 + g.random.Intn(5) {
		out += pieces[g.random.Intn(len(pieces))]
	}
	return out
}

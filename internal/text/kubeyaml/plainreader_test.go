package kubeyaml

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// edgesOfPlain are texts at the edge of what parsePlain knows.
func edgesOfPlain() []string {
	return []string{
		"a: b\n", "---\na: b\n", "a:\n", "a:\nb: c\n", "a: # c\nb: c # d\n", "a:\n- b\n- c: d\n  e: f\ng:\n  - h\n", "- a\n- b: c\n", "  - a: b\n    c: d\n", "a:\n  b:\n    c: d\n  e: f\ng: h\n",
		"a: 'b'\nc: \"d\"\n\"e\": f\n'g': h\n", "a: {}\nb: []\nc: {} # x\n", "a: {b: c}\n", "a: |\n  b\n", "a: b\n  c\n", "a:\n  b\n", "a: 1\na: 2\n", "y: 1\n\"true\": 2\n", "1: a\n1.0: b\n", "~: a\n",
		"a: .inf\n", "a: -.nan\n", "a: .5\n", "a: b: c\n", "a: b:\n", "<<: a\n", "'<<': a\n", "a:\n  b: c\n d: e\n", "a:\n- b\n c: d\n", "a:\n - b\n- c\n", "- a:\n  - b\n  c: d\n", "- a:\n- b\n",
		"- - a\n", "-\n", "- \n  a: b\n", "-\ta\n", "a:\tb\n", "a: b\n...\n", "a: b\n...\nc: d\n", "a: b\n---\nc: d\n", "%YAML 1.1\n---\na: b\n", "# c\na: b\n\n# d\n", "a: b #c\nd: e#f\n", "a: b#c\n  d#e\n", "a: b\n  c #d\n", "a: b\n  #c\n", "a: b\n  #c\n  d\n", "- a\n  b#\n", "- a\n#b\n", "a #b: c\n",
		"a: !x b\n", "a: &x b\nc: *x\n", "a: 'b''c'\n", "a: \"b\\n\"\n", "a: \"b\nc\"\n", "a: - b\n", "a: -b\n", "a: ?b\n", "? a\n", "a : b\n", ": b\n", "a: @b\n", "a: b\nc\n", "a:\n    - b: c\n      d: e\n    - f: g\n",
		"a: é\n", "a: b\r\n", "a: b", "", "\n", "a:\n#x\n  b: c\n#y\n- d\n", "a:\n  - b: {}\n    c:\n    - d\n    e:\n", "'a' : b\n", "a:\n  - - b\n", "---\n---\na: b\n", "--- a: b\n", "[]\n", "- []\n- {}\n", "a: \"\"\nb: ''\n",
		"{a: b}\n", "---\n{a: b}\n", "{a: b}", "{a: {b: [c, 'd', \"e\"]}, \"f\":[1,-2,.5,+.inf]}\n", "{a: b c, d: e:f, g: http://h/i?j}\n", "{a : b}\n", "{\"a\" : 'b'}\n", "{a:b}\n", "{a: b: c}\n", "{a: }\n", "{a}\n", "{a: b,}\n",
		"[a: b]\n", "{a: b}: c\n", "{a: b}\n\n# c\n", "{a: b} # c\n", "{a: b}\nc: d\n", "{a: b}\n...\n", "{a:\n  b,\n c\n: d}\n", "{a: b\n c}\n", "{a: b\n , c: d\n}\n", "a: {b: c,\nd: e}\nf: g\n", "a: [b, {c: d}] # e\n", "- {a: b}\n- [c,\nd]\n- e\n",
		"a: {b: c} d\n", "a: {b: c}#d\n", "a: {b: c}\n  d: e\n", "{a: 'b''c', d: \"e\\n\"}\n", "{a: b # c\n}\n", "{a: &b c, d: *b}\n", "{a: !b c}\n", "{? a : b}\n", "{<<: {a: b}}\n", "{a: 1, a: 2}\n", "{1: a, 1.0: b}\n", "{y: a, ~: b}\n", "{[a]: b}\n", "{a: - b}\n", "{a: -\n}\n", "{a: b\n--- c}\n",
		"{a: b\tc}\n", "a: {\n---\n}\n", "a:\n  {b: c}\n", "{a: *b}\n", "{a: b*&!|>%@`'\"c}\n", "{\"a\":b,'c':d}\n", "[[[[]]], [ ], { }]\n", "[a, b\n", "{é: 'ü', ö: [ä é, \"–\"]}\n", "é: 'ü' # ö\nä: ß\n", "a: b\u2028c\n", "{a: b\u0085c}\n", "a: \ufeffb\n", "{a: \u00a0b\u00a0}\n", "a: \u00a0b\u00a0\n\u00a0c: d\n", "a: \ufffe\n", "a: \U0001f600\n", "a: \u007f\u0080\n", "é: {b: é}\n- é\n", "{a: b}}\n", "{a: b]\n", "{,a: b}\n", "{a: b,, c: d}\n",
	}
}

// checkPlain holds the guarantee of parsePlain, and reports whether it read a text.
func checkPlain(t *testing.T, text []byte, limits Limits) bool {
	t.Helper()
	limits = limits.OrDefault()
	n := limits.parsePlain(text, "", 7, &Room{})
	if n == nil {
		return false
	}
	p := limits.parseYAML(text, 7)
	if p.Fault != nil || len(p.Nodes) != 1 || p.Anchored {
		t.Fatalf("%q is read as plain text, and yaml.v3 has %d documents, fault %v", text, len(p.Nodes), p.Fault)
	}
	if diff := cmp.Diff(p.Nodes[0], n); diff != "" {
		t.Fatalf("%q is read otherwise than by yaml.v3:\n%s", text, diff)
	}
	return true
}

// FuzzPlainAgrees: what is read without yaml.v3 is the same, with places and styles.
func FuzzPlainAgrees(f *testing.F) {
	for _, text := range edgesOfPlain() {
		f.Add([]byte(text))
	}
	for _, c := range testkit.Traps() {
		f.Add([]byte(c.Text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkPlain(t, text, Limits{}) })
}

// TestPlainAgrees goes through all texts of four pieces: of lines, and of marks. With Whole, texts of
// block scalars have five.
func TestPlainAgrees(t *testing.T) {
	scalars := 4
	if testkit.Whole() {
		scalars = 5
	}
	marks := []string{"{}", "[]", "[", "}", ",", ": ", ":", " ", "\n", "a", "'b'", "\"c\"", "-", "#", "?", ".5", "&", "é"}
	for _, c := range []struct {
		behind     string
		pieces     []string
		most, want int // how many pieces; how many texts are plain at least
	}{
		{"\n", marks, 4, 5000},
		{"", []string{"a: b\n", "a:\n", "c: 1 # x\n", "- d\n", "- e: f\n", "- g:\n", "  a: {}\n", "  h:\n", "  - i\n", "  - k: 'l'\n", "    m: n\n", "    o\n", "# p\n", "\n", "-\n", " é: 'ü'\n"}, 4, 3900},
		{"", []string{"a: |\n", "a: >-\n", "- |+\n", "a: b\n", "  c\n", "   d\n", "    \n", "\n", "e: \"f\\ng\"\n", "'h''i': 'j''k'\n", "# l\n", "  m: n\n", "  - o\n", "  #p\n", "  q#r\n", "a: |2\n", "..."}, scalars, 100},
		{"\n", []string{"a: 'b", "a: '", "- 'c ", "\n", "\n  d", "\n  e: f ", "\n ''g", "''", "' ", "'", "\n  # h", " # i", "\n\n", "\nk: l"}, scalars, 100},
		{"\n", []string{"a: \"b", "- \"", "\n  c", "\n  \\ d", "\\", " ", "\\n", "\\\"", "\"", "\n\n", "\n  # e", " # f", "\\\n", "\ng: h"}, scalars, 100},
	} {
		read := 0
		var build func(text string, left int)
		build = func(text string, left int) {
			if checkPlain(t, []byte(text+c.behind), Limits{}) {
				read++
			}
			if left > 0 {
				for _, p := range c.pieces {
					build(text+p, left-1)
				}
			}
		}
		build("", c.most)
		if read < c.want {
			t.Errorf("%q: only %d texts are plain", c.behind, read)
		}
		t.Logf("%q: %d texts are plain", c.behind, read)
	}
}

// TestMostObjectsArePlain: the examples hold what users have.
func TestMostObjectsArePlain(t *testing.T) {
	all, plain := 0, 0
	files, err := filepath.Glob("../../../examples/*/cluster/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range Split(data) {
			if text := d.Body().Text; len(bytes.TrimSpace(text)) > 0 {
				all++
				if checkPlain(t, text, Limits{}) {
					plain++
				}
			}
		}
	}
	if plain < all/2 {
		t.Errorf("%d of %d CRs are plain", plain, all)
	}
	t.Logf("%d of %d CRs are plain", plain, all)
}

// TestPlainKeepsLimits: what goes beyond a limit is left to the reader that says so.
func TestPlainKeepsLimits(t *testing.T) {
	deep := []byte("a:\n  b:\n    c: d\n")
	for nesting, want := range map[int]bool{2: false, 3: true} {
		if got := checkPlain(t, deep, Limits{Nesting: nesting}); got != want {
			t.Errorf("nesting %d: %v", nesting, got)
		}
	}
	if checkPlain(t, deep, Limits{Values: 2}) {
		t.Error("more values than there may be")
	}
}

// TestPlainTakesFewAllocations holds what makes it worth having, in allocations: no scanner's buffers, no node by itself.
func TestPlainTakesFewAllocations(t *testing.T) {
	const text = "apiVersion: v1\nkind: A\nmetadata:\n  name: n000001\na: 1\n"
	if n := testing.AllocsPerRun(100, func() { _, _ = Parse([]byte(text)) }); n > 25 {
		t.Errorf("decoding a CR of five lines takes %.0f allocations", n)
	}
}

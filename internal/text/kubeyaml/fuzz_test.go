package kubeyaml

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
)

// FuzzParsePlaces checks that nodes are where they say they are.
func FuzzParsePlaces(f *testing.F) {
	for _, seed := range []string{
		"a: b\n", "- 'x'\n- \"y\"\n- |\n  z\n- >-\n  z\n", "{a: [1, {b: c}]}", "é: ü # c\nñ: [ö, ä]\n", "a: &x !!str b\nc: *x\n",
		"a:\r\n  - b\r\n", "\xef\xbb\xbfa: b", "a: \"x\u2028y\"\nb: c\n", "? a\n: b\n", "a: !!map\n  b: c\n", "\u0085a: b\n", "a: &x\n  b: 1\n<<: {c: 2}\n",
		`{"a": [1, "b"], "c": {"d": null}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		nodes, err := Parse(text)
		if err != nil || HasOddBreaks(text) && bytes.ContainsAny(text, "!&") {
			return // such breaks between a tag and its value are left to themselves
		}
		places := newPlaces(text, 0)
		for _, n := range nodes {
			checkPlaces(t, text, places, n)
		}
	})
}

func checkPlaces(t *testing.T, text []byte, places *places, n *Node) {
	t.Helper()
	if n.Offset < 0 || n.Offset > len(text) {
		t.Fatalf("offset %d of %d", n.Offset, len(text))
	}
	if line, column := places.lineColumn(n.Offset); line != n.Line || column != n.Column {
		t.Errorf("offset %d is line %d column %d, not %d:%d", n.Offset, line, column, n.Line, n.Column)
	}
	rest := string(text[n.Offset:])
	want := ""
	switch {
	case n.Flow && n.Kind == Map && (len(n.Keys) != 1 || n.Keys[0].Offset != n.Offset): // not [a: b]
		want = "{"
	case n.Flow && n.Kind == Map:
	case n.Flow:
		want = "["
	case n.Kind == Scalar && n.Style == Plain:
		want = n.Text
		if i := strings.IndexFunc(want, unicode.IsSpace); i >= 0 {
			want = want[:i]
		}
	case n.Kind == Scalar:
		want = map[Style]string{SingleQuoted: "'", DoubleQuoted: `"`, Literal: "|", Folded: ">"}[n.Style]
	}
	if !strings.HasPrefix(rest, want) && n.Tag() == "" {
		t.Errorf("%q is not at offset %d: %.20q", want, n.Offset, rest)
	}
	for _, child := range append(append([]*Node(nil), n.Keys...), n.Values...) {
		checkPlaces(t, text, places, child)
	}
}

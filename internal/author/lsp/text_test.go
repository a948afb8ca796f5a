package lsp

import (
	"testing"
	"unicode/utf8"
)

// FuzzText: no text that is half written makes the server fail, and a position leads back to the
// offset that it was made from.
func FuzzText(f *testing.F) {
	for _, text := range []string{
		"", "a: b\r\n- c: 'd\n", "{{- if .x }}\n{{ include \"a\" . | quote }}{{ end }}", "{{ $x.y \"", "{{/* a", "é𝄞\rb:\n", "{{ `",
		"parts:\n- name: p\n  components:\n  - {name: c}\n", "{{define `a`}}{{block \"b\" .}}{{end", "\xff{{'a'}}", "- - a: |\n    b\n", " ",
	} {
		f.Add(text, len(text)/2)
	}
	f.Fuzz(func(t *testing.T, content string, at int) {
		if at < 0 || at > len(content) {
			return
		}
		for _, e := range []encoding{inUTF8, inUTF16, inUTF32} {
			one := newText(content, e)
			_, end := one.lineOf(at)
			isInside := at <= end && (at == len(content) || utf8.RuneStart(content[at]))
			if got := one.offset(one.position(at)); isInside && utf8.ValidString(content) && got != at {
				t.Fatalf("%s: offset %d of %q becomes %d", e, at, content, got)
			}
		}
		one := newText(content, inUTF16)
		for _, a := range actions(content) {
			for _, word := range a.tokens {
				if word.from < a.from || word.to > a.to || word.from > word.to {
					t.Fatalf("%+v in %+v of %q", word, a, content)
				}
			}
		}
		for _, m := range mentions(content) {
			if m.from > m.to || m.to > len(content) || m.start > m.from || m.whole < m.to {
				t.Fatalf("%+v in %q", m, content)
			}
		}
		actionAt(content, at)
		place := yamlAt(one, at)
		keysBelow(one, place.above)
		if from, to := one.underline(at, at, "a"); from > to || to > len(content) {
			t.Fatalf("%d to %d of %q", from, to, content)
		}
	})
}

// TestUnderline: what a finding is about is one word of its line.
func TestUnderline(t *testing.T) {
	for _, c := range []struct {
		line   string
		column int
		word   string
		want   string
	}{
		{"  a: b c  ", 0, "", "a: b c"},
		{"  a: b c", 0, "b", "b"},
		{"  bb: b", 0, "b", "b"},
		{"  a: b", 6, "a", "a"}, // before the column
		{"  key: value", 3, "", "key"},
		{"  a:b: c", 3, "", "a:b"},
		{`  "a b": c`, 3, "", `"a b"`},
		{"  a: {{ .x | y }} z", 6, "", "{{ .x | y }}"},
		{"  a: {{ .x.y.z }}", 13, "", ".x.y.z"}, // the parser names the last step
		{"  a: {{ (f .x) }}", 12, "", ".x"},
		{"  a: b", 99, "", "a: b"},
		{"", 1, "x", ""},
	} {
		one := newText(c.line+"\r\nnext", inUTF16)
		if from, to := one.underline(1, c.column, c.word); one.string[from:to] != c.want {
			t.Errorf("%q, column %d, %q: %q, want %q", c.line, c.column, c.word, one.string[from:to], c.want)
		}
	}
}

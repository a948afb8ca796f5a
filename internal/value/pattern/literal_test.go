package pattern

import (
	"testing"
	"unicode/utf8"
)

func TestLiteral(t *testing.T) {
	for _, c := range []struct{ function, text, want string }{
		{Regex, "plain", "plain"},
		{Regex, "1.2 (b|c)", `1\.2 \(b\|c\)`},
		{CaptureGroups, "1.2 (b|c)", "1.2 (b|c)"},
		{CaptureGroups, "cpu=(?<cpu>[0-9]+)", `cpu=(?<opening>\(\?)<cpu>[0-9]+)`},
		{CaptureGroups, "(?:b)\n(?P<broken", "(?:b)\n" + `(?<opening>\(\?)P<broken`},
	} {
		got := Literal(c.function, c.text)
		if got != c.want || !accepts(c.function, got, c.text) {
			t.Errorf("%s, %q: %q, want %q", c.function, c.text, got, c.want)
		}
		if out, err := Apply(c.function, got, c.text+"x"); err == nil && out.Value == c.text+"x" {
			t.Errorf("%s, %q: accepts more than the text", c.function, c.text)
		}
	}
}

// accepts reports whether a template's value accepts all of a text.
func accepts(function, template, text string) bool {
	out, err := Apply(function, template, text)
	return err == nil && out.Value == text && len(out.Findings) == 0
}

// FuzzLiteral: every text that is valid UTF-8 has a literal.
func FuzzLiteral(f *testing.F) {
	f.Add("a.b|c")
	f.Add("key=(?<v>\\d+)\nmore (?P<w>x) (?<v>")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		for _, function := range []string{Regex, CaptureGroups} {
			if value := Literal(function, text); !accepts(function, value, text) {
				t.Errorf("%s: %q does not accept %q", function, value, text)
			}
		}
	})
}

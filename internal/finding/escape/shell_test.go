package escape

import "testing"

// TestShellWord: a shell reads each word as it was, and a message shows the word unchanged.
func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{
		"a/b.yaml": "a/b.yaml",
		"":         "''",
		"it's":     `'it'\''s'`,
		"a\nb":     `"$(printf 'a\012b')"`,
		"a'%\\\t$": `"$(printf 'a\047%%\134\011$')"`,
		"ä\x1b":    `"$(printf '\303\244\033')"`,
	} {
		got := ShellWord(word)
		if got != want || Line(got) != got {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

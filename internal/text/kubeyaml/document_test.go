package kubeyaml

import (
	"bytes"
	"testing"
)

func FuzzSplitLosesNoByte(f *testing.F) {
	for _, seed := range []string{
		"", "---\n", "---\n---\n", "a: 1\n---\nb: 2\n...\n", "%YAML 1.1\n---\na\n...\n# end", "--- {a: 1}\n...\n%TAG ! x\n---\nb\n",
		"a: |\n  ---\n  x\n---\r\nb", "\xef\xbb\xbf---\na\n\xef\xbb\xbf---\nb", "a\r---\rb\r...\rc", "---x\n--- # c\n", "...\n...\n---\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var joined []byte
		for _, d := range Split(text) {
			if len(d.Text) == 0 {
				t.Error("an empty document")
			}
			joined = append(joined, d.Text...)
			if body := d.Body(); !bytes.HasSuffix(d.Text, body.Text) {
				t.Error("the body is no end of its document")
			}
		}
		if !bytes.Equal(joined, text) {
			t.Errorf("%q became %q", text, joined)
		}
	})
}

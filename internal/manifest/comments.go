package manifest

import (
	"bytes"

	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// isCommented reports whether a document is JSON with comments in the style of JavaScript, as editors
// and compilers read their settings, and holds no object.
func (r *reader) isCommented(d kubeyaml.Document) bool {
	if !kubeyaml.LooksLikeJSON(d.Text) {
		return false
	}
	plain := d
	plain.Text = withoutComments(d.Text)
	p := r.parseYAML(plain) // which allows a comma before a closing bracket, as these programs do
	return p.Fault == nil && !r.objectsIn(p.Nodes)
}

// withoutComments returns a JSON text with blanks in place of its comments.
func withoutComments(text []byte) []byte {
	out := bytes.Clone(text)
	for at := 0; at < len(out); {
		length := 1
		switch rest := out[at:]; {
		case rest[0] == '"':
			length = stringLength(rest)
		case bytes.HasPrefix(rest, []byte("//")):
			length = endOf(rest, "\n")
			blank(rest[:length])
		case bytes.HasPrefix(rest, []byte("/*")):
			length = endOf(rest, "*/")
			blank(rest[:length])
		}
		at += length
	}
	return out
}

// stringLength returns the length of the JSON string that a text begins with.
func stringLength(text []byte) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(text)
}

// endOf returns the length of a text up to a mark and with it, or of all of it without the mark.
func endOf(text []byte, mark string) int {
	if at := bytes.Index(text, []byte(mark)); at >= 0 {
		return at + len(mark)
	}
	return len(text)
}

// blank replaces everything except line breaks by blanks.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}

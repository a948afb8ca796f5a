package manifest

import (
	"bytes"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// isCommented reports whether a document is JSON with comments in the style of JavaScript, as editors
// and compilers read their settings, or nothing but such comments, and holds no object: reading it
// without the comments finds nothing.
func (r *reader) isCommented(d kubeyaml.Document) bool {
	text := withoutComments(d.Text)
	switch {
	case bytes.Equal(text, d.Text):
		return false
	case len(bytes.TrimSpace(text)) == 0:
		return true
	}
	hints := r.hints
	hints.Room = nil // it is in use
	return kubeyaml.LooksLikeJSON(text) && Read(r.file, r.entry, text, hints).IsEmpty()
}

// withoutComments returns a JSON text with blanks in place of its comments. A comment that does
// not end stays.
func withoutComments(text []byte) []byte {
	out := bytes.Clone(text)
	for at := 0; at < len(out); {
		length := 1
		switch rest := out[at:]; {
		case rest[0] == '"', rest[0] == '\'':
			length = stringLength(rest)
		case bytes.HasPrefix(rest, []byte("//")):
			length = kubeyaml.LineLength(rest)
			blank(rest[:length])
		case bytes.HasPrefix(rest, []byte("/*")):
			body, _, ended := bytes.Cut(rest[2:], []byte("*/"))
			if !ended {
				return out
			}
			length = len(body) + len("/**/")
			blank(rest[:length])
		}
		at += length
	}
	return out
}

// stringLength returns the length of the string of JSON or JSON5 that a text begins with.
func stringLength(text []byte) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case text[0]:
			return at + 1
		}
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

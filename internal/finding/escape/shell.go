package escape

import (
	"fmt"
	"strings"
	"unicode"
)

// ShellWord quotes a word for a shell if it needs quotes. A word with line breaks and the like, which
// no message shows as they are, becomes a call of printf.
func ShellWord(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	if !strings.ContainsFunc(word, unicode.IsControl) {
		return ShellQuoted(word)
	}
	var b strings.Builder
	for _, c := range []byte(word) {
		switch {
		case c < ' ' || c > '~' || c == '\\' || c == '\'':
			fmt.Fprintf(&b, "\\%03o", c)
		case c == '%':
			b.WriteString("%%")
		default:
			b.WriteByte(c)
		}
	}
	return `"$(printf '` + b.String() + `')"`
}

// ShellQuoted quotes a word for a shell.
func ShellQuoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// Operand returns a path in a form that no program takes for an option.
func Operand(path string) string {
	if strings.HasPrefix(path, "-") && path != "-" {
		return "./" + path
	}
	return path
}

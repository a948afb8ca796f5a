package escape

import "strings"

// ShellWord quotes a word for a shell if it needs quotes.
func ShellWord(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return ShellQuoted(word)
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

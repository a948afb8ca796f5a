package tree

import (
	"strings"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// Bare reports whether a string without quotes in block style is this string to every YAML 1.1
// reader, also to those that know numbers to the base of 60 and dates.
func Bare(s string) bool {
	switch {
	case isWord(s): // the usual case: only its meaning matters
	case s == "" || s == "=" || s == "<<" || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " "):
		return false
	case strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":"):
		return false
	case strings.HasPrefix(s, "---") || strings.HasPrefix(s, "..."):
		return false
	case !startsPlain(s) || strings.IndexFunc(s, func(r rune) bool { return !printable(r) }) >= 0:
		return false
	case strings.IndexByte("+-.0123456789", s[0]) >= 0 && (isSexagesimal(s) || isDate(s) || isNoNumber(s)):
		return false
	}
	if kubeyaml.IsWord(s) {
		return true
	}
	value, isString := kubeyaml.Resolve(s, kubeyaml.Plain, "").(string)
	return isString && value == s
}

// isWord reports whether a string is printable ASCII that begins with a letter, does not end with a
// colon, and has neither blanks nor characters with a meaning in flow context.
func isWord(s string) bool {
	if s == "" || s[0]|0x20 < 'a' || s[0]|0x20 > 'z' || s[len(s)-1] == ':' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' || isFlow(c) {
			return false
		}
	}
	return true
}

// isFlow reports whether a character has a meaning in flow context.
func isFlow(c byte) bool { return c|0x20 == '{' || c|0x20 == '}' || c == ',' }

// startsPlain reports whether the first character has no meaning in YAML. A dash, question mark or
// colon has one only before a blank.
func startsPlain(s string) bool {
	if strings.IndexByte("-?:", s[0]) >= 0 {
		return len(s) > 1 && s[1] != ' '
	}
	return strings.IndexByte(",[]{}#&*!|>'\"%@`", s[0]) < 0
}

// isNoNumber recognises infinity and NaN, which are values in YAML and not in Kubernetes.
func isNoNumber(s string) bool {
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case ".inf", ".nan":
		return true
	}
	return false
}

// isSexagesimal recognises the numbers to the base of 60 of YAML 1.1, such as 12:30:45.
func isSexagesimal(s string) bool {
	if strings.IndexByte(s, ':') < 0 {
		return false
	}
	parts := strings.Split(strings.TrimLeft(s, "+-"), ":")
	for i, part := range parts {
		whole, _, _ := strings.Cut(part, ".")
		if !isDigits(whole) || i > 0 && (len(whole) > 2 || len(whole) == 2 && whole[0] > '5') {
			return false
		}
	}
	return true
}

// isDate recognises a text that begins as a date, such as 2024-05-01, which is a timestamp in YAML
// 1.1.
func isDate(s string) bool {
	if len(s) < len("2024-5-1") || s[4] != '-' { // the usual case
		return false
	}
	if i := strings.IndexAny(s, "Tt "); i > 0 {
		s = s[:i]
	}
	parts := strings.Split(s, "-")
	return len(parts) == 3 && len(parts[0]) == 4 && isDigits(parts[0]) &&
		len(parts[1]) <= 2 && isDigits(parts[1]) && len(parts[2]) <= 2 && isDigits(parts[2])
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

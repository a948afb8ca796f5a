package kubeyaml

import "strings"

// QuotedLength returns the length of a quoted scalar with its quotes.
func QuotedLength[T string | []byte](s T, quote, escape byte) int {
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c != quote && c != escape:
		case c == escape && escape != quote:
			i++
		case escape == quote && i+1 < len(s) && s[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(s)
}

// blockLength returns the length of a block scalar including its header: all lines that are blank
// or have at least the indentation of its first line with text.
func blockLength(s string) int {
	at := strings.IndexByte(s, '\n') + 1
	if at == 0 {
		return len(s)
	}
	indent := -1
	for at < len(s) {
		line := s[at:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		deep := len(line) - len(strings.TrimLeft(line, " "))
		if strings.TrimSpace(line) != "" {
			if indent < 0 {
				indent = deep
			}
			if deep < indent {
				return at
			}
		}
		at += len(line)
	}
	return len(s)
}

// Comment returns the offset of a comment on a line, or -1. A # inside quotes does not begin a
// comment.
func Comment(line string) int {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		first := i == 0 || strings.IndexByte(" \t[{,", line[i-1]) >= 0
		switch c := line[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && first && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && first && c == '#':
			return i
		}
	}
	return -1
}

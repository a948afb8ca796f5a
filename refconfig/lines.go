package refconfig

import "strings"

// Templates are often not valid YAML before they are executed, so these functions judge a text by
// its lines.

// isBare reports whether a line of a template has no part of the CR: it is blank, a comment or an
// action.
func isBare(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#' || line == "..." ||
		strings.HasPrefix(line, "{{") && strings.HasSuffix(line, "}}")
}

// marginKeys returns the keys at the left margin of a text, with the rest of their lines.
func marginKeys(text []byte) map[string]string {
	keys := map[string]string{}
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		if line == "" || strings.IndexByte(" \t#-{", line[0]) >= 0 {
			continue
		}
		if key, _ := keyOf(line); key != "" {
			_, value, _ := strings.Cut(line, ":")
			keys[key] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return keys
}

// indentation returns the number of spaces that a line begins with.
func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// keyOf returns the key at the beginning of a line, without quotes and after any dashes of list
// items. item reports whether there was a dash.
func keyOf(line string) (key string, item bool) {
	line = strings.TrimSpace(line)
	for strings.HasPrefix(line, "- ") {
		line, item = strings.TrimLeft(line[2:], " "), true
	}
	if line == "" {
		return "", item
	}
	if q := line[0]; q == '"' || q == '\'' {
		if end := strings.IndexByte(line[1:], q); end >= 0 &&
			strings.HasPrefix(strings.TrimLeft(line[end+2:], " "), ":") {
			return line[1 : end+1], item
		}
		return "", item
	}
	for i := range len(line) {
		if line[i] == ':' && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t') {
			return strings.TrimRight(line[:i], " "), item
		}
	}
	return "", item
}

// keysAbove returns the keys above a line, from its parent to the one that is not indented. A list
// item is "-".
func keysAbove(lines []string, i int) []string {
	var way []string
	indent := indentation(lines[i])
	for i--; i >= 0 && indent > 0; i-- {
		n := indentation(lines[i])
		if n >= indent || isBare(lines[i]) {
			continue
		}
		indent = n
		key, item := keyOf(lines[i])
		way = append(way, key)
		if item {
			way = append(way, "-")
		}
	}
	return way
}

// withContinuation returns the first line, which has a key, and the lines that continue its value.
func withContinuation(lines []string) string {
	indent := indentation(lines[0])
	end := 1
	for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || indentation(lines[end]) > indent) {
		end++
	}
	return strings.Join(lines[:end], "\n") + "\n"
}

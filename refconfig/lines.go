package refconfig

import "strings"

// Templates are often no YAML before they are executed. What is said here of a text, it says by its
// lines.

// isBare reports whether a line of a template holds nothing of the CR: it is blank, a comment, or
// an action.
func isBare(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#' || line == "..." ||
		strings.HasPrefix(line, "{{") && strings.HasSuffix(line, "}}")
}

// marginKeys returns the keys at the left margin of a text, with what stands behind them on their
// lines.
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

// indentation is how many blanks a line begins with.
func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// keyOf returns the key with which a line begins, behind any dashes of list items, without quotes.
// item reports whether there was a dash.
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

// keysAbove returns the keys above a line, from its parent up to the one that is not indented; "-"
// stands for a list item.
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

// withContinuation returns the first line, which holds a key, with the lines that its value goes on
// in.
func withContinuation(lines []string) string {
	indent := indentation(lines[0])
	end := 1
	for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || indentation(lines[end]) > indent) {
		end++
	}
	return strings.Join(lines[:end], "\n") + "\n"
}

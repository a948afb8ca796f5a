package yamlfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// Templates are often no YAML before they are executed. What is said here of a text, it says by its lines.

// Excerpt is a part of a file.
type Excerpt struct {
	Text        []byte
	LinesBefore int // lines of the file before it
}

// Documents cuts a text into its documents that have any content, without looking into them. Comments and lines that consist of
// template actions are no content; in a block of text --- is indented.
func Documents(text []byte) []Excerpt {
	var all []Excerpt
	var at, begin, marker Excerpt // this line, the document, and the last marker behind content of it: what is before them
	content := false
	for line := range bytes.Lines(text) {
		rest := strings.TrimRight(string(line), " \t\r\n")
		if rest == "..." || rest == "---" || strings.HasPrefix(rest, "--- ") {
			if content {
				marker = at
			}
			rest = rest[len("---"):]
		}
		if !IsBare(rest) {
			if len(marker.Text) > len(begin.Text) {
				all = append(all, Excerpt{text[len(begin.Text):len(marker.Text)], begin.LinesBefore})
				begin = marker
			}
			content = true
		}
		at = Excerpt{text[:len(at.Text)+len(line)], at.LinesBefore + 1}
	}
	if content || !blank(text) {
		all = append(all, Excerpt{text[len(begin.Text):], begin.LinesBefore})
	}
	return all
}

// JSONDocuments reads a text as JSON values; false where it is none, such as a template or YAML in flow style.
func JSONDocuments(text []byte) ([]Excerpt, bool) {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
	if len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(trimmed))
	skipped := len(text) - len(trimmed)
	var all []Excerpt
	for {
		var value json.RawMessage
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			return all, true
		}
		if err != nil {
			return nil, false
		}
		start := skipped + int(decoder.InputOffset()) - len(value)
		all = append(all, Excerpt{value, bytes.Count(text[:start], []byte("\n"))})
	}
}

// blank reports whether a text has nothing but markers, comments and blanks.
func blank(text []byte) bool {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.Trim(line, "\ufeff"), "---"))
		if line != "" && line[0] != '#' && line != "..." {
			return false
		}
	}
	return true
}

// IsBare reports whether a line of a template holds nothing of the CR: it is blank, a comment, or an action.
func IsBare(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#' || line == "..." || strings.HasPrefix(line, "{{") && strings.HasSuffix(line, "}}")
}

// Keys returns the keys at the left margin of a text, with what stands behind them on their lines.
func Keys(text []byte) map[string]string {
	keys := map[string]string{}
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		if line == "" || strings.IndexByte(" \t#-{", line[0]) >= 0 {
			continue
		}
		if key, _ := KeyOf(line); key != "" {
			_, value, _ := strings.Cut(line, ":")
			keys[key] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return keys
}

// Indentation is how many blanks a line begins with.
func Indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// KeyOf returns the key with which a line begins, behind any dashes of list items, without quotes. item reports whether there
// was a dash.
func KeyOf(line string) (key string, item bool) {
	line = strings.TrimSpace(line)
	for strings.HasPrefix(line, "- ") {
		line, item = strings.TrimLeft(line[2:], " "), true
	}
	if line == "" {
		return "", item
	}
	if q := line[0]; q == '"' || q == '\'' {
		if end := strings.IndexByte(line[1:], q); end >= 0 && strings.HasPrefix(strings.TrimLeft(line[end+2:], " "), ":") {
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

// Way returns the keys above a line, from its parent up to the one that is not indented; "-" stands for a list item.
func Way(lines []string, i int) []string {
	var way []string
	indent := Indentation(lines[i])
	for i--; i >= 0 && indent > 0; i-- {
		n := Indentation(lines[i])
		if n >= indent || IsBare(lines[i]) {
			continue
		}
		indent = n
		key, item := KeyOf(lines[i])
		way = append(way, key)
		if item {
			way = append(way, "-")
		}
	}
	return way
}

// Value returns the first line, which holds a key, with the lines that its value goes on in.
func Value(lines []string) string {
	indent := Indentation(lines[0])
	end := 1
	for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || Indentation(lines[end]) > indent) {
		end++
	}
	return strings.Join(lines[:end], "\n") + "\n"
}

// lineStart returns the offset of a 1-based line.
func lineStart(text []byte, line int) int {
	at := 0
	for ; line > 1; line-- {
		at += bytes.IndexByte(text[at:], '\n') + 1
	}
	return at
}

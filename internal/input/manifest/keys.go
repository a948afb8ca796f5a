package manifest

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/input/collector"
)

// claim is what the keys of a text show about its intended content.
type claim struct {
	found      []string
	apiVersion bool // an apiVersion of Kubernetes was found: v1, or group/v1
	kind       bool // a kind of Kubernetes was found: it begins with a capital letter
}

// take records a key and the text after its colon. It ignores keys that no object has.
func (c *claim) take(key string, value []byte) {
	if !slices.Contains(objectKeys(), key) {
		return
	}
	if !slices.Contains(c.found, key) {
		c.found = append(c.found, key)
	}
	value = bytes.Trim(value[:wordLength(value)], `"'`)
	switch key {
	case "apiVersion":
		group, version, ok := strings.Cut(string(value), "/")
		c.apiVersion = c.apiVersion || ok && group != "" && collector.IsVersion(version) ||
			!ok && collector.IsVersion(group)
	case "kind":
		c.kind = c.kind || len(value) > 0 && value[0] >= 'A' && value[0] <= 'Z'
	}
}

func wordLength(text []byte) int {
	if end := bytes.IndexAny(text, " \t\r\n,{}[]#"); end >= 0 {
		return end
	}
	return len(text)
}

func (c *claim) has(key string) bool { return slices.Contains(c.found, key) }

// claimsInLines reports whether a text that does not parse was probably meant as Kubernetes
// objects, by the keys at the beginning of its lines. If strict is set, only keys with the
// indentation of the first key count. If not, keys without indentation count too, and so do keys in
// the lines of top-level list items.
func claimsInLines(text []byte, strict bool) bool {
	const item = 2 // indentation of the fields of an item
	var top, all claim
	first, depth := "", -1
	for line := range bytes.Lines(text) {
		begin := afterDashes(line)
		if len(begin) == 0 || begin[0] == '#' {
			continue
		}
		key, value := keyAt(begin)
		at := len(line) - len(begin)
		if depth < 0 {
			first, depth = key, at
		}
		if at == depth {
			top.take(key, value)
		}
		if at == depth || at == 0 || at == item {
			all.take(key, value)
		}
	}
	switch {
	case first == "apiVersion" && top.apiVersion, top.kind && (first == "kind" || top.has("metadata")):
		return true
	case strict:
		return top.apiVersion && len(top.found) >= 2
	}
	return all.has("apiVersion") && len(all.found) >= 2
}

// afterDashes returns a line without its indentation and list dashes.
func afterDashes(line []byte) []byte {
	line = bytes.TrimLeft(line, " \t\r\n")
	for bytes.HasPrefix(line, []byte("- ")) {
		line = bytes.TrimLeft(line[1:], " \t\r\n")
	}
	return line
}

// claimsInBraces does the same as claimsInLines for JSON, or YAML in braces. Keys at any depth
// count. The first key must be one of an object.
func claimsInBraces(text []byte) bool {
	first, _ := keyAt(bytes.TrimLeft(text, "[{ \t\r\n"))
	if !slices.Contains(objectKeys(), first) {
		return false
	}
	var c claim
	for {
		begin := bytes.TrimLeft(text, "[{, \t\r\n")
		c.take(keyAt(begin))
		next := bytes.IndexAny(begin, "{,")
		if next < 0 {
			break
		}
		text = begin[next:]
	}
	return c.has("apiVersion") || c.kind && (first == "kind" || first == "items" || c.has("metadata"))
}

// named returns the values of a key, at any depth, in a possibly broken text of YAML or JSON, in
// order and without duplicates.
func named(text []byte, key string) (words []string) {
	pattern := regexp.MustCompile(key + `["']?[ \t\r\n]*:[ \t\r\n]*["']*([^ \t\r\n,{}\[\]#"']+)`)
	for _, at := range pattern.FindAllSubmatchIndex(text, -1) {
		before, _ := utf8.DecodeLastRune(text[:at[0]])
		word := string(text[at[2]:at[3]])
		if !unicode.IsLetter(before) && !unicode.IsDigit(before) && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// keyAt returns the key, quoted or not, that a text begins with, and the text after its colon. The
// key is "" for none.
func keyAt(text []byte) (key string, value []byte) {
	rest := text
	quoted := len(text) > 0 && (text[0] == '"' || text[0] == '\'')
	if quoted {
		rest = text[1:]
	}
	end := 0
	for end < len(rest) && (rest[end]|0x20 >= 'a' && rest[end]|0x20 <= 'z') {
		end++
	}
	name, rest := rest[:end], rest[end:]
	if quoted && len(rest) > 0 && rest[0] == text[0] {
		rest = rest[1:]
	}
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if len(name) == 0 || len(rest) == 0 || rest[0] != ':' {
		return "", nil
	}
	return string(name), bytes.TrimLeft(rest[1:], " \t\r\n")
}

// beginsObject reports whether the text begins with a key of a Kubernetes object or List, or with a
// list of objects.
func beginsObject(text []byte) bool {
	key, _ := keyAt(afterDashes(text))
	return slices.Contains(objectKeys(), key)
}

func objectKeys() []string {
	return []string{"apiVersion", "kind", "metadata", "items", "spec", "data"}
}

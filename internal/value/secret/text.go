package secret

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// These words mark the manifest of a Secret.
const (
	keyWord  = "kind"
	kindWord = "Secret"
	shortest = len(keyWord) + 1 + len(kindWord)
)

// InText reports whether a text contains the manifest of a Secret or credentials, as YAML or JSON in
// any spelling, possibly in one encoding around all of it (see decoded). In a text that is neither,
// the words "kind" and "Secret" next to each other suffice, so that a broken manifest and one inside
// other text count too.
//
// The time is linear in the length of the text. A text that would take longer counts as secret.
func InText(text string) bool {
	held, _ := inText(text)
	return held
}

// inText does the same as InText and also reports whether the search was complete.
func inText(text string) (held bool, all bool) {
	if len(text) < shortest {
		return false, true
	}
	inner, all := decoded(text)
	for _, plain := range []string{text, inner} {
		if all && !held {
			held, all = mostNested.inPlain(plain)
		}
	}
	return held || !all, all
}

// nested is the number of levels of texts inside texts that are still searched by their structure.
type nested int

// mostNested bounds the work for texts inside texts.
const mostNested nested = 5

// inPlain does the same as inText without decoding the text.
func (levels nested) inPlain(text string) (held bool, all bool) {
	if privateKey(text) {
		return true, true
	}
	if !strings.ContainsAny(text, ":=") {
		return false, true
	}
	if hasLogin(text) {
		return true, true
	}
	if levels == 0 {
		return namesSecret(text) || hasCredentials(text), true
	}
	held, all, sound := levels.inDocuments(text)
	if sound || held {
		return held, all
	}
	for _, document := range strings.Split(text, "\n---") { // one that is broken affects no other
		if held, all, _ = levels.inDocuments(document); held {
			return held, all
		}
	}
	return false, true
}

// inDocuments does the same as inText for the documents of a text. If they are YAML or JSON, their
// structure decides, as the reader sees it: any spelling that the reader accepts is known, and prose
// with the same words is none. sound is false for other documents. These, and comments, are searched
// for the words.
func (levels nested) inDocuments(text string) (held, all, sound bool) {
	words, spelled := namesSecret(text) || hasCredentials(text), mayParse(text)
	if !words && !spelled && !mayHaveCredentials(text) {
		return false, true, true
	}
	limits := kubeyaml.Limits{Nesting: 200, Aliases: 1000 + len(text), Values: 200_000}
	nodes, fault := limits.ParseAt([]byte(text), 0)
	switch {
	case fault == nil:
	case fault.Code != "" && spelled:
		return true, false, true
	default:
		return words, true, fault.Code != ""
	}
	unseen := strings.Contains(text, "#") // a comment may hide a document
	for _, n := range nodes {
		v := n.Value()
		if scalar, isText := v.(string); isText && len(nodes) == 1 && scalar == strings.TrimSpace(text) {
			unseen = true // it has no structure
		} else if (levels - 1).inValue(v) {
			return true, true, true
		}
		unseen = unseen || hasReplaced(n, map[*kubeyaml.Node]bool{})
	}
	return words && unseen, true, true
}

// inValue reports whether a decoded value is or contains the manifest of a Secret or credentials.
func (levels nested) inValue(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		if partOf(v) != open && !isReference(v) && (!isCareless(kindIn(v)) || hasData(v)) {
			return true
		}
		for key, x := range v {
			if isCredentials(key, x) || levels.inValue(x) {
				return true
			}
		}
	case []any:
		return areLines(v, levels.inText) || slices.ContainsFunc(v, levels.inValue)
	case string:
		return levels.inText(v)
	}
	return false
}

// inText reports whether a text inside another one contains a Secret, without decoding it.
func (levels nested) inText(text string) bool {
	held, all := levels.inPlain(text)
	return held || !all
}

// isCareless reports whether a kind is spelled as no API server accepts it. Other maps use such words
// for something else, such as the type of a volume, so that it takes data to make them a Secret.
func isCareless(kind any) bool {
	return kind != nil && kind != kindWord && kind != kindWord+"List" && kind != clientKind
}

// hasData reports whether a map has a key that contains what is secret of a Secret, of a list of
// them, or of a client.
func hasData(m map[string]any) bool {
	part := partOf(m)
	for key := range m {
		if below := part.below(key); below == data || below == whole || below == items {
			return true
		}
	}
	return false
}

// isReference reports whether a map only refers to a Secret, and has nothing of it.
func isReference(m map[string]any) bool {
	fields := []string{"apiVersion", "apiGroup", "group", "kind", "name", "namespace", "key", "valuesKey", "targetPath", "optional", "uid"}
	for key := range m {
		if !slices.Contains(fields, key) {
			return false
		}
	}
	return m["name"] != nil
}

// hasReplaced reports whether a later duplicate of a key replaces a value, which decoding drops.
func hasReplaced(n *kubeyaml.Node, seen map[*kubeyaml.Node]bool) bool {
	if seen[n] {
		return false
	}
	seen[n] = true // aliases may repeat nodes
	return len(n.Replaced()) > 0 ||
		slices.ContainsFunc(n.Values, func(v *kubeyaml.Node) bool { return hasReplaced(v, seen) })
}

// namesSecret reports whether a text says that its kind is Secret: in YAML, JSON, JSON inside JSON,
// or a Go map printed with fmt. Whitespace, comments and YAML marks are allowed between the words.
func namesSecret(text string) bool {
	return strings.Contains(text, kindWord) && hasKey(text, keyWord, ":=", func(after string) bool {
		value := skip(after, openers)
		return isKind(value) || strings.HasPrefix(value, "*") // the text that an alias refers to may be anywhere
	})
}

// isKind reports whether a text starts with Secret or SecretList.
func isKind(text string) bool {
	after, found := strings.CutPrefix(text, kindWord)
	after = strings.TrimPrefix(after, "List")
	return found && (after == "" || !isWord(after[0]))
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// These characters, blanks and comments may come between a key and its colon, and between colon and
// value.
const (
	closers = `"'\`
	openers = closers + `!&|>`
)

// skip skips blanks and comments, and the YAML marks given by their first characters: quotes, tags,
// anchors and block headers. It looks ahead a limited distance, so that the time for all keys of a
// text stays linear.
func skip(text, marks string) string {
	const furthest = 4 << 10
	text = text[:min(furthest, len(text))]
	for blank := true; text != ""; {
		c := text[0]
		if n := lineBreak(text); n > 0 {
			text, blank = text[n:], true
			continue
		}
		switch {
		case strings.IndexByte(" \t+", c) >= 0:
			text, blank = text[1:], true
			continue
		case blank && c == '#':
			_, text, _ = strings.Cut(text, "\n")
			continue
		case strings.IndexByte(marks, c) < 0:
			return text
		case c == '!' || c == '&':
			text = text[len(mark(text)):]
		case c == '|' || c == '>':
			text = strings.TrimLeft(text[1:], "+-0123456789")
		default:
			text = text[1:]
		}
		blank = false
	}
	return text
}

// lineBreak returns the length of the line break of YAML at the start of a text, or 0.
func lineBreak(text string) int {
	for _, b := range lineBreaks() {
		if strings.HasPrefix(text, b) {
			return len(b)
		}
	}
	return 0
}

// lineBreaks returns the line breaks of YAML 1.1.
func lineBreaks() []string { return []string{"\n", "\r", "\u0085", "\u2028", "\u2029"} }

// mark returns the tag or anchor at the start of a text.
func mark(text string) string {
	if strings.HasPrefix(text, "!<") {
		tag, _, _ := strings.Cut(text, ">")
		return text[:min(len(tag)+1, len(text))]
	}
	if end := strings.IndexAny(text, " \t\r\n,{}[]\"'"); end >= 0 {
		return text[:max(end, 1)]
	}
	return text
}

// mayParse reports whether a text may be YAML or JSON in which namesSecret overlooks a Secret: with
// the words escaped or in binary, or far apart.
func mayParse(text string) bool {
	has := func(part string) bool { return strings.Contains(text, part) }
	return slices.ContainsFunc([]string{`\u`, `\U`, `\x`}, has) ||
		slices.ContainsFunc(lineBreaks(), func(b string) bool { return has(`\` + b) }) ||
		has("!") && (has("binary") || has("%")) || (has("ecret") || has("SECRET")) && (has(keyWord) || has("Kind") || has("KIND"))
}

// Elements returns the scope for the elements of a list. If the elements are the lines of a
// Secret's manifest, each of them is secret.
func (s Scope) Elements(l []any) Scope {
	if s.part == open && areLines(l, s.searched.In) {
		s.part = whole
	}
	return s
}

// areLines reports whether the scalars of a list are the lines of a text with a Secret, which in
// finds. Elements that are a whole text with a Secret do not belong to the others.
func areLines(l []any, in func(text string) bool) bool {
	var all []string
	for _, x := range l {
		var line string
		switch x := x.(type) {
		case map[string]any, []any:
			continue
		case nil: // an empty line
		case string:
			line = strings.TrimRight(x, "\r\n")
			whole := strings.Contains(line, "\n") || strings.HasPrefix(line, "{") && strings.HasSuffix(line, "}")
			if whole && in(x) {
				continue
			}
		default:
			line = fmt.Sprint(x)
		}
		all = append(all, line)
	}
	return len(all) > 1 && in(strings.Join(all, "\n"))
}

package secret

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// These words mark the manifest of a Secret.
const (
	keyWord  = "kind"
	kindWord = "Secret"
	shortest = len(keyWord) + 1 + len(kindWord)
)

// InText reports whether a text contains the manifest of a Secret, a private key, a pull secret or
// a kubeconfig with credentials, as YAML or JSON in any spelling, possibly in one encoding around
// all of it (see decoded). The words "kind" and "Secret" next to each other suffice, so that a
// broken manifest and one inside other text count too.
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
			held, all = inPlain(plain)
		}
	}
	return held || !all, all
}

// inPlain does the same as inText without decoding the text.
func inPlain(text string) (held bool, all bool) {
	if privateKey(text) {
		return true, true
	}
	if !strings.ContainsAny(text, ":=") {
		return false, true
	}
	if namesSecret(text) || hasCredentials(text) {
		return true, true
	}
	if !mayParse(text) {
		return false, true
	}
	for _, document := range strings.Split(text, "\n---") {
		if held, all = parsesAsSecret(document); held || !all {
			return held, all
		}
	}
	return false, true
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
		switch {
		case strings.IndexByte(" \t\r\n+", c) >= 0:
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
// the words escaped or in binary, or far apart because of an alias.
func mayParse(text string) bool {
	has := func(part string) bool { return strings.Contains(text, part) }
	return slices.ContainsFunc([]string{`\u`, `\U`, `\x`, "\\\n", "\\\r"}, has) || has("!") && (has("binary") || has("%TAG")) ||
		has("&") && has(kindWord) && has(keyWord)
}

// parsesAsSecret reports whether a document is YAML or JSON that contains a Secret. all is false if
// the limits end the search.
func parsesAsSecret(document string) (held bool, all bool) {
	limits := kubeyaml.Limits{Nesting: 200, Aliases: 1000 + len(document), Values: 200_000}
	nodes, fault := limits.ParseAt([]byte(document), 0)
	if fault != nil && fault.Code != "" {
		return true, false
	}
	seen := map[*kubeyaml.Node]bool{} // aliases may repeat nodes
	var holds func(n *kubeyaml.Node) bool
	holds = func(n *kubeyaml.Node) bool {
		if seen[n] || n.Kind == kubeyaml.Scalar {
			return false
		}
		seen[n] = true
		_, kind := n.Field(keyWord)
		return kind != nil && kind.Kind == kubeyaml.Scalar && partOfKind(kind.Value()) != open ||
			slices.ContainsFunc(n.Values, holds)
	}
	return slices.ContainsFunc(nodes, holds), true
}

// Elements returns the scope for the elements of a list. If the elements are the lines of a
// Secret's manifest, each of them is secret.
func (s Scope) Elements(l []any) Scope {
	if s.part == open && len(l) > 1 && s.searched.lines(l) {
		s.part = whole
	}
	return s
}

func (s *Searched) lines(l []any) bool {
	all := make([]string, len(l))
	for i, x := range l {
		line, ok := x.(string)
		if !ok || strings.Contains(line, "\n") || strings.HasPrefix(line, "{") {
			return false // a manifest by itself, unrelated to the other elements
		}
		all[i] = line
	}
	return s.In(strings.Join(all, "\n"))
}

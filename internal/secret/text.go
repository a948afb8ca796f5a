package secret

import (
	"errors"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// The words that make a manifest that of a Secret.
const (
	keyWord  = "kind"
	kindWord = "Secret"
	shortest = len(keyWord) + 1 + len(kindWord)
)

// InText reports whether a text is, or has in it, the manifest of a Secret, a private key, a pull
// secret or a kubeconfig that lets somebody in: as YAML or JSON, however that is spelled, or in one
// encoding around the whole of it, see decoded. The words alone make it one where they stand beside
// each other, so that also a broken manifest is one, and one among other text.
//
// The work is linear in the length of the text. A text that would take more counts as one.
func InText(text string) bool {
	held, _ := inText(text)
	return held
}

// inText is InText that reports whether it looked at all that there is to look at.
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

// inPlain is inText for a text that nothing is decoded from.
func inPlain(text string) (held bool, all bool) {
	if privateKey(text) {
		return true, true
	}
	if !strings.ContainsAny(text, ":=") {
		return false, true
	}
	if states(text) || login(text) {
		return true, true
	}
	if !mayParse(text) {
		return false, true
	}
	for _, document := range strings.Split(text, "\n---") {
		if held, all = parses(document); held || !all {
			return held, all
		}
	}
	return false, true
}

// states reports whether a text says that something is of the kind Secret: in YAML, JSON, JSON
// inside JSON, or Go's print of a map. Between the words may stand what YAML lets stand there.
func states(text string) bool {
	return strings.Contains(text, kindWord) && hasKey(text, keyWord, ":=", func(after string) bool {
		value := skip(after, openers)
		return isKind(value) || strings.HasPrefix(value, "*") // an alias may stand for a text that is anywhere
	})
}

// isKind reports whether a text begins with the kind of a Secret or of a list of them.
func isKind(text string) bool {
	after, found := strings.CutPrefix(text, kindWord)
	after = strings.TrimPrefix(after, "List")
	return found && (after == "" || !isWord(after[0]))
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// What may stand between a key and its colon, and between that and the value, beside blanks and
// comments.
const (
	closers = `"'\`
	openers = closers + `!&|>`
)

// skip returns a text behind blanks, comments, and marks of YAML: quotes, tags, anchors and the
// heads of blocks, of which those are skipped that begin with one of some characters. It looks no
// further than a value stands from its key, so that all keys of a text together take linear work.
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

// mark is the tag or anchor that a text begins with.
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

// mayParse reports whether a text could be YAML or JSON that means more than states sees: that has
// the words escaped, in binary, or far from each other, by an alias.
func mayParse(text string) bool {
	has := func(part string) bool { return strings.Contains(text, part) }
	return slices.ContainsFunc([]string{`\u`, `\U`, `\x`, "\\\n", "\\\r"}, has) || has("!") && (has("binary") || has("%TAG")) ||
		has("&") && has(kindWord) && has(keyWord)
}

// parses reports whether a document reads as YAML or JSON with a Secret in it, and whether it could
// be read as far as the limits go.
func parses(document string) (held bool, all bool) {
	limits := kubeyaml.Limits{Nesting: 200, Aliases: 1000 + len(document), Values: 200_000}
	nodes, err := limits.Parse([]byte(document))
	var fault *kubeyaml.SyntaxError
	if errors.As(err, &fault) && fault.Code != "" {
		return true, false
	}
	met := map[*kubeyaml.Node]bool{} // what aliases repeat is looked at once
	var holds func(n *kubeyaml.Node) bool
	holds = func(n *kubeyaml.Node) bool {
		if met[n] || n.Kind == kubeyaml.Scalar {
			return false
		}
		met[n] = true
		_, kind := n.Field(keyWord)
		return kind != nil && kind.Kind == kubeyaml.Scalar && partOfKind(kind.Value()) != open ||
			slices.ContainsFunc(n.Values, holds)
	}
	return slices.ContainsFunc(nodes, holds), true
}

// Elements is the scope of a list of this scope, which Below of its elements goes by: where the
// list is the lines of a manifest of a Secret, each of them is secret.
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
			return false // a whole manifest, which the others have nothing to do with
		}
		all[i] = line
	}
	return s.In(strings.Join(all, "\n"))
}

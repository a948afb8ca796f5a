package secret

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// The words that make a manifest that of a Secret.
const (
	keyWord  = "kind"
	kindWord = "Secret"
	shortest = len(keyWord) + 1 + len(kindWord)
)

// InText reports whether a text is, or has in it, the manifest of a Secret, a private key, a pull secret or a kubeconfig that lets somebody
// in: as YAML or JSON, however that is written, quoted or escaped, and also as a data URL, percent-encoded, HTML-quoted or in base64, compressed or not, and all of these inside each other.
// The words alone make it one where they stand beside each other, so that also a broken manifest is one.
//
// The work is bounded by the length of the text. A text that could hold one, and takes more work, counts as one.
func InText(text string) bool {
	held, _, _ := inText(text)
	return held
}

// inText is InText that tells how many bytes it looked at, and whether these were all that there are to look at.
func inText(text string) (held bool, looked int, all bool) {
	const layers = 30                                    // of encodings inside each other
	const least, perByte, most = 64 << 10, 128, 64 << 20 // bytes of texts to look at; there may be ten thousands of texts in a MB
	left := min(least+perByte*len(text), most)
	s := search{left: left}
	held = s.in(text, layers)
	return held, left - s.left, s.left >= 0
}

// search looks for the manifest of a Secret in a text and in what is decoded from it.
type search struct {
	left int             // bytes that may still be looked at
	seen map[string]bool // what was decoded already
}

// in is InText for a text that may have some more layers of encoding.
func (s *search) in(text string, layers int) bool {
	if len(text) < shortest {
		return false
	}
	has := signsOf(text)
	if has&assigns != 0 && (s.states(text) || s.login(text)) || has&dash != 0 && privateKey(text) {
		return true
	}
	return slices.ContainsFunc(s.decoded(text, has), func(inner string) bool { return s.inner(inner, layers) }) || s.left < 0 ||
		has&(escapes|refers) != 0 && mayParse(text) && s.parses(text, layers)
}

// signs are characters of which a text has to have one, to hold what it is searched for in one way or another. Most texts have none, and
// are looked at no more.
type signs uint8

const (
	assigns signs = 1 << iota // stands between a key and its value
	dash                      // begins a private key
	escapes                   // begins or ends an escape
	refers                    // begins a tag or an anchor of YAML, or is no ASCII
	zero                      // of UTF-16
	packed                    // begins compressed data
)

func signsOf(text string) (all signs) {
	for i := range len(text) {
		switch c := text[i]; {
		case c == ':' || c == '=':
			all |= assigns
		case c == '-':
			all |= dash
		case c == '%' || c == '\\':
			all |= escapes
		case c == '&':
			all |= escapes | refers
		case c == '!' || c >= utf8.RuneSelf:
			all |= refers
		case c == 0:
			all |= zero
		case c == gzipMagic[0]:
			all |= packed
		}
	}
	return all
}

// inner is in for what was decoded from a text. It is looked at once.
func (s *search) inner(text string, layers int) bool {
	if len(text) < shortest || s.seen[text] {
		return false
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[text] = true
	return layers == 0 || !s.spend(len(text)) || s.in(text, layers-1)
}

// spend takes notice of work, and reports whether there may be more.
func (s *search) spend(bytes int) bool {
	s.left -= bytes
	return s.left >= 0
}

// states reports whether a text says that something is of the kind Secret: in YAML, JSON, JSON inside JSON, or Go's print of a map. Between
// the words may stand what YAML lets stand there.
func (s *search) states(text string) bool {
	if !strings.Contains(text, kindWord) {
		return false
	}
	for rest := text; ; {
		_, after, found := strings.Cut(rest, keyWord)
		if !found {
			return false
		}
		rest = after
		value := skip(after, closers)
		if value == "" || value[0] != ':' && value[0] != '=' {
			continue
		}
		value = skip(value[1:], openers)
		if !s.spend(len(after) - len(value)) {
			return true
		}
		if isKind(value) || strings.HasPrefix(value, "*") { // an alias may stand for a text that is anywhere
			return true
		}
	}
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

// What may stand between a key and its colon, and between that and the value, beside blanks and comments.
const (
	closers = `"'\`
	openers = closers + `!&|>`
)

// skip returns a text behind blanks, comments, and marks of YAML: quotes, tags, anchors and the heads of blocks, of which those are
// skipped that begin with one of some characters.
func skip(text, marks string) string {
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

// mayParse reports whether a text could be YAML that means more than states sees: that has the words far from each other, by an alias,
// or in binary, or with line breaks between them that only YAML has.
func mayParse(text string) bool {
	has := func(part string) bool { return strings.Contains(text, part) }
	if has("!") && (has("binary") || has("%TAG")) {
		return true
	}
	return has(kindWord) && has(keyWord) && slices.ContainsFunc([]string{"&", "!", `\u`, `\x`, "\u0085", "\u2028", "\u2029"}, has)
}

// parses reports whether a text reads as YAML or JSON with a Secret in it, or else one of the documents in it does.
func (s *search) parses(text string, layers int) bool {
	holds, ok := s.reads(text, layers)
	if ok {
		return holds
	}
	documents := strings.Split(text, "\n---")
	return len(documents) > 1 && slices.ContainsFunc(documents, func(d string) bool {
		holds, _ := s.reads(d, layers)
		return holds
	})
}

// reads is parses for one text. It reports whether that can be read; what goes beyond a limit counts as read, and as a Secret.
func (s *search) reads(text string, layers int) (holds, ok bool) {
	const beginning, perByte, perValue = 4 << 10, 8, 24 // that decoding takes so much longer than looking
	if !s.spend(beginning + perByte*len(text) + perValue*kubeyaml.Values([]byte(text))) {
		return true, true
	}
	limits := kubeyaml.Limits{Nesting: 200, Aliases: min(1000+len(text), 20_000), Values: 200_000} // merge keys take work as aliases repeat
	nodes, err := limits.Parse([]byte(text))
	if err != nil {
		var fault *kubeyaml.SyntaxError
		limit := errors.As(err, &fault) && fault.Code != ""
		return limit, limit
	}
	met := map[*kubeyaml.Node]bool{}
	return slices.ContainsFunc(nodes, func(n *kubeyaml.Node) bool {
		return (n.Kind != kubeyaml.Scalar || n.Text != text) && s.node(n, layers, met)
	}), true
}

// node reports whether there is a Secret, or the text of one, in what was read from a text. What aliases repeat is looked at once.
func (s *search) node(n *kubeyaml.Node, layers int, met map[*kubeyaml.Node]bool) bool {
	if met[n] {
		return false
	}
	met[n] = true
	if n.Kind == kubeyaml.Scalar {
		v, isText := n.Value().(string)
		return isText && s.inner(v, layers)
	}
	if _, kind := n.Field(keyWord); kind != nil && kind.Kind == kubeyaml.Scalar && partOfKind(kind.Value()) != open {
		return true
	}
	return slices.ContainsFunc(n.Keys, func(key *kubeyaml.Node) bool { return s.inner(kubeyaml.KeyString(key), layers) }) ||
		slices.ContainsFunc(n.Values, func(below *kubeyaml.Node) bool { return s.node(below, layers, met) })
}

// Elements is the scope of a list of this scope, which Below of its elements goes by: where the list is the lines of a manifest of a
// Secret, each of them is secret.
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

package secret

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// covered stands for a credential in a Rest. No text of YAML has its first character.
const covered = "\x00credential"

// restsOf comes between the rest of a text and those of the documents in it.
const restsOf = "\x00documents"

// Rest returns a value of this scope with the same mark in place of each credential, so that two
// values with equal rests differ only in credentials. What cannot be told from its surroundings
// stays: a Rest is for comparing, and never shown.
func (s Scope) Rest(v any) any { return s.rest(v, mostNested) }

// rest does the work of Rest. Texts are searched down to a number of levels, one inside the other.
func (s Scope) rest(v any, levels nested) any {
	s = s.resolved(v)
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			below := s.Below(k, x)
			text, isText := x.(string)
			copies := k == lastApplied || s.part == object && strings.EqualFold(k, "patch")
			switch {
			case s.part == open && isCredentials(k, x):
				out[k] = coverCredentials(k, x)
			case copies && isText: // the text is a whole object
				out[k] = levels.rest(text)
			default:
				out[k] = below.rest(x, levels)
			}
		}
		return out
	case []any:
		if s.part == open && levels > 0 && areLines(v, s.searched.In) {
			return levels.restOfLines(v)
		}
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = s.Below("", x).rest(x, levels)
		}
		return out
	case string:
		if s.IsOwn() {
			return levels.rest(v)
		}
	}
	if s.IsData() || s.all {
		return cover(v)
	}
	return v
}

// cover returns the mark for a scalar, unless it is empty.
func cover(v any) any {
	if v == nil || v == "" {
		return v
	}
	return covered
}

// coverCredentials covers the credentials at a key for which isCredentials is true. Servers, commands and
// names beside them are no secrets.
func coverCredentials(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			if key == "HttpHeaders" {
				out[k] = coverCredentials(key, x)
			} else {
				out[k] = coverCredentials(k, x)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = coverCredentials("", x)
		}
		return out
	}
	if key == "HttpHeaders" || slices.Contains(credentialKeys(), key) {
		return cover(v)
	}
	return v
}

// credentialKeys returns the keys whose scalars are credentials where isCredentials is true of a map
// around them.
func credentialKeys() []string {
	return append(registryKeys(), "token", "id-token", "refresh-token", "access-token", "client-secret",
		"client-key-data", "passwordHash", "password_hash")
}

// restOfLines returns the rests of the lines of a text with a Secret; the lines themselves if its rest
// has other lines.
func (levels nested) restOfLines(l []any) []any {
	var lines []string
	for _, x := range l {
		switch x.(type) {
		case map[string]any, []any, nil:
			lines = append(lines, "")
		default:
			lines = append(lines, fmt.Sprint(x))
		}
	}
	text, _ := levels.restOfPlain(strings.Join(lines, "\n"))
	rests := strings.Split(text, "\n")
	if len(rests) != strings.Count(strings.Join(lines, "\n"), "\n")+1 {
		return l
	}
	out := slices.Clone(l)
	for i, line := range lines {
		n := strings.Count(line, "\n") + 1
		switch x := l[i].(type) {
		case map[string]any, []any:
			out[i] = Of(x).rest(x, levels)
		case nil:
		default:
			out[i] = strings.Join(rests[:n], "\n")
		}
		rests = rests[n:]
	}
	return out
}

// rest does for a text what Rest does. The rest of a document has its values too, so that a place in
// the text that was found wrongly hides no difference.
func (levels nested) rest(text string) string {
	if levels <= 0 || !InText(text) {
		return text
	}
	if inner, all := decoded(text); all && InText(inner) {
		head, _, isURL := strings.Cut(text, ",")
		if !isURL {
			head = ""
		}
		return head + "," + (levels - 1).rest(inner)
	}
	out, values := levels.restOfPlain(text)
	for _, v := range values {
		data, err := json.Marshal(v)
		if err != nil {
			return text
		}
		out += restsOf + string(data)
	}
	return out
}

// restOfPlain returns the rest of a text without decoding it, and those of its documents; none if it has
// no structure.
func (levels nested) restOfPlain(text string) (string, []any) {
	limits := kubeyaml.Limits{Nesting: 200, Aliases: 1000 + len(text), Values: 200_000}
	nodes, fault := limits.ParseAt([]byte(text), 0)
	isScalar := func(n *kubeyaml.Node) bool { return n.Kind == kubeyaml.Scalar }
	if fault != nil || !slices.ContainsFunc(nodes, func(n *kubeyaml.Node) bool { return !isScalar(n) }) {
		return coverWords(coverFields(text)), nil
	}
	var spans []span
	var rests []any
	for _, n := range nodes {
		if isScalar(n) || hasReplaced(n, map[*kubeyaml.Node]bool{}) {
			continue
		}
		v := n.Value()
		rest := Of(v).rest(v, levels-1)
		rests = append(rests, rest)
		spans = differing(spans, text, n, v, rest)
	}
	slices.SortStableFunc(spans, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	done := 0
	for _, s := range spans {
		if s.from >= done && s.to >= s.from && s.to <= len(text) { // an alias repeats a span
			b.WriteString(coverWords(text[done:s.from]) + s.text)
			done = s.to
		}
	}
	return b.String() + coverWords(text[done:]), rests
}

// span is a part of a text, and what replaces it.
type span struct {
	from, to int
	text     string
}

// differing adds the spans of the scalars of a node whose value differs from its rest. What replaces
// a text with documents has none of their rests: they would double at each level of texts inside texts.
func differing(to []span, text string, n *kubeyaml.Node, v, rest any) []span {
	switch v := v.(type) {
	case map[string]any:
		of, _ := rest.(map[string]any)
		for i, key := range n.Keys {
			k := kubeyaml.KeyString(key)
			to = differing(to, text, n.Values[i], v[k], of[k])
		}
	case []any:
		of, _ := rest.([]any)
		for i := range min(len(n.Values), len(of)) {
			to = differing(to, text, n.Values[i], v[i], of[i])
		}
	default:
		if v != rest {
			replaced, _, _ := strings.Cut(fmt.Sprint(rest), restsOf)
			to = append(to, span{n.Offset, n.EndIn(text), strconv.Quote(replaced)})
		}
	}
	return to
}

// coverFields covers the values of keys of credentials in a text without structure, such as a script.
func coverFields(text string) string {
	if !hasCredentials(text) {
		return text
	}
	keys := strings.Join(append(credentialKeys(), "password"), "|")
	field := regexp.MustCompile(`((?:^|[^\w-])(?:` + keys + `)["'\\]*[ \t]*:[ \t]*["'\\]*)[^\s"'\\,{}\[\]|>&!*#]+`)
	return field.ReplaceAllString(text, "${1}"+covered)
}

// coverWords covers what InText finds by its form: private keys, passwords in URLs and hashed passwords.
func coverWords(text string) string {
	if privateKey(text) {
		const key = `(?s)(---- ?BEGIN [^\n-]{0,29}PRIVATE KEY[^\n-]{0,10}----).*?(---- ?END )`
		text = regexp.MustCompile(key).ReplaceAllString(text, "${1}"+covered+"${2}")
		text = regexp.MustCompile(`AGE-SECRET-KEY-\w+`).ReplaceAllString(text, covered)
	}
	if !hasLogin(text) {
		return text
	}
	const login = `(://[^\s/?#@:"'<>]*:)([^\s/?#@"'<>]+)(@[^\s/])`
	text = regexp.MustCompile(login).ReplaceAllStringFunc(text, func(match string) string {
		if !hasLogin(match) {
			return match
		}
		at := strings.IndexByte(match[len("://"):], ':') + len("://:")
		return match[:at] + covered + match[strings.LastIndexByte(match, '@'):]
	})
	const hashed = `(:)(?:\$(?:2[abxy]?|apr1|y|gy|sha1|argon2\w*|scrypt|[1567])\$|\{S?(?:SHA|MD5)\d*\})[^\s"':\\]+`
	return regexp.MustCompile(hashed).ReplaceAllString(text, "${1}"+covered)
}

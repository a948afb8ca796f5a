package render

import (
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/placeholder"
)

// Identity is what a template says about the identity of its objects without knowing an input.
type Identity struct {
	APIVersion, Kind, Namespace, Name Matcher
}

// Matcher says which values of one identity field a template meets. The zero value is a field that the template leaves to
// the input, and meets everything.
type Matcher struct {
	text    string         // the literal value
	pattern *regexp.Regexp // a value that is literal in part
	set     bool
}

// Literal returns a matcher that meets one text only.
func Literal(text string) Matcher { return Matcher{text: text, set: true} }

// Fixed reports whether the template states the value, or a part of it.
func (m Matcher) Fixed() bool { return m.set }

// Exact returns the literal value, and whether the whole of it is stated.
func (m Matcher) Exact() (string, bool) { return m.text, m.set && m.pattern == nil }

// Meets reports whether a value is one the template can mean.
func (m Matcher) Meets(v string) bool {
	if m.pattern != nil {
		return m.pattern.MatchString(v)
	}
	return !m.set || m.text == v
}

// MayMeet reports whether a value that has placeholders can become one that the template can mean.
func (m Matcher) MayMeet(v string) bool { return !m.set || placeholder.Meets(v, m.text) }

// String returns the literal value, a pattern with * for what is open, or "*".
func (m Matcher) String() string {
	if !m.set {
		return "*"
	}
	return m.text
}

// identify executes the template on an empty object, with every print held open that needs the input, and reads the four fields. A
// print that has a default does not need it. What fails on an empty object prints nothing.
func (t *Template) identify() Identity {
	x, err := t.onEmpty(true)
	if err != nil && len(x.out.buf) == 0 {
		return Identity{}
	}
	open := func(p *printed) bool {
		if !p.val.input && p.val.lost == nil {
			return false
		}
		return !p.blank && !strings.Contains(string(x.out.buf[p.start:p.end]), "\n")
	}
	a := x.out.assemble(open)
	id := a.identity(x.out)
	if !id.Kind.Fixed() { // e.g. printed as a part of an included text
		plain := x.out.assemble(func(*printed) bool { return false })
		id.Kind = plain.scanIdentity().Kind
	}
	return id
}

// mostIdentified is up to how many values a text is decoded to find its identity in it; others are scanned for it.
const mostIdentified = 100_000

// identity reads the four fields from a text with tokens.
func (a assembled) identity(o *output) Identity {
	node, err := mapping(a.text, Limits{Text: manifest.Limits{Values: mostIdentified}})
	if err != nil {
		return a.scanIdentity()
	}
	l := &layer{out: o, a: a, seen: map[int]bool{}}
	field := func(n *manifest.Node, name string) Matcher {
		if _, v := n.Field(name); v != nil {
			return l.matcher(v)
		}
		return Matcher{}
	}
	_, metadata := node.Field("metadata")
	return Identity{field(node, "apiVersion"), field(node, "kind"), field(metadata, "namespace"), field(metadata, "name")}
}

// matcher reads one identity field: open where an action printed all of it, a pattern where it printed a part.
func (l *layer) matcher(n *manifest.Node) Matcher {
	if n.Kind != manifest.Scalar {
		return Matcher{}
	}
	if l.printsInput(n.Offset) {
		return Matcher{}
	}
	text := n.Text
	if !strings.Contains(text, l.a.prefix) && n.Style == manifest.Plain {
		s, ok := n.Value().(string)
		if !ok && n.Value() == nil {
			return Matcher{}
		}
		if ok {
			text = s
		}
	}
	return l.a.pattern(text)
}

// printsInput says whether text that depends on the input stands at an offset as text, not as a token.
func (l *layer) printsInput(offset int) bool {
	i := l.spanAt(offset)
	return i >= 0 && !l.spanIsToken(i) && l.out.prints[i].val.input
}

// pattern makes a matcher of a text in which tokens stand for anything.
func (a assembled) pattern(text string) Matcher {
	if text == "" {
		return Matcher{}
	}
	if !strings.Contains(text, a.prefix) {
		return Literal(text)
	}
	text = strings.ToValidUTF8(text, "\ufffd") // or it is no expression
	token := regexp.MustCompile(regexp.QuoteMeta(a.prefix) + `[0-9]+X`)
	parts := token.Split(text, -1)
	if strings.Join(parts, "") == "" {
		return Matcher{}
	}
	quoted := make([]string, len(parts))
	for i, p := range parts {
		quoted[i] = regexp.QuoteMeta(p)
	}
	expr := `\A(?s:` + strings.Join(quoted, ".*") + `)\z`
	return Matcher{text: strings.Join(parts, "*"), pattern: regexp.MustCompile(expr), set: true}
}

// scanIdentity reads the four fields line by line, from a text that is not YAML without an input.
func (a assembled) scanIdentity() Identity {
	found := map[string]Matcher{}
	parent, depth := "", -1
	for line := range strings.Lines(a.text) {
		trimmed := strings.TrimLeft(line, " ")
		indent := len(line) - len(trimmed)
		key, val, ok := strings.Cut(strings.TrimSuffix(trimmed, "\n"), ":")
		if !ok || trimmed[0] == '#' {
			continue
		}
		val, _, _ = strings.Cut(val, " #")
		m := a.pattern(strings.Trim(strings.TrimSpace(val), `"'`))
		switch {
		case indent == 0:
			parent, depth = key, -1
			found[key] = m
		case depth < 0 || indent == depth:
			depth = indent
			found[parent+"."+key] = m
		}
	}
	return Identity{found["apiVersion"], found["kind"], found["metadata.namespace"], found["metadata.name"]}
}

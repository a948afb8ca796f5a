package render

import (
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/manifest"
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
	x := &exec{t: t, out: &output{first: t.several}, tolerant: true, identity: true}
	dot := value{v: map[string]any{}, input: true, pure: true, at: root()}
	if err := x.run(dot); err != nil && len(x.out.buf) == 0 {
		return Identity{}
	}
	open := func(p *printed) bool {
		if !p.val.input && p.val.lost == nil {
			return false
		}
		return !p.blank && !strings.Contains(string(x.out.buf[p.start:p.end]), "\n")
	}
	x.out.holdOpen(open)
	a := x.out.assemble(open)
	id := a.identity(x.out)
	if !id.Kind.Fixed() { // e.g. printed as a part of an included text
		plain := x.out.assemble(func(*printed) bool { return false })
		id.Kind = plain.scanIdentity().Kind
	}
	return id
}

// holdOpen records also the prints that print no text, so that a name that is not there leaves a token.
func (o *output) holdOpen(open func(*printed) bool) {
	for i := range o.prints {
		o.prints[i].held = open(&o.prints[i])
	}
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
	var id Identity
	for i, k := range node.Keys {
		v := node.Values[i]
		switch k.Text {
		case "apiVersion":
			id.APIVersion = l.matcher(v)
		case "kind":
			id.Kind = l.matcher(v)
		case "metadata":
			for j, mk := range v.Keys {
				switch {
				case v.Kind != manifest.Map:
				case mk.Text == "name":
					id.Name = l.matcher(v.Values[j])
				case mk.Text == "namespace":
					id.Namespace = l.matcher(v.Values[j])
				}
			}
		}
	}
	return id
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
	var expr strings.Builder
	expr.WriteString(`\A(?s:`)
	for i, p := range parts {
		if i > 0 {
			expr.WriteString(".*")
		}
		expr.WriteString(regexp.QuoteMeta(p))
	}
	expr.WriteString(`)\z`)
	return Matcher{text: strings.Join(parts, "*"), pattern: regexp.MustCompile(expr.String()), set: true}
}

// scanIdentity reads the four fields line by line, from a text that is not YAML without an input.
func (a assembled) scanIdentity() Identity {
	var id Identity
	inMetadata, depth := false, -1
	for _, line := range strings.Split(a.text, "\n") {
		trimmed := strings.TrimLeft(line, " ")
		indent := len(line) - len(trimmed)
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		key, val, ok := strings.Cut(trimmed, ":")
		if !ok {
			continue
		}
		val, _, _ = strings.Cut(val, " #")
		m := a.pattern(strings.Trim(strings.TrimSpace(val), `"'`))
		switch {
		case indent == 0:
			inMetadata, depth = key == "metadata", -1
			if key == "apiVersion" {
				id.APIVersion = m
			}
			if key == "kind" {
				id.Kind = m
			}
		case inMetadata && (depth < 0 || indent == depth):
			depth = indent
			if key == "name" {
				id.Name = m
			}
			if key == "namespace" {
				id.Namespace = m
			}
		}
	}
	return id
}

package template

import (
	"strings"

	"github.com/validationtool/validationtool/internal/text/placeholder"
)

// Identity is the part of an object's identity that a template fixes, independent of an input.
type Identity struct {
	APIVersion, Kind, Namespace, Name Matcher
}

// Matcher is a condition on the value of an identity field. The zero value accepts every value; it
// is for a field that the template leaves to the input.
type Matcher struct {
	text  string   // literal value
	parts []string // literal parts of a value that is only partly literal
	set   bool
}

// Literal returns a matcher for exactly one text.
func Literal(text string) Matcher { return Matcher{text: text, set: true} }

// Partly returns a matcher for texts that consist of these parts, with any text between them.
func Partly(parts []string) Matcher {
	return Matcher{text: strings.Join(parts, "*"), parts: parts, set: true}
}

// Fixed reports whether the template fixes the value or a part of it.
func (m Matcher) Fixed() bool { return m.set }

// Exact returns the literal value, and whether the template fixes all of it.
func (m Matcher) Exact() (string, bool) { return m.text, m.set && m.parts == nil }

// Matches reports whether a value matches.
func (m Matcher) Matches(v string) bool {
	if m.parts == nil {
		return !m.set || m.text == v
	}
	rest, begins := strings.CutPrefix(v, m.parts[0])
	if len(m.parts) == 1 || !begins {
		return begins && rest == ""
	}
	last := len(m.parts) - 1
	rest, ends := strings.CutSuffix(rest, m.parts[last])
	for _, part := range m.parts[1:last] { // the first occurrence leaves the most text for the other parts
		_, after, found := strings.Cut(rest, part)
		rest, ends = after, ends && found
	}
	return ends
}

// MayMatch reports whether a value matches if its placeholders have suitable values.
func (m Matcher) MayMatch(v string) bool { return !m.set || placeholder.MayMatch(v, m.text) }

// String returns the literal value, or a pattern in which * matches any text.
func (m Matcher) String() string {
	if !m.set {
		return "*"
	}
	return m.text
}

// ScanIdentity reads the four identity fields line by line from a text that is not valid YAML
// without an input. matcher turns their values into matchers.
func ScanIdentity(text string, matcher func(value string) Matcher) Identity {
	found := map[string]Matcher{}
	parent, depth := "", -1
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, " ")
		indent := len(line) - len(trimmed)
		key, val, ok := strings.Cut(strings.TrimSuffix(trimmed, "\n"), ":")
		if !ok || trimmed[0] == '#' {
			continue
		}
		val, _, _ = strings.Cut(val, " #")
		m := matcher(strings.Trim(strings.TrimSpace(val), `"'`))
		switch {
		case indent == 0:
			parent, depth = key, -1
			found[key] = m
		case depth < 0 || indent == depth:
			depth = indent
			found[parent+"."+key] = m
		}
	}
	return Identity{
		APIVersion: found["apiVersion"],
		Kind:       found["kind"],
		Namespace:  found["metadata.namespace"],
		Name:       found["metadata.name"],
	}
}

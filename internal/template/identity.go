package template

import (
	"strings"

	"github.com/validationtool/validationtool/internal/placeholder"
)

// Identity is what a template says about the identity of its objects without knowing an input.
type Identity struct {
	APIVersion, Kind, Namespace, Name Matcher
}

// Matcher says which values of one identity field a template meets. The zero value is a field that
// the template leaves to the input, and meets everything.
type Matcher struct {
	text  string   // the literal value
	parts []string // those that are literal, of a value that is so in part
	set   bool
}

// Literal returns a matcher that meets one text only.
func Literal(text string) Matcher { return Matcher{text: text, set: true} }

// Partly returns a matcher that meets texts that have these parts, with anything between them.
func Partly(parts []string) Matcher {
	return Matcher{text: strings.Join(parts, "*"), parts: parts, set: true}
}

// Fixed reports whether the template states the value, or a part of it.
func (m Matcher) Fixed() bool { return m.set }

// Exact returns the literal value, and whether the whole of it is stated.
func (m Matcher) Exact() (string, bool) { return m.text, m.set && m.parts == nil }

// Meets reports whether a value is one the template can mean.
func (m Matcher) Meets(v string) bool {
	if m.parts == nil {
		return !m.set || m.text == v
	}
	rest, begins := strings.CutPrefix(v, m.parts[0])
	if len(m.parts) == 1 || !begins {
		return begins && rest == ""
	}
	last := len(m.parts) - 1
	rest, ends := strings.CutSuffix(rest, m.parts[last])
	for _, part := range m.parts[1:last] { // the first place of each leaves most for the others
		_, after, found := strings.Cut(rest, part)
		rest, ends = after, ends && found
	}
	return ends
}

// Prefix is what a value begins with that the template means.
func (m Matcher) Prefix() string {
	if m.parts != nil {
		return m.parts[0]
	}
	return m.text
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

// ScanIdentity reads the four fields line by line, from a text that is not YAML without an input.
// Matcher makes something of their values.
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

package template

import (
	"regexp"
	"strings"

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

// Partly returns a matcher that meets texts that have these parts, with anything between them.
func Partly(parts []string) Matcher {
	quoted := make([]string, len(parts))
	for i, p := range parts {
		quoted[i] = regexp.QuoteMeta(p)
	}
	expr := `\A(?s:` + strings.Join(quoted, ".*") + `)\z`
	return Matcher{text: strings.Join(parts, "*"), pattern: regexp.MustCompile(expr), set: true}
}

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

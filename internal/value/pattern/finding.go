package pattern

import (
	"fmt"
	"strconv"
)

// Kind is the way in which an expression failed to accept a text.
type Kind int

// The kinds.
const (
	NoMatch   Kind = iota // no match in the text
	PartMatch             // a match of only a part of the text
	NoPlace               // no text of the input belongs to the group
)

// Finding is an expression that does not accept its whole text.
type Finding struct {
	Kind       Kind
	Group      string // name of the group; "" for a whole expression (regex)
	Expression string // as written in the template
	Line       int    // line of the expression in the template's value, from 1
	// the input's text, and the matched part of it (PartMatch); "" for a group, whose text in a value
	// that differs is not known
	Text, Match string
}

// Message describes the finding with the input's text, if it is known.
func (f Finding) Message() string {
	switch {
	case f.Group != "":
		return f.Redacted()
	case f.Kind == PartMatch:
		return fmt.Sprintf("%s matches only %s of %s", f.subject(), shown(f.Match), shown(f.Text))
	}
	return fmt.Sprintf("%s does not match %s", f.subject(), shown(f.Text))
}

// Redacted is Message without the input's text, for secret values.
func (f Finding) Redacted() string {
	switch f.Kind {
	case PartMatch:
		return f.subject() + " matches only a part of the value"
	case NoPlace:
		return f.subject() + " finds no place in the value"
	}
	return f.subject() + " does not match the value"
}

func (f Finding) subject() string {
	if f.Group == "" {
		return "expression " + spelled(f.Expression)
	}
	return fmt.Sprintf("line %d: group %s, %s,", f.Line, f.Group, spelled(f.Expression))
}

// spelled returns an expression on one line, without escaping backslashes if possible.
func spelled(expression string) string {
	if text := clip(expression); strconv.CanBackquote(text) {
		return text
	}
	return strconv.Quote(clip(expression))
}

// shown returns a text for a message: in quotes, which say nothing around no text.
func shown(text string) string {
	if text == "" {
		return "an empty text"
	}
	return strconv.Quote(clip(text))
}

// clip shortens a text for a message.
func clip(text string) string {
	const most = 120
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

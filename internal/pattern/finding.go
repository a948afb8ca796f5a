package pattern

import (
	"fmt"
	"strconv"
)

// Kind says what is wrong with an expression and the input's text.
type Kind int

// The kinds of findings.
const (
	NoMatch   Kind = iota // the expression is not found in the text
	PartMatch             // it is found, but there is more than what it matches
	NoPlace               // no text of the input was found that could stand for the group
)

// Finding is an expression that does not accept all of its text.
type Finding struct {
	Kind       Kind
	Group      string // name of the group; "" for a whole expression (regex)
	Expression string // as the template spells it
	Line       int    // of the expression in the template's value, from 1
	Text       string // of the input: the text in the expression's place
	Match      string // the part of Text that it matches (PartMatch)
}

// Message says what is wrong, with the input's text.
func (f Finding) Message() string {
	switch f.Kind {
	case PartMatch:
		return fmt.Sprintf("%s matches only %s of %s", f.subject(), shown(f.Match), shown(f.Text))
	case NoPlace:
		return f.Redacted()
	}
	return fmt.Sprintf("%s does not match %s", f.subject(), shown(f.Text))
}

// Redacted is Message without the input's text, for values that must not be shown.
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

// spelled shows an expression in one line, without doubling its backslashes where that can be
// avoided.
func spelled(expression string) string {
	if text := clip(expression); strconv.CanBackquote(text) {
		return text
	}
	return shown(expression)
}

// shown quotes a text for a message.
func shown(text string) string { return strconv.Quote(clip(text)) }

// clip shortens a text to what a message can hold.
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

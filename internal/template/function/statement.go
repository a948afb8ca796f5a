package function

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Statement is the content of a call of violation or note: a code and a message about an object or
// one of its fields.
type Statement struct {
	Code    code.Code
	Path    refconfig.FieldPath // nil for the object as a whole
	Message string
}

// NewStatement parses the arguments of violation or note: CODE [PATH] MESSAGE.
func NewStatement(args []any) (s Statement, err error) {
	last := len(args) - 1
	if s.Code, err = textOf("a code", args[0]); err == nil {
		err = code.CheckOwn(s.Code)
	}
	if err == nil && last == 2 {
		s.Path, err = fieldOf(args[1])
	}
	if err == nil {
		s.Message, err = messageOf(args[last])
	}
	return s, err
}

// textOf returns an argument that must be text.
func textOf(what string, v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("%s must be text, not %s", what, Describe(v))
	}
	return s, nil
}

// fieldOf parses the path of one field. "." and "" mean the object as a whole, so that a template
// can compute the path.
func fieldOf(v any) (refconfig.FieldPath, error) {
	s, err := textOf("the path of a field", v)
	if err != nil || s == "" || s == "." {
		return nil, err
	}
	path, err := refconfig.ParseFieldPath(s)
	if err != nil {
		return nil, fmt.Errorf("the path %q cannot be read: %w", s, err)
	}
	for _, step := range path {
		if step.Any {
			return nil, fmt.Errorf(
				"the path %q matches several fields; name one field, for example in a range over them", s,
			)
		}
	}
	return path, nil
}

// messageOf returns the text of a message, with the text absent in place of nil values.
func messageOf(v any) (string, error) {
	switch v.(type) {
	case nil:
		return absent, nil
	case map[string]any, []any:
		return "", errors.New("the message must be text, not " + Describe(v) + "; toJson makes text of it")
	}
	// the texts that print and printf write for nil, also for a verb such as %d
	none := regexp.MustCompile(`%!.\(<nil>\)|<nil>|<no value>`)
	text := none.ReplaceAllString(strings.TrimRight(fmt.Sprint(v), " \r\n"), absent)
	return strings.ToValidUTF8(text, "\ufffd"), nil
}

// absent replaces a nil value in a message.
const absent = "(not set)"

// Statements is a list of statements about one object without duplicates.
type Statements struct {
	All  []Statement
	seen map[[3]string]bool
}

// Add adds a statement and reports whether it is new.
func (all *Statements) Add(s Statement) bool {
	key := [3]string{s.Code, s.Path.String(), s.Message}
	if all.seen[key] {
		return false
	}
	if all.seen == nil {
		all.seen = map[[3]string]bool{}
	}
	all.seen[key] = true
	all.All = append(all.All, s)
	return true
}

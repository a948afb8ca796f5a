// Package mapping reads the text that a template printed for a CR as the one YAML mapping that it has to be. In go the text and the limits of
// reading it; out comes the mapping's node, or a Fault that says where in the text it is none.
package mapping

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// Fault says that a text is not one YAML mapping.
type Fault struct {
	Offset  int // in the text
	Message string
	Code    code.Code
}

// Error returns the message.
func (f *Fault) Error() string { return f.Message }

// Parse parses a text that should be one YAML mapping. The error is a *Fault.
func Parse(text string, limits kubeyaml.Limits) (*kubeyaml.Node, error) {
	docs, err := limits.Parse([]byte(text))
	var syntax *kubeyaml.SyntaxError
	if errors.As(err, &syntax) {
		return nil, faultOf(syntax, text)
	}
	bad := func(offset int, message string) error { return &Fault{offset, message, code.EvalYAML} }
	if err != nil {
		return nil, bad(0, err.Error())
	}
	var found *kubeyaml.Node
	for _, d := range docs {
		if d.Kind == kubeyaml.Scalar && d.Value() == nil {
			continue // an empty document
		}
		if found != nil {
			return nil, bad(d.Offset, "the template yields more than one YAML document; one CR per file")
		}
		found = d
	}
	switch {
	case found == nil:
		return nil, bad(0, "the template yields nothing for this CR")
	case found.Kind != kubeyaml.Map:
		return nil, bad(found.Offset, "the template yields no YAML mapping for this CR")
	}
	return found, nil
}

// faultOf is a fault of the syntax of a text, or a limit that it goes beyond.
func faultOf(syntax *kubeyaml.SyntaxError, text string) *Fault {
	f := &Fault{offsetOf(text, syntax.Line), syntax.Message, cmp.Or(syntax.Code, code.EvalYAML)}
	if syntax.Code != "" {
		f.Message = "the text rendered for this CR: " + syntax.Message
	} else if syntax.Line > 0 {
		f.Message = fmt.Sprintf("the text rendered for this CR is not valid YAML at its line %d: %s", syntax.Line, syntax.Message)
	}
	return f
}

// offsetOf returns the offset of a 1-based line, or of the last one.
func offsetOf(text string, line int) int {
	lines := strings.SplitAfterN(text, "\n", max(line, 1))
	return len(text) - len(lines[len(lines)-1])
}

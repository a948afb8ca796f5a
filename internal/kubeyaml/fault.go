package kubeyaml

import (
	"github.com/validationtool/validationtool/internal/code"
)

// SyntaxError says where and why a text is no YAML or JSON that Kubernetes could read, or goes
// beyond a limit. The message never quotes the text, which may be that of a Secret.
type SyntaxError struct {
	Line, Column int // 1-based; 0 if unknown
	Message      string
	Code         code.Code // of a limit; "" for anything else
	IsJSON       bool      // the text is JSON but for this fault: it breaks off, or has a number that is too large
}

// MayBeYAML reports whether text that is no JSON may be YAML in braces: that has comments, other
// quotes and a comma behind the last value. What goes beyond a limit or breaks off does so in YAML
// too.
func (e *SyntaxError) MayBeYAML() bool { return e.Code == "" && !e.IsJSON }

// Error is the message without the place, which only the caller can write out with the name of the
// file.
func (e *SyntaxError) Error() string { return e.Message }

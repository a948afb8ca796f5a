package kubeyaml

import (
	"github.com/validationtool/validationtool/internal/run/code"
)

// SyntaxError is the error, with its position, for a text that is not YAML or JSON that Kubernetes
// can read, or that exceeds a limit. The message never quotes the text, because it may belong to a
// Secret.
type SyntaxError struct {
	Line, Column int // 1-based; 0 if unknown
	Message      string
	Code         code.Code // code of an exceeded limit; "" for other errors
	IsJSON       bool      // the text is JSON except for this fault: it is cut off, or has a number that is too large
}

// MayBeYAML reports whether text that is not JSON may be YAML in braces: with comments, other
// quotes or a trailing comma. A text that exceeds a limit or is cut off is invalid as YAML too.
func (e *SyntaxError) MayBeYAML() bool { return e.Code == "" && !e.IsJSON }

// Error returns the message without the position. The caller adds it together with the name of the
// file.
func (e *SyntaxError) Error() string { return e.Message }

package kubeyaml

import (
	"github.com/validationtool/validationtool/internal/code"
)

// SyntaxError is the position and the reason if a text is not YAML or JSON that Kubernetes can
// read, or exceeds a limit. The message never quotes the text, which may be that of a Secret.
type SyntaxError struct {
	Line, Column int // 1-based; 0 if unknown
	Message      string
	Code         code.Code // code of an exceeded limit; "" for other errors
	IsJSON       bool      // the text is JSON except for this fault: it is cut off, or has a number that is too large
}

// MayBeYAML reports whether text that is not JSON may be YAML in braces: with comments, other
// quotes and a trailing comma. A text that exceeds a limit or is cut off is invalid as YAML too.
func (e *SyntaxError) MayBeYAML() bool { return e.Code == "" && !e.IsJSON }

// Error returns the message without the position. The caller adds it together with the name of the
// file.
func (e *SyntaxError) Error() string { return e.Message }

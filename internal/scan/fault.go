package scan

import (
	"fmt"

	"github.com/validationtool/validationtool/internal/code"
)

// SyntaxError says where and why a text is no YAML or JSON that Kubernetes could read, or goes beyond a limit. The message
// never quotes the text, which may be that of a Secret.
type SyntaxError struct {
	Line, Column int // 1-based; 0 if unknown
	Message      string
	Code         code.Code // of a limit; "" for anything else
	IsJSON       bool      // the text is JSON but for this fault: it breaks off, or has a number that is too large
}

// MayBeYAML says whether text that is no JSON may be YAML in braces: that has comments, other quotes and a comma behind the last value.
// What goes beyond a limit or breaks off does so in YAML too.
func (e *SyntaxError) MayBeYAML() bool { return e.Code == "" && !e.IsJSON }

// Error is the message without the place, which only the caller can write out with the name of the file.
func (e *SyntaxError) Error() string { return e.Message }

// TooDeep is the fault of a text in which more maps and lists lie in each other than the limit.
func TooDeep(limit, line, column int) *SyntaxError {
	return &SyntaxError{Code: code.LimitNesting, Line: line, Column: column, Message: fmt.Sprintf(
		"maps and lists are nested deeper than %d levels, the limit; raise it with --limit nesting=N", limit)}
}

// TooMany is the fault of a document with more values than the limit.
func TooMany(limit, line, column int) *SyntaxError {
	return &SyntaxError{Code: code.LimitValues, Line: line, Column: column, Message: fmt.Sprintf(
		"it has more than %d values, the limit for one document; cut it into parts, or raise the limit with --limit values=N", limit)}
}

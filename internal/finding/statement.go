package finding

import (
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
)

// Statement is a message of a template on an object, with a code that the reference defines.
type Statement struct {
	Code    code.Code `json:"code"`
	Path    string    `json:"path"` // as in Difference
	Message string    `json:"message"`
	Line    int       `json:"line,omitempty"` // as in Difference
}

// Words formats the message with its field: "spec.servers: two are too few".
func (s Statement) Words() string {
	if s.Path != "." {
		return s.Path + ": " + s.Message
	}
	return s.Message
}

// Cells returns the parts of a note that " | " separates. Notes with several parts are shown as a
// table.
func Cells(words string) []string { return strings.Split(words, " | ") }

// String formats the message with its code: "NTP-SERVERS  spec.servers: two are too few".
func (s Statement) String() string { return s.Code + "  " + s.Words() }

// Violation returns the difference as a message of the template; false if no template reported it.
func (d Difference) Violation() (Statement, bool) {
	return Statement{Code: d.Code, Path: d.Path, Message: d.Message, Line: d.Line}, code.IsOwn(d.Code)
}

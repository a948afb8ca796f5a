package finding

import "github.com/validationtool/validationtool/internal/code"

// Statement is what a template says of an object, with a code of the reference's own.
type Statement struct {
	Code    code.Code `json:"code"`
	Path    string    `json:"path"` // as that of a Difference
	Message string    `json:"message"`
	Line    int       `json:"line,omitempty"` // in the source file, as that of a Difference
}

// Told is what is said, with the field that it is about: "spec.servers: two are too few".
func (s Statement) Told() string {
	if s.Path != "." {
		return s.Path + ": " + s.Message
	}
	return s.Message
}

// String is a statement with its code: "NTP-SERVERS  spec.servers: two are too few".
func (s Statement) String() string { return s.Code + "  " + s.Told() }

// Violation returns what a template says with a code of the reference's own; false where the
// difference is something else.
func (d Difference) Violation() (Statement, bool) {
	return Statement{Code: d.Code, Path: d.Path, Message: d.Message, Line: d.Line}, code.IsOwn(d.Code)
}

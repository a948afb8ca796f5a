package patch

import "github.com/validationtool/validationtool/internal/compare/diff"

// Trial is an object compared with what a template expects of it.
type Trial struct {
	diff.Compared
	Value any // the expected value, before patterns accept parts of the object; nil if it is unknown
}

package patch

import (
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/value/provenance"
)

// Trial is an object compared with what a template expects of it.
type Trial struct {
	diff.Compared
	// the expected value, before patterns accept parts of the object; nil if it is unknown
	Expected *provenance.Node
}

package patch

import (
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/refconfig"
)

// Trial is an object compared with what a template expects of it.
type Trial struct {
	Value       any // what was expected, before anything was left out of it
	Omit        []refconfig.OmitEntry
	Notes       any // where each part of it came from, see render.Rendering; of what was left
	Tree        *diff.Pair
	Differences []diff.Difference
	Told        []provenance.Finding  // the findings that belong to no field of the expected value
	Conflicting []refconfig.FieldPath // the fields whose groups matched different texts
}

package patch

import (
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/refconfig"
)

// Trial is an object compared with what a template expects of it.
type Trial struct {
	Value       any // the expected value, before fields are omitted
	Omit        []refconfig.OmitEntry
	Notes       any // the notes of the value, see render.Rendering, without omitted fields
	Tree        *diff.Pair
	Differences []diff.Difference
	Told        []provenance.Finding  // findings about no field of the expected value
	Conflicting []refconfig.FieldPath // fields whose groups matched different texts
}

package text

import (
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
)

const (
	// MinWidth is the least width of a text report.
	MinWidth = 40
	// widthDefault is the width where none is asked for.
	widthDefault = 150
	// sideBySideLeast is the width below which two columns are too narrow to read.
	sideBySideLeast = 70
)

// Options say how a text is printed. The zero value prints 150 columns side by side, without
// colour.
type Options struct {
	Width   int  // columns of the whole; 0 for 150, and never less than MinWidth
	Color   bool // use the 16 standard colours
	Summary bool // leave the objects out; of an explanation, the rendered text and the differences
	// list what is only counted else: objects without findings, unmatched and refused ones, all of
	// a group, warnings for the author
	Verbose        bool
	ShowOverridden bool // list what overrides accept; it is counted else
	Unified        bool // both sides below each other, as is always done below 70 columns
	ShowExpected   bool // expected differences count as worth showing
	LongestLine    int  // bytes of a message that are shown; 0 for visible.DefaultLongest
	// of an explanation of a template: show what is behind the comparison with each object
	AllCandidates bool
	InputOrder    bool          // the table of clusters keeps the order of the inputs
	NoGroup       bool          // show each of several CRs with the same findings
	Digest        bool          // only the verdict, the alarms and the overview; of several clusters, their table
	Fold          *diff.Folding // keep only these of the lines of CRs; nil for all that there are
	Filter        finding.Filter
	Command       string // how the user calls the tool; "" for its own name
}

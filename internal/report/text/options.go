package text

import (
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
)

const (
	// MinWidth and MaxWidth are the minimum and maximum width of a text report. Nobody reads wider
	// lines, and one long value would pad every row of its CR.
	MinWidth, MaxWidth = 40, 1000
	// widthDefault is the width if Width is 0.
	widthDefault = 150
	// sideBySideLeast is the minimum width for two columns.
	sideBySideLeast = 70
)

// Options say how a text is printed. The zero value prints 150 columns side by side, without
// colour.
type Options struct {
	Width    int  // columns of the text, at least MinWidth; 0 for 150
	Terminal bool // the text goes to a terminal: the root of places may be shortened
	Color    bool // use the 16 standard colours
	Summary  bool // omit the objects; in an explanation, omit the rendered text and the differences
	// list what is only counted by default: CRs without findings, unmatched and refused CRs, all
	// CRs of a group, warnings for the author of the reference
	Verbose        bool
	ShowOverridden bool // list the accepted deviations, which are only counted by default
	Brief          bool // list the findings of each object by path, without its lines
	Unified        bool // print both sides below each other, as always below 70 columns
	ShowExpected   bool // also show CRs that have only expected differences
	LongestLine    int  // maximum number of bytes of a message; 0 for escape.DefaultLongest
	// in the explanation of a template, show the comparison with each object in detail
	AllCandidates bool
	InputOrder    bool          // keep the order of the inputs in the table of clusters
	NoGroup       bool          // show each CR separately, even those with the same findings
	Digest        bool          // print only verdict, alarms and overview; for several clusters, only the table
	Fold          *diff.Folding // the lines of CRs to show; nil for all lines that the report has
	Filter        finding.Filter
	Command       string // the name of the tool in commands; "" for ToolName
}

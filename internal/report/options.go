package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

const (
	// DefaultLongestLine is how many bytes of a line are shown.
	DefaultLongestLine = 1 << 20
	// MinWidth is the least width of a text report.
	MinWidth = 40
	// widthDefault is the width where none is asked for.
	widthDefault = 150
	// sideBySideLeast is the width below which two columns are too narrow to read.
	sideBySideLeast = 70
	// toolName is what a document calls the tool.
	toolName = "validationTool"
)

// TextOptions say how Text prints. The zero value prints 150 columns side by side, without colour and context lines.
type TextOptions struct {
	Width        int    // columns of the whole; 0 for 150, and never less than MinWidth
	Color        bool   // use the 16 standard colours
	Context      int    // lines to show around a finding
	Full         bool   // show the whole of each object that is shown
	Summary      bool   // leave the objects out
	Verbose      bool   // name the objects without findings too, the refused ones, and archives that were not read
	Unified      bool   // both sides below each other, as is always done below 70 columns
	ShowExpected bool   // expected differences count as worth showing
	ShowSecrets  bool   // show hidden values
	LongestLine  int    // bytes of a value or message that are shown; 0 for DefaultLongestLine
	Command      string // how the user calls the tool; "" for its own name
	ToolVersion  string // "" to leave it out
}

// longestLine is the number of bytes of a line that are shown.
func (o TextOptions) longestLine() int {
	if o.LongestLine > 0 {
		return o.LongestLine
	}
	return DefaultLongestLine
}

// DocOptions say what the document of JSON and YAML holds.
type DocOptions struct {
	ShowExpected bool // list expected differences too; they are always counted
	ShowSecrets  bool // show hidden values
	ToolVersion  string
}

// FailOn is the set of findings that make a run fail. The zero value stands for the default, drift and missing.
type FailOn struct {
	Drift, Missing, Extra, Unmatched, Referenced bool
	Nothing                                      bool // none of the others: only an incomplete run fails
}

// effective replaces the zero value by the default.
func (f FailOn) effective() FailOn {
	if f == (FailOn{}) {
		return FailOn{Drift: true, Missing: true}
	}
	return f
}

// String lists the findings as ParseFailOn reads them.
func (f FailOn) String() string {
	f = f.effective()
	var names []string
	for _, n := range []struct {
		name string
		set  bool
	}{
		{"drift", f.Drift}, {"missing", f.Missing}, {"extra", f.Extra}, {"unmatched", f.Unmatched}, {"referenced", f.Referenced},
		{"none", f.Nothing},
	} {
		if n.set {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, ",")
}

// ParseFailOn reads a list such as "drift,missing,extra", or "none".
func ParseFailOn(list string) (FailOn, error) {
	var f FailOn
	if strings.TrimSpace(list) == "" {
		return f, errors.New(`the list is empty; write "none" if no finding should make the run fail`)
	}
	names := strings.Split(list, ",")
	for i, name := range names {
		names[i] = strings.ToLower(strings.TrimSpace(name))
		switch names[i] {
		case "drift":
			f.Drift = true
		case "missing":
			f.Missing = true
		case "extra":
			f.Extra = true
		case "unmatched":
			f.Unmatched = true
		case "referenced":
			f.Referenced = true
		case "none":
			f.Nothing = true
		default:
			return FailOn{}, fmt.Errorf("%q is unknown; it can be drift, missing, extra, unmatched, referenced or none", name)
		}
	}
	if f.Nothing && slices.ContainsFunc(names, func(name string) bool { return name != "none" }) {
		return FailOn{}, errors.New(`"none" stands alone`)
	}
	return f, nil
}

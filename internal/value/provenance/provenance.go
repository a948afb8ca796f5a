// Package provenance records where each leaf of an expected value comes from. The notes have the
// shape of the value, with a Note in the place of each leaf.
package provenance

import (
	"slices"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Note says where a leaf of an expected value comes from.
type Note struct {
	Variable bool // a template action printed the leaf or a part of it
	Print    int  // number, from 1, of the printed text that contains the whole leaf; 0 for none
	// the value kept its type although YAML reads the printed text as another type, such as a
	// string that is printed as 12
	Kept    bool
	Root    int      // depth of the topmost value that this text contains as a whole; 0 is the object itself
	Open    bool     // the leaf is a placeholder of the object or depends on one, so its value is unknown
	Input   bool     // the printed text depends on the object
	Unsure  bool     // a placeholder decides whether the leaf exists
	Secret  bool     // the printed text may contain secret data
	Empty   bool     // a null where only blocks stand that printed nothing, so any empty value is meant
	Finding *Finding // set if a mandatory key is missing or a check failed
}

// Varies reports whether the leaf may differ between objects.
func (n Note) Varies() bool { return n.Variable || n.Finding != nil }

// Any reports whether a note of a tree fulfils the condition. The order of the calls is undefined.
func Any(note any, is func(Note) bool) bool {
	switch n := note.(type) {
	case Note:
		return is(n)
	case map[string]any:
		for _, x := range n {
			if Any(x, is) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(n, func(x any) bool { return Any(x, is) })
	}
	return false
}

// Finding is a problem of the object that the execution of a template found.
type Finding struct {
	Code code.Code
	// the missing key that the template needs, or the field with the problem; nil for the whole
	// object
	Path    refconfig.FieldPath
	Message string
	Null    bool // the template prints null in place of the missing key
}

// Package provenance has the expected value of an object as a tree of nodes. Each leaf has a Note on
// where it comes from. A Draft is the only writer of such a tree.
package provenance

import (
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

// Finding is a problem of the object that the execution of a template found.
type Finding struct {
	Code code.Code
	// the missing key that the template needs, or the field with the problem; nil for the whole
	// object
	Path    refconfig.FieldPath
	Message string
	Null    bool // the template prints null in place of the missing key
}

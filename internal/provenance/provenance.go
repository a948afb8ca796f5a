// Package provenance says where each leaf of an expected value came from: notes, which have the
// shape of the value, and in them what was found out while it was made.
package provenance

import (
	"slices"
	"strconv"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Note says where a leaf of the rendered value came from.
type Note struct {
	Variable bool // a template action printed it, or a part of it
	Print    int  // number of the action's print that the leaf lies in as a whole, from 1; 0 if there is none
	// the value kept its type: the text that was printed reads as another value, such as 12 for the
	// string "12"
	Kept    bool
	Root    int      // how many steps from the object's root the topmost value lies that this print made as a whole
	Open    bool     // it is a placeholder of the object, or hangs on one: what it will be is not known
	Input   bool     // what was printed depends on the object
	Unsure  bool     // whether it is there at all hangs on a placeholder
	Secret  bool     // what was printed holds secret data, or may
	Finding *Finding // set where a mandatory key is missing or a check did not hold
}

// Varies reports whether the object may make something else of the leaf.
func (n Note) Varies() bool { return n.Variable || n.Finding != nil }

// Any reports whether something is so of a note at or below a value. They are asked in any order.
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

// Finding is what the execution itself found out about the object.
type Finding struct {
	Code code.Code
	// the key that was asked for, else the field that it was found out in; nil for the object as a
	// whole
	Path    refconfig.FieldPath
	Message string
}

// Locate gives the findings of notes that do not know what field they are about the path that they
// are noted at.
func Locate(note any, path refconfig.FieldPath) {
	switch n := note.(type) {
	case Note:
		if n.Finding != nil && n.Finding.Path == nil {
			n.Finding.Path = slices.Clone(path)
		}
	case map[string]any:
		for k, below := range n {
			Locate(below, append(path, refconfig.Key(k)))
		}
	case []any:
		for i, below := range n {
			Locate(below, append(path, refconfig.Step{Key: strconv.Itoa(i), Index: i}))
		}
	}
}

// Package diff compares an expected value with the value of an object. A Policy says how: which
// fields are omitted, which values the collector masked, and how perField compares single fields.
// Patterns are matched before, see package pattern.
//
// Compare walks over both values once and makes a tree of pairs, each with one category. From the
// tree come differences and sides, which are lines next to each other. Show says how much of them is
// made, and whether they may contain secret data. Check and Doubts find errors in perField without an
// object.
package diff

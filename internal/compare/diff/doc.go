// Package diff compares an expected value with the value of an object. A Policy says how: which
// fields are omitted, which values the collector masked, and how perField compares single fields.
// Patterns are applied before, see package pattern.
//
// Compare walks over both values once and makes a tree of pairs, each with one category.
// Differences and sides are made from the tree; sides are lines next to each other. Show says how
// much of them is kept, and whether they may contain secret data. Check finds errors in perField
// without an object.
package diff

// Package refdiff says what changed between two versions of a reference, in terms of what its users
// must do.
//
// In: both references with their templates, and what an input was found to be by each. Out: a Diff,
// a document that is also written as text and as Markdown. It parses nothing: what templates print
// is compared part by part (render.Printing), with package diff where the reference says how fields
// compare; what they ask for is compared field by field (render.Probe). Any other action of a
// template that changed is reported as it is written, so that no change of meaning goes unnoticed.
package refdiff

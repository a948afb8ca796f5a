// Package textdiff finds what changed between two texts.
//
// Goals: edits by line that turn the one text into the other (Lines, checked by Apply), the rows in which two texts are
// shown beside each other (Align), the words that differ between two lines (Words), and how many characters differ
// (Distance).
//
// Every function is a pure function of its arguments: the work is bounded by counting steps, never by a clock, so that
// the answer is the same on every machine. Where a bound is reached the answer is still right, but not minimal: a whole
// stretch counts as replaced.
//
// The package does not read, print or format anything, and knows nothing about YAML.
package textdiff

// Package probe executes a template on an object about which nothing is known, to find what the
// template reads and prints.
//
// Execute returns the fields that a template reads, with what happens to a CR without them, the
// values that they may have, its lookups and its checks. Print returns the fields that it prints, as
// a tree of parts with the conditions around them.
//
// Both use the interpreter of package render. A stub stands for each value that is not known, and
// hooks execute the steps that need it: Execute follows both sides of a condition, Print one side at
// a time. The table of functions says what a call with a stub as an argument results in.
package probe

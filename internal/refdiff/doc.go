// Package refdiff says what changed between two versions of a reference, in terms of what its users
// must do.
//
// In: both references with their templates, and what an input was found to be by each. Out: a Diff,
// a document that is also written as text. Templates are not executed. What they state is compared
// key by key, what they take from the user is compared as package inspect has it, and whatever else
// of a template changed is told as it stands there, so that no change of meaning goes unnoticed.
package refdiff

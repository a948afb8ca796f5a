// Package inspect says what a reference asks for: which CRs, by which rules, what each template takes from the user, and what has to be
// collected from a cluster to answer all of it.
//
// In: a reference and its templates. Out: an Interface or Needs, documents that are also written as text. Templates are not executed: their
// trees are followed with values of which it is known where they come from, as far as that is certain. Where it is not, a value is called
// computed; nothing is guessed.
package inspect

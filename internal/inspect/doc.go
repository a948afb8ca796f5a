// Package inspect says what a reference asks for: which CRs, by which rules, what each template
// takes from the user, and what has to be collected from a cluster to answer all of it.
//
// In: a reference and its templates. Out: an Interface or Needs, documents that are also written as
// text. What a template takes is what a probe of it asks for, see render.Template.Probe. Where it
// is not certain where a value comes from, it is called computed; nothing is guessed.
package inspect

// Package inspect describes what a reference requires: the CRs, the rules about them, the values
// that each template takes from the user, and the CRs to collect from a cluster to check all of it.
//
// Its input is a reference with its templates. Its output is an Interface or Needs, documents that
// are also written as text. A probe of a template finds the fields that the template reads, see
// probe.Execute. A value of uncertain origin is called computed; nothing is guessed.
package inspect

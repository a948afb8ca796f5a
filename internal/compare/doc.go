// Package compare compares the objects of an input with a reference and its compiled templates. The
// result is a finding.Run, which keeps as much as the report shows.
//
// An object is stored → subject → expected → attempt → choice → verdict, see comparer. Each step makes
// a new value and changes no other. The rules of the components are evaluated afterwards, from the
// templates that have an object.
//
// Run is a function of its arguments: it reads no file, clock or environment, does not change its
// arguments, and returns the same result for any number of workers and any order of the objects.
package compare

// Package correlate finds the templates that an object can match.
//
// In: the identities of a reference's templates (package render) and of an object. Out: the
// candidates in the order of the reference, and the identity fields that they match by. It renders
// and compares nothing; package compare chooses among the candidates.
package correlate

// Package correlate finds the templates that may stand for an object.
//
// In: the identities of a reference's templates (package render) and an object's identity. Out: the
// candidates, in the order of the reference, with the identity fields that brought them together.
// Nothing is rendered or compared here: which of several candidates fits best is the comparison's
// question.
package correlate

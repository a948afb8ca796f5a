// Package secret owns the question what may not be shown. What is secret is the data of Secrets: of
// an object of that kind, of one inside another object, and of one whose manifest a text holds in
// some encoding; and texts that hold a private key, a pull secret, a kubeconfig with credentials or
// the hash of a password, and fields that are these.
//
// In go values of objects; out come a Scope, which says what of a value is secret and goes along
// from an object to its fields, and values in which something else stands in the place of what is
// secret. The package reads and changes nothing, and prints nothing: what stands in the place of a
// secret value is for those to say who print it.
package secret

// Package secret decides which data must not be shown: the data of Secrets, and credentials. A
// Secret may be an object, part of another object, or an encoded manifest in a text. Credentials
// are private keys, pull secrets, kubeconfigs with credentials and password hashes, as texts or as
// fields.
//
// A Scope says which part of a value is secret; callers follow it from an object to its fields.
// Redact replaces secret values. The caller chooses the replacement, and the package prints
// nothing.
package secret

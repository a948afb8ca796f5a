// Package patch makes the two sides of a comparison agree, by changing either side.
//
// Overrides change the expected value. Set selects the overrides for an object, applies them, and
// finds those that are expired, obsolete or stale. Maker makes both patches of an object: overrides
// that accept its differences, and a fix, which is the new object, a merge patch, and the fields that
// only the user knows. Everything that cannot be patched is listed with the reason. No patch contains
// secret data.
//
// One walk over a comparison changes either side towards the other; acceptor and fixer decide about
// single values. Patches are read, applied and written only here.
//
// The package compares nothing itself: it is given comparisons, and a function that compares what a
// Maker proposes.
package patch

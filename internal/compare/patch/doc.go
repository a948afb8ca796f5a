// Package patch makes the two sides of a comparison agree, by changing either side.
//
// Overrides change the expected value. Set selects the overrides for an object, applies them, and
// finds those that are expired, obsolete or stale. OverrideMaker makes overrides that accept the
// differences of an object. FixMaker makes fixes, which change the object: the new object, a merge
// patch, and the fields that only the user knows. Everything that cannot be patched is listed with
// the reason. No patch contains secret data.
//
// One walk over a comparison changes either side towards the other; the two makers decide about
// single values. Patches are read, applied and written only here.
//
// The package compares nothing itself: a Trial is a comparison that its caller made.
package patch

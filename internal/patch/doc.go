// Package patch makes the two sides of a comparison agree, towards either side.
//
// Overrides change what the reference expects: which of them are for an object, what they make of
// what is expected of it, which of them have expired, became obsolete or stale, and which new ones
// would accept what was found (OverrideMaker). A fix changes the object: the whole of it, a merge
// patch, and what is left to the user, because nobody else knows it (FixMaker). What cannot be
// patched is named with its reason, and nothing secret is ever put into a patch.
//
// One walk over a comparison changes either side towards the other; the two makers decide what
// becomes of single values. Patches are read, applied and written here alone.
//
// It compares nothing itself. What has to be compared for it, it is handed as a Trial.
package patch

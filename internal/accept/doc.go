// Package accept knows the accepted deviations of a run, the overrides: which of them are for an object, what they make of what the
// reference expects of it, which of them have expired or become obsolete, and which new ones would accept what was found.
//
// It compares nothing itself. What has to be compared for it, it is handed as a Trial.
package accept

// Package reference finds what a reference is loaded from: a folder, its metadata file, a file of CRs, or an archive of one of these; and sees
// where the reference and the input were named in each other's place.
//
// In: the name of a reference, and those of the inputs. Out: a file system for refconfig, the loaded reference, and errors for people.
package reference

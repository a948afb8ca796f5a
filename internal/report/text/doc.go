// Package text prints what was found for people: a report side by side or unified (Report), one
// object of it (Object), a question about one (Question), and an explanation (Explanation).
//
// In goes a finding, which is not modified, and options; out come bytes on a writer, the same ones
// for the same arguments. Width, colour and what to show are arguments: nothing is read from the
// terminal or the environment, and of a write that failed only the error is returned.
//
// The lines of objects come from the finding as they are to be shown; here they are laid out in
// columns (layout.go, columns.go). All other text is made harmless before it is measured.
package text

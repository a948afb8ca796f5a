// Package text prints for people: a report (Report), one object of it (Object), a question about an
// object (Question), a comparison of reports (Changes) and an explanation (Explanation).
//
// The same finding and the same options give the same bytes. Width and colour are options: nothing
// is read from the terminal or the environment. A finding is not modified. Errors are those of the
// writer.
//
// A finding has the lines of objects; layout.go and columns.go lay them out. Control characters in
// all other text are made visible before the text is measured.
package text

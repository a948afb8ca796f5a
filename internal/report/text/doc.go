// Package text prints for people: a report (Report), one object of it (Object), a question about an
// object (Question), a comparison of reports (Changes) and an explanation (Explanation).
//
// The same finding and the same options give the same bytes. Width and colour are options: nothing
// is read from the terminal or the environment. The package does not modify findings. Its errors
// are those of the writer.
//
// The report contains the lines of objects; layout.go and columns.go lay them out. In all other
// text, control characters are made visible before the text is measured.
package text

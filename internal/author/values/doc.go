// Package values renders CRs from the templates of a reference and the values of a user.
//
// Its input is a compiled reference, a values file (Parse), and CRs that lookups may find in
// addition to the rendered ones. Its output is the CRs (Render), or all missing and wrong values,
// each with its location and path. Every CR is compared with its template, so that it matches the
// reference. MarkGiven adds to an interface which of its parameters a values file sets, and Check
// compares the rendered CRs with those of a folder. The package writes no file.
package values

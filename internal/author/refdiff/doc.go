// Package refdiff reports the changes between two versions of a reference, grouped by what its
// users must do.
//
// Its input is both references with their templates, and the results of comparing an input with
// each. Its output is a Diff, which is also written as text and as Markdown. It parses nothing: it
// compares the printed parts of templates (probe.Print), by the rules of perField, and the
// fields that templates read (probe.Execute). Every other changed action is reported as it is
// written, so that no change of meaning is lost.
package refdiff

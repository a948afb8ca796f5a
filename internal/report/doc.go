// Package report prints a compare.Result: as text side by side or unified (Text), and as a versioned document in JSON or
// YAML (JSON, YAML), which docs/report.schema.json describes. It also says once, for every format, what the result comes
// to (Decide).
//
// In goes a Result, which is not modified, and options; out come bytes on a writer, the same ones for the same arguments.
// Width, colour and what to show are arguments: nothing is read from the terminal or the environment, and of a write
// that failed only the error is returned.
//
// Text is made in steps: an object's pairs become rows (rows.go), of which some are chosen (fold.go) and laid out in
// columns (layout.go, columns.go). What comes from the input is made harmless before it is measured (visible.go).
//
// The package never compares: categories and alignment are the Result's. Only to show how two long strings differ does
// it ask align for lines and words.
package report

// Package function owns the question what a template can call, and all that is known of each of
// these functions: where it comes from, what it makes of an argument that is absent, whether it
// changes one, what a call of it costs before it is made, whether it gives the same result every
// time, and whether that is one value on one line.
//
// In: plain Go values, and what is left of the limits. Out: the functions by their names (Table),
// the cost of a call (Cost) and its result (Arguments, Call). The functions that need to know more
// of their arguments than the Go values, such as where in the object they stand, have a row in the
// table too; internal/render evaluates them.
//
// No function reads files, the environment or the network. Whether a result is secret does not
// depend on the function: what is made of something secret is, and internal/render follows it. A
// function that changes a map is the exception that the table names.
package function

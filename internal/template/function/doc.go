// Package function owns the table of functions that templates can call. The table says for each
// function where it comes from, how it handles absent arguments, whether it changes an argument,
// how large a result may be, whether the result is the same every time, and whether it is one value
// on one line.
//
// Table returns the functions by name, Makes estimates the size of a result before the call, and
// Arguments and Call make the call with plain Go values. Functions that need more than the values
// of their arguments, such as the location of an argument in the object, are in the table too;
// internal/template/render evaluates them.
//
// No function reads files, the environment or the network. internal/template/render tracks secret
// data: the result of a function is secret if an argument is. The table marks the functions that
// change a map, because they can make that map secret.
package function

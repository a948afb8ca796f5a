// Package cli is what the commands do: which options each has and what they mean, the wiring of the
// other packages, progress, and the exit status. How a command line is read is the matter of
// package command.
//
// In: arguments, streams and the environment, all handed in. Out: the report on the output stream,
// everything else on the error stream, and the exit status as a number. Nothing is compared or
// formatted here.
package cli

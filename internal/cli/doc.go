// Package cli is the command line: commands, options and their meaning, the wiring of the other packages, progress, and
// the exit status.
//
// In: arguments, streams and the environment, all handed in. Out: the report on the output stream, everything else on the
// error stream, and the exit status as a number. Nothing is compared or formatted here.
package cli

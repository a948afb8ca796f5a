// Package cli has the commands: their options and help, the calls of the other packages, progress,
// and the exit status. The library urfave/cli parses command lines.
//
// It takes arguments, streams and the environment as values. It writes the report to the output
// stream and everything else to the error stream, and returns the exit status as a number. Other
// packages compare and format.
package cli

// Package budget bounds what a run holds in memory. What is needed for a while waits in a Room until others have left; what stays until
// the end is counted by a Shelf in an order that does not depend on when things come. So neither the number of processors nor the
// scheduling decides what goes beyond a limit.
//
// It counts what it is told, in bytes. What it allocates itself is Buffers: memory for the content of files, which is used again for others.
package budget

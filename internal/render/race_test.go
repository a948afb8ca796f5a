//go:build race

package render

// raced says that the race detector is on, under which regular expressions drop what they would use
// again, and allocate it anew.
const raced = true

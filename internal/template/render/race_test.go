//go:build race

package render

// raced reports that the race detector is on. With it, regular expressions do not reuse memory, so
// allocations cannot be counted.
const raced = true

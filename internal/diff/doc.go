// Package diff compares what a template expects with what an object has. In go both values and a
// Policy: what is left out, what the collector masked, and what a reference says of single fields
// (perField), but for how patterns are matched, which is package pattern. One walk over both
// values (Compare) makes pairs of one category each, and of these come the parts of a finding:
// differences, and sides, which are lines beside each other. Only as much of them is made as is
// wanted (Show), and nothing secret unless that is asked for. Check and Doubts find the faults of
// perField that show without an object.
package diff

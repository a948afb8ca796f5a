// Package tree works on decoded values: copy, look up, omit, merge, order.
//
// A value is what a Kubernetes object decodes to: nil, bool, int64, float64, string, []any or
// map[string]any. Paths are those of refconfig. Functions that change a tree say so; all others
// leave their arguments as they are and share no memory with them unless they say so.
//
// The package does not read or print text: that is manifest's and report's work.
package tree

package code

import "strings"

// All returns every entry in the order of the codes. The slice is the caller's own.
func All() []Entry {
	var all []Entry
	for text := range strings.SplitSeq(codesText, "\n\n") {
		all = append(all, entry(text))
	}
	return all
}

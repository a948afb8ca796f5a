// Package filename makes names of files that every file system accepts, and that differ even where
// letter case does not count. It looks at no file.
package filename

import (
	"slices"
	"strconv"
	"strings"
)

// Taken counts the names in use, in lower case. The zero value cannot be written to.
type Taken map[string]int

// Free returns an unused name from a stem and an extension, with a number between them if
// necessary, and marks it as used.
func (t Taken) Free(stem, end string) string {
	wanted := strings.ToLower(stem + end)
	name := stem + end
	for t[strings.ToLower(name)] > 0 {
		t[wanted]++
		name = stem + "-" + strconv.Itoa(t[wanted]) + end
	}
	t[strings.ToLower(name)]++
	return name
}

// Has reports whether a name is in use.
func (t Taken) Has(name string) bool { return t[strings.ToLower(name)] > 0 }

// IsDevice reports whether Windows reads a name as a device, whatever comes after a dot. The empty
// name, and one that begins with a dot, count too. Source: "Naming Files, Paths, and Namespaces" of
// the Windows documentation.
func IsDevice(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	if n := len("com"); len(stem) == n+1 && stem[n] >= '0' && stem[n] <= '9' {
		return stem[:n] == "com" || stem[:n] == "lpt"
	}
	return slices.Contains([]string{"", "con", "prn", "aux", "nul"}, stem)
}

// Package filename gives files names that every file system takes and that differ on each of them,
// also on one that makes no difference between large and small letters. In goes what a file is to
// be called; out comes a name that is free. No file is looked at.
package filename

import (
	"slices"
	"strconv"
	"strings"
)

// Taken has the names that were given away, in small letters, each with how often it was asked for.
// The zero value cannot be written to.
type Taken map[string]int

// Free makes a name that nothing has, of a stem and an end: with a number between them where the
// two alone are taken. No other file gets it.
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

// Has reports whether a name is taken.
func (t Taken) Has(name string) bool { return t[strings.ToLower(name)] > 0 }

// IsDevice reports whether Windows takes a name for that of a device, whatever follows a dot in it;
// the empty name and one that begins with a dot are as bad. Source: "Naming Files, Paths, and
// Namespaces" of the Windows documentation.
func IsDevice(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	if n := len("com"); len(stem) == n+1 && stem[n] >= '0' && stem[n] <= '9' {
		return stem[:n] == "com" || stem[:n] == "lpt"
	}
	return slices.Contains([]string{"", "con", "prn", "aux", "nul"}, stem)
}

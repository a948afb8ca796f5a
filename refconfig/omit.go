package refconfig

import "strings"

// BuiltInOmitList is the name of the list of fields that every reference has: those that the API
// server and kubectl write into every object. It is the default if a reference sets no other, and
// its own lists can include it.
const BuiltInOmitList = "cluster-compare-built-in"

// BuiltInOmit returns the entries of the built-in list.
func BuiltInOmit() []OmitEntry {
	const lastApplied = `"kubectl.kubernetes.io/last-applied-configuration"`
	var entries []OmitEntry
	for _, text := range []string{"metadata.resourceVersion", "metadata.uid", "metadata.creationTimestamp", "metadata.generation",
		"metadata.managedFields", "metadata.selfLink", "metadata.generateName", "metadata.finalizers",
		"metadata.annotations." + lastApplied, lastApplied, "status"} {
		path, _ := ParseFieldPath(text) // all of them are valid
		entries = append(entries, OmitEntry{Path: path})
	}
	return entries
}

// String returns the entry's path, with a star at its end for isPrefix.
func (e OmitEntry) String() string {
	if e.Prefix {
		return e.Path.String() + "*"
	}
	return e.Path.String()
}

// Match reports whether the entry omits the field at path itself, not only one below it.
func (e OmitEntry) Match(path FieldPath) bool {
	if len(e.Path) == 0 || len(e.Path) != len(path) {
		return false
	}
	last := len(path) - 1
	for i, step := range path[:last] {
		if !e.Path[i].match(step) {
			return false
		}
	}
	want, step := e.Path[last], path[last]
	if e.Prefix && want.isKey() && step.isKey() && strings.HasPrefix(step.Key, want.Key) {
		return true
	}
	return want.match(step)
}

// match reports whether the step of an entry matches the step of a path. Steps of a path from an
// object are a key or an index; parsed digits are both.
func (s Step) match(of Step) bool {
	switch {
	case s.Any:
		return true
	case of.Any:
		return false
	case s.Index >= 0 && s.Index == of.Index && (s.Key == "" || of.Key == "" || s.Key == of.Key):
		return true
	}
	return s.isKey() && of.isKey() && s.Key == of.Key
}

// isKey reports whether the step can be a key of a map.
func (s Step) isKey() bool { return !s.Any && (s.Key != "" || s.Index < 0) }

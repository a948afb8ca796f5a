package tree

import "github.com/validationtool/validationtool/refconfig"

// RuntimeFields are the fields of any object that the cluster changes by itself.
func RuntimeFields() []refconfig.OmitEntry {
	entries := []refconfig.OmitEntry{{Path: refconfig.PathOf("status")}}
	for _, key := range []string{"resourceVersion", "uid", "creationTimestamp", "generation", "selfLink", "managedFields"} {
		entries = append(entries, refconfig.OmitEntry{Path: refconfig.PathOf("metadata", key)})
	}
	return entries
}

// Package gather says of which cluster what was read is.
//
// In go the files of all inputs with the objects found in them; out come the clusters, each with its own files. Rules and
// lookups are about one cluster, so objects of different clusters are never pooled unless the user asks for it. The package
// reads nothing and compares nothing.
package gather

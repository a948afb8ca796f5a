// Package cluster says what was collected, and of which cluster.
//
// In go inputs: folders, files, standard input, archives. Out comes what was read of each cluster
// (Collected), ready to be compared: the objects, what could not be read, and what tells whether
// something that is missing was collected at all. Reading begins before it is known which objects
// are wanted, and holds no more memory than it is given. Rules and lookups are about one cluster,
// so objects of different clusters are never pooled unless the user asks for it.
//
// The package prints nothing, tells how far it is by a callback, and compares nothing.
package cluster

// Package cluster reads inputs and assigns their objects to clusters.
//
// Its input is folders, files, standard input and archives. Its result is a Collected for each
// cluster, ready for comparison: the objects, the problems, and the evidence that shows whether a
// missing object was collected at all. Reading begins before the wanted objects are known, with a
// file for each processor. Rules and lookups apply to one cluster, so objects of different
// clusters are never pooled unless the user asks for it.
//
// The package prints nothing, reports progress through a callback, and compares nothing.
package cluster

// Package cluster reads inputs and assigns their objects to clusters.
//
// Its input is folders, files, standard input and archives. Its result is a Collected for each
// cluster, ready for comparison: the objects, the problems, and the evidence that shows whether a
// missing object was collected at all. Reading begins before the wanted objects are known, with a
// file for each processor. Rules and lookups apply to one cluster, so objects of different
// clusters are never pooled unless the user asks for it.
//
// The package prints nothing, reports progress through a callback, and compares nothing.
//
// # Which cluster is it?
//
// A unit is an input, or a folder or file in it if the input names two clusters. An identity has three
// kinds of values: the id of ClusterVersion, the UID of the Namespace kube-system, and the name of
// Infrastructure. The rules are tried in this order, and the first rule that fits decides. TestSplit has
// an example of each rule. No order of inputs or files changes a result.
//
//   - A file names two clusters: unclear (unit.go).
//   - Two units share a value and differ in none: the same cluster (split.go). If a unit shares values with
//     two clusters, it is the only selected one of them, else unclear (place.go).
//   - Two clusters differ in a value: two clusters (split.go).
//   - Two clusters have no kind of value in common, and nothing else could be united with either: the same
//     cluster, the innermost folders first (unite.go). If an object that keeps its UID has two, and no object
//     has the same UID in both, they are two clusters, unclear. If there are several candidates, they are
//     separate, unclear.
//   - A unit without identity has an object with the UID that it has in one cluster only: that cluster
//     (place.go).
//   - The unit lies in the folder of one cluster: that cluster (place.go). If an object has another UID
//     there, and is not a single one that was recreated, the unit is a cluster of its own.
//   - There is one selected cluster: that cluster, and unclear if an object has another UID there (place.go).
//   - None of these: unclear if the unit has a CR, or something that could not be read (place.go).
//   - Nothing has an identity: one cluster, and unclear if a Namespace, or else an object that keeps its
//     UID, has two (place.go).
package cluster

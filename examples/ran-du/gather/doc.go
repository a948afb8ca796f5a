// Command gather packs the CRs of examples/ran-du/cluster the way a support archive holds them, so
// that the example has an archive to compare without anybody's cluster in it.
//
// In go the readable CRs, and the surroundings of this folder: pods, services, events and whatever
// else a cluster has and no reference asks for. Out comes must-gather.tar.gz, with the same bytes
// on every run: names are sorted, times are fixed, and what a cluster would make up (uid,
// resourceVersion) is derived from the object's identity.
//
//	go run ./examples/ran-du/gather
//
// It is no collector: it talks to no cluster.
package main

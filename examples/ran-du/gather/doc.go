// Command gather packs the CRs of examples/ran-du/cluster into an archive with the layout of a
// support archive. So the example has an archive to compare that contains no data of a real
// cluster.
//
// Its input is the readable CRs of that folder, and surroundings.yaml with objects that every
// cluster has and no reference states: pods, services, events and others. Its output is
// must-gather.tar.gz, with the same bytes on every run: names are sorted, times are fixed, and the
// values that a cluster would generate (uid, resourceVersion) are derived from the objects.
//
//	go run ./examples/ran-du/gather
//
// It is no collector: it talks to no cluster.
package main

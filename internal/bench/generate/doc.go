// Command generate writes input of any size for benchmarks. The same arguments give the same bytes.
//
//	generate must-gather -out FILE.tar.gz -scale 10    a gathered archive (or a .tar, a .tar.xz, or a folder)
//	generate objects -out DIR -objects 10000           many small objects, one a file, and a reference for them
//	generate large -out DIR -form list.yaml            one large file: list.yaml, list.json or configmap.yaml
//	generate text -out DIR                             one object whose long text differs from the reference
//
// A must-gather contains the CRs of a folder. Its other content follows measurements of real
// archives: the shares of logs, YAML and pages of events in the bytes, the numbers of empty files,
// of empty Lists and of objects of each kind, and how well it compresses. Nothing in it was copied
// from a cluster.
//
// The command decodes and prints YAML with its own code, so that it shares no fault with the tool
// that reads its output.
package main

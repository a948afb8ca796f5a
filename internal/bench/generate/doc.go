// Command generate writes input for benchmarks, of any size, the same bytes for the same arguments.
//
//	generate must-gather -out FILE.tar.gz -scale 10    a gathered archive (or a .tar, a .tar.xz, or a folder)
//	generate objects -out DIR -objects 10000           many small objects, one a file, and a reference for them
//	generate large -out DIR -form list.yaml            one large file: list.yaml, list.json or configmap.yaml
//	generate text -out DIR                             one object whose long text differs from the reference
//
// In go the CRs of a folder, for a must-gather. What it holds besides them follows what was
// measured of real ones: which share of the bytes is logs, YAML and pages of events, how many files
// are empty, how many Lists are, which kinds there are how often, how well it compresses. Nothing
// in it was copied from a cluster.
//
// It decodes and prints YAML on its own, so that it shares no fault with the tool it makes input
// for.
package main

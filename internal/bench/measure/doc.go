// Command measure runs the tool from end to end and prints its costs next to the goals.
//
//	measure -tool bin/validationTool -generate bin/bench/generate -data bin/bench/data
//
// Machines differ, so times are printed as ratios to the time of a yardstick, a command that every
// machine has: `gzip -dc FILE | wc -c` for archives, and for folders `find -name '*.yaml' | xargs
// cat | wc -c`. Tool and yardstick run alternately, in pairs, and the median of the pairs is
// printed. Processor time and peak memory are those that the system counted for the process of the
// tool.
//
// It makes the input with the program generate, and keeps it for the next time. A missed goal is
// not a failure: the exit status says only whether everything could be measured.
package main

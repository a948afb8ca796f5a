// Command measure runs the tool from end to end and prints what that costs beside the goals.
//
//	measure -tool bin/validationTool -generate bin/bench/generate -data bin/bench/data
//
// Machines differ, so times are told as ratios to a yardstick that every machine has: `gzip -dc
// FILE | wc -c` for archives, and for folders `find -name '*.yaml' | xargs cat | wc -c`. Tool and
// yardstick run in turn, one pair after the other, and what is printed is the median of the pairs.
// Processor time and peak memory are those that the system counted for the process of the tool.
//
// It makes the input with the program generate, and keeps it for the next time. The goals are there
// to be looked at: the exit status says only whether everything could be measured.
package main

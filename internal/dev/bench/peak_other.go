//go:build !unix

package main

import "os"

// peakOf returns 0: this system does not report it.
func peakOf(*os.ProcessState) int64 { return 0 }

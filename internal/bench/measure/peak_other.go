//go:build !unix

package main

import "os"

// peak returns 0: this system does not report it.
func peak(*os.ProcessState) int64 { return 0 }

//go:build !unix

package main

import "os"

// moreEndings returns no signals.
func moreEndings() []os.Signal { return nil }

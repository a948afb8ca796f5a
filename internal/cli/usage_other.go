//go:build !unix

package cli

// peak returns 0: this system does not report it.
func peak() uint64 { return 0 }

//go:build !unix

package disk

// nonblocking is not needed: pipes are no files of a folder.
const nonblocking = 0

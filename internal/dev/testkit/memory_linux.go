package testkit

import "syscall"

// memory returns a folder whose files are in memory, if there is one with room for those of tests.
func memory() string {
	const folder, least = "/dev/shm", 4 << 30 // containers may have 64 MB there
	var system syscall.Statfs_t
	if err := syscall.Statfs(folder, &system); err != nil || system.Bavail*uint64(system.Bsize) < least {
		return ""
	}
	return folder
}

//go:build unix

package main

import "syscall"

// freeSpace is how many bytes this user can still write on the disk of a
// directory.
func freeSpace(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}

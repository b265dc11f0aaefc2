package main

import (
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// space is the state of a file system.
type space struct {
	free    uint64 // bytes for other users than root
	noFiles bool   // no inodes are left
	network string // its type, if it is one of a network; else empty
}

// networkTypes are the types of network file systems.
var networkTypes = map[int64]string{
	unix.NFS_SUPER_MAGIC: "NFS", unix.SMB_SUPER_MAGIC: "SMB", unix.SMB2_SUPER_MAGIC: "SMB", unix.CIFS_SUPER_MAGIC: "CIFS",
	unix.V9FS_MAGIC: "9P", unix.AFS_FS_MAGIC: "AFS", unix.CODA_SUPER_MAGIC: "Coda", unix.CEPH_SUPER_MAGIC: "Ceph",
}

// diskSpace returns the state of the file system of a path; ok is false if it is unknown.
func diskSpace(path string) (s space, ok bool) {
	var fs unix.Statfs_t
	if unix.Statfs(path, &fs) != nil {
		return s, false
	}
	return spaceOf(&fs), true
}

func spaceOf(fs *unix.Statfs_t) space {
	return space{
		free:    fs.Bavail * uint64(fs.Bsize),
		noFiles: fs.Files > 0 && fs.Ffree == 0,
		network: networkTypes[int64(uint32(fs.Type))],
	}
}

// ownerOf returns the ID of the user who owns a file.
func ownerOf(info os.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.Itoa(int(s.Uid))
	}
	return ""
}

// writable reports whether this process may write the file or into the directory.
func writable(path string) bool { return unix.Access(path, unix.W_OK) == nil || !exists(path) }

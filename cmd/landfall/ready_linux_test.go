package main

import (
	"syscall"
	"testing"
	"unsafe"
)

// limitFiles limits the file size of the process, like a full disk; 0 removes the
// limit.
func limitFiles(t *testing.T, pid int, bytes uint64) {
	t.Helper()
	limit := syscall.Rlimit{Cur: bytes, Max: ^uint64(0)}
	if bytes == 0 {
		limit.Cur = limit.Max
	}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_FSIZE, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		t.Skipf("no limit can be set: %v", errno)
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	p := serve(t, newDB(t), "--rate-default", "0")
	suffers(t, p, func() { limitFiles(t, p.cmd.Process.Pid, 4096) }, func() { limitFiles(t, p.cmd.Process.Pid, 0) })
	p.stop()
}

package faults

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// The tests below make the files of a running server read-only, as a file system
// does after a disk error.

// The files become read-only and writable again: they are made immutable, which
// also affects open files.
//
// Seen to fail: with a store that keeps its connection after a disk error.
func TestFilesTurnReadOnly(t *testing.T) {
	db := newDB(t)
	s := serve(t, db)
	withoutWrites(t, s, func() (giveBack func()) {
		// Not the shared memory of the log: it is never synced, and readers write
		// to it to register.
		for _, path := range []string{db, db + "-wal"} {
			setImmutable(t, path, true)
			t.Cleanup(func() {
				if _, err := os.Stat(path); err == nil { // a test that ended early
					setImmutable(t, path, false)
				}
			})
		}
		return func() {
			for _, path := range []string{db, db + "-wal"} {
				setImmutable(t, path, false)
			}
		}
	})
	s.stop()
	checkFile(t, db)
}

// An ext4 that has found an error and become read-only (errors=remount-ro). Some
// kernels make it writable again only after an unmount, so the server is stopped
// before.
func TestFileSystemTurnsReadOnly(t *testing.T) {
	dir, fault, again := mountExt4(t)
	db := filepath.Join(dir, "landfall.db")
	s := serve(t, db)
	c := s.client(s.key)
	acked := 0
	for n := range 20 {
		if a, err := c.newParty(fmt.Sprintf("Before %d", n)); err != nil || a.status != http.StatusCreated {
			t.Fatalf("before: %d %s %v", a.status, a.body, err)
		}
		acked++
	}
	if err := os.WriteFile(fault, []byte("1"), 0); err != nil {
		t.Skipf("no error can be made here: %v", err)
	}
	lost := time.Now()
	a, err := c.get("/readyz")
	unready := time.Since(lost)
	if err != nil || a.status != http.StatusServiceUnavailable || unready > 2500*time.Millisecond {
		t.Errorf("/readyz meanwhile: %d %s %v, after %s", a.status, a.body, err, unready)
	}
	for n := range 5 {
		a, err := c.newParty(fmt.Sprintf("Meanwhile %d", n))
		if err != nil || a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
			t.Errorf("a write meanwhile: %d %s, Retry-After: %q, %v", a.status, a.body, a.header.Get("Retry-After"), err)
		}
		parties, err := c.all("/v2/parties")
		if err != nil || len(parties) != acked {
			t.Errorf("%d parties are there meanwhile, %d were acknowledged, %v", len(parties), acked, err)
		}
	}
	s.stop()
	again()
	checkFile(t, db)
	s = serve(t, db)
	parties, err := s.client(c.key).all("/v2/parties")
	if err != nil || len(parties) != acked {
		t.Errorf("%d parties are there afterwards, %d were acknowledged, %v", len(parties), acked, err)
	}
	s.stop()
	t.Logf("/readyz 503 after %s; 5 writes refused, %d acknowledged and read", unready.Round(time.Millisecond), acked)
}

// mountExt4 mounts a small ext4 that becomes read-only on an error, and returns its
// path, and the file that triggers the error. again unmounts and mounts it.
func mountExt4(t *testing.T) (dir, fault string, again func()) {
	t.Helper()
	image := filepath.Join(t.TempDir(), "disk")
	dir = t.TempDir()
	f, err := os.Create(image)
	if err == nil {
		err = errors.Join(f.Truncate(64<<20), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(command ...string) {
		t.Helper()
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Skipf("no file system of our own here: %s: %v %s", command[0], err, out)
		}
	}
	mount := func() { run("mount", "-o", "loop,errors=remount-ro", image, dir) }
	unmount := func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}
	run("mkfs.ext4", "-q", "-F", image)
	mount()
	t.Cleanup(unmount)
	mounts, err := os.ReadFile("/proc/mounts")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mounts)) {
		if fields := strings.Fields(line); fields[1] == dir {
			fault = filepath.Join("/sys/fs/ext4", filepath.Base(fields[0]), "trigger_fs_error")
		}
	}
	return dir, fault, func() { unmount(); mount() }
}

// setImmutable sets the attribute i of a file.
func setImmutable(t *testing.T, path string, to bool) {
	t.Helper()
	const getFlags, setFlags, immutable = 0x80086601, 0x40086602, 0x10
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var flags uint64
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), getFlags, uintptr(unsafe.Pointer(&flags))); errno != 0 {
		t.Skipf("this file system knows no immutable files: %v", errno)
	}
	if flags &^= immutable; to {
		flags |= immutable
	}
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), setFlags, uintptr(unsafe.Pointer(&flags))); errno != 0 {
		t.Skipf("no file can be made immutable here: %v", errno)
	}
}

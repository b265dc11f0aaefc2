//go:build cgo

package sqlite

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/psanford/sqlite3vfs"
)

// disk is a file system in memory that models power cuts: for each file, it knows
// the bytes that are safe, and the writes since the last sync, any of which may be
// lost.
//
// It has no shared memory, so SQLite supports a WAL on it only for one connection
// with an exclusive lock; and no mmap. It makes the same assumptions as SQLite
// about a Linux file system: its sectors, and that a torn write does not damage
// adjacent bytes.
type disk struct {
	name string // of the VFS

	mu  sync.Mutex
	dir map[string]*dirEntry
	ops int // writes, truncations, syncs, creations and deletions so far

	// before is called before each of these, with the lock held; an error is
	// returned to SQLite instead of the operation.
	before func(op string) error
	// deaf makes syncs do nothing: a disk that lies.
	deaf bool
	// readOnly refuses every change. As on Linux, files can be opened for reading
	// then, and a file that was opened so cannot be written later either.
	readOnly bool
}

// diskFile is one file: the bytes that are surely on it, what was written since
// its last sync, and what reads see.
type diskFile struct {
	now, durable []byte
	pending      []change
	holder       *handle // of its lock
}

// dirEntry is a name in the directory. Until the directory is synced, a power cut
// can undo its last change.
type dirEntry struct {
	file *diskFile // nil: deleted
	was  *diskFile // what the disk may still have under this name; nil for nothing
	sure bool      // it surely has file
}

// change is a write or, without data, a truncation to the length of off.
type change struct {
	off  int64
	data []byte
}

func (c change) applyTo(b []byte) []byte {
	end := c.off + int64(len(c.data))
	if c.data == nil && end < int64(len(b)) {
		return b[:end:end]
	}
	if end > int64(len(b)) {
		b = append(b, make([]byte, end-int64(len(b)))...)
	}
	copy(b[c.off:], c.data)
	return b
}

// disks numbers the disks: a VFS cannot be unregistered, so each needs a name.
var disks atomic.Int64

// newDisk makes a disk with an empty file on it, as Open makes one.
func newDisk(t *testing.T, path string) *disk {
	t.Helper()
	d := &disk{name: fmt.Sprintf("disk%d", disks.Add(1)), dir: map[string]*dirEntry{path: {file: &diskFile{}, sure: true}}}
	if err := sqlite3vfs.RegisterVFS(d.name, d); err != nil {
		t.Fatal(err)
	}
	return d
}

// step must be called first in every change of the disk.
func (d *disk) step(op string) error {
	d.ops++
	if d.readOnly {
		return sqlite3vfs.IOErrorWrite
	}
	if d.before != nil {
		return d.before(op)
	}
	return nil
}

// image returns what a power cut now could leave: every change since the last
// sync of a file or of the directory is kept or dropped, and a write may be torn.
func (d *disk) image(r *rand.Rand) map[string][]byte {
	left := map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(d.dir)) {
		e := d.dir[name]
		f := e.file
		if !e.sure && r.IntN(2) == 0 {
			f = e.was
		}
		if f == nil {
			continue
		}
		b := bytes.Clone(f.durable)
		for _, c := range f.pending {
			b = c.torn(b, r)
		}
		left[name] = b
	}
	return left
}

const sector = 512

// torn applies as much of the change as a power cut leaves of it.
func (c change) torn(b []byte, r *rand.Rand) []byte {
	switch r.IntN(5) {
	case 0:
		return b
	case 1: // the first bytes
		if len(c.data) > 0 {
			return change{c.off, c.data[:1+r.IntN(len(c.data))]}.applyTo(b)
		}
	case 2: // some of its sectors, others were not reached
		if len(c.data) > 0 {
			for at := 0; at < len(c.data); at += sector {
				if r.IntN(2) == 0 {
					b = change{c.off + int64(at), c.data[at:min(at+sector, len(c.data))]}.applyTo(b)
				}
			}
			return b
		}
	}
	return c.applyTo(b)
}

// save writes an image into a directory.
func save(image map[string][]byte, dir string) error {
	for name, b := range image {
		if len(b) == 0 {
			continue // a file that Open gave its name has its first page; on this disk it has not
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), b, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// The methods below are sqlite3vfs.VFS.

func (d *disk) Open(name string, flags sqlite3vfs.OpenFlag) (sqlite3vfs.File, sqlite3vfs.OpenFlag, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.file(name)
	if name == "" { // a temporary file of its own
		return &handle{d: d, f: &diskFile{}}, flags, nil
	}
	if f == nil {
		if flags&sqlite3vfs.OpenCreate == 0 {
			return nil, 0, sqlite3vfs.CantOpenError
		}
		if err := d.step("create"); err != nil {
			return nil, 0, err
		}
		f = &diskFile{}
		d.enter(name, f)
	}
	reading := d.readOnly && flags&sqlite3vfs.OpenReadWrite != 0
	if reading {
		flags = flags&^(sqlite3vfs.OpenReadWrite|sqlite3vfs.OpenCreate) | sqlite3vfs.OpenReadOnly
	}
	// As SQLite does on Linux: with the first sync of a journal or WAL that it
	// may have created it syncs the directory. (It does not when it has deleted
	// one.)
	const journals = sqlite3vfs.OpenMainJournal | sqlite3vfs.OpenSuperJournal | sqlite3vfs.OpenWAL
	return &handle{d: d, f: f, reading: reading, dirToo: flags&sqlite3vfs.OpenCreate != 0 && flags&journals != 0}, flags, nil
}

func (d *disk) Delete(name string, dirSync bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.file(name) == nil {
		return sqlite3vfs.NotFoundError
	}
	if err := d.step("delete"); err != nil {
		return err
	}
	d.enter(name, nil)
	if dirSync {
		d.syncDir()
	}
	return nil
}

// file is what programs see under a name; nil for nothing.
func (d *disk) file(name string) *diskFile {
	if e := d.dir[name]; e != nil {
		return e.file
	}
	return nil
}

// enter changes what a name stands for. What the disk surely had before may
// come back until the directory is synced.
func (d *disk) enter(name string, f *diskFile) {
	e := d.dir[name]
	if e == nil {
		e = &dirEntry{}
		d.dir[name] = e
	}
	if e.sure {
		e.was = e.file
	}
	e.file, e.sure = f, false
}

func (d *disk) syncDir() {
	if d.deaf {
		return
	}
	for name, e := range d.dir {
		if e.was, e.sure = nil, true; e.file == nil {
			delete(d.dir, name)
		}
	}
}

func (d *disk) Access(name string, _ sqlite3vfs.AccessFlag) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.file(name) != nil, nil
}

func (d *disk) FullPathname(name string) string { return name }

// handle is an open file.
type handle struct {
	d       *disk
	f       *diskFile
	reading bool // it was opened on a read-only disk
	dirToo  bool // its next sync syncs the directory, too
}

func (h *handle) Close() error { return h.Unlock(sqlite3vfs.LockNone) }

func (h *handle) ReadAt(p []byte, off int64) (int, error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if off >= int64(len(h.f.now)) {
		return 0, io.EOF
	}
	n := copy(p, h.f.now[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (h *handle) WriteAt(p []byte, off int64) (int, error) {
	if err := h.change("write", change{off, bytes.Clone(p)}); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (h *handle) Truncate(size int64) error { return h.change("truncate", change{off: size}) }

func (h *handle) change(op string, c change) error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if h.reading {
		return sqlite3vfs.IOErrorWrite
	}
	// Noted before the step, so that a cut at this operation may tear it.
	pending := len(h.f.pending)
	h.f.pending = append(h.f.pending, c)
	if err := h.d.step(op); err != nil {
		h.f.pending = h.f.pending[:pending]
		return err
	}
	h.f.now = c.applyTo(h.f.now)
	return nil
}

func (h *handle) Sync(sqlite3vfs.SyncType) error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if err := h.d.step("sync"); err != nil || h.d.deaf {
		return err
	}
	for _, c := range h.f.pending {
		h.f.durable = c.applyTo(h.f.durable)
	}
	h.f.pending = nil
	if h.dirToo {
		h.d.syncDir()
		h.dirToo = false
	}
	return nil
}

func (h *handle) FileSize() (int64, error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	return int64(len(h.f.now)), nil
}

// Lock gives the file to one connection alone, whatever lock it asks for.
func (h *handle) Lock(sqlite3vfs.LockType) error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if h.f.holder != nil && h.f.holder != h {
		return sqlite3vfs.BusyError
	}
	h.f.holder = h
	return nil
}

func (h *handle) Unlock(to sqlite3vfs.LockType) error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if to == sqlite3vfs.LockNone && h.f.holder == h {
		h.f.holder = nil
	}
	return nil
}

// CheckReservedLock says "locked": sqlite3vfs hands SQLite the opposite.
func (h *handle) CheckReservedLock() (bool, error) { return true, nil }

func (h *handle) SectorSize() int64 { return 4096 }

func (h *handle) DeviceCharacteristics() sqlite3vfs.DeviceCharacteristic {
	return sqlite3vfs.IocapPowersafeOverwrite
}

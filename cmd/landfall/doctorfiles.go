package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/blob/s3"
)

// checkFiles checks modes and owners.
func (d *doctor) checkFiles() {
	const check = "files"
	if err := checkPermissions(d.db); err != nil {
		d.found(check, "serve does not start until then", "%v", err)
	}
	path := resolved(d.db)
	directory := filepath.Dir(path)
	owner := ""
	for _, name := range []string{path, path + "-wal", path + "-shm", path + ".key", path + ".lock", d.blobsDirectory()} {
		info, ok := modeOf(name)
		if !ok {
			continue
		}
		if mode := info.Mode().Perm(); mode&0o055 != 0 && runtime.GOOS != "windows" && name != path+".key" { // that of the key is refused by serve, with its own words
			d.found(check, fmt.Sprintf("run chmod go-rwx %s", name), "%s can be read by other users (mode %04o)", name, mode)
		}
		if of := ownerOf(info); owner == "" {
			owner = of
		} else if of != owner {
			d.found(check, "give all files to the user of the server (chown)", "%s belongs to user %s, and the database to %s", name, of, owner)
		}
		if !writable(name) {
			d.found(check, "run this command and the server as the owner of the files", "%s cannot be written by this user", name)
		}
	}
	if !writable(directory) {
		d.found(check, "SQLite makes files next to the database: let the user of the server write there", "the directory %s cannot be written", directory)
	}
	if blobsMustExist(d.documents.blobs) != nil && exists(path) {
		d.found(check, "set --blobs to the directory of the documents: serve would make an empty one", "the directory of documents %s is missing", d.documents.blobs)
	}
	d.fine(check, "modes and owners are right in %s", directory)
}

// blobsDirectory is the directory of the documents; empty if they are in a bucket.
func (d *doctor) blobsDirectory() string {
	if s3.IsURL(d.documents.blobs) {
		return ""
	}
	return cmp.Or(d.documents.blobs, defaultBlobs(d.db))
}

// checkBucket opens the bucket of the documents as serve does, if they are in one.
func (d *doctor) checkBucket(ctx context.Context) {
	const check = "bucket"
	if !s3.IsURL(d.documents.blobs) || checkBlobs(d.documents.blobs) != nil { // which is found in the settings
		return
	}
	_, closeBlobs, err := openBlobs(ctx, d.documents.blobs, d.db)
	if err != nil {
		d.found(check, "serve does not start until then", "%v", err)
		return
	}
	_ = closeBlobs() // nothing is open
	d.fine(check, "objects were listed, written and deleted")
}

// resolved follows symbolic links, as the database does.
func resolved(db string) string {
	if path, err := filepath.EvalSymlinks(db); err == nil {
		return path
	}
	return db
}

// directories are those that the server writes to.
func (d *doctor) directories() []string {
	list := []string{filepath.Dir(resolved(d.db))}
	if d.documents.blobs != "" && exists(d.documents.blobs) {
		list = append(list, d.documents.blobs)
	}
	return list
}

// checkDisk checks free space, and that files can be written, synced and dated.
func (d *doctor) checkDisk() {
	const check = "disk"
	for _, directory := range d.directories() {
		if !exists(directory) {
			d.found(check, "create it, for the user of the server alone", "there is no directory %s", directory)
			continue
		}
		if space, ok := diskSpace(directory); ok {
			if space.free < uint64(d.free) {
				d.found(check, "free some, or move the files to a larger disk", "%s has %s of free space, less than %s (--free)", directory, formatSize(space.free), &d.free)
			}
			if space.noFiles {
				d.found(check, "remove files, or make a file system with more inodes", "%s has no inodes left for new files", directory)
			}
			if space.network != "" {
				d.found(check, "move the database to a local disk: locks and shared memory of SQLite do not work there", "%s is on a network file system (%s)", directory, space.network)
			}
		}
		ahead, err := tryDisk(directory)
		if err != nil {
			d.found(check, "repair the disk, or its rights: serve must write there", "a file in %s cannot be written and synced: %v", directory, err)
		} else if ahead.Abs() > 10*time.Second {
			d.found("clock", "synchronize the clocks (NTP)", "files in %s get times that differ by %s from the clock of this machine", directory, ahead.Round(time.Second))
		}
	}
	d.fine(check, "written and synced, and enough space is free")
}

// tryDisk writes a file and removes it, and returns by how much its time is ahead of the
// clock.
func tryDisk(directory string) (ahead time.Duration, err error) {
	file, err := os.CreateTemp(directory, ".landfall-doctor-*")
	if err != nil {
		return 0, cause(err)
	}
	defer func() {
		file.Close()
		if fault := os.Remove(file.Name()); err == nil {
			err = fault
		}
	}()
	if _, err = file.Write(make([]byte, 4096)); err == nil {
		err = file.Sync()
	}
	if err != nil {
		return 0, cause(err)
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return time.Until(info.ModTime()), syncDirectory(directory)
}

const (
	// leftoverAge is the age from which an unfinished file is left over.
	leftoverAge = time.Hour
	// uploadAge is the age from which an unfinished upload is: the server removes it
	// before.
	uploadAge = 72 * time.Hour
)

// checkLeftovers reports files that killed processes have left.
func (d *doctor) checkLeftovers() {
	const check = "leftovers"
	path := resolved(d.db)
	var old []string
	look := func(age time.Duration, patterns ...string) {
		for _, pattern := range patterns {
			names, _ := filepath.Glob(pattern) // a path with a bad pattern has none
			for _, name := range names {
				if info, ok := modeOf(name); ok && time.Since(info.ModTime()) > age {
					old = append(old, name)
				}
			}
		}
	}
	look(leftoverAge, path+".new*", path+".key.new-*", filepath.Join(filepath.Dir(path), "*.partial*"), filepath.Join(filepath.Dir(path), ".landfall-doctor-*"))
	if d.backups != "" {
		look(leftoverAge, filepath.Join(d.backups, "*.partial*"))
	}
	if blobs := d.blobsDirectory(); blobs != "" {
		look(uploadAge, filepath.Join(blobs, "incoming", "*"))
	}
	if info, ok := modeOf(path + "-journal"); ok && info.Size() > 0 {
		old = append(old, path+"-journal")
	}
	slices.Sort(old)
	if len(old) > 0 {
		shown := old[:min(len(old), 5)]
		d.found(check, "remove what no running command is writing", "%d unfinished files were left: %s", len(old), strings.Join(shown, ", "))
	}
	d.fine(check, "none")
}

// checkBackups checks the age of the newest backup.
func (d *doctor) checkBackups() {
	const check = "backups"
	if d.backups == "" {
		d.skip(check, "name the directory with --backup-dir or --backups")
		return
	}
	entries, err := os.ReadDir(d.backups)
	if err != nil {
		d.found(check, "set --backups to the directory of the backups", "%v", err)
		return
	}
	var newest time.Time
	name := ""
	for _, e := range entries {
		path := filepath.Join(d.backups, e.Name())
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().After(newest) && isSQLite(path) && !strings.Contains(e.Name(), ".partial") {
			newest, name = info.ModTime(), path
		}
	}
	switch age := time.Since(newest); {
	case name == "":
		d.found(check, "run landfall backup, and do so each day", "there is no backup in %s", d.backups)
	case age > d.backupAge:
		d.found(check, "look why the backups have ended, and run landfall backup", "the newest backup, %s, is %s old, more than %s (--backup-age)", name, age.Round(time.Minute), d.backupAge)
	default:
		d.fine(check, "the newest is %s, %s old", name, age.Round(time.Minute))
	}
}

// isSQLite reports whether a file begins as one of SQLite.
func isSQLite(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, 16)
	n, _ := file.Read(head)
	return string(head[:n]) == "SQLite format 3\x00"
}

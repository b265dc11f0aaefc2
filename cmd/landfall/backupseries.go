package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/landfallhq/tracking/storage"
)

// backupTime is the time in the names of backups, in UTC.
const backupTime = "20060102T150405Z"

// datedBackup is the name of a backup in a series.
var datedBackup = regexp.MustCompile(`^.+-(\d{8}T\d{6}Z)\.db$`)

// backupSeries are the backups of one database in one directory: NAME-TIME.db with
// NAME-TIME-documents.
type backupSeries struct {
	dir       string
	db, blobs string
	keep      int // how many stay
}

// name is that of the database, without directory and extension.
func (s *backupSeries) name() string {
	return strings.TrimSuffix(filepath.Base(s.db), filepath.Ext(s.db))
}

// add makes a backup, and removes what was interrupted and all but the newest.
func (s *backupSeries) add(ctx context.Context, from backer, now time.Time) (path string, documents *documentCopy, removed []string, err error) {
	if info, err := os.Stat(s.dir); err != nil || !info.IsDir() {
		return "", nil, nil, fmt.Errorf("the directory of backups: there is no directory %s: create it", s.dir)
	}
	unlock, err := storage.LockServer(filepath.Join(s.dir, s.name()+"-backups"))
	if err != nil {
		return "", nil, nil, fmt.Errorf("another backup to %s may be under way: %w", s.dir, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := s.removeInterrupted(); err != nil {
		return "", nil, nil, err
	}
	path = filepath.Join(s.dir, s.name()+"-"+now.UTC().Format(backupTime)+".db")
	if documents, err = backUp(ctx, from, s.blobs, path); err != nil {
		return "", nil, nil, err
	}
	removed, err = s.removeOld()
	return path, documents, removed, err
}

// complete returns the complete backups, oldest first.
func (s *backupSeries) complete() (paths []string, err error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		m := datedBackup.FindStringSubmatch(e.Name())
		if m != nil && e.Name() == s.name()+"-"+m[1]+".db" && e.Type().IsRegular() {
			paths = append(paths, filepath.Join(s.dir, e.Name()))
		}
	}
	return paths, nil // the names sort by time
}

// last is the time of the newest backup; zero for none.
func (s *backupSeries) last() (time.Time, error) {
	paths, err := s.complete()
	if err != nil || len(paths) == 0 {
		return time.Time{}, err
	}
	return timeOfBackup(paths[len(paths)-1])
}

func timeOfBackup(path string) (time.Time, error) {
	return time.Parse(backupTime, datedBackup.FindStringSubmatch(filepath.Base(path))[1])
}

// removeInterrupted removes what a killed backup has left: everything that is partial,
// and documents without their database, which gets its name last and is removed first.
func (s *backupSeries) removeInterrupted() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	part := regexp.MustCompile(`^` + regexp.QuoteMeta(s.name()) + `-\d{8}T\d{6}Z(\.db|-documents)(\.partial.*)?$`)
	for _, e := range entries {
		m := part.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		path := filepath.Join(s.dir, e.Name())
		withoutDatabase := m[1] == "-documents" && !exists(strings.TrimSuffix(path, "-documents")+".db")
		if m[2] != "" || withoutDatabase {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeOld removes all but the newest backups, and returns their paths.
func (s *backupSeries) removeOld() (removed []string, err error) {
	paths, err := s.complete()
	if err != nil {
		return nil, err
	}
	for len(paths) > s.keep {
		if err := errors.Join(os.Remove(paths[0]), os.RemoveAll(defaultBlobs(paths[0]))); err != nil {
			return removed, err
		}
		removed, paths = append(removed, paths[0]), paths[1:]
	}
	return removed, nil
}

// newestBackup returns the newest backup in a directory.
func newestBackup(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var newest, at, name string
	for _, e := range entries {
		m := datedBackup.FindStringSubmatch(e.Name())
		if m == nil || !e.Type().IsRegular() {
			continue
		}
		series := strings.TrimSuffix(e.Name(), m[1]+".db")
		if name != "" && series != name {
			return "", fmt.Errorf("%s has backups of several databases: name the file", dir)
		}
		if name = series; m[1] > at {
			newest, at = e.Name(), m[1]
		}
	}
	if newest == "" {
		return "", fmt.Errorf("%s has no backup named NAME-TIME.db: name the file", dir)
	}
	return filepath.Join(dir, newest), nil
}

// backupSettings are the backups that a server makes by itself.
type backupSettings struct {
	dir   string
	every time.Duration
	keep  int
}

func (s *backupSettings) declare(f *flags) {
	f.StringVar(&s.dir, "backup-dir", "", "`DIRECTORY` to make backups in, on another disk; empty for none")
	f.DurationVar(&s.every, "backup-every", 24*time.Hour, "`DURATION` between two backups")
	f.IntVar(&s.keep, "backup-keep", 7, "`N` newest backups to keep")
}

func (s *backupSettings) check(db string) error {
	switch {
	case s.every < time.Second:
		return usageErrorf("--backup-every: %s is less than a second", s.every)
	case s.keep < 1:
		return usageErrorf("--backup-keep: %d is not a number of backups from 1", s.keep)
	case s.dir == "":
		return nil
	case !isFile(db):
		return usageErrorf("--backup-dir: the database %s is no file", shown(db))
	}
	if info, err := os.Stat(s.dir); err != nil || !info.IsDir() {
		return fmt.Errorf("--backup-dir: there is no directory %s", s.dir)
	}
	return nil
}

// retryBackup is how long after a failure the next backup is tried, at most.
const retryBackup = 15 * time.Minute

// run makes backups until ctx ends: the first one when the newest in the directory is
// old enough.
func (s *backupSettings) run(ctx context.Context, from backer, db, blobs string, log *slog.Logger) {
	series := &backupSeries{dir: s.dir, db: db, blobs: blobs, keep: s.keep}
	var next time.Time
	if last, err := series.last(); err == nil && !last.IsZero() && last.Before(time.Now()) {
		next = last.Add(s.every)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(next)):
		}
		begun := time.Now()
		next = begun.Add(s.every)
		path, documents, removed, err := series.add(ctx, from, begun)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			next = begun.Add(min(s.every, retryBackup))
			log.Error("the backup failed", "directory", s.dir, "error", oneLine(err.Error()), "next", next.UTC().Truncate(time.Second))
		default:
			files := 0
			if documents != nil {
				files = documents.count
			}
			log.Info("backup made", "path", path, "files", files, "took", time.Since(begun).Round(time.Millisecond), "removed", len(removed))
		}
	}
}

// start runs the backups in the background, if there are to be any. wait waits for
// their end.
func (s *backupSettings) start(ctx context.Context, store any, db, blobs string, log *slog.Logger) (wait func()) {
	from, ok := store.(backer)
	if s.dir == "" || !ok {
		return func() {}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.run(ctx, from, db, blobs, log)
	}()
	return func() { <-ended }
}

package faults

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage/sqlite"
)

// newDB returns the path for a new database.
func newDB(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "landfall.db")
}

// checkFile checks a copy of a closed database: the file itself stays as the crash
// left it, for the server to recover.
func checkFile(t *testing.T, path string) {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "copy.db")
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + suffix)
		if errors.Is(err, fs.ErrNotExist) && suffix != "" {
			continue
		}
		if err == nil {
			err = os.WriteFile(copied+suffix, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := integrity(copied, blobsOf(path)); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// integrity runs SQLite's check of a file, and then ours, with the files of its documents
// if there are any.
func integrity(path, blobs string) error {
	if err := sqliteCheck(path); err != nil {
		return err
	}
	args := []string{"check", "--db", path}
	if _, err := os.Stat(blobs); err == nil {
		args = append(args, "--blobs", blobs)
	}
	if out, err := landfall(args...); err != nil {
		return fmt.Errorf("landfall check: %w: %s", err, out)
	}
	return nil
}

func sqliteCheck(path string) (err error) {
	db, err := sql.Open("sqlite3", fileURL(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var text string
	if err := db.QueryRow("PRAGMA integrity_check(1)").Scan(&text); err != nil || text != "ok" {
		return fmt.Errorf("integrity check: %q, %w", text, err)
	}
	return nil
}

// holdWriteLock is a process that holds the write lock of a database until its
// standard input ends. It writes one byte when it has the lock.
func holdWriteLock() error {
	db, err := sql.Open("sqlite3", fileURL(os.Getenv("LANDFALL_FAULTS_DB"))+"&_txlock=immediate")
	if err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	fmt.Print("!")
	_, err = os.Stdin.Read(make([]byte, 1))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, tx.Rollback(), db.Close())
}

// letTimePass moves due times and leases in a database into the past, as if time
// had passed.
func letTimePass(t *testing.T, path string, d time.Duration) {
	t.Helper()
	db, err := sql.Open("sqlite3", fileURL(path)+"&_busy_timeout=10000")
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("UPDATE jobs SET due = due - ?1, until = until - ?1", d.Microseconds())
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// trackerOn opens the engine on a database without a server, for what the API does
// not show.
func trackerOn(t *testing.T, path string) *tracking.Tracker {
	t.Helper()
	store, err := sqlite.Open(path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	operator, err := tracking.New(tracking.Config{Store: store, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(errors.Join(err, store.Close()))
	}
	t.Cleanup(func() { operator.Close() })
	account, _, err := operator.EnsureAccount(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	return operator.For(tracking.Actor{Account: account.Scope()})
}

// fileURL is the data source name of an existing file.
func fileURL(path string) string {
	return (&url.URL{Scheme: "file", Path: path, OmitHost: true, RawQuery: "mode=rw"}).String()
}

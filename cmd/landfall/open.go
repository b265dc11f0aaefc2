package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage"
)

// isFile reports whether what --db says is a file, and not the address of a
// store elsewhere or in memory.
func isFile(db string) bool {
	return !strings.HasPrefix(db, "memory:") && !strings.Contains(db, "://")
}

// openStore opens the database, and makes it when it is new.
func openStore(db string) (tracking.Store, error) {
	if err := checkPlace(db); err != nil {
		return nil, err
	}
	return storage.Open(db)
}

// openServed is openStore for a server. It takes the server's lock first: a
// second server must not even bring the schema up to date.
func openServed(db string, o storage.Options) (store tracking.Store, unlock func() error, err error) {
	if err := checkPlace(db); err != nil {
		return nil, nil, err
	}
	if unlock, err = storage.LockServer(db); err != nil {
		return nil, nil, err
	}
	o.EndLeases = true // another server's, which is gone
	if store, err = storage.OpenWith(db, o); err != nil {
		return nil, nil, errors.Join(err, unlock())
	}
	return store, unlock, nil
}

// checkPlace refuses a place for the database where everybody may write:
// whoever can replace the file can give himself any key.
func checkPlace(db string) error {
	if !isFile(db) || runtime.GOOS == "windows" { // there the mode does not say who may write
		return nil
	}
	// Where a link leads counts, not where it stands. What leads nowhere is
	// refused in the store's words.
	path, err := filepath.EvalSymlinks(db)
	if err != nil {
		path = db
	}
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("the directory of the database: %w", err)
	}
	if mode := info.Mode(); mode.Perm()&0o002 != 0 && mode&fs.ModeSticky == 0 {
		return fmt.Errorf("the directory of the database, %s, can be written by everybody: chmod o-w it", dir)
	}
	if info, err = os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o002 != 0 {
		return fmt.Errorf("the database %s can be written by everybody: chmod o-w it", path)
	}
	return nil
}

// mustExist keeps a slip in --db from making a new, empty database where the
// command only makes sense on one that is there.
func mustExist(db string) error {
	if !isFile(db) {
		return nil
	}
	if _, err := os.Stat(db); err != nil {
		return fmt.Errorf("there is no database %s (%w): --db says where it is", db, errors.Unwrap(err))
	}
	return nil
}

// onDatabase runs fn with the engine on a database, which is made when new.
func onDatabase(p *program, db string, fn func(*tracking.Tracker) error) error {
	store, err := openStore(db)
	if err != nil {
		return err
	}
	tr, err := tracking.New(tracking.Config{Store: store, Logger: newLogger(p)})
	if err != nil {
		return errors.Join(err, store.Close())
	}
	return errors.Join(fn(tr), tr.Close())
}

// onExisting is onDatabase for commands that have nothing to do in a new one.
func onExisting(p *program, db string, fn func(*tracking.Tracker) error) error {
	if err := mustExist(db); err != nil {
		return err
	}
	return onDatabase(p, db, fn)
}

// newLogger writes to standard error, as text.
func newLogger(p *program) *slog.Logger {
	return slog.New(slog.NewTextHandler(p.stderr, nil))
}

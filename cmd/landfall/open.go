package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/storage"
	_ "github.com/landfallhq/tracking/storage/postgres" // for --db postgres://...
)

// isFile reports whether --db names a file, and not a store in memory or elsewhere.
func isFile(db string) bool {
	return !strings.HasPrefix(db, "memory:") && !strings.Contains(db, "://")
}

// isMemory reports whether --db names a store in memory, which ends with the process.
func isMemory(db string) bool { return strings.HasPrefix(db, "memory:") }

// shown returns --db for messages: without the password of a URL.
func shown(db string) string {
	if isFile(db) || isMemory(db) {
		return db
	}
	u, err := url.Parse(db)
	if err != nil {
		return "the database"
	}
	query := u.Query()
	query.Del("password")
	u.RawQuery = query.Encode()
	return u.Redacted()
}

// needFile refuses a database that is not a file, for commands that need one.
func needFile(command, db, instead string) error {
	if storage.IsPostgres(db) {
		return fmt.Errorf("%s works on an SQLite file, and --db names a PostgreSQL database: %s", command, instead)
	}
	return nil
}

// openStore opens the database, and creates it if there is none.
func (p *program) openStore(db string) (tracking.Store, error) {
	if err := errors.Join(checkPermissions(db), p.checkPresence(db)); err != nil {
		return nil, err
	}
	opened, err := storage.Open(db)
	if err != nil {
		return nil, err
	}
	if err := closeUnless(checkMoved(opened, db), opened); err != nil {
		return nil, err
	}
	return opened, nil
}

// closeUnless closes a store if there is an error, which it returns.
func closeUnless(err error, s tracking.Store) error {
	if err != nil {
		err = errors.Join(err, s.Close())
	}
	return err
}

// openForServer is openStore for a server. It takes the server's lock first: a second
// server must not even migrate the schema.
func (p *program) openForServer(db string, o storage.Options) (store tracking.Store, unlock func() error, err error) {
	if err := errors.Join(checkPermissions(db), p.checkPresence(db)); err != nil {
		return nil, nil, err
	}
	if unlock, err = storage.LockServer(db); err != nil {
		return nil, nil, err
	}
	o.EndLeases = true // those of an earlier server, since this one has the lock
	store, err = storage.OpenWith(db, o)
	if err == nil {
		err = closeUnless(checkMoved(store, db), store)
	}
	if err != nil {
		return nil, nil, errors.Join(err, unlock())
	}
	return store, unlock, nil
}

// checkPermissions refuses a database that everybody can write to, or replace in its
// directory: they could give themselves any key.
func checkPermissions(db string) error {
	if !isFile(db) || runtime.GOOS == "windows" { // the mode does not say who may write there
		return nil
	}
	// The target of a link counts, not the link. A dangling link is refused by the
	// store.
	path, err := filepath.EvalSymlinks(db)
	if err != nil {
		path = db
	}
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("the directory %s of the database: %w: create it, or set --db to another path", dir, cause(err))
	}
	if mode := info.Mode(); mode.Perm()&0o002 != 0 && mode&fs.ModeSticky == 0 {
		return fmt.Errorf("the directory of the database, %s, is writable by everybody: run chmod o-w on it", dir)
	}
	if info, err = os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o002 != 0 {
		return fmt.Errorf("the database %s is writable by everybody: run chmod o-w on it", path)
	}
	return nil
}

// checkPresence refuses to begin a new database where one has been lost: its key file is
// still there. A key in the environment may begin one.
func (p *program) checkPresence(db string) error {
	if !isFile(db) {
		return nil
	}
	if err := checkRestored(db); err != nil || exists(db) {
		return err
	}
	if _, set := p.lookupenv(masterKeyVariable); set {
		return nil
	}
	return missingBesideKey(db)
}

// missingBesideKey is the error for a database that is missing while its key file is
// there; nil if that is not there.
func missingBesideKey(db string) error {
	key := keyFile(db)
	if !exists(key) {
		return nil
	}
	return fmt.Errorf("the database %s is missing, and its master key %s is there: put the database back, or restore a backup with landfall restore; to begin a new database, move the key away", db, key)
}

// mustExist prevents a typo in --db from creating a new, empty database in commands
// that need an existing one.
func mustExist(db string) error {
	if !isFile(db) {
		return nil
	}
	if _, err := os.Stat(db); err != nil {
		if err := checkRestored(db); err != nil {
			return err
		}
		if lost := missingBesideKey(db); lost != nil {
			return lost
		}
		return fmt.Errorf("there is no database %s (%w): set --db to its path", db, errors.Unwrap(err))
	}
	return nil
}

// onDatabase runs fn with the engine on a database, which is created if there is
// none.
func onDatabase(p *program, db string, fn func(*tracking.Tracker) error) error {
	return p.onStore(db, tracking.Config{}, fn)
}

// onDatabaseOf is onDatabase for commands that accept the same shipping lines as the
// server.
func onDatabaseOf(p *program, db string, lines tracking.Sources, fn func(*tracking.Tracker) error) error {
	return p.onStore(db, tracking.Config{Sources: lines}, fn)
}

// onStore is onDatabase with a configuration, whose store and logger it sets.
func (p *program) onStore(db string, config tracking.Config, fn func(*tracking.Tracker) error) error {
	store, err := p.openStore(db)
	if err != nil {
		return err
	}
	config.Store, config.Logger = store, newLogger(p)
	tr, err := tracking.New(config)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	return errors.Join(fn(tr), tr.Close())
}

// onExistingDatabase is onDatabase for commands that need an existing database.
func onExistingDatabase(p *program, db string, fn func(*tracking.Tracker) error) error {
	if err := mustExist(db); err != nil {
		return err
	}
	return onDatabase(p, db, fn)
}

// newLogger returns a logger that writes text to standard error.
func newLogger(p *program) *slog.Logger {
	return slog.New(slog.NewTextHandler(p.stderr, nil))
}

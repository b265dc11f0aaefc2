//go:build cgo

package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/landfallhq/tracking/store"
)

var errOpenForReading = fmt.Errorf("sqlite: the file is open for reading alone: %w", store.ErrReadOnly)

// readOnlyParameter is the parameter of SQLite that keeps a connection in mode ro from
// writing anything. Without a WAL, the connection would create one, with its shared
// memory: immutable prevents that. With a WAL, the connection reads it through the
// shared memory of the others, or through its own if there are none.
func readOnlyParameter(file string) string {
	if _, err := os.Stat(file + "-wal"); err == nil {
		return "readonly_shm"
	}
	return "immutable"
}

// openReadOnly is Open with ReadOnly.
func openReadOnly(path string, opts Options) (*Store, error) {
	file, err := filepath.EvalSymlinks(path)
	if err == nil {
		file, err = filepath.Abs(file)
	}
	if err != nil {
		return nil, err
	}
	switch info, err := os.Stat(file); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	opts = opts.withDefaults()
	if err := checkSchema(file, opts); err != nil {
		return nil, err
	}
	s := &Store{path: path, file: file, opts: opts, readers: newReaders(opts.Readers), closed: make(chan struct{})}
	s.log.wake, s.log.ended = make(chan struct{}, 1), make(chan struct{})
	close(s.log.ended)
	s.tables.Store(&map[string]*table{})
	// All now, since each looks whether there is a WAL; see readOnlyParameter.
	for range opts.Readers {
		r, err := s.connect(true)
		if err != nil {
			s.closeAll()
			return nil, err
		}
		s.readers.give(r)
	}
	return s, nil
}

// checkSchema returns an error if Open would refuse the file, or upgrade it.
func checkSchema(file string, opts Options) (err error) {
	steps, err := readMigrations(migrationFiles)
	if err != nil {
		return err
	}
	db, err := openSchema(file, opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var applied []appliedMigration
	oldest := int64(0)
	if err := readSchema(db, &applied, &oldest); err != nil {
		return err
	}
	if err := compareMigrations(applied, steps, oldest); err != nil {
		return err
	}
	if len(applied) < len(steps) {
		return fmt.Errorf("the file has schema %d and must be upgraded to %d: %w", len(applied), len(steps), store.ErrReadOnly)
	}
	return nil
}

// readSchema reads the steps that the file has, in a transaction that writes nothing.
func readSchema(db *sqlx.DB, applied *[]appliedMigration, oldest *int64) error {
	tx, err := db.Beginx()
	if err != nil {
		return wrap(err)
	}
	defer tx.Rollback() // it has written nothing
	if err := refuseForeign(tx); err != nil {
		return err
	}
	tables := 0
	if err := tx.Get(&tables, "SELECT count(*) FROM sqlite_schema"); err != nil || tables == 0 { // empty
		return wrap(err)
	}
	if err := tx.Select(applied, "SELECT * FROM schema_migrations ORDER BY version"); err != nil {
		return wrap(err)
	}
	*oldest, err = readOldestSchema(tx, *applied)
	return err
}

// prepareReadOnly is Prepare with ReadOnly.
func (s *Store) prepareReadOnly(ctx context.Context, kinds []*store.Kind, tables map[string]*table) error {
	c, err := s.acquireReader(ctx)
	if err != nil {
		return err
	}
	defer s.releaseReader(c)
	for _, k := range kinds {
		t, newer, err := tableAsItIs(c, k)
		if err != nil {
			return fmt.Errorf("prepare kind %s: %w", k.Name, err)
		}
		if newer {
			s.newer = append(s.newer, k.Name)
		}
		t.prepareReads(false)
		tables[k.Name] = t
	}
	s.tables.Store(&tables)
	return nil
}

// tableAsItIs returns the table of a kind if it can be read as it is.
func tableAsItIs(c *conn, k *store.Kind) (t *table, newer bool, err error) {
	rec, err := recordedKind(c, k)
	if err != nil {
		return nil, false, err
	}
	if rec.isLaterThan(k) {
		t, err = rec.tableOfOlder(k)
		return t, true, err
	}
	declared, err := json.Marshal(store.WithoutHints(k.Columns))
	if err != nil {
		return nil, false, err
	}
	if rec.no == 0 || rec.columns != string(declared) {
		return nil, false, fmt.Errorf("an earlier program has prepared it, and it must be upgraded: %w", store.ErrReadOnly)
	}
	if t = newTable(rec.no, k); rec.kept != t.keptSettings() {
		t.counted, t.facets = nil, nil // the totals and the facet index may be others
	}
	return t, false, nil
}

// Newer returns the kinds that a newer program has prepared. It is for a store that is
// open with ReadOnly, after Prepare.
func (s *Store) Newer() []string { return s.newer }

// lockRetry is after which time lockServer tries again: ServerRunning holds the lock for
// a moment.
const lockRetry = 20 * time.Millisecond

// ServerRunning reports whether a server has the database at path open. It creates no
// file, and keeps no server from starting.
func ServerRunning(path string) (bool, error) {
	file, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false, err
	}
	f, err := os.Open(file + ".lock")
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	err = lockFileShared(f)
	if errors.Is(err, errLocked) {
		return true, nil
	}
	return false, err
}

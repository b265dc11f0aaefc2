//go:build cgo

package sqlite

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// schema is the number of the last migration of this program.
var schema = func() int64 {
	names, _ := fs.Glob(migrationFiles, "migrations/*.sql") // the pattern is valid
	return int64(len(names))
}()

// migration is one numbered step of the schema.
type migration struct {
	version  int64
	name     string
	sql      string
	checksum string // SHA-256 of sql
	oldest   int64  // the oldest schema whose programs can use a file with this step
}

// appliedMigration is a step as recorded in the file.
type appliedMigration struct {
	Version   int64  `db:"version"`
	Name      string `db:"name"`
	Checksum  string `db:"sha256"`
	AppliedAt string `db:"applied_at"`
}

// readMigrations reads the steps in order. They are numbered from 1 without a gap:
// 0001_base.sql.
func readMigrations(fsys fs.FS) ([]migration, error) {
	names, err := fs.Glob(fsys, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var steps []migration
	for i, name := range names { // Glob sorts
		sql, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		base := path.Base(name)
		digits, _, _ := strings.Cut(base, "_")
		version, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || version != int64(i)+1 {
			return nil, fmt.Errorf("migration %s: its number should be %04d", base, i+1)
		}
		sum := sha256.Sum256(sql)
		steps = append(steps, migration{version, base, string(sql), hex.EncodeToString(sum[:]), oldestSchema(string(sql), version)})
	}
	return steps, nil
}

// oldestSchema reads the first line of a step, "-- oldest: 5": programs of that schema
// and later ones can use a file that has the step. Without it they cannot.
func oldestSchema(sql string, version int64) int64 {
	line, _, _ := strings.Cut(sql, "\n")
	if text, ok := strings.CutPrefix(line, "-- oldest: "); ok {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && n < version {
			return n
		}
	}
	return version
}

// migrate brings the schema of the file up to date. It uses sqlx and a connection
// of its own, because speed does not matter here. The store's connections are
// opened afterwards.
func migrate(path string, opts Options) error {
	steps, err := readMigrations(migrationFiles)
	if err != nil {
		return err
	}
	db, err := openSchema(path, opts)
	if err != nil {
		return err
	}
	// A file that is not in WAL mode yet is still empty.
	_, err = db.Exec("PRAGMA " + pageSizePragma)
	if err == nil {
		err = applyMigrations(db, path, steps)
	}
	return errors.Join(err, db.Close())
}

// openSchema opens the file for migrations, or to read what it has.
func openSchema(path string, opts Options) (*sqlx.DB, error) {
	lock := "immediate"
	if opts.ReadOnly {
		lock = "deferred"
	}
	db, err := sqlx.Open("sqlite3", dataSource(path, opts, url.Values{"_txlock": {lock}}))
	if err != nil {
		return nil, wrap(err)
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// applyMigrations applies the steps that the file does not have, after checking
// that those it has are ours. It uses one transaction, so that of two processes
// that open a new file at once, neither sees half of the schema.
func applyMigrations(db *sqlx.DB, path string, steps []migration) error {
	tx, err := db.Beginx()
	if err != nil {
		return wrap(err)
	}
	defer tx.Rollback() // after Commit it does nothing
	if err := refuseForeign(tx); err != nil {
		return err
	}
	_, err = tx.Exec(`CREATE TABLE IF NOT EXISTS schema_migrations (
		version INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT`)
	if err != nil {
		return wrap(err)
	}
	var applied []appliedMigration
	if err := tx.Select(&applied, "SELECT * FROM schema_migrations ORDER BY version"); err != nil {
		return wrap(err)
	}
	oldest, err := readOldestSchema(tx, applied)
	if err != nil {
		return err
	}
	if err := compareMigrations(applied, steps, oldest); err != nil {
		return err
	}
	if len(applied) >= len(steps) {
		return nil
	}
	pending := steps[len(applied):]
	for _, step := range pending {
		oldest = max(oldest, step.oldest)
	}
	if len(applied) > 0 && oldest > int64(len(applied)) {
		release, err := lockForUpgrade(path, path)
		if err != nil {
			return err
		}
		defer release()
	}
	for _, step := range pending {
		if _, err := tx.Exec(step.sql); err != nil {
			return fmt.Errorf("migration %s: %w", step.name, wrap(err))
		}
		_, err := tx.NamedExec("INSERT INTO schema_migrations (version, name, sha256, applied_at) VALUES (:version, :name, :sha256, :applied_at)",
			appliedMigration{step.version, step.name, step.checksum, time.Now().UTC().Format(time.RFC3339)})
		if err != nil {
			return wrap(err)
		}
	}
	if _, err := tx.Exec("UPDATE meta SET value = ? WHERE name = 'oldest_schema'", oldest); err != nil {
		return wrap(err)
	}
	return wrap(tx.Commit())
}

// readOldestSchema returns the oldest schema whose programs can use the file.
func readOldestSchema(tx *sqlx.Tx, applied []appliedMigration) (oldest int64, err error) {
	if len(applied) < 5 { // the step that records it
		return int64(len(applied)), nil
	}
	return oldest, wrap(tx.Get(&oldest, "SELECT value FROM meta WHERE name = 'oldest_schema'"))
}

// refuseForeign refuses a file that has tables of another program.
func refuseForeign(tx *sqlx.Tx) error {
	var count struct {
		All  int `db:"tables"`
		Ours int `db:"ours"`
	}
	err := tx.Get(&count, "SELECT count(*) AS tables, count(*) FILTER (WHERE type = 'table' AND name = 'schema_migrations') AS ours FROM sqlite_schema")
	if err != nil {
		return wrap(err)
	}
	if count.All > 0 && count.Ours == 0 {
		return errors.New("it is an SQLite database of another program")
	}
	return nil
}

// compareMigrations refuses a file that needs a newer program, or whose steps differ
// from those of this program.
func compareMigrations(applied []appliedMigration, steps []migration, oldest int64) error {
	if n := int64(len(steps)); oldest > n {
		return newerSchema(oldest, n)
	}
	for i, a := range applied[:min(len(applied), len(steps))] {
		if steps[i].checksum != a.Checksum {
			return fmt.Errorf("migration %s differs from the one that was applied to this file: a released migration must never be edited", steps[i].name)
		}
	}
	return nil
}

// newerSchema is the error of a program that is too old for a file.
func newerSchema(needed, known int64) error {
	return fmt.Errorf("a newer program has written this file: it needs a program of schema %d or later, and this one is of schema %d", needed, known)
}

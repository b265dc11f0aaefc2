//go:build cgo

package sqlite

import (
	"crypto/sha256"
	"database/sql/driver"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one numbered step of the schema.
type migration struct {
	version  int64
	name     string
	sql      string
	checksum string // SHA-256 of sql
}

// readMigrations reads the steps in order. They are numbered from 1 without a
// gap: 0001_base.sql.
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
		steps = append(steps, migration{version, base, string(sql), hex.EncodeToString(sum[:])})
	}
	return steps, nil
}

// migrate brings the schema up to date.
func migrate(c *conn) error {
	steps, err := readMigrations(migrationFiles)
	if err != nil {
		return err
	}
	return applyMigrations(c, steps)
}

// applyMigrations applies the steps that the file does not have. Before that it
// refuses a file that has other steps than these. All in one transaction: two
// processes that open a new file at once take turns, and none sees half of it.
func applyMigrations(c *conn, steps []migration) error {
	return c.transaction("BEGIN IMMEDIATE", func() error {
		tables, _, err := c.number("SELECT count(*) FROM sqlite_schema")
		if err != nil {
			return err
		}
		ours, _, err := c.number("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'")
		if err != nil {
			return err
		}
		if tables > 0 && ours == 0 {
			return fmt.Errorf("this is a SQLite database of another program")
		}
		err = c.exec(`CREATE TABLE IF NOT EXISTS schema_migrations (
			version INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT`)
		if err != nil {
			return err
		}
		applied := 0
		err = c.query("SELECT version, name, sha256 FROM schema_migrations ORDER BY version", nil, func(v []driver.Value) error {
			version, name, checksum := v[0].(int64), v[1].(string), v[2].(string)
			if version > int64(len(steps)) {
				return fmt.Errorf("a newer program has written this file: it has migration %s, and this program knows %d", name, len(steps))
			}
			if steps[version-1].checksum != checksum {
				return fmt.Errorf("migration %s is not the one that was applied to this file: a released migration must never be edited", steps[version-1].name)
			}
			applied++
			return nil
		})
		if err != nil {
			return err
		}
		for _, step := range steps[applied:] {
			// Not through a prepared statement: a file holds several.
			if _, err := c.c.Exec(step.sql, nil); err != nil {
				return fmt.Errorf("migration %s: %w", step.name, wrap(err))
			}
			err := c.exec("INSERT INTO schema_migrations (version, name, sha256, applied_at) VALUES (?, ?, ?, ?)",
				step.version, step.name, step.checksum, time.Now().UTC().Format(time.RFC3339))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

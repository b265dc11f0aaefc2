package postgres

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/internal/program"
	"github.com/landfallhq/tracking/store"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// Migration is one numbered step of the schema.
type Migration struct {
	// Name is that of its file, which begins with its number: 0001_base.sql.
	Name string
	// SQL are its statements.
	SQL string

	version  int
	checksum string // SHA-256 of SQL, in hexadecimal
	oldest   int    // the oldest schema whose programs can use a database with this step
}

// readMigrations reads the steps in order. They are numbered from 1 without a gap. A step
// that changes nothing for the programs before it says so in its first line: "-- oldest: N".
func readMigrations(fsys fs.FS) (steps []Migration, err error) {
	names, err := fs.Glob(fsys, "migrations/*.sql") // sorted
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		sql, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		step := Migration{Name: path.Base(name), SQL: string(sql), version: i + 1, oldest: i + 1}
		digits, _, _ := strings.Cut(step.Name, "_")
		if n, err := strconv.Atoi(digits); err != nil || n != step.version {
			return nil, fmt.Errorf("migration %s: its number should be %04d", step.Name, step.version)
		}
		sum := sha256.Sum256(sql)
		step.checksum = hex.EncodeToString(sum[:])
		first, _, _ := strings.Cut(step.SQL, "\n")
		if text, ok := strings.CutPrefix(first, "-- oldest: "); ok {
			if step.oldest, err = strconv.Atoi(text); err != nil {
				return nil, fmt.Errorf("migration %s: %w", step.Name, err)
			}
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// Pending returns the migrations that Open would apply to the database that url names, and
// changes nothing.
func Pending(ctx context.Context, url string) (pending []Migration, err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", wrap(err))
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if pending, err = pendingOf(ctx, conn); err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	return pending, nil
}

// pendingOf compares the steps of this program with those of the database. It refuses a
// database that needs a newer program, and one whose steps differ.
func pendingOf(ctx context.Context, conn *pgx.Conn) ([]Migration, error) {
	steps, err := readMigrations(migrationFiles)
	if err != nil {
		return nil, err
	}
	var schema *string
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT current_schema()::text, to_regclass('landfall_migrations') IS NOT NULL").Scan(&schema, &exists); err != nil {
		return nil, wrap(err)
	}
	if schema == nil {
		return nil, errors.New("the search path has no schema that exists: create one, or set search_path")
	}
	if !exists {
		return steps, nil
	}
	// Schema 1 has no column for the program.
	rows, err := conn.Query(ctx, "SELECT sha256, oldest, coalesce(to_jsonb(m) ->> 'program', '') FROM landfall_migrations m ORDER BY version")
	if err != nil {
		return nil, wrap(err)
	}
	defer rows.Close()
	applied := 0
	for rows.Next() {
		var checksum, by string
		var oldest int
		if err := rows.Scan(&checksum, &oldest, &by); err != nil {
			return nil, wrap(err)
		}
		switch {
		case oldest > len(steps):
			return nil, newerSchema(oldest, len(steps), by)
		case applied < len(steps) && steps[applied].checksum != checksum:
			return nil, fmt.Errorf("migration %s differs from the one that was applied to this database: a released migration must never be edited", steps[applied].Name)
		}
		applied++
	}
	return steps[min(applied, len(steps)):], wrap(rows.Err())
}

// newerSchema is the error of a program that is too old for a database. by is the version of
// the program that has migrated it; empty if it is not known.
func newerSchema(needed, known int, by string) error {
	use := ""
	if by != "" {
		use = ": use version " + by + " or a later one"
	}
	return fmt.Errorf("a newer program has migrated this database: it needs a program of schema %d or later, and this one is of schema %d%s", needed, known, use)
}

// migrate applies the migrations that the database does not have, in one transaction. Of
// several processes that start at once, one does.
func (s *Store) migrate(ctx context.Context) error {
	conn, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	pending, err := pendingOf(ctx, conn.Conn())
	switch {
	case err != nil || len(pending) == 0:
		return err
	case s.opts.ReadOnly:
		return fmt.Errorf("%w: the database must be migrated first: %s", store.ErrReadOnly, pending[0].Name)
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		return wrap(err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) // after Commit it does nothing
	limit := milliseconds(s.opts.PrepareTimeout)
	for _, sql := range []string{
		"SET LOCAL statement_timeout = " + limit, "SET LOCAL lock_timeout = " + limit, lockSchema,
		"CREATE TABLE IF NOT EXISTS landfall_migrations (version integer PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, oldest integer NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
	} {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return wrap(err)
		}
	}
	if pending, err = pendingOf(ctx, tx.Conn()); err != nil || len(pending) == 0 {
		return err // another process has migrated it meanwhile
	}
	for _, step := range pending {
		if _, err := tx.Conn().PgConn().Exec(ctx, step.SQL).ReadAll(); err != nil {
			return fmt.Errorf("migration %s: %w", step.Name, wrap(err))
		}
		_, err := tx.Exec(ctx, "INSERT INTO landfall_migrations (version, name, sha256, oldest) VALUES ($1, $2, $3, $4)", step.version, step.Name, step.checksum, step.oldest)
		if err != nil {
			return wrap(err)
		}
	}
	// At the end, because the first steps make the table without this column.
	if _, err := tx.Exec(ctx, "UPDATE landfall_migrations SET program = nullif($1, '') WHERE version >= $2", program.Version(), pending[0].version); err != nil {
		return wrap(err)
	}
	return wrap(tx.Commit(ctx))
}

package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/landfallhq/tracking/store"
)

// Maintain implements store.Maintainer: it deletes windows that are empty, fills the chunks that
// an earlier program did not write, and removes the columns that a kind has lost, when each node
// knows a revision without them. For these it waits for the updates of all processes, and they for
// it.
func (s *Store) Maintain(ctx context.Context) (more bool, err error) {
	if s.opts.ReadOnly {
		return false, nil
	}
	if more, err := s.sweepWindows(ctx); more || err != nil {
		return more, err
	}
	if err := s.rankAgain(ctx); err != nil {
		return false, err
	}
	s.preparing.Lock()
	defer s.preparing.Unlock()
	conn, err := s.acquire(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Release()
	// First without the lock: there is rarely anything to remove.
	for _, lock := range []bool{false, true} {
		t := s.newTx(conn.Conn(), store.AccountID{})
		t.write = true
		removed, err := t.removeUnused(lock)
		t.end()
		if isDenied(err) { // the owner of the tables does it
			return false, nil
		}
		if err != nil || removed == 0 {
			return false, err
		}
	}
	return false, nil
}

// removeUnused removes the columns that no node uses, or without the lock of the schema only
// counts them.
func (t *tx) removeUnused(lock bool) (unused int, err error) {
	t.queueBegin("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
	if lock {
		t.queue(lockSchema)
	}
	var nodes []store.Node
	if err := t.send(nodesRead(&nodes)); err != nil {
		return 0, err
	}
	kinds, err := t.recordedKinds()
	if err != nil {
		return 0, err
	}
	for name, r := range kinds {
		kept := slices.DeleteFunc(slices.Clone(r.columns), func(c storedColumn) bool {
			return c.Until != "" && len(nodes) > 0 && store.AllKnow(nodes, name, c.Until)
		})
		if len(kept) == len(r.columns) {
			continue
		}
		unused += len(r.columns) - len(kept)
		if lock {
			if err := t.removeColumns(name, r, kept); err != nil {
				return 0, err
			}
		}
	}
	if lock && unused > 0 {
		t.queue("UPDATE meta SET value = value + 1 WHERE name = 'prepared'")
	}
	return unused, t.send(read{sql: "COMMIT"})
}

// removeColumns removes the columns of a kind but those that are kept.
func (t *tx) removeColumns(name string, r kindRecord, kept []storedColumn) error {
	var statements []string
	totals := slices.Clone(r.kept)
	for _, c := range r.columns {
		if slices.Contains(kept, c) {
			continue
		}
		statements = append(statements, "ALTER TABLE "+r.wholeTable(name).name+" DROP COLUMN c_"+c.Name) // and its index
		totals = slices.DeleteFunc(totals, func(name string) bool { return name == c.Name })
		t.queue("DELETE FROM totals WHERE kind = $1 AND name = $2", r.no, []byte(c.Name))
	}
	declared, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	names, err := json.Marshal(totals)
	if err != nil {
		return err
	}
	t.queue("UPDATE kinds SET columns = $1, kept = $2 WHERE no = $3", string(declared), string(names), r.no)
	return t.execute(statements...)
}

// isDenied reports whether the role may not change tables.
func isDenied(err error) bool {
	var fault *pgconn.PgError
	return errors.As(err, &fault) && fault.Code == "42501"
}

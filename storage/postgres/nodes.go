package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// schema is the number of the last migration of this program.
var schema = func() int {
	steps, _ := readMigrations(migrationFiles) // Open returns the error
	return len(steps)
}()

const selectNodes = `SELECT id, version, schema, revisions, started, beat, greatest(0, extract(epoch FROM clock_timestamp() - beat))::float8
	FROM nodes WHERE until > clock_timestamp() ORDER BY started, id`

// Beat implements store.Store. It also reads the tables of kinds again if another node has
// changed them. Rows that another node is removing or renewing are left to it.
func (s *Store) Beat(ctx context.Context, n store.Node, lease time.Duration) (nodes []store.Node, err error) {
	if s.opts.ReadOnly {
		return nil, store.ErrReadOnly
	}
	revisions, err := json.Marshal(n.Revisions)
	if err != nil {
		return nil, err
	}
	err = s.onNodes(ctx, "READ COMMITTED READ WRITE", func(t *tx) error {
		t.queue("DELETE FROM nodes WHERE id IN (SELECT id FROM nodes WHERE until <= clock_timestamp() AND id <> $1 FOR UPDATE SKIP LOCKED)", [16]byte(n.ID))
		t.queue(`INSERT INTO nodes (id, version, schema, revisions, started, beat, until)
			SELECT $1, $2, $3, $4, now, now, now + $5::float8 * interval '1 second' FROM clock_timestamp() AS now
			ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, schema = EXCLUDED.schema, revisions = EXCLUDED.revisions, beat = EXCLUDED.beat, until = EXCLUDED.until`,
			[16]byte(n.ID), n.Version, schema, string(revisions), lease.Seconds())
		version := int64(0)
		err := t.send(nodesRead(&nodes), read{"SELECT value FROM meta WHERE name = 'prepared'", nil, func(rows pgx.Rows) error { return rows.Scan(&version) }})
		if err == nil && version != t.prepared.version {
			_, err = s.reload(t, version)
		}
		return err
	})
	return nodes, err
}

// Leave implements store.Store.
func (s *Store) Leave(ctx context.Context, id store.ID) error {
	if s.opts.ReadOnly {
		return store.ErrReadOnly
	}
	return s.onNodes(ctx, "READ COMMITTED READ WRITE", func(t *tx) error {
		t.queue("DELETE FROM nodes WHERE id = $1", [16]byte(id))
		return nil
	})
}

// Nodes implements store.Store.
func (s *Store) Nodes(ctx context.Context) (nodes []store.Node, err error) {
	err = s.onNodes(ctx, "READ COMMITTED READ ONLY", func(t *tx) error { return t.send(nodesRead(&nodes)) })
	return nodes, err
}

// onNodes runs fn in a transaction of no account.
func (s *Store) onNodes(ctx context.Context, mode string, fn func(*tx) error) error {
	return s.retry(ctx, func() error {
		conn, err := s.acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		t := s.newTx(conn.Conn(), store.AccountID{})
		defer t.end()
		t.queueBegin("BEGIN ISOLATION LEVEL " + mode)
		if err := fn(t); err != nil {
			return err
		}
		return t.send(read{sql: "COMMIT"})
	})
}

// nodesRead returns the statement that reads the nodes.
func nodesRead(nodes *[]store.Node) read {
	*nodes = nil
	return read{selectNodes, nil, func(rows pgx.Rows) error {
		var n store.Node
		var revisions string
		var age float64
		if err := rows.Scan((*[16]byte)(&n.ID), &n.Version, &n.Schema, &revisions, &n.StartedAt, &n.BeatAt, &age); err != nil {
			return err
		}
		n.StartedAt, n.BeatAt, n.Age = n.StartedAt.UTC(), n.BeatAt.UTC(), time.Duration(age*float64(time.Second))
		err := json.Unmarshal([]byte(revisions), &n.Revisions)
		*nodes = append(*nodes, n)
		return err
	}}
}

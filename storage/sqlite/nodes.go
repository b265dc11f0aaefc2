//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"time"

	"github.com/landfallhq/tracking/store"
)

// Beat implements store.Store. The clock is that of the machine, which all processes of a
// file share.
func (s *Store) Beat(ctx context.Context, n store.Node, lease time.Duration) (nodes []store.Node, err error) {
	revisions, err := json.Marshal(n.Revisions)
	if err != nil {
		return nil, err
	}
	if s.opts.ReadOnly {
		return nil, errOpenForReading
	}
	err = s.writeAlone(ctx, func(c *conn) error {
		now := time.Now()
		if err := c.exec("DELETE FROM nodes WHERE until <= ? AND id <> ?", now.UnixMicro(), n.ID[:]); err != nil {
			return err
		}
		err := c.exec(`INSERT INTO nodes (id, version, schema, revisions, started, beat, until) VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6)
			ON CONFLICT (id) DO UPDATE SET version = excluded.version, schema = excluded.schema, revisions = excluded.revisions, beat = excluded.beat, until = excluded.until`,
			n.ID[:], n.Version, schema, string(revisions), now.UnixMicro(), now.Add(lease).UnixMicro())
		if err != nil {
			return err
		}
		nodes, err = c.nodes(now)
		return err
	})
	return nodes, err
}

// Leave implements store.Store.
func (s *Store) Leave(ctx context.Context, id store.ID) error {
	if s.opts.ReadOnly {
		return errOpenForReading
	}
	return s.writeAlone(ctx, func(c *conn) error { return c.exec("DELETE FROM nodes WHERE id = ?", id[:]) })
}

// Nodes implements store.Store.
func (s *Store) Nodes(ctx context.Context) (nodes []store.Node, err error) {
	c, err := s.acquireReader(ctx)
	if err != nil {
		return nil, err
	}
	defer s.releaseReader(c)
	return c.nodes(time.Now())
}

// nodes reads those whose lease has not ended.
func (c *conn) nodes(now time.Time) (nodes []store.Node, err error) {
	err = c.query("SELECT id, version, schema, revisions, started, beat FROM nodes WHERE until > ? ORDER BY started, id", []driver.Value{now.UnixMicro()}, func(v []driver.Value) error {
		n := store.Node{Version: text(v[1]), Schema: int(integer(v[2])), StartedAt: time.UnixMicro(integer(v[4])).UTC(), BeatAt: time.UnixMicro(integer(v[5])).UTC()}
		copy(n.ID[:], blob(v[0]))
		n.Age = max(0, now.Sub(n.BeatAt))
		nodes = append(nodes, n)
		return json.Unmarshal([]byte(text(v[3])), &nodes[len(nodes)-1].Revisions)
	})
	return nodes, err
}

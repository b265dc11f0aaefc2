package postgres

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

var _ store.WindowStore = (*Store)(nil)

// Windows implements store.WindowStore. Each call of its methods is one round trip. The clock is
// the database's, read under the lock of the scopes.
func (s *Store) Windows(name string, length time.Duration) store.Windows {
	return &windows{store: s, name: name, length: length.Microseconds()}
}

type windows struct {
	store  *Store
	name   string
	length int64  // microseconds
	clock  *int64 // of tests, in microseconds
}

// Allow implements store.Windows.
func (w *windows) Allow(ctx context.Context, _ time.Time, quotas ...store.Quota) (wait time.Duration, ok bool, err error) {
	if wait, err = w.admit(ctx, true, quotas); err != nil {
		return 0, false, err
	}
	return wait, wait == 0, nil
}

// Record implements store.Windows.
func (w *windows) Record(ctx context.Context, _ time.Time, q store.Quota) error {
	_, err := w.admit(ctx, false, []store.Quota{q})
	return err
}

func (w *windows) admit(ctx context.Context, refuse bool, quotas []store.Quota) (wait time.Duration, err error) {
	var scopes [][]byte
	var limits []int64
	for _, q := range quotas {
		if q.Limit <= 0 {
			continue
		}
		scope := w.scope(q.Scope)
		if at := slices.IndexFunc(scopes, func(other []byte) bool { return bytes.Equal(other, scope) }); at >= 0 {
			limits[at] = min(limits[at], int64(q.Limit))
			continue
		}
		scopes, limits = append(scopes, scope), append(limits, int64(q.Limit))
	}
	if len(scopes) == 0 {
		return 0, nil
	}
	if w.store.opts.ReadOnly {
		return 0, cmp.Or(w.store.checkOpen(ctx), store.ErrReadOnly)
	}
	return w.query(ctx, "SELECT admit_event($1, $2, $3, $4, $5)", scopes, limits, w.length, refuse, w.clock)
}

// Full implements store.Windows.
func (w *windows) Full(ctx context.Context, _ time.Time, q store.Quota) (wait time.Duration, full bool, err error) {
	if q.Limit <= 0 {
		return 0, false, nil
	}
	wait, err = w.query(ctx, `SELECT coalesce(max(e.at + $3 - coalesce($4, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)), 0)
		FROM rate_windows w JOIN rate_events e ON e.scope = w.scope AND e.number = w.last - $2 + 1 WHERE w.scope = $1`,
		w.scope(q.Scope), int64(q.Limit), w.length, w.clock)
	return wait, wait > 0, err
}

// query runs a statement that returns microseconds, and rounds them up to whole seconds.
func (w *windows) query(ctx context.Context, sql string, args ...any) (wait time.Duration, err error) {
	err = w.store.retry(ctx, func() error {
		conn, err := w.store.acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		// A context that ends would close the connection.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.store.opts.StatementTimeout+10*time.Second)
		defer cancel()
		var micros int64
		if err := conn.QueryRow(ctx, sql, args...).Scan(&micros); err != nil {
			return w.store.wrap(err, conn.Conn().IsClosed())
		}
		wait = time.Duration(max(0, micros)) * time.Microsecond
		return nil
	})
	return (wait + time.Second - 1).Truncate(time.Second), err
}

func (w *windows) scope(s store.Scope) []byte {
	b := append([]byte(w.name), 0, s.Kind)
	return append(b, s.ID[:]...)
}

// sweepWindows deletes windows that are empty. Rows that other transactions hold are left for the
// next round.
func (s *Store) sweepWindows(ctx context.Context) (more bool, err error) {
	const most = 1000
	conn, err := s.acquire(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Release()
	var n int
	err = conn.QueryRow(ctx, `WITH idle AS (
			SELECT scope FROM rate_windows WHERE until < extract(epoch FROM now()) * 1000000 LIMIT $1 FOR UPDATE SKIP LOCKED),
		windows AS (DELETE FROM rate_windows w USING idle WHERE w.scope = idle.scope RETURNING w.scope),
		events AS (DELETE FROM rate_events e USING idle WHERE e.scope = idle.scope)
		SELECT count(*) FROM windows`, most).Scan(&n)
	if err != nil {
		return false, s.wrap(err, conn.Conn().IsClosed())
	}
	return n == most, nil
}

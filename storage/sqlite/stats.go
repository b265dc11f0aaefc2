//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"os"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

var _ store.Meter = (*Store)(nil)

// Stats implements store.Meter. It reads the groups of jobs, and an index of those that
// are due.
func (s *Store) Stats(ctx context.Context, now time.Time) (store.Stats, error) {
	stats := store.Stats{WaitingUpdates: s.queue.length(), LogBytes: s.log.size.Load()}
	if info, err := os.Stat(s.file); err == nil {
		stats.FileBytes = info.Size()
	}
	if s.cache != nil {
		s.cache.stats(&stats)
	}
	c, err := s.acquireReader(ctx)
	if err != nil {
		return store.Stats{}, err
	}
	defer s.releaseReader(c)
	err = c.snapshot(func(int64) (err error) {
		stats.Jobs, err = c.jobStats(now)
		return err
	})
	return stats, err
}

// length is the number of callers that wait for the connection.
func (q *writeQueue) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for _, mine := range q.waiting {
		n += len(mine)
	}
	return n
}

// stats adds the state of the cache.
func (c *cache) stats(to *store.Stats) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	to.CacheBytes, to.CacheHits, to.CacheMisses = c.bytes, c.hits.Load(), c.misses.Load()
}

// The queries of jobStats, by kind and by whether the group is paused. Due jobs are counted
// in an index that does not have the leases, so leased ones are among them: few jobs are
// leased, and they are counted by themselves.
const (
	queryGroups = `SELECT kind, count(*) FILTER (WHERE held > ?1 AND held <= ?2), count(*) FILTER (WHERE held > ?2) FROM groups GROUP BY kind`
	queryDue    = `SELECT kind, ifnull(held > ?1, 0) AS paused,
		sum((SELECT count(*) FROM jobs INDEXED BY jobs_due WHERE grp = g.no AND due <= ?1)),
		min((SELECT due FROM jobs INDEXED BY jobs_due WHERE grp = g.no AND due <= ?1 AND (until IS NULL OR until <= ?1) ORDER BY due LIMIT 1))
		FROM groups g GROUP BY kind, paused`
	queryLeased = `SELECT g.kind, ifnull(g.held > ?1, 0) AS paused, count(*), count(*) FILTER (WHERE j.due <= ?1)
		FROM jobs j INDEXED BY jobs_leased CROSS JOIN groups g ON g.no = j.grp WHERE j.until > ?1 GROUP BY g.kind, paused`
)

// longPause is what store.JobStats counts as a pause without an end.
const longPause = 365 * 24 * time.Hour

// jobStats reads the state of the jobs.
func (c *conn) jobStats(now time.Time) ([]store.JobStats, error) {
	var list []store.JobStats
	of := func(kind driver.Value) *store.JobStats {
		i := slices.IndexFunc(list, func(j store.JobStats) bool { return string(j.Kind) == kind.(string) })
		if i < 0 {
			i, list = len(list), append(list, store.JobStats{Kind: store.JobKind(kind.(string))})
		}
		return &list[i]
	}
	at := now.UnixMicro()
	err := c.query(queryGroups, []driver.Value{at, now.Add(longPause).UnixMicro()}, func(v []driver.Value) error {
		j := of(v[0])
		j.PausedGroups, j.StoppedGroups = int(v[1].(int64)), int(v[2].(int64))
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = c.query(queryDue, []driver.Value{at}, func(v []driver.Value) error {
		j, n := of(v[0]), int(v[2].(int64))
		if v[1].(int64) != 0 {
			j.Paused += n
			return nil
		}
		j.Due += n
		if oldest, ok := v[3].(int64); ok {
			j.Oldest = time.UnixMicro(oldest).UTC()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = c.query(queryLeased, []driver.Value{at}, func(v []driver.Value) error {
		j, due := of(v[0]), int(v[3].(int64))
		if j.Leased += int(v[2].(int64)); v[1].(int64) != 0 {
			j.Paused -= due
		} else {
			j.Due -= due
		}
		return nil
	})
	return list, err
}

//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"os"
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
	return len(q.waiting)
}

// stats adds the state of the cache.
func (c *cache) stats(to *store.Stats) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	to.CacheBytes, to.CacheHits, to.CacheMisses = c.bytes, c.hits.Load(), c.misses.Load()
}

// jobStatsQueries count groups, due jobs and leased jobs by kind. The groups are the outer
// loop, so that each takes a part of an index.
var jobStatsQueries = [...]string{
	`SELECT kind, count(*) FILTER (WHERE held > ?1 AND held <= ?2), count(*) FILTER (WHERE held > ?2) FROM groups GROUP BY kind`,
	`SELECT g.kind, count(*) FILTER (WHERE held IS NULL OR held <= ?1), count(*) FILTER (WHERE held > ?1),
		min(CASE WHEN held IS NULL OR held <= ?1 THEN j.due END)
		FROM groups g CROSS JOIN jobs j INDEXED BY jobs_due ON j.grp = g.no AND j.due <= ?1
		WHERE (j.until IS NULL OR j.until <= ?1) AND ?2 > 0 GROUP BY g.kind`,
	`SELECT g.kind, count(*) FROM jobs j INDEXED BY jobs_leased CROSS JOIN groups g ON g.no = j.grp WHERE j.until > ?1 AND ?2 > 0 GROUP BY g.kind`,
}

// longPause is what store.JobStats counts as a pause without an end.
const longPause = 365 * 24 * time.Hour

// jobStats reads the state of the jobs, in the order of the first group of each kind.
func (c *conn) jobStats(now time.Time) ([]store.JobStats, error) {
	var list []store.JobStats
	of := func(kind driver.Value) *store.JobStats {
		name := store.JobKind(kind.(string))
		for i := range list {
			if list[i].Kind == name {
				return &list[i]
			}
		}
		list = append(list, store.JobStats{Kind: name})
		return &list[len(list)-1]
	}
	read := [...]func([]driver.Value){
		func(v []driver.Value) {
			j := of(v[0])
			j.PausedGroups, j.StoppedGroups = int(v[1].(int64)), int(v[2].(int64))
		},
		func(v []driver.Value) {
			j := of(v[0])
			j.Due, j.Paused = int(v[1].(int64)), int(v[2].(int64))
			if oldest, ok := v[3].(int64); ok {
				j.Oldest = time.UnixMicro(oldest).UTC()
			}
		},
		func(v []driver.Value) { of(v[0]).Leased = int(v[1].(int64)) },
	}
	for i, sql := range jobStatsQueries {
		err := c.query(sql, []driver.Value{now.UnixMicro(), now.Add(longPause).UnixMicro()}, func(v []driver.Value) error {
			read[i](v)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// Stats implements store.Meter. WaitingUpdates are those of this process; FileBytes is the
// size of the whole database. It reads the groups, and an index of the jobs that are due.
func (s *Store) Stats(ctx context.Context, now time.Time) (store.Stats, error) {
	stats := store.Stats{WaitingUpdates: s.queues.waiting()}
	conn, err := s.acquire(ctx)
	if err != nil {
		return store.Stats{}, err
	}
	defer conn.Release()
	t := s.newTx(conn.Conn(), store.AccountID{})
	defer t.end()
	t.queueBegin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
	size := read{"SELECT pg_database_size(current_database())", nil, func(rows pgx.Rows) error { return rows.Scan(&stats.FileBytes) }}
	jobs := read{`SELECT kind, coalesce(sum(due) FILTER (WHERE NOT paused), 0)::bigint, coalesce(sum(due) FILTER (WHERE paused), 0)::bigint, sum(leased)::bigint,
			min(oldest) FILTER (WHERE NOT paused), count(*) FILTER (WHERE held > $1 AND held <= $2), count(*) FILTER (WHERE held > $2)
		FROM (SELECT kind, held, coalesce(held > $1, false) AS paused, j.* FROM groups g CROSS JOIN LATERAL (
			SELECT count(*) FILTER (WHERE until IS NULL OR until <= $1) AS due, min(due) FILTER (WHERE until IS NULL OR until <= $1) AS oldest,
				(SELECT count(*) FROM jobs WHERE grp = g.no AND until IS NOT NULL AND until > $1) AS leased
			FROM jobs WHERE grp = g.no AND due <= $1) j) states
		GROUP BY kind ORDER BY kind`,
		[]any{now.UnixMicro(), now.AddDate(1, 0, 0).UnixMicro()}, func(rows pgx.Rows) error {
			var j store.JobStats
			var oldest *int64
			err := rows.Scan((*string)(&j.Kind), &j.Due, &j.Paused, &j.Leased, &oldest, &j.PausedGroups, &j.StoppedGroups)
			if oldest != nil {
				j.Oldest = time.UnixMicro(*oldest).UTC()
			}
			stats.Jobs = append(stats.Jobs, j)
			return err
		}}
	return stats, t.send(size, jobs)
}

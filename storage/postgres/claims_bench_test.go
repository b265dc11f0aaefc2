package postgres

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/internal/postgrestest"
	"github.com/landfallhq/tracking/store"
)

// BenchmarkClaims claims 100 jobs, finishes them and enqueues 100 others, while a number of jobs
// waits in a number of groups. With a snapshot, it first does so for LANDFALL_SNAPSHOT (such as
// 3m) while another connection holds a snapshot, and goes on while it is held. claim-ns is the
// time of the claim alone, and before-ns that before the snapshot. With -short, all are small.
func BenchmarkClaims(b *testing.B) {
	for _, size := range []struct {
		jobs, groups, idle int
		snapshot           bool
	}{
		{1000, 10, 0, false},
		{1_000_000, 10, 0, false},
		{1000, 1000, 0, false},
		{1_000_000, 10_000, 0, false},
		{1000, 10, 10_000, false},
		{1000, 10, 0, true},
		{1_000_000, 10, 0, true},
		{1_000_000, 10_000, 0, true},
	} {
		if testing.Short() {
			size.jobs, size.groups, size.idle = min(size.jobs, 2000), min(size.groups, 100), min(size.idle, 100)
		}
		name := fmt.Sprintf("jobs=%d/groups=%d", size.jobs, size.groups)
		if size.idle > 0 {
			name += fmt.Sprintf("/idle=%d", size.idle)
		}
		if size.snapshot {
			name += "/snapshot"
		}
		b.Run(name, func(b *testing.B) {
			q := newBenchQueue(b, size.jobs, size.groups, size.idle)
			var before time.Duration
			if size.snapshot {
				before = q.meanClaim(b)
				q.holdSnapshot(b)
			}
			q.claiming, q.claimed = 0, 0
			b.ResetTimer()
			for b.Loop() {
				q.batch(b)
			}
			b.ReportMetric(float64(q.claiming.Nanoseconds())/float64(b.N), "claim-ns")
			b.ReportMetric(float64(q.claimed)/b.Elapsed().Seconds(), "jobs/s")
			if size.snapshot {
				b.ReportMetric(float64(before.Nanoseconds()), "before-ns")
			}
			q.reportDeadRows(b)
		})
	}
}

// benchQueue is a store with jobs of one account, all of them due.
type benchQueue struct {
	s       *Store
	account store.AccountID
	groups  int
	now     time.Time

	enqueued int
	claimed  int
	claiming time.Duration
}

func newBenchQueue(b *testing.B, jobs, groups, idle int) *benchQueue {
	b.Helper()
	ctx := context.Background()
	s, err := Open(ctx, postgrestest.Shared(b).Schema(b), Options{StatementTimeout: 10 * time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	q := &benchQueue{s: s, account: store.AccountID(uuid.New()), groups: groups, now: time.Now()}
	begin := q.now.Add(-time.Hour).UnixMicro()
	for _, sql := range []string{
		fmt.Sprintf("INSERT INTO accounts (id) VALUES ('%s')", q.account),
		fmt.Sprintf("INSERT INTO groups (kind, name, account) SELECT 'work', convert_to('idle' || i, 'UTF8'), 1 FROM generate_series(1, %d) i", idle),
		fmt.Sprintf("INSERT INTO groups (kind, name, account) SELECT 'work', convert_to('g' || i, 'UTF8'), 1 FROM generate_series(0, %d) i", groups-1),
		fmt.Sprintf(`INSERT INTO jobs (account, id, grp, place, ref, due) SELECT 1, gen_random_uuid(), %d + 1 + i %% %d, nextval('places'), gen_random_uuid(), %d + i
			FROM generate_series(0, %d) i`, idle, groups, begin, jobs-1),
		"VACUUM ANALYZE jobs", "VACUUM ANALYZE groups",
	} {
		if _, err := s.pool.Exec(ctx, sql); err != nil {
			b.Fatal(err)
		}
	}
	q.batch(b) // statements are prepared
	return q
}

// batch claims and finishes jobs, and enqueues as many.
func (q *benchQueue) batch(b *testing.B) {
	b.Helper()
	ctx := context.Background()
	begin := time.Now()
	jobs, err := q.s.Claim(ctx, store.ClaimRequest{Kinds: []store.JobKind{"work"}, Now: q.now, Lease: time.Minute, Limit: 100})
	q.claiming += time.Since(begin)
	if err != nil || len(jobs) != 100 {
		b.Fatalf("%d jobs, %v", len(jobs), err)
	}
	q.claimed += len(jobs)
	err = q.s.Update(ctx, q.account, func(tx store.RecordTx) error {
		for _, j := range jobs {
			if err := tx.Finish(ctx, j); err != nil {
				return err
			}
		}
		for range jobs {
			q.enqueued++
			j := store.Job{ID: uuid.New(), Kind: "work", Group: fmt.Sprint("g", q.enqueued%q.groups), Due: q.now.Add(time.Duration(q.enqueued-1_000_000_000) * time.Microsecond)}
			if err := tx.Enqueue(ctx, j); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// meanClaim returns the mean time of some claims.
func (q *benchQueue) meanClaim(b *testing.B) time.Duration {
	b.Helper()
	const claims = 200
	q.claiming = 0
	for range claims {
		q.batch(b)
	}
	return q.claiming / claims
}

// holdSnapshot begins a transaction that stays open until the benchmark ends, and works for a
// time.
func (q *benchQueue) holdSnapshot(b *testing.B) {
	b.Helper()
	length := time.Millisecond
	if text := os.Getenv("LANDFALL_SNAPSHOT"); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			b.Fatal(err)
		}
	}
	ctx := context.Background()
	conn, err := pgx.ConnectConfig(ctx, q.s.pool.Config().ConnConfig.Copy())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close(ctx) })
	for _, sql := range []string{"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "SELECT count(*) FROM accounts"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			b.Fatal(err)
		}
	}
	for begin := time.Now(); time.Since(begin) < length; {
		q.batch(b)
	}
}

func (q *benchQueue) reportDeadRows(b *testing.B) {
	b.Helper()
	for _, table := range []string{"jobs", "servings"} {
		var dead int64
		err := q.s.pool.QueryRow(context.Background(), "SELECT n_dead_tup FROM pg_stat_user_tables WHERE relid = $1::regclass", table).Scan(&dead)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(dead), "dead-"+table)
	}
}

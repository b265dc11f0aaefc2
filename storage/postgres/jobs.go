package postgres

import (
	"container/heap"
	"context"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// Jobs are written by an update under the lock of their account, and by claims. A claim
// never waits for an update: it leaves out the jobs that one has changed and not yet
// committed.

// addGroup adds the group of a job if it is new, and records that it has jobs of this
// account; unless says when not.
const addGroup = `WITH added AS (
	INSERT INTO groups (kind, name, account) SELECT $1, $2, $3 WHERE NOT ($4 AND EXISTS (SELECT 1 FROM jobs WHERE account = $3 AND id = $5))
	ON CONFLICT (kind, name) DO NOTHING
) UPDATE groups SET account = CASE WHEN account IS NULL THEN $3 ELSE 0 END
	WHERE kind = $1 AND name = $2 AND account IS DISTINCT FROM $3 AND account IS DISTINCT FROM 0`

const addJob = `INSERT INTO jobs (account, id, grp, place, ref, data, due)
	SELECT $1, $2, no, nextval('places'), $3, $4, $5 FROM groups WHERE kind = $6 AND name = $7`

// Enqueue implements store.RecordTx.
func (t *tx) Enqueue(ctx context.Context, j store.Job) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	t.queueGroup(j, false)
	t.queueJob(addJob+` ON CONFLICT (account, id) DO UPDATE SET grp = EXCLUDED.grp, place = EXCLUDED.place, ref = EXCLUDED.ref,
		data = EXCLUDED.data, due = EXCLUDED.due, attempt = 0, token = NULL, until = NULL`, j)
	return nil
}

// EnqueueBy implements store.RecordTx.
func (t *tx) EnqueueBy(ctx context.Context, j store.Job) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	t.queue("UPDATE jobs SET due = $3 WHERE account = $1 AND id = $2 AND token IS NULL AND due > $3", t.no, [16]byte(j.ID), j.Due.UnixMicro())
	t.queueGroup(j, true)
	t.queueJob(addJob+" ON CONFLICT (account, id) DO NOTHING", j)
	return nil
}

// queueGroup adds the group of a job; with unlessQueued, only if there is no job with its
// ID.
func (t *tx) queueGroup(j store.Job, unlessQueued bool) {
	t.queue(addGroup, string(j.Kind), []byte(j.Group), t.no, unlessQueued, [16]byte(j.ID))
}

func (t *tx) queueJob(statement string, j store.Job) {
	t.queue(statement, t.no, [16]byte(j.ID), [16]byte(j.Ref), orNull(j.Data), j.Due.UnixMicro(), string(j.Kind), []byte(j.Group))
}

// leased runs a statement on the job j of this account, or returns ErrLeaseLost if j does
// not hold its lease.
func (t *tx) leased(ctx context.Context, j store.Job, statement string, args ...any) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	held := false
	args = append([]any{t.no, [16]byte(j.ID), [16]byte(j.Token)}, args...)
	t.readWrites = true
	err := t.query(statement+" WHERE account = $1 AND id = $2 AND token = $3 RETURNING no", args, func(pgx.Rows) error {
		held = true
		return nil
	})
	if err == nil && !held {
		err = store.ErrLeaseLost
	}
	return err
}

// Finish implements store.RecordTx.
func (t *tx) Finish(ctx context.Context, j store.Job) error {
	return t.leased(ctx, j, "DELETE FROM jobs")
}

// Postpone implements store.RecordTx.
func (t *tx) Postpone(ctx context.Context, j store.Job, due time.Time) error {
	return t.leased(ctx, j, "UPDATE jobs SET due = $4, attempt = 0, token = NULL, until = NULL", due.UnixMicro())
}

// Extend implements store.RecordTx.
func (t *tx) Extend(ctx context.Context, j store.Job, until time.Time) error {
	return t.leased(ctx, j, "UPDATE jobs SET until = $4", until.UnixMicro())
}

// PauseGroup implements store.RecordTx.
func (t *tx) PauseGroup(ctx context.Context, k store.JobKind, group string, until time.Time) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	t.queue("INSERT INTO groups (kind, name, held) VALUES ($1, $2, $3) ON CONFLICT (kind, name) DO UPDATE SET held = EXCLUDED.held",
		string(k), []byte(group), until.UnixMicro())
	return nil
}

// NextDue reads what has changed, and looks up the groups whose jobs may be due first.
func (s *Store) NextDue(ctx context.Context, kinds []store.JobKind) (time.Time, error) {
	s.follower.mu.Lock()
	defer s.follower.mu.Unlock()
	conn, err := s.acquire(ctx)
	if err != nil {
		return time.Time{}, err
	}
	defer conn.Release()
	t := s.newTx(conn.Conn(), store.AccountID{})
	defer t.end()
	t.queueBegin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
	next, err := s.follower.nextDue(t, kinds)
	if err != nil || next == math.MaxInt64 {
		return time.Time{}, err
	}
	return time.UnixMicro(next).UTC(), nil
}

// nextDue returns MaxInt64 if there is no job.
func (f *follower) nextDue(t *tx, kinds []store.JobKind) (int64, error) {
	if err := f.follow(t); err != nil {
		return 0, err
	}
	next := int64(math.MaxInt64)
	for _, j := range f.leases {
		if slices.Contains(kinds, j.group.kind) {
			next = min(next, max(j.at.due, j.until, j.group.held))
		}
	}
	h := groupHeap{less: func(a, b *jobGroup) bool { return a.due() < b.due() }}
	for _, g := range f.groups {
		if slices.Contains(kinds, g.kind) {
			h.groups = append(h.groups, g)
		}
	}
	heap.Init(&h)
	for {
		var first []*jobGroup
		for len(first) < groupsPerRead && h.Len() > 0 && h.groups[0].due() < next {
			first = append(first, heap.Pop(&h).(*jobGroup))
		}
		if len(first) == 0 {
			return next, nil
		}
		if err := t.send(findFronts(first)); err != nil {
			return 0, err
		}
		for _, g := range first {
			next = min(next, g.due())
		}
	}
}

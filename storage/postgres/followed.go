package postgres

import (
	"cmp"
	"math"
	"sync"

	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// follower keeps what a node remembers of the queues between claims.
type follower struct {
	mu sync.Mutex // held for a whole claim
	followed
}

// followed are the groups, and where the waiting jobs of each begin. Without it, a claim would
// look at each group, and pass over the dead rows of all jobs that were finished while a snapshot
// is held.
//
// Whatever a node remembers, it reads before each claim what has changed since: rows that were
// written by transactions which had not ended when it read before. Their numbers are in the
// column changed.
type followed struct {
	epoch  int64  // of the store when it was read
	seen   string // the transactions before this number had ended; empty: nothing was read
	served int64  // the greatest number of servings that was read
	groups map[int64]*jobGroup
	leases map[int64]*leasedJob // by jobs.no: all that have a lease, and some that had one
	// accounts are the IDs of accounts that had jobs. They never change.
	accounts map[int64]store.AccountID
}

// jobGroup is a group of jobs.
type jobGroup struct {
	no      int64
	kind    store.JobKind
	name    string
	account int64 // the account of all its jobs; 0 if there are several
	held    int64 // the end of its pause
	served  int64 // the number of the last claim of one of its jobs
	// No job before front waits without a lease.
	front position
}

// position is that of a job in its group.
type position struct{ due, place int64 }

var (
	firstPosition = position{due: math.MinInt64}
	noPosition    = position{due: math.MaxInt64}
)

func (p position) compare(other position) int {
	return cmp.Or(cmp.Compare(p.due, other.due), cmp.Compare(p.place, other.place))
}

// due returns when a job of the group that waits can be claimed, at the earliest.
func (g *jobGroup) due() int64 { return max(g.front.due, g.held) }

// lowerFront moves the front to p if it is behind.
func (g *jobGroup) lowerFront(p position) {
	if p.compare(g.front) < 0 {
		g.front = p
	}
}

// leasedJob is a job with a lease, which may have ended.
type leasedJob struct {
	group   *jobGroup
	account int64
	until   int64
	at      position
}

// follow reads what has changed since the last time, with what waits in the transaction.
func (f *follower) follow(t *tx, also ...read) error {
	if f.seen == "" || f.epoch != t.epoch {
		f.followed = followed{epoch: t.epoch, groups: map[int64]*jobGroup{}, accounts: map[int64]store.AccountID{}}
	}
	nos := make([]int64, 0, len(f.leases))
	for no := range f.leases {
		nos = append(nos, no)
	}
	f.leases = map[int64]*leasedJob{}
	before, seen, ahead := f.seen, "", false
	reads := []read{
		// First, so that no other statement sees less than the transactions before it.
		{"SELECT pg_snapshot_xmin(pg_current_snapshot())::text, coalesce(nullif($1, '')::xid8 > pg_snapshot_xmax(pg_current_snapshot()), false)",
			[]any{before}, func(rows pgx.Rows) error { return rows.Scan(&seen, &ahead) }},
		{`SELECT no, kind, name, coalesce(account, 0), coalesce(held, '-9223372036854775808') FROM groups` + changedSince(before), changedArgs(before), f.noteGroup},
		{"SELECT grp, served FROM servings WHERE served > $1 ORDER BY served", []any{f.served}, f.noteServing},
	}
	if len(nos) > 0 { // for none, the planner may choose the index of leases and read its dead entries
		reads = append(reads, read{leasedColumns + " WHERE no = ANY($1)", []any{nos}, f.noteJob})
	}
	if before == "" {
		reads = append(reads, read{leasedColumns + " WHERE until IS NOT NULL", nil, f.noteJob})
	} else {
		reads = append(reads, read{leasedColumns + changedSince(before), changedArgs(before), f.noteJob})
	}
	f.seen = "" // if it fails, all is read again
	if err := t.send(append(reads, also...)...); err != nil {
		return err
	}
	if ahead { // of a database that was restored, or of a standby that had not got everything
		return f.follow(t, also...)
	}
	f.seen = seen
	return nil
}

const leasedColumns = "SELECT no, grp, account, until, due, place FROM jobs"

// changedSince restricts a statement to rows that transactions from a number on have changed. A
// row that is visible with a number of the future is from a dump of another database.
func changedSince(seen string) string {
	if seen == "" {
		return ""
	}
	return " WHERE changed >= $1::text::xid8 AND changed < pg_snapshot_xmax(pg_current_snapshot())"
}

func changedArgs(seen string) []any {
	if seen == "" {
		return nil
	}
	return []any{seen}
}

func (f *follower) noteGroup(rows pgx.Rows) error {
	var read jobGroup
	var name []byte
	if err := rows.Scan(&read.no, (*string)(&read.kind), &name, &read.account, &read.held); err != nil {
		return err
	}
	g := f.groups[read.no]
	if g == nil {
		g = &jobGroup{no: read.no, kind: read.kind, name: string(name), front: firstPosition}
		f.groups[read.no] = g
	}
	g.account, g.held = read.account, read.held
	return nil
}

func (f *follower) noteServing(rows pgx.Rows) error {
	var group, served int64
	err := rows.Scan(&group, &served)
	if g := f.groups[group]; g != nil {
		g.served = served
	}
	f.served = max(f.served, served)
	return err
}

func (f *follower) noteAccount(rows pgx.Rows) error {
	var no int64
	var id store.AccountID
	err := rows.Scan(&no, (*[16]byte)(&id))
	f.accounts[no] = id
	return err
}

// noteJob notes a job that has a lease, or that waits.
func (f *follower) noteJob(rows pgx.Rows) error {
	var no, group int64
	var until *int64
	var j leasedJob
	if err := rows.Scan(&no, &group, &j.account, &until, &j.at.due, &j.at.place); err != nil {
		return err
	}
	if j.group = f.groups[group]; j.group == nil {
		return nil // the group is newer than what was read of the groups, and the job too
	}
	if until == nil {
		j.group.lowerFront(j.at)
		delete(f.leases, no)
		return nil
	}
	j.until = *until
	f.leases[no] = &j
	return nil
}

// findFronts looks up where the waiting jobs of groups begin.
func findFronts(groups []*jobGroup) read {
	nos, dues, places := positionsOf(groups)
	byNo := make(map[int64]*jobGroup, len(groups))
	for _, g := range groups {
		byNo[g.no] = g
	}
	return read{`SELECT g.no, j.due, j.place FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS g (no, due, place)
		LEFT JOIN LATERAL (
			SELECT due, place FROM jobs WHERE grp = g.no AND (due, place) >= (g.due, g.place) AND until IS NULL ORDER BY due, place LIMIT 1
		) j ON true`, []any{nos, dues, places}, func(rows pgx.Rows) error {
		var no int64
		var due, place *int64
		err := rows.Scan(&no, &due, &place)
		if g := byNo[no]; due == nil || place == nil {
			g.front = noPosition
		} else {
			g.front = position{*due, *place}
		}
		return err
	}}
}

// positionsOf returns the fronts of groups as arrays.
func positionsOf(groups []*jobGroup) (nos, dues, places []int64) {
	for _, g := range groups {
		nos, dues, places = append(nos, g.no), append(dues, g.front.due), append(places, g.front.place)
	}
	return nos, dues, places
}

// groupHeap has groups in an order, for container/heap.
type groupHeap struct {
	groups []*jobGroup
	less   func(a, b *jobGroup) bool
}

func (h *groupHeap) Len() int           { return len(h.groups) }
func (h *groupHeap) Less(i, j int) bool { return h.less(h.groups[i], h.groups[j]) }
func (h *groupHeap) Swap(i, j int)      { h.groups[i], h.groups[j] = h.groups[j], h.groups[i] }
func (h *groupHeap) Push(x any)         { h.groups = append(h.groups, x.(*jobGroup)) }
func (h *groupHeap) Pop() any {
	last := len(h.groups) - 1
	g := h.groups[last]
	h.groups = h.groups[:last]
	return g
}

//go:build cgo

package sqlite

import (
	"context"
	"database/sql/driver"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/google/uuid"
)

// groupNo returns the number of a group, and adds the group if it is new.
func (t *tx) groupNo(k store.JobKind, name string) (int64, error) {
	no, ok, err := t.conn.queryInt("SELECT no FROM groups WHERE kind = ? AND name = ?", string(k), name)
	if err != nil || ok {
		return no, err
	}
	no, err = t.conn.insert("INSERT INTO groups (kind, name) VALUES (?, ?)", string(k), name)
	return no, t.fail(err)
}

// groupForJob is groupNo for a group that is about to get a job of this account.
func (t *tx) groupForJob(k store.JobKind, name string) (int64, error) {
	no, ok, err := t.conn.queryInt("SELECT no FROM groups WHERE kind = ? AND name = ? AND account IN (?, 0)", string(k), name, t.accountNo)
	if err != nil || ok {
		return no, err
	}
	if no, err = t.groupNo(k, name); err != nil {
		return 0, err
	}
	return no, t.fail(t.conn.exec("UPDATE groups SET account = CASE WHEN account IS NULL THEN ? ELSE 0 END WHERE no = ?", t.accountNo, no))
}

func (t *tx) Enqueue(ctx context.Context, j store.Job) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	if err := t.ensureAccount(); err != nil {
		return err
	}
	// Deleted and inserted again, so that the lease, the attempts and the place in
	// the queue of the replaced job are gone.
	if err := t.conn.exec("DELETE FROM jobs WHERE account = ? AND id = ?", t.accountNo, j.ID[:]); err != nil {
		return t.fail(err)
	}
	return t.addJob(j)
}

// addJob adds a job. No other job of the account may have its ID.
func (t *tx) addJob(j store.Job) error {
	group, err := t.groupForJob(j.Kind, j.Group)
	if err != nil {
		return err
	}
	return t.fail(t.conn.exec("INSERT INTO jobs (account, id, grp, ref, data, due) VALUES (?, ?, ?, ?, ?, ?)",
		t.accountNo, j.ID[:], group, j.Ref[:], orNull(j.Data), j.Due.UnixMicro()))
}

func (t *tx) EnqueueBy(ctx context.Context, j store.Job) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	if err := t.ensureAccount(); err != nil {
		return err
	}
	no, ok, err := t.conn.queryInt("SELECT no FROM jobs WHERE account = ? AND id = ?", t.accountNo, j.ID[:])
	if err != nil {
		return err
	}
	if !ok {
		return t.addJob(j)
	}
	due := j.Due.UnixMicro()
	return t.fail(t.conn.exec("UPDATE jobs SET due = ? WHERE no = ? AND token IS NULL AND due > ?", due, no, due))
}

// leased runs a statement on the job j of this account, or returns ErrLeaseLost if
// j does not hold its lease.
func (t *tx) leased(ctx context.Context, j store.Job, statement string, args ...driver.Value) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	if err := t.resolveAccount(); err != nil {
		return err
	}
	_, ok, err := t.queryInt(statement+" WHERE account = ? AND id = ? AND token = ? RETURNING no", append(args, t.accountNo, j.ID[:], j.Token[:])...)
	if err == nil && !ok {
		err = store.ErrLeaseLost
	}
	return err
}

func (t *tx) Finish(ctx context.Context, j store.Job) error {
	return t.leased(ctx, j, "DELETE FROM jobs")
}

func (t *tx) Postpone(ctx context.Context, j store.Job, due time.Time) error {
	return t.leased(ctx, j, "UPDATE jobs SET due = ?, attempt = 0, token = NULL, until = NULL", due.UnixMicro())
}

func (t *tx) Extend(ctx context.Context, j store.Job, until time.Time) error {
	return t.leased(ctx, j, "UPDATE jobs SET until = ?", until.UnixMicro())
}

func (t *tx) PauseGroup(ctx context.Context, k store.JobKind, group string, until time.Time) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	no, err := t.groupNo(k, group)
	if err != nil {
		return err
	}
	return t.fail(t.conn.exec("UPDATE groups SET held = ? WHERE no = ?", until.UnixMicro(), no))
}

// endLeases makes all leased jobs claimable. Their attempts stay counted.
func (s *Store) endLeases() error {
	return s.writeAlone(context.Background(), func(c *conn) error {
		return c.exec("UPDATE jobs SET until = 0 WHERE until > 0")
	})
}

// Claim leases jobs one by one in one transaction, each from the group whose turn
// it is: a claim of ten jobs equals ten claims of one.
func (s *Store) Claim(ctx context.Context, r store.ClaimRequest) ([]store.Job, error) {
	var jobs []store.Job
	t := &tx{store: s, write: true}
	err := s.write(ctx, t, func() error {
		if len(r.Kinds) == 0 {
			return nil
		}
		cl := claim{conn: t.conn, r: r, now: r.Now.UnixMicro(), until: r.Now.Add(r.Lease).UnixMicro()}
		if err := cl.run(); err != nil {
			return err
		}
		jobs = cl.jobs
		return nil
	})
	if err != nil {
		return nil, err
	}
	return jobs, nil
}

// claim is one running Claim.
type claim struct {
	conn            *conn
	r               store.ClaimRequest
	now, until      int64 // microseconds
	leasedByAccount map[int64]int
	jobs            []store.Job
	numbers         []int64       // jobs.no of each of jobs
	served          []*claimGroup // groups that this claim has leased jobs of
}

// claimGroup is a group with due jobs.
type claimGroup struct {
	no      int64
	kind    store.JobKind
	name    string
	account int64 // the account of all its jobs; 0 if there are several
	leased  int   // its jobs that are leased now
	served  int64 // running number of its last lease by this claim; 0 for none

	// Jobs read ahead, and the position after the last of them. The number read
	// grows, because most groups get one job of a claim and few get many.
	ready     []claimJob
	size      int
	due       int64
	job       int64
	exhausted bool
}

type claimJob struct {
	no, account int64
	job         store.Job
}

func (c *claim) run() error {
	queue, err := c.groups()
	if err != nil || len(queue) == 0 {
		return err
	}
	if err := c.countLeased(queue); err != nil {
		return err
	}
	served, _, err := c.conn.queryInt("SELECT value FROM meta WHERE name = 'served'")
	if err != nil {
		return err
	}
	before := served
	for len(queue) > 0 && (c.r.Limit <= 0 || len(c.jobs) < c.r.Limit) {
		g := queue[0]
		queue = queue[1:]
		if limit := c.r.GroupLimit(g.name); limit > 0 && g.leased >= limit || g.account != 0 && c.accountFull(g.account) {
			continue
		}
		j, ok, err := c.next(g)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		served++
		c.lease(g, j, served)
		// The group was just served, so it goes to the end.
		queue = append(queue, g)
	}
	if served == before {
		return nil
	}
	if err := c.writeLeases(); err != nil {
		return err
	}
	for _, g := range c.served {
		if err := c.conn.exec("UPDATE groups SET served = ? WHERE no = ?", g.served, g.no); err != nil {
			return err
		}
	}
	return c.conn.exec("UPDATE meta SET value = ? WHERE name = 'served'", served)
}

// groups returns the groups that have jobs to claim, least recently served first;
// groups that were never served come first, in order of creation.
func (c *claim) groups() ([]*claimGroup, error) {
	q := query{}
	q.add("SELECT no, kind, name, ifnull(account, 0) FROM groups g WHERE kind ")
	q.in(store.TextColumn, kindValues(c.r.Kinds))
	q.add(` AND (held IS NULL OR held <= ?)
		AND EXISTS (SELECT 1 FROM jobs WHERE grp = g.no AND due <= ? AND (until IS NULL OR until <= ?))
		ORDER BY served, no`, c.now, c.now, c.now)
	var groups []*claimGroup
	err := c.conn.query(q.String(), q.args, func(v []driver.Value) error {
		groups = append(groups, &claimGroup{
			no: v[0].(int64), kind: store.JobKind(v[1].(string)), name: v[2].(string), account: v[3].(int64), due: -1 << 63,
		})
		return nil
	})
	return groups, err
}

// countLeased counts the jobs of these kinds that are leased now, if the request
// has a bound that needs it.
func (c *claim) countLeased(groups []*claimGroup) error {
	c.leasedByAccount = map[int64]int{}
	if c.r.PerGroup <= 0 && c.r.PerAccount <= 0 && len(c.r.GroupLimits) == 0 {
		return nil
	}
	byNo := make(map[int64]*claimGroup, len(groups))
	for _, g := range groups {
		byNo[g.no] = g
	}
	// Few jobs are leased, so start from these; SQLite's planner would read all
	// jobs of the groups.
	q := query{}
	q.add("SELECT j.grp, j.account, count(*) FROM jobs j INDEXED BY jobs_leased CROSS JOIN groups g ON g.no = j.grp WHERE j.until > ? AND g.kind ", c.now)
	q.in(store.TextColumn, kindValues(c.r.Kinds))
	q.add(" GROUP BY j.grp, j.account")
	return c.conn.query(q.String(), q.args, func(v []driver.Value) error {
		n := int(v[2].(int64))
		if g := byNo[v[0].(int64)]; g != nil {
			g.leased += n
		}
		c.leasedByAccount[v[1].(int64)] += n
		return nil
	})
}

// next returns the group's earliest due job whose account may have one more.
func (c *claim) next(g *claimGroup) (claimJob, bool, error) {
	for {
		if len(g.ready) == 0 {
			if g.exhausted {
				return claimJob{}, false, nil
			}
			if err := c.read(g); err != nil {
				return claimJob{}, false, err
			}
			continue
		}
		j := g.ready[0]
		g.ready = g.ready[1:]
		if !c.accountFull(j.account) {
			return j, true, nil
		}
	}
}

// accountFull reports whether the account may have no more jobs in this claim.
func (c *claim) accountFull(account int64) bool {
	return c.r.PerAccount > 0 && c.leasedByAccount[account] >= c.r.PerAccount
}

// read reads the group's next jobs.
func (c *claim) read(g *claimGroup) error {
	g.size = min(max(4, 2*g.size), 256)
	size := g.size
	if limit := c.r.GroupLimit(g.name); limit > 0 {
		size = min(size, limit-g.leased) // at least 1: see run
	}
	n := 0
	err := c.conn.query(`SELECT j.no, j.account, a.id, j.id, j.ref, j.data, j.due, j.attempt
		FROM jobs j JOIN accounts a ON a.no = j.account
		WHERE j.grp = ? AND (j.due, j.no) > (?, ?) AND j.due <= ? AND (j.until IS NULL OR j.until <= ?)
		ORDER BY j.due, j.no LIMIT +?`,
		[]driver.Value{g.no, g.due, g.job, c.now, c.now, int64(size)}, func(v []driver.Value) error {
			j := claimJob{no: v[0].(int64), account: v[1].(int64), job: store.Job{
				Kind: g.kind, Group: g.name,
				Data: blob(v[5]), Due: time.UnixMicro(v[6].(int64)).UTC(), Attempt: int(v[7].(int64)),
			}}
			copy(j.job.Account[:], blob(v[2]))
			copy(j.job.ID[:], blob(v[3]))
			copy(j.job.Ref[:], blob(v[4]))
			g.ready = append(g.ready, j)
			g.due, g.job = v[6].(int64), j.no
			n++
			return nil
		})
	g.exhausted = n < size
	return err
}

// lease gives the job a token and counts it.
func (c *claim) lease(g *claimGroup, j claimJob, served int64) {
	j.job.Token = uuid.New()
	j.job.Attempt++
	if g.served == 0 {
		c.served = append(c.served, g)
	}
	g.served = served
	g.leased++
	c.leasedByAccount[j.account]++
	c.jobs, c.numbers = append(c.jobs, j.job), append(c.numbers, j.no)
}

// leaseRows updates jobs by their numbers. Its texts are made before stores share it.
var leaseRows = func() *rowStatement {
	s := &rowStatement{table: "jobs", columns: []string{"no", "token", "until", "attempt"}}
	for n := 1; n <= maxRowsPerStatement; n++ {
		s.text(n)
	}
	return s
}()

// writeLeases writes the leases, several jobs with each statement.
func (c *claim) writeLeases() error {
	var args []driver.Value
	for first := 0; first < len(c.jobs); {
		n := rowsOfStatement(len(c.jobs) - first)
		args = args[:0]
		for i := first; i < first+n; i++ {
			args = append(args, c.numbers[i], c.jobs[i].Token[:], c.until, int64(c.jobs[i].Attempt))
		}
		if err := c.conn.exec(leaseRows.text(n), args...); err != nil {
			return err
		}
		first += n
	}
	return nil
}

// NextDue looks up each group's earliest job that was never claimed, in an index,
// and reads all jobs that were.
func (s *Store) NextDue(ctx context.Context, kinds []store.JobKind) (time.Time, error) {
	c, err := s.acquireReader(ctx)
	if err != nil {
		return time.Time{}, err
	}
	defer s.releaseReader(c)
	if len(kinds) == 0 {
		return time.Time{}, nil
	}
	// max with several arguments is NULL if one of them is; the smallest integer
	// stands for "no bound".
	const never = "-9223372036854775808"
	q := query{}
	q.add("SELECT min(at) FROM (SELECT max((SELECT due FROM jobs WHERE grp = g.no AND until IS NULL ORDER BY due LIMIT 1), ifnull(held, " + never + ")) AS at FROM groups g WHERE kind ")
	q.in(store.TextColumn, kindValues(kinds))
	q.add(" UNION ALL SELECT max(j.due, j.until, ifnull(g.held, " + never + ")) FROM jobs j INDEXED BY jobs_leased CROSS JOIN groups g ON g.no = j.grp WHERE j.until IS NOT NULL AND g.kind ")
	q.in(store.TextColumn, kindValues(kinds))
	q.add(")")
	at, ok, err := c.queryInt(q.String(), q.args...)
	if err != nil || !ok {
		return time.Time{}, err
	}
	return time.UnixMicro(at).UTC(), nil
}

func kindValues(kinds []store.JobKind) []driver.Value {
	values := make([]driver.Value, len(kinds))
	for i, k := range kinds {
		values[i] = string(k)
	}
	return values
}

package postgres

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/landfallhq/tracking/store"
)

// Claim leases jobs one by one in one transaction, each from the group that was served
// least recently: a claim of ten jobs equals ten claims of one. Claims are serial in the
// database, because the bounds per group and per account count what others have leased.
func (s *Store) Claim(ctx context.Context, r store.ClaimRequest) (jobs []store.Job, err error) {
	if s.opts.ReadOnly {
		return nil, cmp.Or(s.checkOpen(ctx), store.ErrReadOnly)
	}
	if err := s.checkOpen(ctx); err != nil || len(r.Kinds) == 0 {
		return nil, err
	}
	err = s.retry(ctx, func() (err error) {
		jobs, err = s.claim(ctx, r)
		return err
	})
	return jobs, err
}

func (s *Store) claim(ctx context.Context, r store.ClaimRequest) ([]store.Job, error) {
	conn, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	t := s.newTx(conn.Conn(), store.AccountID{})
	t.write = true
	defer t.end()
	c := &claim{tx: t, r: r, now: r.Now.UnixMicro(), leasedByAccount: map[int64]int{}}
	t.queueBegin("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
	t.queue(lockClaims)
	if err := c.run(); err != nil {
		return nil, err
	}
	if err := c.commit(); err != nil {
		return nil, err
	}
	return c.jobs, nil
}

// claim is one running Claim.
type claim struct {
	*tx
	r               store.ClaimRequest
	now             int64         // microseconds
	queue           []*claimGroup // in the order of serving
	leasedByAccount map[int64]int
	served          int64 // the number of the last claim

	jobs      []store.Job
	numbers   []int64         // jobs.no of jobs
	lastOf    map[int64]int64 // the number of the last claim of each group that was served
	readAhead int             // how many jobs of a group are read next
}

// claimGroup is a group with due jobs.
type claimGroup struct {
	no      int64
	kind    store.JobKind
	name    string
	account int64 // the account of all its jobs; 0 if there are several
	leased  int   // its jobs that are leased now

	// Jobs read ahead, and the position after the last of them.
	ready      []claimJob
	due, place int64
	exhausted  bool
}

type claimJob struct {
	no, account int64
	job         store.Job
}

func (c *claim) run() error {
	if err := c.readState(); err != nil {
		return err
	}
	c.lastOf, c.readAhead = map[int64]int64{}, 4
	if n := len(c.queue); n > 0 && n <= c.r.Limit {
		c.readAhead = max(c.readAhead, c.r.Limit/n+1) // what each gets if all get the same number
	}
	for len(c.queue) > 0 && (c.r.Limit <= 0 || len(c.jobs) < c.r.Limit) {
		g := c.queue[0]
		c.queue = c.queue[1:]
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
		c.lease(g, j)
		// The group was just served, so it goes to the end.
		c.queue = append(c.queue, g)
	}
	return nil
}

// readState reads the groups that have jobs to claim, least recently served first, and how
// many jobs of these kinds are leased now. Groups that were never served come first, in
// order of creation.
func (c *claim) readState() error {
	byNo := map[int64]*claimGroup{}
	kinds := textArray(c.r.Kinds)
	groups := read{`SELECT no, kind, name, coalesce(account, 0) FROM groups g
		WHERE kind = ANY($1) AND (held IS NULL OR held <= $2)
			AND EXISTS (SELECT 1 FROM jobs WHERE grp = g.no AND due <= $2 AND (until IS NULL OR until <= $2))
		ORDER BY served, no FOR NO KEY UPDATE SKIP LOCKED`, []any{kinds, c.now}, func(rows pgx.Rows) error {
		var name []byte
		g := &claimGroup{due: -1 << 63}
		err := rows.Scan(&g.no, (*string)(&g.kind), &name, &g.account)
		g.name = string(name)
		byNo[g.no] = g
		c.queue = append(c.queue, g)
		return err
	}}
	leased := read{`SELECT j.grp, j.account, count(*) FROM jobs j JOIN groups g ON g.no = j.grp
		WHERE j.until > $2 AND j.until IS NOT NULL AND g.kind = ANY($1) GROUP BY j.grp, j.account`, []any{kinds, c.now}, func(rows pgx.Rows) error {
		var group, account int64
		var n int
		if err := rows.Scan(&group, &account, &n); err != nil {
			return err
		}
		if g := byNo[group]; g != nil {
			g.leased += n
		}
		c.leasedByAccount[account] += n
		return nil
	}}
	served := read{"SELECT last_value FROM served", nil, func(rows pgx.Rows) error { return rows.Scan(&c.served) }}
	return c.send(groups, leased, served)
}

// accountFull reports whether the account may have no more jobs in this claim.
func (c *claim) accountFull(account int64) bool {
	return c.r.PerAccount > 0 && c.leasedByAccount[account] >= c.r.PerAccount
}

// next returns the group's earliest due job whose account may have one more.
func (c *claim) next(g *claimGroup) (claimJob, bool, error) {
	for {
		for len(g.ready) > 0 {
			j := g.ready[0]
			g.ready = g.ready[1:]
			if !c.accountFull(j.account) {
				return j, true, nil
			}
		}
		if g.exhausted {
			return claimJob{}, false, nil
		}
		if err := c.readJobs(g); err != nil {
			return claimJob{}, false, err
		}
	}
}

// groupsPerRead is how many groups have their jobs read together, at most.
const groupsPerRead = 256

// readJobs reads the next jobs of a group. The groups that follow and have none read are
// read with it, in the same statement.
func (c *claim) readJobs(g *claimGroup) error {
	together := []*claimGroup{g}
	for _, other := range c.queue[:min(len(c.queue), c.groupsAhead()-1)] {
		if len(other.ready) == 0 && !other.exhausted {
			together = append(together, other)
		}
	}
	var nos, dues, places []int64
	byNo := map[int64]*claimGroup{}
	for _, g := range together {
		nos, dues, places = append(nos, g.no), append(dues, g.due), append(places, g.place)
		byNo[g.no] = g
		g.exhausted = true
	}
	size := c.readAhead
	c.readAhead = min(2*c.readAhead, 256)
	counts := map[int64]int{}
	return c.query(`SELECT j.grp, j.no, j.account, a.id, j.id, j.ref, j.data, j.due, j.place, j.attempt
		FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS g (no, due, place, position)
		CROSS JOIN LATERAL (
			SELECT * FROM jobs WHERE grp = g.no AND (due, place) > (g.due, g.place) AND due <= $4 AND (until IS NULL OR until <= $4)
			ORDER BY due, place LIMIT $5 FOR NO KEY UPDATE SKIP LOCKED
		) j JOIN accounts a ON a.no = j.account ORDER BY g.position, j.due, j.place`,
		[]any{nos, dues, places, c.now, size}, func(rows pgx.Rows) error {
			var group, due, place int64
			var j claimJob
			err := rows.Scan(&group, &j.no, &j.account, (*[16]byte)(&j.job.Account), (*[16]byte)(&j.job.ID), (*[16]byte)(&j.job.Ref), &j.job.Data, &due, &place, &j.job.Attempt)
			g := byNo[group]
			j.job.Kind, j.job.Group, j.job.Due = g.kind, g.name, time.UnixMicro(due).UTC()
			g.ready = append(g.ready, j)
			g.due, g.place = due, place
			counts[group]++
			g.exhausted = counts[group] < size
			return err
		})
}

// groupsAhead is how many groups have their jobs read together: no more than can be served.
func (c *claim) groupsAhead() int {
	if c.r.Limit <= 0 {
		return groupsPerRead
	}
	return min(c.r.Limit-len(c.jobs), groupsPerRead)
}

// lease gives the job a token and counts it.
func (c *claim) lease(g *claimGroup, j claimJob) {
	j.job.Token = uuid.New()
	j.job.Attempt++
	c.served++
	c.lastOf[g.no] = c.served
	g.leased++
	c.leasedByAccount[j.account]++
	c.jobs, c.numbers = append(c.jobs, j.job), append(c.numbers, j.no)
}

// commit writes the leases.
func (c *claim) commit() error {
	if len(c.jobs) > 0 {
		tokens := make([][16]byte, len(c.jobs))
		for i, j := range c.jobs {
			tokens[i] = j.Token
		}
		c.tx.queue(`UPDATE jobs SET token = leased.token, until = $3, attempt = attempt + 1
			FROM unnest($1::bigint[], $2::uuid[]) AS leased (no, token) WHERE jobs.no = leased.no`,
			c.numbers, tokens, c.r.Now.Add(c.r.Lease).UnixMicro())
		var groups, served []int64
		for group, number := range c.lastOf {
			groups, served = append(groups, group), append(served, number)
		}
		slices.Sort(groups) // rows are locked in one order
		for i, group := range groups {
			served[i] = c.lastOf[group]
		}
		c.tx.queue("UPDATE groups SET served = now.served FROM unnest($1::bigint[], $2::bigint[]) AS now (no, served) WHERE groups.no = now.no", groups, served)
		c.tx.queue("SELECT setval('served', $1)", c.served)
	}
	return c.send(read{sql: "COMMIT"})
}

package postgres

import (
	"cmp"
	"container/heap"
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
	s.follower.mu.Lock()
	defer s.follower.mu.Unlock()
	conn, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	t := s.newTx(conn.Conn(), store.AccountID{})
	t.write = true
	defer t.end()
	c := &claim{tx: t, follower: &s.follower, r: r, now: r.Now.UnixMicro(), leasedByAccount: map[int64]int{}, leasedByGroup: map[*jobGroup]int{}}
	t.queueBegin("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
	t.queue(planClaims)
	t.queue(lockClaims)
	if err := c.run(); err != nil {
		return nil, err
	}
	if err := c.commit(); err != nil {
		s.follower.seen = "" // it may remember what was rolled back
		return nil, err
	}
	return c.result(), nil
}

// planClaims has each statement planned once, for indexes. The tables have few rows, but while a
// snapshot is held many more dead ones, of which the planner knows nothing. Where there is no
// index, as for a sequence, it then expects high costs, and would compile.
const planClaims = "SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)"

// claim is one running Claim.
type claim struct {
	*tx
	*follower
	r               store.ClaimRequest
	now             int64 // microseconds
	leasedByAccount map[int64]int
	leasedByGroup   map[*jobGroup]int
	lastServed      int64 // the number of the last claim

	// The groups with jobs in the order of serving: first those in next, then the others.
	// Those that this claim has served come last.
	next   []*claimGroup
	others groupHeap
	again  []*claimGroup
	// looked are the groups whose jobs were read.
	looked []*jobGroup

	taken     []claimJob          // in the order of leasing
	lastOf    map[*jobGroup]int64 // the number of the last claim of each group that was served
	readAhead int                 // how many jobs of a group are read next
}

// claimGroup is a group in a claim.
type claimGroup struct {
	*jobGroup
	// Jobs read ahead, and the position of the last of them.
	ready     []claimJob
	read      position
	looked    bool
	exhausted bool
}

type claimJob struct {
	no, account int64
	job         store.Job
}

func (c *claim) run() error {
	if err := c.readState(); err != nil {
		return err
	}
	c.lastOf, c.readAhead = map[*jobGroup]int64{}, 4
	if n := c.others.Len(); n > 0 && c.r.Limit > 0 {
		c.readAhead = c.r.Limit/n + 1 // what each gets if all get the same number
	}
	for c.r.Limit <= 0 || len(c.taken) < c.r.Limit {
		g := c.nextGroup()
		if g == nil {
			break
		}
		if limit := c.r.GroupLimit(g.name); limit > 0 && c.leasedByGroup[g.jobGroup] >= limit || g.account != 0 && c.accountFull(g.account) {
			continue
		}
		j, ok, err := c.nextJob(g)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		c.lease(g, j)
		c.again = append(c.again, g)
	}
	return nil
}

// readState reads what has changed since the last claim, and which groups may have due jobs.
func (c *claim) readState() error {
	served := read{"SELECT last_value FROM served", nil, func(rows pgx.Rows) error { return rows.Scan(&c.lastServed) }}
	if err := c.follow(c.tx, served); err != nil {
		return err
	}
	for _, j := range c.leases {
		switch {
		case !slices.Contains(c.r.Kinds, j.group.kind):
		case j.until > c.now:
			c.leasedByAccount[j.account]++
			c.leasedByGroup[j.group]++
		default:
			j.group.lowerFront(j.at)
		}
	}
	c.others.less = func(a, b *jobGroup) bool {
		return cmp.Or(cmp.Compare(a.served, b.served), cmp.Compare(a.no, b.no)) < 0
	}
	for _, g := range c.groups {
		if g.front.due <= c.now && g.held <= c.now && slices.Contains(c.r.Kinds, g.kind) {
			c.others.groups = append(c.others.groups, g)
		}
	}
	heap.Init(&c.others)
	return nil
}

// nextGroup removes the group that was served least recently. Groups that were never served
// come first, in order of creation. It returns nil if there is none.
func (c *claim) nextGroup() *claimGroup {
	if len(c.next) == 0 {
		for range min(c.others.Len(), c.groupsAhead()) {
			g := heap.Pop(&c.others).(*jobGroup)
			c.next = append(c.next, &claimGroup{jobGroup: g, read: position{g.front.due, g.front.place - 1}})
		}
	}
	if len(c.next) == 0 {
		c.next, c.again = c.again, nil
	}
	if len(c.next) == 0 {
		return nil
	}
	g := c.next[0]
	c.next = c.next[1:]
	return g
}

// accountFull reports whether the account may have no more jobs in this claim.
func (c *claim) accountFull(account int64) bool {
	return c.r.PerAccount > 0 && c.leasedByAccount[account] >= c.r.PerAccount
}

// nextJob returns the group's earliest due job whose account may have one more.
func (c *claim) nextJob(g *claimGroup) (claimJob, bool, error) {
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
	for _, other := range c.next[:min(len(c.next), c.groupsAhead()-1)] {
		if len(other.ready) == 0 && !other.exhausted {
			together = append(together, other)
		}
	}
	var nos, dues, places []int64
	byNo := map[int64]*claimGroup{}
	for _, g := range together {
		nos, dues, places = append(nos, g.no), append(dues, g.read.due), append(places, g.read.place)
		byNo[g.no] = g
		g.exhausted = true
		if !g.looked {
			g.looked = true
			c.looked = append(c.looked, g.jobGroup)
		}
	}
	size := c.readAhead
	c.readAhead = min(2*c.readAhead, 256)
	counts := map[int64]int{}
	return c.query(`SELECT j.grp, j.no, j.account, j.id, j.ref, j.data, j.due, j.place, j.attempt
		FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS g (no, due, place, position)
		CROSS JOIN LATERAL (
			SELECT * FROM jobs WHERE grp = g.no AND (due, place) > (g.due, g.place) AND due <= $4 AND (until IS NULL OR until <= $4)
			ORDER BY due, place LIMIT $5 FOR NO KEY UPDATE SKIP LOCKED
		) j ORDER BY g.position, j.due, j.place`,
		[]any{nos, dues, places, c.now, size}, func(rows pgx.Rows) error {
			var group, due, place int64
			var j claimJob
			err := rows.Scan(&group, &j.no, &j.account, (*[16]byte)(&j.job.ID), (*[16]byte)(&j.job.Ref), &j.job.Data, &due, &place, &j.job.Attempt)
			g := byNo[group]
			j.job.Kind, j.job.Group, j.job.Due = g.kind, g.name, time.UnixMicro(due).UTC()
			g.ready = append(g.ready, j)
			g.read = position{due, place}
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
	return min(c.r.Limit-len(c.taken), groupsPerRead)
}

// lease gives the job a token and counts it.
func (c *claim) lease(g *claimGroup, j claimJob) {
	j.job.Token = uuid.New()
	j.job.Attempt++
	c.lastServed++
	c.lastOf[g.jobGroup] = c.lastServed
	c.leasedByGroup[g.jobGroup]++
	c.leasedByAccount[j.account]++
	c.taken = append(c.taken, j)
}

// commit writes the leases.
func (c *claim) commit() error {
	var reads []read
	if len(c.taken) > 0 {
		c.queueLeases()
		c.queueServings()
		if unknown := c.unknownAccounts(); len(unknown) > 0 {
			reads = append(reads, read{"SELECT no, id FROM accounts WHERE no = ANY($1)", []any{unknown}, c.noteAccount})
		}
	}
	if len(c.looked) > 0 {
		reads = append(reads, findFronts(c.looked)) // sees the leases of this claim
	}
	return c.send(append(reads, read{sql: "COMMIT"})...)
}

func (c *claim) queueLeases() {
	numbers, tokens := make([]int64, len(c.taken)), make([][16]byte, len(c.taken))
	for i, j := range c.taken {
		numbers[i], tokens[i] = j.no, j.job.Token
	}
	c.queue(`UPDATE jobs SET token = leased.token, until = $3, attempt = attempt + 1
		FROM unnest($1::bigint[], $2::uuid[]) AS leased (no, token) WHERE jobs.no = leased.no`,
		numbers, tokens, c.r.Now.Add(c.r.Lease).UnixMicro())
}

// queueServings writes which groups were served. When it fails, what it has changed in memory
// is read again.
func (c *claim) queueServings() {
	var before, groups, served []int64
	for g, number := range c.lastOf {
		before, groups, served = append(before, g.served), append(groups, g.no), append(served, number)
		g.served = number
	}
	c.queue("DELETE FROM servings WHERE served = ANY($1)", before)
	c.queue("INSERT INTO servings (grp, served) SELECT * FROM unnest($1::bigint[], $2::bigint[])", groups, served)
	c.queue("SELECT setval('served', $1)", c.lastServed)
}

func (c *claim) unknownAccounts() (nos []int64) {
	for _, j := range c.taken {
		if _, ok := c.accounts[j.account]; !ok {
			nos = append(nos, j.account)
		}
	}
	return nos
}

// result returns the jobs that were leased.
func (c *claim) result() []store.Job {
	var jobs []store.Job
	for _, j := range c.taken {
		j.job.Account = c.accounts[j.account]
		jobs = append(jobs, j.job)
	}
	return jobs
}

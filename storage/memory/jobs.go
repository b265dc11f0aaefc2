package memory

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

type jobKey struct {
	account store.AccountID
	id      store.ID
}

func (k jobKey) Compare(o jobKey) int {
	return cmp.Or(compareAccounts(k.account, o.account), bytes.Compare(k.id[:], o.id[:]))
}

// job is a stored job. Until it is claimed, Token and until are zero.
type job struct {
	store.Job
	number int64 // order of enqueueing
	until  time.Time
}

// claimable returns when the job can be claimed, ignoring a pause of its group.
func (j *job) claimable() time.Time {
	if j.until.After(j.Due) {
		return j.until
	}
	return j.Due
}

type groupKey struct {
	kind store.JobKind
	name string
}

func (k groupKey) Compare(o groupKey) int {
	return cmp.Or(cmp.Compare(k.kind, o.kind), cmp.Compare(k.name, o.name))
}

// group is the state of the jobs of one kind that share a group. It stays when its
// last job is finished, because it has the group's place in the order of serving.
type group struct {
	number      int64 // order of first mention
	served      int64 // 0 for never
	pausedUntil time.Time
}

// group returns the group, and adds it if it is new.
func (s *state) group(key groupKey) group {
	g, ok := s.groups.get(key)
	if !ok {
		s.number++
		g.number = s.number
		s.groups = s.groups.put(key, g)
	}
	return g
}

func (t *tx) Enqueue(ctx context.Context, j store.Job) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	j.Account, j.Token, j.Attempt = t.account, store.ID{}, 0
	j.Due = microsecond(j.Due)
	j.Data = bytes.Clone(j.Data)
	t.state.group(groupKey{j.Kind, j.Group})
	t.state.number++
	t.state.jobs = t.state.jobs.put(jobKey{t.account, j.ID}, &job{Job: j, number: t.state.number})
	return nil
}

func (t *tx) EnqueueBy(ctx context.Context, j store.Job) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	stored, ok := t.state.jobs.get(jobKey{t.account, j.ID})
	if !ok {
		return t.Enqueue(ctx, j)
	}
	due := microsecond(j.Due)
	if stored.Token != (store.ID{}) || !due.Before(stored.Due) {
		return nil
	}
	earlier := *stored
	earlier.Due = due
	t.state.jobs = t.state.jobs.put(jobKey{t.account, j.ID}, &earlier)
	return nil
}

// leased returns the job of this account with the ID of j, and whether j holds its
// lease.
func (t *tx) leased(j store.Job) (*job, bool) {
	stored, ok := t.state.jobs.get(jobKey{t.account, j.ID})
	return stored, ok && stored.Token != store.ID{} && stored.Token == j.Token
}

func (t *tx) Finish(ctx context.Context, j store.Job) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	if _, ok := t.leased(j); !ok {
		return store.ErrLeaseLost
	}
	t.state.jobs = t.state.jobs.remove(jobKey{t.account, j.ID})
	return nil
}

func (t *tx) Postpone(ctx context.Context, j store.Job, due time.Time) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	stored, ok := t.leased(j)
	if !ok {
		return store.ErrLeaseLost
	}
	postponed := job{Job: stored.Job, number: stored.number}
	postponed.Token, postponed.Attempt, postponed.Due = store.ID{}, 0, microsecond(due)
	t.state.jobs = t.state.jobs.put(jobKey{t.account, j.ID}, &postponed)
	return nil
}

func (t *tx) Extend(ctx context.Context, j store.Job, until time.Time) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	stored, ok := t.leased(j)
	if !ok {
		return store.ErrLeaseLost
	}
	extended := *stored
	extended.until = microsecond(until)
	t.state.jobs = t.state.jobs.put(jobKey{t.account, j.ID}, &extended)
	return nil
}

func (t *tx) PauseGroup(ctx context.Context, k store.JobKind, name string, until time.Time) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	g := t.state.group(groupKey{k, name})
	g.pausedUntil = microsecond(until)
	t.state.groups = t.state.groups.put(groupKey{k, name}, g)
	return nil
}

// Claim leases jobs one by one, each from the group whose turn it is: a claim of
// ten jobs equals ten claims of one.
func (s *Store) Claim(ctx context.Context, r store.ClaimRequest) ([]store.Job, error) {
	var claimed []store.Job
	err := s.write(ctx, func(next *state) error {
		c := next.claim(r)
		for r.Limit <= 0 || len(claimed) < r.Limit {
			j := c.next(r)
			if j == nil {
				break
			}
			leased := *j
			leased.Token = newToken()
			leased.Attempt++
			leased.until = microsecond(r.Now.Add(r.Lease))
			next.jobs = next.jobs.put(jobKey{j.Account, j.ID}, &leased)
			next.served++
			g := c.groups[j.group()]
			g.served = next.served
			next.groups = next.groups.put(j.group(), *g)
			claimed = append(claimed, leased.Job)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return claimed, nil
}

func (j *job) group() groupKey { return groupKey{j.Kind, j.Group} }

// claim is the working state of one Claim.
type claim struct {
	waiting   []*job // claimable jobs, ignoring the bounds
	groups    map[groupKey]*group
	byGroup   map[groupKey]int // number of jobs leased now
	byAccount map[store.AccountID]int
}

func (s *state) claim(r store.ClaimRequest) *claim {
	now := microsecond(r.Now)
	c := &claim{groups: map[groupKey]*group{}, byGroup: map[groupKey]int{}, byAccount: map[store.AccountID]int{}}
	s.jobs.all(func(_ jobKey, j *job) bool {
		if !slices.Contains(r.Kinds, j.Kind) {
			return true
		}
		g, _ := s.groups.get(j.group())
		c.groups[j.group()] = &g
		switch {
		case j.until.After(now):
			c.byGroup[j.group()]++
			c.byAccount[j.Account]++
		case !j.Due.After(now) && !g.pausedUntil.After(now):
			c.waiting = append(c.waiting, j)
		}
		return true
	})
	return c
}

// next takes the job whose turn it is; nil if there is none.
func (c *claim) next(r store.ClaimRequest) *job {
	best := -1
	for i, j := range c.waiting {
		if limit := r.GroupLimit(j.Group); limit > 0 && c.byGroup[j.group()] >= limit || r.PerAccount > 0 && c.byAccount[j.Account] >= r.PerAccount {
			continue
		}
		if best < 0 || c.compare(j, c.waiting[best]) < 0 {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	j := c.waiting[best]
	c.waiting = slices.Delete(c.waiting, best, best+1)
	c.byGroup[j.group()]++
	c.byAccount[j.Account]++
	return j
}

// compare orders jobs by their turn.
func (c *claim) compare(a, b *job) int {
	g, h := c.groups[a.group()], c.groups[b.group()]
	return cmp.Or(
		cmp.Compare(g.served, h.served),
		cmp.Compare(g.number, h.number), // never served: in order of creation
		a.Due.Compare(b.Due),
		cmp.Compare(a.number, b.number))
}

func (s *Store) NextDue(ctx context.Context, kinds []store.JobKind) (time.Time, error) {
	if err := s.checkOpen(ctx); err != nil {
		return time.Time{}, err
	}
	now := s.state.Load()
	var next time.Time
	now.jobs.all(func(_ jobKey, j *job) bool {
		if !slices.Contains(kinds, j.Kind) {
			return true
		}
		at := j.claimable()
		if g, _ := now.groups.get(j.group()); g.pausedUntil.After(at) {
			at = g.pausedUntil
		}
		if next.IsZero() || at.Before(next) {
			next = at
		}
		return true
	})
	return next, nil
}

package memory

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking"
)

type jobKey struct {
	account tracking.AccountID
	id      tracking.ID
}

func (k jobKey) Compare(o jobKey) int {
	return cmp.Or(compareAccounts(k.account, o.account), bytes.Compare(k.id[:], o.id[:]))
}

// job is a stored job. Its Token is the zero ID and its until the zero time as
// long as nobody has claimed it.
type job struct {
	tracking.Job
	number int64 // order of enqueueing
	until  time.Time
}

// claimable returns from when on the job can be claimed, its group's hold aside.
func (j *job) claimable() time.Time {
	if j.until.After(j.Due) {
		return j.until
	}
	return j.Due
}

type groupKey struct {
	kind tracking.JobKind
	name string
}

func (k groupKey) Compare(o groupKey) int {
	return cmp.Or(cmp.Compare(k.kind, o.kind), cmp.Compare(k.name, o.name))
}

// group is what is known about the jobs of one kind that share a group. It
// stays when its last job is finished, so that its turn is remembered.
type group struct {
	number int64 // order of first mention
	served int64 // 0: never
	held   time.Time
}

// group returns the group, noting it when it is new.
func (s *state) group(key groupKey) group {
	g, ok := s.groups.get(key)
	if !ok {
		s.number++
		g.number = s.number
		s.groups = s.groups.put(key, g)
	}
	return g
}

func (t *tx) Enqueue(ctx context.Context, j tracking.Job) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	j.Account, j.Token, j.Attempt = t.account, tracking.ID{}, 0
	j.Due = microsecond(j.Due)
	j.Data = bytes.Clone(j.Data)
	t.state.group(groupKey{j.Kind, j.Group})
	t.state.number++
	t.state.jobs = t.state.jobs.put(jobKey{t.account, j.ID}, &job{Job: j, number: t.state.number})
	return nil
}

// leased returns the job of this account that j names and whose lease j holds.
func (t *tx) leased(j tracking.Job) (*job, bool) {
	stored, ok := t.state.jobs.get(jobKey{t.account, j.ID})
	return stored, ok && stored.Token != tracking.ID{} && stored.Token == j.Token
}

func (t *tx) Finish(ctx context.Context, j tracking.Job) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	if _, ok := t.leased(j); !ok {
		return tracking.ErrLeaseLost
	}
	t.state.jobs = t.state.jobs.remove(jobKey{t.account, j.ID})
	return nil
}

func (t *tx) Extend(ctx context.Context, j tracking.Job, until time.Time) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	stored, ok := t.leased(j)
	if !ok {
		return tracking.ErrLeaseLost
	}
	extended := *stored
	extended.until = microsecond(until)
	t.state.jobs = t.state.jobs.put(jobKey{t.account, j.ID}, &extended)
	return nil
}

func (t *tx) Hold(ctx context.Context, k tracking.JobKind, name string, until time.Time) error {
	if err := t.begin(ctx, true); err != nil {
		return err
	}
	g := t.state.group(groupKey{k, name})
	g.held = microsecond(until)
	t.state.groups = t.state.groups.put(groupKey{k, name}, g)
	return nil
}

// Claim leases one job after the other, each time from the group that is next
// in turn: a claim of ten is ten claims of one.
func (s *Store) Claim(ctx context.Context, r tracking.ClaimRequest) ([]tracking.Job, error) {
	var claimed []tracking.Job
	err := s.write(ctx, func(next *state) error {
		for r.Limit <= 0 || len(claimed) < r.Limit {
			j := next.nextJob(r)
			if j == nil {
				break
			}
			leased := *j
			leased.Token = newToken()
			leased.Attempt++
			leased.until = microsecond(r.Now.Add(r.Lease))
			next.jobs = next.jobs.put(jobKey{j.Account, j.ID}, &leased)
			key := groupKey{j.Kind, j.Group}
			g := next.group(key)
			next.served++
			g.served = next.served
			next.groups = next.groups.put(key, g)
			claimed = append(claimed, leased.Job)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return claimed, nil
}

// nextJob returns the job whose turn it is, or nil.
func (s *state) nextJob(r tracking.ClaimRequest) *job {
	now := microsecond(r.Now)
	byGroup, byAccount := map[groupKey]int{}, map[tracking.AccountID]int{}
	s.jobs.all(func(_ jobKey, j *job) bool {
		if j.until.After(now) && slices.Contains(r.Kinds, j.Kind) {
			byGroup[groupKey{j.Kind, j.Group}]++
			byAccount[j.Account]++
		}
		return true
	})
	var best *job
	var bestGroup group
	s.jobs.all(func(_ jobKey, j *job) bool {
		key := groupKey{j.Kind, j.Group}
		g, _ := s.groups.get(key)
		switch {
		case !slices.Contains(r.Kinds, j.Kind), j.claimable().After(now), g.held.After(now):
		case r.PerGroup > 0 && byGroup[key] >= r.PerGroup:
		case r.PerAccount > 0 && byAccount[j.Account] >= r.PerAccount:
		case best == nil || cmp.Or(
			cmp.Compare(g.served, bestGroup.served),
			cmp.Compare(g.number, bestGroup.number),
			j.Due.Compare(best.Due),
			cmp.Compare(j.number, best.number)) < 0:
			best, bestGroup = j, g
		}
		return true
	})
	return best
}

// NextDue looks at every job of these kinds.
func (s *Store) NextDue(ctx context.Context, kinds []tracking.JobKind) (time.Time, error) {
	if err := s.open(ctx); err != nil {
		return time.Time{}, err
	}
	now := s.state.Load()
	var next time.Time
	now.jobs.all(func(_ jobKey, j *job) bool {
		if !slices.Contains(kinds, j.Kind) {
			return true
		}
		at := j.claimable()
		if g, _ := now.groups.get(groupKey{j.Kind, j.Group}); g.held.After(at) {
			at = g.held
		}
		if next.IsZero() || at.Before(next) {
			next = at
		}
		return true
	})
	return next, nil
}

package workers

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/landfallhq/tracking/store"
)

// loadRetryDelay is how long jobs are postponed that could not be loaded.
const loadRetryDelay = time.Minute

// session is one call of Run or Once.
type session[T Work] struct {
	*Pool[T]
	freed    chan struct{} // signals that claimed jobs have ended
	stopping chan struct{} // closed when Run stops; nil in Once
	running  sync.WaitGroup

	mu      sync.Mutex
	stopped bool
	epoch   int // number of calls of Reload
	claimed claimed
	shares  shares[T]
	batches map[store.AccountID]*batch[T]
}

func newSession[T Work](p *Pool[T]) *session[T] {
	return &session[T]{
		Pool: p, freed: make(chan struct{}, 1),
		claimed: claimed{}, shares: newShares(p.config), batches: map[store.AccountID]*batch[T]{},
	}
}

// stop returns the tasks that wait to run, and waits for those that run.
func (s *session[T]) stop() {
	close(s.stopping)
	s.mu.Lock()
	s.stopped = true
	for _, q := range s.shares.queues {
		s.returnQueued(q)
	}
	s.mu.Unlock()
	s.running.Wait()
}

// poll begins due jobs and returns when to poll next, unless it is woken earlier.
func (s *session[T]) poll(ctx context.Context) (next time.Time, err error) {
	now := s.config.Now()
	more := s.config.Before != nil && s.config.Before(ctx)
	next, err = s.config.Store.NextDue(ctx, s.config.Kinds) // a claim is a write
	if err == nil && !next.IsZero() && !next.After(now) {
		var n int
		if n, _, err = s.claim(ctx); n == 0 { // until claimed jobs end
			next = time.Time{}
		}
	}
	switch {
	case more:
		return now, err
	case err != nil || next.IsZero():
		return now.Add(idlePoll), err
	}
	return next, nil
}

// claim claims jobs, up to the capacity. A pool that accounts share claims up to half of
// it, but for Once. all: no more are due now.
func (s *session[T]) claim(ctx context.Context) (n int, all bool, err error) {
	s.mu.Lock()
	free, epoch := s.config.Workers*s.config.ReadAhead-s.claimed.total(), s.epoch
	limit, perAccount := free, s.config.PerAccount*s.config.ReadAhead
	var groupLimits map[string]int
	if s.config.Shared && s.stopping != nil {
		limit, perAccount = s.claimed.share(free, perAccount)
		groupLimits = s.shares.slowLimits()
	}
	s.mu.Unlock()
	if free <= 0 || s.config.ReadAhead > 1 && free < s.config.Workers { // small claims are expensive
		return 0, false, nil
	}
	now := s.config.Now().UTC()
	jobs, err := s.config.Store.Claim(ctx, store.ClaimRequest{
		Kinds: s.config.Kinds, Now: now, Lease: s.config.Lease,
		Limit: limit, PerGroup: s.config.PerGroup * s.config.GroupReadAhead, PerAccount: perAccount, GroupLimits: groupLimits,
	})
	if err != nil || len(jobs) == 0 {
		return 0, err == nil, err
	}
	byAccount := map[store.AccountID][]T{}
	for _, j := range jobs {
		v := s.config.New()
		*v.task() = Task{Job: j, LeaseEnd: now.Add(s.config.Lease)}
		byAccount[j.Account] = append(byAccount[j.Account], v)
	}
	s.mu.Lock()
	for account, tasks := range byAccount {
		s.claimed[account] += len(tasks)
	}
	s.mu.Unlock()
	var errs []error
	for account, tasks := range byAccount {
		errs = append(errs, s.begin(ctx, account, tasks, epoch))
	}
	return len(jobs), len(jobs) < limit, errors.Join(errs...)
}

// begin loads the tasks of an account and adds them to the queues of their groups.
func (s *session[T]) begin(ctx context.Context, account store.AccountID, tasks []T, epoch int) error {
	if s.config.Load != nil {
		free := context.WithoutCancel(ctx) // claimed jobs must not be left to their leases when ctx ends now
		err := s.config.Store.View(free, account, func(r store.RecordTx) error { return s.config.Load(free, r, account, tasks) })
		if err == nil {
			err = s.pauseGroups(account, tasks)
		}
		if err != nil {
			defer s.release(account, len(tasks))
			return errors.Join(err, s.postpone(account, tasks))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range tasks {
		if t := v.task(); t.Plan == PlanSkip || t.Plan == PlanReturn {
			s.record(v)
			continue
		}
		q := s.shares.add(v)
		if s.stopped || s.epoch != epoch {
			s.returnQueued(q)
		}
	}
	s.runWaiting(ctx)
	return nil
}

// update runs fn in an update of an account. The end of Run waits for it, so it does
// not depend on the context of Run.
func (s *session[T]) update(account store.AccountID, fn func(context.Context, store.RecordTx) error) error {
	turn, cancel := context.WithTimeout(context.Background(), s.config.WriteWait)
	defer cancel()
	return s.config.Store.Update(turn, account, func(r store.RecordTx) error { return fn(context.Background(), r) })
}

// pauseGroups pauses the groups of tasks that run alone. Of one group, only the first
// such task runs.
func (s *session[T]) pauseGroups(account store.AccountID, tasks []T) error {
	alone := map[group]*Task{}
	for _, v := range tasks {
		t := v.task()
		if t.Plan != PlanRunAlone {
			continue
		}
		if g := groupOf(t.Job); alone[g] == nil {
			alone[g], t.Paused = t, true
		} else {
			t.Plan = PlanReturn
		}
	}
	if len(alone) == 0 {
		return nil
	}
	return s.update(account, func(ctx context.Context, r store.RecordTx) error {
		for g, t := range alone {
			if err := r.PauseGroup(ctx, g.kind, g.name, t.LeaseEnd); err != nil {
				return err
			}
		}
		return nil
	})
}

// postpone makes jobs due a little later. If that fails, their leases run out.
func (s *session[T]) postpone(account store.AccountID, tasks []T) error {
	return s.update(account, func(ctx context.Context, r store.RecordTx) error {
		for _, v := range tasks {
			err := r.Postpone(ctx, v.task().Job, s.config.Now().Add(loadRetryDelay).UTC())
			if err != nil && !errors.Is(err, store.ErrLeaseLost) {
				return err
			}
		}
		return nil
	})
}

// runWaiting begins the tasks that have room. The caller holds s.mu.
func (s *session[T]) runWaiting(ctx context.Context) {
	for {
		q, v, ok := s.shares.next(s.config.Now())
		if !ok {
			return
		}
		s.running.Go(func() { s.run(ctx, q, v) })
	}
}

// run runs a task, and then begins others in its place.
func (s *session[T]) run(ctx context.Context, q *queue[T], v T) {
	s.config.Run(ctx, v)
	finished := s.config.Record == nil && ctx.Err() == nil // Run has finished the job
	if finished {
		defer s.release(v.task().Job.Account, 1)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shares.end(q, v, s.config.Now()) && s.shares.thresholds {
		s.returnQueued(q) // to be claimed again, within the limit of a slow group
	}
	if !finished {
		s.record(v)
	}
	s.runWaiting(ctx)
}

// returnQueued returns the tasks that wait in a queue. The caller holds s.mu.
func (s *session[T]) returnQueued(q *queue[T]) {
	for _, v := range q.tasks {
		v.task().Plan = PlanReturn
		s.record(v)
	}
	s.shares.clear(q)
}

// returnGroups returns the tasks that wait in the queues of these groups. The caller
// holds s.mu.
func (s *session[T]) returnGroups(names []string) {
	for _, q := range s.shares.queues {
		if slices.Contains(names, q.name) {
			s.returnQueued(q)
		}
	}
}

// release counts claimed jobs of an account that have ended.
func (s *session[T]) release(account store.AccountID, n int) {
	s.mu.Lock()
	if s.claimed[account] -= n; s.claimed[account] == 0 {
		delete(s.claimed, account)
	}
	s.mu.Unlock()
	signal(s.freed)
}

// claimed counts the claimed jobs of each account that have not ended.
type claimed map[store.AccountID]int

func (c claimed) total() (n int) {
	for _, held := range c {
		n += held
	}
	return n
}

// share returns how many jobs a claim may take where there is capacity for free more, and
// how many an account may then hold: half of what it and nobody hold, and no more than
// nobody holds. So the jobs of one account leave capacity for another's.
func (c claimed) share(free, perAccount int) (limit, mostHeld int) {
	for _, held := range c {
		mostHeld = max(mostHeld, held)
	}
	mostHeld = min(free, (mostHeld+free+1)/2)
	if perAccount > 0 {
		mostHeld = min(mostHeld, perAccount)
	}
	return (free + 1) / 2, mostHeld
}

package workers

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/landfallhq/tracking/store"
)

// loadRetryDelay is how long jobs are postponed that could not be loaded.
const loadRetryDelay = time.Minute

// session is one call of Run or Once.
type session[T Work] struct {
	*Pool[T]
	slots    slots
	freed    chan struct{} // signals that claimed jobs have ended
	stopping chan struct{} // closed when Run stops; nil in Once
	running  sync.WaitGroup

	mu           sync.Mutex
	stopped      bool
	epoch        int // number of calls of Reload
	claimed      int // claimed jobs that have not ended
	queues       map[group]*queue[T]
	accountSlots map[store.AccountID]slots // of one account; empty without PerAccount
	batches      map[store.AccountID]*batch[T]
}

// group is a group of jobs. Groups of two kinds can have the same name.
type group struct {
	kind store.JobKind
	name string
}

// queue has the tasks of one group that wait to run. A slow group thus delays no
// other.
type queue[T Work] struct {
	group
	tasks        []T
	workers      int   // goroutines that run tasks of the group
	accountSlots slots // of the account of its jobs
}

// slots limit how many tasks run at a time; nil is no limit.
type slots chan struct{}

func (s slots) take() {
	if s != nil {
		s <- struct{}{}
	}
}

func (s slots) free() {
	if s != nil {
		<-s
	}
}

func newSession[T Work](p *Pool[T]) *session[T] {
	return &session[T]{
		Pool: p, slots: make(slots, p.config.Workers), freed: make(chan struct{}, 1),
		queues: map[group]*queue[T]{}, accountSlots: map[store.AccountID]slots{}, batches: map[store.AccountID]*batch[T]{},
	}
}

// stop returns the tasks that wait to run, and waits for those that run.
func (s *session[T]) stop() {
	close(s.stopping)
	s.mu.Lock()
	s.stopped = true
	for _, q := range s.queues {
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

// claim claims as many jobs as there is capacity for. all: no more are due now.
func (s *session[T]) claim(ctx context.Context) (n int, all bool, err error) {
	s.mu.Lock()
	limit, epoch := s.config.Workers*s.config.ReadAhead-s.claimed, s.epoch
	s.mu.Unlock()
	if limit <= 0 || s.config.ReadAhead > 1 && limit < s.config.Workers { // small claims are expensive
		return 0, false, nil
	}
	now := s.config.Now().UTC()
	jobs, err := s.config.Store.Claim(ctx, store.ClaimRequest{
		Kinds: s.config.Kinds, Now: now, Lease: s.config.Lease,
		Limit: limit, PerGroup: s.config.PerGroup * s.config.GroupReadAhead, PerAccount: s.config.PerAccount * s.config.ReadAhead,
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
	s.claimed += len(jobs)
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
			defer s.release(len(tasks))
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
		q := s.queue(v.task().Job)
		q.tasks = append(q.tasks, v)
		if s.stopped || s.epoch != epoch {
			s.returnQueued(q)
		}
		if len(q.tasks) > 0 && q.workers < s.config.PerGroup {
			q.workers++
			s.running.Go(func() {
				for s.runNext(ctx, q) {
				}
			})
		}
	}
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

func groupOf(j store.Job) group { return group{j.Kind, j.Group} }

// queue returns the queue of the job's group. The caller holds s.mu.
func (s *session[T]) queue(j store.Job) *queue[T] {
	g := groupOf(j)
	if q := s.queues[g]; q != nil {
		return q
	}
	if s.config.PerAccount > 0 && s.accountSlots[j.Account] == nil {
		s.accountSlots[j.Account] = make(slots, s.config.PerAccount)
	}
	q := &queue[T]{group: g, accountSlots: s.accountSlots[j.Account]}
	s.queues[g] = q
	return q
}

// runNext runs the next task of a queue. It returns false if there is none.
func (s *session[T]) runNext(ctx context.Context, q *queue[T]) bool {
	q.accountSlots.take()
	defer q.accountSlots.free()
	s.slots.take()
	defer s.slots.free()
	v, ok := s.next(q)
	if !ok {
		return false
	}
	s.config.Run(ctx, v)
	if s.config.Record == nil && ctx.Err() == nil { // Run has finished the job
		s.release(1)
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record(v)
	return true
}

// next takes the next task of a queue. Without one it returns false and ends the
// worker.
func (s *session[T]) next(q *queue[T]) (v T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(q.tasks) == 0 {
		if q.workers--; q.workers == 0 && s.queues[q.group] == q {
			delete(s.queues, q.group)
		}
		return v, false
	}
	v, q.tasks = q.tasks[0], q.tasks[1:]
	return v, true
}

// returnQueued returns the tasks that wait in a queue. The caller holds s.mu.
func (s *session[T]) returnQueued(q *queue[T]) {
	for _, v := range q.tasks {
		v.task().Plan = PlanReturn
		s.record(v)
	}
	q.tasks = nil
}

// returnGroups returns the tasks that wait in the queues of these groups. The caller
// holds s.mu.
func (s *session[T]) returnGroups(names []string) {
	for _, name := range names {
		for _, kind := range s.config.Kinds {
			if q := s.queues[group{kind, name}]; q != nil {
				s.returnQueued(q)
			}
		}
	}
}

// release counts claimed jobs that have ended.
func (s *session[T]) release(n int) {
	s.mu.Lock()
	s.claimed -= n
	s.mu.Unlock()
	signal(s.freed)
}

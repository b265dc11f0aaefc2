// Package workers runs the due jobs of a store. A Pool claims jobs under a lease,
// loads what they need, runs them, and records their results. It limits how many run
// at a time: in all, of one group and of one account.
//
// The package does not know what a job does, and does not decide when a job is due
// again: the functions of Config do that. A lease is not renewed. A job that is not
// finished before its lease ends is claimed again, so a job can run more than once,
// but only the holder of the lease can record a result.
package workers

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking/store"
)

// idlePoll is the longest sleep of Run: other processes on the same store enqueue
// jobs without waking this one.
const idlePoll = time.Second

// Work is a *Task, or a pointer to a struct that embeds Task.
type Work interface{ task() *Task }

// Task is one claimed job.
type Task struct {
	Job      store.Job
	LeaseEnd time.Time
	// Plan is what the Pool does with the task. Config.Load sets it.
	Plan Plan
	// Paused: the Pool has paused the group of the job until LeaseEnd, because the
	// Plan is PlanRunAlone. Config.Record ends the pause.
	Paused bool
}

func (t *Task) task() *Task { return t }

// Plan is what a Pool does with a task.
type Plan uint8

// The plans.
const (
	PlanRun      Plan = iota
	PlanRunAlone      // run while no other job of its group is claimed
	PlanSkip          // do not run, only record
	PlanReturn        // do not run; Config.Record enqueues the job again. The Pool sets it too
)

// Config says which jobs a Pool claims, how many, and what it does with them.
type Config[T Work] struct {
	// Name of the work, for messages of the log.
	Name  string
	Log   *slog.Logger
	Store store.Store
	// WriteWait limits how long a write waits for its turn at the store.
	WriteWait time.Duration
	// Now returns the exact time, in any zone.
	Now func() time.Time

	Kinds []store.JobKind
	Lease time.Duration
	// Workers is how many tasks run at a time, PerGroup how many of one group, and
	// PerAccount how many of one account; 0 means no limit for one account.
	Workers, PerGroup, PerAccount int
	// Shared: no account uses up the workers, and no group the part of its account; see
	// shares.
	Shared bool
	// ReadAhead is how many jobs are claimed for each task that can run, and
	// GroupReadAhead the same for one group. With 1, a job is claimed only when it
	// can begin at once.
	ReadAhead, GroupReadAhead int

	// Before, unless nil, is called in each round of Run. more: it has more to do at
	// once.
	Before func(ctx context.Context) (more bool)
	// New returns an empty task.
	New func() T
	// Load, unless nil, reads what the tasks of one account need, and sets their
	// Plan. It is called in a view. If it fails, the jobs are postponed.
	Load func(ctx context.Context, r store.RecordTx, account store.AccountID, tasks []T) error
	// Run runs one task. ctx is that of Pool.Run or Pool.Once.
	Run func(ctx context.Context, task T)
	// Record writes the results of tasks of one account, in an update in which their
	// jobs have just been finished. Tasks that have lost their lease are left out. It
	// returns the groups of which no more may run without a new Load. If Record is
	// nil, Run finishes its job itself, and a task that was interrupted is claimable
	// again at once.
	Record func(ctx context.Context, r store.RecordTx, account store.AccountID, tasks []T) (reload []string, err error)
	// Recorded, unless nil, is called after the commit of what Record has written, with all
	// tasks, also those that had lost their lease. It must be quick.
	Recorded func(tasks []T)
}

// Pool runs the due jobs of some kinds. Several pools, in several processes, may
// share a store.
type Pool[T Work] struct {
	config  Config[T]
	wake    chan struct{}
	closed  atomic.Bool
	current atomic.Pointer[session[T]] // that of Run
	outage  Outage
}

// New returns a Pool. It does nothing until Run or Once is called.
func New[T Work](c Config[T]) *Pool[T] {
	return &Pool[T]{config: c, wake: make(chan struct{}, 1)}
}

// Run runs due jobs until ctx ends or the Pool is closed, and waits for those that are
// running.
func (p *Pool[T]) Run(ctx context.Context) {
	s := newSession(p)
	s.stopping = make(chan struct{})
	p.current.Store(s)
	defer p.current.CompareAndSwap(s, nil)
	defer s.stop()
	for p.open(ctx) {
		next, err := s.poll(ctx)
		if p.open(ctx) {
			p.outage.Record(p.config.Log, p.config.Now(), p.config.Name, err)
		}
		timer := time.NewTimer(min(idlePoll, max(0, next.Sub(p.config.Now()))))
		select {
		case <-ctx.Done():
		case <-p.wake:
		case <-s.freed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

func (p *Pool[T]) open(ctx context.Context) bool { return ctx.Err() == nil && !p.closed.Load() }

// Once makes one claim, runs what it gets and records the results. all: no more jobs
// are due now.
func (p *Pool[T]) Once(ctx context.Context) (all bool, err error) {
	s := newSession(p)
	defer s.running.Wait()
	_, all, err = s.claim(ctx)
	return all, err
}

// Close ends Run.
func (p *Pool[T]) Close() {
	p.closed.Store(true)
	p.Wake()
}

// Wake makes Run look for due jobs now.
func (p *Pool[T]) Wake() { signal(p.wake) }

// Reload returns the tasks of these groups that wait to run, because what was loaded
// for them has changed. What is being loaded now is returned too.
func (p *Pool[T]) Reload(groups ...string) {
	if s := p.current.Load(); s != nil {
		s.mu.Lock()
		s.epoch++
		s.returnGroups(groups)
		s.mu.Unlock()
	}
	p.Wake()
}

// signal sends to a channel with a buffer of one, unless it is full.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

package workers

import (
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

const (
	// slowAfter is how long a task may run before its group counts as slow.
	slowAfter = 2 * time.Second
	// maxSlowGroups bounds the memory of slow groups. Beyond it, all are forgotten.
	maxSlowGroups = 10_000
)

// shares decides which of the waiting tasks runs next. In a pool that accounts share,
// nobody can use up the workers: neither an account, nor a group of an account.
//
// An account may begin a task while it has fewer running than workers are free (the dynamic
// threshold of Choudhury and Hahne for shared buffers). So one account alone has half of
// the workers. Two have a half and a quarter at first, and a third each once tasks of the
// first have ended. The groups of an account share its part by the same rule, and its slow
// groups have half of it. Without read-ahead the claims of jobs go by this rule, and what
// was claimed begins at once.
type shares[T Work] struct {
	workers, perGroup, perAccount int
	// thresholds: they apply. Otherwise only the three limits do.
	thresholds bool

	used     int           // tasks that run
	byGroup  map[group]int // the same, of each group
	accounts map[store.AccountID]*accountShare[T]
	queues   map[queueKey]*queue[T]
	turns    []*accountShare[T]        // accounts with waiting tasks; the first is next
	slow     map[group]store.AccountID // groups whose last task was slow, and their accounts
}

// group is a group of jobs. Groups of two kinds can have the same name.
type group struct {
	kind store.JobKind
	name string
}

func groupOf(j store.Job) group { return group{j.Kind, j.Group} }

type queueKey struct {
	group
	account store.AccountID
}

// accountShare is what one account has of the workers.
type accountShare[T Work] struct {
	used  int
	busy  map[*queue[T]]bool // queues with running tasks
	turns []*queue[T]        // queues with waiting tasks; the first is next
}

// queue has the tasks of one group of an account.
type queue[T Work] struct {
	queueKey
	share   *accountShare[T]
	tasks   []T                 // waiting
	started map[*Task]time.Time // running
}

func newShares[T Work](c Config[T]) shares[T] {
	return shares[T]{
		workers: c.Workers, perGroup: c.PerGroup, perAccount: c.PerAccount, thresholds: c.Shared && c.ReadAhead > 1,
		byGroup: map[group]int{}, accounts: map[store.AccountID]*accountShare[T]{}, queues: map[queueKey]*queue[T]{}, slow: map[group]store.AccountID{},
	}
}

// add adds a waiting task to the queue of its group.
func (s *shares[T]) add(v T) *queue[T] {
	j := v.task().Job
	key := queueKey{groupOf(j), j.Account}
	q := s.queues[key]
	if q == nil {
		a := s.accounts[j.Account]
		if a == nil {
			a = &accountShare[T]{busy: map[*queue[T]]bool{}}
			s.accounts[j.Account] = a
		}
		q = &queue[T]{queueKey: key, share: a, started: map[*Task]time.Time{}}
		s.queues[key] = q
	}
	if q.tasks = append(q.tasks, v); len(q.tasks) == 1 {
		if q.share.turns = append(q.share.turns, q); len(q.share.turns) == 1 {
			s.turns = append(s.turns, q.share)
		}
	}
	return q
}

// next takes the task that is to run now, and counts it as running. Accounts have
// turns, and in each account its queues.
func (s *shares[T]) next(now time.Time) (q *queue[T], v T, ok bool) {
	for i, a := range s.turns {
		for _, q := range a.turns {
			if s.hasRoom(q, now) {
				s.turns = append(slices.Delete(s.turns, i, i+1), a)
				return q, s.begin(q, now), true
			}
		}
	}
	return nil, v, false
}

// begin takes the first task of a queue, and moves the queue behind the others of its
// account.
func (s *shares[T]) begin(q *queue[T], now time.Time) T {
	v, a := q.tasks[0], q.share
	q.tasks = q.tasks[1:]
	s.leaveTurns(q)
	if len(q.tasks) > 0 {
		a.turns = append(a.turns, q)
	}
	s.used++
	s.byGroup[q.group]++
	a.used++
	a.busy[q] = true
	q.started[v.task()] = now
	s.dropIdle(q)
	return v
}

// end counts a task that has run. turnedSlow: its group was not slow before.
func (s *shares[T]) end(q *queue[T], v T, now time.Time) (turnedSlow bool) {
	began := q.started[v.task()]
	delete(q.started, v.task())
	turnedSlow = s.noteSpeed(q, now.Sub(began) > slowAfter)
	s.used--
	q.share.used--
	if s.byGroup[q.group]--; s.byGroup[q.group] == 0 {
		delete(s.byGroup, q.group)
	}
	if len(q.started) == 0 {
		delete(q.share.busy, q)
	}
	s.dropIdle(q)
	return turnedSlow
}

// clear removes the waiting tasks of a queue.
func (s *shares[T]) clear(q *queue[T]) {
	q.tasks = nil
	s.leaveTurns(q)
	s.dropIdle(q)
}

// leaveTurns takes a queue out of the turns of its account.
func (s *shares[T]) leaveTurns(q *queue[T]) {
	if i := slices.Index(q.share.turns, q); i >= 0 {
		q.share.turns = slices.Delete(q.share.turns, i, i+1)
	}
}

// dropIdle removes a queue without tasks, and its account if that has none either.
func (s *shares[T]) dropIdle(q *queue[T]) {
	if len(q.tasks) == 0 && len(q.started) == 0 {
		delete(s.queues, q.queueKey)
	}
	a := q.share
	if len(a.turns) == 0 {
		if i := slices.Index(s.turns, a); i >= 0 {
			s.turns = slices.Delete(s.turns, i, i+1)
		}
		if a.used == 0 {
			delete(s.accounts, q.account)
		}
	}
}

// noteSpeed remembers whether the group of a queue is slow. turned: it was not before.
func (s *shares[T]) noteSpeed(q *queue[T], slow bool) (turned bool) {
	if !slow {
		delete(s.slow, q.group)
		return false
	}
	_, known := s.slow[q.group]
	if !known && len(s.slow) >= maxSlowGroups {
		clear(s.slow)
	}
	s.slow[q.group] = q.account
	return !known
}

// slowLimits returns how many jobs of each slow group may be claimed: as many as may run.
// More would wait for long, and take the place of others of their account.
func (s *shares[T]) slowLimits() map[string]int {
	groups := map[store.AccountID]int{}
	for _, account := range s.slow {
		groups[account]++
	}
	part := (s.workers + 1) / 2
	if s.perAccount > 0 {
		part = min(part, s.perAccount)
	}
	limits := make(map[string]int, len(s.slow))
	for g, account := range s.slow {
		limits[g.name] = max(1, min(s.perGroup, part/2/groups[account]))
	}
	return limits
}

// hasRoom reports whether a task of the queue may begin.
func (s *shares[T]) hasRoom(q *queue[T], now time.Time) bool {
	free, a := s.workers-s.used, q.share
	if free <= 0 || s.byGroup[q.group] >= s.perGroup || s.perAccount > 0 && a.used >= s.perAccount {
		return false
	}
	if !s.thresholds {
		return true
	}
	part := (a.used + free + 1) / 2 // of the account, while the others stay as they are
	if s.perAccount > 0 {
		part = min(part, s.perAccount)
	}
	return a.used < part && len(q.started) < part-a.used &&
		(!s.isSlow(q, now) || s.slowTasks(a, now) < max(1, part/2))
}

// isSlow reports whether the last task of the group was slow, or one that runs is.
func (s *shares[T]) isSlow(q *queue[T], now time.Time) bool {
	if _, slow := s.slow[q.group]; slow {
		return true
	}
	for _, began := range q.started {
		if now.Sub(began) > slowAfter {
			return true
		}
	}
	return false
}

// slowTasks counts the running tasks of slow queues.
func (s *shares[T]) slowTasks(a *accountShare[T], now time.Time) (n int) {
	for q := range a.busy {
		if s.isSlow(q, now) {
			n += len(q.started)
		}
	}
	return n
}

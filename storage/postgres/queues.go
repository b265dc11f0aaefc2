package postgres

import (
	"context"
	"slices"
	"sync"

	"github.com/landfallhq/tracking/store"
)

// accountQueues lets one update of an account at a time run, first come, first served. Without
// it, the updates that wait for one account could hold all connections. The zero value is
// ready.
type accountQueues struct {
	mu     sync.Mutex
	queues map[store.AccountID]*accountQueue // of the accounts with an update that runs
}

// accountQueue has the updates of an account that wait for the one that runs.
type accountQueue struct{ waiting []*waiter }

// waiter is an update that waits.
type waiter struct {
	alone   bool        // needs a transaction of its own
	granted chan *group // buffered, so that granting never blocks
}

// enter waits until no other update of the account runs. It returns the open group of the one
// that ran before; nil if there is none. Leave must be called once.
func (q *accountQueues) enter(ctx context.Context, a store.AccountID, alone bool) (*group, error) {
	w := q.join(a, alone)
	if w == nil {
		return nil, nil
	}
	select {
	case g := <-w.granted:
		return g, nil
	case <-ctx.Done():
		if q.withdraw(a, w) {
			return nil, ctx.Err()
		}
		return <-w.granted, nil
	}
}

// join returns nil if the update can run now.
func (q *accountQueues) join(a store.AccountID, alone bool) *waiter {
	q.mu.Lock()
	defer q.mu.Unlock()
	mine := q.queues[a]
	if mine == nil {
		if q.queues == nil {
			q.queues = map[store.AccountID]*accountQueue{}
		}
		q.queues[a] = &accountQueue{}
		return nil
	}
	w := &waiter{alone: alone, granted: make(chan *group, 1)}
	mine.waiting = append(mine.waiting, w)
	return w
}

// withdraw removes a waiter. It returns false if it may run already.
func (q *accountQueues) withdraw(a store.AccountID, w *waiter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	mine := q.queues[a]
	i := slices.Index(mine.waiting, w)
	if i < 0 {
		return false
	}
	mine.waiting = slices.Delete(mine.waiting, i, i+1)
	return true
}

// handOver lets the next update run as a member of the group. It returns false if none waits
// that can be one.
func (q *accountQueues) handOver(a store.AccountID, g *group) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	mine := q.queues[a]
	if len(mine.waiting) == 0 || mine.waiting[0].alone {
		return false
	}
	mine.pop().granted <- g
	return true
}

// leave lets the next update run, without a group.
func (q *accountQueues) leave(a store.AccountID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	mine := q.queues[a]
	if len(mine.waiting) == 0 {
		delete(q.queues, a)
		return
	}
	mine.pop().granted <- nil
}

func (q *accountQueue) pop() *waiter {
	w := q.waiting[0]
	q.waiting[0] = nil
	q.waiting = q.waiting[1:]
	return w
}

// waiting returns how many updates wait.
func (q *accountQueues) waiting() (n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, mine := range q.queues {
		n += len(mine.waiting)
	}
	return n
}

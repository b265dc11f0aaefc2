package postgres

import (
	"context"
	"sync"

	"github.com/landfallhq/tracking/store"
)

// accountQueues lets one update of an account at a time take a connection. Without it, the
// updates that wait for one account could hold all connections. The zero value is ready.
type accountQueues struct {
	mu     sync.Mutex
	queues map[store.AccountID]*accountQueue
}

type accountQueue struct {
	free  chan struct{} // holds a token while no update of the account runs
	users int           // updates that run or wait
}

// enter waits until no other update of the account runs. Leave must be called once.
func (q *accountQueues) enter(ctx context.Context, a store.AccountID) (leave func(), err error) {
	mine := q.join(a)
	select {
	case <-mine.free:
		return func() {
			mine.free <- struct{}{}
			q.part(a, mine)
		}, nil
	case <-ctx.Done():
		q.part(a, mine)
		return nil, ctx.Err()
	}
}

func (q *accountQueues) join(a store.AccountID) *accountQueue {
	q.mu.Lock()
	defer q.mu.Unlock()
	mine := q.queues[a]
	if mine == nil {
		if q.queues == nil {
			q.queues = map[store.AccountID]*accountQueue{}
		}
		mine = &accountQueue{free: make(chan struct{}, 1)}
		mine.free <- struct{}{}
		q.queues[a] = mine
	}
	mine.users++
	return mine
}

func (q *accountQueues) part(a store.AccountID, mine *accountQueue) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if mine.users--; mine.users == 0 {
		delete(q.queues, a)
	}
}

// waiting returns how many updates wait.
func (q *accountQueues) waiting() (n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, mine := range q.queues {
		n += mine.users - 1
	}
	return n
}

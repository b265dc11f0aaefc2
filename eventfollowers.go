package tracking

import (
	"context"
	"sync"
	"time"
)

// eventFollowers wait for events of their accounts. The zero value is ready.
type eventFollowers struct {
	mu       sync.Mutex
	accounts map[AccountID]*eventFeed
	closed   chan struct{} // nil until a follower or close needs it
}

// eventFeed is what followers of one account know of its events.
type eventFeed struct {
	waiting int
	// last is the position of the last event that is known here; it is read from the store
	// when nobody has since checkedAt plus eventPoll.
	last      int64
	checkedAt time.Time
	// changed is closed when last has grown.
	changed chan struct{}
}

// notifyFollowers notifies them of what a committed transaction has recorded.
func (e *engine) notifyFollowers(tx *transaction) {
	if l := tx.ledger; l != nil && l.Events != l.read.events.last {
		e.followers.grow(tx.Account, l.Events)
	}
}

// grow wakes the followers of an account if the position is new to them.
func (f *eventFollowers) grow(a AccountID, last int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if feed := f.accounts[a]; feed != nil && last > feed.last {
		feed.last = last
		close(feed.changed)
		feed.changed = make(chan struct{})
	}
}

// close ends all waits.
func (f *eventFollowers) close() { close(f.ending()) }

// ending returns the channel that close closes.
func (f *eventFollowers) ending() chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed == nil {
		f.closed = make(chan struct{})
	}
	return f.closed
}

// wait returns when an account has events behind a position. read returns the position of
// its last event.
func (f *eventFollowers) wait(ctx context.Context, a AccountID, after int64, read func(context.Context) (int64, error)) error {
	defer f.leave(a, f.join(a))
	ending := f.ending()
	timer := time.NewTimer(eventPoll)
	defer timer.Stop()
	for {
		last, changed, stale := f.look(a)
		if stale && last <= after {
			var err error
			if last, err = read(ctx); err != nil {
				return err
			}
			f.grow(a, last)
		}
		if last > after {
			return nil
		}
		select {
		case <-changed:
		case <-timer.C:
			timer.Reset(eventPoll)
		case <-ctx.Done():
			return ctx.Err()
		case <-ending:
			return ErrClosed
		}
	}
}

// join adds a follower.
func (f *eventFollowers) join(a AccountID) *eventFeed {
	f.mu.Lock()
	defer f.mu.Unlock()
	feed := f.accounts[a]
	if feed == nil {
		feed = &eventFeed{changed: make(chan struct{})}
		if f.accounts == nil {
			f.accounts = map[AccountID]*eventFeed{}
		}
		f.accounts[a] = feed
	}
	feed.waiting++
	return feed
}

func (f *eventFollowers) leave(a AccountID, feed *eventFeed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if feed.waiting--; feed.waiting == 0 {
		delete(f.accounts, a)
	}
}

// look returns what is known of the events of an account with a follower, and whether the
// caller has to read them. The time is that of the machine: it has no effect but on how often
// the store is read.
func (f *eventFollowers) look(a AccountID) (last int64, changed <-chan struct{}, stale bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	feed, now := f.accounts[a], time.Now()
	if stale = now.Sub(feed.checkedAt) >= eventPoll; stale {
		feed.checkedAt = now
	}
	return feed.last, feed.changed, stale
}

package workers

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

const (
	// maxBatch is how many results one transaction records.
	maxBatch = 256
	// If the store refuses a write, recording is retried after recordRetryDelay, then
	// after twice as long each time.
	recordRetryDelay    = 10 * time.Millisecond
	maxRecordRetryDelay = time.Second
)

// batch has the tasks of one account that are to be recorded.
type batch[T Work] struct {
	tasks    []T
	flushing bool
}

// record adds a task to the batch of its account. The caller holds s.mu.
func (s *session[T]) record(v T) {
	account := v.task().Job.Account
	b := s.batches[account]
	if b == nil {
		b = &batch[T]{}
		s.batches[account] = b
	}
	b.tasks = append(b.tasks, v)
	if !b.flushing {
		b.flushing = true
		s.running.Go(func() { s.flush(account, b) })
	}
}

// flush records the tasks of an account until there are none left. Those that arrive
// while one transaction commits are recorded together by the next.
func (s *session[T]) flush(account store.AccountID, b *batch[T]) {
	for {
		s.mu.Lock()
		n := min(len(b.tasks), maxBatch)
		tasks := slices.Clone(b.tasks[:n])
		b.tasks = b.tasks[n:]
		if n == 0 {
			delete(s.batches, account)
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		reload := s.recordAll(account, tasks)
		s.mu.Lock()
		s.returnGroups(reload)
		s.mu.Unlock()
		s.release(account, n)
	}
}

// recordAll records tasks. If the store refuses the write, it retries until the lease
// ends.
func (s *session[T]) recordAll(account store.AccountID, tasks []T) (reload []string) {
	for wait := recordRetryDelay; ; wait = min(2*wait, maxRecordRetryDelay) {
		err := s.update(account, func(ctx context.Context, r store.RecordTx) (err error) {
			reload, err = s.finish(ctx, r, account, tasks)
			return err
		})
		if err == nil && s.config.Recorded != nil {
			s.config.Recorded(tasks)
		}
		if err == nil || errors.Is(err, store.ErrClosed) {
			return reload
		}
		if !s.config.Now().Before(tasks[0].task().LeaseEnd) || !s.wait(wait) {
			// The jobs are claimed again when their leases have ended.
			s.config.Log.Error("results are lost", "work", s.config.Name, "count", len(tasks), "error", err)
			return nil
		}
	}
}

// finish ends the leases of tasks and records their results.
func (s *session[T]) finish(ctx context.Context, r store.RecordTx, account store.AccountID, tasks []T) (reload []string, err error) {
	held := make([]T, 0, len(tasks))
	for _, v := range tasks {
		if s.config.Record == nil {
			err = r.Extend(ctx, v.task().Job, s.config.Now().UTC())
		} else {
			err = r.Finish(ctx, v.task().Job)
		}
		switch {
		case err == nil:
			held = append(held, v)
		case !errors.Is(err, store.ErrLeaseLost):
			return nil, err
		}
	}
	if s.config.Record == nil || len(held) == 0 {
		return nil, nil
	}
	return s.config.Record(ctx, r, account, held)
}

// wait waits for d. It returns false if Run stops first, and in Once.
func (s *session[T]) wait(d time.Duration) bool {
	if s.stopping == nil {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-s.stopping:
		return false
	case <-timer.C:
		return true
	}
}

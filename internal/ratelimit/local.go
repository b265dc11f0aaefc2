package ratelimit

import (
	"context"
	"time"
)

// Local returns windows in the memory of this process. Their methods return no errors.
func Local(length time.Duration) Windows { return local{New(length)} }

type local struct{ *Limiter }

func (l local) Allow(_ context.Context, now time.Time, quotas ...Quota) (wait time.Duration, ok bool, err error) {
	wait, ok = l.Limiter.Allow(now, quotas...)
	return wait, ok, nil
}

func (l local) Full(_ context.Context, now time.Time, q Quota) (wait time.Duration, full bool, err error) {
	wait, full = l.Limiter.Full(now, q)
	return wait, full, nil
}

func (l local) Record(_ context.Context, now time.Time, q Quota) error {
	l.Limiter.Record(now, q)
	return nil
}

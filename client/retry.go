package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// unreachable is a request that had no answer: nobody knows what came of it.
type unreachable struct{ error }

func (e *unreachable) Unwrap() error { return e.error }

// firstWait is what the first wait is about, where the server names none.
const firstWait = time.Second

// waitAfter says how long to wait before the request is sent again, and whether it
// is.
func (c *Client) waitAfter(r *request, err error, attempt int) (time.Duration, bool) {
	if attempt >= c.config.Retries || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return 0, false
	}
	var refused *Error
	var asked time.Duration
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusTooManyRequests: // nothing was done
		asked = refused.RetryAfter
	case errors.As(err, &refused):
		if !r.repeatable() || refused.Status < http.StatusBadGateway || refused.Status > http.StatusGatewayTimeout {
			return 0, false
		}
		asked = refused.RetryAfter
	case !errors.As(err, new(*unreachable)) || !r.repeatable():
		return 0, false
	}
	if asked > c.config.MaxWait {
		return 0, false
	}
	if asked > 0 {
		return asked + jitter(asked/10), true
	}
	// Half of it for certain, so that the wait grows, and half by chance, so that
	// clients do not come back together.
	wait := min(firstWait<<min(attempt, 16), c.config.MaxWait)
	return wait/2 + jitter(wait/2), true
}

// repeatable: sending it twice does no harm.
func (r *request) repeatable() bool {
	return r.method == http.MethodGet || r.once.Key != "" || r.harmless
}

func jitter(most time.Duration) time.Duration {
	if most <= 0 {
		return 0
	}
	return rand.N(most)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

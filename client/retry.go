package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// connectionError is a request that had no answer: nobody knows what came of it.
type connectionError struct{ error }

func (e *connectionError) Unwrap() error { return e.error }

// initialWait is what the first wait is about, where the server names none.
const initialWait = time.Second

// retryWait says how long to wait before the request is sent again, and whether it
// is.
func (c *Client) retryWait(ctx context.Context, r *request, err error, attempt int) (time.Duration, bool) {
	// It is the context that is asked: a time-out of the connection's own says that
	// it is context.DeadlineExceeded as well, and is as good as any other break.
	if attempt >= c.config.Retries || ctx.Err() != nil {
		return 0, false
	}
	wait, ok := c.backoff(r, err, attempt)
	if end, bounded := ctx.Deadline(); bounded && time.Now().Add(wait).After(end) {
		return 0, false // the caller is better served with what the server said
	}
	return wait, ok
}

// backoff is waitAfter without an end of attempts or of time.
func (c *Client) backoff(r *request, err error, attempt int) (time.Duration, bool) {
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
	case !errors.As(err, new(*connectionError)) || !r.repeatable():
		return 0, false
	}
	if asked > c.config.MaxWait {
		return 0, false
	}
	if asked > 0 {
		return asked + jitter(min(asked/10, c.config.MaxWait-asked)), true
	}
	// Half of it for certain, so that the wait grows, and half by chance, so that
	// clients do not come back together.
	wait := min(initialWait<<min(attempt, 16), c.config.MaxWait)
	return wait/2 + jitter(wait/2), true
}

// repeatable: sending it twice does no harm.
func (r *request) repeatable() bool {
	return r.method == http.MethodGet || r.once.Key != "" || r.idempotent
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

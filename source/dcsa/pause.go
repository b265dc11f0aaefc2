package dcsa

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// Lengths of pauses.
const (
	// longestPause bounds what a carrier can ask for, even by mistake.
	longestPause = 24 * time.Hour
	// defaultPause follows a 429 without Retry-After.
	defaultPause = 10 * time.Second
	// refusedPause follows refused credentials: they would be refused again, and
	// carriers lock accounts after few attempts.
	refusedPause = time.Minute
)

// pause is the time until which the carrier must not be asked. It applies to all
// queries.
type pause struct {
	clock tracking.Clock
	mu    sync.Mutex
	until time.Time
}

// extend makes the pause last at least d from now.
func (p *pause) extend(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := p.clock.Now().Add(d); until.After(p.until) {
		p.until = until
	}
}

// left returns the remaining time of the pause; 0 if there is none.
func (p *pause) left() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.until.Sub(p.clock.Now()), 0)
}

// retryAfter reads the header Retry-After, in seconds or as a date (RFC 9110,
// section 10.2.3); 0 if it is absent or invalid. A date is compared with the
// response's Date, if there is one.
func (c *Client) retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	var d time.Duration
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		d = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		now, err := http.ParseTime(h.Get("Date"))
		if err != nil {
			now = c.config.Clock.Now()
		}
		d = at.Sub(now)
	}
	return min(max(d, 0), longestPause)
}

// sleep waits for d or the end of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// canWait reports whether Patience and the deadline of a query allow a wait.
func (c *Client) canWait(ctx context.Context, wait time.Duration) bool {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait {
		return false
	}
	return c.config.Patience >= 0 && wait <= c.config.Patience
}

package dcsa

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

// How long the carrier is left alone.
const (
	// longestPause bounds what a carrier can ask for, be it by mistake.
	longestPause = 24 * time.Hour
	// unsaidPause follows a 429 that does not say how long.
	unsaidPause = 10 * time.Second
	// refusedPause follows refused credentials: they will be refused to the next
	// question too, and accounts get locked for less.
	refusedPause = time.Minute
)

// pause is when the carrier may be asked again. It holds for all questions.
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

// left is how long the pause still lasts; 0 when there is none.
func (p *pause) left() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.until.Sub(p.clock.Now()), 0)
}

// retryAfter reads the header, seconds or a date (RFC 9110, section 10.2.3); 0
// when it is not there or makes no sense. A date is measured by the carrier's
// own clock where the response tells it.
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

// affordable says whether a question has the patience and the time for a wait.
func (c *Client) affordable(ctx context.Context, wait time.Duration) bool {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait {
		return false
	}
	return c.config.Patience >= 0 && wait <= c.config.Patience
}

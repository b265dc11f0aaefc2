package webhook

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/landfallhq/tracking"
)

// pace holds back the attempts to each endpoint to a rate. An endpoint whose tokens
// are all back is as one that was never seen, so it is forgotten.
type pace struct {
	limit    rate.Limit
	burst    int
	patience time.Duration

	mu       sync.Mutex
	limiters map[tracking.ID]*rate.Limiter
	sweepAt  int // how many make it worth to look for those to forget
}

// minSweep is how many endpoints are remembered without looking.
const minSweep = 128

func newPace(c Config) *pace {
	return &pace{
		limit: rate.Limit(c.Rate), burst: c.Burst, patience: c.Timeout,
		limiters: map[tracking.ID]*rate.Limiter{}, sweepAt: minSweep,
	}
}

// wait returns when it is an endpoint's turn. ok is false when ctx has ended, or when
// it would take too long: then left is for how long.
func (p *pace) wait(ctx context.Context, endpoint tracking.ID) (left time.Duration, ok bool) {
	if p.limit == 0 || endpoint == (tracking.ID{}) {
		return 0, true
	}
	turn := p.reserve(endpoint)
	left = turn.Delay()
	if left == 0 {
		return 0, true
	}
	if left > p.patience {
		turn.Cancel()
		return left, false
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return 0, true
	case <-ctx.Done():
		turn.Cancel()
		return 0, false
	}
}

func (p *pace) reserve(endpoint tracking.ID) *rate.Reservation {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.limiters[endpoint]
	if l == nil {
		if len(p.limiters) >= p.sweepAt {
			p.sweep()
		}
		l = rate.NewLimiter(p.limit, p.burst)
		p.limiters[endpoint] = l
	}
	return l.Reserve()
}

// sweep forgets who may send a full burst again.
func (p *pace) sweep() {
	now := time.Now()
	for endpoint, l := range p.limiters {
		if l.TokensAt(now) >= float64(p.burst) {
			delete(p.limiters, endpoint)
		}
	}
	p.sweepAt = max(minSweep, 2*len(p.limiters))
}

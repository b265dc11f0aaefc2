package tracking

import (
	"log/slog"
	"sync"
	"time"
)

// outages are what may fail round after round for as long as the store takes no
// writes.
type outages struct{ work, upkeep, deliveries, keyUses outage }

// outage is a failure that goes on. The log has a line when it begins, then at
// intervals that grow, and one when it is over, rather than one for each round.
type outage struct {
	mu       sync.Mutex
	count    int // failures since it began; 0: there is none
	began    time.Time
	last     time.Time     // of the failures
	loggedAt time.Time     // when the log had the last line
	interval time.Duration // until the next
}

const (
	// outageGrace is how long after the last failure a success ends an outage: on a
	// disk that is nearly full they take turns.
	outageGrace = 5 * time.Second
	// outageLogInterval is how long the log has no line after the first of an outage;
	// after each further one it is twice as long, up to outageSilenceMost.
	outageLogInterval    = time.Minute
	maxOutageLogInterval = time.Hour
)

// record takes what a round came to at a time, and tells the log of it where it is
// new.
func (o *outage) record(log *slog.Logger, at time.Time, what string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err == nil {
		o.end(log, at, what)
		return
	}
	o.last = at
	if o.count++; o.count == 1 {
		o.began, o.loggedAt, o.interval = at, at, outageLogInterval
		log.Error(what+" failed", "error", err)
		return
	}
	if at.Sub(o.loggedAt) < o.interval {
		return
	}
	log.Error(what+" still fails", "error", err, "failures", o.count, "since", o.began.UTC().Format(time.RFC3339))
	o.loggedAt, o.interval = at, min(2*o.interval, maxOutageLogInterval)
}

func (o *outage) end(log *slog.Logger, at time.Time, what string) {
	if o.count == 0 || at.Sub(o.last) < outageGrace {
		return
	}
	log.Info(what+" succeeds again", "failures", o.count, "after", at.Sub(o.began).Round(time.Second))
	o.count = 0
}

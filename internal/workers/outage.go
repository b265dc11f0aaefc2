package workers

import (
	"log/slog"
	"sync"
	"time"
)

// Outage logs a failure that goes on. The log gets a line when it begins, then at
// growing intervals, and when it ends. The zero Outage is ready for use.
type Outage struct {
	mu       sync.Mutex
	count    int // failures since it began; 0: no outage
	began    time.Time
	last     time.Time     // of the last failure
	loggedAt time.Time     // time of the last log line
	interval time.Duration // until the next log line
}

const (
	// outageGrace is how long after the last failure a success ends an outage: on a
	// disk that is nearly full, failures and successes alternate.
	outageGrace = 5 * time.Second
	// outageLogInterval is the time between the first two log lines of an outage.
	// It doubles after each line, up to maxOutageLogInterval.
	outageLogInterval    = time.Minute
	maxOutageLogInterval = time.Hour
)

// Record records the result of one round of some work, and logs it if it is new or a
// log line is due.
func (o *Outage) Record(log *slog.Logger, at time.Time, work string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err == nil {
		o.end(log, at, work)
		return
	}
	o.last = at
	if o.count++; o.count == 1 {
		o.began, o.loggedAt, o.interval = at, at, outageLogInterval
		log.Error(work+" failed", "error", err)
		return
	}
	if at.Sub(o.loggedAt) < o.interval {
		return
	}
	log.Error(work+" still fails", "error", err, "failures", o.count, "since", o.began.UTC().Format(time.RFC3339))
	o.loggedAt, o.interval = at, min(2*o.interval, maxOutageLogInterval)
}

func (o *Outage) end(log *slog.Logger, at time.Time, work string) {
	if o.count == 0 || at.Sub(o.last) < outageGrace {
		return
	}
	log.Info(work+" succeeds again", "failures", o.count, "after", at.Sub(o.began).Round(time.Second))
	o.count = 0
}

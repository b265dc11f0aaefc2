package tracking

import (
	"cmp"
	"fmt"
	"time"

	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// RefreshIntervals is how often a source is queried for a shipment, by the position
// of its containers; the container with the shortest interval decides. Answer.Next
// takes precedence. 0 means the default, which is a multiple of
// Config.RefreshEvery; the least is one second.
type RefreshIntervals struct {
	// Far: the arrival, or the departure from the POL, is expected in more than
	// three days. Defaults to 2 x RefreshEvery (12 hours).
	Far time.Duration
	// Near: it arrives within three days, or is up to a week late. Defaults to
	// RefreshEvery/3 (2 hours).
	Near time.Duration
	// AtTerminal: it has arrived where it is picked up, up to two weeks ago.
	// Defaults to RefreshEvery/6 (1 hour).
	AtTerminal time.Duration
	// Out: it was picked up, and its empty return is expected. Defaults to 4 x
	// RefreshEvery (24 hours).
	Out time.Duration
	// Jitter is the maximum random share by which an interval is extended, so that
	// shipments created together are spread out; at most 1. 0 means 0.1, less than
	// 0 none.
	Jitter float64
}

const (
	nearTo       = 3 * 24 * time.Hour
	lateFor      = 7 * 24 * time.Hour
	awaitPickup  = 14 * 24 * time.Hour
	firstBackOff = time.Minute
	// maxRetryAfter bounds the wait that a carrier may ask for.
	maxRetryAfter = 24 * time.Hour
)

func (r RefreshIntervals) withDefaults(every time.Duration) RefreshIntervals {
	r.Far = cmp.Or(r.Far, 2*every)
	r.Near = cmp.Or(r.Near, max(every/3, time.Second))
	r.AtTerminal = cmp.Or(r.AtTerminal, max(every/6, time.Second))
	r.Out = cmp.Or(r.Out, 4*every)
	r.Jitter = cmp.Or(r.Jitter, 0.1)
	return r
}

func (r RefreshIntervals) validate() error {
	for name, d := range map[string]time.Duration{"Far": r.Far, "Near": r.Near, "AtTerminal": r.AtTerminal, "Out": r.Out} {
		if d < time.Second {
			return fmt.Errorf("tracking: Config.Refresh.%s must be at least one second", name)
		}
	}
	if r.Jitter > 1 {
		return fmt.Errorf("tracking: Config.Refresh.Jitter is %g; it is a share, at most 1", r.Jitter)
	}
	return nil
}

// refreshEvery is the interval at which a shipment's source is queried, without
// jitter. It is pure.
func refreshEvery(s *Shipment, containers []*Container, now time.Time, every time.Duration, r RefreshIntervals) time.Duration {
	least := time.Duration(0)
	for _, p := range progressOf(s, containers) {
		d := r.during(p.distance(now), every)
		if least == 0 || d < least {
			least = d
		}
	}
	return least
}

// distance is how far a container is from its next expected event.
type distance uint8

const (
	underWay   distance = iota // its position is not known
	farOff                     // RefreshIntervals.Far
	nearby                     // RefreshIntervals.Near
	atTerminal                 // RefreshIntervals.AtTerminal
	isOut                      // RefreshIntervals.Out
)

func (r RefreshIntervals) during(s distance, every time.Duration) time.Duration {
	switch s {
	case farOff:
		return r.Far
	case nearby:
		return r.Near
	case atTerminal:
		return r.AtTerminal
	case isOut:
		return r.Out
	}
	return every
}

func (p progress) distance(now time.Time) distance {
	switch {
	case !p.pickedUp.IsZero() || !p.returned.IsZero():
		return isOut
	case !p.atPickup.IsZero():
		if now.Sub(p.atPickup) > awaitPickup {
			return underWay
		}
		return atTerminal
	case !p.arrived.IsZero():
		return stageBefore(p.arrives, now)
	case !p.sailed.IsZero():
		return stageBefore(p.eta, now)
	case p.departs.Sub(now) > nearTo:
		return farOff
	}
	return underWay
}

// stageBefore is the stage of what is expected somewhere at that time.
func stageBefore(at, now time.Time) distance {
	switch left := at.Sub(now); {
	case at.IsZero() || left < -lateFor:
		return underWay
	case left > nearTo:
		return farOff
	}
	return nearby
}

// backOff is when to try again after a number of failures in a row: after one
// minute, two, four, up to the interval at which it would be asked anyway.
func backOff(failures int, interval time.Duration) time.Duration {
	delay := firstBackOff
	for range failures - 1 {
		if delay >= interval {
			break
		}
		delay *= 2
	}
	return min(delay, interval)
}

// interval is how long to wait before a shipment's source is asked again.
func (t *Tracker) interval(s *Shipment, containers []*Container, now time.Time) time.Duration {
	return t.jittered(refreshEvery(s, containers, now, t.config.RefreshEvery, t.config.Refresh))
}

func (t *Tracker) jittered(d time.Duration) time.Duration {
	return d + time.Duration(float64(d)*max(0, t.config.Refresh.Jitter)*t.config.Rand())
}

// scheduleRefresh has the shipment's source asked by that time. An earlier
// appointment stands, and one that is being kept is not made again: there are
// never two questions about a shipment at one time. Whether there is a source
// is for the process to say that does the background work: this one may be an
// import beside it.
func scheduleRefresh(tx *transaction, s *Shipment, at time.Time) error {
	if s.ShippingLineSCAC == "" {
		return nil
	}
	return tx.enqueueBy(refreshJob(s, at))
}

func refreshJob(s *Shipment, at time.Time) store.Job {
	return store.Job{ID: table.NamedID("job/refresh", s.ID.String()), Kind: jobRefresh, Group: s.ShippingLineSCAC, Ref: s.ID, Due: latest(at, s.LeaveAloneUntil)}
}

// scheduleNextRefresh ends the appointment that j keeps, and makes the next one by that
// time while the shipment is followed: as a rule it is the same one put off.
func scheduleNextRefresh(tx *transaction, j store.Job, s *Shipment, at time.Time) error {
	next := refreshJob(s, at)
	if !s.stopped() && next.ID == j.ID && next.Group == j.Group {
		return tx.Records.Postpone(tx, j, next.Due)
	}
	if err := tx.Records.Finish(tx, j); err != nil || s.stopped() {
		return err
	}
	return scheduleRefresh(tx, s, at)
}

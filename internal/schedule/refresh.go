package schedule

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Intervals is how often a source is queried for a container, by its position.
type Intervals struct {
	// Far: the arrival, or the departure from the POL, is expected in more than three
	// days. Near: it arrives within three days, or is up to a week late. AtTerminal: it
	// has arrived where it is picked up, up to two weeks ago. Out: it was picked up.
	Far, Near, AtTerminal, Out time.Duration
	// Jitter is the maximum random share by which an interval is extended.
	Jitter float64
}

const (
	nearTo       = 3 * 24 * time.Hour
	lateFor      = 7 * 24 * time.Hour
	awaitPickup  = 14 * 24 * time.Hour
	firstBackOff = time.Minute
)

// WithDefaults returns the intervals with defaults, which are multiples of the interval
// for a container whose position is not known.
func (i Intervals) WithDefaults(every time.Duration) Intervals {
	i.Far = cmp.Or(i.Far, 2*every)
	i.Near = cmp.Or(i.Near, max(every/3, time.Second))
	i.AtTerminal = cmp.Or(i.AtTerminal, max(every/6, time.Second))
	i.Out = cmp.Or(i.Out, 4*every)
	i.Jitter = cmp.Or(i.Jitter, 0.1)
	return i
}

// Validate checks the intervals. The error begins with the name of a field.
func (i Intervals) Validate() error {
	for name, d := range map[string]time.Duration{"Far": i.Far, "Near": i.Near, "AtTerminal": i.AtTerminal, "Out": i.Out} {
		if d < time.Second {
			return fmt.Errorf("%s must be at least one second", name)
		}
	}
	if i.Jitter > 1 {
		return fmt.Errorf("%s is %g; it is a share, at most 1", "Jitter", i.Jitter)
	}
	return nil
}

// RefreshInterval is the interval at which a shipment's source is queried, without
// jitter: the shortest of its containers. every is for a container whose position is not
// known.
func (s *Shipment) RefreshInterval(i Intervals, every time.Duration, now time.Time) (least time.Duration) {
	for _, p := range s.Containers {
		if d := p.interval(i, every, now); least == 0 || d < least {
			least = d
		}
	}
	return least
}

func (p *Progress) interval(i Intervals, every time.Duration, now time.Time) time.Duration {
	switch {
	case !p.PickedUp.IsZero() || !p.Returned.IsZero():
		return i.Out
	case !p.AtPickup.IsZero() && now.Sub(p.AtPickup) > awaitPickup:
		return every
	case !p.AtPickup.IsZero():
		return i.AtTerminal
	case !p.Arrived.IsZero():
		return i.before(p.INDETA, every, now)
	case !p.Sailed.IsZero():
		return i.before(p.ETA, every, now)
	case p.Departs.Sub(now) > nearTo:
		return i.Far
	}
	return every
}

// before is the interval before an expected arrival.
func (i Intervals) before(arrival time.Time, every time.Duration, now time.Time) time.Duration {
	switch left := arrival.Sub(now); {
	case arrival.IsZero() || left < -lateFor:
		return every
	case left > nearTo:
		return i.Far
	}
	return i.Near
}

// Jittered extends a wait by a random share. random is in [0, 1).
func (i Intervals) Jittered(d time.Duration, random float64) time.Duration {
	return d + time.Duration(float64(d)*max(0, i.Jitter)*random)
}

// RetryDelay is the wait before retry n (from 0) of a tracking request: n^4 + 15 seconds,
// and up to 10*(n+1) seconds of jitter. random is in [0, 1).
func RetryDelay(n int, random float64) time.Duration {
	seconds := math.Pow(float64(n), 4) + 15 + random*10*float64(n+1)
	return time.Duration(seconds * float64(time.Second))
}

// BackOff is the wait after a number of failures in sequence: one minute, two, four, up
// to the usual interval.
func BackOff(failures int, interval time.Duration) time.Duration {
	delay := firstBackOff
	for range failures - 1 {
		if delay >= interval {
			break
		}
		delay *= 2
	}
	return min(delay, interval)
}

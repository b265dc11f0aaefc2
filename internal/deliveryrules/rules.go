// Package deliveryrules has the rules by which notifications are delivered to the
// endpoints of webhooks: what is done with a claimed delivery, what an attempt makes
// of its notification, when it is tried again, when an endpoint is left alone, and
// when it is given up. The rules are pure: they know no store, no clock and no HTTP.
package deliveryrules

import "time"

// Expiry is how long a notification may be pending.
const Expiry = 96 * time.Hour

// Disposition is what is done with a claimed delivery.
type Disposition uint8

// The dispositions.
const (
	Send    Disposition = iota
	Probe               // send it alone, to find out whether the endpoint works again
	Return              // as if it had not been claimed
	Wait                // return it, and do not claim it before BreakerMax has passed
	Drop                // nothing is left to do
	Expire              // it has been pending for too long
	Hold                // until its shipment is resumed
	Abandon             // its webhook was deleted
)

// Claimed is what decides on a claimed delivery.
type Claimed struct {
	// HasWebhook and HasSnapshot: the webhook, and the snapshot of its event, exist.
	HasWebhook, HasSnapshot bool
	// Pending: the notification has neither succeeded nor failed for good. Expired:
	// it has been pending for Expiry.
	Pending, Expired bool
	// Manual: somebody asked for the attempt, not the schedule.
	Manual bool
	// Sealed: no key opens the secrets of the webhook.
	Sealed bool
	// Active: the webhook is.
	Active bool
	// Stopped: a user has stopped its shipment, and the notification is not about
	// that.
	Stopped bool
	Breaker BreakerState
}

// Disposition returns what is done with the delivery.
func (c Claimed) Disposition() Disposition {
	switch {
	case !c.HasSnapshot, !c.Pending && !c.Manual:
		return Drop
	case !c.HasWebhook && c.Pending:
		return Abandon
	case !c.HasWebhook:
		return Drop
	case !c.Manual && c.Expired:
		return Expire
	case c.Sealed:
		return Wait // until the operator may have added the key
	case c.Manual && c.Pending && c.Stopped:
		return Drop // it waits for its shipment, even if somebody asks for it
	case c.Manual:
		return Send
	case !c.Active:
		return Return // its group is paused
	case c.Stopped:
		return Hold
	case c.Breaker == HalfOpen:
		return Probe
	case c.Breaker == Open:
		return Return
	}
	return Send
}

// Result is what an attempt makes of its notification.
type Result uint8

// The results.
const (
	Unchanged Result = iota
	Succeeded
	Retry
	Gone      // the endpoint no longer exists
	Exhausted // it was the last attempt
)

// Attempt is what decides on the result of an attempt.
type Attempt struct {
	// Succeeded: the endpoint has accepted the notification. Gone: it says that it no
	// longer exists. Busy: it cannot take more at present. RetryAfter is the delay that
	// it asks for.
	Succeeded, Gone, Busy bool
	RetryAfter            time.Duration
	// Pending and Manual are as in Claimed.
	Pending, Manual bool
	// Step is the number of failed scheduled attempts before this one.
	Step int
}

// Result returns the result, and for Retry the delay until the next attempt. random is
// in [0, 1).
func (a Attempt) Result(random float64) (Result, time.Duration) {
	switch {
	case a.Succeeded:
		return Succeeded, 0
	case a.Manual || !a.Pending:
		return Unchanged, 0
	case a.Gone:
		return Gone, 0
	case a.Step+1 >= len(schedule):
		return Exhausted, 0
	}
	base := schedule[a.Step+1]
	delay := time.Duration(float64(base) * (1 - jitter + 2*jitter*random))
	if a.Busy {
		delay = max(delay, minBusyDelay)
	}
	// RetryAfter raises a delay, within bounds, and never lowers it.
	return Retry, max(delay, min(a.RetryAfter, max(2*base, LongestRetryAfter)))
}

// schedule has the delay of each attempt after the one before: the first at once, then
// 12 more (see docs/webhooks.md#when-you-do-not-answer).
var schedule = [...]time.Duration{
	0, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 12 * time.Hour, 16 * time.Hour, 24 * time.Hour,
}

const (
	// jitter is the largest deviation from a delay of the schedule, as a fraction.
	jitter = 0.2
	// minBusyDelay is the least delay after an answer that says that the endpoint is
	// busy.
	minBusyDelay = time.Minute
	// LongestRetryAfter is the RetryAfter that is honoured at any step of the schedule.
	LongestRetryAfter = time.Hour
)

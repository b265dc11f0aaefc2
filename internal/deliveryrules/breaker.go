package deliveryrules

import "time"

const (
	breakerFailures = 5
	breakerFirst    = 30 * time.Second
	// BreakerMax is the longest pause of an endpoint.
	BreakerMax = 15 * time.Minute

	deactivateAfter  = 5 * 24 * time.Hour
	deactivateSpread = 12 * time.Hour
)

// Breaker counts the failures of an endpoint. It is stored: the tags are names of
// package record.
type Breaker struct {
	// Failures in a row, and since when.
	Failures     int       `private:"failures"`
	FailingSince time.Time `private:"failing_since"`
	// OpenUntil is the end of the pause while the breaker is open; zero while it is
	// closed. Openings counts openings in a row.
	OpenUntil time.Time `private:"open_until"`
	Openings  int       `private:"openings"`
	// FirstGivenUp and LastGivenUp are when notifications were given up since the
	// last success.
	FirstGivenUp time.Time `private:"first_given_up"`
	LastGivenUp  time.Time `private:"last_given_up"`
}

// BreakerState says what may be sent to an endpoint.
type BreakerState uint8

// The states.
const (
	Closed   BreakerState = iota // everything
	Open                         // nothing
	HalfOpen                     // one delivery, as a probe
)

// State returns the state at a time.
func (b *Breaker) State(now time.Time) BreakerState {
	switch {
	case b.OpenUntil.IsZero():
		return Closed
	case now.Before(b.OpenUntil):
		return Open
	}
	return HalfOpen
}

// Succeed forgets all failures. reopened: the breaker was open.
func (b *Breaker) Succeed() (reopened bool) {
	reopened = !b.OpenUntil.IsZero()
	*b = Breaker{}
	return reopened
}

// Fail counts a failed attempt. givenUp: it was the notification's last. opened: the
// breaker is open from now on.
func (b *Breaker) Fail(now time.Time, givenUp bool) (opened bool) {
	b.Failures++
	if b.FailingSince.IsZero() {
		b.FailingSince = now
	}
	if givenUp {
		b.GiveUp(now)
	}
	if b.Failures < breakerFailures || b.State(now) == Open { // attempts that began before it opened
		return false
	}
	b.OpenUntil = now.Add(min(breakerFirst<<min(b.Openings, 5), BreakerMax))
	b.Openings++
	return true
}

// GiveUp records that a notification was given up.
func (b *Breaker) GiveUp(now time.Time) {
	if b.FirstGivenUp.IsZero() {
		b.FirstGivenUp = now
	}
	b.LastGivenUp = now
}

// MustDeactivate reports whether every attempt has failed for days, and notifications
// were given up at least half a day apart.
func (b *Breaker) MustDeactivate(now time.Time) bool {
	return !b.FailingSince.IsZero() && now.Sub(b.FailingSince) >= deactivateAfter &&
		b.LastGivenUp.Sub(b.FirstGivenUp) >= deactivateSpread
}

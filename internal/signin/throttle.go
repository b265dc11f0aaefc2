package signin

import (
	"crypto/sha256"
	"net/netip"
	"time"

	"github.com/landfallhq/tracking/internal/netblock"
	"github.com/landfallhq/tracking/internal/ratelimit"
)

// Attempts are counted in rolling windows of this length.
const (
	window = 15 * time.Minute
	// remembered is how long a network counts as one from which a user signs in.
	remembered = 24 * time.Hour
)

// The most attempts in a window: at one user, from one network, and those at unknown
// users, of all networks together, that are recorded.
const (
	MaxOfUser    = 20
	MaxOfNetwork = 100
	maxRecorded  = 100
)

// The kinds of scopes.
const (
	ofUser uint8 = iota
	ofUserFromNetwork
	ofNetwork
	ofUnknown
	ofRefused
)

// Throttle bounds the attempts to sign in. Attempts count before their outcome is known, so
// that many at one time cannot pass together. Attempts from a network from which the user
// has signed in within a day are counted by themselves: strangers elsewhere cannot keep the
// user out. It is safe for concurrent use.
type Throttle struct {
	attempts, successes *ratelimit.Limiter
}

// NewThrottle returns a Throttle.
func NewThrottle() *Throttle {
	return &Throttle{attempts: ratelimit.New(window), successes: ratelimit.New(remembered)}
}

// Allow counts an attempt at a user, named by any text, from the address of a client. ok is
// false if there were too many, and then wait is after how long another is allowed. An
// address that cannot be parsed, such as none, has no limit of its own.
func (t *Throttle) Allow(now time.Time, user, client string) (wait time.Duration, ok bool) {
	at := scope(ofUser, user)
	from, known := network(client)
	if !known {
		return t.attempts.Allow(now, ratelimit.Quota{Scope: at, Limit: MaxOfUser})
	}
	if own := scope(ofUserFromNetwork, user, from); t.isKnown(now, own) {
		at = own
	}
	return t.attempts.Allow(now, ratelimit.Quota{Scope: at, Limit: MaxOfUser}, ratelimit.Quota{Scope: scope(ofNetwork, from), Limit: MaxOfNetwork})
}

// AllowClient counts an attempt without a user.
func (t *Throttle) AllowClient(now time.Time, client string) (wait time.Duration, ok bool) {
	from, known := network(client)
	if !known {
		return 0, true
	}
	return t.attempts.Allow(now, ratelimit.Quota{Scope: scope(ofNetwork, from), Limit: MaxOfNetwork})
}

// Succeeded records that a user has signed in from the address of a client.
func (t *Throttle) Succeeded(now time.Time, user, client string) {
	if from, known := network(client); known {
		t.successes.Record(now, ratelimit.Quota{Scope: scope(ofUserFromNetwork, user, from), Limit: 1})
	}
}

// Records reports whether another failure at an unknown user is to be recorded, and counts
// it: strangers must not fill the store.
func (t *Throttle) Records(now time.Time) bool {
	_, ok := t.attempts.Allow(now, ratelimit.Quota{Scope: scope(ofUnknown), Limit: maxRecorded})
	return ok
}

// RecordsRefused reports whether it is to be recorded that an identified person is refused for
// a reason, and counts it. It is recorded once in a window: behind a proxy each request of that
// person is refused.
func (t *Throttle) RecordsRefused(now time.Time, address, reason string) bool {
	_, ok := t.attempts.Allow(now, ratelimit.Quota{Scope: scope(ofRefused, address, reason), Limit: 1})
	return ok
}

func (t *Throttle) isKnown(now time.Time, own ratelimit.Scope) bool {
	_, known := t.successes.Full(now, ratelimit.Quota{Scope: own, Limit: 1})
	return known
}

// scope names a window. The texts are hashed, so that they need no bound.
func scope(kind uint8, texts ...string) ratelimit.Scope {
	h := sha256.New()
	for _, text := range texts {
		h.Write([]byte(text))
		h.Write([]byte{0})
	}
	return ratelimit.Scope{Kind: kind, ID: [16]byte(h.Sum(nil))}
}

// network returns the network of a client's address.
func network(client string) (string, bool) {
	a, err := netip.ParseAddr(client)
	if err != nil {
		return "", false
	}
	return netblock.Of(a).String(), true
}

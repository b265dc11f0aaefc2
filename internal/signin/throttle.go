package signin

import (
	"context"
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
	attempts, successes ratelimit.Windows
}

// NewThrottle returns a Throttle that counts in the windows that open returns. The errors of its
// methods are those of the windows.
func NewThrottle(open func(name string, length time.Duration) ratelimit.Windows) *Throttle {
	return &Throttle{attempts: open("sign_in_attempts", window), successes: open("sign_ins", remembered)}
}

// Allow counts an attempt at a user, named by any text, from the address of a client. ok is
// false if there were too many, and then wait is after how long another is allowed. An
// address that cannot be parsed, such as none, has no limit of its own.
func (t *Throttle) Allow(ctx context.Context, now time.Time, user, client string) (wait time.Duration, ok bool, err error) {
	at := scope(ofUser, user)
	from, known := network(client)
	if !known {
		return t.attempts.Allow(ctx, now, ratelimit.Quota{Scope: at, Limit: MaxOfUser})
	}
	own := scope(ofUserFromNetwork, user, from)
	_, isKnown, err := t.successes.Full(ctx, now, ratelimit.Quota{Scope: own, Limit: 1})
	if err != nil {
		return 0, false, err
	}
	if isKnown {
		at = own
	}
	return t.attempts.Allow(ctx, now, ratelimit.Quota{Scope: at, Limit: MaxOfUser}, ratelimit.Quota{Scope: scope(ofNetwork, from), Limit: MaxOfNetwork})
}

// AllowClient counts an attempt without a user.
func (t *Throttle) AllowClient(ctx context.Context, now time.Time, client string) (wait time.Duration, ok bool, err error) {
	from, known := network(client)
	if !known {
		return 0, true, nil
	}
	return t.attempts.Allow(ctx, now, ratelimit.Quota{Scope: scope(ofNetwork, from), Limit: MaxOfNetwork})
}

// Succeeded records that a user has signed in from the address of a client.
func (t *Throttle) Succeeded(ctx context.Context, now time.Time, user, client string) error {
	from, known := network(client)
	if !known {
		return nil
	}
	return t.successes.Record(ctx, now, ratelimit.Quota{Scope: scope(ofUserFromNetwork, user, from), Limit: 1})
}

// Records reports whether another failure at an unknown user is to be recorded, and counts
// it: strangers must not fill the store.
func (t *Throttle) Records(ctx context.Context, now time.Time) (bool, error) {
	_, ok, err := t.attempts.Allow(ctx, now, ratelimit.Quota{Scope: scope(ofUnknown), Limit: maxRecorded})
	return ok, err
}

// RecordsRefused reports whether it is to be recorded that an identified person is refused for
// a reason, and counts it. It is recorded once in a window: behind a proxy each request of that
// person is refused.
func (t *Throttle) RecordsRefused(ctx context.Context, now time.Time, address, reason string) (bool, error) {
	_, ok, err := t.attempts.Allow(ctx, now, ratelimit.Quota{Scope: scope(ofRefused, address, reason), Limit: 1})
	return ok, err
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

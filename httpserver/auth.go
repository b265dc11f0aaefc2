package httpserver

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

const (
	// trustFor is how long a key counts as valid without another look-up; a
	// revoked key ends no later.
	trustFor = time.Second
	// maxTrusted bounds the cache of valid keys. Its entries live for a second,
	// so forgetting all of them costs each key one look-up.
	maxTrusted = 10_000
	// maxToken is longer than any key: what is longer need not be looked up.
	maxToken = 256
)

// keys is the default authentication: a header against the Tracker's keys.
type keys struct {
	tracker *tracking.Tracker
	limiter *limiter
	clock   tracking.Clock

	mu      sync.RWMutex
	trusted map[[sha256.Size]byte]trust // by the hash: a dump of memory shows no key
}

// trust is what is known of a valid key, and until when.
type trust struct {
	actor tracking.Actor
	until time.Time
}

func newKeys(c Config, l *limiter) *keys {
	return &keys{tracker: c.Tracker, limiter: l, clock: c.Clock, trusted: map[[sha256.Size]byte]trust{}}
}

// authenticate is Config.Authenticate. A key that was valid within the last
// second passes; any other is looked up, unless its address has failed too often.
func (k *keys) authenticate(r *http.Request) (tracking.Actor, error) {
	token := tokenOf(r)
	var buf [maxToken]byte // a conversion would allocate
	hash := sha256.Sum256(buf[:copy(buf[:], token)])
	now := k.clock.Now() // before the look-up: a revocation meanwhile must not gain time
	if actor, ok := k.lately(hash, now); ok {
		return actor, nil
	}
	if err := k.limiter.blocked(r); err != nil {
		return tracking.Actor{}, err
	}
	actor, err := k.lookUp(r, token)
	if err != nil {
		if fault := (*tracking.Error)(nil); errors.As(err, &fault) && fault.Kind == tracking.Unauthorized {
			k.limiter.failed(r)
		}
		return tracking.Actor{}, err
	}
	k.trust(hash, trust{actor: actor, until: now.Add(trustFor)})
	return actor, nil
}

func (k *keys) lookUp(r *http.Request, token string) (tracking.Actor, error) {
	if token == "" {
		return tracking.Actor{}, &tracking.Error{Kind: tracking.Unauthorized}
	}
	return k.tracker.Authenticate(r.Context(), token)
}

func (k *keys) lately(hash [sha256.Size]byte, now time.Time) (tracking.Actor, bool) {
	k.mu.RLock()
	known, ok := k.trusted[hash]
	k.mu.RUnlock()
	// The clock may have been set back: no entry counts for longer than trustFor.
	left := known.until.Sub(now)
	return known.actor, ok && left > 0 && left <= trustFor
}

func (k *keys) trust(hash [sha256.Size]byte, t trust) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.trusted) >= maxTrusted {
		clear(k.trusted)
	}
	k.trusted[hash] = t
}

// tokenOf returns the key that a request presents, or nothing where the header
// is missing, repeated or of another scheme.
func tokenOf(r *http.Request) string {
	lines := r.Header["Authorization"]
	if len(lines) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(lines[0], " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Token") || len(token) > maxToken {
		return ""
	}
	return token
}

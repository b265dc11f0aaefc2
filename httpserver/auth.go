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
	// keyCacheTTL is how long a key counts as valid without another look-up; a
	// revoked key ends no later.
	keyCacheTTL = time.Second
	// maxCachedKeys bounds the cache of valid keys. Its entries live for a second,
	// so forgetting all of them costs each key one look-up.
	maxCachedKeys = 10_000
	// maxTokenBytes is longer than any key: what is longer need not be looked up.
	maxTokenBytes = 256
)

// keyAuthenticator is the default authentication: a header against the Tracker's keys.
type keyAuthenticator struct {
	tracker *tracking.Tracker
	limiter *limiter
	clock   tracking.Clock

	mu     sync.RWMutex
	cached map[[sha256.Size]byte]cachedKey // by the hash: a dump of memory shows no key
}

// cachedKey is what is known of a valid key, and until when.
type cachedKey struct {
	actor tracking.Actor
	until time.Time
}

func newKeyAuthenticator(c Config, l *limiter) *keyAuthenticator {
	return &keyAuthenticator{tracker: c.Tracker, limiter: l, clock: c.Clock, cached: map[[sha256.Size]byte]cachedKey{}}
}

// authenticate is Config.Authenticate. A key that was valid within the last
// second passes; any other is looked up, unless its address has failed too often.
func (k *keyAuthenticator) authenticate(r *http.Request) (tracking.Actor, error) {
	token := requestToken(r)
	var buf [maxTokenBytes]byte // a conversion would allocate
	hash := sha256.Sum256(buf[:copy(buf[:], token)])
	now := k.clock.Now() // before the look-up: a revocation meanwhile must not gain time
	if actor, ok := k.cachedActor(hash, now); ok {
		return actor, nil
	}
	if err := k.limiter.checkAddress(r); err != nil {
		return tracking.Actor{}, err
	}
	actor, err := k.lookUp(r, token)
	if err != nil {
		if fault := (*tracking.Error)(nil); errors.As(err, &fault) && fault.Kind == tracking.Unauthorized {
			k.limiter.countFailure(r)
		}
		return tracking.Actor{}, err
	}
	k.cache(hash, cachedKey{actor: actor, until: now.Add(keyCacheTTL)})
	return actor, nil
}

func (k *keyAuthenticator) lookUp(r *http.Request, token string) (tracking.Actor, error) {
	if token == "" {
		return tracking.Actor{}, &tracking.Error{Kind: tracking.Unauthorized}
	}
	return k.tracker.Authenticate(r.Context(), token)
}

func (k *keyAuthenticator) cachedActor(hash [sha256.Size]byte, now time.Time) (tracking.Actor, bool) {
	k.mu.RLock()
	known, ok := k.cached[hash]
	k.mu.RUnlock()
	// The clock may have been set back: no entry counts for longer than trustFor.
	left := known.until.Sub(now)
	return known.actor, ok && left > 0 && left <= keyCacheTTL
}

func (k *keyAuthenticator) cache(hash [sha256.Size]byte, t cachedKey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.cached) >= maxCachedKeys {
		clear(k.cached)
	}
	k.cached[hash] = t
}

// requestToken returns the key that a request presents, or nothing where the header
// is missing, repeated or of another scheme.
func requestToken(r *http.Request) string {
	lines := r.Header["Authorization"]
	if len(lines) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(lines[0], " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Token") || len(token) > maxTokenBytes {
		return ""
	}
	return token
}

package httpserver

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/landfallhq/tracking"
)

const (
	// keyCacheTTL is how long a valid key is not looked up again, so a revoked key
	// stops working within this time.
	keyCacheTTL = time.Second
	// maxCachedKeys bounds the cache of valid keys. A full cache is emptied, which
	// costs each key one look-up.
	maxCachedKeys = 10_000
	// maxTokenBytes is more than the length of any key; longer tokens are not looked
	// up.
	maxTokenBytes = 256
)

// AuthenticationError makes the response a 401. Config.Authenticate returns it to
// refuse a request.
type AuthenticationError struct {
	// Detail is the sentence that the response shows. Defaults to "Authentication is
	// required."
	Detail string
	// Challenge is the WWW-Authenticate header, such as `Basic realm="app"`. Defaults
	// to "Token".
	Challenge string
}

// Error returns the detail.
func (e *AuthenticationError) Error() string {
	return cmp.Or(e.Detail, "Authentication is required.")
}

// challenge returns the WWW-Authenticate header of a 401.
func challenge(err error) string {
	var auth *AuthenticationError
	if errors.As(err, &auth) && auth.Challenge != "" {
		return auth.Challenge
	}
	return "Token"
}

// keyAuthenticator is the default authentication: it checks the Authorization header
// against the Tracker's keys.
type keyAuthenticator struct {
	tracker *tracking.Tracker
	limiter *limiter
	clock   tracking.Clock

	mu     sync.RWMutex
	cached map[[sha256.Size]byte]cachedKey // by hash, so that a memory dump shows no key
}

// cachedKey is a valid key in the cache.
type cachedKey struct {
	actor tracking.Actor
	until time.Time
}

func newKeyAuthenticator(c Config, l *limiter) *keyAuthenticator {
	return &keyAuthenticator{tracker: c.Tracker, limiter: l, clock: c.Clock, cached: map[[sha256.Size]byte]cachedKey{}}
}

// authenticate implements Config.Authenticate. A cached key passes. Any other key is
// looked up, unless its address has failed too often.
func (k *keyAuthenticator) authenticate(r *http.Request) (tracking.Actor, error) {
	token := requestToken(r)
	var buf [maxTokenBytes]byte // a conversion would allocate
	hash := sha256.Sum256(buf[:copy(buf[:], token)])
	now := k.clock.Now() // before the look-up, so that a revocation during it gains no time
	if actor, ok := k.cachedActor(hash, now); ok {
		return actor, nil
	}
	if err := k.limiter.checkAddress(r); err != nil {
		return tracking.Actor{}, err
	}
	actor, err := k.lookUp(r, token)
	if err != nil {
		if errors.As(err, new(*AuthenticationError)) {
			k.limiter.countFailure(r)
		}
		return tracking.Actor{}, err
	}
	k.cache(hash, cachedKey{actor: actor, until: now.Add(keyCacheTTL)})
	return actor, nil
}

// lookUp gives the same error for every invalid key: a reason would help guessing.
func (k *keyAuthenticator) lookUp(r *http.Request, token string) (tracking.Actor, error) {
	invalid := &AuthenticationError{Detail: "Invalid or missing API token."}
	if token == "" {
		return tracking.Actor{}, invalid
	}
	actor, err := k.tracker.Authenticate(r.Context(), token)
	if engineErr := (*tracking.Error)(nil); errors.As(err, &engineErr) && engineErr.Kind == tracking.Unauthorized {
		return tracking.Actor{}, invalid
	}
	return actor, err
}

func (k *keyAuthenticator) cachedActor(hash [sha256.Size]byte, now time.Time) (tracking.Actor, bool) {
	k.mu.RLock()
	known, ok := k.cached[hash]
	k.mu.RUnlock()
	// left is too large if the clock was set back; such an entry does not count.
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

// requestToken returns the key of a request. It is empty if the header is missing,
// repeated or of another scheme.
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

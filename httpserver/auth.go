package httpserver

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/ratelimit"
)

const (
	// keyCacheTTL is how long a valid key is not looked up again, so a revoked key
	// stops working within this time.
	keyCacheTTL = time.Second
	// maxCachedKeys bounds the caches of valid and of wrong keys, some 1 MiB each. A
	// full cache is emptied, which costs each key one look-up.
	maxCachedKeys = 10_000
	// maxSuspectLookups is how many unknown keys are looked up at one time for
	// addresses with too many failures, so that they cannot occupy the store.
	maxSuspectLookups = 2
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
// against the Tracker's keys. A valid key is always accepted, whatever else its
// address has sent; too many failures only change how the next failure is answered
// (see docs/contract.md#limits-of-requests).
type keyAuthenticator struct {
	tracker *tracking.Tracker
	limiter *limiter
	proxies trustedProxies
	clock   tracking.Clock
	log     failureLog
	// suspects has a token for each look-up of maxSuspectLookups.
	suspects chan struct{}

	mu sync.RWMutex
	// Both are by hash, so that a memory dump shows no key.
	valid map[keyHash]cachedKey
	wrong map[keyHash]time.Time // when they are looked up again
}

type keyHash = [sha256.Size]byte

// cachedKey is a valid key in the cache. It stays there when its time is over, as a
// key that is probably still valid.
type cachedKey struct {
	actor tracking.Actor
	until time.Time
}

func newKeyAuthenticator(c Config, l *limiter) *keyAuthenticator {
	return &keyAuthenticator{
		tracker: c.Tracker, limiter: l, proxies: c.TrustProxy, clock: c.Clock, log: failureLog{logger: c.Logger, clock: c.Clock, lines: ratelimit.New(time.Minute)},
		suspects: make(chan struct{}, maxSuspectLookups), valid: map[keyHash]cachedKey{}, wrong: map[keyHash]time.Time{},
	}
}

var errInvalidKey = &AuthenticationError{Detail: "Invalid or missing API token."}

// authenticate implements Config.Authenticate. A cached key passes; any other key is
// looked up.
func (k *keyAuthenticator) authenticate(r *http.Request) (tracking.Actor, error) {
	token := requestToken(r)
	var buf [maxTokenBytes]byte // a conversion would allocate
	hash := sha256.Sum256(buf[:copy(buf[:], token)])
	now := k.clock.Now() // before the look-up, so that a revocation during it gains no time
	actor, state := k.cached(hash, now)
	if state == keyValid {
		return actor, nil
	}
	address := k.proxies.client(r)
	if token == "" || state == keyWrong {
		return tracking.Actor{}, k.fail(address, r)
	}
	suspect := false
	if state == keyUnknown {
		var err error
		if _, suspect, err = k.limiter.tooManyFailures(r.Context(), address); err != nil {
			return tracking.Actor{}, err
		}
	}
	actor, err := k.lookUp(r.Context(), token, suspect)
	switch {
	case errors.Is(err, errInvalidKey):
		k.cacheWrong(hash, now.Add(keyCacheTTL))
		return tracking.Actor{}, k.fail(address, r)
	case err != nil:
		return tracking.Actor{}, err
	}
	k.cacheValid(hash, cachedKey{actor: actor, until: now.Add(keyCacheTTL)})
	return actor, nil
}

// fail counts a failed authentication and returns its error: after too many of an
// address a 429.
func (k *keyAuthenticator) fail(address clientAddress, r *http.Request) error {
	switch wait, full, err := k.limiter.tooManyFailures(r.Context(), address); {
	case err != nil:
		return err
	case full:
		k.log.limited(address)
		return &httpError{
			status: http.StatusTooManyRequests, retryAfter: wait, limit: LimitFailures,
			detail: "Too many requests without a valid API token came from this address. Try again later.",
		}
	}
	if err := k.limiter.countFailure(r.Context(), address); err != nil {
		return err
	}
	k.log.failed(address, r)
	return errInvalidKey
}

// lookUp returns the actor of a key, or errInvalidKey for every invalid key: a reason
// would help guessing. Suspects wait for their turn.
func (k *keyAuthenticator) lookUp(ctx context.Context, token string, suspect bool) (tracking.Actor, error) {
	if suspect {
		select {
		case k.suspects <- struct{}{}:
			defer func() { <-k.suspects }()
		case <-ctx.Done():
			return tracking.Actor{}, ctx.Err()
		}
	}
	actor, err := k.tracker.Authenticate(ctx, token)
	if engineErr := (*tracking.Error)(nil); errors.As(err, &engineErr) && engineErr.Kind == tracking.Unauthorized {
		return tracking.Actor{}, errInvalidKey
	}
	return actor, err
}

// keyState is what the caches know about a key.
type keyState uint8

const (
	keyUnknown  keyState = iota
	keyValid             // accepted without a look-up
	keyWasValid          // looked up before others
	keyWrong             // refused without a look-up
)

func (k *keyAuthenticator) cached(hash keyHash, now time.Time) (tracking.Actor, keyState) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	known, ok := k.valid[hash]
	switch {
	case ok && isCurrent(known.until, now):
		return known.actor, keyValid
	case isCurrent(k.wrong[hash], now):
		return tracking.Actor{}, keyWrong
	case ok:
		return tracking.Actor{}, keyWasValid
	}
	return tracking.Actor{}, keyUnknown
}

// isCurrent reports whether an entry of a cache still counts. What is left is too
// large if the clock was set back; such an entry does not count.
func isCurrent(until, now time.Time) bool {
	left := until.Sub(now)
	return left > 0 && left <= keyCacheTTL
}

func (k *keyAuthenticator) cacheValid(hash keyHash, key cachedKey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.valid) >= maxCachedKeys {
		clear(k.valid)
	}
	k.valid[hash] = key
}

func (k *keyAuthenticator) cacheWrong(hash keyHash, until time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.wrong) >= maxCachedKeys {
		clear(k.wrong)
	}
	k.wrong[hash] = until
	delete(k.valid, hash) // it was revoked
}

// maxFailureLines is how many lines about failed authentications the log gets in a
// rolling minute, so that many addresses cannot fill it.
const maxFailureLines = 60

// The kinds of ratelimit.Scope for lines of the log.
const (
	scopeFailedLine uint8 = iota
	scopeLimitedLine
	scopeFailureLines
)

// failureLog logs failed authentications, without the key: the first of an address in
// a minute, and the first that is answered with a 429.
type failureLog struct {
	logger   *slog.Logger
	clock    tracking.Clock
	lines    *ratelimit.Limiter
	unlogged atomic.Int64 // since the last line
}

func (l *failureLog) failed(a clientAddress, r *http.Request) {
	l.line(a, scopeFailedLine, "authentication failed", "method", r.Method, "path", loggedPath(r))
}

func (l *failureLog) limited(a clientAddress) {
	l.line(a, scopeLimitedLine, "too many failed authentications: further ones of this address get 429", "most_in_a_minute", maxFailures)
}

func (l *failureLog) line(a clientAddress, kind uint8, message string, more ...any) {
	ofAddress := ratelimit.Quota{Scope: ratelimit.Scope{Kind: kind, ID: a.network()}, Limit: 1}
	ofAll := ratelimit.Quota{Scope: ratelimit.Scope{Kind: scopeFailureLines}, Limit: maxFailureLines}
	if _, ok := l.lines.Allow(l.clock.Now(), ofAddress, ofAll); !ok {
		l.unlogged.Add(1)
		return
	}
	more = append([]any{"address", a.String()}, more...)
	if n := l.unlogged.Swap(0); n > 0 {
		more = append(more, "unlogged_since_last_line", n)
	}
	l.logger.Warn(message, more...)
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

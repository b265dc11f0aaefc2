package httpserver

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/ratelimit"
)

// Limits are how many requests an account may make in any 60 seconds, by
// bucket. An operation counts in one bucket only. In each field 0 means its
// default, and -1 means that there is no limit.
type Limits struct {
	// Default is for all operations without a bucket of their own. Defaults to
	// 100.
	Default int
	// Create is for POST /tracking_requests. Defaults to 100.
	Create int
	// Infer is for POST /tracking_requests/infer_number. Defaults to 200.
	Infer int
	// Refresh is for PATCH /containers/{id}/refresh. Defaults to 10.
	Refresh int
}

func (l Limits) withDefaults() Limits {
	l.Default = cmp.Or(l.Default, 100)
	l.Create = cmp.Or(l.Create, 100)
	l.Infer = cmp.Or(l.Infer, 200)
	l.Refresh = cmp.Or(l.Refresh, 10)
	return l
}

func (l Limits) validate() error {
	for i, n := range l.byBucket() {
		if n < -1 {
			return fmt.Errorf("httpserver: Config.Limits: %d is no limit for the bucket %s: give a number of requests, 0 for the default or -1 for none", n, bucketNames[i])
		}
	}
	return nil
}

// byBucket lists the limits in the order of the buckets.
func (l Limits) byBucket() [4]int { return [...]int{l.Default, l.Create, l.Infer, l.Refresh} }

// bucket is what an operation counts in.
type bucket uint8

// The buckets.
const (
	inDefault bucket = iota
	inCreate
	inInfer
	inRefresh
)

// bucketNames are the names of the buckets in an actor's own limits.
var bucketNames = tracking.Buckets()

// limitDetails say which limit was met.
var limitDetails = [...]string{
	inDefault: "This account has used up its requests for this minute. Send fewer of them, or let webhooks tell you what changes.",
	inCreate:  "This account has reached its limit for creating tracking requests. Try again in a minute.",
	inInfer:   "This account has reached its limit for inferring numbers. Try again in a minute.",
	inRefresh: "This account has reached its limit for refreshing containers. Try again in a minute.",
}

// The windows that are kept, by what they belong to. The kinds of accounts and
// of keys are followed by one for each bucket.
const (
	scopeAccount uint8 = 10
	scopeKey     uint8 = 20
	scopeAddress uint8 = 30
)

// maxFailures is how many failed authentications an address has in a rolling
// minute before its unknown keys are refused without a look-up (see
// docs/contract.md#limits-of-requests).
const maxFailures = 100

type limiter struct {
	windows    *ratelimit.Limiter
	limits     [4]int
	clock      tracking.Clock
	trustProxy bool
}

func newLimiter(c Config) *limiter {
	return &limiter{windows: ratelimit.New(time.Minute), limits: c.Limits.byBucket(), clock: c.Clock, trustProxy: c.TrustProxy}
}

// charge counts a request in the account's bucket and, where the key has a
// smaller limit of its own, in the key's: both have room, or neither is charged.
func (l *limiter) charge(a tracking.Actor, b bucket) error {
	account := ratelimit.Take{Scope: ratelimit.Scope{Kind: scopeAccount + uint8(b), ID: a.Account}, Limit: l.limits[b]}
	wait, ok := l.windows.Allow(l.clock.Now(), account, keyTake(a, b))
	if ok {
		return nil
	}
	return &httpError{status: http.StatusTooManyRequests, detail: limitDetails[b], retryAfter: wait}
}

// keyTake is the actor's own limit; it belongs to the key, or to who stands
// for it where the host knows no keys. Without a limit it takes nothing.
func keyTake(a tracking.Actor, b bucket) ratelimit.Take {
	id := firstID(a.Key, a.User, tracking.ID(a.Account))
	return ratelimit.Take{Scope: ratelimit.Scope{Kind: scopeKey + uint8(b), ID: id}, Limit: a.Limits[bucketNames[b]]}
}

// firstID returns the first ID that is not zero.
func firstID(ids ...tracking.ID) (first tracking.ID) {
	for _, id := range ids {
		if id != (tracking.ID{}) {
			return id
		}
	}
	return first
}

// addressTake is the window of an address. It is full at 101, since 100 failures are let
// through.
func (l *limiter) addressTake(r *http.Request) ratelimit.Take {
	return ratelimit.Take{Scope: ratelimit.Scope{Kind: scopeAddress, ID: l.address(r)}, Limit: maxFailures + 1}
}

// checkAddress refuses a request from an address that has guessed too often.
func (l *limiter) checkAddress(r *http.Request) error {
	wait, full := l.windows.Full(l.clock.Now(), l.addressTake(r))
	if !full {
		return nil
	}
	return &httpError{
		status: http.StatusTooManyRequests, retryAfter: wait,
		detail: "Too many requests without a valid API token came from this address. Try again later.",
	}
}

// countFailure counts a failed authentication.
func (l *limiter) countFailure(r *http.Request) { l.windows.Record(l.clock.Now(), l.addressTake(r)) }

// address is where a request comes from. Of an IPv6 address only the network
// counts: whoever has one address of it has them all.
func (l *limiter) address(r *http.Request) [16]byte {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if l.trustProxy {
		if lines := r.Header["X-Forwarded-For"]; len(lines) > 0 {
			last := lines[len(lines)-1]
			host = strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])
		}
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return [16]byte{} // all whose address cannot be told share one window
	}
	addr = addr.Unmap()
	if addr.Is6() {
		if network, err := addr.WithZone("").Prefix(64); err == nil {
			addr = network.Addr()
		}
	}
	return addr.As16()
}

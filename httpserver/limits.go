package httpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/ratelimit"
)

// Limits are the requests that an account may make in any 60 seconds, by bucket. Each
// operation counts in one bucket. In each field, 0 means the default and -1 means no
// limit.
type Limits struct {
	// Default applies to all operations without a bucket of their own. Defaults to
	// 100.
	Default int
	// Create applies to POST /tracking_requests. Defaults to 100.
	Create int
	// Infer applies to POST /tracking_requests/infer_number. Defaults to 200.
	Infer int
	// Refresh applies to PATCH /containers/{id}/refresh. Defaults to 10.
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
			return fmt.Errorf("httpserver: Config.Limits: %d is not a valid limit for the bucket %s: use a number of requests, 0 for the default or -1 for no limit", n, bucketNames[i])
		}
	}
	return nil
}

// byBucket returns the limits in the order of the buckets.
func (l Limits) byBucket() [4]int { return [...]int{l.Default, l.Create, l.Infer, l.Refresh} }

// bucket is a rate limit that operations share.
type bucket uint8

// The buckets.
const (
	inDefault bucket = iota
	inCreate
	inInfer
	inRefresh
)

// bucketNames are the names of the buckets in Actor.Limits.
var bucketNames = tracking.Describe().Limits

// limitDetails are the details of a 429, by bucket.
var limitDetails = [...]string{
	inDefault: "This account has used up its requests for this minute. Send fewer requests, or use webhooks.",
	inCreate:  "This account has reached its limit for creating tracking requests. Try again in a minute.",
	inInfer:   "This account has reached its limit for inferring numbers. Try again in a minute.",
	inRefresh: "This account has reached its limit for refreshing containers. Try again in a minute.",
}

// The kinds of ratelimit.Scope. Add the bucket to those of accounts and keys.
const (
	scopeAccount uint8 = 10
	scopeKey     uint8 = 20
	scopeAddress uint8 = 30
)

// maxFailures is the number of failed authentications that an address may have in a
// rolling minute. Failures above it are answered with 429 (see
// docs/contract.md#limits-of-requests).
const maxFailures = 100

type limiter struct {
	windows ratelimit.Windows
	limits  [4]int
	clock   tracking.Clock
}

func newLimiter(c Config) *limiter {
	return &limiter{windows: c.Tracker.Windows("requests", time.Minute), limits: c.Limits.byBucket(), clock: c.Clock}
}

// charge counts a request against the limits of the account and of the key. If either
// has no room, neither is charged.
func (l *limiter) charge(ctx context.Context, a tracking.Actor, b bucket) error {
	account := ratelimit.Quota{Scope: ratelimit.Scope{Kind: scopeAccount + uint8(b), ID: a.Account}, Limit: l.limits[b]}
	wait, ok, err := l.windows.Allow(ctx, l.clock.Now(), account, keyQuota(a, b))
	if ok || err != nil {
		return err
	}
	return &httpError{status: http.StatusTooManyRequests, detail: limitDetails[b], retryAfter: wait, limit: bucketNames[b]}
}

// keyQuota returns the actor's own limit. It belongs to the key,
// or else to the user or the account, because a host's Authenticate may have no keys.
// Without a limit it counts nothing.
func keyQuota(a tracking.Actor, b bucket) ratelimit.Quota {
	id := firstID(a.Key, a.User, tracking.ID(a.Account))
	return ratelimit.Quota{Scope: ratelimit.Scope{Kind: scopeKey + uint8(b), ID: id}, Limit: a.Limits[bucketNames[b]]}
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

// tooManyFailures reports whether an address has more than maxFailures failures, and
// how long that remains. Its window is full at 101, because 100 failures are allowed.
func (l *limiter) tooManyFailures(ctx context.Context, a clientAddress) (wait time.Duration, full bool, err error) {
	return l.windows.Full(ctx, l.clock.Now(), a.failures())
}

// countFailure counts a failed authentication.
func (l *limiter) countFailure(ctx context.Context, a clientAddress) error {
	return l.windows.Record(ctx, l.clock.Now(), a.failures())
}

func (a clientAddress) failures() ratelimit.Quota {
	return ratelimit.Quota{Scope: ratelimit.Scope{Kind: scopeAddress, ID: a.network()}, Limit: maxFailures + 1}
}

// BodyPace is the least speed of a request body. A slower body gets a 408 and its
// connection is closed, so that slow clients cannot hold connections for long.
type BodyPace struct {
	// Grace is how long a body of any size may take. Defaults to 5 s.
	Grace time.Duration
	// Rate is the least average speed after that, in bytes per second since the
	// beginning of the request. Defaults to 4,096; -1 means no limit.
	Rate int
}

func (p BodyPace) withDefaults() BodyPace {
	if p.Grace == 0 {
		p.Grace = 5 * time.Second
	}
	if p.Rate == 0 {
		p.Rate = 4096
	}
	return p
}

func (p BodyPace) validate() error {
	if p.Grace < 0 || p.Rate < -1 {
		return fmt.Errorf("httpserver: Config.BodyPace: %v and %d bytes a second: use 0 for the defaults, or a rate of -1 for no limit", p.Grace, p.Rate)
	}
	return nil
}

// pacedBody is a body with a least speed. It moves the read deadline of the
// connection, which also ends a read that waits.
type pacedBody struct {
	io.ReadCloser
	pace         BodyPace
	conn         *http.ResponseController
	begin        time.Time
	hostDeadline time.Time // of the host's ReadTimeout; zero for none
	read         int64
}

// limitBodyPace starts the clock of a body, whether or not a handler reads it:
// net/http reads the rest of a body before it responds.
func (req *request) limitBodyPace() {
	if req.r.ContentLength == 0 || req.config.BodyPace.Rate < 0 {
		return
	}
	b := &pacedBody{ReadCloser: req.r.Body, pace: req.config.BodyPace, conn: http.NewResponseController(req.w), begin: time.Now()}
	if host, ok := req.r.Context().Value(http.ServerContextKey).(*http.Server); ok && host.ReadTimeout > 0 && !req.route.largeBody {
		b.hostDeadline = b.begin.Add(host.ReadTimeout)
	}
	b.extend()
	req.r.Body = b
}

// Read extends the deadline by the bytes it has read. At the end of the body there is
// none: net/http goes on reading from the connection while the request is served, and
// would cancel it at the deadline.
func (b *pacedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if err == io.EOF {
		_ = b.conn.SetReadDeadline(time.Time{})
	} else {
		b.extend()
	}
	return n, err
}

// extend sets the next deadline. A host's ResponseWriter may not support deadlines;
// then the pace is not limited.
func (b *pacedBody) extend() {
	earned := time.Duration(float64(b.read) / float64(b.pace.Rate) * float64(time.Second))
	at := b.begin.Add(b.pace.Grace + earned)
	if !b.hostDeadline.IsZero() && at.After(b.hostDeadline) {
		at = b.hostDeadline
	}
	_ = b.conn.SetReadDeadline(at)
}

// slowBodyError returns the 408 for a body that missed its deadline, or nil for other
// errors.
func (req *request) slowBodyError(err error) error {
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	req.w.Header().Set("Connection", "close")
	return &httpError{status: http.StatusRequestTimeout, detail: "The body was sent too slowly."}
}

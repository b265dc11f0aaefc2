package client_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/httpserver"
)

var errBroken = errors.New("connection reset")

// Failures without a response: a server that hangs until the client's timeout, and a
// dial timeout.
var (
	hangs     = new(http.Response)
	undialled = new(http.Response)
)

const patience = 30 * time.Second

// dialTimeout is the error of a dial timeout.
func dialTimeout(t *testing.T) error {
	t.Helper()
	_, err := (&net.Dialer{Deadline: time.Unix(1, 0)}).DialContext(t.Context(), "tcp", "127.0.0.1:1")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("dialled too late, it is %v", err)
	}
	return err
}

// Which requests are retried, how often, and after which wait.
func TestRetries(t *testing.T) {
	ctx, late := context.Background(), dialTimeout(t)
	get := func(b *bench) error { return b.Client.Alive(ctx) }
	post := func(b *bench) error {
		_, err := b.Client.CreateParty(ctx, tracking.NewParty{CompanyName: uuid.NewString()})
		return err
	}
	change := func(b *bench) error {
		_, err := b.Client.StopTracking(ctx, uuid.New())
		return err
	}
	try := func(b *bench) error {
		_, err := b.Client.TestWebhook(ctx, tracking.WebhookTest{URL: "https://example.com", Event: freight.ContainerCreated})
		return err
	}
	infer := func(b *bench) error {
		_, err := b.Client.InferNumber(ctx, "MRKU9465770")
		return err
	}
	turn := func(b *bench) error { return b.Client.RotateDocument(ctx, uuid.New(), 90) }
	reread := func(b *bench) error { return b.Client.ReextractDocument(ctx, uuid.New()) }
	upload := func(b *bench) error {
		return b.Client.SendUpload(ctx, &tracking.UploadTicket{Upload: &tracking.Upload{}, Handle: "x"}, []byte("bytes"))
	}
	for _, row := range []struct {
		name     string
		call     func(*bench) error
		answers  []*http.Response // nil: the connection breaks; after the last the server itself answers
		sent     int
		from, to time.Duration
	}{
		{"at once", get, nil, 1, 0, 0},
		{"a read that breaks", get, []*http.Response{nil}, 2, 500 * time.Millisecond, time.Second},
		{"a read that breaks three times", get, []*http.Response{nil, nil, nil}, 4, 3500 * time.Millisecond, 7 * time.Second},
		{"a read that never succeeds", get, []*http.Response{nil, nil, nil, nil, nil, nil}, 5, 7500 * time.Millisecond, 15 * time.Second},
		{"a read at a proxy", get, []*http.Response{response(502, "", ""), response(504, "", "")}, 3, 1500 * time.Millisecond, 3 * time.Second},
		{"a read of a fault", get, []*http.Response{response(500, "", "")}, 1, 0, 0},
		{"a read with Retry-After", get, []*http.Response{response(503, "", "20")}, 2, 20 * time.Second, 22 * time.Second},
		{"a read with a too long Retry-After", get, []*http.Response{response(429, "", "61")}, 1, 0, 0},
		{"a read with an invalid Retry-After", get, []*http.Response{response(429, "", "soon")}, 2, 500 * time.Millisecond, time.Second},
		{"a POST that breaks", post, []*http.Response{nil}, 2, 500 * time.Millisecond, time.Second},
		{"a question that breaks", infer, []*http.Response{nil}, 2, 500 * time.Millisecond, time.Second},
		{"a change that breaks", change, []*http.Response{nil}, 1, 0, 0},
		{"a change at a proxy", change, []*http.Response{response(503, "", "1")}, 1, 0, 0},
		{"a change beyond the limit", change, []*http.Response{response(429, "", "7")}, 2, 7 * time.Second, 8 * time.Second},
		{"a turn that breaks", turn, []*http.Response{nil}, 1, 0, 0},
		{"a second reading that breaks", reread, []*http.Response{nil}, 2, 500 * time.Millisecond, time.Second},
		{"bytes that break", upload, []*http.Response{nil, response(503, "", "1")}, 3, 1500 * time.Millisecond, 2100 * time.Millisecond},
		{"a trial that breaks", try, []*http.Response{nil}, 1, 0, 0},
		{"client time-out", get, []*http.Response{hangs}, 2, patience + 500*time.Millisecond, patience + time.Second},
		{"client time-out of a POST", post, []*http.Response{hangs}, 2, patience + 500*time.Millisecond, patience + time.Second},
		{"client time-out of a change", change, []*http.Response{hangs}, 1, patience, patience},
		{"dial time-out", get, []*http.Response{undialled}, 2, 500 * time.Millisecond, time.Second},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				b.Client = b.clientOf(t, client.Config{HTTP: &http.Client{Transport: b.wire, Timeout: patience}})
				b.wire.before = func(r *http.Request) (*http.Response, error) {
					if len(b.wire.sent) > len(row.answers) {
						return nil, nil
					}
					switch a := row.answers[len(b.wire.sent)-1]; a {
					case nil:
						return nil, errBroken
					case hangs:
						<-r.Context().Done()
						return nil, r.Context().Err()
					case undialled:
						return nil, late
					default:
						return a, nil
					}
				}
				began := time.Now()
				err := row.call(b)
				if took := time.Since(began); len(b.wire.sent) != row.sent || took < row.from || took > row.to {
					t.Errorf("%d requests in %v, want %d in %v to %v; %v", len(b.wire.sent), took, row.sent, row.from, row.to, err)
				}
				for _, r := range b.wire.sent[1:] {
					if r.Header.Get("Idempotency-Key") != b.wire.sent[0].Header.Get("Idempotency-Key") {
						t.Error("the second request has another key")
					}
				}
			})
		})
	}
}

// The client waits exactly until the server's rate limit has room.
func TestRetryAfterRateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, func(c *httpserver.Config) { c.Clock, c.Limits = nil, httpserver.Limits{Default: 2} })
		began := time.Now()
		for range 3 {
			if _, err := b.Client.Parties().Page(t.Context(), tracking.Page{}); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took < time.Minute || took > 67*time.Second || len(b.wire.sent) != 4 {
			t.Errorf("%d requests in %v", len(b.wire.sent), took)
		}
	})
}

// A wait ends with its context and does not begin if the deadline is earlier. In both
// cases the error is that of the server.
func TestWaitIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.wire.before = func(*http.Request) (*http.Response, error) { return response(429, "", "50"), nil }
		hears := func(ctx context.Context, cause error, after time.Duration) {
			t.Helper()
			began := time.Now()
			err := b.Client.Alive(ctx)
			var refused *client.Error
			if !errors.As(err, &refused) || refused.RetryAfter != 50*time.Second || cause != nil && !errors.Is(err, cause) || time.Since(began) != after {
				t.Errorf("%v after %v", err, time.Since(began))
			}
		}
		short, done := context.WithTimeout(t.Context(), time.Second)
		defer done()
		hears(short, nil, 0)
		cancelled, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		hears(cancelled, context.Canceled, time.Second)
	})
}

// No random wait is longer than MaxWait.
func TestMaxWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.wire.before = func(*http.Request) (*http.Response, error) { return response(429, "", "60"), nil }
		began := time.Now()
		if err := b.Client.Alive(t.Context()); err == nil || time.Since(began) != 4*time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// A POST with a lost response is done only once.
func TestLostResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.wire.before = func(r *http.Request) (*http.Response, error) {
			if len(b.wire.sent) > 1 {
				return nil, nil
			}
			inner := &recordingTransport{handler: b.handler}
			if _, err := inner.RoundTrip(r.Clone(r.Context())); err != nil {
				t.Error(err)
			}
			return nil, errBroken // the server has done it, and nobody heard
		}
		made, err := b.Client.CreateParty(t.Context(), tracking.NewParty{CompanyName: "Acme"})
		if err != nil {
			t.Fatal(err)
		}
		b.wire.before = nil
		if found := all(t, b.Client.Parties()); len(found) != 1 || found[0].ID != made.ID {
			t.Errorf("%d parties were made", len(found))
		}
		again, err := b.Client.CreateParty(t.Context(), tracking.NewParty{CompanyName: "B"}, tracking.Once{Key: "mine"})
		if err != nil {
			t.Fatal(err)
		}
		if same, err := b.Client.CreateParty(t.Context(), tracking.NewParty{CompanyName: "B"}, tracking.Once{Key: "mine"}); err != nil || same.ID != again.ID {
			t.Errorf("with a key of one's own: %v, %v", same, err)
		}
	})
}

// Without retries the first error counts.
func TestNoRetries(t *testing.T) {
	b := newBench(t)
	b.wire.before = func(*http.Request) (*http.Response, error) { return response(429, "", "1"), nil }
	c, err := client.New(client.Config{URL: "https://x/v2", Key: "k", Retries: -1, HTTP: &http.Client{Transport: b.wire}})
	if err != nil {
		t.Fatal(err)
	}
	var refused *client.Error
	if err := c.Alive(t.Context()); !errors.As(err, &refused) || refused.RetryAfter != time.Second || len(b.wire.sent) != 1 {
		t.Errorf("%v after %d requests", err, len(b.wire.sent))
	}
}

package httpserver_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
)

func limits(l httpserver.Limits) func(*httpserver.Config) {
	return func(c *httpserver.Config) { c.Limits = l }
}

// volley sends n equal requests concurrently and counts the responses by status.
func (b *bench) volley(n int, method, path, body string, headers ...string) map[int]int {
	b.tb.Helper()
	counts := make([]atomic.Int64, 600)
	var wg sync.WaitGroup
	start := make(chan struct{})
	for range n {
		wg.Go(func() {
			r := request(method, path, body, headers...)
			w := httptest.NewRecorder()
			<-start
			b.server.ServeHTTP(w, r)
			counts[w.Code].Add(1)
			b.asDescribed(r, w.Code, w.Header(), w.Body.Bytes())
			if w.Code >= 400 {
				if fault := errorsShape(w.Code, w.Body.Bytes(), "GET"); fault != "" {
					b.tb.Errorf("%d %s: %s", w.Code, w.Body, fault)
				}
			}
		})
	}
	close(start)
	wg.Wait()
	out := map[int]int{}
	for status := range counts {
		if n := counts[status].Load(); n > 0 {
			out[status] = int(n)
		}
	}
	return out
}

func (t *tenant) auth() string { return "Authorization: Token " + t.key }

// Of 1,000 concurrent requests exactly 100 are admitted. A minute after the first one
// there is room for exactly the requests that have left the window.
func TestRollingLimit(t *testing.T) {
	b := newBench(t)
	b.serve(limits(httpserver.Limits{}))
	admitted := func(n int) int {
		return b.volley(n, "GET", b.mine.fill("/v2/shipments/{shipment}"), "", b.mine.auth())[200]
	}
	if n := admitted(30); n != 30 {
		t.Fatalf("%d of 30 admitted at first", n)
	}
	b.Clock.Advance(20 * time.Second)
	if n := admitted(1000); n != 70 {
		t.Errorf("%d of 1000 admitted with 30 in the window, want 70", n)
	}
	a := b.as(b.mine, "GET", "/v2/shipments", "").want(429)
	if got := a.header.Get("Retry-After"); got != "40" {
		t.Errorf("Retry-After is %s, want 40", got)
	}
	for name := range a.header {
		if name == "X-Ratelimit-Limit" || name == "Ratelimit" {
			t.Errorf("a 429 has the header %s", name)
		}
	}
	for _, step := range []struct {
		wait time.Duration
		want int
	}{{39900 * time.Millisecond, 0}, {100 * time.Millisecond, 30}, {19900 * time.Millisecond, 0}, {100 * time.Millisecond, 70}} {
		b.Clock.Advance(step.wait)
		if n := admitted(1000); n != step.want {
			t.Errorf("%d admitted at %s, want %d", n, b.Clock.Now().Format("05.000"), step.want)
		}
	}
}

func TestThousandAtOnce(t *testing.T) {
	b := newBench(t)
	b.serve(limits(httpserver.Limits{}))
	got := b.volley(1000, "GET", "/v2/shipping_lines/MAEU", "", b.mine.auth())
	if got[200] != 100 || got[429] != 900 {
		t.Errorf("answers %v, want 100 of 200 and 900 of 429", got)
	}
	if got := b.volley(10, "GET", "/v2/shipping_lines/MAEU", "", b.theirs.auth()); got[200] != 10 {
		t.Errorf("another account got %v", got)
	}
	b.Clock.Advance(59900 * time.Millisecond)
	if got := b.volley(1000, "GET", "/v2/shipping_lines/MAEU", "", b.mine.auth()); got[200] != 0 {
		t.Errorf("after 59.9 s %v", got)
	}
	b.Clock.Advance(100 * time.Millisecond)
	if got := b.volley(1000, "GET", "/v2/shipping_lines/MAEU", "", b.mine.auth()); got[200] != 100 {
		t.Errorf("after 60 s %v", got)
	}
}

// Waiting for Retry-After is enough; one second less is not.
func TestRetryAfterIsExact(t *testing.T) {
	b := newBench(t)
	b.serve(limits(httpserver.Limits{Default: 5}))
	tries := 0
	for i := range 50 {
		b.Clock.Advance(time.Duration(i*i*37%17000) * time.Millisecond)
		a := b.as(b.mine, "GET", "/v2/shipping_lines/MAEU", "")
		if a.status != 429 {
			continue
		}
		tries++
		wait, err := strconv.Atoi(a.header.Get("Retry-After"))
		if err != nil || wait < 1 {
			t.Fatalf("Retry-After is %q", a.header.Get("Retry-After"))
		}
		b.Clock.Advance(time.Duration(wait-1) * time.Second)
		if wait > 1 {
			b.as(b.mine, "GET", "/v2/shipping_lines/MAEU", "").want(429)
		}
		b.Clock.Advance(time.Second)
		b.as(b.mine, "GET", "/v2/shipping_lines/MAEU", "").want(200)
	}
	if tries < 5 {
		t.Errorf("only %d refusals: the test proves little", tries)
	}
}

// Each bucket counts its own operations only. Requests with other errors count; a 429
// does not.
func TestBuckets(t *testing.T) {
	b := newBench(t)
	b.serve(limits(httpserver.Limits{Default: 3, Create: 2, Infer: 1, Refresh: 1}))
	refresh := b.mine.fill("/v2/containers/{container}/refresh")
	b.as(b.mine, "PATCH", refresh, "").want(200)
	if a := b.as(b.mine, "PATCH", refresh, "").want(429); a.header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After is %q, want 60", a.header.Get("Retry-After"))
	}
	b.as(b.mine, "POST", "/v2/tracking_requests", `{}`).want(400)
	b.as(b.mine, "POST", "/v2/tracking_requests", trackingRequest(goodRequest)).want(201)
	b.as(b.mine, "POST", "/v2/tracking_requests", trackingRequest(goodRequest)).want(429)
	b.as(b.mine, "POST", "/v2/tracking_requests/infer_number", `{"number":"MEDUFR030802"}`).want(200)
	b.as(b.mine, "POST", "/v2/tracking_requests/infer_number", `{"number":"MEDUFR030802"}`).want(429)
	b.as(b.mine, "GET", "/v2/nowhere", "").want(404)
	b.as(b.mine, "DELETE", "/v2/parties", "").want(405)
	b.as(b.mine, "GET", "/v2/shipments?include=x", "").want(400)
	b.as(b.mine, "GET", "/v2/shipments", "").want(429)
	for range 5 {
		b.as(b.mine, "GET", "/v2/nowhere", "").want(429)
	}
	b.do("GET", "/healthz", "").want(200)
	b.Clock.Advance(time.Minute)
	b.as(b.mine, "GET", "/v2/shipments", "").want(200)
}

// The limits of the key and of the account both apply. A request refused by one of
// them counts in neither.
func TestKeysOwnLimit(t *testing.T) {
	b := newBench(t)
	secret, _, err := b.Operator.CreateKey(t.Context(), tracking.NewKey{Account: b.mine.account, Limits: map[string]int{"default": 2, "create": 1}})
	if err != nil {
		t.Fatal(err)
	}
	small := &tenant{key: secret}
	b.serve(limits(httpserver.Limits{Default: 5}))
	for range 2 {
		b.as(small, "GET", "/v2/shipping_lines/MAEU", "").want(200)
	}
	for range 10 {
		b.as(small, "GET", "/v2/shipping_lines/MAEU", "").want(429)
	}
	for range 3 { // the account has 5, of which the small key took 2
		b.as(b.mine, "GET", "/v2/shipping_lines/MAEU", "").want(200)
	}
	b.as(b.mine, "GET", "/v2/shipping_lines/MAEU", "").want(429)
	b.as(small, "POST", "/v2/tracking_requests", trackingRequest(goodRequest)).want(201)
	b.as(small, "POST", "/v2/tracking_requests", trackingRequest(goodRequest)).want(429)
}

// After more than 100 failures of an address, further ones get 429. Valid keys are
// accepted there all the same: cached ones, those that are looked up again, and new
// ones.
func TestFailedAuthentications(t *testing.T) {
	b := newBench(t)
	b.address = "192.0.2.1:1234"
	guess := func(i int) *response {
		return b.do("GET", "/v2/shipments", "", fmt.Sprintf("Authorization: Token lf_%d", i))
	}
	for i := range 101 {
		guess(i).want(401)
	}
	if a := guess(101).want(429); a.header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After is %q, want 60", a.header.Get("Retry-After"))
	}
	b.do("GET", "/v2/shipments", "").want(429)
	b.as(b.mine, "GET", "/v2/shipments", "").want(200) // its key is in the cache from filling the account
	b.Clock.Advance(time.Second)
	b.as(b.mine, "GET", "/v2/shipments", "").want(200)
	secret, id := b.newKey(b.mine.account, b.mine.user)
	added := &tenant{key: secret}
	b.as(added, "GET", "/v2/shipments", "").want(200)
	if err := b.Operator.RevokeKey(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	b.Clock.Advance(time.Second)
	b.as(added, "GET", "/v2/shipments", "").want(429)
	b.do("GET", "/healthz", "").want(200)
	b.address = "192.0.2.2:1234"
	guess(0).want(401)
	b.address = "192.0.2.1:1234"
	b.Clock.Advance(58 * time.Second)
	guess(102).want(401)
}

// A wrong key that comes again within a second is not looked up again, nor is one
// that has not the form of a key.
func TestWrongKeyIsLookedUpOnce(t *testing.T) {
	b := newBench(t)
	b.serve()
	wrong := &tenant{key: "lf_" + strings.Repeat("A", 43) + "0c2b5986"} // with its checksum
	lookups := func(n int) int64 {
		before := b.store.views.Load()
		for range n {
			b.as(wrong, "GET", "/v2/shipments", "").want(401)
		}
		return b.store.views.Load() - before
	}
	if n := lookups(10); n != 1 {
		t.Errorf("10 requests with one wrong key: %d look-ups, want 1", n)
	}
	b.Clock.Advance(time.Second)
	if n := lookups(10); n != 1 {
		t.Errorf("10 requests a second later: %d look-ups, want 1", n)
	}
	wrong.key = "lf_1"
	if n := lookups(10); n != 0 {
		t.Errorf("10 requests with a key of another form: %d look-ups, want none", n)
	}
}

// The log has a line for the first failure of an address in a minute, and one when
// more are answered with 429; at most 60 lines in all, and never the key.
func TestLogOfFailedAuthentications(t *testing.T) {
	var log bytes.Buffer
	b := newBench(t)
	b.serve(func(c *httpserver.Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	fail := func(address string, n int) {
		b.address = address
		for range n {
			b.do("GET", "/v2/shipments", "", "Authorization: Token lf_sesame")
		}
	}
	lines := func() []string {
		defer log.Reset()
		return strings.Split(strings.TrimSuffix(log.String(), "\n"), "\n")
	}
	fail("192.0.2.1:1", 200)
	got := lines()
	if len(got) != 2 || !strings.Contains(got[0], `msg="authentication failed" address=192.0.2.1 method=GET path=/v2/shipments`) ||
		!strings.Contains(got[1], "too many failed authentications") || !strings.Contains(got[1], "unlogged_since_last_line=100") {
		t.Errorf("after 200 failures: %q", got)
	}
	for i := range 200 {
		fail(fmt.Sprintf("198.51.100.%d:1", i), 1)
	}
	if got = lines(); len(got) != 58 {
		t.Errorf("after failures of 200 addresses: %d lines, want the remaining 58", len(got))
	}
	b.Clock.Advance(time.Minute)
	fail("192.0.2.1:1", 5)
	if got = append(got, lines()...); len(got) != 59 || !strings.Contains(got[58], "unlogged_since_last_line=142") {
		t.Errorf("a minute later: %q", got[58:])
	}
	if text := strings.Join(got, "\n"); strings.Contains(text, "sesame") {
		t.Errorf("the log shows a key: %s", text)
	}
}

// networks parses the networks of trusted proxies.
func networks(list ...string) (parsed []netip.Prefix) {
	for _, s := range list {
		parsed = append(parsed, netip.MustParsePrefix(s))
	}
	return parsed
}

// All addresses of an IPv6 network count as one.
func TestAddresses(t *testing.T) {
	b := newBench(t)
	for i := range 101 {
		b.address = fmt.Sprintf("[2001:db8::%x]:1", i+1)
		b.do("GET", "/v2/shipments", "").want(401)
	}
	b.do("GET", "/v2/shipments", "").want(429)
	b.address = "[2001:db8:0:1::1]:1"
	b.do("GET", "/v2/shipments", "").want(401)
}

// Behind trusted proxies, failures count for the last address of X-Forwarded-For that
// is no proxy. Each row makes 101 failures; the log has the address that they count for.
func TestForwardedAddresses(t *testing.T) {
	const proxy, stranger = "10.0.0.1:80", "192.0.2.9:80"
	for _, row := range []struct {
		from    string
		headers []string
		want    string
	}{
		{proxy, []string{"X-Forwarded-For: 198.51.100.7"}, "198.51.100.7"},
		{proxy, []string{"X-Forwarded-For: 203.0.113.1, 198.51.100.7"}, "198.51.100.7"},
		{proxy, []string{"X-Forwarded-For: 203.0.113.1,198.51.100.7 , 10.0.0.2,fd00::3"}, "198.51.100.7"},
		{proxy, []string{"X-Forwarded-For: 203.0.113.1", "X-Forwarded-For: 198.51.100.7", "X-Forwarded-For: 10.0.0.2"}, "198.51.100.7"},
		{proxy, []string{"X-Forwarded-For: 198.51.100.7:4711"}, "198.51.100.7"},
		{proxy, []string{"X-Forwarded-For: ::ffff:198.51.100.7"}, "198.51.100.7"},
		{proxy, []string{"X-Forwarded-For: [2001:db8::7]:80"}, "2001:db8::7"},
		{proxy, []string{"X-Forwarded-For: 10.0.0.3, 10.0.0.2"}, "10.0.0.3"}, // the client is in the networks of the proxies
		{proxy, []string{"X-Forwarded-For: 198.51.100.7, unknown, 10.0.0.2"}, "10.0.0.2"},
		{proxy, []string{"X-Forwarded-For: "}, "10.0.0.1"},
		{proxy, nil, "10.0.0.1"},
		{"[fd00::1]:80", []string{"X-Forwarded-For: 198.51.100.7"}, "198.51.100.7"},
		{"[::ffff:10.0.0.1]:80", []string{"X-Forwarded-For: 198.51.100.7"}, "198.51.100.7"},
		{stranger, []string{"X-Forwarded-For: 198.51.100.7"}, "192.0.2.9"},
		{"@", []string{"X-Forwarded-For: 198.51.100.7"}, `"invalid IP"`}, // a Unix socket
	} {
		var log bytes.Buffer
		b := newBench(t)
		b.serve(func(c *httpserver.Config) {
			c.TrustProxy, c.Logger = networks("10.0.0.0/8", "fd00::/8"), slog.New(slog.NewTextHandler(&log, nil))
		})
		b.address = row.from
		for range 101 {
			b.do("GET", "/v2/shipments", "", row.headers...).want(401)
		}
		b.do("GET", "/v2/shipments", "", row.headers...).want(429)
		if !strings.Contains(log.String(), " address="+row.want+" ") {
			t.Errorf("%s %q: want the address %s: %s", row.from, row.headers, row.want, log.String())
		}
		b.address = "10.0.0.1:80"
		b.do("GET", "/v2/shipments", "", "X-Forwarded-For: 198.51.100.8").want(401)
	}
}

func TestUnlimited(t *testing.T) {
	b := newBench(t)
	if got := b.volley(1000, "GET", "/v2/shipping_lines/MAEU", "", b.mine.auth()); got[200] != 1000 {
		t.Errorf("answers %v without limits", got)
	}
}

// 200 equal creates with one Idempotency-Key have one effect and get the same
// response.
func TestIdempotency(t *testing.T) {
	for _, row := range []struct {
		path, body string
		status     int
	}{
		{"/v2/parties", `{"data":{"attributes":{"company_name":"Once"}}}`, 201},
		{"/v2/tracking_requests", trackingRequest(goodRequest), 201},
		{"/v2/reports", `{"source":"t","facts":[{"event":"other","numbers":[{"type":"bill_of_lading","number":"ONCE1"}]}]}`, 200},
	} {
		b := newBench(t)
		before := len(b.store.stored(t, b.mine.account))
		got := b.volley(200, "POST", row.path, row.body, b.mine.auth(), "Idempotency-Key: k1")
		if got[row.status] != 200 {
			t.Errorf("%s: answers %v, want 200 times %d", row.path, got, row.status)
		}
		first := b.as(b.mine, "POST", row.path, row.body, "Idempotency-Key: k1").want(row.status)
		again := b.as(b.mine, "POST", row.path, row.body, "Idempotency-Key: k1").want(row.status)
		if string(first.body) != string(again.body) {
			t.Errorf("%s: %s, then %s", row.path, first.body, again.body)
		}
		made := len(b.store.stored(t, b.mine.account)) - before
		if want := map[string]int{"/v2/parties": 3, "/v2/tracking_requests": 3, "/v2/reports": 4}[row.path]; made != want { // the record, or shipment and fact; the key; and the event of the audit log
			t.Errorf("%s: %d records made, want %d", row.path, made, want)
		}
		other := b.as(b.mine, "POST", row.path, row.body+" ", "Idempotency-Key: k1").want(422)
		if got := other.summary(); got != "422 idempotency_key_reused" {
			t.Errorf("%s with another body: %s", row.path, got)
		}
		if row.path == "/v2/parties" {
			b.as(b.mine, "POST", "/v2/tracking_requests", trackingRequest(goodRequest), "Idempotency-Key: k1").want(422)
		}
	}
}

// A refused request does not use up its Idempotency-Key.
func TestIdempotencyAfterARefusal(t *testing.T) {
	b := newBench(t)
	b.as(b.mine, "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"Acme"}}}`, "Idempotency-Key: k").want(422)
	b.as(b.mine, "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"Other"}}}`, "Idempotency-Key: k").want(201)
}

// Of 100 concurrent updates with the same If-Match, one succeeds.
func TestLostUpdate(t *testing.T) {
	for _, row := range []struct{ path, body string }{
		{"/v2/shipments/{shipment}", `{"data":{"attributes":{"tags":["%d"]}}}`},
		{"/v2/containers/{container}", `{"data":{"type":"container","attributes":{"ref_numbers":["%d"]}}}`},
		{"/v2/tracking_requests/{tracking_request}", `{"data":{"attributes":{"ref_numbers":["%d"]}}}`},
		{"/v2/parties/{party}", `{"data":{"attributes":{"company_name":"P%d"}}}`},
	} {
		b := newBench(t)
		path := b.mine.fill(row.path)
		tag := b.as(b.mine, "GET", path, "").want(200).header.Get("Etag")
		var made, stale atomic.Int64
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() {
				r := request("PATCH", path, fmt.Sprintf(row.body, i), b.mine.auth(), "If-Match: "+tag)
				w := httptest.NewRecorder()
				b.server.ServeHTTP(w, r)
				switch w.Code {
				case http.StatusOK:
					made.Add(1)
				case http.StatusPreconditionFailed:
					stale.Add(1)
				}
			})
		}
		wg.Wait()
		if made.Load() != 1 || stale.Load() != 99 {
			t.Errorf("%s: %d of 200 and %d of 412, want 1 and 99", row.path, made.Load(), stale.Load())
		}
		next := b.as(b.mine, "GET", path, "").header.Get("Etag")
		if next == tag || tag == "" {
			t.Errorf("%s: the ETag was %s and is %s", row.path, tag, next)
		}
		b.as(b.mine, "PATCH", path, fmt.Sprintf(row.body, 1000), "If-Match: "+next).want(200)
	}
}

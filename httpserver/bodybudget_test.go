package httpserver_test

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/httpserver"
)

// heldBody is a body that the server has begun to read and that does not end until
// release.
type heldBody struct {
	begun, released chan struct{}
	started         bool
}

func (h *heldBody) Read([]byte) (int, error) {
	if !h.started {
		h.started = true
		close(h.begun)
	}
	<-h.released
	return 0, io.ErrUnexpectedEOF
}

// hold sends a report of a size whose body does not end before release is called.
func (b *bench) hold(t *tenant, size int64) (release func()) {
	b.tb.Helper()
	body := &heldBody{begun: make(chan struct{}), released: make(chan struct{})}
	r := request("POST", "/v2/reports", "", t.auth(), "Content-Type: application/json")
	r.Body, r.ContentLength = io.NopCloser(body), size
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		b.server.ServeHTTP(httptest.NewRecorder(), r)
	}()
	<-body.begun
	return func() { close(body.released); <-answered }
}

// unreadBody fails the test when it is read.
type unreadBody struct{ tb testing.TB }

func (u unreadBody) Read([]byte) (int, error) {
	u.tb.Error("a body was read that has no room")
	return 0, io.EOF
}

// Bodies of one account have a share of the budget, and all have the budget; both are
// refused before they are read. Small ones have room of their own. What has been answered
// frees its room.
func TestBodyBudget(t *testing.T) {
	b := newBench(t)
	b.serve(func(c *httpserver.Config) { c.BodyBytes = 32 << 20 }) // 16 MiB for one account
	third := b.tenant("third")
	send := func(t *tenant, want int) *response {
		b.tb.Helper()
		return b.as(t, "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"`+strings.Repeat("x", 20)+`"}}}`).want(want)
	}
	refused := func(t *tenant, length int64, want int, retryAfter string) {
		b.tb.Helper()
		r := request("POST", "/v2/reports", "", t.auth(), "Content-Type: application/json")
		r.Body, r.ContentLength = io.NopCloser(unreadBody{b.tb}), length
		w := httptest.NewRecorder()
		b.server.ServeHTTP(w, r)
		if w.Code != want || w.Header().Get("Retry-After") != retryAfter {
			b.tb.Errorf("%d, Retry-After %q, want %d and %q: %s", w.Code, w.Header().Get("Retry-After"), want, retryAfter, w.Body)
		}
		b.asDescribed(r, w.Code, w.Header(), w.Body.Bytes())
	}
	first := b.hold(b.mine, 10<<20/8) // a report counts eight times
	send(b.mine, 201)
	refused(b.mine, 7<<20/8, 429, "1")
	second := b.hold(b.mine, 6<<20/8)
	refused(b.mine, 16<<10+1, 429, "1")
	small := b.hold(b.mine, 16<<10) // it has other room
	b.as(b.mine, "GET", "/v2/parties", "").want(200)
	b.as(b.theirs, "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"Beta"}}}`).want(201)
	other := b.hold(b.theirs, 16<<20)
	refused(third, 16<<10+1, 503, "5")
	b.as(third, "POST", "/v2/parties", `{"data":{"attributes":{"company_name":"Gamma"}}}`).want(201)
	refused(b.mine, 16<<20, 429, "1") // it would have all of the share
	second()
	b.hold(third, 6<<20/8)()
	first()
	b.hold(b.mine, 16<<20)()
	small()
	other()
	send(b.mine, 422) // the name is taken
}

// A body of unknown length takes room as it grows.
func TestBodyBudgetOfChunkedBodies(t *testing.T) {
	b := newBench(t)
	b.serve(func(c *httpserver.Config) { c.BodyBytes = 16 << 20 })
	chunked := func(size int) int {
		r := request("POST", "/v2/reports", "", b.mine.auth(), "Content-Type: application/json")
		report := strings.NewReader(voyage[:1] + strings.Repeat(" ", size-len(voyage)) + voyage[1:])
		r.Body, r.ContentLength = io.NopCloser(report), -1
		w := httptest.NewRecorder()
		b.server.ServeHTTP(w, r)
		return w.Code
	}
	for _, size := range []int{len(voyage), 32 << 10, 32<<10 + 1, 1 << 20, 16<<20 - 1, 16 << 20} {
		if got := chunked(size); got != 200 {
			t.Errorf("%d bytes: %d", size, got)
		}
	}
	if got := chunked(16<<20 + 1); got != 413 {
		t.Errorf("more than the largest body: %d", got)
	}
	release := b.hold(b.mine, 14<<20/8) // a report counts eight times
	for size, want := range map[int]int{128 << 10: 200, 256 << 10: 200, 256<<10 + 1: 429, 5 << 20: 429} {
		if got := chunked(size); got != want {
			t.Errorf("%d bytes next to 1.75 MiB: %d, want %d", size, got, want)
		}
	}
	release()
	if got := chunked(16 << 20); got != 200 {
		t.Errorf("all of the room again: %d", got)
	}
}

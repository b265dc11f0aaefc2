package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
)

const (
	// pageSize is what the goals are stated for.
	pageSize = 30
	// deepPage is the page whose cost is compared with the first.
	deepPage = 3000
	// sampled is how many single resources the bare handler has in turn.
	sampled = 256
	// callers is how many updates are handed in at a time.
	callers = 64

	includes = "containers,port_of_lading,port_of_discharge,pod_terminal"
)

// request is one HTTP request with the key of an account.
type request struct {
	path string
	key  string
	body string // empty for GET
}

func (r request) method() string {
	if r.body != "" {
		return http.MethodPost
	}
	return http.MethodGet
}

// wire is the request as it is sent to an address.
func (r request) wire(addr string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Token %s\r\nAccept: application/json\r\n", r.method(), r.path, addr, r.key)
	if r.body != "" {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(r.body))
	}
	b.WriteString("\r\n")
	b.WriteString(r.body)
	return []byte(b.String())
}

// http is the request for a handler in this process.
func (r request) http(addr string) *http.Request {
	in := httptest.NewRequest(r.method(), "http://"+addr+r.path, strings.NewReader(r.body))
	in.Header.Set("Authorization", "Token "+r.key)
	in.Header.Set("Accept", "application/json")
	if r.body != "" {
		in.Header.Set("Content-Type", "application/json")
	}
	return in
}

// list asks for a page with all that clients usually include.
func (a account) list(page int) request { return a.shipments(page, "&include="+includes) }

// shipments asks for a page of shipments.
func (a account) shipments(page int, more string) request {
	return request{path: fmt.Sprintf("/v2/shipments?page%%5Bnumber%%5D=%d&page%%5Bsize%%5D=%d%s", page, pageSize, more), key: a.key}
}

// stopped asks for the first page of those that are followed no more, or still.
func (a account) stopped(is bool) request {
	return a.shipments(1, fmt.Sprintf("&filter%%5Btracking_stopped%%5D=%t", is))
}

// few asks for a list of a shipment or two and nothing else: beside an account of
// another size, it shows what the total costs.
func (a account) few(size int) request {
	return request{path: fmt.Sprintf("/v2/shipments?page%%5Bsize%%5D=%d", size), key: a.key}
}

// parties asks for a page of parties.
func (a account) parties(page int) request {
	return request{path: fmt.Sprintf("/v2/parties?page%%5Bnumber%%5D=%d&page%%5Bsize%%5D=%d", page, pageSize), key: a.key}
}

// singles ask for each of the shipments.
func (a account) singles() []request {
	all := make([]request, len(a.ids))
	for i, id := range a.ids {
		all[i] = request{path: "/v2/shipments/" + id.String(), key: a.key}
	}
	return all
}

// last is the last full page of the account.
func (a account) last() int { return max(1, a.rows/pageSize) }

// deep is a page so far from the first that it is told apart from it by its
// depth alone: the first from page 3000 on that has copies of the same voyages,
// or else the last such page.
func (d *data) deep() int {
	pages := d.small.rows / pageSize // until the same voyages come again
	return 1 + min((deepPage-1+pages-1)/pages, (d.large.last()-1)/pages)*pages
}

// update is the next update of the fleet, as a request.
func (d *data) update() (request, error) {
	text, err := json.Marshal(d.fleet.update())
	return request{path: "/v2/reports", key: d.working.key, body: string(text)}, err
}

// answer is what the handler answers, in this process.
func (s *server) answer(r request) ([]byte, error) {
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r.http(s.addr))
	if w.Code != http.StatusOK {
		return nil, fmt.Errorf("%s %s: %d %s", r.method(), r.path, w.Code, w.Body)
	}
	return w.Body.Bytes(), nil
}

// The names of what is read over HTTP.
const (
	readSingle = "GET one shipment"
	readFirst  = "GET 30 with includes, page 1"
	readDeep   = "GET 30 with includes, deep page"
	readLast   = "GET 30 with includes, last page"
	readSmall  = "GET 30 with includes, page 1 of the small account"
)

// reads are the targets that change nothing. The naive contenders answer to the
// list alone.
func (e *engine) reads(ctx context.Context, p plan, naive []side) ([]*target, error) {
	ours := []side{{oursPlain, e.plain.addr}, {oursCached, e.cached.addr}}
	all := []*target{
		{name: readSingle, sides: ours, asks: e.large.singles()},
		{name: readFirst, sides: slices.Concat(ours, naive), asks: []request{e.large.list(1)}},
		{name: readDeep, sides: ours, asks: []request{e.large.list(e.deep())}},
		{name: readLast, sides: ours, asks: []request{e.large.list(e.large.last())}},
		{name: readSmall, sides: ours, asks: []request{e.small.list(1)}},
	}
	for _, t := range all {
		t.connections = p.connections
		t.requests = t.wires
	}
	for _, t := range all[:2] {
		if err := e.addBare(ctx, t); err != nil {
			return nil, err
		}
	}
	searches, err := e.searches(p)
	return append(all, searches...), err
}

// wires are the requests of a target as they are sent.
func (t *target) wires(addr string) ([][]byte, error) {
	wires := make([][]byte, len(t.asks))
	for i, r := range t.asks {
		wires[i] = r.wire(addr)
	}
	return wires, nil
}

// addBare sets beside a target the bare handler that answers what ours answers to
// it now.
func (e *engine) addBare(ctx context.Context, t *target) error {
	var bodies [][]byte
	random := rand.New(rand.NewPCG(e.fleet.seed, 2))
	for range min(sampled, len(t.asks)) {
		b, err := e.plain.answer(oneOf(random, t.asks))
		if err != nil {
			return err
		}
		bodies = append(bodies, b)
	}
	addr, err := serveHTTP(ctx, bare(bodies))
	t.sides = append(slices.Clip(t.sides), side{bareHTTP, addr})
	return err
}

// writeOne is the name of the target of updates.
const writeOne = "POST one report"

// ingestTarget hands in updates over HTTP.
func (e *engine) ingestTarget(ctx context.Context, p plan) (*target, error) {
	t := &target{name: writeOne, sides: []side{{oursPlain, e.plain.addr}}, connections: callers, once: true, unsent: e.fleet.takeBack}
	t.requests = func(addr string) ([][]byte, error) {
		// More than can be handed in; each shipment at most once.
		n := min(len(e.fleet.live), int(p.each.Seconds()*8000)+callers)
		wires := make([][]byte, n)
		for i := range wires {
			r, err := e.update()
			if err != nil {
				return nil, err
			}
			wires[i] = r.wire(addr)
		}
		return wires, nil
	}
	r, err := e.update()
	if err != nil {
		return nil, err
	}
	t.asks = []request{r} // whose answer the bare handler has
	return t, e.addBare(ctx, t)
}

func drain(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }

// calls are what the handler is measured with in this process, by name.
type calls struct {
	name     string
	requests []request
}

// The names of the calls.
const (
	callSingle       = "one shipment"
	callFirst        = "page 1 with includes"
	callDeep         = "deep page with includes"
	callLast         = "last page with includes"
	callSmall        = "page 1 with includes, small account"
	callPlain        = "page 1"
	callFollowed     = "page 1, tracking_stopped=false"
	callStopped      = "page 1, tracking_stopped=true"
	callOneOfMany    = "the first of all shipments"
	callOneOfFew     = "the first of the small account"
	callOneOfOne     = "the only one of an account, so that no total is asked for"
	callParties      = "page 1 of parties, one in ten deleted"
	callPartiesLater = "deep page of parties, one in ten deleted"
)

// callNames are the calls in the order in which they are shown.
var callNames = []string{
	callSingle, callFirst, callDeep, callLast, callSmall, callPlain, callFollowed, callStopped,
	callOneOfMany, callOneOfFew, callOneOfOne, callParties, callPartiesLater,
}

// inProcess are the calls beside what they are compared with.
func (e *engine) inProcess() []calls {
	return []calls{
		{callSingle, e.large.singles()[:min(sampled, len(e.large.ids))]},
		{callFirst, []request{e.large.list(1)}},
		{callDeep, []request{e.large.list(e.deep())}},
		{callLast, []request{e.large.list(e.large.last())}},
		{callSmall, []request{e.small.list(1)}},
		{callPlain, []request{e.large.shipments(1, "")}},
		{callFollowed, []request{e.large.stopped(false)}},
		{callStopped, []request{e.large.stopped(true)}},
		{callOneOfMany, []request{e.large.few(1)}},
		{callOneOfFew, []request{e.small.few(1)}},
		{callOneOfOne, []request{e.single.few(2)}},
		{callParties, []request{e.thinned.parties(1)}},
		{callPartiesLater, []request{e.thinned.parties(min(deepPage, e.thinned.last()))}},
	}
}

// nowhere is a ResponseWriter that keeps nothing.
type nowhere struct {
	header http.Header
	status int
	bytes  int
}

func (w *nowhere) Header() http.Header { return w.header }
func (w *nowhere) WriteHeader(status int) {
	w.status = status
}

func (w *nowhere) Write(b []byte) (int, error) {
	w.bytes += len(b)
	return len(b), nil
}

// caller returns a function that makes the next of the calls.
func (s *server) caller(c calls) func() error {
	all := make([]*http.Request, len(c.requests))
	for i, r := range c.requests {
		all[i] = r.http("127.0.0.1")
	}
	w := &nowhere{header: http.Header{}}
	next := 0
	return func() error {
		r := all[next%len(all)]
		next++
		clear(w.header)
		s.handler.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			return fmt.Errorf("%s: status %d", r.URL.Path, w.status)
		}
		return nil
	}
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
)

const (
	// pageSize is what the goals are stated for.
	pageSize = 30
	// deepPage is the page whose cost is compared with the first.
	deepPage = 100
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
func (a account) list(page int) request {
	return request{path: fmt.Sprintf("/v2/shipments?page%%5Bnumber%%5D=%d&page%%5Bsize%%5D=%d&include=%s", page, pageSize, includes), key: a.key}
}

// one asks for a list of a single shipment and nothing else: beside an account
// of another size, it shows what the total costs.
func (a account) one() request {
	return request{path: "/v2/shipments?page%5Bsize%5D=1", key: a.key}
}

// singles ask for each of the shipments.
func (a account) singles() []request {
	all := make([]request, len(a.ids))
	for i, id := range a.ids {
		all[i] = request{path: "/v2/shipments/" + id.String(), key: a.key}
	}
	return all
}

// pages is how many full pages the account has, at most deepPage.
func (a account) pages() int { return max(1, min(deepPage, len(a.ids)/pageSize)) }

// update is the next update of the fleet, as a request.
func (e *engine) update() (request, error) {
	text, err := json.Marshal(e.fleet.update())
	return request{path: "/v2/reports", key: e.big.key, body: string(text)}, err
}

// answer is what the handler answers, in this process.
func (e *engine) answer(r request, addr string) ([]byte, error) {
	w := httptest.NewRecorder()
	e.handler.ServeHTTP(w, r.http(addr))
	if w.Code != http.StatusOK {
		return nil, fmt.Errorf("%s %s: %d %s", r.method(), r.path, w.Code, w.Body)
	}
	return w.Body.Bytes(), nil
}

// reads are the targets that change nothing.
func (e *engine) reads(ctx context.Context, p plan, ours string) ([]*target, error) {
	singles, err := e.target(ctx, "GET one shipment", ours, e.big.singles())
	if err != nil {
		return nil, err
	}
	first, err := e.target(ctx, fmt.Sprintf("GET %d with includes, page 1", pageSize), ours, []request{e.big.list(1)})
	if err != nil {
		return nil, err
	}
	deep, err := e.target(ctx, fmt.Sprintf("GET %d with includes, page %d", pageSize, e.big.pages()), ours, []request{e.big.list(e.big.pages())})
	if err != nil {
		return nil, err
	}
	all := []*target{singles, first, deep}
	for _, t := range all {
		t.connections = p.connections
	}
	return all, nil
}

// target makes a target of requests, with the bare handler beside it that
// answers what the handler answers to them now.
func (e *engine) target(ctx context.Context, name, ours string, requests []request) (*target, error) {
	t := &target{name: name, ours: ours, requests: func(addr string) ([][]byte, error) {
		wires := make([][]byte, len(requests))
		for i, r := range requests {
			wires[i] = r.wire(addr)
		}
		return wires, nil
	}}
	var bodies [][]byte
	random := rand.New(rand.NewPCG(e.fleet.seed, 2))
	for range min(sampled, len(requests)) {
		b, err := e.answer(oneOf(random, requests), ours)
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, b)
	}
	var err error
	t.bare, err = serveHTTP(ctx, bare(bodies))
	return t, err
}

// ingestTarget hands in updates over HTTP.
func (e *engine) ingestTarget(ctx context.Context, p plan, ours string) (*target, error) {
	t := &target{name: "POST one report", ours: ours, connections: callers, once: true, unsent: e.fleet.takeBack}
	t.requests = func(addr string) ([][]byte, error) {
		// More than can be handed in; each shipment at most once.
		n := min(len(e.fleet.live), int(p.each.Seconds()*5000)+callers)
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
	b, err := e.answer(r, ours)
	if err != nil {
		return nil, err
	}
	t.bare, err = serveHTTP(ctx, bare([][]byte{b}))
	return t, err
}

func drain(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }

// calls are what the handler is measured with in this process, by name.
type calls struct {
	name     string
	requests []request
}

// inProcess are the calls beside what they are compared with.
func (e *engine) inProcess() []calls {
	return []calls{
		{callSingle, e.big.singles()[:min(sampled, len(e.big.ids))]},
		{callFirst, []request{e.big.list(1)}},
		{callDeep, []request{e.big.list(e.big.pages())}},
		{callSmall, []request{e.small.list(1)}},
		{callOneOfMany, []request{e.big.one()}},
		{callOneOfFew, []request{e.small.one()}},
	}
}

// The names of the calls.
const (
	callSingle    = "one shipment"
	callFirst     = "page 1 with includes"
	callDeep      = "deep page with includes"
	callSmall     = "page 1 with includes, small account"
	callOneOfMany = "page 1 of size 1"
	callOneOfFew  = "page 1 of size 1, small account"
)

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
func (e *engine) caller(c calls) func() (bool, error) {
	all := make([]*http.Request, len(c.requests))
	for i, r := range c.requests {
		all[i] = r.http("127.0.0.1")
	}
	w := &nowhere{header: http.Header{}}
	next := 0
	return func() (bool, error) {
		r := all[next%len(all)]
		next++
		clear(w.header)
		e.handler.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			return false, fmt.Errorf("%s: status %d", r.URL.Path, w.status)
		}
		return true, nil
	}
}

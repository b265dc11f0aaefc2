package httpserver_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/httpserver"
)

// changeTrackingStore is a store with a state for each account, which counts its updates.
type changeTrackingStore struct {
	tracking.Store
	mu    sync.Mutex
	state map[tracking.AccountID]int64
	lists int // how many lists were read

	reading func() // called before each
}

func (s *changeTrackingStore) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	err := s.Store.Update(ctx, a, fn)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state[a]++
	return err
}

func (s *changeTrackingStore) View(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	s.mu.Lock()
	state := s.state[a]
	s.mu.Unlock()
	return s.Store.View(ctx, a, func(tx store.RecordTx) error { return fn(&statedTx{tx, s, state}) })
}

type statedTx struct {
	store.RecordTx
	store *changeTrackingStore
	state int64
}

func (tx *statedTx) ChangeToken(context.Context) (int64, bool, error) { return tx.state, true, nil }

func (tx *statedTx) List(ctx context.Context, k *store.Kind, f store.Filter, p tracking.Page, to []store.Record) ([]store.Record, int, error) {
	if k.Name == "shipment" || k.Name == "container" {
		tx.store.mu.Lock()
		tx.store.lists++
		tx.store.mu.Unlock()
		if tx.store.reading != nil {
			tx.store.reading()
		}
	}
	return tx.RecordTx.List(ctx, k, f, p, to)
}

// newCacheBench is a bench with one server that has a list cache and one that does not.
func newCacheBench(t *testing.T) (b *bench, store *changeTrackingStore, plain *httpserver.Server) {
	store = &changeTrackingStore{state: map[tracking.AccountID]int64{}}
	b = newBenchOn(t, func(c *tracking.Config) { store.Store, c.Store = c.Store, store }, func(c *httpserver.Config) {
		c.ListCacheBytes, c.TrustProxy = 1<<20, networks("10.0.0.0/8")
	})
	return b, store, httpserver.New(httpserver.Config{Tracker: b.Operator, Clock: b.Clock, Limits: unlimited, TrustProxy: networks("10.0.0.0/8")})
}

// TestListCache requests lists that differ in one property, several times: every
// response is the same as without a cache, and repeated ones do not read the store.
// It covers each member of cacheKey.
func TestListCache(t *testing.T) {
	b, store, plain := newCacheBench(t)
	type ask struct {
		of      *tenant
		path    string
		headers []string
	}
	var asks []ask
	for _, of := range []*tenant{b.mine, b.theirs} {
		for _, query := range []string{
			"", "?", "?page[size]=1", "?page[size]=1&page[number]=2", "?include=containers,port_of_lading,pod_terminal", "?include=",
			"?sort=created_at", "?filter[scac]=MAEU", "?filter[tags]=spring", "?filter[tags]=autumn", "?filter[custom_fields][grade]=high", "?plain=1",
		} {
			asks = append(asks, ask{of, "/v2/shipments" + query, nil})
		}
		for _, path := range []string{"/v2/containers", "/v2/containers?filter[status]=available", "/v2/%73hipments"} {
			asks = append(asks, ask{of, path, nil})
		}
		asks = append(asks, ask{of, "/v2/shipments", []string{"X-Forwarded-Proto: https"}}, ask{of, "/v2/shipments", []string{"Host: elsewhere"}})
	}
	serve := func(s *httpserver.Server, a ask) (int, http.Header, string) {
		r := request("GET", a.path, "", append([]string{"Authorization: Token " + a.of.key}, a.headers...)...)
		if host := r.Header.Get("Host"); host != "" {
			r.Host = host
		}
		return recorded(s, r)
	}
	compare := func() {
		t.Helper()
		for _, a := range asks {
			status, header, body := serve(b.server, a)
			_, _, want := serve(plain, a)
			if body != want || status != 200 || header.Get("Content-Type") != "application/json" {
				t.Errorf("%s %v: %d %v\n%s\nwant\n%s", a.path, a.headers, status, header, body, want)
			}
		}
	}
	for range 3 {
		compare()
	}
	before := store.lists
	for _, a := range asks {
		serve(b.server, a)
	}
	if n := store.lists - before; n != 0 {
		t.Errorf("%d lists were read for answers that are kept", n)
	}
	b.as(b.mine, "PATCH", "/v2/shipments/"+b.mine.ids["shipment"], `{"data":{"type":"shipment","attributes":{"tags":["spring","new"]}}}`).want(200)
	compare()
	before = store.lists
	for _, a := range asks {
		if a.of == b.theirs {
			serve(b.server, a)
		}
	}
	if n := store.lists - before; n != 0 {
		t.Errorf("%d lists of an account were read because another has changed", n)
	}
	for range 3 {
		compare()
	}
}

// TestListCacheReadsOnceAfterAChange: a list that is asked for often is read once after each
// change, also by requests that come together. One that comes after a change that was made
// during the reading shows it.
//
// Seen to fail: without sent in put, without begin, without Unchanged after the wait, without
// releaseWaiters in cacheResponse, and with get as what marks a body as sent.
func TestListCacheReadsOnceAfterAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, store, _ := newCacheBench(t)
		read := func() string {
			status, _, body := recorded(b.server, request("GET", "/v2/shipments", "", b.mine.auth()))
			if status != 200 {
				t.Errorf("%d %s", status, body)
			}
			return body
		}
		tag := func(name string) {
			b.as(b.mine, "PATCH", "/v2/shipments/"+b.mine.ids["shipment"], `{"data":{"type":"shipment","attributes":{"tags":["`+name+`"]}}}`).want(200)
		}
		for range 3 {
			read()
		}
		tag("spring")
		before := store.lists
		for range 3 {
			read()
		}
		if n := store.lists - before; n != 1 {
			t.Errorf("%d lists were read for 3 answers after a change", n)
		}

		tag("summer")
		before = store.lists
		release := make(chan struct{})
		store.reading = func() { <-release }
		var bodies [8]string
		var readers sync.WaitGroup
		for i := range bodies[:7] {
			readers.Go(func() { bodies[i] = read() })
		}
		synctest.Wait() // one reads, and six wait for it
		if n := store.lists - before; n != 1 {
			t.Errorf("%d lists are read for 7 requests", n)
		}
		tag("autumn")
		readers.Go(func() { bodies[7] = read() })
		synctest.Wait()
		close(release)
		readers.Wait()
		if !strings.Contains(bodies[7], `"tags":["autumn"]`) {
			t.Errorf("a request after a change got %s", bodies[7])
		}
		store.reading = nil

		// Nobody waits for a slow client, nor for a list that is not asked for often.
		for range 2 {
			read()
		}
		tag("winter")
		slow := &slowWriter{httptest.NewRecorder(), make(chan struct{})}
		readers.Go(func() { b.server.ServeHTTP(slow, request("GET", "/v2/shipments", "", b.mine.auth())) })
		synctest.Wait()
		for _, name := range []string{"winter", "frost"} {
			if body := read(); !strings.Contains(body, `"tags":["`+name+`"]`) {
				t.Errorf("beside a slow client: %s", body)
			}
			tag("frost")
		}
		close(slow.release)
		readers.Wait()
		before = store.lists
		for range 3 {
			tag("spring")
			read()
			tag("summer")
			read()
		}
		if n := store.lists - before; n != 6 {
			t.Errorf("%d lists were read for 6 answers in different states", n)
		}
		tag("autumn")
		release = make(chan struct{})
		store.reading = func() { <-release }
		before = store.lists
		for range 3 {
			readers.Go(func() { read() })
		}
		synctest.Wait()
		if n := store.lists - before; n != 3 {
			t.Errorf("%d of 3 requests read a list that was asked for once in each state", n)
		}
		close(release)
		readers.Wait()
	})
}

// slowWriter is a client that takes its response after release.
type slowWriter struct {
	*httptest.ResponseRecorder
	release chan struct{}
}

func (w *slowWriter) Write(b []byte) (int, error) {
	<-w.release
	return w.ResponseRecorder.Write(b)
}

// TestListCacheChecksPermissions: cached responses need the same permissions. A
// response to HEAD has no body, and the media type follows the Accept header.
func TestListCacheChecksPermissions(t *testing.T) {
	b, _, _ := newCacheBench(t)
	const path = "/v2/shipments?include=containers"
	for range 3 {
		b.as(b.mine, "GET", path, "").want(200)
	}
	b.do("GET", path, "").want(401)
	blind, _ := b.newKey(b.mine.account, b.mine.user, tracking.Create)
	b.do("GET", path, "", "Authorization: Token "+blind).want(403)
	if a := b.as(b.mine, "HEAD", path, "").want(200); len(a.body) != 0 || a.header.Get("Content-Length") == "0" {
		t.Errorf("HEAD: %d bytes, %v", len(a.body), a.header)
	}
	if a := b.as(b.mine, "GET", path, "", "Accept: application/vnd.api+json").want(200); a.header.Get("Content-Type") != "application/vnd.api+json" {
		t.Errorf("as %s", a.header.Get("Content-Type"))
	}
}

// TestListCacheIsOptional: nothing is cached with the zero Config, or with a store
// that is no ChangeTracker.
func TestListCacheIsOptional(t *testing.T) {
	b, store, plain := newCacheBench(t)
	read := func(s *httpserver.Server) int {
		before := store.lists
		for range 4 {
			recorded(s, request("GET", "/v2/shipments", "", b.mine.auth()))
		}
		return store.lists - before
	}
	if n := read(plain); n != 4 {
		t.Errorf("%d lists were read for 4 answers of a server that keeps none", n)
	}
	if n := read(b.server); n != 2 { // the first is noted, the second is kept
		t.Errorf("%d lists were read for 4 answers of one that does", n)
	}
	unstated := newBench(t, func(c *httpserver.Config) { c.ListCacheBytes = 1 << 20 })
	for range 3 {
		unstated.as(unstated.mine, "GET", "/v2/shipments", "").want(200)
		unstated.as(unstated.mine, "PATCH", "/v2/shipments/"+unstated.mine.ids["shipment"], `{"data":{"type":"shipment","attributes":{"tags":["x"]}}}`).want(200)
	}
	if a := unstated.as(unstated.mine, "GET", "/v2/shipments", ""); !strings.Contains(string(a.body), `"tags":["x"]`) {
		t.Errorf("an answer was kept: %s", a.body)
	}
}

// recorded is a recorded response.
func recorded(s http.Handler, r *http.Request) (status int, header http.Header, body string) {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Header(), w.Body.String()
}

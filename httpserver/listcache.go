package httpserver

import (
	"bytes"
	queue "container/list"
	"net/http"
	"strings"
	"sync"

	"github.com/landfallhq/tracking"
)

// listCache caches the bodies of list responses, least recently used first out. A
// body is valid while its account is in the state it was made from. It is stored on
// the second request in one state, because most requests are not repeated; the first
// request only leaves an entry without a body, unless the body of the state before was sent
// from the cache. Of requests that come together, one makes the body.
type listCache struct {
	limit int64 // bytes

	mu    sync.Mutex
	byKey map[cacheKey]*queue.Element
	used  queue.List // of *cachedList, most recently used first
	bytes int64
}

// cacheKey is what the body of a list depends on besides the state of the account.
// Scheme and host are part of it because the body has links. The actor is not: all
// actors of an account that may read lists see the same lists.
type cacheKey struct {
	account     tracking.AccountID
	origin      origin
	path, query string
}

// cachedList is an entry of the cache. Its body is nil until it is worth its copy.
type cachedList struct {
	key   cacheKey
	state tracking.ChangeToken
	body  []byte
	sent  bool          // the body was sent while its account was in this state
	made  chan struct{} // closed once the request that makes the body has ended; nil for none
}

// cacheEntryOverhead is about the size of an entry without its strings.
const cacheEntryOverhead = 400

func (a *cachedList) cost() int64 {
	return cacheEntryOverhead + int64(len(a.key.origin.host)+len(a.key.path)+len(a.key.query)+len(a.body))
}

// newListCache returns nil, which means no cache, unless limit is positive.
func newListCache(limit int64) *listCache {
	if limit <= 0 {
		return nil
	}
	return &listCache{limit: limit, byKey: map[cacheKey]*queue.Element{}}
}

// get returns the cached body and the state it was made from, or nil. The caller must
// not change the body.
func (k *listCache) get(key cacheKey) ([]byte, tracking.ChangeToken) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.byKey[key]
	if e == nil {
		return nil, tracking.ChangeToken{}
	}
	a := e.Value.(*cachedList)
	if a.body != nil {
		k.used.MoveToFront(e)
	}
	return a.body, a.state
}

// markSent records that the body of a state was sent while the account was in it.
func (k *listCache) markSent(key cacheKey, state tracking.ChangeToken) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e := k.byKey[key]; e != nil {
		a := e.Value.(*cachedList)
		a.sent = a.sent || a.state == state
	}
}

// begin lets one of several requests with a key make the body. The others get a channel
// that is closed when end is called. There is neither where the body would not be kept.
func (k *listCache) begin(key cacheKey) (made <-chan struct{}, end func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.byKey[key]
	if e == nil || !e.Value.(*cachedList).sent {
		return nil, nil
	}
	a := e.Value.(*cachedList)
	if a.made != nil {
		return a.made, nil
	}
	c := make(chan struct{})
	a.made = c
	return nil, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		a.made = nil
		close(c)
	}
}

// put records a response. It stores a copy of the body if the key was recorded in
// this state before, or if that of the state before was sent.
func (k *listCache) put(key cacheKey, state tracking.ChangeToken, body []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.byKey[key]
	if e == nil {
		// Clone: the strings of the request would keep larger buffers alive.
		key.origin.host, key.path, key.query = strings.Clone(key.origin.host), strings.Clone(key.path), strings.Clone(key.query)
		e = k.used.PushFront(&cachedList{key: key})
		k.byKey[key] = e
		k.bytes += e.Value.(*cachedList).cost()
	}
	a := e.Value.(*cachedList)
	k.used.MoveToFront(e)
	k.bytes -= a.cost()
	again := a.state == state || a.sent
	if a.state != state {
		a.state, a.body, a.sent = state, nil, false
	}
	if again && a.body == nil && int64(len(body)) <= k.limit/8 { // a larger body would evict too many others
		a.body = bytes.Clone(body)
	}
	k.bytes += a.cost()
	for k.bytes > k.limit {
		last := k.used.Back()
		a := k.used.Remove(last).(*cachedList)
		delete(k.byKey, a.key)
		k.bytes -= a.cost()
	}
}

// cacheKey returns the key of this request.
func (req *request) cacheKey() cacheKey {
	return cacheKey{req.actor.Account, req.origin(), req.r.URL.EscapedPath(), req.r.URL.RawQuery}
}

// respondCached responds from the cache if the cached response is valid, or if another
// request makes one that is. Otherwise the caller responds, and calls releaseWaiters.
func (req *request) respondCached() (done bool, err error) {
	if req.listCache == nil || !req.route.cacheable {
		return false, nil
	}
	if done, err = req.sendCached(); done || err != nil {
		return done, err
	}
	made, end := req.listCache.begin(req.cacheKey())
	if req.release = end; made == nil {
		return false, nil
	}
	select {
	case <-made:
	case <-req.ctx().Done(): // which the next read returns
	}
	// That request may have begun before a change that this one must show.
	return req.sendCached()
}

// releaseWaiters lets the requests go on that wait for the response of this one. It may be called
// again.
func (req *request) releaseWaiters() {
	if req.release != nil {
		req.release()
		req.release = nil
	}
}

// sendCached responds from the cache if the cached response is still valid.
func (req *request) sendCached() (done bool, err error) {
	body, state := req.listCache.get(req.cacheKey())
	if body == nil {
		return false, nil
	}
	if done, err = req.t.Rendered().Unchanged(req.ctx(), state); done {
		req.listCache.markSent(req.cacheKey(), state)
		req.respond(http.StatusOK, body)
	}
	return done, err
}

// cacheResponse adds a response to the cache. Requests that wait for it go on before it is
// sent: the client of this one may be slow.
func (req *request) cacheResponse(s tracking.Selection, body []byte) {
	if req.listCache != nil && req.route.cacheable && s.ChangeToken != (tracking.ChangeToken{}) {
		req.listCache.put(req.cacheKey(), s.ChangeToken, body)
	}
	req.releaseWaiters()
}

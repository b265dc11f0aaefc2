package httpserver

import (
	"bytes"
	queue "container/list"
	"net/http"
	"strings"
	"sync"

	"github.com/landfallhq/tracking"
)

// listCache keeps bodies of answers to lists, to be sent again for as long as the
// account is in the state that they were made of. What is asked for once in a state
// is not kept, for most of it is not asked for again; only that it was.
type listCache struct {
	limit int64 // bytes

	mu    sync.Mutex
	byKey map[cacheKey]*queue.Element
	used  queue.List // of *keptAnswer, used last first
	bytes int64
}

// cacheKey is all that the body of a list depends on besides the account's state:
// what is asked, and where, for that stands in its links. Whoever may see lists at
// all sees the same ones.
type cacheKey struct {
	account                   tracking.AccountID
	scheme, host, path, query string
}

// cachedList is what was asked for in a state. Body is nil until it is asked for
// again.
type cachedList struct {
	key   cacheKey
	state tracking.State
	body  []byte
}

// cacheEntryOverhead is what an entry takes besides its texts.
const cacheEntryOverhead = 400

func (a *cachedList) cost() int64 {
	return cacheEntryOverhead + int64(len(a.key.host)+len(a.key.path)+len(a.key.query)+len(a.body))
}

// newListCache returns nil where nothing is to be kept.
func newListCache(limit int64) *listCache {
	if limit <= 0 {
		return nil
	}
	return &listCache{limit: limit, byKey: map[cacheKey]*queue.Element{}}
}

// get returns what is kept for a request, and the state that it was made of; nil
// for nothing. The body is shared.
func (k *listCache) get(key cacheKey) ([]byte, tracking.State) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.byKey[key]
	if e == nil {
		return nil, tracking.State{}
	}
	a := e.Value.(*cachedList)
	if a.body != nil {
		k.used.MoveToFront(e)
	}
	return a.body, a.state
}

// put takes note of an answer, and copies it if it was given in this state before.
func (k *listCache) put(key cacheKey, state tracking.State, body []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.byKey[key]
	if e == nil {
		// Not the request's own texts: they are parts of larger ones.
		key.host, key.path, key.query = strings.Clone(key.host), strings.Clone(key.path), strings.Clone(key.query)
		e = k.used.PushFront(&cachedList{key: key})
		k.byKey[key] = e
		k.bytes += e.Value.(*cachedList).cost()
	}
	a := e.Value.(*cachedList)
	k.used.MoveToFront(e)
	k.bytes -= a.cost()
	switch {
	case a.state != state:
		a.state, a.body = state, nil
	case a.body == nil && int64(len(body)) <= k.limit/8: // else it would push out too many others
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

// cacheKey is the key of this request.
func (req *request) cacheKey() cacheKey {
	return cacheKey{req.actor.Account, req.scheme(), req.r.Host, req.r.URL.EscapedPath(), req.r.URL.RawQuery}
}

// respondCached answers with what is kept, if it is as a new answer would be.
func (req *request) respondCached() (done bool, err error) {
	if req.listCache == nil || !req.route.cacheable {
		return false, nil
	}
	body, state := req.listCache.get(req.cacheKey())
	if body == nil {
		return false, nil
	}
	if done, err = req.t.Still(req.ctx(), state); done {
		req.respond(http.StatusOK, body)
	}
	return done, err
}

// cacheResponse has the answer kept that was made of a selection.
func (req *request) cacheResponse(s tracking.Selection, body []byte) {
	if req.listCache != nil && req.route.cacheable && s.State != (tracking.State{}) {
		req.listCache.put(req.cacheKey(), s.State, body)
	}
}

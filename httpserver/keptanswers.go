package httpserver

import (
	"bytes"
	queue "container/list"
	"net/http"
	"strings"
	"sync"

	"github.com/landfallhq/tracking"
)

// keptAnswers keeps bodies of answers to lists, to be sent again for as long as the
// account is in the state that they were made of. What is asked for once in a state
// is not kept, for most of it is not asked for again; only that it was.
type keptAnswers struct {
	limit int64 // bytes

	mu    sync.Mutex
	byKey map[answerKey]*queue.Element
	used  queue.List // of *keptAnswer, used last first
	bytes int64
}

// answerKey is all that the body of a list depends on besides the account's state:
// what is asked, and where, for that stands in its links. Whoever may see lists at
// all sees the same ones.
type answerKey struct {
	account                   tracking.AccountID
	scheme, host, path, query string
}

// keptAnswer is what was asked for in a state. Body is nil until it is asked for
// again.
type keptAnswer struct {
	key   answerKey
	state tracking.State
	body  []byte
}

// answerOverhead is what an entry takes besides its texts.
const answerOverhead = 400

func (a *keptAnswer) cost() int64 {
	return answerOverhead + int64(len(a.key.host)+len(a.key.path)+len(a.key.query)+len(a.body))
}

// newKeptAnswers returns nil where nothing is to be kept.
func newKeptAnswers(limit int64) *keptAnswers {
	if limit <= 0 {
		return nil
	}
	return &keptAnswers{limit: limit, byKey: map[answerKey]*queue.Element{}}
}

// get returns what is kept for a request, and the state that it was made of; nil
// for nothing. The body is shared.
func (k *keptAnswers) get(key answerKey) ([]byte, tracking.State) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.byKey[key]
	if e == nil {
		return nil, tracking.State{}
	}
	a := e.Value.(*keptAnswer)
	if a.body != nil {
		k.used.MoveToFront(e)
	}
	return a.body, a.state
}

// put takes note of an answer, and copies it if it was given in this state before.
func (k *keptAnswers) put(key answerKey, state tracking.State, body []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.byKey[key]
	if e == nil {
		// Not the request's own texts: they are parts of larger ones.
		key.host, key.path, key.query = strings.Clone(key.host), strings.Clone(key.path), strings.Clone(key.query)
		e = k.used.PushFront(&keptAnswer{key: key})
		k.byKey[key] = e
		k.bytes += e.Value.(*keptAnswer).cost()
	}
	a := e.Value.(*keptAnswer)
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
		a := k.used.Remove(last).(*keptAnswer)
		delete(k.byKey, a.key)
		k.bytes -= a.cost()
	}
}

// answerKey is the key of this request.
func (c *call) answerKey() answerKey {
	return answerKey{c.actor.Account, c.scheme(), c.r.Host, c.r.URL.EscapedPath(), c.r.URL.RawQuery}
}

// keptAnswer answers with what is kept, if it is as a new answer would be.
func (c *call) keptAnswer() (done bool, err error) {
	if c.answers == nil || !c.route.keeps {
		return false, nil
	}
	body, state := c.answers.get(c.answerKey())
	if body == nil {
		return false, nil
	}
	if done, err = c.t.Still(c.ctx(), state); done {
		c.answer(http.StatusOK, body)
	}
	return done, err
}

// keep has the answer kept that was made of a selection.
func (c *call) keep(s tracking.Selection, body []byte) {
	if c.answers != nil && c.route.keeps && s.State != (tracking.State{}) {
		c.answers.put(c.answerKey(), s.State, body)
	}
}

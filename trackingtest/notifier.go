package trackingtest

import (
	"context"
	"sync"

	"github.com/landfallhq/tracking"
)

// Notifier is a tracking.Notifier that records attempts and returns scripted
// outcomes. It accepts every URL.
type Notifier struct {
	mu       sync.Mutex
	outcomes map[string][]tracking.Outcome
	sent     []tracking.Dispatch
	during   func(tracking.Dispatch)
}

// Script sets the outcomes of the attempts at a URL, in order; the last one is
// repeated. Without a script, every attempt gets 204.
func (n *Notifier) Script(url string, outcomes ...tracking.Outcome) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.outcomes == nil {
		n.outcomes = map[string][]tracking.Outcome{}
	}
	n.outcomes[url] = outcomes
}

// During sets a function that is called in the middle of every attempt.
func (n *Notifier) During(fn func(tracking.Dispatch)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.during = fn
}

// Sent returns the attempts so far.
func (n *Notifier) Sent() []tracking.Dispatch {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]tracking.Dispatch(nil), n.sent...)
}

// Check accepts every URL.
func (n *Notifier) Check(string) error { return nil }

// Send records the attempt and returns the next scripted outcome.
func (n *Notifier) Send(_ context.Context, d tracking.Dispatch) tracking.Outcome {
	outcome, during := n.next(d)
	if during != nil {
		during(d)
	}
	return outcome
}

func (n *Notifier) next(d tracking.Dispatch) (tracking.Outcome, func(tracking.Dispatch)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sent = append(n.sent, d)
	list := n.outcomes[d.URL]
	if len(list) == 0 {
		return tracking.Outcome{Status: 204}, n.during
	}
	if len(list) > 1 {
		n.outcomes[d.URL] = list[1:]
	}
	return list[0], n.during
}

package simulator

import (
	"slices"
	"sync"
	"time"
)

// activeCalls are the running calls for events, by what they ask for: they show
// whether a client asks twice at once. A call runs from its arrival until its
// answer begins, because the client may ask again from then on.
type activeCalls struct {
	mu      sync.Mutex
	about   map[string][]*activeCall
	counts  *counters
	current int
}

type activeCall struct {
	all     *activeCalls
	about   string
	left    bool
	hanging bool
	ended   chan struct{} // closed when a hanging call ends
}

// hangGrace is how long a hanging call may take to detect that its client has
// disconnected. A client that asks again within that time is not counted as asking
// twice at once; tests that need to know must observe the client.
const hangGrace = 2 * time.Second

func (f *activeCalls) enter(about string) *activeCall {
	f.awaitHanging(about)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.about == nil {
		f.about = map[string][]*activeCall{}
	}
	this := &activeCall{all: f, about: about, ended: make(chan struct{})}
	f.about[about] = append(f.about[about], this)
	f.current++
	f.counts.atOnce(f.current, len(f.about[about]))
	return this
}

// awaitHanging waits for hanging calls with the same filter, whose clients must
// have given up.
func (f *activeCalls) awaitHanging(about string) {
	grace := time.NewTimer(hangGrace)
	defer grace.Stop()
	for {
		f.mu.Lock()
		i := slices.IndexFunc(f.about[about], func(other *activeCall) bool { return other.hanging })
		if i < 0 {
			f.mu.Unlock()
			return
		}
		ended := f.about[about][i].ended
		f.mu.Unlock()
		select {
		case <-ended:
		case <-grace.C:
			return
		}
	}
}

// leave ends a call; a second call of it does nothing.
func (l *activeCall) leave() {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	if l.left {
		return
	}
	l.left = true
	l.all.current--
	others := slices.DeleteFunc(l.all.about[l.about], func(other *activeCall) bool { return other == l })
	if l.all.about[l.about] = others; len(others) == 0 {
		delete(l.all.about, l.about)
	}
	close(l.ended)
}

// hang blocks until the client disconnects, at most for bound.
func (l *activeCall) hang(gone <-chan struct{}, bound time.Duration) {
	l.all.mu.Lock()
	l.hanging = true
	l.all.mu.Unlock()
	timer := time.NewTimer(bound)
	defer timer.Stop()
	select {
	case <-gone:
	case <-timer.C:
	}
	l.leave()
}

package simulator

import (
	"slices"
	"sync"
	"time"
)

// flights are the calls for events that are under way, by what they ask about:
// they show whether a client asks twice at once. A call is under way from its
// arrival until its answer begins, for from then on the client may ask again.
type flights struct {
	mu      sync.Mutex
	about   map[string][]*flight
	counts  *counters
	current int
}

type flight struct {
	all     *flights
	about   string
	left    bool
	hanging bool
	ended   chan struct{} // closed when a hanging call has ended
}

// hangGrace is how long a call that hangs may take to notice that its client has
// gone. The client may ask again before that, and then does not ask twice at
// once. One that does so while a call hangs is counted only when it is still
// patient after that time; those who must know watch the client itself.
const hangGrace = 2 * time.Second

func (f *flights) enter(about string) *flight {
	f.awaitHanging(about)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.about == nil {
		f.about = map[string][]*flight{}
	}
	this := &flight{all: f, about: about, ended: make(chan struct{})}
	f.about[about] = append(f.about[about], this)
	f.current++
	f.counts.atOnce(f.current, len(f.about[about]))
	return this
}

// awaitHanging waits for calls about the same that hang, and whose clients must
// have given up.
func (f *flights) awaitHanging(about string) {
	grace := time.NewTimer(hangGrace)
	defer grace.Stop()
	for {
		f.mu.Lock()
		i := slices.IndexFunc(f.about[about], func(other *flight) bool { return other.hanging })
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

// leave ends a call; a second time does nothing.
func (l *flight) leave() {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	if l.left {
		return
	}
	l.left = true
	l.all.current--
	others := slices.DeleteFunc(l.all.about[l.about], func(other *flight) bool { return other == l })
	if l.all.about[l.about] = others; len(others) == 0 {
		delete(l.all.about, l.about)
	}
	close(l.ended)
}

// hang keeps a call until its client has gone, or for so long.
func (l *flight) hang(gone <-chan struct{}, bound time.Duration) {
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

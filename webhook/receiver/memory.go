package receiver

import "sync"

// state is what is known of a notification.
type state int

const (
	unknown state = iota
	underWay
	taken
)

// memory knows the latest notifications that were taken, and those under way.
type memory struct {
	mu     sync.Mutex
	states map[string]state
	taken  []string // a ring: the next to forget is at the place next
	next   int
}

func newMemory(size int) *memory {
	return &memory{states: map[string]state{}, taken: make([]string, 0, size)}
}

// begin returns what is known of a notification; one that is unknown is under way
// from then on, until end.
func (m *memory) begin(id string) state {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.states[id]
	if known == unknown {
		m.states[id] = underWay
	}
	return known
}

// end says whether a notification was taken. One that was not may come again.
func (m *memory) end(id string, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !ok {
		delete(m.states, id)
		return
	}
	m.states[id] = taken
	if len(m.taken) < cap(m.taken) {
		m.taken = append(m.taken, id)
		return
	}
	delete(m.states, m.taken[m.next])
	m.taken[m.next] = id
	m.next = (m.next + 1) % len(m.taken)
}

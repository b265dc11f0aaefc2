package simulator

import (
	"maps"
	"sync"
)

// Stats are counts since New.
type Stats struct {
	// Calls for events, including failed ones.
	Calls int
	// Unauthorized are calls without a valid key, token or secret; Refused are
	// invalid calls for events.
	Unauthorized, Refused int
	// Faults are the failed calls, by fault.
	Faults map[Fault]int
	// Events in good answers, including repeats.
	Events int
	// MostAtOnce is the maximum of concurrent calls for events, and MostAboutOne of
	// those with the same number. Overlapping counts calls that arrived while
	// another with the same number was running.
	MostAtOnce, MostAboutOne, Overlapping int
	// Tokens that were issued.
	Tokens int
	// Callbacks that were answered with 204, and those that were not.
	Callbacks, CallbacksFailed int
}

// Failed returns the number of failed calls.
func (s Stats) Failed() int {
	n := 0
	for _, count := range s.Faults {
		n += count
	}
	return n
}

type counters struct {
	mu    sync.Mutex
	stats Stats
}

func (c *counters) change(f func(*Stats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.stats)
}

func (c *counters) fault(f Fault) {
	c.change(func(s *Stats) {
		if s.Faults == nil {
			s.Faults = map[Fault]int{}
		}
		s.Faults[f]++
	})
}

func (c *counters) atOnce(all, aboutOne int) {
	c.change(func(s *Stats) {
		s.MostAtOnce = max(s.MostAtOnce, all)
		s.MostAboutOne = max(s.MostAboutOne, aboutOne)
		if aboutOne > 1 {
			s.Overlapping++
		}
	})
}

// Stats returns the counts so far.
func (c *Carrier) Stats() Stats {
	c.counts.mu.Lock()
	defer c.counts.mu.Unlock()
	s := c.counts.stats
	s.Faults = maps.Clone(s.Faults)
	return s
}

package simulator

import (
	"maps"
	"sync"
)

// Stats are what the carrier has counted since New.
type Stats struct {
	// Calls for events, those that failed included.
	Calls int
	// Unauthorized are calls of whatever sort without the right key, token or
	// secret; Refused those for events that were wrong in themselves.
	Unauthorized, Refused int
	// Faults are the calls that failed, by sort.
	Faults map[Fault]int
	// Events that were told in good answers, repeats included.
	Events int
	// MostAtOnce is how many calls for events there were at one time, and
	// MostAboutOne how many of them with the same filters by number. Overlapping
	// counts the calls that came while another about the same was under way.
	MostAtOnce, MostAboutOne, Overlapping int
	// Tokens that were issued.
	Tokens int
	// Callbacks that were answered with 204, and those that were not.
	Callbacks, CallbacksFailed int
}

// Failed is how many calls failed, of whatever sort.
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

// Stats returns what has been counted so far.
func (c *Carrier) Stats() Stats {
	c.counts.mu.Lock()
	defer c.counts.mu.Unlock()
	s := c.counts.stats
	s.Faults = maps.Clone(s.Faults)
	return s
}

package journey

import (
	"maps"
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// Facts may call one ship by its IMO number, by its name or by a voyage number, and none may have
// two of them together.

// joinShips makes one ship of two that no fact joins, where the moves of one fit into the stays of
// the other and of no other ship, and names the ships of moves by plans.
func (d *derivation) joinShips() {
	f := &d.fleet
	keys := slices.Sorted(maps.Keys(f.ships))
	for _, key := range keys {
		if s := f.ships[key]; s.vessel.IMO == "" || s.vessel.Name == "" {
			if o := d.sameShip(s, keys); o != nil {
				f.same[key] = o.key
			}
		}
	}
	d.nameByPlan()
	if len(f.same) > 0 || len(f.planned) > 0 {
		d.assignShips()
		d.findCalls()
	}
}

// sameShip returns the only ship that may be s and lay wherever s did; nil for none, or for
// several. Where s is reported at one port only, a container must also have come off it there that
// was loaded on the other.
func (d *derivation) sameShip(s *ship, keys []string) (same *ship) {
	if len(s.calls) == 0 {
		return nil
	}
	for _, key := range keys {
		o := d.fleet.ships[key]
		if o == s || o.isAnother(s) || d.fleet.isSame(o.key, s.key) {
			continue
		}
		if slices.ContainsFunc(o.calls, func(c *call) bool { return c.site == s.calls[0].site && o.mayLie(c, s.calls[0].first) }) {
			if same != nil {
				return nil
			}
			same = o
		}
	}
	if same == nil || !slices.ContainsFunc(s.calls, func(c *call) bool { return !same.shares(c) }) && (len(s.calls) > 1 || s.landsLoadOf(same)) {
		return same
	}
	return nil
}

// isSame reports whether a key was already found to mean the ship of another one.
func (f *fleet) isSame(key, of string) bool {
	for ; key != ""; key = f.same[key] {
		if key == of {
			return true
		}
	}
	return false
}

// shares reports whether the call may be one of this ship: it lay there then, left at that time and
// was nowhere else.
func (s *ship) shares(c *call) bool {
	return slices.ContainsFunc(s.calls, func(o *call) bool {
		if o.site != c.site || !s.mayLie(o, c.first) || !sameTime(o.sailed, c.sailed) {
			return false
		}
		if o.first.Activity == freight.Arrival && c.first.Activity == freight.Arrival && !sameTime(o.first, c.first) {
			return false
		}
		return o.index+1 == len(s.calls) || c.last.at.Compare(s.calls[o.index+1].first.at) < 0
	})
}

// mayLie reports whether the ship may have been in the call at the time of a move there. It berths
// some hours after its arrival.
func (s *ship) mayLie(c *call, m *entry) bool {
	if c.first.Activity == freight.Berth {
		return c.first.at.Time.Sub(m.at.Time) <= shortestStay && !s.hasLeft(c, m)
	}
	return s.layThere(c, m)
}

// sameTime reports whether two moves may be one: one of them is not known, or they differ by an
// hour at most.
func sameTime(a, b *entry) bool {
	return a == nil || b == nil || a.at.Day || b.at.Day || a.at.Time.Sub(b.at.Time).Abs() <= time.Hour
}

// landsLoadOf reports whether a container came off the ship that was loaded on the other one.
func (s *ship) landsLoadOf(o *ship) bool {
	for _, c := range s.calls {
		for _, e := range c.landed {
			for at, loads := range o.loads {
				if at != c.site && slices.ContainsFunc(loads, func(l *entry) bool { return l.containers[0] == e.containers[0] && l.at.Compare(e.at) < 0 }) {
					return true
				}
			}
		}
	}
	return false
}

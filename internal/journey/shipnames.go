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
	for d.joinSome() {
		d.assignShips()
		d.findCalls()
	}
	d.nameByPlan()
	d.nameByPresence()
	if len(d.fleet.planned) > 0 {
		d.assignShips()
		d.findCalls()
	}
}

// joinSome joins each ship that lacks a number or a name to the one that it is, and reports whether there
// were any. What is joined may show of a third one that it is the same.
func (d *derivation) joinSome() (joined bool) {
	f := &d.fleet
	keys := slices.Sorted(maps.Keys(f.ships))
	for _, key := range keys {
		if s := f.ships[key]; s.vessel.IMO == "" || s.vessel.Name == "" {
			if o := d.sameShip(s, keys); o != nil {
				f.same[key], joined = o.key, true
			}
		}
	}
	return joined
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
		if o == s || o.isAnother(s) || !s.mayBeKindOf(o) || d.fleet.isSame(o.key, s.key) {
			continue
		}
		if slices.ContainsFunc(o.calls, func(c *call) bool { return c.site == s.calls[0].site && o.mayLie(c, s.calls[0].first) }) {
			switch {
			case same == nil || s.hasName() && o.hasName() && !same.hasName():
				same = o
			case s.hasName() && same.hasName() && !o.hasName() || d.fleet.isSame(o.key, same.key) || d.fleet.isSame(same.key, o.key):
			default:
				return nil
			}
		}
	}
	if same == nil {
		return d.sameByCargo(s, keys)
	}
	if !slices.ContainsFunc(s.calls, func(c *call) bool { return !same.shares(c) }) && (len(s.calls) > 1 || !s.hasName() || s.landsLoadOf(same) || same.landsLoadOf(s)) {
		return same
	}
	return nil
}

// hasName reports whether facts have more of the ship than a voyage number.
func (s *ship) hasName() bool { return s.vessel != (freight.VesselRef{}) }

// sameByCargo returns the only ship that may be s and on which a container was loaded that comes off s,
// where both lie, and that was nowhere else when s called; nil for none, or for several.
func (d *derivation) sameByCargo(s *ship, keys []string) (same *ship) {
	for _, key := range keys {
		o := d.fleet.ships[key]
		if o == s || o.isAnother(s) || !s.mayBeKindOf(o) || d.fleet.isSame(o.key, s.key) || !s.landsLoadOf(o) || slices.ContainsFunc(s.calls, func(c *call) bool {
			return !o.layAt(nil, c.first) && (o.isElsewhereAt(c.came()) || len(c.landed) > 0 && !(c.index == 0 && o.cameStraightTo(c)))
		}) {
			continue
		}
		if same != nil {
			return nil
		}
		same = o
	}
	return same
}

// cameStraightTo reports whether a container that came off in a call of a ship was loaded on this one in the
// last call that is reported before it.
func (s *ship) cameStraightTo(c *call) bool {
	var last *call
	for _, o := range s.calls {
		if o.first.at.Compare(c.first.at) < 0 {
			last = o
		}
	}
	return last != nil && slices.ContainsFunc(s.loads[last.site], func(l *entry) bool {
		return l.at.Compare(c.first.at) < 0 && slices.ContainsFunc(c.landed, func(e *entry) bool { return e.containers[0] == l.containers[0] })
	})
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
		if c.first.Activity == freight.Arrival && (o.first.Activity == freight.Arrival && !sameTime(o.first, c.first) || o.worked != nil && o.worked.at.Compare(c.first.at) < 0) {
			return false // no ship arrives after it has loaded
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

// nameByPresence finds the ships of loads and discharges that name none, and that no plan of the
// container decides: the only ship that is reported there at the time, where no other may have been.
func (d *derivation) nameByPresence() {
	var unnamed []*entry
	named, silent := map[string][]*entry{}, map[string][]*entry{} // by container
	for _, e := range d.valid {
		switch {
		case e.classifier != freight.Actual || !e.isHandling() || e.at.IsZero():
		case e.ship != nil:
			named[e.containers[0]] = append(named[e.containers[0]], e)
		case d.fleet.planned[e] == "":
			unnamed = append(unnamed, e)
			silent[e.containers[0]] = append(silent[e.containers[0]], e)
		}
	}
	for _, e := range unnamed {
		before, after := e.neighboursIn(named[e.containers[0]])
		changes := func(a, b *entry) bool { return slices.ContainsFunc(silent[e.containers[0]], isBetween(a, b)) }
		if e.Activity == freight.Loading && after != nil && after.Activity == freight.Discharge && after.site != e.site && !changes(e, after) && (after.ship.layAt(nil, e) || len(d.fleet.ships) == 1 && !after.ship.isElsewhereAt(e.at.Time)) {
			d.fleet.planned[e] = after.ship.key // it comes off that ship next
		} else if e.Activity == freight.Discharge && before != nil && before.Activity == freight.Loading && before.site != e.site && !changes(before, e) && before.ship.isBy(e.by) && before.ship.liesSurely(e) {
			d.fleet.planned[e] = before.ship.key // it was loaded on that ship before
		} else if s := d.shipAt(e); s != nil && !e.at.Day && (before != nil || !d.mayComeUnseen(s, e)) && e.fitsBetween(before, after, s) {
			d.fleet.planned[e] = s.key
		}
	}
}

// shipAt returns the only ship that lay at the port of a move then; nil for none, or where another
// may have.
func (d *derivation) shipAt(e *entry) (only *ship) {
	for _, s := range d.fleet.ships {
		if !s.isBy(e.by) {
			continue
		}
		switch {
		case s.liesSurely(e):
			if only != nil {
				return nil
			}
			only = s
		case s.layAt(nil, e), d.isDueUnseen(s, e):
			return nil
		}
	}
	return only
}

// isBy reports whether facts have the ship as one of this kind, or nowhere: no main vessel is a feeder.
func (s *ship) isBy(kind freight.Mode) bool {
	return len(s.calls) == 0 || slices.ContainsFunc(s.calls, func(c *call) bool { return c.first.by == kind || c.last.by == kind })
}

// mayBeKindOf reports whether facts have both as ships of one kind.
func (s *ship) mayBeKindOf(o *ship) bool {
	return len(s.calls) == 0 || slices.ContainsFunc(s.calls, func(c *call) bool { return o.isBy(c.first.by) })
}

// liesSurely reports whether facts of before and after a move have the ship there, or of before and the
// move is no later than a ship stays.
func (s *ship) liesSurely(m *entry) bool {
	return slices.ContainsFunc(s.calls, func(c *call) bool {
		return c.site == m.site && c.first.at.Compare(m.at) <= 0 && !s.hasLeft(c, m)
	})
}

// isDueUnseen reports whether a ship is planned at the port of a move about then, and reported neither
// there nor elsewhere.
func (d *derivation) isDueUnseen(s *ship, m *entry) bool {
	return !s.calledAt(m.site) && !s.isElsewhereAt(m.at.Time) && slices.ContainsFunc(s.planned, func(c *call) bool {
		return c.site == m.site && c.first.at.Time.Sub(m.at.Time).Abs() <= 2*planSlack
	})
}

// mayComeUnseen reports whether another ship than s, which is not reported at the port of a move, may have
// come there since its last call: nothing says from which ship the container comes.
func (d *derivation) mayComeUnseen(s *ship, m *entry) bool {
	for _, o := range d.fleet.ships {
		if o.isAnother(s) && o.isBy(m.by) && !o.calledAt(m.site) && !o.isElsewhereAt(m.at.Time) && slices.ContainsFunc(o.calls, func(c *call) bool {
			return m.at.Time.Sub(c.left()) >= shortestChange
		}) {
			return true
		}
	}
	return false
}

// isBetween returns whether a load or discharge is one between two others, and no other report of the
// second.
func isBetween(a, b *entry) func(*entry) bool {
	return func(m *entry) bool { return m.site != b.site && compareMoves(a, m) < 0 && compareMoves(m, b) < 0 }
}

// neighboursIn returns the last move of a list before a move, and the next; nil for none.
func (e *entry) neighboursIn(list []*entry) (before, after *entry) {
	for _, m := range list {
		switch {
		case compareMoves(m, e) < 0 && (before == nil || compareMoves(m, before) > 0):
			before = m
		case compareMoves(m, e) > 0 && (after == nil || compareMoves(m, after) < 0):
			after = m
		}
	}
	return before, after
}

// fitsBetween reports whether a ship may be that of a load or discharge between two moves that name their
// ships: it did not bring the container where it is loaded, and where it puts it ashore, it left the port
// after the container had come there, or called where the ship had called that the container was aboard.
func (e *entry) fitsBetween(before, after *entry, s *ship) bool {
	if e.Activity == freight.Loading {
		return !(before != nil && before.Activity == freight.Discharge && before.site == e.site && before.ship == s) &&
			!(after != nil && after.Activity == freight.Discharge && after.ship.isAnother(s))
	}
	switch {
	case before == nil || !before.ship.isAnother(s):
		return true
	case before.Activity == freight.Loading:
		return changeOf(before.ship, before.call, s, s.callOf(e)) != nil
	}
	return slices.ContainsFunc(s.calls, func(c *call) bool {
		return c.site == before.site && c.left().After(before.at.Time) && c.first.at.Compare(e.at) < 0
	})
}

// callOf returns the call in which the ship lay at the port of a move then; nil for none.
func (s *ship) callOf(m *entry) *call {
	for _, c := range s.calls {
		if c.site == m.site && s.layThere(c, m) {
			return c
		}
	}
	return nil
}

// changeOf returns the last call of one ship, after a call, at a port where another one called after it
// and before a call elsewhere: a container may have changed ships there. Nil for none.
func changeOf(from *ship, after *call, to *ship, before *call) (at *call) {
	if before == nil {
		return nil
	}
	first := 0
	if after != nil {
		first = after.index + 1
	}
	for _, c := range from.calls[first:] {
		if c.site != before.site && c.came().Before(before.came()) && slices.ContainsFunc(to.calls[:before.index], func(o *call) bool {
			return o.site == c.site && o.left().After(c.came()) && !slices.ContainsFunc(to.calls[o.index+1:before.index], func(n *call) bool { return n.site == before.site })
		}) {
			at = c
		}
	}
	return at
}

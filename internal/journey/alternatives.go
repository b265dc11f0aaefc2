package journey

import (
	"slices"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// What follows by inference is shown only where no other voyage explains the same facts with as few
// unreported events. Each function here looks for such another voyage.

// broughtByNobody reports whether a container of which no move is reported would board the ship of e
// at a port to which nothing brought it: another port is where its shipment goes to sea.
func (v *voyage) broughtByNobody(e *entry) bool {
	pol := v.knownPOL
	if pol == nil {
		pol = v.quay
	}
	return len(v.own) == 0 && len(v.legs) == 0 && pol != nil && e.ship != nil &&
		v.boardedAt(e) != pol && !e.ship.calledAt(pol) && !v.planned(e.ship, pol)
}

// mayChangeLater reports whether the ship of e calls, after that port and before the container comes off it,
// at a stated port of transshipment where the ship of the leg may have called unreported.
func (v *voyage) mayChangeLater(l *leg, e *entry) bool {
	m := v.nextOff()
	if e.call == nil || m == nil || v.planned(e.ship, e.site) || v.changesShips(e.site) {
		return false
	}
	return slices.ContainsFunc(e.ship.calls[e.call.index+1:], func(c *call) bool {
		return c.site != m.site && c.site != l.from && v.changesShips(c.site) && c.first.at.Compare(m.at) < 0 && l.callAt(c.site, nil) == nil
	})
}

// comesAsWell reports whether neither the ship of a leg nor another one is surely where a load names no
// ship, and the other comes to a port that the leg reaches, too.
func (v *voyage) comesAsWell(s *ship, l *leg, load *entry) bool {
	if l.ship.hasComeTo(load) || l.ship.calledAt(load.site) && v.isCarrier(s) || s.calledAt(load.site) || s.isElsewhereAt(load.at.Time) {
		return false
	}
	return slices.ContainsFunc(s.calls, func(c *call) bool {
		return c.came().After(load.at.Time.Add(loadingReports)) && slices.ContainsFunc(v.moves, func(m seaMove) bool {
			return m.leg == l && !m.takes() && m.site == c.site
		})
	})
}

// hasComeTo reports whether the ship had come to the port of a move before it, or a day after it as far as is known,
// and not left.
func (s *ship) hasComeTo(m *entry) bool {
	return slices.ContainsFunc(s.calls, func(c *call) bool {
		return c.site == m.site && !c.came().After(m.at.Time.Add(24*time.Hour)) && !s.hasLeft(c, m)
	})
}

// mayHaveComeBySea reports whether a container was picked up empty or brought to a gate at another place than
// the port of its first load, and another ship of the shipment had called at one of the two before; or whether
// nothing is reported of it before a load that names no ship, and one had left that port.
func (d *derivation) mayHaveComeBySea(cs *containerState, first *site) bool {
	var load, land *entry // the first move over water, and the last move on land before it
	for _, e := range cs.own {
		if e.classifier == freight.Actual && !e.at.IsZero() && e.overWater() && e.site != nil && (load == nil || compareMoves(e, load) < 0) {
			load = e
		}
	}
	if load == nil || load.Activity != freight.Loading || load.site != first {
		return false
	}
	for _, e := range cs.own {
		if e.classifier == freight.Actual && !e.at.IsZero() && e.onLand() && compareMoves(e, load) < 0 && (land == nil || compareMoves(e, land) > 0) {
			land = e
		}
	}
	if land == nil && load.ship == nil {
		return d.mayHaveBeenLeft(load)
	}
	if load.ship == nil || land == nil || land.site == nil || land.site == first || d.near(land.site, first) {
		return false
	}
	for _, s := range d.fleet.ships {
		if s.isAnother(load.ship) && (s.calledBefore(load) || s.cameBetween(land.site, land, load)) {
			return true
		}
	}
	return false
}

// mayHaveBeenLeft reports whether a ship that had called elsewhere called at the port of a load, and left it
// before: the container may have come with it.
func (d *derivation) mayHaveBeenLeft(load *entry) bool {
	for _, s := range d.fleet.ships {
		if slices.ContainsFunc(s.calls, func(c *call) bool { return c.site == load.site && c.index > 0 && s.hasLeft(c, load) }) {
			return true
		}
	}
	return false
}

// isLoadedInCall reports whether the container's next own move is its load on the ship of a departure, in
// the same call: the departure is known to the day, or by another clock.
func (v *voyage) isLoadedInCall(e *entry) bool {
	if v.next == len(v.own) || e.call == nil {
		return false
	}
	m := v.own[v.next]
	return m.Activity == freight.Loading && m.site == e.site && m.call == e.call
}

// mayBeTwo reports whether the ship may have been at another port between the first and the last report of
// a call.
func (c *call) mayBeTwo() bool { return c.left().Sub(c.came()) >= portStay+shortestDetour }

// landing is where a ship puts a container ashore.
type landing struct {
	*ship
	*site
}

// isOwnPlan reports whether a plan of the shipment is also a container's own, which has the ship of it
// discharge the container there.
func (d *derivation) isOwnPlan(p *entry) bool {
	if d.ownLandings == nil {
		d.ownLandings = map[landing]bool{}
		for _, cs := range d.containers {
			for _, q := range cs.own {
				if q.classifier != freight.Actual && q.Activity == freight.Discharge {
					d.ownLandings[landing{q.ship, q.site}] = true
				}
			}
		}
	}
	return d.ownLandings[landing{p.ship, p.site}]
}

// unnamedCall returns the call at the port where a leg ends of a ship that facts know by a voyage number
// alone, where the ship of the leg is not reported there, and no other one then; nil for none.
func (v *voyage) unnamedCall(l *leg, at *site) *call {
	if l.ship == nil || at == nil || l.ended != nil {
		return nil
	}
	for _, s := range v.fleet.ships {
		if !s.isUnnamed() {
			continue
		}
		for _, c := range s.calls {
			if c.site == at && c.first.at.Compare(l.since.at) > 0 && !l.ship.isElsewhereAt(c.came()) && !v.liesAnother(l.ship, c.first) {
				return c
			}
		}
	}
	return nil
}

// wasExpectedAt reports whether an estimate that an actual has replaced has a ship bring the shipment to a port.
func (d *derivation) wasExpectedAt(s *site) bool {
	return slices.ContainsFunc(d.valid, func(e *entry) bool {
		return e.site == s && brings(e) && e.overWater() && len(e.past) > 0
	})
}

// endAtHub removes the moves of a ship that the container boarded by inference, after a stated port of
// transshipment from which another ship may have brought it to where it is loaded next.
func (v *voyage) endAtHub(l *leg) {
	_, since, after := v.aroundLeg(l)
	if l.to == nil || l.ship == nil || l.discharged != nil || v.isNamed(l) || since == nil || after == nil || !after.takes() {
		return
	}
	for _, hub := range l.ship.calls {
		if hub.site == l.to || hub.site == l.from || !v.changesShips(hub.site) || !hub.came().After(since.at.Time) || !v.mayComeFrom(hub, l.to, after) {
			continue
		}
		v.endMovesAt(l, hub)
		return
	}
}

// mayComeFrom reports whether another ship than that of a call left its port after that, and came to another
// one before a load on a third.
func (v *voyage) mayComeFrom(hub *call, to *site, load *entry) bool {
	for _, s := range v.fleet.ships {
		if s.isAnother(hub.ship) && s != load.ship && slices.ContainsFunc(s.calls, func(c *call) bool {
			return c.site == hub.site && c.left().After(hub.came()) && slices.ContainsFunc(s.calls[c.index+1:], func(n *call) bool {
				return n.site == to && n.first.at.Compare(load.at) <= 0
			})
		}) {
			return true
		}
	}
	return false
}

package journey

import (
	"cmp"
	"maps"
	"slices"

	"github.com/landfallhq/tracking/freight"
)

// Leg is a stay of a container aboard one ship. Indices of facts are -1 where there is none.
type Leg struct {
	// Ship identifies the ship within the shipment; empty while no fact names it. Vessel is
	// zero where only a voyage number is known.
	Ship   string
	Vessel freight.VesselRef
	// From and To have the code and name of the ports; To is zero while it is aboard.
	From, To freight.Place
	// Boarded is the first fact that puts it aboard. Sailed is the last fact of its ship at
	// From: the departure where that is reported. Landed is the fact that shows it ashore.
	Boarded, Sailed, Landed       int
	BoardedAt, SailedAt, LandedAt freight.Moment
}

// MissedShip is a ship that was planned to take the container from a port, and has left or
// will leave without it.
type MissedShip struct {
	Ship   string
	Vessel freight.VesselRef
	Port   freight.Place
	// AtHub: the container was or will be brought to the port by another ship.
	AtHub bool
	// Planned is the last fact that has it on the ship, PlannedAt its time.
	Planned   int
	PlannedAt freight.Moment
	// Shown is the first fact that shows that it is not: it boarded another ship, or is
	// planned to.
	Shown int
	// Next is the fact of the load or plan that takes its place; NextAt its time.
	Next   int
	NextAt freight.Moment
}

// Diversion: a ship that was planned to put the container ashore at one port has put it
// ashore at another, or is planned to.
type Diversion struct {
	Vessel           freight.VesselRef
	Planned, Instead freight.Place
	// Final: no ship was planned to take the container from the port Planned.
	Final bool
	// Called: the ship is reported at the port Planned, with the container aboard.
	Called bool
	// Passed: the ship comes to the port Instead after the time for which Planned was expected.
	Passed bool
	// Ashore: the container is ashore there. It is only planned otherwise.
	Ashore bool
	// PlannedBy has the port Planned, Shown is the fact that shows the other.
	PlannedBy, Shown int
}

// Expectation is a milestone that a plan or an estimate has for a container, and that has not
// happened.
type Expectation struct {
	Event  freight.EventName
	At     freight.Moment
	Place  freight.Place
	Vessel freight.VesselRef
	Fact   int
}

// StatedPort is a port of discharge that the facts state for the shipment.
type StatedPort struct {
	Place freight.Place
	Fact  int // the first that states it
}

// addOutlook adds what plans say of a container, compared with what it did.
func (d *derivation) addOutlook(c *ContainerJourney, cs *containerState) {
	if len(cs.legs) > 0 {
		c.Legs = make([]Leg, 0, len(cs.legs))
	}
	for _, l := range cs.legs {
		c.Legs = append(c.Legs, d.describeLeg(cs, l))
	}
	c.Missed = d.missedShips(cs)
	c.Diversions = d.diversions(cs)
	c.Expected = d.expectations(c, cs)
}

func portOf(s *site) freight.Place {
	if s == nil {
		return freight.Place{}
	}
	p := freight.Place{LOCODE: s.locode, Name: s.name}
	if p.Name == "" && s.named != nil {
		p.Name = s.named.Place.Name
	}
	return p
}

func (s *ship) identity() (key string, vessel freight.VesselRef) {
	if s == nil {
		return "", freight.VesselRef{}
	}
	return s.key, s.vessel
}

func (d *derivation) describeLeg(cs *containerState, l *leg) Leg {
	r := Leg{From: portOf(l.from), To: portOf(l.to), Boarded: indexOf(l.since), Sailed: -1, Landed: -1}
	r.Ship, r.Vessel = l.ship.identity()
	r.BoardedAt = timeOf(l.since)
	for _, m := range cs.moves {
		if m.leg == l && m.site == l.from && m.takes() {
			r.Sailed, r.SailedAt = m.index, m.at
		}
	}
	if l.to != nil {
		ashore := cmp.Or(l.discharged, l.until)
		r.Landed, r.LandedAt = indexOf(ashore), timeOf(ashore)
	}
	return r
}

// missedShips lists the ships that were planned for the container and are without it, by port
// and ship. Where the container has plans of its own for a port, those of the whole shipment
// do not count there.
func (d *derivation) missedShips(cs *containerState) (list []MissedShip) {
	if len(cs.missed) == 0 {
		return nil
	}
	ships := slices.SortedFunc(maps.Keys(cs.missed), func(a, b *ship) int { return cmp.Compare(a.key, b.key) })
	for _, s := range ships {
		plan := d.planBy(cs, s)
		if plan == nil {
			continue
		}
		m := MissedShip{Port: portOf(plan.site), AtHub: cs.isHub(plan.site), Planned: plan.index, PlannedAt: plan.at, Shown: -1, Next: -1}
		m.Ship, m.Vessel = s.identity()
		next := d.boardedInstead(cs, s, plan)
		shown := next
		if planned := d.plannedInstead(cs, s, plan); planned != nil && (next == nil || later(planned, next) < 0) {
			shown = planned
			if next == nil {
				next = planned
			}
		}
		if shown == nil {
			continue // its departure alone shows it; the load may not be reported yet
		}
		m.Shown, m.Next, m.NextAt = shown.index, indexOf(next), timeOf(next)
		list = append(list, m)
	}
	return list
}

// isHub reports whether the container changes ships at the port.
func (cs *containerState) isHub(s *site) bool {
	return cs.pol != nil && s != cs.pol || slices.ContainsFunc(cs.legs, func(l *leg) bool { return l.to == s })
}

// planBy is the last plan that has the container on the ship, or the load that was undone.
func (d *derivation) planBy(cs *containerState, s *ship) (last *entry) {
	own := d.ownPlans(cs)
	for e := range d.plansOf(cs) {
		if e.ship == s && e.takes() && e.site != nil && !e.at.IsZero() && (len(e.containers) > 0 || !own[e.site]) && (last == nil || later(e, last) > 0) {
			last = e
		}
	}
	if last != nil {
		return last
	}
	for _, e := range cs.own {
		if e.classifier == freight.Actual && e.Activity == freight.Loading && e.ship == s && e.site != nil {
			last = e
		}
	}
	return last
}

// ownPlans has the ports from which plans of its own take the container.
func (d *derivation) ownPlans(cs *containerState) map[*site]bool {
	own := map[*site]bool{}
	for _, e := range cs.own {
		if e.classifier != freight.Actual && e.takes() && e.ship != nil {
			own[e.site] = true
		}
	}
	return own
}

// boardedInstead is the fact that puts the container aboard another ship at the port.
func (d *derivation) boardedInstead(cs *containerState, s *ship, plan *entry) *entry {
	for _, l := range cs.legs {
		if l.from == plan.site && l.ship != s {
			return l.since
		}
	}
	return nil
}

// plannedInstead is the first fact that plans the container onto another ship from the port,
// after the plan that it replaces was recorded.
func (d *derivation) plannedInstead(cs *containerState, s *ship, plan *entry) (first *entry) {
	for e := range d.plansOf(cs) {
		if e.takes() && e.site == plan.site && e.ship != nil && e.ship != s && !cs.missed[e.ship] && later(e, plan) > 0 && (first == nil || later(e, first) < 0) {
			first = e
		}
	}
	return first
}

// diversions lists where ships put the container ashore elsewhere than was planned.
func (d *derivation) diversions(cs *containerState) (list []Diversion) {
	for p := range d.plansOf(cs) {
		if !d.plansLanding(cs, p) || slices.ContainsFunc(list, func(o Diversion) bool { return o.Planned == portOf(p.site) && o.Vessel == p.ship.vessel }) {
			continue
		}
		l := cs.legOn(p.ship)
		if l == nil || l.from == p.site {
			continue
		}
		instead, ashore := d.landedInstead(cs, l, p)
		if instead == nil || instead.site == p.site || later(p, instead) > 0 {
			continue
		}
		v := Diversion{
			Vessel: p.ship.vessel, Planned: portOf(p.site), Instead: portOf(instead.site), Final: !d.isTakenFrom(cs, p), Called: l.calledBefore(p.site, instead),
			Passed: instead.at.Compare(p.at) > 0, Ashore: ashore, PlannedBy: p.index, Shown: instead.index,
		}
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b Diversion) int {
		return cmp.Or(cmp.Compare(a.Planned.LOCODE, b.Planned.LOCODE), cmp.Compare(a.Vessel.IMO, b.Vessel.IMO), cmp.Compare(a.Vessel.Name, b.Vessel.Name))
	})
	return list
}

// calledBefore reports whether the ship of the leg called at the port before a discharge.
func (l *leg) calledBefore(s *site, e *entry) bool {
	c := l.callAt(s, nil)
	return c != nil && c.first.at.Compare(e.at) < 0
}

// plansLanding reports whether a plan has a ship put the container ashore: its own discharge,
// or the arrival of the ship at a port that was stated as the POD.
func (d *derivation) plansLanding(cs *containerState, p *entry) bool {
	if p.ship == nil || p.site == nil || p.site.locode == "" || p.at.IsZero() {
		return false
	}
	return p.Activity == freight.Discharge && len(p.containers) > 0 || p.Activity == freight.Arrival && d.wasPOD(p.site)
}

// wasPOD reports whether a fact states the port as the POD, whatever came after.
func (d *derivation) wasPOD(s *site) bool {
	return slices.ContainsFunc(d.statedPODs, func(e *entry) bool { return e.site == s })
}

func (cs *containerState) legOn(s *ship) *leg {
	for _, l := range slices.Backward(cs.legs) {
		if l.ship == s {
			return l
		}
	}
	return nil
}

// landedInstead is the fact that has the container ashore from the ship of a leg: the
// discharge, else the last plan of its own for one.
func (d *derivation) landedInstead(cs *containerState, l *leg, p *entry) (last *entry, ashore bool) {
	switch {
	case l.discharged != nil:
		return l.discharged, true
	case l.to == p.site:
		return nil, false
	}
	for _, e := range cs.own {
		if e.classifier != freight.Actual && e.Activity == freight.Discharge && e.ship == l.ship && e.site != nil && (last == nil || later(e, last) > 0) {
			last = e
		}
	}
	return last, last != nil && last.site == l.to
}

// isTakenFrom reports whether another ship is planned to take the container from the port of
// a planned discharge.
func (d *derivation) isTakenFrom(cs *containerState, p *entry) bool {
	for e := range d.plansOf(cs) {
		if e.takes() && e.by != freight.ByBarge && e.site == p.site && e.ship != p.ship {
			return true
		}
	}
	return false
}

// expectations lists what is planned or estimated for a container and has not happened, by
// time: one for each event and place, the estimate that counts.
func (d *derivation) expectations(c *ContainerJourney, cs *containerState) (list []Expectation) {
	var best []*entry
	var events []freight.EventName
	for e := range d.plansOf(cs) {
		if e.at.IsZero() || e.site == nil || cs.left(e) || cs.isBehind(e) || d.isPast(c, cs, e) {
			continue
		}
		event := d.event(e, cs)
		if d.reachesDestination(e, cs) {
			event = freight.ArrivedAtDestination
		}
		if event == "" || hasMilestone(c, d, event, e.site) {
			continue
		}
		i := 0
		for i < len(best) && (events[i] != event || best[i].site != e.site) {
			i++
		}
		if i == len(best) {
			best, events = append(best, e), append(events, event)
		} else {
			best[i] = laterEstimate(best[i], e)
		}
	}
	for i, e := range best {
		x := Expectation{Event: events[i], At: e.at, Place: portOf(e.site), Fact: e.index}
		_, x.Vessel = e.ship.identity()
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b Expectation) int {
		return cmp.Or(a.At.Time.Compare(b.At.Time), cmp.Compare(MilestoneOrder[a.Event], MilestoneOrder[b.Event]), cmp.Compare(a.Place.LOCODE, b.Place.LOCODE))
	})
	return list
}

func hasMilestone(c *ContainerJourney, d *derivation, event freight.EventName, at *site) bool {
	return slices.ContainsFunc(c.Milestones, func(m Milestone) bool { return m.Event == event && d.entries[m.Fact].site == at })
}

// isPast reports whether the container is beyond a planned move, whether or not that was
// reported.
func (d *derivation) isPast(c *ContainerJourney, cs *containerState, e *entry) bool {
	if !c.DestFullOutAt.IsZero() || !c.DeliveredAt.IsZero() || !c.EmptyTerminatedAt.IsZero() || c.ReturnedUnused {
		return true
	}
	if !e.overWater() {
		return !c.INDATA.IsZero() || !c.PODFullOutAt.IsZero()
	}
	if e.by != freight.ByBarge && (!c.PODDischargedAt.IsZero() || !c.PODFullOutAt.IsZero() || !c.PODRailLoadedAt.IsZero() || !c.PODRailDepartedAt.IsZero() || !c.INDATA.IsZero()) {
		return true
	}
	if len(cs.legs) == 0 {
		return false
	}
	last := cs.legs[len(cs.legs)-1]
	if e.takes() && e.site == last.from && last.to == nil {
		return e.Activity == freight.Loading || cs.movedAfterDeparture(last)
	}
	if last.to != nil {
		return e.ship != nil && e.ship == last.ship || e.at.Compare(last.until.at) < 0 && !e.takes() || e.takes() && e.site != last.to && e.at.Compare(last.until.at) < 0
	}
	if e.ship != nil && e.ship == last.ship {
		return brings(e) && cs.hasMoved(last, e)
	}
	return e.at.Compare(last.since.at) < 0
}

// movedAfterDeparture reports whether the ship of the leg has left the port where it began.
func (cs *containerState) movedAfterDeparture(l *leg) bool {
	return slices.ContainsFunc(cs.moves, func(m seaMove) bool {
		return m.leg == l && (m.site != l.from || m.Activity == freight.Departure)
	})
}

// hasMoved reports whether a move of the leg is at the same port, or after the time of a plan.
func (cs *containerState) hasMoved(l *leg, e *entry) bool {
	return slices.ContainsFunc(cs.moves, func(m seaMove) bool {
		return m.leg == l && (m.site == e.site && portStep[m.Activity] >= portStep[e.Activity] || m.site != l.from && m.site != e.site && m.at.Compare(e.at) > 0)
	})
}

// findStatedPODs lists the first valid statement of each port of discharge, in the order in
// which they were recorded.
func (d *derivation) findStatedPODs() {
	for _, e := range d.valid {
		if e.Place.Role != freight.RolePOD || e.site == nil || e.site.locode == "" || e.Activity != freight.Route {
			continue
		}
		k := slices.IndexFunc(d.statedPODs, func(o *entry) bool { return o.site == e.site })
		if k < 0 {
			d.statedPODs = append(d.statedPODs, e)
		} else if later(e, d.statedPODs[k]) < 0 {
			d.statedPODs[k] = e
		}
	}
	slices.SortFunc(d.statedPODs, later)
}

package journey

import (
	"cmp"
	"slices"

	"github.com/landfallhq/tracking/freight"
)

// PortCall is a port call of a container on its way by sea.
type PortCall struct {
	Place freight.Place
	// In brings the container to the port, Out takes it from there.
	In, Out Carriage
	// Reached and Left: facts show that the container has reached or left the port, with or
	// without a time.
	Reached, Left bool
}

// Carriage is the means of transport by which a container comes to a port or leaves it.
type Carriage struct {
	// Known: a fact has the means of transport. Else SCAC, Mode, Vessel and Voyage are zero.
	Known  bool
	SCAC   string // of the fact; empty when it has none
	Mode   freight.Mode
	Vessel freight.VesselRef
	Voyage string
	// Estimated and Actual are the times of arrival (In) or departure (Out); zero while not
	// known.
	Estimated, Actual freight.Moment
}

// PortCalls returns the port calls of a container, in order. For a container that is no
// longer of the shipment, these are the calls of the shipment.
func PortCalls(followed []freight.ShipmentNumber, facts []*LoggedFact, places Places, container string) []PortCall {
	d := newDerivation(facts, places)
	d.resolveFacts(followed)
	return d.calls(container)
}

// conveyance collects the facts about how a container comes to a port, or leaves it.
type conveyance struct {
	best     *entry // the best fact with a vessel or voyage
	estimate *entry // the estimate that counts
	actual   freight.Moment
}

func (c conveyance) carriage() Carriage {
	r := Carriage{Estimated: timeOf(c.estimate), Actual: c.actual}
	if e := c.best; e != nil {
		r.Known, r.SCAC, r.Mode, r.Vessel, r.Voyage = true, e.SCAC, e.by, e.Vessel, e.Voyage
	}
	return r
}

// calls returns the port calls of a container, in order.
func (d *derivation) calls(number string) []PortCall {
	cs := d.byName[number]
	if cs == nil { // no longer of the shipment: use the ports of the shipment
		cs = &containerState{number: number, pol: d.pol, pod: d.pod}
	}
	var list []PortCall
	add := func(s *site, r freight.Role) {
		if s != nil {
			list = append(list, d.callAt(cs, s, r))
		}
	}
	add(cs.pol, freight.RolePOL)
	for _, s := range d.stopsOf(cs) {
		add(s, freight.RoleTS)
	}
	add(cs.pod, freight.RolePOD)
	for i := len(list) - 2; i >= 0; i-- { // a container at a port has left those before it
		after := list[i+1]
		list[i].Left = list[i].Left || after.Reached || after.Left
	}
	for i := 1; i < len(list); i++ {
		list[i].Reached = list[i].Reached || list[i].Left
	}
	return list
}

// stopsOf returns the ports between POL and POD where the container has called or is
// planned to. Where not every ship of its way is known, it also changed ships, or will, at the
// ports that are stated or planned for that.
func (d *derivation) stopsOf(cs *containerState) []*site {
	stops, known := slices.Clone(cs.stops), cs.pod != nil && cs.knowsVoyageTo(cs.pod)
	add := func(s *site) {
		if s != nil && s != cs.pol && s != cs.pod && !slices.Contains(stops, s) {
			stops = append(stops, s)
		}
	}
	for _, s := range d.transshipments {
		if len(cs.legs) == 0 || !known && !cs.reachedPODAboard() && d.changesShips(s) || d.plannedBetween(s) {
			add(s)
		}
	}
	for p := range d.plansOf(cs) {
		if !known && brings(p) && p.overWater() && d.isToGoOn(cs, p) {
			add(p.site)
		}
	}
	return cs.insertChanges(stops)
}

// insertChanges adds the planned changes of ships to the stops: each before the next one that is listed.
func (cs *containerState) insertChanges(stops []*site) []*site {
	next := len(stops)
	for _, s := range slices.Backward(cs.plannedChanges()) {
		switch i := slices.Index(stops, s); {
		case s == cs.pol || s == cs.pod:
		case i >= 0:
			next = i
		default:
			stops = slices.Insert(stops, next, s)
		}
	}
	return stops
}

// plannedChanges returns the ports where the container changed ships by its own plans, in the
// gaps between the legs that are known, or at the end of one that no move shows.
func (cs *containerState) plannedChanges() (ports []*site) {
	at, first := cs.pol, max(0, slices.IndexFunc(cs.legs, func(l *leg) bool { return l.from == cs.pol }))
	for _, l := range cs.legs[first:] {
		if l.barge {
			break // inland
		}
		begin := l.from
		if begin == nil {
			begin = cs.plannedLoad(cmp.Or(l.ship, cs.plannedToBring(l.to), cs.lastPlannedShip()))
		}
		var gap []*site
		for s := begin; s != nil && s != at && !slices.Contains(gap, s); s = cs.plannedLoad(cs.plannedToBring(s)) {
			gap = append(gap, s)
		}
		slices.Reverse(gap)
		ports = append(ports, gap...)
		if at = l.to; l.presumed && at != nil && at.locode != "" {
			ports = append(ports, at)
		}
	}
	return ports
}

// plannedLoad returns the port where the container's own latest plan has a ship load it; nil for
// none.
func (cs *containerState) plannedLoad(s *ship) *site {
	plan := cs.latestPlan(func(p *entry) bool { return s != nil && p.ship == s && p.Activity == freight.Loading })
	if plan == nil || plan.site == nil || plan.site.locode == "" {
		return nil
	}
	return plan.site
}

// plannedToBring returns the ship that puts the container ashore at a port by its own latest
// plan; nil for none.
func (cs *containerState) plannedToBring(to *site) *ship {
	if to == nil {
		return nil
	}
	plan := cs.latestPlan(func(p *entry) bool { return p.site == to && p.Activity == freight.Discharge })
	if plan == nil {
		return nil
	}
	return plan.ship
}

// lastPlannedShip returns the ship of the container's own plan for its last discharge; nil for none.
func (cs *containerState) lastPlannedShip() *ship {
	var last *entry
	for _, p := range cs.own {
		if p.classifier != freight.Actual && p.Activity == freight.Discharge && p.overWater() && p.by != freight.ByBarge && (last == nil || compareMoves(p, last) > 0) {
			last = p
		}
	}
	if last == nil {
		return nil
	}
	return last.ship
}

// latestPlan returns the container's own plan over water that was recorded last; nil for none.
func (cs *containerState) latestPlan(counts func(*entry) bool) (plan *entry) {
	for _, p := range cs.own {
		if p.classifier != freight.Actual && p.overWater() && p.by != freight.ByBarge && counts(p) && (plan == nil || later(p, plan) > 0) {
			plan = p
		}
	}
	return plan
}

// isToGoOn reports whether the container is planned to be taken on by another ship from where a
// planned move brings it, and neither ship is known to have gone without it.
func (d *derivation) isToGoOn(cs *containerState, p *entry) bool {
	if p.ship == nil || cs.left(p) {
		return false
	}
	for q := range d.plansOf(cs) {
		if q.takes() && q.by != freight.ByBarge && q.site == p.site && q.ship != nil && q.ship != p.ship && !cs.missed[q.ship] && compareMoves(q, p) > 0 {
			return true
		}
	}
	return false
}

// knowsVoyageTo reports whether known ships carried the container from its POL to a port, without
// a gap.
func (cs *containerState) knowsVoyageTo(to *site) bool {
	at := cs.pol
	for _, l := range cs.legs {
		if l.from == nil || l.from != at || l.ship == nil || l.to != nil && !l.isSeenAt(l.to) {
			return false
		}
		at = l.to
	}
	return at == to
}

// isSeenAt reports whether the ship of a leg is reported at a port after the boarding, or by the discharge there.
func (l *leg) isSeenAt(s *site) bool {
	return l.discharged != nil && l.discharged.ship == l.ship || l.callAt(s, nil) != nil
}

// reachedPODAboard reports whether known ships carried the container from its POL without a gap,
// and the last of them has called at the POD.
func (cs *containerState) reachedPODAboard() bool {
	return cs.pod != nil && len(cs.legs) > 0 && cs.knowsVoyageTo(nil) && cs.legs[len(cs.legs)-1].callAt(cs.pod, nil) != nil
}

// counts reports whether an actual move over water counts for the container.
func (cs *containerState) counts(e *entry) bool {
	return slices.ContainsFunc(cs.moves, func(m seaMove) bool { return m.entry == e })
}

func (d *derivation) callAt(cs *containerState, s *site, r freight.Role) PortCall {
	call := PortCall{Place: d.place(s, r)}
	var in, out conveyance
	for _, e := range d.valid { // from the weakest to the strongest
		if e.site != s || !e.overWater() || len(e.containers) > 0 && !slices.Contains(e.containers, cs.number) {
			continue
		}
		if cs.isBehind(e) || e.classifier == freight.Actual && !e.at.IsZero() && cs.number != "" && len(cs.legs) > 0 && !cs.counts(e) {
			continue
		}
		switch e.Activity {
		case freight.Arrival, freight.Berth, freight.Discharge:
			in.add(e, freight.Arrival)
			call.Reached = call.Reached || e.classifier == freight.Actual
		case freight.Loading, freight.Departure:
			out.add(e, freight.Departure)
			call.Left = call.Left || e.classifier == freight.Actual && e.Activity == freight.Departure
		}
	}
	call.In, call.Out = in.carriage(), out.carriage()
	return call
}

// add adds a fact of this direction. Times come only from moves of the ship itself.
func (c *conveyance) add(e *entry, timed freight.Activity) {
	if e.Activity == timed {
		c.estimate = newEstimate(c.estimate, e.estimate())
		actualTime(&c.actual, e)
	}
	if e.Vessel != (freight.VesselRef{}) || e.Voyage != "" {
		if c.best == nil || weightOf[e.classifier] >= weightOf[c.best.classifier] {
			c.best = e
		}
	}
}

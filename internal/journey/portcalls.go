package journey

import (
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
// planned to. A stated port of transshipment is ahead until the container has reached its
// POD.
func (d *derivation) stopsOf(cs *containerState) []*site {
	stops := slices.Clone(cs.stops)
	for _, s := range d.transshipments {
		ahead := s.stated != nil && s.stated.Place.Role == freight.RoleTS && !cs.hasReachedPOD()
		if s != cs.pol && s != cs.pod && !slices.Contains(stops, s) && (len(cs.legs) == 0 || ahead || d.plannedBetween(s)) {
			stops = append(stops, s)
		}
	}
	return stops
}

// hasReachedPOD reports whether the container's last ship called at the POD or put it
// ashore there.
func (cs *containerState) hasReachedPOD() bool {
	if cs.pod == nil || len(cs.legs) == 0 {
		return false
	}
	l := cs.legs[len(cs.legs)-1]
	return l.to == cs.pod || l.callAt(cs.pod, nil) != nil
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

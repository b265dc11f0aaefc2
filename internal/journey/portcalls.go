package journey

import (
	"slices"

	"github.com/landfallhq/tracking/freight"
)

// PortCall is a port that a container passes at sea.
type PortCall struct {
	Place freight.Place
	// In brings the container to the port, Out takes it from there.
	In, Out Carriage
	// Reached and Left: the container certainly has. The time may be unknown.
	Reached, Left bool
}

// Carriage is how a container comes to a port or leaves it.
type Carriage struct {
	// Known: a fact says by what. Else SCAC, Mode, Vessel and Voyage are zero.
	Known  bool
	SCAC   string // of the fact; empty where it names no line
	Mode   freight.Mode
	Vessel freight.VesselRef
	Voyage string
	// Estimated and Actual are the times of arrival (In) or departure (Out); zero while
	// not known.
	Estimated, Actual freight.Moment
}

// PortCalls returns the ports that a container passes at sea, in their order. Of a container
// that has left the shipment it returns those of the shipment.
func PortCalls(followed []freight.ShipmentNumber, facts []*LoggedFact, places Places, container string) []PortCall {
	d := newDerivation(facts, places)
	d.resolveFacts(followed)
	return d.calls(container)
}

// conveyance is what brings a container to a port, or takes it from there.
type conveyance struct {
	best     *entry // the fact that knows best which ship it is
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

// calls are the ports that a container passes at sea, in their order.
func (d *derivation) calls(number string) []PortCall {
	cs := d.byName[number]
	if cs == nil { // it has left the shipment, whose way is shown
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
	for i := len(list) - 2; i >= 0; i-- { // who is at a port has been to those before it
		after := list[i+1]
		list[i].Left = list[i].Left || after.Reached || after.Left
	}
	for i := 1; i < len(list); i++ {
		list[i].Reached = list[i].Reached || list[i].Left
	}
	return list
}

// stopsOf are the ports between at which a container has called or is to call: a stated
// port of transshipment is ahead of it until it has come to its POD.
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

// hasReachedPOD: its last ship has called at the POD, or put it ashore there.
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

// add adds a fact of this direction. Only the means of transport itself states its times.
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

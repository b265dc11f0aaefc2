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
	d.settle(followed)
	return d.calls(container)
}

// conveyance is what brings a box to a port, or takes it from there.
type conveyance struct {
	best   *entry // the fact that knows best which ship it is
	guess  *entry // the estimate that counts
	actual freight.Moment
}

func (c conveyance) carriage() Carriage {
	r := Carriage{Estimated: timeOf(c.guess), Actual: c.actual}
	if e := c.best; e != nil {
		r.Known, r.SCAC, r.Mode, r.Vessel, r.Voyage = true, e.SCAC, e.by, e.Vessel, e.Voyage
	}
	return r
}

// calls are the ports that a box passes at sea, in their order.
func (d *derivation) calls(number string) []PortCall {
	b := d.byName[number]
	if b == nil { // it has left the shipment, whose way is shown
		b = &box{number: number, pol: d.pol, pod: d.pod}
	}
	var list []PortCall
	add := func(s *site, r freight.Role) {
		if s != nil {
			list = append(list, d.callAt(b, s, r))
		}
	}
	add(b.pol, freight.RolePOL)
	for _, s := range d.stopsOf(b) {
		add(s, freight.RoleTS)
	}
	add(b.pod, freight.RolePOD)
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
func (d *derivation) stopsOf(b *box) []*site {
	stops := slices.Clone(b.stops)
	for _, s := range d.transshipments {
		ahead := s.stated != nil && s.stated.Place.Role == freight.RoleTS && !b.hasReachedPOD()
		if s != b.pol && s != b.pod && !slices.Contains(stops, s) && (len(b.legs) == 0 || ahead || d.plannedBetween(s)) {
			stops = append(stops, s)
		}
	}
	return stops
}

// hasReachedPOD: its last ship has called at the POD, or put it ashore there.
func (b *box) hasReachedPOD() bool {
	if b.pod == nil || len(b.legs) == 0 {
		return false
	}
	l := b.legs[len(b.legs)-1]
	return l.to == b.pod || l.callAt(b.pod, nil) != nil
}

// counts reports whether an actual move over water counts for the container.
func (b *box) counts(e *entry) bool {
	return slices.ContainsFunc(b.moves, func(m seaMove) bool { return m.entry == e })
}

func (d *derivation) callAt(b *box, s *site, r freight.Role) PortCall {
	call := PortCall{Place: d.place(s, r)}
	var in, out conveyance
	for _, e := range d.valid { // from the weakest to the strongest
		if e.site != s || !e.overWater() || len(e.boxes) > 0 && !slices.Contains(e.boxes, b.number) {
			continue
		}
		if b.isBehind(e) || e.class == freight.Actual && !e.at.IsZero() && b.number != "" && len(b.legs) > 0 && !b.counts(e) {
			continue
		}
		switch e.Activity {
		case freight.Arrival, freight.Berth, freight.Discharge:
			in.take(e, freight.Arrival)
			call.Reached = call.Reached || e.class == freight.Actual
		case freight.Loading, freight.Departure:
			out.take(e, freight.Departure)
			call.Left = call.Left || e.class == freight.Actual && e.Activity == freight.Departure
		}
	}
	call.In, call.Out = in.carriage(), out.carriage()
	return call
}

// take takes in a fact of this direction; only the means of transport itself
// tells its times.
func (c *conveyance) take(e *entry, timed freight.Activity) {
	if e.Activity == timed {
		c.guess = newGuess(c.guess, e.guess())
		actualTime(&c.actual, e)
	}
	if e.Vessel != (freight.VesselRef{}) || e.Voyage != "" {
		if c.best == nil || weightOf[e.class] >= weightOf[c.best.class] {
			c.best = e
		}
	}
}

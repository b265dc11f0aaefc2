package journey

import (
	"cmp"
	"slices"

	"github.com/landfallhq/tracking/freight"
)

// describePorts sets the places of the shipment and their zones.
func (d *derivation) describePorts(j *Journey) {
	j.POL, j.POLZone = d.place(d.pol, freight.RolePOL), zoneOf(d.pol)
	j.POD, j.PODZone = d.place(d.pod, freight.RolePOD), zoneOf(d.pod)
	j.Destination, j.DestZone = d.place(d.destination, freight.RoleDestination), zoneOf(d.destination)
	for _, s := range d.transshipments {
		j.Transshipments = append(j.Transshipments, d.place(s, freight.RoleTS))
	}
}

func zoneOf(s *site) string {
	if s == nil {
		return ""
	}
	return s.zone
}

// overWater reports whether the move is by vessel, feeder or barge. The first or last leg
// may be a feeder's, and its port is still the POL or POD.
func (e *entry) overWater() bool {
	return e.by == freight.ByVessel || e.by == freight.ByFeeder || e.by == freight.ByBarge
}

// leaves reports whether the move is the departure of a ship from s. Only moves of the ship
// itself give these times: a discharge does not show when the ship arrived.
func (e *entry) leaves(s *site) bool {
	return s != nil && e.site == s && e.Activity == freight.Departure && e.overWater()
}

// reaches reports whether the move is the arrival of a ship at s.
func (e *entry) reaches(s *site) bool {
	return s != nil && e.site == s && e.Activity == freight.Arrival && e.overWater()
}

// timeShipment sets the estimated and actual times of the whole shipment.
func (d *derivation) timeShipment(j *Journey) {
	var etd, eta, first, destination *entry
	for _, e := range d.valid { // from the weakest to the strongest
		switch {
		case e.reaches(d.pod) && d.concernsNoContainer(e):
			first = firstEstimate(first, e, false) // it was promised nevertheless
		case e.leaves(d.pol) && d.concernsNoContainer(e):
		case e.leaves(d.pol):
			etd = newEstimate(etd, e.estimate())
			actualTime(&j.POLATD, e)
		case e.reaches(d.pod):
			eta = newEstimate(eta, e.estimate())
			first = firstEstimate(first, e, true)
			actualTime(&j.PODATA, e)
		case d.reachesDestination(e, nil) && !d.goesElsewhere(e):
			destination = newEstimate(destination, e.estimate())
			actualTime(&j.DestATA, e)
		}
	}
	j.POLETD, j.PODETA, j.PODOriginalETA, j.DestETA = timeOf(etd), timeOf(eta), timeOf(first), timeOf(destination)
	vessel := d.podVessel()
	if vessel != nil {
		j.PODVessel, j.PODVoyage = vessel.Vessel, vessel.Voyage
		if vessel.ship != nil {
			j.PODVessel = vessel.ship.vessel
		}
	}
	j.Provenance = ShipmentProvenance{
		POLETD: indexOf(etd), PODETA: indexOf(eta), DestETA: indexOf(destination),
		PODVessel: indexOf(vessel), POD: indexOf(d.podProvenance(d.pod)),
	}
}

// goesElsewhere reports whether a fact names containers, none of which has the destination of the
// shipment.
func (d *derivation) goesElsewhere(e *entry) bool {
	return len(e.containers) > 0 && !slices.ContainsFunc(e.containers, func(number string) bool {
		return d.byName[number].destination == d.destination
	})
}

func timeOf(e *entry) freight.Moment {
	if e == nil {
		return freight.Moment{}
	}
	return e.at
}

func actualTime(m *freight.Moment, e *entry) {
	if e.classifier == freight.Actual && !e.at.IsZero() && !e.at.Covers(*m) {
		*m = e.at
	}
}

// estimate returns the estimate that a fact has: itself or, when a carrier has replaced an
// estimate by the actual under the same ID, its last estimate, because both are shown. Nil
// when none has a time.
func (e *entry) estimate() *entry {
	if e.classifier != freight.Actual {
		return laterEstimate(nil, e)
	}
	var last *entry
	for _, v := range e.past {
		if v.sameMove(e) {
			last = laterEstimate(last, v)
		}
	}
	return last
}

// sameMove reports whether two versions are of the same move. A version that was corrected
// to another move or place is no estimate of this one.
func (e *entry) sameMove(o *entry) bool {
	return e.Activity == o.Activity && e.site == o.site && e.by == o.by
}

// laterEstimate returns the estimate that counts: the one recorded last; of those recorded
// at one time, an estimate of the same ship before a planned time. An actual that was reported too early is
// not an estimate by somebody: there the order of arrival decides. Estimates without a time
// do not count.
func laterEstimate(a, b *entry) *entry {
	switch {
	case b == nil || b.at.IsZero():
		return a
	case a == nil:
		return b
	}
	better := betterEstimate(b, a)
	if a.early || b.early || !a.RecordedAt.Equal(b.RecordedAt) || a.ship != nil && b.ship != nil && a.ship.isAnother(b.ship) {
		better = later(b, a) > 0
	}
	if better {
		return b
	}
	return a
}

// newEstimate is laterEstimate for facts of different IDs, in the order of authority.
func newEstimate(known, e *entry) *entry {
	later := laterEstimate(known, e)
	if known != nil && later.at.Covers(known.at) {
		return known
	}
	return later
}

// firstEstimate returns the estimate that was recorded first, replaced versions included:
// this is the meaning of "original". early: actuals that were reported too early count.
func firstEstimate(first, e *entry, early bool) *entry {
	try := func(v *entry) {
		if v.classifier == freight.Actual || v.early && !early || v.at.IsZero() || !v.sameMove(e) {
			return
		}
		if first == nil || later(v, first) < 0 {
			first = v
		}
	}
	try(e)
	for _, v := range e.past {
		try(v)
	}
	return first
}

var weightOf = map[freight.Classifier]int{freight.Actual: 3, freight.Estimated: 2, freight.Planned: 1}

// podVessel returns the fact that names the ship that brings the shipment to its POD: the
// ship that arrives or is discharged there, else the last that takes it from a port, unless
// it changes ships after that. Where no such ship is known by name, it is the one of the
// latest estimate for the POD.
func (d *derivation) podVessel() *entry {
	if e := d.podVesselOf(func(s *ship) bool { return s.vessel != (freight.VesselRef{}) }); e != nil {
		return e
	}
	if e := d.expectedVessel(); e != nil {
		return e
	}
	return d.podVesselOf(func(s *ship) bool { return s.vessel == (freight.VesselRef{}) })
}

// expectedVessel returns the latest estimate for the POD that names a ship, or nil.
func (d *derivation) expectedVessel() (last *entry) {
	for _, e := range d.valid {
		if e.reaches(d.pod) && e.classifier != freight.Actual && e.ship != nil && e.ship.vessel != (freight.VesselRef{}) && (last == nil || later(e, last) > 0) {
			last = e
		}
	}
	return last
}

// podVesselOf is podVessel for some of the ships. A ship with only a voyage number may be
// one that another fact names.
func (d *derivation) podVesselOf(counts func(*ship) bool) *entry {
	var at *entry
	takes := map[*site]*entry{} // the best fact about the ship that takes it from a port
	better := func(e, than *entry) bool {
		return than == nil || e.classifier == freight.Actual || than.classifier != freight.Actual
	}
	for _, e := range d.valid { // from the weakest to the strongest
		if !e.overWater() || e.site == nil || e.ship == nil || !counts(e.ship) || d.concernsNoContainer(e) {
			continue
		}
		switch e.Activity {
		case freight.Arrival, freight.Berth, freight.Discharge:
			if e.site == d.pod && better(e, at) && (e.Activity == freight.Discharge || !d.putAllAshore(e.ship)) {
				at = e
			}
		case freight.Loading, freight.Departure:
			if (e.site.role == freight.RolePOL || e.site.role == freight.RoleTS) && better(e, takes[e.site]) {
				takes[e.site] = e
			}
		}
	}
	if at != nil || d.pod == nil {
		return at
	}
	var toward *entry
	for _, e := range takes {
		if toward == nil || lastLeg(e, toward) {
			toward = e
		}
	}
	if toward == nil || d.putAllAshore(toward.ship) || d.changesAfter(toward, takes) {
		return nil
	}
	return toward
}

// putAllAshore reports whether the ship has discharged all containers before the POD.
func (d *derivation) putAllAshore(s *ship) bool {
	left := false
	for _, cs := range d.containers {
		if len(cs.legs) == 0 {
			return false
		}
		for _, l := range cs.legs {
			if l.ship == s {
				if l.discharged == nil || l.to == d.pod {
					return false
				}
				left = true
			}
		}
	}
	return left
}

// changesAfter reports whether the shipment changes ships after e: at a stated port of
// transshipment from which no ship is known to take it, or because an unnamed ship put a
// container ashore.
func (d *derivation) changesAfter(e *entry, takes map[*site]*entry) bool {
	for _, s := range d.transshipments {
		if s.statedRole() == freight.RoleTS && takes[s] == nil {
			return true
		}
	}
	return slices.ContainsFunc(d.containers, func(cs *containerState) bool {
		if len(cs.legs) == 0 {
			return false
		}
		l := cs.legs[len(cs.legs)-1]
		return l.to == d.pod && (l.ship == nil || l.ship == e.ship && d.landedByAnother(l))
	})
}

// landedByAnother reports whether the container may have come off another ship than that of its
// leg: the discharge names none, this one is neither reported nor planned there, and another lay
// there then.
func (d *derivation) landedByAnother(l *leg) bool {
	there := func(c *call) bool { return c.site == l.to }
	if l.discharged == nil || l.discharged.ship != nil || l.callAt(l.to, nil) != nil || slices.ContainsFunc(l.ship.planned, there) {
		return false
	}
	for _, s := range d.fleet.ships {
		if s.isAnother(l.ship) && s.isBy(l.discharged.by) && s.layAt(nil, l.discharged) {
			return true
		}
	}
	return false
}

// lastLeg reports whether b's ship leaves its port later than a's. At equal times the
// better classifier counts, then the stronger fact.
func lastLeg(b, a *entry) bool {
	return cmp.Or(b.at.Time.Compare(a.at.Time), cmp.Compare(weightOf[b.classifier], weightOf[a.classifier]), cmp.Compare(b.rank, a.rank)) > 0
}

// isCancelled reports whether the latest fact about the booking is its cancellation.
func (d *derivation) isCancelled() bool {
	var last *entry
	for _, e := range d.valid {
		if (e.Activity == freight.Booked || e.Activity == freight.Cancelled) && e.classifier == freight.Actual && (last == nil || later(e, last) > 0) {
			last = e
		}
	}
	return last != nil && last.Activity == freight.Cancelled
}

// hasLeft reports whether the shipment, or one of its containers, has left the POL. A later
// cancellation is of another booking.
func (d *derivation) hasLeft(j *Journey) bool {
	return !j.POLATD.IsZero() || !j.PODATA.IsZero() || slices.ContainsFunc(j.Containers, hasLeft)
}

// hasLeft reports whether a container has left the POL. The departure itself may not be
// reported.
func hasLeft(c ContainerJourney) bool {
	return slices.ContainsFunc(c.Milestones, func(m Milestone) bool {
		switch m.Event {
		case freight.VesselDeparted, freight.VesselArrived, freight.VesselBerthed, freight.VesselDischarged, freight.TransshipmentArrived, freight.TransshipmentDischarged,
			freight.TransshipmentLoaded, freight.TransshipmentDeparted, freight.FullOut, freight.ArrivedAtDestination, freight.Delivered, freight.EmptyIn:
			return true
		}
		return false
	})
}

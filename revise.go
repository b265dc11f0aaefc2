package tracking

import (
	"slices"
	"sync"
	"time"
)

// revisable is an attribute whose changes are kept: T has it, and J knows from
// which fact it follows.
type revisable[T, J any] struct {
	name  RevisedAttribute
	value func(*T) shownValue
	zone  func(*T) string // nil for what is no time
	// because is the index of the fact among those of the shipment, -1 for none.
	because func(*J) int
}

var revisedOfShipments = []revisable[Shipment, Journey]{
	{RevisedPOLETD, func(s *Shipment) shownValue { return shownMoment(s.POLETDAt) }, func(s *Shipment) string { return s.POLTimezone }, func(j *Journey) int { return j.Provenance.POLETD }},
	{RevisedPODETA, func(s *Shipment) shownValue { return shownMoment(s.PODETAAt) }, func(s *Shipment) string { return s.PODTimezone }, func(j *Journey) int { return j.Provenance.PODETA }},
	{RevisedDestinationETA, func(s *Shipment) shownValue { return shownMoment(s.DestinationETAAt) }, func(s *Shipment) string { return s.DestinationTimezone }, func(j *Journey) int { return j.Provenance.DestETA }},
	{RevisedVesselName, func(s *Shipment) shownValue { return shownValue{text: s.PODVesselName} }, nil, func(j *Journey) int { return j.Provenance.PODVessel }},
	{RevisedVesselIMO, func(s *Shipment) shownValue { return shownValue{text: s.PODVesselIMO} }, nil, func(j *Journey) int { return j.Provenance.PODVessel }},
	{RevisedVoyage, func(s *Shipment) shownValue { return shownValue{text: s.PODVoyageNumber} }, nil, func(j *Journey) int { return j.Provenance.PODVessel }},
	{RevisedPODLOCODE, func(s *Shipment) shownValue { return shownValue{text: s.PortOfDischargeLOCODE} }, nil, func(j *Journey) int { return j.Provenance.POD }},
	{RevisedPODName, func(s *Shipment) shownValue { return shownValue{text: s.PortOfDischargeName} }, nil, func(j *Journey) int { return j.Provenance.POD }},
	{RevisedPODTerminal, func(s *Shipment) shownValue { return shownValue{id: s.PODTerminal} }, nil, (*Journey).becauseOfTerminal},
}

var revisedOfContainers = []revisable[Container, ContainerJourney]{
	{RevisedPODTerminal, func(c *Container) shownValue { return shownValue{id: c.PODTerminal} }, nil, func(j *ContainerJourney) int { return j.Provenance.PODTerminal }},
	{RevisedPickupFacility, func(c *Container) shownValue { return shownValue{id: c.PickupFacility} }, nil, func(j *ContainerJourney) int { return j.Provenance.PickupFacility }},
	{RevisedINDETA, func(c *Container) shownValue { return shownMoment(c.INDETAAt) }, destinationZone, func(j *ContainerJourney) int { return j.Provenance.INDETA }},
	{RevisedPickupLFD, func(c *Container) shownValue { return shownMoment(c.PickupLFD) }, (*Container).lfdZone, func(j *ContainerJourney) int { return j.because(topicLFD) }},
	{RevisedLFDLine, func(c *Container) shownValue { return shownMoment(orZero(c.ImportDeadlines.PickupLFDLine)) }, (*Container).lineZone, func(j *ContainerJourney) int { return j.Provenance.LFDLine }},
	{RevisedLFDTerminal, func(c *Container) shownValue { return shownMoment(orZero(c.ImportDeadlines.PickupLFDTerminal)) }, podZone, func(j *ContainerJourney) int { return j.Provenance.LFDTerminal }},
	{RevisedLFDRail, func(c *Container) shownValue { return shownMoment(orZero(c.ImportDeadlines.PickupLFDRail)) }, destinationZone, func(j *ContainerJourney) int { return j.Provenance.LFDRail }},
	{RevisedAppointment, func(c *Container) shownValue { return shownMoment(c.PickupAppointmentAt) }, podZone, func(j *ContainerJourney) int { return j.Provenance.Appointment }},
}

// The zones that go with the times of a container (see
// docs/contract.md#times-and-zones).

func podZone(c *Container) string         { return c.PODTimezone }
func destinationZone(c *Container) string { return c.FinalDestinationTimezone }

// becauseOfTerminal is what a box goes by that is at the shipment's terminal.
func (j *Journey) becauseOfTerminal() int {
	for _, c := range j.Containers {
		if c.PODTerminal == j.POD {
			return c.Provenance.PODTerminal
		}
	}
	return -1
}

// shownValue is a value as it is shown, without being written out: most are
// compared only. The zero value is null.
type shownValue struct {
	text   string
	id     ID
	second int64 // Unix time
	timed  bool  // it is a time
}

func shownMoment(t time.Time) shownValue {
	if y := t.UTC().Year(); t.IsZero() || y < 0 || y > 9999 {
		return shownValue{}
	}
	return shownValue{second: t.Unix(), timed: true}
}

func (v shownValue) String() string {
	switch {
	case v.timed:
		return time.Unix(v.second, 0).UTC().Format(time.RFC3339)
	case v.id != ID{}:
		return v.id.String()
	}
	return v.text
}

// recordRevisions notes what the report has changed of the shipment and of its boxes. One
// that has left is shown as it was.
func (p *plan) recordRevisions(tx *Tx, d *draft, before *Shipment, containers []storedContainer) error {
	if before == nil {
		before = &Shipment{}
	}
	list := changesOf(nil, revisedOfShipments, before, d.ship, &d.journey, Revision{Shipment: d.ship.ID})
	for _, c := range containers {
		old := c.before
		if old == nil {
			old = &Container{}
		}
		if c.removed() {
			continue
		}
		own := len(list)
		list = changesOf(list, revisedOfContainers, old, c.Container, d.journeyOf(c.Number), Revision{Shipment: d.ship.ID, Container: c.ID})
		if old.PODTerminal == before.PODTerminal && c.PODTerminal == d.ship.PODTerminal {
			list = append(list[:own], slices.DeleteFunc(list[own:], func(r traced) bool { return r.Attribute == RevisedPODTerminal })...)
		}
	}
	gone := sync.OnceValue(func() *RawEvent { return p.lastAbout(d) })
	for _, c := range list {
		c.LearnedAt = tx.Now
		if r := reason(d, c, gone); r != nil {
			c.SourceEvent, c.Source, c.DataSource = r.ID, r.Fact.Source, r.Fact.DataSource
		}
		if err := table(tx, revised).Put(&c.Revision); err != nil {
			return err
		}
	}
	return nil
}

// traced is a revision, and the index of the fact that it follows from.
type traced struct {
	Revision
	because int
}

// changesOf appends what has changed.
func changesOf[T, J any](list []traced, of []revisable[T, J], before, after *T, j *J, blank Revision) []traced {
	for _, a := range of {
		from, to := a.value(before), a.value(after)
		if from == to {
			continue
		}
		c := traced{Revision: blank, because: -1}
		c.Attribute, c.Before, c.After = a.name, from.String(), to.String()
		known := before
		if to != (shownValue{}) {
			known, c.because = after, a.because(j)
		}
		if a.zone != nil {
			c.Timezone = a.zone(known)
		}
		list = append(list, c)
	}
	return list
}

// journeyOf is what was derived for a box.
func (d *draft) journeyOf(number string) *ContainerJourney {
	for i := range d.journey.Containers {
		if j := &d.journey.Containers[i]; j.Number == number {
			return j
		}
	}
	return nil
}

// reason is the fact that a change follows from, else what the value went with;
// nil where there is none.
func reason(d *draft, c traced, gone func() *RawEvent) *RawEvent {
	if c.because >= 0 {
		return d.facts[c.because]
	}
	return gone()
}

// lastAbout is the last fact of the report that concerns the shipment, nil for
// none.
func (p *plan) lastAbout(d *draft) (last *RawEvent) {
	belongs := make(map[*RawEvent]bool, len(d.facts))
	for _, r := range d.facts {
		belongs[r] = true
	}
	concerns := func(r *RawEvent) bool { return belongs[r] || slices.Contains(r.Shipments, d.ship.ID) }
	seen := map[string]bool{} // versions of one fact concern the same shipments
	concerned := map[string]bool{}
	for _, r := range p.batch {
		key := r.group()
		if !seen[key] {
			seen[key] = true
			concerned[key] = slices.ContainsFunc(p.groups[key].all, concerns)
		}
		if concerned[key] && (last == nil || r.Number > last.Number) {
			last = r
		}
	}
	return last
}

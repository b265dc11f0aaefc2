package tracking

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// Revision is a change of an estimate, a deadline, a vessel, a voyage, a port or a
// terminal: the values before and after, when the change was learned, and its
// source. The first value is a revision too. Revisions are written with the change,
// announced or not, and never change.
type Revision struct {
	Meta
	Shipment ID `rel:"shipment,shipment"` // of the attribute, or of its container
	// Container of the attribute; zero (null) for the shipment's own.
	Container ID `rel:"container,container"`
	// SourceEvent is the fact that the new value follows from. For a value that was
	// removed, it is the fact that arrived last. Zero (null) if new rules have
	// changed the value, or a report about another shipment.
	SourceEvent ID `rel:"source_event,raw_event"`

	// Attribute is the name of the attribute of the shipment or container.
	Attribute RevisedAttribute `attr:"attribute"`
	// Before and After are as they were shown: times in RFC 3339, UTC; terminals by
	// their ID. Empty (null) while not known.
	Before string `attr:"before,null"`
	After  string `attr:"after,null"`
	// Timezone of the place that a time is of, IANA; null for what is no time, and
	// where the zone is not known: then the time may be local (see
	// docs/contract.md#times-and-zones).
	Timezone string `attr:"timezone,null"`
	// LearnedAt is the time of the transaction, UTC.
	LearnedAt time.Time `attr:"learned_at"`
	// Source and DataSource of the fact; null if there is none.
	Source     string     `attr:"source,null"`
	DataSource DataSource `attr:"data_source,null"`
}

// RevisedAttribute is an attribute or relationship with a history, as documents name it.
type RevisedAttribute string

var (
	estimateAttributes = []RevisedAttribute{"pol_etd_at", "pod_eta_at", "destination_eta_at", "ind_eta_at"}
	revisedAttributes  = []RevisedAttribute{
		"pol_etd_at", "pod_eta_at", "destination_eta_at", "pod_vessel_name", "pod_vessel_imo", "pod_voyage_number",
		"port_of_discharge_locode", "port_of_discharge_name", "pod_terminal", "pickup_facility", "ind_eta_at", "pickup_lfd", "pickup_lfd_line",
		"pickup_lfd_terminal", "pickup_lfd_rail", "pickup_appointment_at",
	}
)

var revised = newKind("revision", []column[Revision]{
	table.IDColumn("shipment", func(r *Revision) ID { return r.Shipment }),
	table.IDColumn("shown", func(r *Revision) ID { return r.shownUnder() }),
	table.TextColumn("attribute", func(r *Revision) string { return string(r.Attribute) }),
}, nil, nil)

// shownUnder is the container whose attribute it is, else the shipment.
func (r *Revision) shownUnder() ID {
	if r.Container != (ID{}) {
		return r.Container
	}
	return r.Shipment
}

// RevisionQuery selects revisions, last learned first.
type RevisionQuery struct {
	// Shipment selects revisions of a shipment and of its containers; zero for any.
	Shipment ID
	// Container selects revisions of a container and of its shipment; zero for any. A
	// container's pod_terminal has its own revisions only if it differs from its
	// shipment's.
	Container ID
	// Attributes selects by attribute, such as "pod_eta_at"; empty for any.
	// Description.RevisedAttributes lists them.
	Attributes []RevisedAttribute
	// Estimates selects the attributes that are estimated times.
	Estimates bool

	of []ID // Container and its shipment
}

func (q RevisionQuery) resourceType() *table.Schema { return revised.Schema }
func (q RevisionQuery) filter() store.Filter        { w := q.where(); return w.Filter(revised) }

// list selects. A shipment or container that does not exist is an error.
func (q RevisionQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	if q.Shipment != (ID{}) {
		if _, err := shipments.Get(tx, q.Shipment); err != nil {
			return to, 0, err
		}
	}
	if q.Container != (ID{}) {
		c, err := containers.Get(tx, q.Container)
		if err != nil {
			return to, 0, err
		}
		q.of = []ID{c.ID, c.Shipment}
	}
	return tx.Records.List(tx, revised.Kind, q.filter(), p, to)
}

func (q RevisionQuery) where() (w where[Revision]) {
	if q.Shipment != (ID{}) {
		w.IDs("shipment", []ID{q.Shipment}, func(r *Revision) ID { return r.Shipment })
	}
	w.IDs("shown", q.of, (*Revision).shownUnder)
	w.Text("attribute", textsOf(q.Attributes), func(r *Revision) string { return string(r.Attribute) })
	if q.Estimates {
		w.Text("attribute", textsOf(estimateAttributes), func(r *Revision) string { return string(r.Attribute) })
	}
	return w
}

// Revisions returns a page of the matching revisions, last learned first, and their
// total number. Needs show. Errors: NotFound for the shipment or container of q.
func (t *Tracker) Revisions(ctx context.Context, q RevisionQuery, p Page) ([]*Revision, int, error) {
	return list(ctx, t, revised, q, p)
}

// revisable is an attribute of T with a history; J has the fact that it follows
// from.
type revisable[T, J any] struct {
	name  RevisedAttribute
	value func(*T) shownValue
	zone  func(*T) string // nil for what is no time
	// because is the index of the fact among those of the shipment; -1 for none.
	because func(*J) int
}

var revisedOfShipments = []revisable[Shipment, journey.Journey]{
	{"pol_etd_at", func(s *Shipment) shownValue { return shownMoment(s.POLETDAt) }, func(s *Shipment) string { return s.POLTimezone }, func(j *journey.Journey) int { return j.Provenance.POLETD }},
	{"pod_eta_at", func(s *Shipment) shownValue { return shownMoment(s.PODETAAt) }, func(s *Shipment) string { return s.PODTimezone }, func(j *journey.Journey) int { return j.Provenance.PODETA }},
	{"destination_eta_at", func(s *Shipment) shownValue { return shownMoment(s.DestinationETAAt) }, func(s *Shipment) string { return s.DestinationTimezone }, func(j *journey.Journey) int { return j.Provenance.DestETA }},
	{"pod_vessel_name", func(s *Shipment) shownValue { return shownValue{text: s.PODVesselName} }, nil, func(j *journey.Journey) int { return j.Provenance.PODVessel }},
	{"pod_vessel_imo", func(s *Shipment) shownValue { return shownValue{text: s.PODVesselIMO} }, nil, func(j *journey.Journey) int { return j.Provenance.PODVessel }},
	{"pod_voyage_number", func(s *Shipment) shownValue { return shownValue{text: s.PODVoyageNumber} }, nil, func(j *journey.Journey) int { return j.Provenance.PODVessel }},
	{"port_of_discharge_locode", func(s *Shipment) shownValue { return shownValue{text: s.PortOfDischargeLOCODE} }, nil, func(j *journey.Journey) int { return j.Provenance.POD }},
	{"port_of_discharge_name", func(s *Shipment) shownValue { return shownValue{text: s.PortOfDischargeName} }, nil, func(j *journey.Journey) int { return j.Provenance.POD }},
	{"pod_terminal", func(s *Shipment) shownValue { return shownValue{id: s.PODTerminal} }, nil, becauseOfTerminal},
}

var revisedOfContainers = []revisable[Container, journey.ContainerJourney]{
	{"pod_terminal", func(c *Container) shownValue { return shownValue{id: c.PODTerminal} }, nil, func(j *journey.ContainerJourney) int { return j.Provenance.PODTerminal }},
	{"pickup_facility", func(c *Container) shownValue { return shownValue{id: c.PickupFacility} }, nil, func(j *journey.ContainerJourney) int { return j.Provenance.PickupFacility }},
	{"ind_eta_at", func(c *Container) shownValue { return shownMoment(c.INDETAAt) }, destinationZone, func(j *journey.ContainerJourney) int { return j.Provenance.INDETA }},
	{"pickup_lfd", func(c *Container) shownValue { return shownMoment(c.PickupLFD) }, (*Container).lfdZone, func(j *journey.ContainerJourney) int { return because(j, topicLFD) }},
	{"pickup_lfd_line", func(c *Container) shownValue { return shownMoment(orZero(c.ImportDeadlines.PickupLFDLine)) }, (*Container).lineZone, func(j *journey.ContainerJourney) int { return j.Provenance.LFDLine }},
	{"pickup_lfd_terminal", func(c *Container) shownValue { return shownMoment(orZero(c.ImportDeadlines.PickupLFDTerminal)) }, podZone, func(j *journey.ContainerJourney) int { return j.Provenance.LFDTerminal }},
	{"pickup_lfd_rail", func(c *Container) shownValue { return shownMoment(orZero(c.ImportDeadlines.PickupLFDRail)) }, destinationZone, func(j *journey.ContainerJourney) int { return j.Provenance.LFDRail }},
	{"pickup_appointment_at", func(c *Container) shownValue { return shownMoment(c.PickupAppointmentAt) }, podZone, func(j *journey.ContainerJourney) int { return j.Provenance.Appointment }},
}

// The zones that go with the times of a container (see
// docs/contract.md#times-and-zones).

func podZone(c *Container) string         { return c.PODTimezone }
func destinationZone(c *Container) string { return c.FinalDestinationTimezone }

// becauseOfTerminal returns the fact of the terminal of a container that is at the
// shipment's terminal; -1 for none.
func becauseOfTerminal(j *journey.Journey) int {
	for _, c := range j.Containers {
		if c.PODTerminal == j.POD {
			return c.Provenance.PODTerminal
		}
	}
	return -1
}

// shownValue is a value that is rendered only if it differs. The zero value is
// null.
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

// recordRevisions writes the revisions of the shipment and its containers. Those
// that have left it are not changed.
func (p *plan) recordRevisions(tx *transaction, d *draft, before *Shipment, containers []storedContainer) error {
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
			list = append(list[:own], slices.DeleteFunc(list[own:], func(r traced) bool { return r.Attribute == "pod_terminal" })...)
		}
	}
	gone := sync.OnceValue(func() *RawEvent { return p.lastAbout(d) })
	for _, c := range list {
		c.LearnedAt = tx.Now
		if r := reason(d, c, gone); r != nil {
			c.SourceEvent, c.Source, c.DataSource = r.ID, r.Fact.Source, r.Fact.DataSource
		}
		if err := revised.Put(tx, &c.Revision); err != nil {
			return err
		}
	}
	return nil
}

// traced is a revision and the index of its fact.
type traced struct {
	Revision
	because int
}

// changesOf appends the changed attributes.
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

// journeyOf is the derived journey of a container; nil for none.
func (d *draft) journeyOf(number string) *journey.ContainerJourney {
	for i := range d.journey.Containers {
		if j := &d.journey.Containers[i]; j.Number == number {
			return j
		}
	}
	return nil
}

// reason is the fact that a change follows from, or else the fact with which the
// value was removed; nil for none.
func reason(d *draft, c traced, gone func() *RawEvent) *RawEvent {
	if c.because >= 0 {
		return d.facts[c.because]
	}
	return gone()
}

// lastAbout is the last fact of the report about the shipment; nil for none.
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

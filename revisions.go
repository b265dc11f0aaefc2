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
}, nil, nil).Unindexed("shown", "attribute").InBinaryForm().InGeneration(2)

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
		if q.of = []ID{c.ID, c.Shipment}; q.Shipment == (ID{}) {
			q.Shipment = c.Shipment // by which they are found
		}
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

// revisedValue is an attribute with a history.
type revisedValue struct {
	name    RevisedAttribute
	value   shownValue
	zone    string // empty for what is no time
	because int    // the index of its fact among those of the shipment; -1 for none
}

// revisedOfShipment has the attributes in a fixed order, as revisedOfContainer does.
func revisedOfShipment(s *Shipment, j *journey.Journey) [9]revisedValue {
	from := &j.Provenance
	return [...]revisedValue{
		{"pol_etd_at", shownMoment(s.POLETDAt), s.POLTimezone, from.POLETD},
		{"pod_eta_at", shownMoment(s.PODETAAt), s.PODTimezone, from.PODETA},
		{"destination_eta_at", shownMoment(s.DestinationETAAt), s.DestinationTimezone, from.DestETA},
		{"pod_vessel_name", shownValue{text: s.PODVesselName}, "", from.PODVessel},
		{"pod_vessel_imo", shownValue{text: s.PODVesselIMO}, "", from.PODVessel},
		{"pod_voyage_number", shownValue{text: s.PODVoyageNumber}, "", from.PODVessel},
		{"port_of_discharge_locode", shownValue{text: s.PortOfDischargeLOCODE}, "", from.POD},
		{"port_of_discharge_name", shownValue{text: s.PortOfDischargeName}, "", from.POD},
		{"pod_terminal", shownValue{id: s.PODTerminal}, "", becauseOfTerminal(j)},
	}
}

// The zones go with the times of the container (see docs/contract.md#times-and-zones).
func revisedOfContainer(c *Container, j *journey.ContainerJourney) [8]revisedValue {
	from, lfd, pod, destination := &j.Provenance, &c.ImportDeadlines, c.PODTimezone, c.FinalDestinationTimezone
	return [...]revisedValue{
		{"pod_terminal", shownValue{id: c.PODTerminal}, "", from.PODTerminal},
		{"pickup_facility", shownValue{id: c.PickupFacility}, "", from.PickupFacility},
		{"ind_eta_at", shownMoment(c.INDETAAt), destination, from.INDETA},
		{"pickup_lfd", shownMoment(c.PickupLFD), c.lfdZone(), because(j, topicLFD)},
		{"pickup_lfd_line", shownMoment(orZero(lfd.PickupLFDLine)), c.lineZone(), from.LFDLine},
		{"pickup_lfd_terminal", shownMoment(orZero(lfd.PickupLFDTerminal)), pod, from.LFDTerminal},
		{"pickup_lfd_rail", shownMoment(orZero(lfd.PickupLFDRail)), destination, from.LFDRail},
		{"pickup_appointment_at", shownMoment(c.PickupAppointmentAt), pod, from.Appointment},
	}
}

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
	was, is := revisedOfShipment(before, &d.journey), revisedOfShipment(d.ship, &d.journey)
	list := changesOf(nil, was[:], is[:], Revision{Shipment: d.ship.ID})
	for _, c := range containers {
		old := c.before
		if old == nil {
			old = &Container{}
		}
		if c.removed() {
			continue
		}
		own := len(list)
		j := d.journeyOf(c.Number)
		was, is := revisedOfContainer(old, j), revisedOfContainer(c.Container, j)
		list = changesOf(list, was[:], is[:], Revision{Shipment: d.ship.ID, Container: c.ID})
		if old.PODTerminal == before.PODTerminal && c.PODTerminal == d.ship.PODTerminal {
			list = append(list[:own], slices.DeleteFunc(list[own:], func(r traced) bool { return r.Attribute == "pod_terminal" })...)
		}
	}
	gone := sync.OnceValue(func() *RawEvent { return p.lastAbout(d) })
	for _, c := range list {
		c.LearnedAt = tx.Now
		var r *RawEvent
		if c.because >= 0 {
			r = d.facts[c.because]
		} else {
			r = gone()
		}
		if r != nil {
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

// changesOf appends the changed attributes. A value that was removed has no fact, and the
// zone from before.
func changesOf(list []traced, before, after []revisedValue, blank Revision) []traced {
	for i, from := range before {
		to := after[i]
		if from.value == to.value {
			continue
		}
		c := traced{Revision: blank, because: to.because}
		c.Attribute, c.Before, c.After, c.Timezone = to.name, from.value.String(), to.value.String(), to.zone
		if to.value == (shownValue{}) {
			c.because, c.Timezone = -1, from.zone
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

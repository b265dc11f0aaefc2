package tracking

import (
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking/store"
)

// Revision is one change of an estimate, a deadline, a vessel, a voyage, a port
// or a terminal: what it was, what it became, when that was learned and from
// whom. The first value that is learned is a revision too. Revisions are written
// with the change itself, announced or not, and are never changed.
type Revision struct {
	Meta
	Shipment ID `rel:"shipment,shipment"`
	// Container whose attribute it is; zero (null) for the shipment's own.
	Container ID `rel:"container,container"`
	// SourceEvent is the fact that the new value follows from. Where a value was
	// taken back, it is the fact that came last. Zero (null) when new rules
	// changed the value, or another report that the shipment was not part of.
	SourceEvent ID `rel:"source_event,raw_event"`

	// Attribute is the name under which the shipment or container shows the value.
	Attribute RevisedAttribute `attr:"attribute"`
	// Before and After are as they were shown: times in RFC 3339, UTC; terminals by
	// their ID. Empty (null) while not known.
	Before string `attr:"before,null"`
	After  string `attr:"after,null"`
	// Timezone of the place that a time is of, IANA; null for what is no time, and
	// where the zone is not known: then the time may be local (see
	// docs/contract.md#times-and-zones).
	Timezone string `attr:"timezone,null"`
	// LearnedAt is when the engine was told, UTC, by its own clock.
	LearnedAt time.Time `attr:"learned_at"`
	// Source and DataSource are those of the fact; null where there is none.
	Source     string     `attr:"source,null"`
	DataSource DataSource `attr:"data_source,null"`
}

// RevisedAttribute is an attribute or relationship whose changes are kept.
type RevisedAttribute string

// The attributes whose changes are kept.
const (
	RevisedPOLETD         RevisedAttribute = "pol_etd_at"
	RevisedPODETA         RevisedAttribute = "pod_eta_at"
	RevisedDestinationETA RevisedAttribute = "destination_eta_at"
	RevisedVesselName     RevisedAttribute = "pod_vessel_name"
	RevisedVesselIMO      RevisedAttribute = "pod_vessel_imo"
	RevisedVoyage         RevisedAttribute = "pod_voyage_number"
	RevisedPODLOCODE      RevisedAttribute = "port_of_discharge_locode"
	RevisedPODName        RevisedAttribute = "port_of_discharge_name"
	RevisedPODTerminal    RevisedAttribute = "pod_terminal" // of both
	RevisedINDETA         RevisedAttribute = "ind_eta_at"   // from here on, of containers
	RevisedPickupLFD      RevisedAttribute = "pickup_lfd"
	RevisedLFDLine        RevisedAttribute = "pickup_lfd_line"
	RevisedLFDTerminal    RevisedAttribute = "pickup_lfd_terminal"
	RevisedLFDRail        RevisedAttribute = "pickup_lfd_rail"
	RevisedAppointment    RevisedAttribute = "pickup_appointment_at"
	RevisedPickupFacility RevisedAttribute = "pickup_facility"
)

// ETAAttributes are those that are estimates of the time of a journey. The slice
// is shared.
func ETAAttributes() []RevisedAttribute { return etaAttributes }

// RevisedAttributes are all of them. The slice is shared.
func RevisedAttributes() []RevisedAttribute { return revisedAttributes }

var (
	etaAttributes     = []RevisedAttribute{RevisedPOLETD, RevisedPODETA, RevisedDestinationETA, RevisedINDETA}
	revisedAttributes = func() (all []RevisedAttribute) {
		for _, a := range revisedOfShipments {
			all = append(all, a.name)
		}
		for _, a := range revisedOfContainers {
			if !slices.Contains(all, a.name) {
				all = append(all, a.name)
			}
		}
		return all
	}()
)

var revised = newKind("revision", []column[Revision]{
	{"shipment", store.IDColumn, func(r *Revision) any { return idCol(r.Shipment) }},
	{"shown", store.IDColumn, func(r *Revision) any { return idCol(r.shownUnder()) }},
	{"attribute", store.TextColumn, func(r *Revision) any { return string(r.Attribute) }},
}, nil, nil)

// shownUnder is the container whose attribute it is, else the shipment.
func (r *Revision) shownUnder() ID {
	if r.Container != (ID{}) {
		return r.Container
	}
	return r.Shipment
}

// RevisionQuery selects revisions, the last learned first.
type RevisionQuery struct {
	// Shipment selects what was revised of a shipment and of its containers; zero
	// for any.
	Shipment ID
	// Of selects what was revised of these shipments and containers themselves.
	// Empty for any.
	Of []ID
	// Attributes selects by what was revised. Empty for any.
	Attributes []RevisedAttribute
}

func (q RevisionQuery) resourceType() resourceType { return revised }
func (q RevisionQuery) filter() store.Filter       { w := q.where(); return w.filter(revised) }

func (q RevisionQuery) where() (w where[Revision]) {
	if q.Shipment != (ID{}) {
		w.ids("shipment", []ID{q.Shipment}, func(r *Revision) ID { return r.Shipment })
	}
	w.ids("shown", q.Of, (*Revision).shownUnder)
	names := make([]string, len(q.Attributes))
	for i, a := range q.Attributes {
		names[i] = string(a)
	}
	w.text("attribute", names, func(r *Revision) string { return string(r.Attribute) })
	return w
}

// Revisions returns a page of the revisions that match, the last learned first,
// and how many match in all. Needs show.
func (t *Tracker) Revisions(ctx context.Context, q RevisionQuery, p Page) ([]*Revision, int, error) {
	return list(ctx, t, revised, q, p)
}

// ETARevisions returns a page of what was estimated of a shipment's journey and
// of its containers' inland legs, the last learned first, and how many there are
// in all. of selects by attribute; none means all of ETAAttributes. Needs show.
// Errors: NotFound.
func (t *Tracker) ETARevisions(ctx context.Context, shipment ID, p Page, of ...RevisedAttribute) ([]*Revision, int, error) {
	q, err := t.ETARevisionsOf(ctx, shipment, of...)
	if err != nil {
		return nil, 0, err
	}
	return t.Revisions(ctx, q, p)
}

// ETARevisionsOf is the query of ETARevisions, for servers.
func (t *Tracker) ETARevisionsOf(ctx context.Context, shipment ID, of ...RevisedAttribute) (RevisionQuery, error) {
	s, err := t.Shipment(ctx, shipment)
	if err != nil {
		return RevisionQuery{}, err
	}
	if len(of) == 0 {
		of = etaAttributes
	}
	return RevisionQuery{Shipment: s.ID, Attributes: of}, nil
}

// ContainerHistory returns a page of what was revised of a container and of its
// shipment, the last learned first, and how many there are in all. of selects by
// attribute; none means all. A box's pod_terminal is revised by itself only
// where it is not its shipment's. Needs show. Errors: NotFound.
func (t *Tracker) ContainerHistory(ctx context.Context, container ID, p Page, of ...RevisedAttribute) ([]*Revision, int, error) {
	q, err := t.ContainerHistoryOf(ctx, container, of...)
	if err != nil {
		return nil, 0, err
	}
	return t.Revisions(ctx, q, p)
}

// ContainerHistoryOf is the query of ContainerHistory, for servers.
func (t *Tracker) ContainerHistoryOf(ctx context.Context, container ID, of ...RevisedAttribute) (RevisionQuery, error) {
	c, err := t.Container(ctx, container)
	if err != nil {
		return RevisionQuery{}, err
	}
	return RevisionQuery{Of: []ID{c.ID, c.Shipment}, Attributes: of}, nil
}

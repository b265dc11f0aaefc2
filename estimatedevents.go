package tracking

import (
	"context"
	"time"

	"github.com/landfallhq/tracking/store"
)

// EstimatedEvent is an announced change of the estimated arrival of a shipment at its
// port of discharge. It is the record of what was announced and never changes; the
// estimate of now is the shipment's pod_eta_at.
type EstimatedEvent struct {
	Meta
	Shipment ID `rel:"shipment,shipment"`
	Port     ID `rel:"port,port"`     // of discharge; zero (null) when not known
	Vessel   ID `rel:"vessel,vessel"` // that is to arrive there; zero (null) when not known

	Event EventName `attr:"event"` // shipment.estimated.arrival
	// EstimatedTimestamp is the new estimate, UTC. Where Timezone is null it may
	// be local time (see docs/contract.md#times-and-zones).
	EstimatedTimestamp time.Time  `attr:"estimated_timestamp"`
	Timezone           string     `attr:"timezone,null"`
	LocationLOCODE     string     `attr:"location_locode,null"`
	VoyageNumber       string     `attr:"voyage_number,null"`
	DataSource         DataSource `attr:"data_source"`
	CreatedAt          time.Time  `attr:"created_at"` // when it was announced
}

var estimatedEvents = newKind("estimated_event", []column[EstimatedEvent]{
	{"shipment", store.IDColumn, func(e *EstimatedEvent) any { return idCol(e.Shipment) }},
}, nil, nil)

// EstimatedEventQuery selects changes of estimated arrivals, last announced
// first.
type EstimatedEventQuery struct {
	// Shipment whose changes are asked for; zero for any.
	Shipment ID
}

func (q EstimatedEventQuery) resourceType() resourceType { return estimatedEvents }
func (q EstimatedEventQuery) filter() store.Filter       { w := q.where(); return w.filter(estimatedEvents) }

func (q EstimatedEventQuery) where() (w where[EstimatedEvent]) {
	if q.Shipment != (ID{}) {
		w.ids("shipment", []ID{q.Shipment}, func(e *EstimatedEvent) ID { return e.Shipment })
	}
	return w
}

// EstimatedEvents returns a page of the changes that match, and how many match
// in all. Needs show.
func (t *Tracker) EstimatedEvents(ctx context.Context, q EstimatedEventQuery, p Page) ([]*EstimatedEvent, int, error) {
	return list(ctx, t, estimatedEvents, q, p)
}

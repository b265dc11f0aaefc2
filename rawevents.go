package tracking

import (
	"context"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/factlog"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/membership"
	"github.com/landfallhq/tracking/internal/table"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/store"
)

// RawEvent is a fact in the account's log (see
// docs/contract.md#facts-and-what-follows-from-them). The fact itself never changes. Event
// and InvalidatedAt depend on the other facts and can change with them. Times are UTC.
type RawEvent struct {
	Meta
	Location Ref `rel:"location,port|metro_area"` // null while not known
	Vessel   ID  `rel:"vessel,vessel"`            // null while not known
	Terminal ID  `rel:"terminal,terminal"`        // null while not known
	// The container, if the fact has exactly one.
	_ struct{} `rel:"container,container,inverse,one"`

	// Event is the normalised name; empty (null) for none.
	Event         string `attr:"event,null"`
	OriginalEvent string `attr:"original_event,null"` // in the source's own words or codes
	// Timestamp is in UTC if Timezone is set, else it may be local time written as UTC; null
	// when not known.
	Timestamp time.Time `attr:"timestamp,null"`
	Estimated bool      `attr:"estimated"` // estimated or planned, not actual
	// ActualOn, EstimatedOn (dates at the place) and ActualAt, EstimatedAt are deprecated:
	// they repeat Timestamp, or are null.
	ActualOn       string     `attr:"actual_on,null"`
	EstimatedOn    string     `attr:"estimated_on,null"`
	ActualAt       time.Time  `attr:"actual_at,null"`
	EstimatedAt    time.Time  `attr:"estimated_at,null"`
	Timezone       string     `attr:"timezone,null"`        // IANA zone of the place; null while not known
	CreatedAt      time.Time  `attr:"created_at"`           // when it was received
	LocationName   string     `attr:"location_name,null"`   // null while not known
	LocationLOCODE string     `attr:"location_locode,null"` // UN/LOCODE; null while not known
	VesselName     string     `attr:"vessel_name,null"`     // null while not known
	VesselIMO      string     `attr:"vessel_imo,null"`      // seven digits; null while not known
	VoyageNumber   string     `attr:"voyage_number,null"`   // null while not known
	Index          int        `attr:"index"`                // position in the report, from 0
	DataSource     DataSource `attr:"data_source"`          // who reported it
	// InvalidatedAt is when a later version or a retraction replaced it; null while it is
	// valid.
	InvalidatedAt time.Time `attr:"invalidated_at,null"`

	// Number is the position in the account's log, from 1.
	Number int64 `private:"number"`

	rawEventInternals

	named string // cache of group
}

// rawEventInternals is what the engine stores with a fact and does not show.
type rawEventInternals struct {
	// Fact is the fact as reported.
	Fact journey.LoggedFact `private:"fact"`
	// Shipments that the fact belongs to, and Containers that it is shown with.
	Shipments  []ID `private:"shipments"`
	Containers []ID `private:"containers"`
	// Moves are the changes of its shipments after its receipt; see asof.go.
	Moves []membership.Change `private:"moves"`
}

var rawEvents = newKind("raw_event", []column[RawEvent]{
	table.NewColumn("version", store.IntColumn, func(r *RawEvent) any {
		if r.Fact.ID == "" {
			return nil
		}
		return factlog.VersionHash(factlog.VersionKey(&r.Fact))
	}),
}, func(r *RawEvent) []store.Term { return table.Terms("shown", r.shownTerms()) }, nil).InBinaryForm().InGeneration(2)

// shownTerms returns the terms by which the raw events of a container and the facts of a
// shipment are found. A valid fact is found under its shipment, or under its containers,
// which are the shipment's. A fact that is not valid may have containers that the shipment
// does not have: it is found under the shipment's past. A fact that has left a shipment is
// found under what left it, only by queries about the past, and one that was retracted before there
// was a shipment for it under its numbers.
func (r *RawEvent) shownTerms() []string {
	terms := idTexts(r.shownUnder())
	if r.Fact.Retracted || len(r.Fact.Containers) > 0 && !r.InvalidatedAt.IsZero() {
		for _, id := range r.Shipments {
			terms = append(terms, pastOf(id))
		}
	}
	for _, m := range r.Moves {
		if !slices.Contains(r.Shipments, m.Shipment) {
			terms = append(terms, leftOf(m.Shipment))
		}
	}
	if len(r.Shipments) == 0 && len(r.Moves) == 0 {
		for _, n := range r.Fact.Numbers {
			terms = append(terms, unplacedTerms(n.Keys(r.Fact.SCAC))...)
		}
	}
	return terms
}

// unplacedTerms returns the terms by which a fact without a shipment is found under its folded numbers.
func unplacedTerms(keys []string) (terms []string) {
	for _, k := range keys {
		terms = append(terms, "unplaced/"+k)
	}
	return terms
}

func pastOf(shipment ID) string { return shipment.String() + "/past" }
func leftOf(shipment ID) string { return shipment.String() + "/left" }

// shownUnder returns the IDs under which the fact is shown: those of its containers or, for
// a fact about the whole shipment, of the shipment.
func (r *RawEvent) shownUnder() []ID {
	switch {
	case len(r.Fact.Containers) > 0:
		return r.Containers
	case r.Fact.Retracted: // shown by the fact that it retracts
		return nil
	}
	return r.Shipments
}

func idTexts(ids []ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}

// RawEventQuery selects facts, in order of receipt.
type RawEventQuery struct {
	// Container and Shipment select the facts about the container and those about its whole
	// shipment; both are needed.
	Container, Shipment ID
}

func (q RawEventQuery) resourceType() *table.Schema { return rawEvents.Schema }
func (q RawEventQuery) filter() store.Filter        { w := q.where(); return w.Filter(rawEvents) }

func (q RawEventQuery) where() where[RawEvent] {
	w := where[RawEvent]{Sort: []Order{{}}} // records are in the order of their numbers
	w.Has("shown", []string{q.Container.String(), q.Shipment.String()}, func(r *RawEvent) []string { return idTexts(r.shownUnder()) })
	return w
}

// RawEvents returns the facts of a container, in order of receipt. Needs show. Errors:
// NotFound.
func (t *Tracker) RawEvents(ctx context.Context, container ID) ([]*RawEvent, error) {
	c, err := t.Container(ctx, container)
	if err != nil {
		return nil, err
	}
	list, _, err := list(ctx, t, rawEvents, RawEventQuery{container, c.Shipment}, Page{})
	return list, err
}

// group identifies a fact in all its versions.
func (r *RawEvent) group() string {
	if r.named == "" {
		r.named = factlog.Group(&r.Fact)
	}
	return r.named
}

// versionsOf selects all versions of the facts with these keys.
func versionsOf(keys []string) (w where[RawEvent]) {
	hashes := make([]int64, len(keys))
	for i, k := range keys {
		hashes[i] = factlog.VersionHash(k)
	}
	w.Add(store.Cond{Name: "version", Op: store.Is, Values: table.Values(hashes)}, func(r *RawEvent) bool {
		return r.Fact.ID != "" && slices.Contains(hashes, factlog.VersionHash(factlog.VersionKey(&r.Fact)))
	})
	return w
}

// newRawEvent makes the record of a fact with the attributes that do not depend on other
// facts.
func newRawEvent(id ID, f journey.LoggedFact, index int) *RawEvent {
	r := &RawEvent{
		Meta:          Meta{ID: id},
		OriginalEvent: f.Original,
		Estimated:     f.Classifier == freight.Estimated || f.Classifier == freight.Planned,
		LocationName:  f.Place.Name, LocationLOCODE: f.Place.LOCODE,
		VesselName: f.Vessel.Name, VesselIMO: f.Vessel.IMO, VoyageNumber: f.Voyage,
		Index: index, DataSource: f.DataSource, rawEventInternals: rawEventInternals{Fact: f},
	}
	if r.OriginalEvent == "" {
		r.OriginalEvent = string(f.Activity)
	}
	return r
}

// placeInTime sets the attributes of the fact's time.
func (r *RawEvent) placeInTime(m Moment) {
	r.Timestamp, r.Timezone = m.Time, m.Zone
	if m.IsZero() {
		return
	}
	day := localDate(m)
	if r.Estimated {
		r.EstimatedOn, r.EstimatedAt = day, m.Time
	} else {
		r.ActualOn, r.ActualAt = day, m.Time
	}
}

// localDate returns the calendar day at the place.
func localDate(m Moment) string {
	at := m.Time.UTC()
	if zone := freight.LoadZone(m.Zone); zone != nil {
		at = at.In(zone)
	}
	return at.Format("2006-01-02")
}

// addID adds an ID to a set that keeps the order of addition.
func addID(ids []ID, id ID) []ID {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(ids, id)
}

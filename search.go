package tracking

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/store"

	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/internal/search"
)

// maxNames bounds the parties, vessels and containers by which shipments are found.
const maxNames = 25

// maxRequests bounds the requests that are read for a search. It is large because most
// are left out.
const maxRequests = 500

// nameTerms returns the terms of a name of several words, and of numbers.
func nameTerms(name string, numbers ...string) []store.Term {
	return search.Terms(foldNumbers(numbers), append(strings.Fields(name), name))
}

// SearchResult is a record found by a search (see docs/contract.md#search). Fields
// that do not apply to its entity are zero (null).
type SearchResult struct {
	// ID of the record; its type is EntityType, and container for "cargo".
	ID ID `id:""`
	// EntityType is shipment, cargo (a container) or tracking_request.
	EntityType string `attr:"entity_type"`
	Number     string `attr:"number"` // of the bill of lading, the container, the request
	// ShipmentID of a cargo, and of a request with a shipment.
	ShipmentID *ID    `attr:"shipment_id"`
	SCAC       string `attr:"scac,null"`
	// The next five are set for shipments only.
	PortOfLadingName      string        `attr:"port_of_lading_name,null"`
	PortOfDischargeName   string        `attr:"port_of_discharge_name,null"`
	ContainersCount       *int          `attr:"containers_count"`
	TrackingStopped       *bool         `attr:"tracking_stopped"`
	TrackingStoppedReason StoppedReason `attr:"tracking_stopped_reason,null"`
	// The next two are set for tracking requests only.
	Status       RequestStatus `attr:"status,null"`
	FailedReason FailedReason  `attr:"failed_reason,null"`
	RefNumbers   []string      `attr:"ref_numbers"`
	CreatedAt    time.Time     `attr:"created_at"` // UTC
	UpdatedAt    time.Time     `attr:"updated_at"` // UTC
}

var searchResults = record.For[SearchResult]("search_result")

// Search finds at most 25 shipments, containers and tracking requests by a number,
// a reference, a tag, a filterable custom field that is a short text or a number,
// or the name of a vessel or party. Shipments come first, then containers, then
// requests; within each the exact matches, then prefixes, then matches inside
// words; among these the last created first. Letter case and punctuation do not
// count. Only texts of at least 4 characters are searched inside words. A request
// whose number is a shipment's is left out.
//
// If more than 50 index entries share a prefix, the last created may not come
// first. Needs show. Errors: BadQuery on query if it is blank.
func (t *Tracker) Search(ctx context.Context, query string) ([]*SearchResult, error) {
	if err := t.allow(Show); err != nil {
		return nil, err
	}
	if strings.TrimSpace(query) == "" {
		return nil, badQuery("query", "Query parameter is required")
	}
	return viewing(ctx, t.engine, t.actor.Account, func(tx *transaction) ([]*SearchResult, error) {
		s := searchRun{search.New(&tx.Tx, query, func(r *SearchResult) time.Time { return r.CreatedAt }), tx}
		for _, step := range []func() error{s.shipments, s.containers, s.requests} {
			if err := step(); err != nil {
				return nil, err
			}
		}
		return s.Results(), nil
	})
}

// Search returns what a search finds; see Tracker.Search.
func (r Rendered) Search(ctx context.Context, query string) (Selection, error) {
	found, err := r.t.Search(ctx, query)
	s := Selection{Rows: make([]*Resource, len(found)), Total: len(found)}
	for i, r := range found {
		doc, _ := searchResults.Encode(r)
		s.Rows[i] = &Resource{Type: "search_result", ID: r.ID, Doc: doc}
	}
	return s, err
}

// searchRun is one search.
type searchRun struct {
	*search.Search[SearchResult]
	tx *transaction
}

// shipmentPreview is the part of a shipment that a search reads.
type shipmentPreview struct {
	ID                        ID            `id:""`
	Containers                []ID          `rel:"containers,container"`
	CreatedAt                 time.Time     `attr:"created_at"`
	UpdatedAt                 time.Time     `attr:"updated_at"`
	RefNumbers                []string      `attr:"ref_numbers"`
	BillOfLadingNumber        string        `attr:"bill_of_lading_number"`
	ShippingLineSCAC          string        `attr:"shipping_line_scac,null"`
	PortOfLadingName          string        `attr:"port_of_lading_name,null"`
	PortOfDischargeName       string        `attr:"port_of_discharge_name,null"`
	LineTrackingStoppedAt     time.Time     `attr:"line_tracking_stopped_at,null"`
	LineTrackingStoppedReason StoppedReason `attr:"line_tracking_stopped_reason,null"`
	RemovedAt                 time.Time     `attr:"removed_at,null"`
}

// containerPreview is the part of a container that a search reads.
type containerPreview struct {
	ID         ID           `id:""`
	Shipment   ID           `rel:"shipment,shipment"`
	Number     string       `attr:"number"`
	RefNumbers []string     `attr:"ref_numbers"`
	CreatedAt  time.Time    `attr:"created_at"`
	UpdatedAt  time.Time    `attr:"updated_at"`
	RemovedAt  time.Time    `attr:"removed_at,null"`
	Ship       trackedFacts `private:"ship"`
}

var (
	shipmentPreviews  = search.NewView(shipments, record.For[shipmentPreview]("shipment"))
	containerPreviews = search.NewView(containers, record.For[containerPreview]("container"))
	requestPreviews   = search.NewView(trackingRequests, trackingRequests.Codec).Reading(maxRequests)
)

// shipments also finds those whose party, vessel or containers go by the text.
func (s searchRun) shipments() error {
	also := func(t search.Tier) []*store.Kind {
		if !t.Inside() {
			return []*store.Kind{customFields.Kind, parties.Kind, vessels.Kind}
		}
		return []*store.Kind{customFields.Kind, parties.Kind, vessels.Kind, containers.Kind}
	}
	return search.Kind(s.Search, shipmentPreviews, also, s.shipmentsByOthers, func(v *shipmentPreview) (*SearchResult, error) {
		if !v.RemovedAt.IsZero() {
			return nil, nil
		}
		n, stopped := len(v.Containers), !v.LineTrackingStoppedAt.IsZero()
		return &SearchResult{
			ID: v.ID, EntityType: "shipment", Number: v.BillOfLadingNumber, SCAC: v.ShippingLineSCAC,
			PortOfLadingName: v.PortOfLadingName, PortOfDischargeName: v.PortOfDischargeName,
			ContainersCount: &n, TrackingStopped: &stopped, TrackingStoppedReason: v.LineTrackingStoppedReason,
			RefNumbers: v.RefNumbers, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt,
		}, nil
	})
}

// shipmentsByOthers finds shipments by their parties, vessels and containers, whose
// names are indexed once and not with each shipment.
func (s searchRun) shipmentsByOthers(t search.Tier) (ids []ID, err error) {
	if ids, err = s.byFields(t, shipments.Kind); err != nil {
		return nil, err
	}
	for _, c := range t {
		named, err := s.named(t, c)
		if err != nil {
			return nil, err
		}
		ids = append(ids, named...)
	}
	if !t.Inside() {
		return ids, nil // shipments have the whole numbers of their containers themselves
	}
	for _, c := range t {
		matching, err := search.Filter(s.Search, containers, t, s.Found(containers.Kind, c))
		if err != nil {
			return nil, err
		}
		list, err := containers.GetMany(s.tx, matching[:min(len(matching), maxNames)])
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			if !c.removed() {
				ids = append(ids, c.Shipment)
			}
		}
	}
	return ids, nil
}

func fieldsAlone(search.Tier) []*store.Kind { return []*store.Kind{customFields.Kind} }

// byFields returns the records of a kind with the text in a custom field.
func (s searchRun) byFields(t search.Tier, k *store.Kind) (ids []ID, err error) {
	var values []ID
	for _, c := range t {
		some, err := search.Filter(s.Search, customFields, t, s.Found(customFields.Kind, c))
		if err != nil {
			return nil, err
		}
		for _, id := range some[:min(len(some), 4*search.MaxResults)] {
			if !slices.Contains(values, id) {
				values = append(values, id)
			}
		}
	}
	if len(values) == 0 {
		return nil, nil
	}
	buried, err := deletedDefinitions(s.tx)
	if err != nil {
		return nil, err
	}
	gone := func(d ID) bool {
		return slices.ContainsFunc(buried, func(b *CustomFieldDefinition) bool { return b.ID == d })
	}
	list, err := customFields.GetMany(s.tx, values)
	for _, f := range list {
		if f.Entity.Type == k.Name && !gone(f.Definition) {
			ids = append(ids, f.Entity.ID)
		}
	}
	return ids, err
}

// named returns the last shipments of the parties and vessels that match c.
func (s searchRun) named(t search.Tier, c store.Cond) (ids []ID, err error) {
	of := func(column string, value any) error {
		some, err := s.tx.Records.Find(s.tx, shipments.Kind, store.Cond{Name: column, Op: store.Is, Values: []any{value}}, search.MaxResults)
		ids = append(ids, some...)
		return err
	}
	companies, err := search.Filter(s.Search, parties, t, s.Found(parties.Kind, c))
	if err != nil {
		return nil, err
	}
	for _, id := range companies[:min(len(companies), maxNames)] {
		if err := of("customer", id); err != nil {
			return nil, err
		}
	}
	ships, err := search.Filter(s.Search, vessels, t, s.Found(vessels.Kind, c))
	if err != nil {
		return nil, err
	}
	list, err := vessels.GetMany(s.tx, ships[:min(len(ships), maxNames)])
	if err != nil {
		return nil, err
	}
	for _, v := range list {
		if v.IMO == "" {
			continue
		}
		if err := of("vessel_imo", v.IMO); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func (s searchRun) containers() error {
	byFields := func(t search.Tier) ([]ID, error) { return s.byFields(t, containers.Kind) }
	return search.Kind(s.Search, containerPreviews, fieldsAlone, byFields, func(v *containerPreview) (*SearchResult, error) {
		if !v.RemovedAt.IsZero() {
			return nil, nil
		}
		return &SearchResult{
			ID: v.ID, EntityType: "cargo", Number: v.Number, ShipmentID: &v.Shipment, SCAC: v.Ship.SCAC,
			RefNumbers: v.RefNumbers, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt,
		}, nil
	})
}

// requests leaves out those whose number is a shipment's.
func (s searchRun) requests() error {
	byFields := func(t search.Tier) ([]ID, error) { return s.byFields(t, trackingRequests.Kind) }
	return search.Kind(s.Search, requestPreviews, fieldsAlone, byFields, func(v *TrackingRequest) (*SearchResult, error) {
		if v.TrackedObject != (ID{}) {
			return nil, nil
		}
		if same, err := shipmentFor(s.tx, v); err != nil || same != nil && !same.removed() {
			return nil, err
		}
		return &SearchResult{
			ID: v.ID, EntityType: "tracking_request", Number: v.RequestNumber, SCAC: v.SCAC,
			Status: v.Status, FailedReason: v.FailedReason,
			RefNumbers: v.RefNumbers, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt,
		}, nil
	})
}

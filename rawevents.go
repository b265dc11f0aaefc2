package tracking

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"slices"
	"time"

	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/internal/table"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/record"
	"github.com/landfallhq/tracking/store"
)

// RawEvent is a fact in the account's log, as it came (see
// docs/contract.md#facts-and-what-follows-from-them). The fact itself is never changed;
// Event and InvalidatedAt say what it is taken for in the light of all other facts, and
// may change with them.
type RawEvent struct {
	Meta
	Location record.Ref `rel:"location,port|metro_area"`
	Vessel   ID         `rel:"vessel,vessel"`
	Terminal ID         `rel:"terminal,terminal"`
	// The container, where the fact names just one.
	_ struct{} `rel:"container,container,inverse,one"`

	// Event is the normalised name; empty (null) when none fits.
	Event         string `attr:"event,null"`
	OriginalEvent string `attr:"original_event,null"`
	// Timestamp in UTC where Timezone is set, else possibly local time written
	// as UTC; null when the source does not say.
	Timestamp time.Time `attr:"timestamp,null"`
	Estimated bool      `attr:"estimated"` // estimated or planned, not actual
	// ActualOn, EstimatedOn (dates) and ActualAt, EstimatedAt are deprecated.
	ActualOn       string     `attr:"actual_on,null"`
	EstimatedOn    string     `attr:"estimated_on,null"`
	ActualAt       time.Time  `attr:"actual_at,null"`
	EstimatedAt    time.Time  `attr:"estimated_at,null"`
	Timezone       string     `attr:"timezone,null"`
	CreatedAt      time.Time  `attr:"created_at"` // when it was received
	LocationName   string     `attr:"location_name,null"`
	LocationLOCODE string     `attr:"location_locode,null"`
	VesselName     string     `attr:"vessel_name,null"`
	VesselIMO      string     `attr:"vessel_imo,null"`
	VoyageNumber   string     `attr:"voyage_number,null"`
	Index          int        `attr:"index"` // position in the source's message, from 0
	DataSource     DataSource `attr:"data_source"`
	// InvalidatedAt is when a later version or a retraction took its place.
	InvalidatedAt time.Time `attr:"invalidated_at,null"`

	// Number counts the facts of the account, from 1, in order of receipt.
	Number int64 `private:"number"`
	// Fact is what was handed in.
	Fact journey.LoggedFact `private:"fact"`
	// Shipments that the fact belongs to, and the Containers it shows under.
	Shipments  []ID `private:"shipments"`
	Containers []ID `private:"containers"`
	// Moves say when it became part of a shipment later than it came, and when it
	// was part of it no longer; see asof.go.
	Moves []membershipChange `private:"moves"`

	named string // see group
}

var rawEvents = newKind("raw_event", []column[RawEvent]{
	table.NewColumn("version", store.IntColumn, func(r *RawEvent) any {
		if r.Fact.ID == "" {
			return nil
		}
		return versionHash(versionKey(&r.Fact))
	}),
}, func(r *RawEvent) []store.Term { return table.Terms("shown", r.shownTerms()) }, nil)

// shownTerms are what the raw events of a container and the facts of a shipment
// are found by. A fact that counts is found under its shipment, or under its
// containers, which are the shipment's. One that no longer counts may name
// containers that the shipment has not: it is found under the shipment's past. One
// that has left a shipment is found under what left it, by those alone who ask
// how the shipment was.
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
	return terms
}

func pastOf(shipment ID) string { return shipment.String() + "/past" }
func leftOf(shipment ID) string { return shipment.String() + "/left" }

// shownUnder is what the raw events of a container are found by: its own ID
// for facts that name it, its shipment's for facts about the whole shipment.
func (r *RawEvent) shownUnder() []ID {
	switch {
	case len(r.Fact.Containers) > 0:
		return r.Containers
	case r.Fact.Retracted: // it shows by the fact that it takes back
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
	// Container and Shipment select the facts that name the container and those about
	// its whole shipment; both are needed.
	Container, Shipment ID
}

func (q RawEventQuery) resourceType() *table.Schema { return rawEvents.Schema }
func (q RawEventQuery) filter() store.Filter        { w := q.where(); return w.Filter(rawEvents) }

func (q RawEventQuery) where() where[RawEvent] {
	w := where[RawEvent]{Sort: []Order{{}}} // facts are written in the order of their numbers
	w.Has("shown", []string{q.Container.String(), q.Shipment.String()}, func(r *RawEvent) []string { return idTexts(r.shownUnder()) })
	return w
}

// RawEvents returns the facts known of a container, in order of receipt. Needs
// show. Errors: NotFound.
func (t *Tracker) RawEvents(ctx context.Context, container ID) ([]*RawEvent, error) {
	c, err := t.Container(ctx, container)
	if err != nil {
		return nil, err
	}
	list, _, err := list(ctx, t, rawEvents, RawEventQuery{container, c.Shipment}, Page{})
	return list, err
}

// group names the fact in all its versions.
func (r *RawEvent) group() string {
	switch {
	case r.named != "":
	case r.Fact.ID == "":
		var d journey.Digester
		sum := d.Fact(&r.Fact)
		r.named = "\x00" + string(sum[:]) // as settleVersions tells them apart
	default:
		r.named = versionKey(&r.Fact)
	}
	return r.named
}

// versionKey is shared by all versions of one fact.
func versionKey(f *journey.LoggedFact) string {
	return f.Source + "\x00" + f.ID
}

// versionHash is what the versions of a fact are found by in the store; two
// facts in a great many share one.
func versionHash(key string) int64 {
	sum := sha256.Sum256([]byte(key))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// versionsOf selects all versions of the facts with these keys.
func versionsOf(keys []string) (w where[RawEvent]) {
	hashes := make([]int64, len(keys))
	for i, k := range keys {
		hashes[i] = versionHash(k)
	}
	w.Add(store.Cond{Name: "version", Op: store.Is, Values: table.Values(hashes)}, func(r *RawEvent) bool {
		return r.Fact.ID != "" && slices.Contains(hashes, versionHash(versionKey(&r.Fact)))
	})
	return w
}

// content is what makes two facts the same: all but when they were recorded,
// and the message they came in.
func content(f journey.LoggedFact) []byte {
	f.RecordedAt, f.Payload = time.Time{}, nil
	text, err := json.Marshal(f)
	if err != nil { // only Payload could be unmarshalable
		panic(err)
	}
	return text
}

// factID identifies a fact by what it says, and by when it was recorded where
// the source tells.
func factID(f journey.LoggedFact, recorded time.Time) ID {
	text := content(f)
	if !recorded.IsZero() {
		text = recorded.UTC().AppendFormat(append(text, ' '), time.RFC3339Nano)
	}
	return table.NamedID("raw_event", string(text))
}

// newRawEvent renders what can be said of a fact by itself.
func newRawEvent(id ID, f journey.LoggedFact, index int) *RawEvent {
	r := &RawEvent{
		Meta:          Meta{ID: id},
		OriginalEvent: f.Original,
		Estimated:     f.Classifier == freight.Estimated || f.Classifier == freight.Planned,
		LocationName:  f.Place.Name, LocationLOCODE: f.Place.LOCODE,
		VesselName: f.Vessel.Name, VesselIMO: f.Vessel.IMO, VoyageNumber: f.Voyage,
		Index: index, DataSource: f.DataSource, Fact: f,
	}
	if r.OriginalEvent == "" {
		r.OriginalEvent = string(f.Activity)
	}
	return r
}

// placeInTime writes the moment, with its zone where that is known.
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

// localDate is the calendar day at the place.
func localDate(m Moment) string {
	at := m.Time.UTC()
	if zone := freight.LoadZone(m.Zone); zone != nil {
		at = at.In(zone)
	}
	return at.Format("2006-01-02")
}

// addID adds an ID to a set kept in order of arrival.
func addID(ids []ID, id ID) []ID {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(ids, id)
}

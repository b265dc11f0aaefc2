package tracking

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/codec"
	"github.com/landfallhq/tracking/internal/debounce"
	"github.com/landfallhq/tracking/internal/search"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// Shipment is the shipment that a number is tracked by (see docs/contract.md#shipments).
// Times are UTC, and zero (null) while not known. Each time at a place goes with the time
// zone of that place; where the zone is null, the time may be local time (see
// docs/contract.md#times-and-zones).
type Shipment struct {
	Meta
	PortOfLading              ID            `rel:"port_of_lading,port"`                // null while not known
	PortOfDischarge           ID            `rel:"port_of_discharge,port"`             // null while not known
	PODTerminal               ID            `rel:"pod_terminal,terminal"`              // the terminal there; null while not known
	Destination               ID            `rel:"destination,port"`                   // the inland place of delivery; null for none
	DestinationTerminal       ID            `rel:"destination_terminal,terminal"`      // the facility there; null while not known
	LineTrackingStoppedBy     ID            `rel:"line_tracking_stopped_by_user,user"` // who stopped tracking; null if a rule did, or while tracking
	Containers                []ID          `rel:"containers,container"`               // those that are part of it now
	_                         struct{}      `rel:"exceptions,exception,inverse"`
	_                         struct{}      `rel:"custom_fields,custom_field,inverse"`
	CreatedAt                 time.Time     `attr:"created_at"`                    // when the record was created
	UpdatedAt                 time.Time     `attr:"updated_at"`                    // when the record last changed; never decreases within an account
	RefNumbers                []string      `attr:"ref_numbers"`                   // numbers that users gave it
	Tags                      []string      `attr:"tags"`                          // of users
	BillOfLadingNumber        string        `attr:"bill_of_lading_number"`         // as submitted; for a booking, its bill of lading once that is known
	NormalizedNumber          string        `attr:"normalized_number"`             // the form in which the carrier is asked
	ShippingLineSCAC          string        `attr:"shipping_line_scac,null"`       // null while the line is not known
	ShippingLineName          string        `attr:"shipping_line_name,null"`       // null while the line is not known
	ShippingLineShortName     string        `attr:"shipping_line_short_name,null"` // null while the line is not known
	CustomerName              string        `attr:"customer_name,null"`            // company name of the customer; null for none
	PortOfLadingLOCODE        string        `attr:"port_of_lading_locode,null"`
	PortOfLadingName          string        `attr:"port_of_lading_name,null"`
	PortOfDischargeLOCODE     string        `attr:"port_of_discharge_locode,null"`
	PortOfDischargeName       string        `attr:"port_of_discharge_name,null"`
	PODVesselName             string        `attr:"pod_vessel_name,null"`   // of the vessel that brings it to the port of discharge
	PODVesselIMO              string        `attr:"pod_vessel_imo,null"`    // seven digits
	PODVoyageNumber           string        `attr:"pod_voyage_number,null"` // of that vessel
	DestinationLOCODE         string        `attr:"destination_locode,null"`
	DestinationName           string        `attr:"destination_name,null"`
	POLETDAt                  time.Time     `attr:"pol_etd_at,null"`                       // estimated departure from the port of lading
	POLATDAt                  time.Time     `attr:"pol_atd_at,null"`                       // actual departure from the port of lading
	PODETAAt                  time.Time     `attr:"pod_eta_at,null"`                       // estimated arrival at the port of discharge
	PODETASource              string        `attr:"pod_eta_source,null"`                   // own: the source whose word pod_eta_at is, as its facts name it; null without an ETA
	PODOriginalETAAt          time.Time     `attr:"pod_original_eta_at,null"`              // the estimate that the source recorded first
	PODATAAt                  time.Time     `attr:"pod_ata_at,null"`                       // actual arrival at the port of discharge
	DestinationETAAt          time.Time     `attr:"destination_eta_at,null"`               // estimated arrival at the inland destination
	DestinationATAAt          time.Time     `attr:"destination_ata_at,null"`               // actual arrival at the inland destination
	POLTimezone               string        `attr:"pol_timezone,null"`                     // IANA zone of the port of lading
	PODTimezone               string        `attr:"pod_timezone,null"`                     // IANA zone of the port of discharge
	DestinationTimezone       string        `attr:"destination_timezone,null"`             // IANA zone of the inland destination
	LineTrackingLastAttempted time.Time     `attr:"line_tracking_last_attempted_at,null"`  // when its source was last asked
	LineTrackingLastSucceeded time.Time     `attr:"line_tracking_last_succeeded_at,null"`  // when its source last answered
	LineTrackingFailedReason  FailedReason  `attr:"line_tracking_last_failed_reason,null"` // own: why the last attempt failed; null after an answer
	LineTrackingStoppedAt     time.Time     `attr:"line_tracking_stopped_at,null"`         // null while tracking
	LineTrackingStoppedReason StoppedReason `attr:"line_tracking_stopped_reason,null"`     // null while tracking

	// RemovedAt (own) is when this shipment of a booking lost its facts to the shipments of
	// the booking's documents, and no request had named the booking. UTC; null otherwise.
	RemovedAt time.Time `attr:"removed_at,null"`

	// PromisedArrivalAt (own) is when it shall arrive at the port of discharge by what users have
	// promised; exceptions compare with it. UTC; zero (null) for no promise.
	PromisedArrivalAt time.Time `attr:"promised_arrival_at,null"`

	// NumberType is the type of the number that it is tracked by.
	NumberType RequestType `private:"number_type"`
	// FollowedNumber is that number if BillOfLadingNumber shows the document of a booking;
	// empty if they are equal.
	FollowedNumber string `private:"followed_number"`
	// AskedAt is when the first tracking request for that number was made; zero if there is
	// none.
	AskedAt time.Time `private:"asked_at"`
	// Booking is the booking number that it was tracked by before its document was known.
	Booking string `private:"booking"`
	// Customer is the party that the shipment is for; zero for none.
	Customer ID `private:"customer"`

	shipmentInternals

	owed []initialValue // written after the shipment; see applyInitialFields
}

// shipmentInternals is what the engine stores with a shipment and does not show.
type shipmentInternals struct {
	// Numbers are the numbers of the shipment in its facts.
	Numbers []ShipmentNumber `private:"numbers"`
	// References of the parties in its facts.
	References []string `private:"references"`
	// ContainerNumbers of its containers.
	ContainerNumbers []string `private:"container_numbers"`
	// Milestones are digests of the milestones of its containers; none if they were never
	// stored.
	Milestones milestoneNotes `private:"milestones"`
	// EventVersions are the current events of milestones that have several versions, by the
	// ID of the first version.
	EventVersions eventVersions `private:"event_versions"`
	// FactCount is the number of facts that it is derived from. It makes the version of the
	// record change with every new fact, which Ingest relies on.
	FactCount int `private:"fact_count"`
	// FactSum identifies those facts: one can leave while another is added.
	FactSum int64 `private:"fact_sum"`
	// CostSum stands for what was counted last for its containers; 0 for nothing.
	CostSum int64 `private:"cost_sum"`
	// Rules is the RulesVersion that it was last derived by; 0 for old records without one.
	Rules int `private:"rules"`
	// Polls is how often its source was asked.
	Polls int `private:"polls"`
	// LineTrackingFault is the cause of LineTrackingFailedReason, one line for the operator.
	LineTrackingFault string `private:"line_tracking_fault"`
	// Failures counts the failed attempts since the last answer.
	Failures int `private:"failures"`
	// LeaveAloneUntil is when the carrier accepts the next query, by its Retry-After; zero
	// for any time.
	LeaveAloneUntil time.Time `private:"leave_alone_until"`
	// AnswerSum identifies the last answer together with the facts stored by then.
	AnswerSum int64 `private:"answer_sum"`
	// HeardAt is when its last new fact was received; ResumedAt when tracking was last
	// resumed after a stop.
	HeardAt   time.Time `private:"heard_at"`
	ResumedAt time.Time `private:"resumed_at"`
	// CheckAt is when the rules that stop tracking are checked next, at the latest; see
	// scheduleStopCheck.
	CheckAt time.Time `private:"check_at"`
	// Since is when tracking of the number began: at the first request before the first
	// answer of its source, else when the shipment was created.
	Since time.Time `private:"since"`
	// LineSince is when it took its line from its facts or from a request; zero if it had
	// the line from the beginning.
	LineSince time.Time `private:"line_since"`
	// AnnounceStates are the states of the announcements of its estimates.
	AnnounceStates debounce.States `private:"told"`
	// Exceptions are what the shipment remembers of its exceptions.
	Exceptions exceptionState `private:"exceptions"`
	// PromisedSince is when PromisedArrivalAt was set.
	PromisedSince time.Time `private:"promised_since"`
	// BoxFields are the custom fields from its requests for its containers, later ones
	// included.
	BoxFields []initialValue `private:"box_fields"`
}

var shipments = newKind("shipment", append([]column[Shipment]{
	table.BoolColumn("stopped", (*Shipment).stopped),
	table.BoolColumn("removed", (*Shipment).removed),
}, trackedColumns(func(s *Shipment) trackedFacts { return s.tracked() })...), shipmentTerms, func(s *Shipment) {
	if s.UpdatedAt.IsZero() {
		s.UpdatedAt = s.CreatedAt
	}
}).Counted("stopped", "removed", "scac").Volatile("updated_at").TermsVersion(search.TermsVersion).InGeneration(5)

// setUpdatedAt is called by Put when the record has changed.
func (s *Shipment) setUpdatedAt(at time.Time) { s.UpdatedAt = at }

func (s *Shipment) removed() bool { return !s.RemovedAt.IsZero() }

// followedNumber returns the number by which the shipment is tracked.
func (s *Shipment) followedNumber() ShipmentNumber {
	return ShipmentNumber{Type: s.NumberType, Number: cmp.Or(s.FollowedNumber, s.BillOfLadingNumber)}
}

func (s *Shipment) stopped() bool { return !s.LineTrackingStoppedAt.IsZero() }

// trackedFacts are the values that lists of shipments and of containers are both filtered
// by. Containers have a copy of their shipment's.
type trackedFacts struct {
	SCAC, POL, POD, VesselIMO string
	PODTerminal, Customer     ID
	Created, Updated, PODETA  time.Time
	Tags, RefNumbers          []string
}

// trackedForm is the version of the stored form of the copy. UnmarshalBinary also reads
// the first form, which has no reference numbers, and refuses any other.
const trackedForm = 2

var errTrackedForm = errors.New("this is not the stored form of what a shipment is found by")

// AppendBinary appends the stored form of the copy. The error is always nil.
func (f *trackedFacts) AppendBinary(b []byte) ([]byte, error) {
	w := codec.Writer{Bytes: append(b, trackedForm)}
	w.Text(f.SCAC, f.POL, f.POD, f.VesselIMO)
	w.ID(f.PODTerminal)
	w.ID(f.Customer)
	w.Time(f.Created)
	w.Time(f.Updated)
	w.Time(f.PODETA)
	w.List(f.Tags)
	w.List(f.RefNumbers)
	return w.Bytes, nil
}

// UnmarshalBinary reads what AppendBinary wrote.
func (f *trackedFacts) UnmarshalBinary(data []byte) error {
	if len(data) == 0 || data[0] == 0 || data[0] > trackedForm {
		return errTrackedForm
	}
	r := codec.Reader{Rest: string(data[1:])}
	*f = trackedFacts{
		SCAC: r.Text(), POL: r.Text(), POD: r.Text(), VesselIMO: r.Text(), PODTerminal: r.ID(), Customer: r.ID(),
		Created: r.Time(), Updated: r.Time(), PODETA: r.Time(), Tags: r.List(),
	}
	if data[0] > 1 {
		f.RefNumbers = r.List()
	}
	if r.Bad || r.Rest != "" {
		return errTrackedForm
	}
	return nil
}

func (s *Shipment) tracked() trackedFacts {
	return trackedFacts{
		SCAC: s.ShippingLineSCAC, POL: s.PortOfLadingLOCODE, POD: s.PortOfDischargeLOCODE, VesselIMO: s.PODVesselIMO,
		PODTerminal: s.PODTerminal, Customer: s.Customer, Created: s.CreatedAt, Updated: s.UpdatedAt, PODETA: s.PODETAAt, Tags: s.Tags, RefNumbers: s.RefNumbers,
	}
}

func trackedColumns[T any](of func(*T) trackedFacts) []column[T] {
	return []column[T]{
		table.TextColumn("scac", func(v *T) string { return of(v).SCAC }),
		table.TextColumn("pol_locode", func(v *T) string { return of(v).POL }),
		table.TextColumn("pod_locode", func(v *T) string { return of(v).POD }),
		table.IDColumn("pod_terminal", func(v *T) ID { return of(v).PODTerminal }),
		table.TextColumn("vessel_imo", func(v *T) string { return of(v).VesselIMO }),
		table.IDColumn("customer", func(v *T) ID { return of(v).Customer }),
		table.TimeColumn("created_at", func(v *T) time.Time { return of(v).Created }),
		table.TimeColumn("updated_at", func(v *T) time.Time { return of(v).Updated }),
		table.TimeColumn("pod_eta_at", func(v *T) time.Time { return of(v).PODETA }),
	}
}

// TrackedQuery has the filters of both shipments and containers (see
// docs/contract.md#lists-filters-and-sorting). A list matches any of its members; an empty
// one matches all. All conditions must hold.
type TrackedQuery struct {
	SCACs        []string // primary or alternative
	POLs, PODs   []string // LOCODEs
	PODTerminals []ID
	VesselIMOs   []string
	CustomerIDs  []ID
	Tags         []string
	RefNumbers   []string // of containers also those of their shipment
	Created      TimeRange
	Updated      TimeRange
	PODETA       TimeRange
	// CustomFields are conditions on the custom fields of the listed records.
	CustomFields []FieldCondition
	// Sort by created_at, updated_at, pod_eta_at or custom_fields.<slug>; later orders break
	// ties of earlier ones. Records without a value come last in both directions. Empty
	// means last created first.
	Sort []Order
}

func trackedWhere[T any](q TrackedQuery, of func(*T) trackedFacts) where[T] {
	w := table.Mapped(q.where(), of)
	w.Sort = creationOrder(q.Sort)
	return w
}

func (q TrackedQuery) where() (w where[trackedFacts]) {
	w.Text("scac", q.SCACs, func(f *trackedFacts) string { return f.SCAC })
	w.Text("pol_locode", q.POLs, func(f *trackedFacts) string { return f.POL })
	w.Text("pod_locode", q.PODs, func(f *trackedFacts) string { return f.POD })
	w.IDs("pod_terminal", q.PODTerminals, func(f *trackedFacts) ID { return f.PODTerminal })
	w.Text("vessel_imo", q.VesselIMOs, func(f *trackedFacts) string { return f.VesselIMO })
	w.IDs("customer", q.CustomerIDs, func(f *trackedFacts) ID { return f.Customer })
	w.Has("tag", q.Tags, func(f *trackedFacts) []string { return f.Tags })
	w.Times("created_at", q.Created.From, q.Created.To, func(f *trackedFacts) time.Time { return f.Created })
	w.Times("updated_at", q.Updated.From, q.Updated.To, func(f *trackedFacts) time.Time { return f.Updated })
	w.Times("pod_eta_at", q.PODETA.From, q.PODETA.To, func(f *trackedFacts) time.Time { return f.PODETA })
	return w
}

// creationOrder replaces created_at by the order of creation, which is the same and exact.
func creationOrder(sort []Order) []Order {
	out := slices.Clone(sort)
	for i, o := range out {
		if o.Name == "created_at" {
			out[i].Name = ""
		}
	}
	return out
}

// ShipmentQuery selects shipments.
type ShipmentQuery struct {
	// Number is the number of the tracking request, or any other bill of lading or booking
	// number of the shipment, with or without the carrier's prefix. Container numbers are
	// not found.
	Number string
	// Search finds shipments with a number, reference or container number that begins with
	// it (the deprecated parameter q).
	Search string
	// Stopped selects by whether tracking has stopped.
	Stopped Tri
	// WithRemoved includes removed shipments; see Shipment.RemovedAt.
	WithRemoved bool
	TrackedQuery
}

func (q ShipmentQuery) resourceType() *table.Schema { return shipments.Schema }
func (q ShipmentQuery) filter() store.Filter        { w := q.where(); return w.Filter(shipments) }

// list selects by number in two steps, because the index also has container numbers, by
// which facts and requests find shipments. Few shipments have a number in common.
func (q ShipmentQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	q.SCACs = primarySCACs(tx.engine, q.SCACs)
	if q.Number == "" {
		return listByFields(tx, ShipmentEntity, q, q.CustomFields, p, to)
	}
	rows, _, err := listByFields(tx, ShipmentEntity, q, q.CustomFields, Page{}, nil)
	if err != nil {
		return to, 0, err
	}
	number, begin := freight.FoldNumber(q.Number), len(to)
	for _, r := range rows {
		s, err := shipments.Decode(r)
		if err != nil {
			return to, 0, err
		}
		if slices.Contains(s.numbers().DocumentKeys(), number) {
			to = append(to, r)
		}
	}
	total := len(to) - begin
	from, end, err := p.Bounds(total)
	return slices.Delete(to[:begin+end], begin, begin+from), total, err
}

// listByFields is RecordTx.List of a query with conditions on custom fields.
func listByFields(tx *transaction, of EntityType, q Query, conds []FieldCondition, p Page, to []store.Record) ([]store.Record, int, error) {
	f := q.filter()
	if err := byFields(tx, of, conds, &f); err != nil {
		return to, 0, err
	}
	return tx.Records.List(tx, q.resourceType().Kind, f, p, to)
}

func (q ShipmentQuery) where() where[Shipment] {
	w := trackedWhere(q.TrackedQuery, (*Shipment).tracked)
	tri(&w, "stopped", q.Stopped, (*Shipment).stopped)
	if !q.WithRemoved {
		w.Bool("removed", false, (*Shipment).removed)
	}
	if q.Number != "" {
		w.Has("number", []string{freight.FoldNumber(q.Number)}, shipmentKeys)
	}
	if q.Search != "" {
		w.HasPrefix("search", freight.FoldNumber(q.Search), shipmentSearch)
	}
	if len(q.RefNumbers) > 0 {
		w.Has("ref", foldNumbers(q.RefNumbers), func(s *Shipment) []string { return foldNumbers(s.RefNumbers) })
	}
	return w
}

func shipmentTerms(s *Shipment) []store.Term {
	return slices.Concat(
		table.Terms("number", shipmentKeys(s)),
		search.Terms(shipmentSearch(s), shipmentWords(s)),
		table.Terms("tag", s.Tags),
		table.Terms("ref", foldNumbers(s.RefNumbers)),
	)
}

// shipmentKeys returns the folded numbers by which facts and users find the shipment.
func shipmentKeys(s *Shipment) []string { return s.numbers().Keys() }

// shipmentWords returns the other texts by which a search finds the shipment. The names of
// its party and of a vessel with an IMO number are indexed with these (search.go).
func shipmentWords(s *Shipment) []string {
	words := slices.Clone(s.Tags)
	if s.PODVesselIMO == "" {
		words = append(words, s.PODVesselName)
	}
	return words
}

func shipmentSearch(s *Shipment) []string {
	return slices.Concat(shipmentKeys(s), foldNumbers(s.RefNumbers), foldNumbers(s.References), s.ContainerNumbers)
}

// foldedNumbers is foldNumbers where neither list is changed: it returns the list itself
// if its numbers are folded.
func foldedNumbers(list []string) []string {
	if slices.ContainsFunc(list, func(n string) bool { return freight.FoldNumber(n) != n }) {
		return foldNumbers(list)
	}
	return list
}

func foldNumbers(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = freight.FoldNumber(s)
	}
	return out
}

// Shipment returns one shipment. Needs show. Errors: NotFound.
func (t *Tracker) Shipment(ctx context.Context, id ID) (*Shipment, error) {
	return get(ctx, t, shipments, id)
}

// Shipments returns a page of shipments, last created first unless q sorts,
// and how many match in all. Needs show.
func (t *Tracker) Shipments(ctx context.Context, q ShipmentQuery, p Page) ([]*Shipment, int, error) {
	return list(ctx, t, shipments, q, p)
}

// ShipmentUpdate has the attributes that users may change. Fields that are not set stay.
type ShipmentUpdate struct {
	// RefNumbers, at most 100 of at most 255 characters.
	RefNumbers Opt[[]string]
	// Tags, at most 100 of at most 255 characters, no two alike.
	Tags Opt[[]string]
	// Customer is a party of the account; the zero ID clears it.
	Customer Opt[ID]
	// PromisedArrivalAt is not before 1970; the zero time is no promise.
	PromisedArrivalAt Opt[time.Time]
	// IfVersion is the version that the shipment must have, else the change is refused with
	// Stale; 0 means any.
	IfVersion int64
}

// UpdateShipment changes a shipment. Needs update.
// Errors: NotFound; Stale; Invalid on ref_numbers, tags, promised_arrival_at,
// relationships/customer.
func (t *Tracker) UpdateShipment(ctx context.Context, id ID, u ShipmentUpdate) (*Shipment, error) {
	var faults Errors
	refs, tags := checkList(&faults, "ref_numbers", u.RefNumbers.Value), checkTags(&faults, "tags", u.Tags.Value)
	if at := u.PromisedArrivalAt.Value; !at.IsZero() && at.Year() < 1970 {
		faults = append(faults, invalid("promised_arrival_at", "invalid", "Promised arrival at is before 1970"))
	}
	if err := faults.or(); err != nil {
		return nil, err
	}
	return t.changeShipment(ctx, "shipment.update", id, u.IfVersion, func(tx *transaction, s *Shipment) error {
		if u.RefNumbers.Set {
			s.RefNumbers = refs
		}
		if u.Tags.Set {
			s.Tags = tags
		}
		if u.PromisedArrivalAt.Set {
			if err := s.promise(tx, u.PromisedArrivalAt.Value); err != nil {
				return err
			}
		}
		if u.Customer.Set {
			return s.setCustomer(tx, u.Customer.Value)
		}
		return nil
	})
}

// promise sets the promised arrival. Its exceptions are found at once.
func (s *Shipment) promise(tx *transaction, at time.Time) error {
	at = at.UTC().Truncate(time.Second)
	if at.Equal(s.PromisedArrivalAt) {
		return nil
	}
	s.PromisedArrivalAt, s.PromisedSince = at, tx.Now
	return reviewNow(tx, s)
}

func (s *Shipment) setCustomer(tx *transaction, party ID) error {
	s.Customer, s.CustomerName = ID{}, ""
	if party == (ID{}) {
		return nil
	}
	p, err := customer(tx, party)
	if err != nil {
		return err
	}
	s.Customer, s.CustomerName = p.ID, p.CompanyName
	return nil
}

// customer returns the party of a relationship.
func customer(tx *transaction, id ID) (*Party, error) {
	p, err := parties.Get(tx, id)
	if isNotFound(err) {
		return nil, invalid("relationships/customer", "not_found", "Customer is not a party of this account")
	}
	return p, err
}

func (t *Tracker) changeShipment(ctx context.Context, operation string, id ID, version int64, change func(*transaction, *Shipment) error) (*Shipment, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	return updateFound(ctx, t, operation, version, withID(shipments, id), func(tx *transaction, s *Shipment) error {
		if err := change(tx, s); err != nil {
			return err
		}
		return putShipment(tx, s)
	})
}

// putShipment writes a shipment and its copies in its containers. Every write of a shipment
// uses it, except those that have read the containers.
func putShipment(tx *transaction, s *Shipment) error {
	w, err := withContainersOf(tx, s)
	if err == nil {
		err = enqueueLinking(tx, w.row, s)
	}
	if err == nil {
		err = w.put(tx)
	}
	return err
}

// withContainers is a shipment with its containers, those that have left included, and the
// records they were read from. Changes of all of them read each once.
type withContainers struct {
	*Shipment
	containers []*Container
	row        store.Record
	rows       []store.Record
}

func readWithContainers(tx *transaction, id ID) (w withContainers, err error) {
	return rereadWithContainers(tx, &Shipment{Meta: Meta{ID: id}})
}

// withContainersOf is readWithContainers for a shipment that the transaction has read and
// may have changed since.
func withContainersOf(tx *transaction, s *Shipment) (w withContainers, err error) {
	w, err = rereadWithContainers(tx, s)
	w.Shipment = s
	return w, err
}

// rereadWithContainers is readWithContainers with a shipment that was read before: if it is
// unchanged, it is not decoded again.
func rereadWithContainers(tx *transaction, before *Shipment) (w withContainers, err error) {
	id := before.ID
	if w.row, err = tx.Records.Get(tx, shipments.Kind, id); err != nil {
		return w, asNotFound(err)
	}
	if again := *before; w.row.Version == again.Version {
		w.Shipment = &again
	} else if w.Shipment, err = shipments.Decode(w.row); err != nil {
		return w, err
	}
	of := ContainerQuery{Shipment: id, Removed: Any}
	if w.rows, _, err = tx.Records.List(tx, containers.Kind, of.filter(), Page{}, nil); err != nil {
		return w, err
	}
	w.containers, err = containers.DecodeAll(w.rows)
	return w, err
}

// put writes them over the records that they were read from.
func (w withContainers) put(tx *transaction) error {
	if err := shipments.PutOver(tx, w.row, w.Shipment); err != nil {
		return err
	}
	for i, c := range w.containers {
		c.copyShipment(w.Shipment)
		if err := containers.PutOver(tx, w.rows[i], c); err != nil {
			return err
		}
	}
	return nil
}

// Limits of a list of short texts.
const (
	maxList = 100
	maxText = 255
)

// checkList trims a list of short texts, and checks each of them.
func checkList(faults *Errors, field string, list []string) []string {
	if len(list) > maxList {
		*faults = append(*faults, invalid(field, "too_long", "%s holds more than %d members", fieldLabel(field), maxList))
		return nil
	}
	out := make([]string, 0, len(list))
	for _, s := range list {
		s = strings.TrimSpace(s)
		if err := checkText(field, s, maxText); err != nil {
			*faults = append(*faults, err.(*Error))
			return nil
		}
		out = append(out, s)
	}
	return out
}

// checkTags is checkList for a list without repeats.
func checkTags(faults *Errors, field string, list []string) []string {
	out := checkList(faults, field, list)
	for i, s := range out {
		if slices.Contains(out[:i], s) {
			*faults = append(*faults, invalid(field, "taken", "%s must be unique; '%s' is there twice", fieldLabel(field), s))
			return nil
		}
	}
	return out
}

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
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// Shipment is what one number is followed by (see docs/contract.md#shipments). All
// times are UTC and zero (null) while not known; the zone that goes with a time
// is the attribute of its place, and a time whose zone is null may be the local
// time of an unknown place (see docs/contract.md#times-and-zones).
type Shipment struct {
	Meta
	PortOfLading              ID            `rel:"port_of_lading,port"`
	PortOfDischarge           ID            `rel:"port_of_discharge,port"`
	PODTerminal               ID            `rel:"pod_terminal,terminal"`
	Destination               ID            `rel:"destination,port"`
	DestinationTerminal       ID            `rel:"destination_terminal,terminal"`
	LineTrackingStoppedBy     ID            `rel:"line_tracking_stopped_by_user,user"`
	Containers                []ID          `rel:"containers,container"`
	_                         struct{}      `rel:"custom_fields,custom_field,inverse"`
	CreatedAt                 time.Time     `attr:"created_at"`
	UpdatedAt                 time.Time     `attr:"updated_at"` // when the record last changed; never goes back within an account
	RefNumbers                []string      `attr:"ref_numbers"`
	Tags                      []string      `attr:"tags"`
	BillOfLadingNumber        string        `attr:"bill_of_lading_number"` // as submitted, a booking number too while no document of it is known
	NormalizedNumber          string        `attr:"normalized_number"`     // as the carrier is asked
	ShippingLineSCAC          string        `attr:"shipping_line_scac,null"`
	ShippingLineName          string        `attr:"shipping_line_name,null"`
	ShippingLineShortName     string        `attr:"shipping_line_short_name,null"`
	CustomerName              string        `attr:"customer_name,null"`
	PortOfLadingLOCODE        string        `attr:"port_of_lading_locode,null"`
	PortOfLadingName          string        `attr:"port_of_lading_name,null"`
	PortOfDischargeLOCODE     string        `attr:"port_of_discharge_locode,null"`
	PortOfDischargeName       string        `attr:"port_of_discharge_name,null"`
	PODVesselName             string        `attr:"pod_vessel_name,null"`
	PODVesselIMO              string        `attr:"pod_vessel_imo,null"`
	PODVoyageNumber           string        `attr:"pod_voyage_number,null"`
	DestinationLOCODE         string        `attr:"destination_locode,null"`
	DestinationName           string        `attr:"destination_name,null"`
	POLETDAt                  time.Time     `attr:"pol_etd_at,null"`
	POLATDAt                  time.Time     `attr:"pol_atd_at,null"`
	PODETAAt                  time.Time     `attr:"pod_eta_at,null"`
	PODOriginalETAAt          time.Time     `attr:"pod_original_eta_at,null"` // the estimate with the earliest time at the source
	PODATAAt                  time.Time     `attr:"pod_ata_at,null"`
	DestinationETAAt          time.Time     `attr:"destination_eta_at,null"`
	DestinationATAAt          time.Time     `attr:"destination_ata_at,null"`
	POLTimezone               string        `attr:"pol_timezone,null"`
	PODTimezone               string        `attr:"pod_timezone,null"`
	DestinationTimezone       string        `attr:"destination_timezone,null"`
	LineTrackingLastAttempted time.Time     `attr:"line_tracking_last_attempted_at,null"`
	LineTrackingLastSucceeded time.Time     `attr:"line_tracking_last_succeeded_at,null"`
	LineTrackingFailedReason  FailedReason  `attr:"line_tracking_last_failed_reason,null"` // own: why the last attempt brought nothing; null when it was answered
	LineTrackingStoppedAt     time.Time     `attr:"line_tracking_stopped_at,null"`         // null while tracking
	LineTrackingStoppedReason StoppedReason `attr:"line_tracking_stopped_reason,null"`

	// RemovedAt (own) is when the documents of a booking had shipments of their
	// own, so that this one of the booking, which nobody asked for, was left without
	// facts; null while it stands. UTC.
	RemovedAt time.Time `attr:"removed_at,null"`

	// NumberType says what the number is that it is followed by.
	NumberType RequestType `private:"number_type"`
	// FollowedNumber is that number where BillOfLadingNumber shows the document of
	// a booking; empty where they are the same.
	FollowedNumber string `private:"followed_number"`
	// AskedAt is when the first tracking request was made for that number; zero
	// where nobody has asked for it.
	AskedAt time.Time `private:"asked_at"`
	// Booking is what it was followed by until a document adopted it.
	Booking string `private:"booking"`
	// Customer is the party the shipment is for; zero for none.
	Customer ID `private:"customer"`
	// Numbers are all numbers that the facts give the shipment.
	Numbers []ShipmentNumber `private:"numbers"`
	// References of the parties that the facts name.
	References []string `private:"references"`
	// ContainerNumbers of all its boxes.
	ContainerNumbers []string `private:"container_numbers"`
	// Milestones are notes of those of all its boxes; none where they were not
	// taken yet.
	Milestones milestoneNotes `private:"milestones"`
	// EventVersions are the events that stand for milestones and are not their first
	// versions, by the IDs of those.
	EventVersions eventVersions `private:"event_versions"`
	// FactCount is how many facts it is derived from. It makes the version grow
	// with every fact, which Ingest relies on.
	FactCount int `private:"fact_count"`
	// FactSum tells which they are: one may go as another comes.
	FactSum int64 `private:"fact_sum"`
	// Rules is the RulesVersion that it was last derived by; 0 when that was
	// before it was noted.
	Rules int `private:"rules"`
	// Polls is how often its source was asked.
	Polls int `private:"polls"`
	// LineTrackingFault is the cause that goes with LineTrackingFailedReason, one
	// line for the operator.
	LineTrackingFault string `private:"line_tracking_fault"`
	// Failures counts the attempts that brought nothing since the last answer.
	Failures int `private:"failures"`
	// LeaveAloneUntil is when the carrier may be asked again, by its own word.
	LeaveAloneUntil time.Time `private:"leave_alone_until"`
	// AnswerSum tells the last answer together with the facts that were known by
	// then; see sumOfAnswer.
	AnswerSum int64 `private:"answer_sum"`
	// HeardAt is when its last new fact came; ResumedAt when it was last followed
	// again after a stop.
	HeardAt   time.Time `private:"heard_at"`
	ResumedAt time.Time `private:"resumed_at"`
	// CheckAt is when, at the latest, its windows are looked at; see watch.
	CheckAt time.Time `private:"check_at"`
	// Since is when the number began to be followed: by its first request, where
	// there was one before its source first answered, else by the shipment itself.
	Since time.Time `private:"since"`
	// LineSince is when it took the line of its facts or of a request; zero when
	// it had it from the first.
	LineSince time.Time `private:"line_since"`
	// Told is what is remembered of the announcements of its estimates.
	Told debounce.States `private:"told"`
	// BoxFields are the custom fields that its requests carry to its containers;
	// those that come later get them too.
	BoxFields []initialValue `private:"box_fields"`

	owed []initialValue // to be written once it is itself; see giveFields
}

var shipments = newKind("shipment", append([]column[Shipment]{
	table.BoolColumn("stopped", (*Shipment).stopped),
	table.BoolColumn("removed", (*Shipment).removed),
}, trackedColumns(func(s *Shipment) trackedFacts { return s.tracked() })...), shipmentTerms, func(s *Shipment) {
	if s.UpdatedAt.IsZero() {
		s.UpdatedAt = s.CreatedAt
	}
}).Counted("stopped", "removed", "scac").Volatile("updated_at").TermsVersion(searchForm)

// setUpdatedAt is called by Put when the record has changed.
func (s *Shipment) setUpdatedAt(at time.Time) { s.UpdatedAt = at }

func (s *Shipment) removed() bool { return !s.RemovedAt.IsZero() }

// followedNumber is the number by which the shipment is followed.
func (s *Shipment) followedNumber() ShipmentNumber {
	return ShipmentNumber{Type: s.NumberType, Number: cmp.Or(s.FollowedNumber, s.BillOfLadingNumber)}
}

func (s *Shipment) stopped() bool { return !s.LineTrackingStoppedAt.IsZero() }

// trackedFacts is what both shipments and their containers are found by; the
// containers keep a copy of their shipment's.
type trackedFacts struct {
	SCAC, POL, POD, VesselIMO string
	PODTerminal, Customer     ID
	Created, Updated, PODETA  time.Time
	Tags                      []string
}

// trackedForm names the form in which containers keep their copy. A reader that meets
// another refuses it.
const trackedForm = 1

var errTrackedForm = errors.New("this is not the stored form of what a shipment is found by")

// AppendBinary appends the form in which containers keep their copy of the
// shipment's. It has no error.
func (f *trackedFacts) AppendBinary(b []byte) ([]byte, error) {
	w := codec.Writer{Bytes: append(b, trackedForm)}
	w.Text(f.SCAC, f.POL, f.POD, f.VesselIMO)
	w.ID(f.PODTerminal)
	w.ID(f.Customer)
	w.Time(f.Created)
	w.Time(f.Updated)
	w.Time(f.PODETA)
	w.List(f.Tags)
	return w.Bytes, nil
}

// UnmarshalBinary reads what AppendBinary wrote.
func (f *trackedFacts) UnmarshalBinary(data []byte) error {
	if len(data) == 0 || data[0] != trackedForm {
		return errTrackedForm
	}
	r := codec.Reader{Rest: string(data[1:])}
	*f = trackedFacts{
		SCAC: r.Text(), POL: r.Text(), POD: r.Text(), VesselIMO: r.Text(), PODTerminal: r.ID(), Customer: r.ID(),
		Created: r.Time(), Updated: r.Time(), PODETA: r.Time(), Tags: r.List(),
	}
	if r.Bad || r.Rest != "" {
		return errTrackedForm
	}
	return nil
}

func (s *Shipment) tracked() trackedFacts {
	return trackedFacts{
		SCAC: s.ShippingLineSCAC, POL: s.PortOfLadingLOCODE, POD: s.PortOfDischargeLOCODE, VesselIMO: s.PODVesselIMO,
		PODTerminal: s.PODTerminal, Customer: s.Customer, Created: s.CreatedAt, Updated: s.UpdatedAt, PODETA: s.PODETAAt, Tags: s.Tags,
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

// TrackedQuery is what shipments and containers can both be filtered by (see
// docs/contract.md#lists-filters-and-sorting). A list means any of its members; an
// empty one makes no condition. Conditions hold together.
type TrackedQuery struct {
	SCACs        []string // primary or alternative
	POLs, PODs   []string // LOCODEs
	PODTerminals []ID
	VesselIMOs   []string
	CustomerIDs  []ID
	Tags         []string
	RefNumbers   []string
	Created      TimeRange
	Updated      TimeRange
	PODETA       TimeRange
	// CustomFields are conditions on the custom fields of what is listed.
	CustomFields []FieldCondition
	// Sort by created_at, updated_at, pod_eta_at or custom_fields.<slug>; later
	// orders break the ties of earlier ones. Those without a value come last in
	// both directions. Empty means last created first.
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

// creationOrder sorts by created_at as by the order of creation, which is the
// same and exact.
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
	// Number is the number of the tracking request, or any other bill of
	// lading or booking number of the shipment, with or without the carrier's
	// prefix. Never a container number.
	Number string
	// Search finds shipments one of whose numbers, references or container
	// numbers begins with it (the deprecated parameter q).
	Search string
	// Stopped selects by whether tracking has stopped.
	Stopped Tri
	// WithRemoved selects those that were removed too; see Shipment.RemovedAt.
	WithRemoved bool
	TrackedQuery
}

func (q ShipmentQuery) resourceType() *table.Schema { return shipments.Schema }
func (q ShipmentQuery) filter() store.Filter        { w := q.where(); return w.Filter(shipments) }

// list selects by the number in two steps: the index has the numbers of boxes
// too, by which facts and requests find what is followed by one. Few shipments
// have a number in common.
func (q ShipmentQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	q.SCACs = primarySCACs(tx.engine, q.SCACs)
	f := q.filter()
	if err := byFields(tx, ShipmentEntity, q.CustomFields, &f); err != nil {
		return to, 0, err
	}
	if q.Number == "" {
		return tx.Records.List(tx, shipments.Kind, f, p, to)
	}
	rows, _, err := tx.Records.List(tx, shipments.Kind, f, Page{}, nil)
	if err != nil {
		return to, 0, err
	}
	number, begin := freight.FoldNumber(q.Number), len(to)
	for _, r := range rows {
		s, err := shipments.Decode(r)
		if err != nil {
			return to, 0, err
		}
		if slices.Contains(documentKeys(s), number) {
			to = append(to, r)
		}
	}
	total := len(to) - begin
	from, end, err := p.Bounds(total)
	return slices.Delete(to[:begin+end], begin, begin+from), total, err
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
		searchTerms(shipmentSearch(s), shipmentWords(s)),
		table.Terms("tag", s.Tags),
		table.Terms("ref", foldNumbers(s.RefNumbers)),
	)
}

// shipmentKeys are the folded numbers that facts and users may call the
// shipment by.
func shipmentKeys(s *Shipment) []string {
	keys := s.followedNumber().Keys(s.ShippingLineSCAC)
	for _, n := range s.Numbers {
		keys = append(keys, n.Keys(s.ShippingLineSCAC)...)
	}
	return keys
}

// documentKeys are those of them that are no number of a box.
func documentKeys(s *Shipment) (keys []string) {
	if s.NumberType != ContainerNumber {
		keys = s.followedNumber().Keys(s.ShippingLineSCAC)
	}
	for _, n := range s.Numbers {
		if n.Type != ContainerNumber {
			keys = append(keys, n.Keys(s.ShippingLineSCAC)...)
		}
	}
	return keys
}

// shipmentWords are what else a search finds the shipment by. The names of its
// party and of a vessel with an IMO number stand with these (search.go).
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

// ShipmentUpdate changes what users may change. Fields that are not set stay.
type ShipmentUpdate struct {
	// RefNumbers, at most 100 of at most 255 characters.
	RefNumbers Opt[[]string]
	// Tags, at most 100 of at most 255 characters, no two alike.
	Tags Opt[[]string]
	// Customer is a party of the account; the zero ID clears it.
	Customer Opt[ID]
	// IfVersion refuses the change with Stale unless the shipment is at this
	// version; 0 asks for no check.
	IfVersion int64
}

// UpdateShipment changes a shipment. Needs update.
// Errors: NotFound; Stale; Invalid on ref_numbers, tags, relationships/customer.
func (t *Tracker) UpdateShipment(ctx context.Context, id ID, u ShipmentUpdate) (*Shipment, error) {
	var faults Errors
	refs, tags := checkList(&faults, "ref_numbers", u.RefNumbers.Value), checkTags(&faults, "tags", u.Tags.Value)
	if err := faults.or(); err != nil {
		return nil, err
	}
	return t.changeShipment(ctx, id, u.IfVersion, func(tx *transaction, s *Shipment) error {
		if u.RefNumbers.Set {
			s.RefNumbers = refs
		}
		if u.Tags.Set {
			s.Tags = tags
		}
		if u.Customer.Set {
			return s.setCustomer(tx, u.Customer.Value)
		}
		return nil
	})
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

// customer returns the party that a relationship names.
func customer(tx *transaction, id ID) (*Party, error) {
	p, err := parties.Get(tx, id)
	if isNotFound(err) {
		return nil, invalid("relationships/customer", "not_found", "Customer is not a party of this account")
	}
	return p, err
}

func (t *Tracker) changeShipment(ctx context.Context, id ID, version int64, change func(*transaction, *Shipment) error) (*Shipment, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	var s *Shipment
	err := t.update(ctx, t.actor.Account, func(tx *transaction) (err error) {
		if s, err = shipments.Get(tx, id); err != nil {
			return err
		}
		if err := checkVersion(version, s.Version); err != nil {
			return err
		}
		if err := change(tx, s); err != nil {
			return err
		}
		return putShipment(tx, s)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// putShipment writes a shipment and the copies that its containers keep. Every
// write of a shipment goes through here, but for Ingest, which has the
// containers in hand.
func putShipment(tx *transaction, s *Shipment) error {
	if tx.ledger.Documents {
		before, err := shipments.Get(tx, s.ID)
		if ignoreNotFound(err) != nil {
			return err
		}
		if err := enqueueLinking(tx, before, s); err != nil {
			return err
		}
	}
	if err := shipments.Put(tx, s); err != nil {
		return err
	}
	boxes, err := containersOf(tx, s)
	if err != nil {
		return err
	}
	for _, c := range boxes {
		c.ship = s
		c.copyShipment()
		if err := containers.Put(tx, c); err != nil {
			return err
		}
	}
	return nil
}

// withBoxes is a shipment with its containers, those that have left included,
// and what each was read from: who changes all of them reads them once.
type withBoxes struct {
	*Shipment
	boxes []*Container
	row   store.Record
	rows  []store.Record
}

func readWithBoxes(tx *transaction, id ID) (w withBoxes, err error) {
	return readAgainWithBoxes(tx, &Shipment{Meta: Meta{ID: id}})
}

// readAgainWithBoxes is readWithBoxes for who has read the shipment before: while
// it is as it was, it is not decoded again.
func readAgainWithBoxes(tx *transaction, before *Shipment) (w withBoxes, err error) {
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
	w.boxes, err = containers.DecodeAll(w.rows)
	return w, err
}

// put is putShipment.
func (w withBoxes) put(tx *transaction) error {
	if err := shipments.PutOver(tx, w.row, w.Shipment); err != nil {
		return err
	}
	for i, c := range w.boxes {
		c.ship = w.Shipment
		c.copyShipment()
		if err := containers.PutOver(tx, w.rows[i], c); err != nil {
			return err
		}
	}
	return nil
}

// The most that a list of short texts may hold.
const (
	maxList = 100
	maxText = 255
)

// checkList trims a list of short texts; every member must be sayable.
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

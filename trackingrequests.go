package tracking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/assignment"
	"github.com/landfallhq/tracking/internal/factlog"
	"github.com/landfallhq/tracking/internal/report"
	"github.com/landfallhq/tracking/internal/schedule"
	"github.com/landfallhq/tracking/internal/search"
	"github.com/landfallhq/tracking/internal/table"
	"github.com/landfallhq/tracking/store"
)

// RequestStatus is the state of a tracking request (see
// docs/contract.md#tracking-requests).
type RequestStatus string

// The states of a tracking request.
const (
	RequestPending          RequestStatus = "pending"
	RequestAwaitingManifest RequestStatus = "awaiting_manifest"
	RequestCreated          RequestStatus = "created"
	RequestFailed           RequestStatus = "failed"
	RequestStopped          RequestStatus = "tracking_stopped"
)

var requestStatuses = []RequestStatus{RequestPending, RequestAwaitingManifest, RequestCreated, RequestFailed, RequestStopped}

// TrackingRequest is a request to track a number (see docs/contract.md#tracking-requests).
// Times are UTC.
type TrackingRequest struct {
	Meta
	// TrackedObject is the shipment; zero (null) until the request succeeds.
	TrackedObject ID       `rel:"tracked_object,shipment"`
	Customer      ID       `rel:"customer,party"` // the party that the shipment is for; null for none
	User          ID       `rel:"user,user"`      // who made it; zero (null) for a key without a user
	_             struct{} `rel:"custom_fields,custom_field,inverse"`
	_             struct{} `rel:"account,account,inverse,one"`
	_             struct{} `rel:"shipping_line,shipping_line,inverse,one"` // null while it is being detected

	RequestNumber string        `attr:"request_number"` // as given
	RequestType   RequestType   `attr:"request_type"`   // corrected by detection if the number is unambiguous
	SCAC          string        `attr:"scac,null"`      // null while detection is pending
	Status        RequestStatus `attr:"status"`
	// FailedReason is why the last attempt failed, also while it is retried; empty (null)
	// otherwise.
	FailedReason FailedReason `attr:"failed_reason,null"`
	IsRetrying   bool         `attr:"is_retrying"` // an attempt has failed, and another will follow
	RetryCount   int          `attr:"retry_count"` // retries so far
	RefNumbers   []string     `attr:"ref_numbers"` // given to the shipment
	Tags         []string     `attr:"tags"`        // given to the shipment
	CreatedAt    time.Time    `attr:"created_at"`  // when it was made
	UpdatedAt    time.Time    `attr:"updated_at"`  // when the record last changed

	trackingRequestInternals
}

// trackingRequestInternals is what the engine stores with a tracking request and does not show.
type trackingRequestInternals struct {
	// Polls is how often a source was asked.
	Polls int `private:"polls"`
	// Fault is the cause of FailedReason from a source, one line for the operator.
	Fault string `private:"fault"`
	// LeaveAloneUntil is when the carrier accepts the next query, by its Retry-After; zero
	// for any time.
	LeaveAloneUntil time.Time `private:"leave_alone_until"`
	// Detection is the state of the detection of the line; zero when it has a line.
	Detection detection `private:"detection"`
	// InitialFields are the custom fields for its shipment and containers.
	InitialFields []initialValue `private:"initial_custom_fields"`
}

var trackingRequests = newKind("tracking_request", []column[TrackingRequest]{
	table.TextColumn("status", func(r *TrackingRequest) string { return string(r.Status) }),
	table.TextColumn("scac", func(r *TrackingRequest) string { return r.SCAC }),
	table.IDColumn("shipment", func(r *TrackingRequest) ID { return r.TrackedObject }),
	table.TimeColumn("created_at", func(r *TrackingRequest) time.Time { return r.CreatedAt }),
	table.TimeColumn("updated_at", func(r *TrackingRequest) time.Time { return r.UpdatedAt }),
}, func(r *TrackingRequest) []store.Term {
	if r.TrackedObject != (ID{}) { // a search finds the shipment instead
		return slices.Concat(table.Terms("number", r.keys()), table.Terms(search.NumberTerm, r.search()))
	}
	return slices.Concat(table.Terms("number", r.keys()), search.Terms(r.search(), r.Tags))
}, nil).TermsVersion(search.TermsVersion)

// setUpdatedAt is called by Put when the record has changed.
func (r *TrackingRequest) setUpdatedAt(at time.Time) { r.UpdatedAt = at }

func (r *TrackingRequest) number() ShipmentNumber {
	return ShipmentNumber{Type: r.RequestType, Number: r.RequestNumber}
}

func (r *TrackingRequest) ref() Ref { return Ref{Type: "tracking_request", ID: r.ID} }

func (r *TrackingRequest) keys() []string { return r.number().Keys(r.SCAC) }

// HasNumber reports whether a number is the request's, in any spelling, with or without the
// carrier's prefix.
func (r *TrackingRequest) HasNumber(number string) bool {
	return slices.Contains(r.keys(), freight.FoldNumber(number))
}

func (r *TrackingRequest) search() []string {
	return slices.Concat(r.keys(), foldNumbers(r.RefNumbers))
}

// live reports whether the request still waits for an answer.
func (r *TrackingRequest) live() bool {
	return r.Status == RequestPending || r.Status == RequestAwaitingManifest
}

// TrackingRequestQuery selects tracking requests, last created first.
type TrackingRequestQuery struct {
	// Search finds requests with a number or reference number that begins with it (the
	// deprecated parameter q).
	Search   string
	Numbers  []string // in any spelling, with or without the carrier's prefix
	Statuses []RequestStatus
	SCACs    []string // primary or alternative
	Created  TimeRange
	Updated  TimeRange
	// Shipment that the requests have led to; zero for any.
	Shipment ID
	// CustomFields are conditions on the custom fields of the requests.
	CustomFields []FieldCondition
	// Sort by created_at, updated_at or custom_fields.<slug>; records without a value come
	// last in both directions. Empty means last created first.
	Sort []Order
}

func (q TrackingRequestQuery) resourceType() *table.Schema { return trackingRequests.Schema }
func (q TrackingRequestQuery) filter() store.Filter {
	w := q.where()
	return w.Filter(trackingRequests)
}

func (q TrackingRequestQuery) list(tx *transaction, p Page, to []store.Record) ([]store.Record, int, error) {
	q.SCACs = primarySCACs(tx.engine, q.SCACs)
	return listByFields(tx, TrackingRequestEntity, q, q.CustomFields, p, to)
}

func (q TrackingRequestQuery) where() where[TrackingRequest] {
	w := where[TrackingRequest]{Sort: creationOrder(q.Sort)}
	if q.Search != "" {
		w.HasPrefix("search", freight.FoldNumber(q.Search), (*TrackingRequest).search)
	}
	w.Has("number", foldNumbers(q.Numbers), (*TrackingRequest).keys)
	w.Text("status", textsOf(q.Statuses), func(r *TrackingRequest) string { return string(r.Status) })
	w.Text("scac", q.SCACs, func(r *TrackingRequest) string { return r.SCAC })
	w.Times("created_at", q.Created.From, q.Created.To, func(r *TrackingRequest) time.Time { return r.CreatedAt })
	w.Times("updated_at", q.Updated.From, q.Updated.To, func(r *TrackingRequest) time.Time { return r.UpdatedAt })
	if q.Shipment != (ID{}) {
		w.IDs("shipment", []ID{q.Shipment}, func(r *TrackingRequest) ID { return r.TrackedObject })
	}
	return w
}

// NewTrackingRequest has the arguments of CreateTrackingRequest.
type NewTrackingRequest struct {
	// Number as printed by the carrier, 1 to 50 characters.
	Number string
	// Type of the number.
	Type RequestType
	// SCAC, primary or alternative, of a known line. Empty starts detection.
	SCAC string
	// AutoDetect has no effect. Clients of the published interface send it with an empty
	// SCAC, and that is what starts the detection.
	AutoDetect bool
	// RefNumbers and Tags are given to the shipment when the request succeeds.
	RefNumbers []string
	Tags       []string
	// Customer is a party of the account, or zero.
	Customer ID
	// CustomFields are given to the shipment and its containers when the request
	// succeeds (see docs/customfields.md#tracking-requests).
	CustomFields InitialCustomFields
}

// CreateTrackingRequest begins to track a number. It returns at once: a source is asked in
// the background, and the request shows the result. If the account has the shipment
// already, the request succeeds at once. Needs create.
//
// Errors: Invalid on request_number (blank, too_long, duplicate with
// meta.tracking_request_id), request_type, scac (not_recognized, not_supported),
// ref_numbers, tags, relationships/customer, and on initial_custom_fields.shipment[i] and
// .containers[i] as SetCustomField, and also number (invalid) and api_slug (taken).
func (t *Tracker) CreateTrackingRequest(ctx context.Context, n NewTrackingRequest, once ...Once) (*TrackingRequest, error) {
	if err := t.allow(Create); err != nil {
		return nil, err
	}
	r, err := t.validRequest(n)
	if err != nil {
		return nil, err
	}
	return createOnceWithin(ctx, t, once, trackingRequests, t.withAccount, func(tx *transaction) (*TrackingRequest, error) {
		made := *r
		if err := made.setInitialFields(tx, n.CustomFields, t.actor.Via); err != nil {
			return nil, err
		}
		return &made, admitRequest(tx, &made)
	})
}

const maxNumber = report.MaxNumber

// validRequest checks what can be checked without the store.
func (t *Tracker) validRequest(n NewTrackingRequest) (*TrackingRequest, error) {
	var faults Errors
	fault := func(err error) {
		if err != nil {
			faults = append(faults, err.(*Error))
		}
	}
	number := strings.TrimSpace(n.Number)
	fault(checkText("request_number", number, maxNumber))
	if number != "" && freight.FoldNumber(number) == "" {
		fault(invalid("request_number", "invalid", "Request number holds neither letters nor digits"))
	}
	if n.Type == "booking" { // the name in older guides of the published interface
		n.Type = BookingNumber
	}
	if !slices.Contains([]RequestType{BillOfLading, BookingNumber, ContainerNumber}, n.Type) {
		fault(invalid("request_type", "inclusion", "Request type '%s' is not one of bill_of_lading, booking_number, container", n.Type))
	}
	scac, err := t.requestedLine(n.SCAC, n.Type)
	fault(err)
	refs, tags := checkList(&faults, "ref_numbers", n.RefNumbers), checkTags(&faults, "tags", n.Tags)
	if err := faults.or(); err != nil {
		return nil, err
	}
	return &TrackingRequest{
		RequestNumber: number, RequestType: n.Type, SCAC: scac, Status: RequestPending,
		RefNumbers: refs, Tags: tags, Customer: n.Customer, User: t.actor.User,
	}, nil
}

// requestedLine returns the primary SCAC of the line; empty starts the detection.
func (t *Tracker) requestedLine(scac string, typ RequestType) (string, error) {
	scac = strings.ToUpper(strings.TrimSpace(scac))
	if scac == "" {
		return "", nil
	}
	line, ok := t.line(scac)
	if !ok {
		near := ""
		if l, ok := t.nearestLine(scac); ok {
			near = fmt.Sprintf(". The nearest shipping line is %s, with the SCAC '%s'", l.ShortName, l.SCAC)
		}
		return "", invalid("scac", "not_recognized", "Scac '%s' is not recognized%s", scac, near)
	}
	supported := map[RequestType]bool{BillOfLading: line.BillOfLading, BookingNumber: line.BookingNumber, ContainerNumber: line.ContainerNumber}
	if known, ok := supported[typ]; ok && !known && t.config.Sources[line.SCAC] == nil {
		return "", invalid("scac", "not_supported", "Scac '%s' is not supported for %s. We do not currently integrate with %s for such numbers", scac, typ, line.Name)
	}
	return line.SCAC, nil
}

// admitRequest refuses duplicates, links an existing shipment, or else enqueues the query
// of a source. It refuses before it writes, so that other requests can be admitted in the
// same transaction.
func admitRequest(tx *transaction, r *TrackingRequest) error {
	if r.Customer != (ID{}) {
		if _, err := customer(tx, r.Customer); err != nil {
			return err
		}
	}
	if err := refuseDuplicate(tx, r); err != nil {
		return err
	}
	s, err := shipmentFor(tx, r)
	if err != nil {
		return err
	}
	if s != nil {
		r.SCAC = cmp.Or(s.ShippingLineSCAC, r.SCAC)
		if err := refuseDuplicate(tx, r); err != nil {
			return err
		}
	}
	r.CreatedAt = tx.Now
	if err := trackingRequests.Put(tx, r); err != nil {
		return err
	}
	if err := applyDefaults(tx, TrackingRequestEntity, r.ref()); err != nil {
		return err
	}
	if s != nil && !s.removed() {
		return succeedWith(tx, r, s)
	}
	if made, err := followKnown(tx, r, s); made || err != nil {
		return err
	}
	return tx.enqueue(requestJob(r, tx.Now))
}

// followKnown creates the shipment of a request from facts that are stored for other
// shipments, because a requested number has its own shipment. removed is a removed shipment
// of the number, or nil. It reports whether any fact has the number.
func followKnown(tx *transaction, r *TrackingRequest, removed *Shipment) (bool, error) {
	if r.SCAC == "" || r.RequestType == ContainerNumber {
		return false, nil
	}
	of := &trackedNumber{ShipmentNumber: r.number(), SCAC: r.SCAC, askedAt: r.CreatedAt}
	if removed != nil {
		of.Shipment = removed.ID
	}
	p, err := newPlan(tx, Report{Source: "request", Silent: true}, ingestOptions{tracked: of, updateTracked: func(tx *transaction, s *Shipment, list []*Container) error {
		if err := succeed(tx, r, s); err != nil {
			return err
		}
		return endStopAndAnnounce(tx, s, list)
	}})
	if err != nil || !slices.ContainsFunc(p.drafts, func(d *draft) bool { return d.followed && len(d.facts) > 0 }) {
		return false, err
	}
	_, err = p.write(tx)
	return true, err
}

// refuseDuplicate refuses a request if another one for the same number and line is pending,
// awaiting_manifest or created.
func refuseDuplicate(tx *transaction, r *TrackingRequest) error {
	if r.SCAC == "" {
		return nil
	}
	other, err := duplicateOf(tx, r)
	if err != nil || other == nil {
		return err
	}
	return duplicateFault(r, other)
}

func duplicateFault(r, other *TrackingRequest) error {
	of := fmt.Sprintf("Request number '%s'", r.RequestNumber)
	if r.SCAC != "" {
		of += fmt.Sprintf(" with scac '%s'", r.SCAC)
	}
	fault := invalid("request_number", "duplicate", "%s already exists in a tracking_request with a pending or created status", of)
	fault.Meta = map[string]any{"tracking_request_id": other.ID.String()}
	return fault
}

func duplicateOf(tx *transaction, r *TrackingRequest) (*TrackingRequest, error) {
	same, err := trackingRequests.All(tx, TrackingRequestQuery{
		Numbers: r.keys(), SCACs: []string{r.SCAC},
		Statuses: []RequestStatus{RequestPending, RequestAwaitingManifest, RequestCreated},
	}.where())
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(same, func(other *TrackingRequest) bool { return other.ID != r.ID })
	if i < 0 {
		return nil, nil
	}
	return same[i], nil
}

// shipmentFor finds the existing shipment of the request's number. For a request without a
// line there must be exactly one, whose line is known.
func shipmentFor(tx *transaction, r *TrackingRequest) (*Shipment, error) {
	if r.RequestType == ContainerNumber {
		return shipmentOfContainer(tx, r)
	}
	rows, err := shipmentsNumbered(tx, r.keys())
	if err != nil {
		return nil, err
	}
	list, err := shipments.DecodeAll(rows)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(s *Shipment) bool { return !s.numbers().IsFollowedBy(r.number(), r.SCAC) })
	if len(list) == 0 || r.SCAC == "" && (len(list) > 1 || list[0].ShippingLineSCAC == "") {
		return nil, nil
	}
	return list[0], nil
}

// succeedWith links a request to an existing shipment, and resumes its tracking if that was
// stopped.
func succeedWith(tx *transaction, r *TrackingRequest, s *Shipment) error {
	s.learnLine(tx, r.SCAC)
	if err := succeed(tx, r, s); err != nil {
		return err
	}
	if s.stopped() {
		if err := resumeStored(tx, s); err != nil {
			return err
		}
	} else if err := scheduleRefresh(tx, s, tx.Now); err != nil {
		return err
	}
	if err := putShipment(tx, s); err != nil {
		return err
	}
	return s.applyInitialFields(tx, false, nil)
}

// learnLine sets the line of a shipment without one to that of a request.
func (s *Shipment) learnLine(tx *transaction, scac string) {
	if s.ShippingLineSCAC != "" || scac == "" {
		return
	}
	if s.CreatedAt.Before(tx.Now) {
		s.LineSince = tx.Now
	}
	s.setLine(tx.engine, scac)
}

// succeed copies the values of the request to the shipment (see
// docs/contract.md#tracking-requests) and writes the request. The caller writes the
// shipment and then calls its applyInitialFields.
func succeed(tx *transaction, r *TrackingRequest, s *Shipment) error {
	s.RefNumbers, s.Tags = union(s.RefNumbers, r.RefNumbers), union(s.Tags, r.Tags)
	if r.Customer != (ID{}) {
		if err := s.setCustomer(tx, r.Customer); err != nil {
			return err
		}
	}
	if err := s.askedFor(tx, r); err != nil {
		return err
	}
	if err := r.passInitialFields(tx, s); err != nil {
		return err
	}
	if s.numbers().IsFollowedBy(r.number(), r.SCAC) {
		s.recordRequest(r.number(), r.CreatedAt)
	}
	r.TrackedObject, r.Status, r.FailedReason, r.IsRetrying, r.Fault = s.ID, RequestCreated, "", false, ""
	if r.SCAC == "" {
		r.SCAC = s.ShippingLineSCAC
	}
	if err := trackingRequests.Put(tx, r); err != nil {
		return err
	}
	// Announced even if the report is silent: the event is about the request.
	tx.announceRequest(freight.TrackingRequestSucceeded, r, s.ID)
	return nil
}

// askedFor sets when the tracking of a shipment began: at its first request before the
// first answer of its source. Earlier milestones are history, even if reports had created
// the shipment before.
func (s *Shipment) askedFor(tx *transaction, r *TrackingRequest) error {
	if !s.LineTrackingLastSucceeded.IsZero() {
		return nil
	}
	already, err := isFollowed(tx, s)
	if err == nil && (!already || r.CreatedAt.Before(s.Since)) {
		s.Since = r.CreatedAt
	}
	return err
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// completeRequests completes the requests that wait for one of the shipment's numbers, or
// for one of the named containers, which can be among numbers, and begins to track the shipment for them. asked: its
// source has just answered, so the next query is enqueued already. The caller writes the
// shipment.
func completeRequests(tx *transaction, s *Shipment, list []*Container, numbers, named []string, asked bool) error {
	waiting, err := waitingRequests(tx, union(numbers, named), func(r *TrackingRequest) bool {
		return r.RequestType != ContainerNumber || slices.Contains(named, freight.FoldNumber(r.RequestNumber))
	})
	if err != nil {
		return err
	}
	settled, completed := asked, false
	for _, r := range waiting {
		if assignment.LinesDiffer(s.ShippingLineSCAC, r.SCAC) || r.RequestType != ContainerNumber && !s.numbers().IsFollowedBy(r.number(), r.SCAC) {
			continue
		}
		// A request without a line is completed by detection, which checks whether it is a
		// duplicate.
		if r.SCAC == "" {
			if err := tx.enqueueBy(requestJob(r, tx.Now)); err != nil {
				return err
			}
			continue
		}
		if !settled && !completed {
			if settled, err = isFollowed(tx, s); err != nil {
				return err
			}
		}
		s.learnLine(tx, r.SCAC)
		if err := succeed(tx, r, s); err != nil {
			return err
		}
		completed = true
	}
	switch {
	case !completed:
		return nil
	case s.stopped():
		return resume(tx, s, list)
	case settled:
		return nil
	}
	return scheduleRefresh(tx, s, tx.Now.Add(tx.engine.config.refreshInterval(s, list, tx.Now)))
}

// waitingRequests returns the requests that wait for one of the numbers, and that wanted
// accepts.
func waitingRequests(tx *transaction, numbers []string, wanted func(*TrackingRequest) bool) (list []*TrackingRequest, err error) {
	rows, err := listAll(tx, trackingRequests, requestQueries(numbers))
	if err != nil {
		return nil, err
	}
	found, err := trackingRequests.DecodeAll(rows)
	for _, r := range found {
		if r.live() && wanted(r) && !slices.ContainsFunc(list, func(o *TrackingRequest) bool { return o.ID == r.ID }) {
			list = append(list, r)
		}
	}
	return list, err
}

// isFollowed reports whether the shipment's source is asked already, for an earlier
// request.
func isFollowed(tx *transaction, s *Shipment) (bool, error) {
	if s.ShippingLineSCAC == "" {
		return false, nil // no source could be asked so far
	}
	_, n, err := trackingRequests.List(tx,
		TrackingRequestQuery{Shipment: s.ID, Statuses: []RequestStatus{RequestCreated}}.where(), Page{Number: 1, Size: 1})
	return n > 0, err
}

// TrackingRequest returns one request. Needs show. Errors: NotFound.
func (t *Tracker) TrackingRequest(ctx context.Context, id ID) (*TrackingRequest, error) {
	return get(ctx, t, trackingRequests, id)
}

// TrackingRequests returns a page of requests, last created first. Needs show.
func (t *Tracker) TrackingRequests(ctx context.Context, q TrackingRequestQuery, p Page) ([]*TrackingRequest, int, error) {
	return list(ctx, t, trackingRequests, q, p)
}

// TrackingRequestUpdate has the attributes that users may change. Fields that are not set
// stay. The shipment of the request is not changed.
type TrackingRequestUpdate struct {
	RefNumbers Opt[[]string]
	Tags       Opt[[]string]
	Customer   Opt[ID] // the zero ID clears it
	IfVersion  int64
}

// UpdateTrackingRequest changes a request. Needs update.
// Errors: NotFound; Stale; Invalid on ref_numbers, tags, relationships/customer.
func (t *Tracker) UpdateTrackingRequest(ctx context.Context, id ID, u TrackingRequestUpdate) (*TrackingRequest, error) {
	if err := t.allow(Update); err != nil {
		return nil, err
	}
	var faults Errors
	refs, tags := checkList(&faults, "ref_numbers", u.RefNumbers.Value), checkTags(&faults, "tags", u.Tags.Value)
	if err := faults.or(); err != nil {
		return nil, err
	}
	return updateFound(ctx, t, "tracking_request.update", u.IfVersion, withID(trackingRequests, id), func(tx *transaction, r *TrackingRequest) error {
		if u.RefNumbers.Set {
			r.RefNumbers = refs
		}
		if u.Tags.Set {
			r.Tags = tags
		}
		if u.Customer.Set {
			if r.Customer = u.Customer.Value; r.Customer != (ID{}) {
				if _, err := customer(tx, r.Customer); err != nil {
					return err
				}
			}
		}
		return trackingRequests.Put(tx, r)
	})
}

// The published schedule of retries (see docs/contract.md#tracking-requests).
const (
	maxRetries    = 14 // 24.9 hours without the jitter of schedule.RetryDelay
	awaitingEvery = 24 * time.Hour
	withoutSource = time.Hour
)

func requestJob(r *TrackingRequest, at time.Time) store.Job {
	return store.Job{ID: table.NamedID("job/request", r.ID.String()), Kind: jobRequest, Group: r.line(), Ref: r.ID, Due: at}
}

// pollRequest asks a source for the number of a request, and updates the request.
func (t *Tracker) pollRequest(ctx context.Context, j store.Job) error {
	r, err := t.beginPoll(ctx, j)
	if err != nil || r == nil {
		return err
	}
	source := t.config.Sources[r.line()]
	if source == nil {
		t.logNoSource(r.line())
		return t.settleRequest(ctx, j, nil, 0)
	}
	scac, began := r.line(), time.Now()
	answer, err := t.querySource(ctx, source, SourceQuery{
		Number: r.RequestNumber, Normalized: freight.NormalizeNumber(r.RequestNumber, r.line()), Type: r.RequestType, SCAC: r.line(), Now: t.now(), Since: r.CreatedAt, Poll: r.Polls,
	})
	if err == nil && len(answer.Report.Facts) == 0 {
		err = &SourceError{Reason: freight.NumberNotFound, Err: errors.New("the answer holds nothing")}
	}
	took := time.Since(began)
	if err != nil {
		t.config.Observer.sourceAnswered(scac, took, err)
		return t.settleRequest(ctx, j, err, answer.Next)
	}
	err = t.ingestAnswer(ctx, j, answer, ingestOptions{
		tracked:      &trackedNumber{ShipmentNumber: r.number(), SCAC: r.line(), askedAt: r.CreatedAt},
		silentBefore: r.CreatedAt,
		updateTracked: func(tx *transaction, s *Shipment, list []*Container) error {
			if err := succeedIfLive(tx, j.Ref, s, list); err != nil {
				return err
			}
			return t.refreshed(tx, j, s, list, factlog.Sum(answer.Report), answer.Next)
		},
	})
	t.config.Observer.sourceAnswered(scac, took, err)
	if err != nil && !errors.Is(err, store.ErrLeaseLost) {
		return t.settleRequest(ctx, j, err, 0)
	}
	return err
}

// logNoSource logs once for each line that nobody can be asked about it.
func (e *engine) logNoSource(scac string) {
	if _, logged := e.noSource.LoadOrStore(scac, true); !logged {
		e.log.Warn("no source for a shipping line: tracking requests for it stay pending until their numbers are reported or imported", "scac", scac)
	}
}

// RequestWarnings returns what keeps a new tracking request from being answered: the code
// is no_source if no source is asked about its number.
func (r Rendered) RequestWarnings(q *TrackingRequest) []Warning {
	e, scac := r.t.engine, q.SCAC
	if !q.live() {
		return nil
	}
	if scac == "" {
		i, err := e.inferNumber(q.RequestNumber)
		switch {
		case err != nil || len(i.Candidates) == 0 || e.asksAny(i.Candidates):
			return nil
		case i.Decision != AutoSelect:
			return noSource("This server is not connected to a shipping line that the number may belong to, so the line cannot be detected. Give the scac, and report or import facts about the number")
		}
		scac = i.Selected().SCAC
	}
	if e.config.Sources[scac] != nil {
		return nil
	}
	line, _ := e.knownLine(scac)
	return noSource("This server is not connected to %s (%s). The request stays pending until facts about the number are reported or imported, and fails at %s",
		line.Name, scac, q.CreatedAt.Add(e.config.RequestWindow).Format(time.RFC3339))
}

func noSource(detail string, args ...any) []Warning {
	return []Warning{{Code: "no_source", Field: "scac", Detail: fmt.Sprintf(detail, args...)}}
}

// asksAny reports whether one of the lines has a source.
func (e *engine) asksAny(lines []LineCandidate) bool {
	return slices.ContainsFunc(lines, func(c LineCandidate) bool { return e.config.Sources[c.SCAC] != nil })
}

func succeedIfLive(tx *transaction, id ID, s *Shipment, list []*Container) error {
	r, err := trackingRequests.Get(tx, id)
	if err != nil {
		return err
	}
	if r.Status == RequestFailed {
		return &SourceError{Reason: r.FailedReason} // nothing is written: its account was closed meanwhile
	}
	if !r.live() {
		return nil
	}
	if r.SCAC == "" {
		if other, err := r.takeCandidate(tx); err != nil {
			return err
		} else if other != nil {
			return &SourceError{Reason: freight.DuplicateRequest} // nothing is written: the other request tracks the number
		}
	}
	r.Polls++
	s.Polls = r.Polls - 1 // refreshed adds this query
	if err := succeed(tx, r, s); err != nil {
		return err
	}
	return endStopAndAnnounce(tx, s, list)
}

// beginPoll returns the request to ask a source for, or nil if there is none: it is
// complete, has just expired, or needs detection of its line.
func (t *Tracker) beginPoll(ctx context.Context, j store.Job) (ask *TrackingRequest, err error) {
	err = t.update(ctx, j.Account, func(tx *transaction) error {
		ask = nil
		r, err := trackingRequests.Get(tx, j.Ref)
		if err != nil {
			return err
		}
		switch {
		case !r.live():
			return tx.Records.Finish(tx, j)
		case t.outOfTime(tx, r):
			return t.fail(tx, j, r, expiryReason(r))
		case r.SCAC == "":
			ask, err = t.detect(tx, j, r)
			return err
		}
		ask = r
		return nil
	})
	return ask, err
}

func (t *Tracker) outOfTime(tx *transaction, r *TrackingRequest) bool {
	return !tx.Now.Before(r.CreatedAt.Add(t.config.RequestWindow))
}

func expiryReason(r *TrackingRequest) FailedReason {
	if r.Status == RequestAwaitingManifest {
		return freight.NumberNotFound
	}
	return freight.RequestExpired
}

// settleRequest updates a request after an attempt without facts. cause is nil if there was
// no source to ask. next is when the source wants to be asked again; 0 if it did not say.
func (t *Tracker) settleRequest(ctx context.Context, j store.Job, cause error, next time.Duration) error {
	return t.update(ctx, j.Account, func(tx *transaction) error {
		r, err := trackingRequests.Get(tx, j.Ref)
		if err != nil {
			return err
		}
		if !r.live() {
			return tx.Records.Finish(tx, j)
		}
		if cause == nil {
			// Facts can still come by report or import, and a source with the next start of
			// the program. The request waits for them.
			return t.again(tx, j, r, tx.Now.Add(withoutSource))
		}
		r.Polls++
		r.Fault = oneLine(cause)
		if wait := retryAfter(cause); wait > 0 {
			r.LeaveAloneUntil = tx.Now.Add(wait)
		}
		return t.judge(tx, j, r, reasonOf(cause), next)
	})
}

// sourceReasons are the reasons for an answer without facts. The others, RequestExpired and
// RetriesExhausted, are results of a request, which the engine decides.
var sourceReasons = []FailedReason{
	freight.BookingCancelled, freight.DuplicateRequest, freight.ProcessingError, freight.InvalidNumber, freight.NumberNotFound,
	freight.LineUnreachable, freight.UnrecognizedResponse, freight.DataUnavailable, freight.SCACAutoDetectFailed,
}

// reasonOf returns the reason of a source's error.
func reasonOf(err error) FailedReason {
	var s *SourceError
	if errors.As(err, &s) {
		if !slices.Contains(sourceReasons, s.Reason) {
			return freight.ProcessingError // an unknown reason is a fault of the source, and is not shown to users
		}
		return s.Reason
	}
	var e *Error
	if errors.As(err, &e) && e.Kind == BadDocument {
		return freight.UnrecognizedResponse
	}
	return freight.LineUnreachable
}

// judge updates a request after a failed attempt (see docs/contract.md#tracking-requests).
func (t *Tracker) judge(tx *transaction, j store.Job, r *TrackingRequest, reason FailedReason, next time.Duration) error {
	if r.SCAC == "" {
		return t.rejectCandidate(tx, j, r, reason)
	}
	switch reason {
	case freight.NumberNotFound:
		if r.RequestType == ContainerNumber {
			return t.fail(tx, j, r, reason)
		}
		awaitManifest(tx, r)
		return t.again(tx, j, r, tx.Now.Add(cmp.Or(next, awaitingEvery)))
	case freight.LineUnreachable, freight.UnrecognizedResponse, freight.ProcessingError:
		if r.RetryCount == maxRetries {
			return t.fail(tx, j, r, freight.RetriesExhausted)
		}
		delay := schedule.RetryDelay(r.RetryCount, t.config.Rand())
		r.FailedReason, r.IsRetrying = reason, true
		r.RetryCount++
		return t.again(tx, j, r, tx.Now.Add(delay))
	}
	return t.fail(tx, j, r, reason)
}

// awaitManifest sets the state of a number that the line does not know yet, and announces
// it the first time. The caller writes the request.
func awaitManifest(tx *transaction, r *TrackingRequest) {
	if r.Status != RequestAwaitingManifest {
		tx.announceRequest(freight.TrackingRequestAwaitingManifest, r, ID{})
	}
	r.Status, r.FailedReason, r.IsRetrying = RequestAwaitingManifest, freight.NumberNotFound, false
}

// again enqueues the next attempt: not before LeaveAloneUntil, and at the latest when the
// request expires.
func (t *Tracker) again(tx *transaction, j store.Job, r *TrackingRequest, at time.Time) error {
	at = schedule.Latest(at, r.LeaveAloneUntil)
	if end := r.CreatedAt.Add(t.config.RequestWindow); at.After(end) {
		at = end
	}
	if err := tx.Records.Finish(tx, j); err != nil {
		return err
	}
	if err := trackingRequests.Put(tx, r); err != nil {
		return err
	}
	return tx.enqueue(requestJob(r, at))
}

func (t *Tracker) fail(tx *transaction, j store.Job, r *TrackingRequest, reason FailedReason) error {
	if err := failRequest(tx, r, reason); err != nil {
		return err
	}
	return tx.Records.Finish(tx, j)
}

// failRequest ends a request without result.
func failRequest(tx *transaction, r *TrackingRequest, reason FailedReason) error {
	r.Status, r.FailedReason, r.IsRetrying = RequestFailed, reason, false
	if err := trackingRequests.Put(tx, r); err != nil {
		return err
	}
	tx.announceRequest(freight.TrackingRequestFailed, r, ID{})
	return nil
}

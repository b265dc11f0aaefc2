package httpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/ratelimit"
	"github.com/landfallhq/tracking/jsonapi"
)

var acceptRequests = jsonapi.Accept{
	Page: true, Include: true,
	Filters: slices.Concat([]string{"request_number", "status", "scac"}, createdAt, updatedAt, customFieldFilters),
	Sorts:   []string{"created_at", "updated_at", customFieldSorts},
}

func requestQuery(f *filters) tracking.Query {
	q := tracking.TrackingRequestQuery{
		Search:  f.param("q"),
		Numbers: f.list("request_number"),
		SCACs:   f.upper("scac"),
		Created: f.times(createdAt),
		Updated: f.times(updatedAt),

		CustomFields: f.customFields(),
		Sort:         f.sort(),
	}
	for _, status := range f.OneOf("status", textsOf(tracking.Describe().RequestStatuses)...).Value {
		q.Statuses = append(q.Statuses, tracking.RequestStatus(status))
	}
	return q
}

// createRequest creates a tracking request. Its meta says if nobody is asked about it.
func createRequest(req *request) error {
	r, err := createRecord(req, newRequest, (*tracking.Tracker).CreateTrackingRequest)
	if err != nil {
		return err
	}
	req.warnings = req.requestWarnings(r)
	return req.respondCreated("tracking_request", r.ID)
}

// requestWarnings returns the warnings about a new tracking request.
func (req *request) requestWarnings(r *tracking.TrackingRequest) (warnings []writeWarning) {
	for _, w := range req.t.Rendered().RequestWarnings(r) {
		warnings = append(warnings, writeWarning{Code: w.Code, Detail: w.Detail + ".", Source: jsonapi.Source{Pointer: "/data/attributes/" + w.Field}})
	}
	return warnings
}

func newRequest(in *input) tracking.NewTrackingRequest {
	in.Type("tracking_request")
	return tracking.NewTrackingRequest{
		Number:       in.String("request_number").Value,
		Type:         tracking.RequestType(in.String("request_type").Value),
		SCAC:         in.String("scac").Value,
		AutoDetect:   in.Bool("auto_detect_vocc_scac").Value,
		RefNumbers:   in.Strings("ref_numbers").Value,
		Tags:         in.stringsNamed("tags", "shipment_tags", "tags").Value,
		Customer:     in.readCustomer().Value,
		CustomFields: readInitialFields(in),
	}
}

// readInitialFields reads the custom fields to set on the shipment and the containers
// of the request.
func readInitialFields(in *input) (initial tracking.InitialCustomFields) {
	both := in.Object("initial_custom_fields").Value
	read := func(name string) (list []tracking.InitialCustomField) {
		for _, f := range both.Objects(name).Value {
			list = append(list, tracking.InitialCustomField{
				APISlug: f.String("api_slug").Value, Value: rawValue(f.Raw("value")), Number: f.String("number").Value,
			})
		}
		return list
	}
	initial.Shipment, initial.Containers = read("shipment"), read("containers")
	return initial
}

func requestUpdate(in *input) tracking.TrackingRequestUpdate {
	in.TypeIfSet("tracking_request")
	return tracking.TrackingRequestUpdate{
		RefNumbers: readRequestRefs(in),
		Tags:       opt(in.stringsNamed("tags", "tags", "shipment_tags")),
		Customer:   in.readCustomer(),
		IfVersion:  in.ifVersion,
	}
}

// readRequestRefs reads ref_numbers, or else ref_number, which is a single reference.
func readRequestRefs(in *input) tracking.Opt[[]string] {
	if in.Has("ref_numbers") || !in.Has("ref_number") {
		return opt(in.Strings("ref_numbers"))
	}
	in.setSentName("ref_numbers", "ref_number")
	one := in.String("ref_number")
	if one.Null {
		return tracking.Set([]string{})
	}
	return tracking.Set([]string{one.Value})
}

var bulkRequestBody = jsonapi.Limits{Bytes: 4 << 20, Depth: 32, Elements: 1_000}

// bulkRequest is one item of a bulk request.
type bulkRequest struct {
	request tracking.NewTrackingRequest
	ignored []string
	sent    map[string]string // see request.sentNames
	err     error
}

// createRequests creates up to 100 tracking requests. The rate limit must have room
// for all of them; then each succeeds or fails separately.
func createRequests(req *request) error {
	data, err := req.readBody()
	if err != nil {
		return err
	}
	in, err := req.readHeaders(data)
	if err != nil {
		return err
	}
	if in.ifVersion != 0 {
		return errUnversioned
	}
	items, err := req.readBulkRequests(in, data)
	if err != nil {
		return err
	}
	if err := req.limiter.chargeExtra(req.ctx(), req.actor, inCreate, len(items)-1); err != nil {
		return err
	}
	results, err := req.createValid(items, in.once)
	if err != nil {
		return err
	}
	return req.respondBulkRequests(items, results)
}

// readBulkRequests reads the items of data. Each has the form of data in POST
// /tracking_requests.
func (req *request) readBulkRequests(in *input, data []byte) ([]bulkRequest, error) {
	members, err := jsonapi.ParseObject(data, bulkRequestBody)
	if err != nil {
		return nil, err
	}
	in.Decoder = jsonapi.ObjectFields(members)
	var list []json.RawMessage
	if text := in.Raw("data").Value; len(text) == 0 || text[0] != '[' || json.Unmarshal(text, &list) != nil {
		return nil, jsonapi.FieldErrors{{Pointer: "/data", Code: jsonapi.CodeBlank, Detail: "data must be an array of tracking requests."}}
	}
	if len(list) == 0 || len(list) > tracking.MaxBulkRequests {
		return nil, jsonapi.FieldErrors{{Pointer: "/data", Code: "too_long", Detail: fmt.Sprintf("data must hold 1 to %d tracking requests, not %d.", tracking.MaxBulkRequests, len(list))}}
	}
	items := make([]bulkRequest, len(list))
	for i, raw := range list {
		items[i] = req.readBulkRequest(raw)
	}
	return items, nil
}

func (req *request) readBulkRequest(raw []byte) (item bulkRequest) {
	req.sentNames = nil
	res, err := jsonapi.ParseResource(slices.Concat([]byte(`{"data":`), raw, []byte("}")), defaultBody)
	if err != nil {
		return bulkRequest{err: err}
	}
	in := &input{req: req, Decoder: jsonapi.Fields(res), id: res.ID, typ: res.Type}
	item.request = newRequest(in)
	item.err, item.sent, item.ignored = in.Err(), maps.Clone(req.sentNames), in.Ignored(maxIgnored)
	return item
}

// createValid creates the items without errors. The results are in the order of the
// items.
func (req *request) createValid(items []bulkRequest, o tracking.Once) ([]tracking.BulkRequestResult, error) {
	var list []tracking.NewTrackingRequest
	var at []int
	for i, item := range items {
		if item.err == nil {
			list, at = append(list, item.request), append(at, i)
		}
	}
	results := make([]tracking.BulkRequestResult, len(items))
	for i, item := range items {
		results[i].Err = item.err
	}
	if len(list) == 0 {
		return results, nil
	}
	created, err := req.t.CreateTrackingRequests(req.ctx(), list, o)
	if err != nil {
		return nil, err
	}
	for i, r := range created {
		results[at[i]] = r
	}
	return results, nil
}

// respondBulkRequests responds with one result per item: its status, and the response
// that a single request would have. It is no JSON:API document.
func (req *request) respondBulkRequests(items []bulkRequest, results []tracking.BulkRequestResult) error {
	b := documentBuffers.Get().(*documentBuffer)
	defer b.release()
	created := 0
	buf := append(b.buf[:0], `{"results":[`...)
	for i, r := range results {
		if i > 0 {
			buf = append(buf, ',')
		}
		if r.Err == nil {
			created++
			doc, err := req.requestDocument(r.Request.ID)
			if err != nil {
				return err
			}
			buf = append(buf, `{"status":"201","data":`...)
			buf = jsonapi.AppendResource(buf, doc, req.resourcePaths["tracking_request"])
			meta := writeMeta{Warnings: req.requestWarnings(r.Request), Ignored: items[i].ignored}.orNil()
			if text := meta.inItem(i).json(); text != nil {
				buf = append(append(buf, `,"meta":`...), text...)
			}
			buf = append(buf, '}')
			continue
		}
		req.sentNames = items[i].sent
		status, errs := req.describeError(r.Err)
		if status == http.StatusInternalServerError {
			return r.Err
		}
		buf = append(buf, `{"status":"`...)
		buf = append(strconv.AppendInt(buf, int64(status), 10), `",`...)
		buf = append(buf, itemErrors(i, status, errs)[1:]...) // without the opening brace
	}
	buf = fmt.Appendf(buf, `],"meta":{"total":%d,"succeeded":%d,"failed":%d`, len(results), created, len(results)-created)
	if ignored := req.in.Ignored(maxIgnored); len(ignored) > 0 {
		text, err := json.Marshal(ignored)
		if err != nil {
			return err
		}
		buf = append(append(buf, `,"ignored":`...), text...)
	}
	buf = append(buf, "}}"...)
	b.buf = buf
	req.respond(http.StatusOK, buf)
	return nil
}

// itemErrors renders the errors of one item, with pointers into the whole body.
func itemErrors(i, status int, errs []jsonapi.Error) []byte {
	for j := range errs {
		errs[j].Status = strconv.Itoa(status)
		if errs[j].Title == "" {
			errs[j].Title = http.StatusText(status)
		}
		if s := errs[j].Source; s != nil {
			pointer := "/data/" + strconv.Itoa(i)
			if rest, ok := strings.CutPrefix(s.Pointer, "/data"); ok {
				pointer += rest
			}
			errs[j].Source = &jsonapi.Source{Pointer: pointer}
		}
	}
	return jsonapi.AppendErrors(nil, errs)
}

// requestDocument returns the document of a tracking request. As in respondRecord,
// the caller need not have the permission show.
func (req *request) requestDocument(id tracking.ID) ([]byte, error) {
	actor := req.actor
	if !actor.Can(tracking.Show) {
		actor.Permissions = append(slices.Clip(actor.Permissions), tracking.Show)
	}
	s, err := req.config.Tracker.For(actor).Rendered().Get(req.ctx(), "tracking_request", id, nil)
	if err != nil {
		return nil, err
	}
	return s.Rows[0].Doc, nil
}

// chargeExtra counts n more requests against the limits of the account and of the
// key, unless they have no room for all. More requests than the limit of a whole
// minute are an error on data, because waiting would not help. Concurrent requests
// can use up the room; then some of the n stay counted although the whole is refused.
func (l *limiter) chargeExtra(ctx context.Context, a tracking.Actor, b bucket, n int) error {
	account := ratelimit.Quota{Scope: ratelimit.Scope{Kind: scopeAccount + uint8(b), ID: a.Account}, Limit: l.limits[b]}
	now := l.clock.Now()
	for _, quota := range []ratelimit.Quota{account, keyQuota(a, b)} {
		if quota.Limit <= 0 || n < 1 {
			continue
		}
		if n >= quota.Limit { // one is counted already
			return jsonapi.FieldErrors{{Pointer: "/data", Code: "too_long", Detail: fmt.Sprintf("data has %d tracking requests, but this account or key may create only %d per minute.", n+1, quota.Limit)}}
		}
		quota.Limit -= n - 1
		switch wait, full, err := l.windows.Full(ctx, now, quota); {
		case err != nil:
			return err
		case full:
			return &httpError{status: http.StatusTooManyRequests, detail: limitDetails[b], retryAfter: wait, limit: bucketNames[b]}
		}
	}
	for range n {
		if err := l.charge(ctx, a, b); err != nil {
			return err
		}
	}
	return nil
}

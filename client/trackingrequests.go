package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/landfallhq/tracking"
)

const trackingRequestsPath = "/tracking_requests"

// TrackingRequests lists requests, newest first unless q.Sort is set. The interface
// does not support q.Shipment.
func (c *Client) TrackingRequests(q tracking.TrackingRequestQuery, include ...string) List[tracking.TrackingRequest] {
	v := newValues(include)
	if q.Shipment != (tracking.ID{}) {
		v.unsupported("a query for the requests of a shipment")
	}
	v.filterCustomFields(q.CustomFields)
	v.param("q", q.Search)
	v.filterList("request_number", q.Numbers)
	v.filterList("status", stringsOf(q.Statuses))
	v.filterList("scac", q.SCACs)
	v.filterTimes("created_at", q.Created)
	v.filterTimes("updated_at", q.Updated)
	v.sort(q.Sort)
	return listOf[tracking.TrackingRequest](c, trackingRequestsPath, v)
}

// TrackingRequest returns a request. Its shipment is included unless include is
// given. Errors: NotFound; BadQuery on include.
func (c *Client) TrackingRequest(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.TrackingRequest], error) {
	return getAnswer[tracking.TrackingRequest](ctx, c, get(trackingRequestsPath, id, include))
}

// CreateTrackingRequest starts tracking a number.
//
// Errors: Invalid on request_number (blank, too_long, duplicate with
// tracking_request_id in Meta), request_type, scac (not_recognized, not_supported),
// ref_numbers, tags, relationships/customer, and on initial_custom_fields as
// SetCustomField.
func (c *Client) CreateTrackingRequest(ctx context.Context, n tracking.NewTrackingRequest, once ...tracking.Once) (*tracking.TrackingRequest, error) {
	return getRecord[tracking.TrackingRequest](ctx, c, post(trackingRequestsPath, newTrackingRequest(n), once))
}

func newTrackingRequest(n tracking.NewTrackingRequest) resource {
	a := attributes{"request_number": n.Number, "request_type": n.Type, "scac": n.SCAC}
	if n.AutoDetect {
		a["auto_detect_vocc_scac"] = true
	}
	if len(n.RefNumbers) > 0 {
		a["ref_numbers"] = n.RefNumbers
	}
	if len(n.Tags) > 0 {
		a["tags"] = n.Tags
	}
	if initial := n.CustomFields; len(initial.Shipment)+len(initial.Containers) > 0 {
		a["initial_custom_fields"] = attributes{"shipment": initialFields(initial.Shipment), "containers": initialFields(initial.Containers)}
	}
	body := resource{Type: "tracking_request", Attributes: a}
	if n.Customer != (tracking.ID{}) {
		body.Relationships = toOne("customer", "party", n.Customer)
	}
	return body
}

func initialFields(list []tracking.InitialCustomField) []attributes {
	fields := []attributes{}
	for _, f := range list {
		field := attributes{"api_slug": f.APISlug}
		setJSON(field, "value", f.Value)
		setNonEmpty(field, "number", f.Number)
		fields = append(fields, field)
	}
	return fields
}

// UpdateTrackingRequest updates a request. Errors: NotFound; Stale; Invalid on
// ref_numbers, tags and relationships/customer.
func (c *Client) UpdateTrackingRequest(ctx context.Context, id tracking.ID, u tracking.TrackingRequestUpdate) (*tracking.TrackingRequest, error) {
	a := attributes{}
	setOptList(a, "ref_numbers", u.RefNumbers)
	setOptList(a, "tags", u.Tags)
	body := resource{Type: "tracking_request", ID: id.String(), Attributes: a, Relationships: customer(u.Customer)}
	return getRecord[tracking.TrackingRequest](ctx, c, patch(trackingRequestsPath, id, body, u.IfVersion))
}

// InferNumber infers the type and the possible shipping lines of a number. Errors:
// Invalid on number (blank, too_long, invalid).
func (c *Client) InferNumber(ctx context.Context, number string) (tracking.Inference, error) {
	answer, err := getObject[inferenceDoc](ctx, c, request{method: http.MethodPost, path: trackingRequestsPath + "/infer_number", body: attributes{"number": number}, idempotent: true})
	if err != nil {
		return tracking.Inference{}, err
	}
	a := &answer.Data.Attributes
	if len(a.ShippingLine.Candidates) == 0 {
		a.ShippingLine.Candidates = nil // as in the engine
	}
	inference := tracking.Inference{
		Number: cmp.Or(a.Validation.ParsedNumber, number), Type: a.NumberType, Rule: a.Rule,
		Validation: tracking.NumberValidation{Valid: a.Validation.IsValid, CheckDigitPassed: a.Validation.CheckDigitPassed, Reason: a.Validation.Reason},
		Decision:   a.ShippingLine.Decision, Candidates: a.ShippingLine.Candidates,
	}
	if h := a.Hint; h != nil {
		inference.Hint = &tracking.InferenceHint{Forwarder: h.Forwarder.Name, ForwarderSCAC: h.Forwarder.SCAC, Detail: h.Detail}
	}
	return inference, nil
}

type inferenceDoc struct {
	Data struct {
		Attributes struct {
			NumberType tracking.NumberType `json:"number_type"`
			Rule       tracking.InferenceRule
			Validation struct {
				IsValid          *bool  `json:"is_valid"`
				CheckDigitPassed *bool  `json:"check_digit_passed"`
				ParsedNumber     string `json:"parsed_number"`
				Reason           string
			}
			ShippingLine struct {
				Decision   tracking.LineDecision
				Candidates []tracking.LineCandidate
			} `json:"shipping_line"`
			Hint *struct {
				Forwarder struct{ SCAC, Name string }
				Detail    string
			}
		}
	}
}

// CreateTrackingRequests starts tracking up to tracking.MaxBulkRequests numbers and
// returns one result for each, in order. The Err of a result is the *Error of
// CreateTrackingRequest, with pointers into the list ("/data/3/attributes/scac"). The
// rate limit must have room for all.
//
// Errors: Invalid on data (too_long) for an empty or too long list, and for more
// requests than the rate limit of a minute.
func (c *Client) CreateTrackingRequests(ctx context.Context, list []tracking.NewTrackingRequest, once ...tracking.Once) ([]tracking.BulkRequestResult, error) {
	items := make([]resource, len(list))
	for i, n := range list {
		items[i] = newTrackingRequest(n)
	}
	r := request{method: http.MethodPost, path: trackingRequestsPath + "/bulk", body: map[string]any{"data": items}, key: keyOf(once)}
	answer, err := c.do(ctx, r)
	if err != nil {
		return nil, err
	}
	var made struct{ Results []bulkResult }
	if err := json.Unmarshal(answer.body, &made); err != nil {
		return nil, fmt.Errorf("client: the answer to %s %s: %w", r.method, r.path, err)
	}
	if err := checkResultCount(r, len(items), len(made.Results)); err != nil {
		return nil, err
	}
	results := make([]tracking.BulkRequestResult, len(items))
	for i, one := range made.Results {
		results[i].Request, results[i].Err = one.decode(answer.header.Get("X-Request-Id"))
	}
	return results, nil
}

// bulkResult is the result of one item.
type bulkResult struct {
	Status string
	Data   json.RawMessage
	Errors []Fault
}

// decode returns the request or the error of the item. If a request cannot be
// decoded, only its own result is an error: it has been created.
func (b *bulkResult) decode(requestID string) (*tracking.TrackingRequest, error) {
	if len(b.Errors) > 0 {
		status, _ := strconv.Atoi(b.Status) // 0 if invalid
		return nil, &Error{Status: status, Faults: b.Errors, RequestID: requestID}
	}
	return decode[tracking.TrackingRequest](b.Data)
}

// checkResultCount checks that each item has a result.
func checkResultCount(r request, items, results int) error {
	if results != items {
		return fmt.Errorf("client: the response to %s %s has %d results for %d items", r.method, r.path, results, items)
	}
	return nil
}

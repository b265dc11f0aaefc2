package client

import (
	"cmp"
	"context"
	"net/http"

	"github.com/landfallhq/tracking"
)

const trackingRequestsPath = "/tracking_requests"

// TrackingRequests are those that the query selects, last created first unless it
// sorts. Its Shipment is not of the interface.
func (c *Client) TrackingRequests(q tracking.TrackingRequestQuery, include ...string) List[tracking.TrackingRequest] {
	v := newValues(include)
	if q.Shipment != (tracking.ID{}) {
		v.unsupported("for the requests of a shipment")
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

// TrackingRequest returns a request, and the shipment that it has led to among what
// is included, unless include asks for something else. Errors: NotFound; BadQuery on
// include.
func (c *Client) TrackingRequest(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.TrackingRequest], error) {
	return getAnswer[tracking.TrackingRequest](ctx, c, get(trackingRequestsPath, id, include))
}

// CreateTrackingRequest begins to follow a number. Of n.Once the key alone is used.
//
// Errors: Invalid on request_number (blank, too_long, duplicate with
// tracking_request_id in Meta), request_type, scac (not_recognized, not_supported),
// ref_numbers, tags, relationships/customer, and on initial_custom_fields as
// SetCustomField.
func (c *Client) CreateTrackingRequest(ctx context.Context, n tracking.NewTrackingRequest) (*tracking.TrackingRequest, error) {
	return getRecord[tracking.TrackingRequest](ctx, c, post(trackingRequestsPath, newTrackingRequest(n), n.Once))
}

// newTrackingRequest is a request as bodies have it.
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

// UpdateTrackingRequest changes a request. Errors: NotFound; Stale; Invalid on
// ref_numbers, tags and relationships/customer.
func (c *Client) UpdateTrackingRequest(ctx context.Context, id tracking.ID, u tracking.TrackingRequestUpdate) (*tracking.TrackingRequest, error) {
	a := attributes{}
	setOptList(a, "ref_numbers", u.RefNumbers)
	setOptList(a, "tags", u.Tags)
	body := resource{Type: "tracking_request", ID: id.String(), Attributes: a, Relationships: customer(u.Customer)}
	return getRecord[tracking.TrackingRequest](ctx, c, patch(trackingRequestsPath, id, body, u.IfVersion))
}

// InferNumber tells what a number is by itself, and which lines it may belong to.
// Errors: Invalid on number (blank, too_long, invalid).
func (c *Client) InferNumber(ctx context.Context, number string) (tracking.Inference, error) {
	answer, err := getObject[inferenceDoc](ctx, c, request{method: http.MethodPost, path: trackingRequestsPath + "/infer_number", body: attributes{"number": number}, idempotent: true})
	if err != nil {
		return tracking.Inference{}, err
	}
	a := &answer.Data.Attributes
	if len(a.ShippingLine.Candidates) == 0 {
		a.ShippingLine.Candidates = nil // as the engine has it
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

// inferenceDoc is an inference as the interface has it.
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

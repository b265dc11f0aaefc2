package httpserver

import (
	"slices"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var takesRequests = jsonapi.Accept{
	Page: true, Include: true,
	Filters: slices.Concat([]string{"request_number", "status", "scac"}, createdAt, updatedAt, customFieldFilters),
	Sorts:   []string{"created_at", "updated_at", customFieldSorts},
}

func requestStatuses() []string {
	var names []string
	for _, s := range tracking.RequestStatuses() {
		names = append(names, string(s))
	}
	return names
}

func requestQuery(f *filters) tracking.Query {
	q := tracking.TrackingRequestQuery{
		Search:  f.param("q"),
		Numbers: f.text("request_number"),
		SCACs:   f.upper("scac"),
		Created: f.times(createdAt),
		Updated: f.times(updatedAt),

		CustomFields: f.customFields(),
		Sort:         f.sort(),
	}
	for _, status := range f.OneOf("status", requestStatuses()...).Value {
		q.Statuses = append(q.Statuses, tracking.RequestStatus(status))
	}
	return q
}

func requestID(r *tracking.TrackingRequest) tracking.ID { return r.ID }

func newRequest(in *input) tracking.NewTrackingRequest {
	in.Type("tracking_request")
	return tracking.NewTrackingRequest{
		Number:       in.String("request_number").Value,
		Type:         tracking.RequestType(in.String("request_type").Value),
		SCAC:         in.String("scac").Value,
		AutoDetect:   in.Bool("auto_detect_vocc_scac").Value,
		RefNumbers:   in.Strings("ref_numbers").Value,
		Tags:         in.either("tags", "shipment_tags", "tags").Value,
		Customer:     in.customer().Value,
		CustomFields: initialFields(in),
		Once:         in.once,
	}
}

// initialFields reads the values that a request carries to what it leads to.
func initialFields(in *input) (initial tracking.InitialCustomFields) {
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
		RefNumbers: requestRefs(in),
		Tags:       opt(in.either("tags", "tags", "shipment_tags")),
		Customer:   in.customer(),
		IfVersion:  in.ifVersion,
	}
}

// requestRefs reads ref_numbers, or ref_number: one text, for the list of it.
func requestRefs(in *input) tracking.Opt[[]string] {
	if in.Has("ref_numbers") || !in.Has("ref_number") {
		return opt(in.Strings("ref_numbers"))
	}
	in.sentAs("ref_numbers", "ref_number")
	one := in.String("ref_number")
	if one.Null {
		return tracking.Set([]string{})
	}
	return tracking.Set([]string{one.Value})
}

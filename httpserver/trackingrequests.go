package httpserver

import (
	"slices"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var acceptRequests = jsonapi.Accept{
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
		Numbers: f.list("request_number"),
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
		Tags:         in.stringsNamed("tags", "shipment_tags", "tags").Value,
		Customer:     in.readCustomer().Value,
		CustomFields: readInitialFields(in),
		Once:         in.once,
	}
}

// readInitialFields reads the values that a request carries to what it leads to.
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

// readRequestRefs reads ref_numbers, or ref_number: one text, for the list of it.
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

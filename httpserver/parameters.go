package httpserver

import (
	"strings"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/internal/openapi"
)

// parameterExamples has an example for each query parameter, and for each filter by its
// name without brackets.
var parameterExamples = map[string]any{
	"number": "MAEU123456789", "q": "MAEU1234", "search": "maersk", "query": "MAEU1234", "event": "container.transport.vessel_arrived",
	"as_of": "2026-03-02T09:00:00Z", "show_positions[from_timestamp]": "2026-03-01T00:00:00Z", "show_positions[to_timestamp]": "2026-03-02T00:00:00Z",
	"port_id": exampleID, "previous_port_id": exampleID, "latitude": "33.74", "longitude": "-118.26",

	"replace": "false", "format": "csv", "filter[code]": "USLAX", "filter[last_attempt_at]": "2026-03-01", "filter[location_locode]": "USLAX", "filter[terminal_code]": "Y258", "filter[country_code]": "US", "filter[created_at]": "2026-03-01", "filter[custom_fields]": openapi.Obj("purchase_order", "PO-1"),
	"filter[customer_id]": exampleID, "filter[definition_id]": exampleID, "filter[display_name]": "Purchase", "filter[entity_id]": exampleID,
	"filter[document_types]": "bill_of_lading,arrival_notice", "filter[filename]": "invoice", "filter[imo]": "9321483", "filter[name]": "Los Angeles",
	"filter[number]": "MSCU6639871,TEMU6079148", "filter[pickup_lfd]": "2026-03-01", "filter[free_time_ends]": "2026-03-01", "filter[pod_eta_at]": "2026-03-01T00:00:00Z", "filter[pod_locode]": "USLAX,USLGB",
	"filter[pod_terminal]": exampleID, "filter[pol_locode]": "CNSHA", "filter[port]": exampleID, "filter[reference]": "PO-1", "filter[ref_number]": "PO-1,PO-2",
	"filter[request_number]": "MAEU123456789", "filter[resource_id]": exampleID, "filter[resource_type]": "shipment,webhook", "filter[key_id]": exampleID, "filter[user_id]": exampleID, "filter[operation]": "shipment.update",
	"filter[scac]": "MAEU,MSCU", "filter[tags]": "urgent", "filter[updated_at]": "2026-03-01T12:00:00Z", "filter[vessel_imo]": "9321483", "filter[webhook]": exampleID,

	"filter[acknowledged]": "false", "filter[assignee]": "Kim,night desk", "filter[container]": exampleID, "filter[shipment]": exampleID, "filter[opened_at]": "2026-03-01T12:00:00Z",

	"after": "1",

	"page[number]": 1, "page[size]": 30,
}

const exampleID = "5a3cbd2e-8f5b-4a53-9a53-0d3c4f0f7b11"

// describeParameter adds the values and the example of a query parameter. A list with a
// closed set of values is an array that is sent with commas.
func (rt *route) describeParameter(o openapi.Object, schema openapi.Object) openapi.Object {
	name := o.Get("name").(string)
	if values := rt.parameterValues(name); values != nil {
		items := openapi.Obj("type", "string", "enum", values)
		if name == "event" {
			return o.With("schema", items).With("example", parameterExamples[name])
		}
		return o.With("schema", openapi.List(items)).With("style", "form").With("explode", false).With("example", values[:1])
	}
	o = o.With("schema", schema)
	switch {
	case schema.Get("type") == "boolean":
		return o.With("example", true)
	case name == "sort":
		return o.With("example", "-"+rt.accepts.Sorts[0])
	case name == "include":
		return o.With("example", strings.Join(rt.exampleInclude(), ","))
	}
	example, ok := parameterExamples[name]
	if !ok {
		base, _, _ := strings.Cut(strings.TrimPrefix(name, "filter["), "]")
		example = parameterExamples["filter["+base+"]"]
	}
	return o.With("example", example)
}

// parameterValues returns the values of a parameter with a closed set; nil for others.
func (rt *route) parameterValues(name string) []string {
	d := tracking.Describe()
	switch name {
	case "event", "filter[event]":
		return textsOf(d.AllEvents)
	case "filter[attribute]":
		if strings.HasPrefix(rt.path, "/shipments/") {
			return textsOf(d.EstimateAttributes)
		}
		return textsOf(d.RevisedAttributes)
	case "filter[clock]":
		return clocks
	case "filter[kind]":
		return tracking.Exceptions{}.Kinds()
	case "filter[severity]":
		return tracking.Exceptions{}.Severities()
	case "filter[state]":
		if rt.path == "/documents" {
			return textsOf(tracking.DocumentStates)
		}
		return exceptionStates
	case "filter[data_type]":
		return textsOf(d.DataTypes)
	case "filter[entity_type]":
		return textsOf(d.EntityTypes)
	case "filter[delivery_status]":
		return deliveryStatuses
	case "filter[status]":
		if rt.path == "/containers" {
			return containerStatuses
		}
		return textsOf(d.RequestStatuses)
	case "sort":
		return rt.sortValues()
	}
	return nil
}

// sortValues returns the names to sort by, each in both directions; nil where some are
// those of custom fields.
func (rt *route) sortValues() (values []string) {
	for _, name := range rt.accepts.Sorts {
		if strings.Contains(name, "*") {
			return nil
		}
		values = append(values, "-"+name, name)
	}
	return values
}

// exampleInclude returns the default include, or else the first relationship of the
// resource; nil if it has none.
func (rt *route) exampleInclude() []string {
	if len(rt.defaultInclude) > 0 {
		return rt.defaultInclude
	}
	typ := operations[rt.name()].response.typ
	for _, t := range tracking.Describe().Resources {
		for _, m := range t.Members {
			if t.Name == typ && m.Value == nil {
				return []string{m.Name}
			}
		}
	}
	return nil
}

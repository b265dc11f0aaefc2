package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listResult is a page of a list.
type listResult struct {
	Summary            []string          `json:"summary"`
	Items              []map[string]any  `json:"items"`
	Links              map[string]string `json:"links,omitempty"`
	Meta               map[string]any    `json:"meta"`
	UnsupportedFilters []string          `json:"unsupportedFilters,omitzero"`
	Metadata           presentationNotes `json:"_metadata"`
}

// paging are the arguments of lists.
var paging = []parameter{
	{name: "page", kind: count, about: "Number of the page, from 1."},
	{name: "page_size", kind: count, about: "Rows of a page. Defaults to 25; more than 100 becomes 100."},
}

const (
	defaultRows = 25
	mostRows    = 100
)

// rowsQuery returns the query with the page of the call.
func (c *call) rowsQuery(query url.Values) url.Values {
	page, size := max(1, c.args.number("page")), c.args.number("page_size")
	if size == 0 {
		size = defaultRows
	}
	query.Set("page[number]", strconv.Itoa(page))
	query.Set("page[size]", strconv.Itoa(min(size, mostRows)))
	return query
}

// list reads a page and builds its rows.
func (c *call) list(ctx context.Context, path string, query url.Values, noun string, row func(*resource, *document) map[string]any) (*listResult, error) {
	d, err := c.read(ctx, path, c.rowsQuery(query))
	if err != nil {
		return nil, err
	}
	r := &listResult{Items: []map[string]any{}, Links: d.links, Meta: d.meta, Metadata: presentationNotes{"Show the rows as a table of a few columns. Say how many there are in all."}}
	if r.Meta == nil {
		r.Meta = map[string]any{}
	}
	for _, one := range d.list {
		r.Items = append(r.Items, row(one, d))
	}
	r.Summary = []string{c.pageSentence(len(r.Items), d.total(), noun, selects(query))}
	return r, nil
}

// selects reports whether a query leaves anything out, so that an empty list does not say that
// the account has nothing.
func selects(query url.Values) bool {
	for name := range query {
		if name != "include" && name != "sort" && !strings.HasPrefix(name, "page[") {
			return true
		}
	}
	return false
}

func (c *call) pageSentence(shown, total int, noun string, selected bool) string {
	page := max(1, c.args.number("page"))
	switch {
	case total == 0 && selected:
		return fmt.Sprintf("No %s matches.", noun)
	case total == 0:
		return fmt.Sprintf("There are no %ss.", noun)
	case shown == 0:
		return fmt.Sprintf("Page %d is empty: there are %s in all.", page, plural(total, noun))
	case shown == total:
		return plural(total, noun) + ", all shown."
	}
	return fmt.Sprintf("%s of %s, page %d.", strconv.Itoa(shown), plural(total, noun), page)
}

// camelAttributes returns all attributes under their names in lists.
func camelAttributes(r *resource) map[string]any {
	item := map[string]any{"id": r.ID}
	for name, v := range r.Attributes {
		item[camel(name)] = v
	}
	return item
}

var listContainers = &tool{
	name: "list_containers", title: "Containers",
	about: "Lists the containers of the account, last created first, page by page.",
	parameters: append([]parameter{
		{name: "include", kind: text, about: "What else to load, separated by commas. Defaults to shipment,pod_terminal,pickup_facility."},
	}, paging...),
	output: listResult{},
	guide: guide{
		Purpose:              "List containers.",
		CanAnswer:            []string{"Which containers are there?", "Which are on a ship?"},
		RequiresMoreData:     []string{"What is urgent? (what_needs_attention)"},
		RelevantFields:       []string{"items.number", "items.currentStatus", "items.pickupLfd"},
		PresentationGuidance: "A table: number, status, last free day, bill of lading. Ask for the next page only when the reader wants more.",
		SuggestedFollowUps:   []string{"Show a container", "What needs attention?"},
		SuggestedTools:       []string{"get_container", "what_needs_attention"},
		Display:              displayOf("container"),
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		include := orElse(c.args.text("include"), "shipment,pod_terminal,pickup_facility")
		r, err := c.list(ctx, "/containers", url.Values{"include": {include}}, "container", containerRow)
		if err != nil {
			return nil, err
		}
		r.UnsupportedFilters = []string{}
		a := &answer{result: r, adjust: reliableTotal}
		for _, item := range r.Items {
			a.links = append(a.links, linkTo(item))
		}
		return a, nil
	},
}

// reliableTotal says that the total counts all records that match.
func reliableTotal(g *guide) { yes := true; g.TotalIsReliable = &yes }

func linkTo(item map[string]any) *mcp.ResourceLink {
	id, _ := item["id"].(string)
	number, _ := item["number"].(string)
	return &mcp.ResourceLink{
		URI: containerURI + id, Name: "Container " + orElse(number, id), Description: "Summary of the container", MIMEType: "text/markdown",
		Annotations: &mcp.Annotations{Audience: []mcp.Role{"user", "assistant"}},
	}
}

// placed are the attributes of a container that a row has in a part of it, and not again.
// Availability there is null while it is not known.
var placed = []string{
	"equipment_type", "equipment_length", "equipment_height", "weight_in_lbs", "location_at_pod_terminal", "available_for_pickup", "pod_arrived_at",
	"pickup_appointment_at", "fees_at_pod_terminal", "holds_at_pod_terminal", "pod_rail_carrier_scac", "pod_rail_loaded_at", "pod_rail_departed_at",
	"ind_rail_carrier_scac", "ind_rail_unloaded_at", "ind_eta_at", "ind_ata_at",
}

func containerRow(b *resource, d *document) map[string]any {
	item := camelAttributes(b)
	for _, name := range placed {
		delete(item, camel(name))
	}
	at := func(name string) any { return b.Attributes[name] }
	var available any
	if b.is("availability_known") {
		available = at("available_for_pickup")
	}
	item["status"] = at("current_status")
	item["equipment"] = map[string]any{"type": at("equipment_type"), "length": at("equipment_length"), "height": at("equipment_height"), "weightLbs": at("weight_in_lbs")}
	item["location"] = map[string]any{
		"currentLocation": at("location_at_pod_terminal"), "availableForPickup": available, "podArrivedAt": at("pod_arrived_at"), "podDischargedAt": at("pod_discharged_at"),
	}
	item["demurrage"] = map[string]any{
		"pickupLfd": at("pickup_lfd"), "pickupAppointmentAt": at("pickup_appointment_at"), "fees": at("fees_at_pod_terminal"), "holds": at("holds_at_pod_terminal"),
	}
	item["terminals"] = map[string]any{"podTerminal": siteRow(d.one(b, "pod_terminal")), "destinationTerminal": siteRow(d.one(b, "pickup_facility"))}
	item["rail"] = map[string]any{
		"podRailCarrierScac": at("pod_rail_carrier_scac"), "podRailLoadedAt": at("pod_rail_loaded_at"), "podRailDepartedAt": at("pod_rail_departed_at"),
		"indRailCarrierScac": at("ind_rail_carrier_scac"), "indRailArrivedAt": at("ind_ata_at"), "indRailUnloadedAt": at("ind_rail_unloaded_at"),
		"indEtaAt": at("ind_eta_at"), "indAtaAt": at("ind_ata_at"),
	}
	events := []map[string]any{}
	for _, e := range d.many(b, "transport_events") {
		events = append(events, camelAttributes(e))
	}
	item["events"] = events
	item["shipment"] = shipmentRowOf(d.one(b, "shipment"))
	return item
}

func siteRow(site *resource) any {
	if site == nil {
		return nil
	}
	return map[string]any{"id": site.ID, "name": site.Attributes["name"], "nickname": site.Attributes["nickname"], "firmsCode": site.Attributes["firms_code"]}
}

func shipmentRowOf(s *resource) any {
	if s == nil {
		return nil
	}
	return map[string]any{"id": s.ID, "billOfLading": s.Attributes["bill_of_lading_number"], "shippingLineScac": s.Attributes["shipping_line_scac"]}
}

var listShipments = &tool{
	name: "list_shipments", title: "Shipments",
	about: "Lists the shipments of the account, last created first, page by page.",
	parameters: append([]parameter{
		{name: "number", kind: text, about: "Bill of lading or booking that was tracked. For container numbers use search_container."},
		{name: "tracking_stopped", kind: flag, about: "Only those whose tracking has stopped, or only the others."},
		{name: "include_containers", kind: flag, about: "Whether the numbers of their containers are loaded. Defaults to false."},
	}, paging...),
	output: listResult{},
	guide: guide{
		Purpose:              "List shipments.",
		CanAnswer:            []string{"Which shipments are there?", "Which are not tracked any more?"},
		RequiresMoreData:     []string{"What is urgent? (what_needs_attention)"},
		RelevantFields:       []string{"items.billOfLading", "items.portOfDischargeName", "items.podEtaAt"},
		PresentationGuidance: "A table: bill of lading, line, ports, ETA or arrival. Ask for the next page only when the reader wants more.",
		SuggestedFollowUps:   []string{"Show a shipment", "What needs attention?"},
		SuggestedTools:       []string{"get_shipment_details", "what_needs_attention"},
		Display:              displayOf("shipment"),
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		include := "pod_terminal,port_of_lading,port_of_discharge,destination"
		if c.args.flag("include_containers", false) {
			include += ",containers"
		}
		query := url.Values{"include": {include}}
		if n := c.args.text("number"); n != "" {
			query.Set("number", n)
		}
		if _, ok := c.args["tracking_stopped"]; ok {
			query.Set("filter[tracking_stopped]", strconv.FormatBool(c.args.flag("tracking_stopped", false)))
		}
		r, err := c.list(ctx, "/shipments", query, "shipment", shipmentRow)
		if err != nil {
			return nil, err
		}
		r.UnsupportedFilters = []string{}
		return &answer{result: r, adjust: reliableTotal}, nil
	},
}

func shipmentRow(s *resource, d *document) map[string]any {
	item := camelAttributes(s)
	at := func(name string) any { return s.Attributes[name] }
	boxes := []map[string]any{}
	for _, to := range s.toMany("containers") {
		box := map[string]any{"id": to.ID, "number": nil} // null: not loaded
		if b := d.included[to]; b != nil {
			box["number"] = b.Attributes["number"]
		}
		boxes = append(boxes, box)
	}
	item["billOfLading"] = at("bill_of_lading_number")
	item["containers"] = boxes
	item["vesselAtPod"] = map[string]any{"name": at("pod_vessel_name"), "imo": at("pod_vessel_imo"), "voyageNumber": at("pod_voyage_number")}
	item["ports"] = map[string]any{"portOfLading": portRow(d.one(s, "port_of_lading")), "portOfDischarge": portRow(d.one(s, "port_of_discharge")), "destination": portRow(d.one(s, "destination"))}
	item["tracking"] = map[string]any{
		"lineTrackingLastAttemptedAt": at("line_tracking_last_attempted_at"), "lineTrackingLastSucceededAt": at("line_tracking_last_succeeded_at"),
		"lineTrackingStoppedAt": at("line_tracking_stopped_at"), "lineTrackingStoppedReason": at("line_tracking_stopped_reason"),
	}
	return item
}

func portRow(p *resource) any {
	if p == nil {
		return nil
	}
	return map[string]any{"id": p.ID, "name": p.Attributes["name"], "code": p.Attributes["code"], "countryCode": p.Attributes["country_code"]}
}

var listTrackingRequests = &tool{
	name: "list_tracking_requests", title: "Tracking requests",
	about: "Lists the requests to track a number, last created first: which are pending, which failed and why.",
	parameters: append([]parameter{
		{name: "filters", kind: textMap, about: "Filters of the interface by their names, such as {\"filter[scac]\": \"MAEU\"}."},
		{name: "status", kind: text, about: "pending, awaiting_manifest, created, failed or tracking_stopped."},
		{name: "request_type", kind: text, about: "container, booking_number or bill_of_lading."},
	}, paging...),
	output: listResult{},
	guide: guide{
		Purpose:              "List tracking requests.",
		CanAnswer:            []string{"Which numbers failed, and why?", "Which still wait for an answer?"},
		RequiresMoreData:     []string{"The cargo of a request that succeeded (get_shipment_details)"},
		RelevantFields:       []string{"items.requestNumber", "items.requestType", "items.status", "items.failedReason"},
		PresentationGuidance: "A table: number, type, status, reason of a failure. A pending request says nothing about the cargo.",
		SuggestedFollowUps:   []string{"Show the shipment of a request", "Track a failed number again with another type or line"},
		SuggestedTools:       []string{"get_shipment_details", "track_container"},
		Display:              displayOf("tracking_request"),
	},
	run: runListTrackingRequests,
}

func runListTrackingRequests(ctx context.Context, c *call) (*answer, error) {
	query := url.Values{}
	filters, _ := c.args["filters"].(map[string]string)
	for name, value := range filters {
		if !strings.HasPrefix(name, "page[") {
			query.Set(name, value)
		}
	}
	if s := c.args.text("status"); s != "" {
		query.Set("filter[status]", s)
	}
	kind := c.args.text("request_type")
	if query.Get("filter[request_type]") != "" && kind == "" {
		kind = query.Get("filter[request_type]")
	}
	query.Del("filter[request_type]") // the interface has none: this page is filtered here
	query.Set("include", "tracked_object")
	r, err := c.list(ctx, "/tracking_requests", query, "tracking request", requestRow)
	if err != nil {
		return nil, err
	}
	for _, item := range r.Items[:min(len(r.Items), listedHits)] {
		number, _ := item["requestNumber"].(string)
		status, _ := item["status"].(string)
		reason, _ := item["failedReason"].(string)
		r.Summary = append(r.Summary, requestSentence(number, status, reason))
	}
	a := &answer{result: r}
	if kind == "" {
		a.adjust = reliableTotal
		return a, nil
	}
	kept := []map[string]any{}
	for _, item := range r.Items {
		if item["requestType"] == kind {
			kept = append(kept, item)
		}
	}
	r.Items = kept
	r.Summary = append(r.Summary, fmt.Sprintf("Of these, %s of the type %s. The server does not filter by type: look at the other pages too.", plural(len(kept), "request"), quote(kind)))
	a.adjust = func(g *guide) { no := false; g.TotalIsReliable = &no }
	return a, nil
}

func requestRow(q *resource, _ *document) map[string]any {
	item := camelAttributes(q)
	item["shipment"], item["container"] = nil, nil
	if to, ok := q.to("tracked_object"); ok {
		item[to.Type] = map[string]any{"id": to.ID}
	}
	return item
}

package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// containerResult is what get_container returns, and track_container for a known number.
type containerResult struct {
	Summary         []string          `json:"summary"`
	ID              string            `json:"id"`
	ContainerNumber *string           `json:"container_number"`
	CreatedAt       *string           `json:"created_at"`
	Status          string            `json:"status"`
	StatusSource    string            `json:"status_source"`
	Equipment       equipment         `json:"equipment"`
	Location        location          `json:"location"`
	Demurrage       demurrage         `json:"demurrage"`
	Rail            rail              `json:"rail"`
	Shipment        *shipmentOfBox    `json:"shipment"`
	PODTerminal     *terminal         `json:"pod_terminal"`
	Events          any               `json:"events" about:"an object with count and latest_event, or a hint"`
	Metadata        containerMetadata `json:"_metadata"`
}

type equipment struct {
	Type      *string  `json:"type"`
	Length    *float64 `json:"length" about:"feet"`
	Height    *string  `json:"height"`
	WeightLbs *float64 `json:"weight_lbs"`
}

type location struct {
	CurrentLocation      *string `json:"current_location"`
	AvailableForPickup   *bool   `json:"available_for_pickup" about:"null unless availability_known"`
	AvailabilityKnown    *bool   `json:"availability_known"`
	PODArrivedAt         *string `json:"pod_arrived_at"`
	PODArrivedAtLocal    string  `json:"pod_arrived_at_local"`
	PODDischargedAt      *string `json:"pod_discharged_at"`
	PODDischargedAtLocal string  `json:"pod_discharged_at_local"`
	PODTimezone          *string `json:"pod_timezone"`
}

type demurrage struct {
	PickupLFD         *string          `json:"pickup_lfd"`
	PickupLFDLocal    string           `json:"pickup_lfd_local"`
	LastFreeDays      lastFreeDays     `json:"last_free_days"`
	AppointmentAt     *string          `json:"pickup_appointment_at"`
	Fees              []map[string]any `json:"fees_at_pod_terminal"`
	FeesTotal         *float64         `json:"fees_total_amount"`
	FeesCurrency      *string          `json:"fees_currency_code" about:"null if several"`
	Holds             []map[string]any `json:"holds_at_pod_terminal"`
	Urgency           string           `json:"urgency" about:"overdue, imminent, none or unknown"`
	UrgencySuppressed bool             `json:"urgency_suppressed"`
	UrgencyReason     string           `json:"urgency_reason"`
	DaysUntilLFD      *int             `json:"days_until_lfd"`
}

type lastFreeDays struct {
	Terminal *string `json:"terminal"`
	Rail     *string `json:"rail"`
	Line     *string `json:"line"`
}

type rail struct {
	Carrier        *string `json:"pod_rail_carrier"`
	LoadedAt       *string `json:"pod_rail_loaded_at"`
	DestinationETA *string `json:"destination_eta"`
	DestinationATA *string `json:"destination_ata"`
}

type shipmentOfBox struct {
	ID              string   `json:"id"`
	RefNumbers      []string `json:"ref_numbers"`
	Line            *string  `json:"line"`
	LineName        *string  `json:"shipping_line_name"`
	PortOfLading    *string  `json:"port_of_lading_name"`
	PortOfDischarge *string  `json:"port_of_discharge_name"`
	Destination     *string  `json:"destination_name"`
}

type terminal struct {
	ID        string  `json:"id"`
	Name      *string `json:"name"`
	FIRMSCode *string `json:"firms_code"`
}

type eventCounts struct {
	Count      int          `json:"count"`
	RailEvents int          `json:"rail_events_count,omitempty"`
	Latest     *latestEvent `json:"latest_event,omitempty"`
}

type latestEvent struct {
	Event     string `json:"event"`
	Timestamp string `json:"timestamp"`
	Location  string `json:"location,omitempty"`
}

type containerMetadata struct {
	PresentationGuidance    string      `json:"presentation_guidance"`
	ContainerState          string      `json:"container_state"`
	DerivedLifecycle        string      `json:"derived_lifecycle"`
	StatusIsAuthoritative   bool        `json:"status_is_authoritative"`
	IncludesLoaded          []string    `json:"includes_loaded"`
	CanAnswer               []string    `json:"can_answer"`
	NeedsMoreDataFor        []string    `json:"needs_more_data_for"`
	RelevantForCurrentState []string    `json:"relevant_for_current_state"`
	Suggestions             suggestions `json:"suggestions"`
	LineLastSucceededAt     *string     `json:"line_tracking_last_succeeded_at" about:"when the line last answered"`
	TerminalCheckedAt       *string     `json:"terminal_checked_at" about:"the latest report of a terminal"`
	TrackingStoppedAt       *string     `json:"line_tracking_stopped_at"`
	NotKnown                []string    `json:"not_known"`
}

type suggestions struct {
	Message             *string `json:"message"`
	RecommendedFollowUp *string `json:"recommended_follow_up"`
}

// boxParts are the includes of get_container.
var boxParts = []string{"shipment", "pod_terminal", "transport_events"}

var getContainer = &tool{
	name: "get_container", title: "Container",
	about: "Shows one container: status, where it is, holds, fees, last free day and its urgency, rail, shipment and terminal. include=transport_events adds the latest event.",
	parameters: []parameter{
		{name: "id", kind: identifier, about: "ID of the container, from search_container or list_containers.", required: true},
		{name: "include", kind: texts, about: "What else to load. The shipment and the terminal always are.", allowed: boxParts},
	},
	output: containerResult{},
	guide: guide{
		Purpose:              "Show the state of one container.",
		CanAnswer:            []string{"Where is it?", "Can it be picked up?", "What is its last free day?", "What holds it?"},
		RequiresMoreData:     []string{"What does it cost day by day? (get_charges)", "Why did the ETA move? (explain_eta)", "Its whole history (get_container_transport_events)"},
		RelevantFields:       []string{"summary", "status", "location", "demurrage"},
		PresentationGuidance: "Begin with where it is and what is urgent, from the summary. Say how old the statement is. What is null is not known.",
		SuggestedFollowUps:   []string{"What does it cost?", "Why did the ETA move?", "Show its events"},
		SuggestedTools:       []string{"get_charges", "explain_eta", "get_container_transport_events", "get_container_route"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		r, err := c.container(ctx, c.args.text("id"), c.args.list("include"))
		if err != nil {
			return nil, err
		}
		return &answer{result: r}, nil
	},
}

// container reads a container.
func (c *call) container(ctx context.Context, id string, include []string) (*containerResult, error) {
	parts := []string{"shipment", "pod_terminal"}
	for _, p := range include {
		if p != "" && !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	asked := strings.Join(parts, ",")
	if slices.Contains(parts, "transport_events") {
		asked += ",transport_events.location"
	}
	box, d, err := c.readOne(ctx, "/containers", id, asked)
	if err != nil {
		return nil, err
	}
	return c.containerOf(box, d, parts), nil
}

// containerOf builds the result from the container and its includes.
func (c *call) containerOf(box *resource, d *document, parts []string) *containerResult {
	ship, site := d.one(box, "shipment"), d.one(box, "pod_terminal")
	r := &containerResult{
		ID: box.ID, ContainerNumber: box.text("number"), CreatedAt: box.text("created_at"),
		Status: box.str("current_status"), StatusSource: "current_status",
		Equipment: equipment{box.text("equipment_type"), box.number("equipment_length"), box.text("equipment_height"), box.number("weight_in_lbs")},
		Location:  locationOf(box),
		Demurrage: c.demurrageOf(box, ship),
		Rail:      rail{box.text("pod_rail_carrier_scac"), box.text("pod_rail_loaded_at"), box.text("ind_eta_at"), box.text("ind_ata_at")},
		Events:    "Ask with include=[\"transport_events\"], or call get_container_transport_events.",
	}
	lifecycle := lifecycleOf(box)
	if r.Status == "" {
		r.Status, r.StatusSource = lifecycle, "derived"
	}
	if ship != nil {
		r.Shipment = &shipmentOfBox{
			ship.ID, ship.texts("ref_numbers"), ship.text("shipping_line_scac"), ship.text("shipping_line_name"),
			ship.text("port_of_lading_name"), ship.text("port_of_discharge_name"), ship.text("destination_name"),
		}
	}
	if site != nil {
		r.PODTerminal = &terminal{site.ID, site.text("name"), site.text("firms_code")}
	}
	if slices.Contains(parts, "transport_events") {
		r.Events = latestOf(box, d)
	}
	s := boxView{box, ship, site}
	r.Summary = c.boxSummary(&s, &r.Demurrage)
	r.Metadata = c.containerMetadata(&s, lifecycle, parts)
	return r
}

func locationOf(box *resource) location {
	zone := box.str("pod_timezone")
	l := location{
		CurrentLocation: box.text("location_at_pod_terminal"), AvailabilityKnown: box.flag("availability_known"),
		PODArrivedAt: box.text("pod_arrived_at"), PODArrivedAtLocal: localText(box.time("pod_arrived_at"), zone),
		PODDischargedAt: box.text("pod_discharged_at"), PODDischargedAtLocal: localText(box.time("pod_discharged_at"), zone),
		PODTimezone: box.text("pod_timezone"),
	}
	if box.is("availability_known") {
		l.AvailableForPickup = box.flag("available_for_pickup")
	}
	return l
}

// terminalStale is how old the report of a terminal may be for its deadline to be urgent.
const terminalStale = 7 * 24 * time.Hour

// demurrageOf states deadlines and costs. It computes no amount but the sum of stated fees.
func (c *call) demurrageOf(box, ship *resource) demurrage {
	zone := box.str("pod_timezone")
	d := demurrage{
		PickupLFD: box.text("pickup_lfd"), PickupLFDLocal: localText(box.time("pickup_lfd"), zone),
		AppointmentAt: box.text("pickup_appointment_at"), Fees: box.objects("fees_at_pod_terminal"), Holds: box.objects("holds_at_pod_terminal"),
	}
	if stated, ok := box.Attributes["import_deadlines"].(map[string]any); ok {
		at := func(name string) *string { s, _ := stated[name].(string); return given(s) }
		d.LastFreeDays = lastFreeDays{at("pickup_lfd_terminal"), at("pickup_lfd_rail"), at("pickup_lfd_line")}
	}
	d.FeesTotal, d.FeesCurrency = sumOfFees(d.Fees)
	d.setUrgency(c, box, ship)
	return d
}

// sumOfFees adds fees of one currency; a total includes the others. Both are nil for several
// currencies, and the sum of no fees is 0.
func sumOfFees(fees []map[string]any) (sum *float64, currency *string) {
	if fees == nil {
		return nil, nil
	}
	total, stated := 0.0, false
	for _, f := range fees {
		code, _ := f["currency_code"].(string)
		if currency != nil && *currency != code {
			return nil, nil
		}
		currency = given(code)
		amount, _ := f["amount"].(float64)
		switch {
		case f["type"] == "total":
			total, stated = amount, true
		case !stated:
			total += amount
		}
	}
	total = float64(int64(total*100+0.5)) / 100 // cents, without the noise of adding
	return &total, currency
}

// setUrgency says how near the last free day is, unless what is known about it is too old.
func (d *demurrage) setUrgency(c *call, box, ship *resource) {
	checked := box.time("terminal_checked_at")
	left := pickedUpAt(box)
	day, known := dayAt(box.time("pickup_lfd"), box.str("pod_timezone"))
	if known {
		today, _ := dayAt(c.now, box.str("pod_timezone"))
		n := int(day.Sub(today).Hours() / 24)
		d.DaysUntilLFD = &n
	}
	suppress := func(reason string) { d.Urgency, d.UrgencySuppressed, d.UrgencyReason = "unknown", true, reason }
	switch {
	case !left.IsZero():
		d.Urgency, d.UrgencyReason = "none", "It has left the terminal."
	case d.PickupLFD == nil:
		d.Urgency, d.UrgencyReason = "unknown", "No last free day is stated."
	case !known:
		d.Urgency, d.UrgencyReason = "unknown", "The time zone of the port is not known."
	case ship != nil && ship.text("line_tracking_stopped_at") != nil:
		suppress("Tracking of the shipment has stopped, so the day may have changed.")
	case checked.IsZero():
		suppress("No terminal has reported about it.")
	case c.now.Sub(checked) > terminalStale:
		suppress("The last report of the terminal is more than 7 days old.")
	case *d.DaysUntilLFD < 0:
		d.Urgency, d.UrgencyReason = "overdue", "The last free day has passed."
	case *d.DaysUntilLFD <= 3:
		d.Urgency, d.UrgencyReason = "imminent", "The last free day is at most 3 days away."
	default:
		d.Urgency, d.UrgencyReason = "none", "The last free day is more than 3 days away."
	}
}

// pickedUpAt is when the container left the last terminal; zero while it is there.
func pickedUpAt(box *resource) time.Time {
	for _, name := range []string{"final_destination_full_out_at", "pod_full_out_at", "delivered_at", "empty_terminated_at"} {
		if at := box.time(name); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// lifecycleOf follows from milestones alone: delivered only with a delivery.
func lifecycleOf(box *resource) string {
	switch {
	case box.text("delivered_at") != nil:
		return "delivered"
	case box.text("pod_rail_loaded_at") != nil && box.text("ind_ata_at") == nil:
		return "on_rail"
	case box.is("availability_known") && box.is("available_for_pickup"):
		return "available_for_pickup"
	case box.text("pod_discharged_at") != nil && box.text("terminal_checked_at") != nil:
		return "at_terminal"
	case box.text("pod_discharged_at") != nil:
		return "discharged"
	case box.text("pod_arrived_at") != nil:
		return "arrived"
	case box.text("pol_vessel_departed_at") != nil || box.text("pol_vessel_loaded_at") != nil:
		return "in_transit"
	}
	return "unknown"
}

func latestOf(box *resource, d *document) eventCounts {
	list := d.many(box, "transport_events")
	counts := eventCounts{Count: len(list)}
	var last *resource
	for _, e := range list {
		if strings.Contains(e.str("event"), ".rail_") {
			counts.RailEvents++
		}
		if last == nil || e.time("timestamp").After(last.time("timestamp")) {
			last = e
		}
	}
	if last != nil {
		counts.Latest = &latestEvent{last.str("event"), last.str("timestamp"), d.one(last, "location").str("name")}
	}
	return counts
}

func (c *call) containerMetadata(s *boxView, lifecycle string, parts []string) containerMetadata {
	m := containerMetadata{
		PresentationGuidance: "Begin with the summary. Times in it are in the zone of the place unless a timezone was given.",
		ContainerState:       lifecycle, DerivedLifecycle: lifecycle, StatusIsAuthoritative: s.box.text("current_status") != nil,
		IncludesLoaded: parts, CanAnswer: []string{"status", "availability", "last free day", "holds", "fees"},
		NeedsMoreDataFor:        []string{"events: get_container_transport_events", "costs by day: get_charges", "the ETA and its history: explain_eta"},
		RelevantForCurrentState: relevantFields(lifecycle), NotKnown: s.notKnown(),
		TerminalCheckedAt: s.box.text("terminal_checked_at"), LineLastSucceededAt: s.ship.text("line_tracking_last_succeeded_at"), TrackingStoppedAt: s.ship.text("line_tracking_stopped_at"),
	}
	switch lifecycle {
	case "at_terminal", "available_for_pickup", "discharged":
		m.Suggestions = suggestions{given("It is at the terminal, where free time runs."), given("What does it cost? (get_charges)")}
	case "in_transit":
		m.Suggestions = suggestions{given("It is under way."), given("Why is the ETA what it is? (explain_eta)")}
	}
	return m
}

func relevantFields(lifecycle string) []string {
	switch lifecycle {
	case "at_terminal", "available_for_pickup", "discharged", "arrived":
		return []string{"location", "demurrage", "pod_terminal"}
	case "on_rail":
		return []string{"rail"}
	case "delivered":
		return []string{"status"}
	}
	return []string{"status", "shipment"}
}

// boxView is a container with its shipment and its terminal, which may be nil.
type boxView struct{ box, ship, site *resource }

// notKnown lists what a reader may ask about and nobody has stated.
func (s *boxView) notKnown() []string {
	list := []string{}
	if !pickedUpAt(s.box).IsZero() {
		return list
	}
	for _, of := range []struct{ field, name string }{
		{"pickup_lfd", "last free day"}, {"pickup_appointment_at", "pick-up appointment"}, {"terminal_checked_at", "what the terminal says"}, {"weight_in_lbs", "weight"},
	} {
		if s.box.text(of.field) == nil && s.box.number(of.field) == nil {
			list = append(list, of.name)
		}
	}
	if !s.box.is("availability_known") {
		list = append(list, "availability for pick-up")
	}
	if s.ship.text("pod_eta_at") == nil && s.box.text("pod_arrived_at") == nil && s.box.text("pod_discharged_at") == nil {
		list = append(list, "ETA")
	}
	return list
}

// boxSummary says where a container is, what holds it, until when it is free, and how old that is.
func (c *call) boxSummary(s *boxView, d *demurrage) []string {
	lines := []string{c.whereabouts(s)}
	if line := c.equipmentText(s.box); line != "" {
		lines = append(lines, line)
	}
	if line := c.release(s, d); line != "" {
		lines = append(lines, line)
	}
	if line := c.freeTime(s, d); line != "" {
		lines = append(lines, line)
	}
	if line := c.overdue(s); line != "" {
		lines = append(lines, line)
	}
	lines = append(lines, c.freshness(s))
	if list := s.notKnown(); len(list) > 0 {
		lines = append(lines, "Not known: "+strings.Join(list, ", ")+".")
	}
	return lines
}

// equipmentText describes the container, as far as it is known.
func (c *call) equipmentText(box *resource) string {
	var parts []string
	if n := box.number("equipment_length"); n != nil {
		parts = append(parts, fmt.Sprintf("%.0f ft", *n))
	}
	for _, name := range []string{"equipment_type", "equipment_height"} {
		if s := box.str(name); s != "" {
			parts = append(parts, words(s))
		}
	}
	line := strings.Join(parts, " ")
	if lbs := box.number("weight_in_lbs"); lbs != nil {
		line = strings.TrimPrefix(line+", gross weight "+c.weight(*lbs), ", ")
	}
	if line == "" {
		return ""
	}
	return "Equipment: " + line + "."
}

// whereabouts is the first sentence: the container, its cargo's way, and its last milestone.
func (c *call) whereabouts(s *boxView) string {
	zone := s.box.str("pod_timezone")
	port := quoteOr(s.ship.str("port_of_discharge_name"), "the port of discharge")
	line := "Container " + quote(s.box.str("number"))
	if name := s.ship.str("shipping_line_name"); name != "" {
		line += " (" + quote(name) + ", B/L or booking " + quoteOr(s.ship.str("bill_of_lading_number"), "not known") + ")"
	}
	at := func(name string) string { return c.at(s.box.time(name), zone) }
	switch {
	case s.box.text("removed_at") != nil:
		return line + " is no longer part of the shipment: it was removed " + c.ago(s.box.time("removed_at")) + "."
	case s.box.text("empty_terminated_at") != nil:
		return line + " was returned empty on " + c.at(s.box.time("empty_terminated_at"), s.box.str("empty_terminated_timezone")) + "."
	case s.box.text("delivered_at") != nil:
		return line + " was delivered on " + c.at(s.box.time("delivered_at"), orElse(s.box.str("final_destination_timezone"), zone)) + "."
	case s.box.text("final_destination_full_out_at") != nil:
		return line + " left the inland destination on " + c.at(s.box.time("final_destination_full_out_at"), s.box.str("final_destination_timezone")) + "."
	case s.box.text("pod_full_out_at") != nil:
		return line + " left " + port + " on " + at("pod_full_out_at") + "."
	case s.box.text("pod_rail_loaded_at") != nil:
		return line + " was loaded on a train at " + port + " on " + at("pod_rail_loaded_at") + "."
	case s.box.text("pod_discharged_at") != nil:
		return line + " was discharged at " + port + " on " + at("pod_discharged_at") + c.siteText(s) + "."
	case s.box.text("pod_arrived_at") != nil:
		return line + " arrived at " + port + " on " + at("pod_arrived_at") + " and is not reported as discharged."
	}
	return line + c.beforeArrival(s, port)
}

func (c *call) siteText(s *boxView) string {
	if s.site == nil {
		return ""
	}
	return ", terminal " + quoteOr(s.site.str("name"), "not known")
}

// beforeArrival continues the first sentence of a container that has not arrived.
func (c *call) beforeArrival(s *boxView, port string) string {
	out := " is not reported as loaded"
	if at := s.box.time("pol_vessel_departed_at"); !at.IsZero() {
		out = " is at sea: it left " + quoteOr(s.ship.str("port_of_lading_name"), "the port of lading") + " on " + c.at(at, s.ship.str("pol_timezone"))
	} else if at := s.box.time("pol_vessel_loaded_at"); !at.IsZero() {
		out = " was loaded at " + quoteOr(s.ship.str("port_of_lading_name"), "the port of lading") + " on " + c.at(at, s.ship.str("pol_timezone"))
	}
	if ship := s.ship.str("pod_vessel_name"); ship != "" {
		out += ", vessel to " + port + ": " + quote(ship)
	}
	if eta := s.ship.time("pod_eta_at"); !eta.IsZero() {
		return out + ". Estimated arrival at " + port + ": " + c.at(eta, s.ship.str("pod_timezone")) + "."
	}
	return out + ". No arrival is estimated."
}

// release says whether it can be picked up, and what stops that in the terminal's words.
func (c *call) release(s *boxView, d *demurrage) string {
	var parts []string
	if s.box.is("availability_known") && pickedUpAt(s.box).IsZero() {
		parts = append(parts, map[bool]string{true: "The terminal says that it can be picked up.", false: "The terminal says that it cannot be picked up."}[s.box.is("available_for_pickup")])
	}
	if len(d.Holds) > 0 {
		parts = append(parts, "Holds: "+holdsText(d.Holds)+".")
	}
	if len(d.Fees) > 0 {
		parts = append(parts, "Fees that the terminal states: "+feesText(d.Fees)+".")
	}
	return strings.Join(parts, " ")
}

func holdsText(holds []map[string]any) string {
	var parts []string
	for _, h := range holds {
		name, _ := h["name"].(string)
		status, _ := h["status"].(string)
		part := words(name) + " (" + words(status) + ")"
		if said, _ := h["description"].(string); said != "" {
			part += " " + quote(said)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

func feesText(fees []map[string]any) string {
	var parts []string
	for _, f := range fees {
		kind, _ := f["type"].(string)
		code, _ := f["currency_code"].(string)
		amount, _ := f["amount"].(float64)
		parts = append(parts, fmt.Sprintf("%s %.2f %s", words(kind), amount, clean(code)))
	}
	return strings.Join(parts, ", ")
}

// freeTime says until when the container is free.
func (c *call) freeTime(s *boxView, d *demurrage) string {
	last, known := dayAt(s.box.time("pickup_lfd"), s.box.str("pod_timezone"))
	if !known || !pickedUpAt(s.box).IsZero() {
		return ""
	}
	line := "Last free day: " + day(last)
	switch n := *d.DaysUntilLFD; {
	case n < 0:
		line += ", " + plural(-n, "day") + " ago"
	case n == 0:
		line += ", today"
	default:
		line += ", in " + plural(n, "day")
	}
	if d.UrgencySuppressed {
		line += ". " + strings.TrimSuffix(d.UrgencyReason, ".")
	}
	return line + "."
}

// overdue names the expected milestone that is not reported in time.
func (c *call) overdue(s *boxView) string {
	next := s.box.str("next_milestone")
	if next == "" || !s.box.is("overdue") {
		return ""
	}
	line := "Next expected: " + eventWords(next)
	if due := s.box.time("next_milestone_due_at"); !due.IsZero() {
		line += ", due by " + c.at(due, s.box.str("pod_timezone"))
	}
	return line + ". It is overdue."
}

// freshness says how old the statements are.
func (c *call) freshness(s *boxView) string {
	var parts []string
	if at := s.ship.time("line_tracking_last_succeeded_at"); !at.IsZero() {
		parts = append(parts, "the line last answered "+c.ago(at))
	} else {
		parts = append(parts, "no query to the line has been answered")
	}
	if at := s.box.time("updated_at"); !at.IsZero() {
		parts = append(parts, "the container last changed "+c.ago(at))
	} else if at := s.ship.time("updated_at"); !at.IsZero() {
		parts = append(parts, "the shipment last changed "+c.ago(at))
	}
	if at := s.box.time("terminal_checked_at"); !at.IsZero() {
		parts = append(parts, "a terminal last reported "+c.ago(at))
	}
	line := "How old this is: " + strings.Join(parts, ", ")
	if at := s.ship.time("line_tracking_stopped_at"); !at.IsZero() {
		line += ". Tracking stopped " + c.ago(at) + " (" + orElse(words(s.ship.str("line_tracking_stopped_reason")), "no reason given") + "), so nothing newer is known"
	} else if reason := s.ship.str("line_tracking_last_failed_reason"); reason != "" {
		line += ". The last query failed: " + words(reason)
	}
	return line + "."
}

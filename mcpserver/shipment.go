package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"time"
)

type shipmentResult struct {
	Summary          []string         `json:"summary"`
	ID               string           `json:"id"`
	BillOfLading     *string          `json:"bill_of_lading"`
	NormalizedNumber *string          `json:"normalized_number"`
	Status           string           `json:"status"`
	ShippingLine     shippingLine     `json:"shipping_line"`
	CustomerName     *string          `json:"customer_name"`
	ReferenceNumbers []string         `json:"reference_numbers"`
	Tags             []string         `json:"tags"`
	Routing          routing          `json:"routing"`
	VesselAtPOD      vesselAtPOD      `json:"vessel_at_pod"`
	Containers       any              `json:"containers" about:"an object with count and containers, or a hint"`
	Tracking         lineTracking     `json:"tracking"`
	CreatedAt        *string          `json:"created_at"`
	UpdatedAt        *string          `json:"updated_at"`
	Metadata         shipmentMetadata `json:"_metadata"`
}

type shippingLine struct {
	SCAC      *string `json:"scac"`
	Name      *string `json:"name"`
	ShortName *string `json:"short_name"`
}

type routing struct {
	PortOfLading    portOfLading    `json:"port_of_lading"`
	PortOfDischarge portOfDischarge `json:"port_of_discharge"`
	Destination     *destination    `json:"destination"`
}

type portOfLading struct {
	LOCODE   *string      `json:"locode"`
	Name     *string      `json:"name"`
	Details  *portDetails `json:"port_details"`
	ETD      *string      `json:"etd"`
	ATD      *string      `json:"atd"`
	Timezone *string      `json:"timezone"`
}

type portOfDischarge struct {
	LOCODE      *string       `json:"locode"`
	Name        *string       `json:"name"`
	Details     *portDetails  `json:"port_details"`
	Terminal    *siteTerminal `json:"terminal"`
	ETA         *string       `json:"eta"`
	ATA         *string       `json:"ata"`
	OriginalETA *string       `json:"original_eta"`
	Timezone    *string       `json:"timezone"`
}

type destination struct {
	LOCODE   *string       `json:"locode"`
	Name     *string       `json:"name"`
	Terminal *siteTerminal `json:"terminal"`
	ETA      *string       `json:"eta"`
	ATA      *string       `json:"ata"`
	Timezone *string       `json:"timezone"`
}

type portDetails struct {
	ID          string  `json:"id"`
	Code        *string `json:"code"`
	CountryCode *string `json:"country_code"`
}

type siteTerminal struct {
	ID        string  `json:"id"`
	Name      *string `json:"name"`
	Nickname  *string `json:"nickname"`
	FIRMSCode *string `json:"firms_code"`
}

type vesselAtPOD struct {
	Name         *string `json:"name"`
	IMO          *string `json:"imo"`
	VoyageNumber *string `json:"voyage_number"`
}

type containersOf struct {
	Count      int          `json:"count"`
	Containers []briefOfBox `json:"containers"`
}

type briefOfBox struct {
	ID                 string   `json:"id"`
	Number             *string  `json:"number"`
	Status             *string  `json:"status"`
	EquipmentType      *string  `json:"equipment_type"`
	EquipmentLength    *float64 `json:"equipment_length"`
	AvailableForPickup *bool    `json:"available_for_pickup"`
	PODArrivedAt       *string  `json:"pod_arrived_at"`
	PODDischargedAt    *string  `json:"pod_discharged_at"`
	PickupLFD          *string  `json:"pickup_lfd"`
}

type lineTracking struct {
	LastAttemptedAt *string `json:"line_tracking_last_attempted_at"`
	LastSucceededAt *string `json:"line_tracking_last_succeeded_at"`
	StoppedAt       *string `json:"line_tracking_stopped_at"`
	StoppedReason   *string `json:"line_tracking_stopped_reason"`
}

type shipmentMetadata struct {
	PresentationGuidance string   `json:"presentation_guidance"`
	ShipmentStatus       string   `json:"shipment_status"`
	IncludesLoaded       []string `json:"includes_loaded"`
}

var getShipmentDetails = &tool{
	name: "get_shipment_details", title: "Shipment",
	about: "Shows one shipment: line, ports with estimated and actual times, vessel, containers, and when the line last answered.",
	parameters: []parameter{
		{name: "id", kind: identifier, about: "ID of the shipment, from search_container or list_shipments.", required: true},
		{name: "include_containers", kind: flag, about: "Whether its containers are listed. Defaults to true."},
	},
	output: shipmentResult{},
	guide: guide{
		Purpose:              "Show a shipment with its route.",
		CanAnswer:            []string{"When does it arrive?", "On which ship is it?", "Which containers does it have?"},
		RequiresMoreData:     []string{"Why did the ETA move? (explain_eta)", "The state of a container (get_container)"},
		RelevantFields:       []string{"summary", "routing", "containers", "tracking"},
		PresentationGuidance: "Begin with the arrival: actual if there is one, else estimated. Say when the line last answered.",
		SuggestedFollowUps:   []string{"Why did the ETA move?", "Show a container"},
		SuggestedTools:       []string{"explain_eta", "get_container", "get_container_route"},
	},
	run: func(ctx context.Context, c *call) (*answer, error) {
		with := c.args.flag("include_containers", true)
		parts := []string{"pod_terminal", "port_of_lading", "port_of_discharge", "destination", "destination_terminal"}
		if with {
			parts = append(parts, "containers")
		}
		ship, d, err := c.readOne(ctx, "/shipments", c.args.text("id"), strings.Join(parts, ","))
		if err != nil {
			return nil, err
		}
		r := c.shipmentOf(ship, d, with)
		r.Metadata.IncludesLoaded = parts
		return &answer{result: r}, nil
	},
}

func (c *call) shipmentOf(ship *resource, d *document, withBoxes bool) *shipmentResult {
	r := &shipmentResult{
		ID: ship.ID, BillOfLading: ship.text("bill_of_lading_number"), NormalizedNumber: ship.text("normalized_number"), Status: shipmentStatus(ship),
		ShippingLine: shippingLine{ship.text("shipping_line_scac"), ship.text("shipping_line_name"), ship.text("shipping_line_short_name")},
		CustomerName: ship.text("customer_name"), ReferenceNumbers: ship.texts("ref_numbers"), Tags: ship.texts("tags"),
		Routing:     routingOf(ship, d),
		VesselAtPOD: vesselAtPOD{ship.text("pod_vessel_name"), ship.text("pod_vessel_imo"), ship.text("pod_voyage_number")},
		Containers:  "Ask with include_containers=true.",
		Tracking: lineTracking{
			ship.text("line_tracking_last_attempted_at"), ship.text("line_tracking_last_succeeded_at"), ship.text("line_tracking_stopped_at"), ship.text("line_tracking_stopped_reason"),
		},
		CreatedAt: ship.text("created_at"), UpdatedAt: ship.text("updated_at"),
	}
	if withBoxes {
		boxes := containersOf{Containers: []briefOfBox{}}
		for _, b := range d.many(ship, "containers") {
			boxes.Containers = append(boxes.Containers, briefOf(b))
		}
		boxes.Count = len(boxes.Containers)
		r.Containers = boxes
	}
	r.Metadata = shipmentMetadata{PresentationGuidance: "Begin with the summary.", ShipmentStatus: r.Status}
	r.Summary = c.shipmentSummary(ship)
	return r
}

func briefOf(b *resource) briefOfBox {
	brief := briefOfBox{
		ID: b.ID, Number: b.text("number"), Status: b.text("current_status"), EquipmentType: b.text("equipment_type"), EquipmentLength: b.number("equipment_length"),
		PODArrivedAt: b.text("pod_arrived_at"), PODDischargedAt: b.text("pod_discharged_at"), PickupLFD: b.text("pickup_lfd"),
	}
	if b.is("availability_known") {
		brief.AvailableForPickup = b.flag("available_for_pickup")
	}
	return brief
}

// shipmentStatus follows from the times of the shipment.
func shipmentStatus(ship *resource) string {
	for _, of := range []struct{ attribute, status string }{
		{"destination_ata_at", "delivered_to_destination"}, {"pod_ata_at", "arrived_at_pod"}, {"pol_atd_at", "in_transit"}, {"pol_etd_at", "awaiting_departure"},
	} {
		if ship.text(of.attribute) != nil {
			return of.status
		}
	}
	return "pending"
}

func routingOf(ship *resource, d *document) routing {
	r := routing{
		PortOfLading: portOfLading{
			ship.text("port_of_lading_locode"), ship.text("port_of_lading_name"), detailsOf(d.one(ship, "port_of_lading")),
			ship.text("pol_etd_at"), ship.text("pol_atd_at"), ship.text("pol_timezone"),
		},
		PortOfDischarge: portOfDischarge{
			ship.text("port_of_discharge_locode"), ship.text("port_of_discharge_name"), detailsOf(d.one(ship, "port_of_discharge")), terminalOf(d.one(ship, "pod_terminal")),
			ship.text("pod_eta_at"), ship.text("pod_ata_at"), ship.text("pod_original_eta_at"), ship.text("pod_timezone"),
		},
	}
	if ship.text("destination_locode") != nil || ship.text("destination_name") != nil {
		r.Destination = &destination{
			ship.text("destination_locode"), ship.text("destination_name"), terminalOf(d.one(ship, "destination_terminal")),
			ship.text("destination_eta_at"), ship.text("destination_ata_at"), ship.text("destination_timezone"),
		}
	}
	return r
}

func detailsOf(port *resource) *portDetails {
	if port == nil {
		return nil
	}
	return &portDetails{port.ID, port.text("code"), port.text("country_code")}
}

func terminalOf(site *resource) *siteTerminal {
	if site == nil {
		return nil
	}
	return &siteTerminal{site.ID, site.text("name"), site.text("nickname"), site.text("firms_code")}
}

// shipmentSummary says whence and whither it goes, when it arrives, and how old that is.
func (c *call) shipmentSummary(ship *resource) []string {
	lines := []string{fmt.Sprintf("Shipment %s of %s: %s to %s.",
		quoteOr(ship.str("bill_of_lading_number"), "without a number"), quoteOr(ship.str("shipping_line_name"), "an unknown line"),
		quoteOr(ship.str("port_of_lading_name"), "a port of lading that is not known"), quoteOr(ship.str("port_of_discharge_name"), "a port of discharge that is not known"))}
	lines = append(lines, c.milestone(ship, "Departure", "pol_atd_at", "pol_etd_at", "pol_timezone"), c.milestone(ship, "Arrival", "pod_ata_at", "pod_eta_at", "pod_timezone"))
	if ship.text("destination_name") != nil {
		lines = append(lines, "Destination "+quote(ship.str("destination_name"))+": "+lower(c.milestone(ship, "Arrival", "destination_ata_at", "destination_eta_at", "destination_timezone")))
	}
	s := boxView{&resource{}, ship, nil}
	return append(lines, c.freshness(&s))
}

func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// milestone states the actual time, else the estimated one.
func (c *call) milestone(ship *resource, what, actual, estimated, zone string) string {
	if at := ship.time(actual); !at.IsZero() {
		return fmt.Sprintf("%s: %s.", what, c.at(at, ship.str(zone)))
	}
	at := ship.time(estimated)
	if at.IsZero() {
		return what + ": not known, and no estimate is reported."
	}
	line := fmt.Sprintf("%s: estimated for %s", what, c.at(at, ship.str(zone)))
	if first := ship.time("pod_original_eta_at"); actual == "pod_ata_at" && !first.IsZero() && !first.Equal(at) {
		line += ", " + slip(at.Sub(first)) + " than first estimated"
	}
	if c.now.After(at) {
		line += "; that has passed and it is not reported"
	}
	return line + "."
}

// slip says how much later or earlier a time is.
func slip(d time.Duration) string {
	if d < 0 {
		return span(-d) + " earlier"
	}
	return span(d) + " later"
}

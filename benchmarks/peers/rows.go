package main

import "encoding/json"

// The rows that the naive server and the one on pgx keep: a column for each attribute,
// named as the members of the documents. Times are texts, which spares both parsing them.

type shipmentRow struct {
	Seq                 int     `json:"seq"`
	ID                  string  `json:"id"`
	Account             int     `json:"account"`
	PortOfLading        *string `json:"port_of_lading"`
	PortOfDischarge     *string `json:"port_of_discharge"`
	PODTerminal         *string `json:"pod_terminal"`
	Destination         *string `json:"destination"`
	DestinationTerminal *string `json:"destination_terminal"`
	StoppedBy           *string `json:"line_tracking_stopped_by_user"`
	shipmentAttributes
}

type containerRow struct {
	Seq            int     `json:"seq"`
	ID             string  `json:"id"`
	Shipment       string  `json:"shipment"`
	PickupFacility *string `json:"pickup_facility"`
	PODTerminal    *string `json:"pod_terminal"`
	containerAttributes
}

type portRow struct {
	Seq int    `json:"seq"`
	ID  string `json:"id"`
	portAttributes
}

type terminalRow struct {
	Seq  int     `json:"seq"`
	ID   string  `json:"id"`
	Port *string `json:"port"`
	terminalAttributes
}

// containerAttributes are the attributes of a container, a column each.
type containerAttributes struct {
	Number                        string          `json:"number"`
	RefNumbers                    json.RawMessage `json:"ref_numbers"`
	SealNumber                    *string         `json:"seal_number"`
	CreatedAt                     *string         `json:"created_at"`
	UpdatedAt                     *string         `json:"updated_at"`
	EquipmentType                 *string         `json:"equipment_type"`
	EquipmentLength               *int            `json:"equipment_length"`
	EquipmentHeight               *string         `json:"equipment_height"`
	WeightInLbs                   *float64        `json:"weight_in_lbs"`
	CurrentStatus                 string          `json:"current_status"`
	AvailabilityKnown             bool            `json:"availability_known"`
	AvailableForPickup            bool            `json:"available_for_pickup"`
	PickupLFD                     *string         `json:"pickup_lfd"`
	PickupLFDEarliest             *string         `json:"pickup_lfd_earliest"`
	PickupAppointmentAt           *string         `json:"pickup_appointment_at"`
	PODArrivedAt                  *string         `json:"pod_arrived_at"`
	PODDischargedAt               *string         `json:"pod_discharged_at"`
	PODFullOutAt                  *string         `json:"pod_full_out_at"`
	PODFullOutChassis             *string         `json:"pod_full_out_chassis_number"`
	LocationAtPODTerminal         *string         `json:"location_at_pod_terminal"`
	FinalDestinationFullOutAt     *string         `json:"final_destination_full_out_at"`
	EmptyTerminatedAt             *string         `json:"empty_terminated_at"`
	TerminalCheckedAt             *string         `json:"terminal_checked_at"`
	HoldsAtPODTerminal            json.RawMessage `json:"holds_at_pod_terminal"`
	FeesAtPODTerminal             json.RawMessage `json:"fees_at_pod_terminal"`
	PODTimezone                   *string         `json:"pod_timezone"`
	FinalDestinationTimezone      *string         `json:"final_destination_timezone"`
	EmptyTerminatedTimezone       *string         `json:"empty_terminated_timezone"`
	PODRailCarrierSCAC            *string         `json:"pod_rail_carrier_scac"`
	INDRailCarrierSCAC            *string         `json:"ind_rail_carrier_scac"`
	PODLastTrackingRequestAt      *string         `json:"pod_last_tracking_request_at"`
	ShipmentLastTrackingRequestAt *string         `json:"shipment_last_tracking_request_at"`
	PODRailLoadedAt               *string         `json:"pod_rail_loaded_at"`
	PODRailDepartedAt             *string         `json:"pod_rail_departed_at"`
	INDETAAt                      *string         `json:"ind_eta_at"`
	INDATAAt                      *string         `json:"ind_ata_at"`
	INDRailUnloadedAt             *string         `json:"ind_rail_unloaded_at"`
	INDFacilityLFDOn              *string         `json:"ind_facility_lfd_on"`
	ImportDeadlines               json.RawMessage `json:"import_deadlines"`
	EmptyOutAt                    *string         `json:"empty_out_at"`
	POLFullInAt                   *string         `json:"pol_full_in_at"`
	POLVesselLoadedAt             *string         `json:"pol_vessel_loaded_at"`
	POLVesselDepartedAt           *string         `json:"pol_vessel_departed_at"`
	DeliveredAt                   *string         `json:"delivered_at"`
	RemovedAt                     *string         `json:"removed_at"`
	NextMilestone                 *string         `json:"next_milestone"`
	NextMilestoneDueAt            *string         `json:"next_milestone_due_at"`
	NextMilestoneExpectedAt       *string         `json:"next_milestone_expected_at"`
	NextMilestoneLocation         *string         `json:"next_milestone_location_locode"`
	Overdue                       json.RawMessage `json:"overdue"`
}

// portAttributes are the attributes of a port, a column each.
type portAttributes struct {
	Name        string   `json:"name"`
	Code        *string  `json:"code"`
	StateAbbr   *string  `json:"state_abbr"`
	City        *string  `json:"city"`
	CountryCode *string  `json:"country_code"`
	TimeZone    *string  `json:"time_zone"`
	Latitude    *float64 `json:"latitude"`
	Longitude   *float64 `json:"longitude"`
}

// shipmentAttributes are the attributes of a shipment, a column each.
type shipmentAttributes struct {
	CreatedAt                 *string         `json:"created_at"`
	UpdatedAt                 *string         `json:"updated_at"`
	RefNumbers                json.RawMessage `json:"ref_numbers"`
	Tags                      json.RawMessage `json:"tags"`
	BillOfLadingNumber        string          `json:"bill_of_lading_number"`
	NormalizedNumber          string          `json:"normalized_number"`
	ShippingLineSCAC          *string         `json:"shipping_line_scac"`
	ShippingLineName          *string         `json:"shipping_line_name"`
	ShippingLineShortName     *string         `json:"shipping_line_short_name"`
	CustomerName              *string         `json:"customer_name"`
	PortOfLadingLOCODE        *string         `json:"port_of_lading_locode"`
	PortOfLadingName          *string         `json:"port_of_lading_name"`
	PortOfDischargeLOCODE     *string         `json:"port_of_discharge_locode"`
	PortOfDischargeName       *string         `json:"port_of_discharge_name"`
	PODVesselName             *string         `json:"pod_vessel_name"`
	PODVesselIMO              *string         `json:"pod_vessel_imo"`
	PODVoyageNumber           *string         `json:"pod_voyage_number"`
	DestinationLOCODE         *string         `json:"destination_locode"`
	DestinationName           *string         `json:"destination_name"`
	POLETDAt                  *string         `json:"pol_etd_at"`
	POLATDAt                  *string         `json:"pol_atd_at"`
	PODETAAt                  *string         `json:"pod_eta_at"`
	PODOriginalETAAt          *string         `json:"pod_original_eta_at"`
	PODATAAt                  *string         `json:"pod_ata_at"`
	DestinationETAAt          *string         `json:"destination_eta_at"`
	DestinationATAAt          *string         `json:"destination_ata_at"`
	POLTimezone               *string         `json:"pol_timezone"`
	PODTimezone               *string         `json:"pod_timezone"`
	DestinationTimezone       *string         `json:"destination_timezone"`
	LineTrackingLastAttempted *string         `json:"line_tracking_last_attempted_at"`
	LineTrackingLastSucceeded *string         `json:"line_tracking_last_succeeded_at"`
	LineTrackingStoppedAt     *string         `json:"line_tracking_stopped_at"`
	LineTrackingStoppedReason *string         `json:"line_tracking_stopped_reason"`
	LineTrackingFailedReason  *string         `json:"line_tracking_last_failed_reason"`
	PODETASource              *string         `json:"pod_eta_source"`
	PODETABand                json.RawMessage `json:"pod_eta_band"`
	PromisedArrivalAt         *string         `json:"promised_arrival_at"`
	RemovedAt                 *string         `json:"removed_at"`
}

// terminalAttributes are the attributes of a terminal, a column each.
type terminalAttributes struct {
	Name            string  `json:"name"`
	Nickname        *string `json:"nickname"`
	FIRMSCode       *string `json:"firms_code"`
	SMDGCode        *string `json:"smdg_code"`
	BICFacilityCode *string `json:"bic_facility_code"`
	Street          *string `json:"street"`
	City            *string `json:"city"`
	State           *string `json:"state"`
	StateAbbr       *string `json:"state_abbr"`
	Zip             *string `json:"zip"`
	Country         *string `json:"country"`
}

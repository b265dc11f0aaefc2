package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/jmoiron/sqlx/reflectx"

	"github.com/landfallhq/tracking"
)

// The tables of the naive contender: the rows as sqlx reads them, whose columns
// are named as the members of the documents.

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
	naiveShipment
}

func (s *shipmentRow) resource(boxes []reference) resource {
	return resourceOf("shipment", "shipments", s.ID, &s.naiveShipment, map[string]relationship{
		"port_of_lading": one("port", s.PortOfLading), "port_of_discharge": one("port", s.PortOfDischarge),
		"pod_terminal": one("terminal", s.PODTerminal), "destination": one("port", s.Destination),
		"destination_terminal":          one("terminal", s.DestinationTerminal),
		"line_tracking_stopped_by_user": one("user", s.StoppedBy), "containers": {boxes},
	})
}

type containerRow struct {
	Seq            int     `json:"seq"`
	ID             string  `json:"id"`
	Shipment       string  `json:"shipment"`
	PickupFacility *string `json:"pickup_facility"`
	PODTerminal    *string `json:"pod_terminal"`
	naiveContainer
}

func (c *containerRow) resource() resource {
	return resourceOf("container", "containers", c.ID, &c.naiveContainer, map[string]relationship{
		"shipment": one("shipment", &c.Shipment), "pickup_facility": one("terminal", c.PickupFacility), "pod_terminal": one("terminal", c.PODTerminal),
	})
}

type portRow struct {
	Seq int    `json:"seq"`
	ID  string `json:"id"`
	naivePort
}

func (p *portRow) resource() resource {
	return resourceOf("port", "ports", p.ID, &p.naivePort, nil)
}

type terminalRow struct {
	Seq  int     `json:"seq"`
	ID   string  `json:"id"`
	Port *string `json:"port"`
	naiveTerminal
}

func (t *terminalRow) resource() resource {
	return resourceOf("terminal", "terminals", t.ID, &t.naiveTerminal, map[string]relationship{"port": one("port", t.Port)})
}

// naiveTable is a table and what its rows are read into.
type naiveTable struct {
	name string
	row  any
}

var naiveTables = []naiveTable{{"shipment", shipmentRow{}}, {"container", containerRow{}}, {"port", portRow{}}, {"terminal", terminalRow{}}}

// columns are the columns of the table, seq and id first.
func (t naiveTable) columns(m *reflectx.Mapper) (names []string) {
	for _, f := range m.TypeMap(reflect.TypeOf(t.row)).Index {
		if !f.Embedded {
			names = append(names, f.Name)
		}
	}
	return names
}

func (t naiveTable) create(m *reflectx.Mapper) string {
	columns := t.columns(m)
	columns[0] = "seq INTEGER PRIMARY KEY"
	columns[1] = "id TEXT NOT NULL UNIQUE"
	return "CREATE TABLE " + t.name + " (" + strings.Join(columns, ", ") + ")"
}

// naiveInsert writes what the engine shows of a record as a row.
func naiveInsert(ctx context.Context, tx *sqlx.Tx, r *tracking.Resource, seq int) error {
	for _, t := range naiveTables {
		if t.name != r.Type {
			continue
		}
		row, err := t.read(r, seq)
		if err != nil {
			return err
		}
		columns := t.columns(tx.Mapper)
		_, err = tx.NamedExecContext(ctx, "INSERT INTO "+t.name+" ("+strings.Join(columns, ", ")+") VALUES (:"+strings.Join(columns, ", :")+")", row)
		return err
	}
	return fmt.Errorf("there is no naive table for a %s", r.Type)
}

// read makes a row of a document: its attributes, and the IDs it refers to.
func (t naiveTable) read(r *tracking.Resource, seq int) (any, error) {
	var doc struct {
		Attributes    map[string]json.RawMessage `json:"attributes"`
		Relationships map[string]struct {
			Data json.RawMessage `json:"data"`
		} `json:"relationships"`
	}
	if err := json.Unmarshal(r.Doc, &doc); err != nil {
		return nil, err
	}
	flat := doc.Attributes
	for name, rel := range doc.Relationships {
		var to reference
		if json.Unmarshal(rel.Data, &to) == nil && to.ID != "" { // a list is in the other table
			flat[name], _ = json.Marshal(to.ID)
		}
	}
	flat["id"], _ = json.Marshal(r.ID)
	flat["seq"], _ = json.Marshal(seq)
	flat["account"], _ = json.Marshal(naiveAccount)
	all, err := json.Marshal(flat)
	if err != nil {
		return nil, err
	}
	row := reflect.New(reflect.TypeOf(t.row))
	return row.Interface(), json.Unmarshal(all, row.Interface())
}

// naiveContainer are the attributes of a container, a column each.
type naiveContainer struct {
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
}

// naivePort are the attributes of a port, a column each.
type naivePort struct {
	Name        string   `json:"name"`
	Code        *string  `json:"code"`
	StateAbbr   *string  `json:"state_abbr"`
	City        *string  `json:"city"`
	CountryCode *string  `json:"country_code"`
	TimeZone    *string  `json:"time_zone"`
	Latitude    *float64 `json:"latitude"`
	Longitude   *float64 `json:"longitude"`
}

// naiveShipment are the attributes of a shipment, a column each.
type naiveShipment struct {
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
}

// naiveTerminal are the attributes of a terminal, a column each.
type naiveTerminal struct {
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

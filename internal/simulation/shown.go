package simulation

import (
	"fmt"
	"slices"
	"time"
)

// ShownShipment is a shipment as the engine shows it. Empty words and zero
// times stand for null.
type ShownShipment struct {
	Containers         []string
	POL                string
	POD                string
	Destination        string
	TransshipmentPorts []string // nil where the engine does not show them: not judged
	POLETD             time.Time
	POLATD             time.Time
	PODETA             time.Time
	PODOriginalETA     time.Time
	PODATA             time.Time
	DestinationATA     time.Time
	PODVesselIMO       string
	PODVesselName      string
	StoppedReason      string
}

// ShownContainer is a container as the engine shows it.
type ShownContainer struct {
	Status                    string
	EmptyOutAt                time.Time
	POLFullInAt               time.Time
	POLVesselLoadedAt         time.Time
	POLVesselDepartedAt       time.Time
	PODArrivedAt              time.Time
	PODDischargedAt           time.Time
	PODFullOutAt              time.Time
	PODRailLoadedAt           time.Time
	PODRailDepartedAt         time.Time
	INDATAAt                  time.Time
	INDRailUnloadedAt         time.Time
	FinalDestinationFullOutAt time.Time
	DeliveredAt               time.Time
	EmptyTerminatedAt         time.Time
	AvailabilityKnown         bool
	AvailableForPickup        bool
	PODTerminal               string
	Milestones                []ShownMilestone
}

// Finding is one value that is not what a clerk would show.
type Finding struct {
	Field string
	Shown string
	Want  string
}

func (f Finding) String() string { return fmt.Sprintf("%s is %s, want %s", f.Field, f.Shown, f.Want) }

// findings collects what is wrong with the fields of one thing shown.
type findings []Finding

func (f *findings) text(field, shown string, want Text) {
	if !want.Accepts(shown) {
		*f = append(*f, Finding{field, fmt.Sprintf("%q", shown), fmt.Sprintf("%s %q", want.Grade, want.OneOf)})
	}
}

func (f *findings) time(field string, shown time.Time, want Time) {
	if !want.Accepts(shown) {
		*f = append(*f, Finding{field, tellTime(shown), want.String()})
	}
}

func (f *findings) flag(field string, shown bool, want Flag) {
	if !want.Accepts(shown) {
		*f = append(*f, Finding{field, fmt.Sprint(shown), fmt.Sprintf("%s %v", want.Grade, want.OneOf)})
	}
}

func tellTime(at time.Time) string {
	if at.IsZero() {
		return "null"
	}
	return at.UTC().Format(stamp)
}

// String returns the grade and the accepted times.
func (t Time) String() string {
	out := string(t.Grade)
	if t.Null || len(t.OneOf) == 0 {
		out += " null"
	}
	for _, instant := range t.OneOf {
		out += " " + tellTime(instant.At)
		if instant.Day {
			out += " (day)"
		}
	}
	return out
}

// Judge says which values of the shipment shown are wrong.
func (e ShipmentExpectation) Judge(shown ShownShipment) []Finding {
	var f findings
	e.judgeContainers(&f, shown.Containers)
	f.text("port_of_lading", shown.POL, e.POL)
	f.text("port_of_discharge", shown.POD, e.POD)
	f.text("destination", shown.Destination, e.Destination)
	if shown.TransshipmentPorts != nil && !e.TransshipmentPorts.Accepts(shown.TransshipmentPorts) {
		f = append(f, Finding{"transshipment_ports", fmt.Sprint(shown.TransshipmentPorts), fmt.Sprintf("%+v", e.TransshipmentPorts)})
	}
	f.time("pol_etd_at", shown.POLETD, e.POLETD)
	f.time("pol_atd_at", shown.POLATD, e.POLATD)
	f.time("pod_eta_at", shown.PODETA, e.PODETA)
	f.time("pod_original_eta_at", shown.PODOriginalETA, e.PODOriginalETA)
	f.time("pod_ata_at", shown.PODATA, e.PODATA)
	f.time("destination_ata_at", shown.DestinationATA, e.DestinationATA)
	f.text("pod_vessel_imo", shown.PODVesselIMO, e.PODVesselIMO)
	f.text("pod_vessel_name", shown.PODVesselName, e.PODVesselName)
	f.text("line_tracking_stopped_reason", shown.StoppedReason, e.StoppedReason)
	return f
}

func (e ShipmentExpectation) judgeContainers(f *findings, shown []string) {
	for _, number := range e.Containers {
		if !slices.Contains(shown, number) {
			*f = append(*f, Finding{"containers", "without " + number, "with it"})
		}
	}
	for _, number := range shown {
		if !slices.Contains(e.Containers, number) && !slices.Contains(e.MayContainers, number) {
			*f = append(*f, Finding{"containers", "with " + number, "without it"})
		}
	}
}

// Judge says which values of the container shown are wrong.
func (e ContainerExpectation) Judge(shown ShownContainer) []Finding {
	var f findings
	f.text("current_status", shown.Status, e.Status)
	f.time("empty_out_at", shown.EmptyOutAt, e.EmptyOutAt)
	f.time("pol_full_in_at", shown.POLFullInAt, e.POLFullInAt)
	f.time("pol_vessel_loaded_at", shown.POLVesselLoadedAt, e.POLVesselLoadedAt)
	f.time("pol_vessel_departed_at", shown.POLVesselDepartedAt, e.POLVesselDepartedAt)
	f.time("pod_arrived_at", shown.PODArrivedAt, e.PODArrivedAt)
	f.time("pod_discharged_at", shown.PODDischargedAt, e.PODDischargedAt)
	f.time("pod_full_out_at", shown.PODFullOutAt, e.PODFullOutAt)
	f.time("pod_rail_loaded_at", shown.PODRailLoadedAt, e.PODRailLoadedAt)
	f.time("pod_rail_departed_at", shown.PODRailDepartedAt, e.PODRailDepartedAt)
	f.time("ind_ata_at", shown.INDATAAt, e.INDATAAt)
	f.time("ind_rail_unloaded_at", shown.INDRailUnloadedAt, e.INDRailUnloadedAt)
	f.time("final_destination_full_out_at", shown.FinalDestinationFullOutAt, e.FinalDestinationFullOutAt)
	f.time("delivered_at", shown.DeliveredAt, e.DeliveredAt)
	f.time("empty_terminated_at", shown.EmptyTerminatedAt, e.EmptyTerminatedAt)
	f.flag("availability_known", shown.AvailabilityKnown, e.AvailabilityKnown)
	f.flag("available_for_pickup", shown.AvailableForPickup, e.AvailableForPickup)
	f.text("pod_terminal", shown.PODTerminal, e.PODTerminal)
	for _, wrong := range e.JudgeMilestones(shown.Milestones) {
		f = append(f, Finding{"milestones", wrong, "the true ones, once each"})
	}
	return f
}

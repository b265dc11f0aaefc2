package journey

// ShipmentProvenance has, for each value of a shipment, the index of the fact that it
// follows from, or -1 for none. Where a replaced version of a fact had the estimate, it is
// the index of that version.
type ShipmentProvenance struct {
	POLETD, PODETA, DestETA int
	// PODVessel is the fact with the vessel and voyage.
	PODVessel int
	// POD is the fact that states the port of discharge, or the last call that makes it the
	// POD.
	POD int
}

// ContainerProvenance is the same for one container. For values from a terminal it is the
// latest fact on the subject: a view that no longer has a hold, or a last free day,
// explains why the value is empty.
type ContainerProvenance struct {
	INDETA                        int
	PODTerminal, PickupFacility   int
	LFDLine, LFDTerminal, LFDRail int
	Appointment                   int
	Availability, Holds, Fees     int
}

var noProvenance = ContainerProvenance{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}

// indexOf returns the index of a fact in the log, or -1 for nil.
func indexOf(e *entry) int {
	if e == nil {
		return -1
	}
	return e.index
}

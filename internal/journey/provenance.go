package journey

// ShipmentProvenance says from which fact each value of a shipment follows: an index into
// the facts that the journey was derived from, or -1 where there is none. Where
// a version of a fact has been overridden, and what it estimated still counts,
// the index is that version's.
type ShipmentProvenance struct {
	POLETD, PODETA, DestETA int
	// PODVessel is the fact that names vessel and voyage.
	PODVessel int
	// POD is the fact that states the port of discharge, or the last call that
	// makes it one.
	POD int
}

// ContainerProvenance says the same of one container. For what a terminal says it is the
// last word on the matter: a view that no longer lists a hold, or a last free
// day, is why there is none.
type ContainerProvenance struct {
	INDETA                        int
	PODTerminal, PickupFacility   int
	LFDLine, LFDTerminal, LFDRail int
	Appointment                   int
	Availability, Holds, Fees     int
}

var noProvenance = ContainerProvenance{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}

// indexOf is the place of a fact in the log, or -1 for none.
func indexOf(e *entry) int {
	if e == nil {
		return -1
	}
	return e.index
}

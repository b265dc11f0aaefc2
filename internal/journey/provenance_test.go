package journey

import (
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// TestProvenance: each value has the index of the fact that it follows from.
func TestProvenance(t *testing.T) {
	yes := true
	day := freight.Moment{Time: time.Date(2026, 4, 20, 0, 0, 0, 0, time.UTC), Day: true, Floating: true}
	terminal := func(onDay int, tf freight.TerminalFacts, changes ...change) LoggedFact {
		return tell(freight.TerminalStatus, "NLRTM", onDay, append([]change{source("terminal"), from(freight.FromTerminal), says(tf)}, changes...)...)
	}
	facts := []LoggedFact{
		0:  tell(freight.Departure, "CNSHA", 9, by(freight.ByVessel), class(freight.Estimated), about(), recorded(1), on("9321483", "King")),
		1:  tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), about(), on("9321483", "King")),
		2:  tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), class(freight.Estimated), about(), recorded(2), id("eta")),
		3:  tell(freight.Arrival, "NLRTM", 41, by(freight.ByVessel), class(freight.Estimated), about(), recorded(3), id("eta")),
		4:  tell(freight.Arrival, "NLRTM", 42, by(freight.ByVessel), about(), recorded(42), id("eta"), facility("POTE", "ECTDL")),
		5:  toDuisburg(),
		6:  tell(freight.Arrival, "DEDUI", 50, by(freight.ByRail), class(freight.Estimated), recorded(4), facility("RAMP", "DIT")),
		7:  terminal(43, freight.TerminalFacts{Available: &yes, LastFreeDay: day, Appointment: day, Holds: []freight.Hold{{Name: "TMF", Status: "hold"}}, Fees: []freight.Fee{{Type: "exam", Amount: 1, CurrencyCode: "EUR"}}}),
		8:  terminal(44, freight.TerminalFacts{Available: &yes, Appointment: day}, facility("POTE", "ECTDL")),
		9:  tell(freight.TerminalStatus, "NLRTM", 45, says(freight.TerminalFacts{LastFreeDay: day})),
		10: tell(freight.TerminalStatus, "DEDUI", 46, source("rail"), from(freight.FromTerminal), facility("RAMP", "DIT"), says(freight.TerminalFacts{LastFreeDay: day})),
		11: tell(freight.CustomsRelease, "NLRTM", 47),
	}
	j := deriveTest(facts)
	check(t, "shipment", j.Provenance, ShipmentProvenance{POLETD: 0, PODETA: 3, DestETA: 6, PODVessel: 1, POD: 4})
	check(t, "container", containerOf(t, j, box1).Provenance, ContainerProvenance{
		INDETA: 6, PODTerminal: 8, PickupFacility: 10,
		LFDLine: 9, LFDTerminal: 8, LFDRail: 10, Appointment: 8,
		Availability: 8, Holds: 11, Fees: 10,
	})
	facts = append(facts, tell(freight.Route, "NLRTM", 0, in(freight.RolePOD), about()))
	check(t, "stated POD", deriveTest(facts).Provenance.POD, 12)
	j = deriveTest([]LoggedFact{tell(freight.Described, "", 0)})
	check(t, "nothing known", j.Provenance, ShipmentProvenance{-1, -1, -1, -1, -1})
	check(t, "nothing known of the container", containerOf(t, j, box1).Provenance, noProvenance)
}

package journey

import (
	"slices"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// TestTerminalOfEachContainer: the terminal of a container is that of its own facts, else that of
// the shipment's.
func TestTerminalOfEachContainer(t *testing.T) {
	planned := tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), class(freight.Planned), about(), recorded(1), facility("POTE", "APMII"))
	docked := tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), about(), facility("POTE", "ECTDL"))
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string // container 1, container 2, the shipment
	}{
		{"nobody says", nil, "- - -"},
		{"as planned for all", []LoggedFact{planned}, "APMII APMII APMII"},
		{"what happened goes before the plan", []LoggedFact{planned, docked, tell(freight.Arrival, "NLRTM", 41, by(freight.ByVessel), class(freight.Planned), about(), recorded(60), facility("POTE", "APMII"))}, "ECTDL ECTDL ECTDL"},
		{"a plan for one container", []LoggedFact{planned, tell(freight.Discharge, "NLRTM", 41, by(freight.ByVessel), class(freight.Planned), recorded(2), facility("POTE", "RWG"))}, "RWG APMII RWG"},
		{"an older plan for one container", []LoggedFact{planned, tell(freight.Discharge, "NLRTM", 41, by(freight.ByVessel), class(freight.Planned), recorded(0), facility("POTE", "RWG"))}, "APMII APMII APMII"},
		{"one container discharged elsewhere", []LoggedFact{docked, tell(freight.Discharge, "NLRTM", 42, by(freight.ByVessel), facility("POTE", "RWG"))}, "RWG ECTDL RWG"},
		{"known of another container alone", []LoggedFact{tell(freight.Discharge, "NLRTM", 42, by(freight.ByVessel), facility("POTE", "RWG"))}, "RWG RWG RWG"},
		{"the last place, not the last word", []LoggedFact{
			tell(freight.Discharge, "NLRTM", 45, by(freight.ByVessel), facility("POTE", "RWG")), tell(freight.Arrival, "NLRTM", 42, by(freight.ByVessel), recorded(60), facility("POTE", "ECTDL")),
		}, "RWG RWG RWG"},
		{"the gate that it left by", []LoggedFact{docked, tell(freight.GateOut, "NLRTM", 45, load(freight.Laden), facility("POTE", "RWG"))}, "RWG ECTDL RWG"},
		{"discharged elsewhere than it was fetched", []LoggedFact{
			tell(freight.Discharge, "NLRTM", 42, by(freight.ByVessel), facility("POTE", "ECTDL")), tell(freight.GateOut, "NLRTM", 45, load(freight.Laden), facility("POTE", "RWG")),
		}, "ECTDL RWG RWG"},
		{"it left on the day of its discharge, and no more is known", []LoggedFact{
			docked, tell(freight.Discharge, "NLRTM", 41, by(freight.ByVessel), facility("POTE", "RWG")), tell(freight.GateOut, "NLRTM", 41, load(freight.Laden), at(freight.Moment{Time: day0.AddDate(0, 0, 41).Truncate(24 * time.Hour), Day: true, Floating: true})),
		}, "RWG ECTDL RWG"},
		{"moved off the dock", []LoggedFact{
			tell(freight.Discharge, "NLRTM", 42, by(freight.ByVessel), facility("POTE", "RWG")), tell(freight.GateIn, "NLRTM", 43, load(freight.Laden), facility("OFFD", "KRAM")),
		}, "KRAM RWG RWG"},
		{"the terminal tells of the move", []LoggedFact{
			tell(freight.Discharge, "NLRTM", 42, by(freight.ByVessel), facility("POTE", "RWG")), tell(freight.TerminalStatus, "NLRTM", 43, from(freight.FromTerminal), facility("COFS", "KRAM"), says(freight.TerminalFacts{})),
		}, "KRAM RWG RWG"},
		{"laden into a place that is no yard", []LoggedFact{
			tell(freight.Discharge, "NLRTM", 42, by(freight.ByVessel), facility("POTE", "RWG")), tell(freight.GateIn, "NLRTM", 43, load(freight.Laden), facility("", "KRAM")),
		}, "RWG RWG RWG"},
		{"the depot of the empty container", []LoggedFact{docked, tell(freight.GateIn, "NLRTM", 60, load(freight.Empty), facility("DEPO", "MEDE"))}, "ECTDL ECTDL ECTDL"},
		{"a person's word", []LoggedFact{docked, tell(freight.Route, "NLRTM", 0, in(freight.RolePOD), from(freight.ByHand), facility("POTE", "RWG"))}, "RWG ECTDL RWG"},
		{"the terminal of a ship that it missed", []LoggedFact{
			tell(freight.Loading, "CNSHA", 17, by(freight.ByVessel), on("9770749", ""), about(box1)),
			tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel), on("9321483", ""), about(box2)),
			tell(freight.Discharge, "NLRTM", 47, by(freight.ByVessel), class(freight.Planned), on("9770749", ""), recorded(18), facility("POTE", "RWG")),
		}, "RWG RWG RWG"},
	}
	other := tell(freight.Described, "", 0, about(box2))
	for _, row := range rows {
		facts := append(append(overSea(), other), row.facts...)
		for range 2 {
			j := deriveTest(facts)
			got := ""
			for _, p := range []freight.Place{containerOf(t, j, box1).PODTerminal, containerOf(t, j, box2).PODTerminal, j.POD} {
				if got != "" {
					got += " "
				}
				got += orDash(p.SMDG)
			}
			check(t, row.name, got, row.want)
			slices.Reverse(facts)
		}
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func TestPickupFacilityOfEachBox(t *testing.T) {
	j := deriveTest(append(overSea(), toDuisburg(), tell(freight.Described, "", 0, about(box2)),
		tell(freight.Arrival, "DEDUI", 46, by(freight.ByRail), about(), facility("RAMP", "DIT")),
		tell(freight.Discharge, "DEDUI", 47, by(freight.ByRail), facility("RAMP", "DUSS")),
	))
	check(t, "container 1", containerOf(t, j, box1).PickupFacility, freight.Place{LOCODE: "DEDUI", Name: "Duisburg", SMDG: "DUSS", FacilityType: "RAMP", Role: freight.RoleDestination})
	check(t, "container 2", containerOf(t, j, box2).PickupFacility.SMDG, "DIT")
	none := containerOf(t, deriveTest(overSea()), box1)
	check(t, "no destination", none.PickupFacility, freight.Place{})
}

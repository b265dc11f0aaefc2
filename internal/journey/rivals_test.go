package journey

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking/freight"
)

// TestWhereTwoReadingsFit: what is shown of a container whose facts fit more than one voyage, and
// what decides between them. Each row fails without the rule that it names.
func TestWhereTwoReadingsFit(t *testing.T) {
	sea, laden, empty := by(freight.ByVessel), load(freight.Laden), load(freight.Empty)
	feeder, third := by(freight.ByFeeder), on("9000001", "Third")
	loaded := func(place string, day int, ship change) LoggedFact {
		return tell(freight.Loading, place, day, sea, ship)
	}
	discharged := func(place string, day int, ship change) LoggedFact {
		return tell(freight.Discharge, place, day, sea, ship)
	}
	sailed := func(place string, day int, ship change) LoggedFact {
		return tell(freight.Departure, place, day, sea, about(), ship)
	}
	reached := func(place string, day int, ship change) LoggedFact {
		return tell(freight.Arrival, place, day, sea, about(), ship)
	}
	plan := func(w freight.Activity, place string, day, rec int, ship change) LoggedFact {
		return tell(w, place, day, sea, class(freight.Planned), ship, recorded(rec))
	}
	expected := func(w freight.Activity, place string, day, rec int, ship change) LoggedFact {
		return tell(w, place, day, sea, class(freight.Planned), about(), ship, recorded(rec))
	}
	role := func(place string, r freight.Role) LoggedFact { return tell(freight.Route, place, 0, about(), in(r)) }
	fullIn, pod := tell(freight.GateIn, "CNSHA", 8, laden), role("NLRTM", freight.RolePOD)
	loadedAs := func(number, place string, day int, ship change) LoggedFact {
		return tell(freight.Loading, place, day, sea, ship, about(number))
	}
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string
	}{
		{"it was brought laden to another port than the first that a ship left", []LoggedFact{
			sailed("CNNKG", 7, first), reached("CNSHA", 9, first), fullIn, discharged("SGSIN", 20, first), loaded("SGSIN", 24, second), sailed("SGSIN", 25, second),
		}, "CNSHA: [full_in@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN transshipment_departed@SGSIN] on_ship"},
		{"two ships came to where a train takes it", []LoggedFact{
			fullIn, sailed("CNSHA", 11, first), sailed("CNSHA", 12, second), reached("NLRTM", 40, first), reached("NLRTM", 40, second), tell(freight.Loading, "NLRTM", 43, by(freight.ByRail), laden),
			tell(freight.Arrival, "DEDUI", 45, by(freight.ByRail)),
		}, "CNSHA: [full_in@CNSHA rail_loaded@NLRTM rail_arrived@DEDUI arrived_at_destination@DEDUI] grounded"},
		{"the ship that was replaced where it waits calls at later ports", []LoggedFact{
			plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Loading, "CNSHA", 17, 9, second), sailed("CNSHA", 11, first), sailed("CNNKG", 14, first),
			sailed("CNSHA", 17, second), reached("SGSIN", 20, first), reached("SGSIN", 22, second), loaded("SGSIN", 25, third),
		}, "CNSHA: [vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"no plan to take it is known of a ship, and no move of it is reported", []LoggedFact{
			tell(freight.Described, "", 0), role("CNSHA", freight.RolePOL), role("SGSIN", freight.RoleTS), expected(freight.Departure, "CNSHA", 11, 1, first), expected(freight.Arrival, "NLRTM", 40, 1, second),
			sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 20, second),
		}, "CNSHA: [vessel_departed@CNSHA transshipment_arrived@SGSIN] on_ship"},
		{"it was picked up empty far from the port that the ship leaves", []LoggedFact{
			tell(freight.GateOut, "VNSGN", 3, empty), reached("SGSIN", 19, first), sailed("SGSIN", 20, first), reached("NLRTM", 40, first), tell(freight.GateOut, "NLRTM", 43, laden),
		}, "SGSIN: [empty_out@VNSGN vessel_arrived@NLRTM full_out@NLRTM] picked_up"},
		{"the ship that was planned later came to the POD, and nobody reports where it took it", []LoggedFact{
			role("NLRTM", freight.RolePOD), expected(freight.Departure, "SGSIN", 22, 1, second), expected(freight.Arrival, "NLRTM", 38, 1, second), expected(freight.Arrival, "NLRTM", 45, 15, third),
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 20, first), sailed("SGSIN", 22, second), reached("NLRTM", 38, second), reached("NLRTM", 45, third), tell(freight.GateOut, "NLRTM", 47, laden),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN full_out@NLRTM] picked_up"},
		{"another ship came to where it leaves by land, and is reported nowhere before", []LoggedFact{
			fullIn, sailed("CNSHA", 11, first), sailed("NLRTM", 33, first), sailed("NLRTM", 41, second), tell(freight.GateOut, "NLRTM", 42, laden),
		}, "CNSHA: [full_in@CNSHA full_out@NLRTM] picked_up"},
		{"a ship that may have taken it as well as its sibling left before", []LoggedFact{
			role("SGSIN", freight.RoleTS), role("NLRTM", freight.RolePOD), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), tell(freight.Loading, "SGSIN", 24, sea, third, about(box2), recorded(27)), expected(freight.Departure, "SGSIN", 25, 5, third),
			reached("SGSIN", 18, second), sailed("SGSIN", 19, second), sailed("SGSIN", 25, third),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN] on_ship"},
		{"it boarded a ship at one of its ports, one of which is of transshipment", []LoggedFact{
			role("CNSHA", freight.RolePOL), role("SGSIN", freight.RoleTS), role("NLRTM", freight.RolePOD), sailed("VNSGN", 15, second), reached("SGSIN", 18, second), sailed("SGSIN", 19, second), discharged("NLRTM", 40, second),
		}, "CNSHA: [transshipment_departed@SGSIN vessel_discharged@NLRTM] grounded"},
		{"the next ship left hours after it came off the first, and may have called again", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 20, first), tell(freight.Departure, "SGSIN", 20, sea, about(), second, func(f *LoggedFact) { f.At.Time = f.At.Time.Add(3 * 3600e9) }),
			reached("VNSGN", 23, second), reached("NLRTM", 40, second), discharged("NLRTM", 41, second),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"nobody reports the ship at the port of transshipment where the next one took it", []LoggedFact{
			role("CNSHA", freight.RolePOL), role("SGSIN", freight.RoleTS), role("AEJEA", freight.RoleTS), role("NLRTM", freight.RolePOD), expected(freight.Departure, "SGSIN", 20, 1, second),
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), sailed("SGSIN", 20, second), reached("LKCMB", 30, second), sailed("AEJEA", 32, third), discharged("NLRTM", 45, third),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_departed@SGSIN vessel_discharged@NLRTM] grounded"},
		{"two report where it came off, and the first names no ship", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, first), reached("VNSGN", 19, first),
			tell(freight.Discharge, "NLRTM", 41, sea, id("another"), recorded(41)), tell(freight.Discharge, "NLRTM", 41, sea, second, recorded(42)), tell(freight.GateOut, "NLRTM", 43, laden),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_departed@SGSIN transshipment_arrived@VNSGN vessel_discharged@NLRTM full_out@NLRTM] picked_up"},
		{"it was returned empty at a port of transshipment", []LoggedFact{
			role("SGSIN", freight.RoleTS), plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Discharge, "SGSIN", 20, 1, first), plan(freight.Loading, "SGSIN", 24, 1, second), plan(freight.Discharge, "NLRTM", 40, 1, second),
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 20, first), sailed("SGSIN", 24, second), tell(freight.GateIn, "SGSIN", 60, empty),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN empty_in@SGSIN] empty_returned"},
		{"it was carried past the POD, and another ship brought it back", []LoggedFact{
			role("NLRTM", freight.RolePOD), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), reached("DEHAM", 42, first), discharged("NLRTM", 50, second),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM vessel_discharged@NLRTM] grounded"},
		{"its ship comes back to where it was to come off", []LoggedFact{
			role("CNSHA", freight.RolePOL), role("SGSIN", freight.RoleTS), role("NLRTM", freight.RolePOD), expected(freight.Arrival, "SGSIN", 16, 1, first),
			loaded("CNSHA", 14, first), sailed("CNSHA", 15, first), reached("VNSGN", 18, first), reached("SGSIN", 21, first), loaded("SGSIN", 26, second),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"it is loaded where its siblings change ships", []LoggedFact{
			tell(freight.Loading, "CNSHA", 10, sea, first, about(box2)), sailed("CNSHA", 11, first), tell(freight.Discharge, "SGSIN", 20, sea, first, about(box2)), tell(freight.Loading, "SGSIN", 24, sea, second, about(box2)),
			loaded("SGSIN", 24, second), sailed("SGSIN", 25, second),
		}, "CNSHA: [transshipment_loaded@SGSIN transshipment_departed@SGSIN] on_ship"},
		{"a ship that may have taken it as well as its sibling came before it was discharged", []LoggedFact{
			role("SGSIN", freight.RoleTS), role("NLRTM", freight.RolePOD), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), tell(freight.Loading, "SGSIN", 24, sea, third, about(box2), recorded(27)),
			expected(freight.Departure, "SGSIN", 25, 5, third), reached("SGSIN", 15, second), sailed("SGSIN", 17, second), sailed("SGSIN", 25, third),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN] on_ship"},
		{"nothing is reported of it before it leaves by land where two ships came", []LoggedFact{
			sailed("CNSHA", 11, first), sailed("CNSHA", 17, second), reached("NLRTM", 40, first), reached("NLRTM", 46, second), tell(freight.GateOut, "NLRTM", 48, laden),
		}, "CNSHA: [full_out@NLRTM] picked_up"},
		{"the ship left days before it was planned to take it, and is to call again", []LoggedFact{
			role("CNSHA", freight.RolePOL), role("SGSIN", freight.RoleTS), expected(freight.Departure, "CNSHA", 17, 1, first), tell(freight.GateOut, "CNSHA", 6, empty),
			sailed("CNSHA", 11, first), sailed("CNNKG", 14, first), reached("SGSIN", 20, first), discharged("SGSIN", 21, first),
		}, "CNSHA: [empty_out@CNSHA transshipment_arrived@SGSIN transshipment_discharged@SGSIN] on_ship"},
		{"it came off a ship that nobody names where another ship lay than the one that left its port", []LoggedFact{
			role("CNSHA", freight.RolePOL), role("NLRTM", freight.RolePOD), expected(freight.Departure, "CNSHA", 11, 1, first), expected(freight.Arrival, "NLRTM", 32, 1, first), expected(freight.Departure, "CNSHA", 17, 9, second), expected(freight.Arrival, "NLRTM", 46, 9, second),
			tell(freight.Loading, "CNSHA", 10, sea, first, about(box2)), tell(freight.Discharge, "CNSHA", 10, sea, first, about(box2)), sailed("CNSHA", 11, first), sailed("CNSHA", 17, second), reached("SGSIN", 20, second), reached("NLRTM", 32, first), tell(freight.Discharge, "NLRTM", 33, sea),
		}, "CNSHA: [vessel_discharged@NLRTM] grounded"},
		{"a truck took it inland from where it came off, and nobody states that port", []LoggedFact{
			role("DEDUI", freight.RoleDestination), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), tell(freight.Berth, "NLRTM", 40, sea, about(), first), discharged("NLRTM", 41, first),
			tell(freight.GateIn, "DEDUI", 44, laden),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM vessel_berthed@NLRTM vessel_discharged@NLRTM arrived_at_destination@DEDUI] grounded"},
		{"the ship that it was to change to had called at the hub before, and was replaced before it came back", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), expected(freight.Departure, "SGSIN", 20, 1, second), expected(freight.Arrival, "NLRTM", 40, 1, second), sailed("SGSIN", 14, second), discharged("SGSIN", 16, first),
			expected(freight.Arrival, "NLRTM", 45, 18, third), sailed("SGSIN", 20, second),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN] on_ship"},
		{"another ship came to where it is loaded next, and may have taken it where it stood", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), sailed("SGSIN", 18, second), reached("NLRTM", 38, third), reached("NLRTM", 40, second), loaded("NLRTM", 44, on("9000002", "Fourth")),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_loaded@NLRTM] on_ship"},
		{"its ship comes back to the POD past which it carried it, and another is to bring it there", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), expected(freight.Arrival, "NLRTM", 40, 1, first), reached("NLRTM", 40, first), expected(freight.Arrival, "NLRTM", 52, 41, second), sailed("NLRTM", 41, first),
			reached("DEHAM", 43, first), sailed("DEHAM", 44, first), reached("NLRTM", 48, first), sailed("NLRTM", 49, first),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM transshipment_departed@DEHAM] on_ship"},
		{"its ship was to discharge it at a port where it has called, and comes to the POD without it", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), role("DEHAM", freight.RoleTS), plan(freight.Loading, "SGSIN", 20, 1, second), plan(freight.Discharge, "NLRTM", 40, 1, second),
			plan(freight.Discharge, "DEHAM", 38, 30, second), plan(freight.Loading, "DEHAM", 42, 30, third), reached("SGSIN", 19, second), reached("DEHAM", 38, second), sailed("DEHAM", 39, second), reached("NLRTM", 40, second), tell(freight.GateOut, "NLRTM", 47, laden),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN full_out@NLRTM] picked_up"},
		{"its ship was diverted by a plan of the shipment, and came there before the port of its own plan", []LoggedFact{
			role("DEHAM", freight.RolePOD), plan(freight.Discharge, "DEHAM", 38, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), expected(freight.Arrival, "NLRTM", 40, 36, first), reached("NLRTM", 40, first), sailed("NLRTM", 41, first), reached("DEHAM", 43, first), sailed("DEHAM", 44, first),
			tell(freight.GateIn, "NLRTM", 46, empty),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM empty_in@NLRTM] empty_returned"},
		{"its ship is first reported to arrive at a port, and nothing is reported of it before", []LoggedFact{
			pod, reached("CNSHA", 9, first), reached("NLRTM", 40, first), discharged("NLRTM", 41, first),
		}, ": [vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"a container of the shipment is loaded where its ship arrives, and nothing is reported of it before", []LoggedFact{
			role("CNSHA", freight.RolePOL), reached("SGSIN", 19, second), loadedAs(box2, "SGSIN", 20, second), discharged("NLRTM", 40, second),
		}, "CNSHA: [vessel_discharged@NLRTM] grounded"},
		{"neither its load nor its discharge names the ship of its own plan, which lay there", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), plan(freight.Loading, "SGSIN", 20, 1, second), plan(freight.Discharge, "NLRTM", 40, 1, second), reached("SGSIN", 19, second),
			tell(freight.Loading, "SGSIN", 20, sea), sailed("NLRTM", 42, second), reached("DEHAM", 43, second),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"another ship brings a container back to the POD, and it is the one that facts name", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), expected(freight.Arrival, "NLRTM", 40, 1, first), reached("NLRTM", 40, first), expected(freight.Arrival, "NLRTM", 49, 41, second), sailed("NLRTM", 41, first), reached("DEHAM", 43, first),
			loadedAs(box2, "DEHAM", 46, second), tell(freight.Discharge, "NLRTM", 49, sea, second, about(box2)),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM] on_ship"},
		{"the ship that comes to the next port lay elsewhere when it was loaded on one that nobody names", []LoggedFact{
			reached("CNNKG", 9, first), sailed("CNNKG", 11, first), tell(freight.Loading, "CNSHA", 10, sea), reached("SGSIN", 14, first),
		}, "CNSHA: [vessel_loaded@CNSHA] on_ship"},
		{"a ship that is reported nowhere before comes to a port a day after it was loaded on one that nobody names", []LoggedFact{
			tell(freight.Loading, "CNSHA", 10, sea), reached("SGSIN", 11, first),
		}, "CNSHA: [vessel_loaded@CNSHA] on_ship"},
		{"its sibling was loaded on the first ship, and the second leaves the hub", []LoggedFact{
			tell(freight.Described, "", 0), role("CNSHA", freight.RolePOL), loadedAs(box2, "CNSHA", 10, first), sailed("CNSHA", 11, first),
			tell(freight.Arrival, "NLRTM", 40, feeder, class(freight.Planned), about(), second, recorded(1)), tell(freight.Departure, "SGSIN", 20, feeder, about(), second),
		}, "CNSHA: [] new"},
		{"its ship is not reported where its sibling was loaded", []LoggedFact{
			tell(freight.GateIn, "CNSHA", 5, empty, about(box2)), loadedAs(box2, "CNSHA", 10, second), sailed("CNNKG", 8, first), reached("NLRTM", 40, first), discharged("NLRTM", 41, first),
		}, "CNSHA: [vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"its ship is twice at the port where it comes off", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, first), reached("CNNKG", 19, first), reached("SGSIN", 22, first), discharged("SGSIN", 23, first), loaded("SGSIN", 26, second),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_departed@SGSIN transshipment_arrived@SGSIN transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"it is next loaded beyond a port that its ship is only reported to have left", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, first), sailed("LKCMB", 22, first), loaded("NLRTM", 44, second), tell(freight.Route, "DEHAM", 0, about(), in(freight.RolePOD)),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_departed@SGSIN transshipment_departed@LKCMB transshipment_loaded@NLRTM] on_ship"},
		{"its ship berths where it had come six days before, and called in between where it is loaded next", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("VNSGN", 13, first), tell(freight.Berth, "VNSGN", 19, sea, about(), first), sailed("VNSGN", 20, first), reached("LKCMB", 22, first), loaded("SGSIN", 21, second),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@VNSGN transshipment_loaded@SGSIN] on_ship"},
		{"its ship was planned to another port since, and comes there", []LoggedFact{
			pod, expected(freight.Arrival, "NLRTM", 38, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), role("GBFXT", freight.RoleTS), expected(freight.Arrival, "GBFXT", 40, 36, first), reached("GBFXT", 40, first),
			tell(freight.Loading, "NLRTM", 48, by(freight.ByBarge), laden),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@GBFXT feeder_loaded@NLRTM] on_ship"},
		{"it leaves by land where its own plan has its ship discharge it, which is reported there only later", []LoggedFact{
			plan(freight.Discharge, "NLRTM", 38, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, first), tell(freight.GateOut, "NLRTM", 40, laden), reached("DEHAM", 41, first), reached("NLRTM", 44, first),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_departed@SGSIN full_out@NLRTM] picked_up"},
		{"its ship comes to the hub of its own plan too late to go to where it leaves by land", []LoggedFact{
			pod, plan(freight.Discharge, "DEHAM", 40, 1, first), plan(freight.Loading, "DEHAM", 43, 1, second), plan(freight.Discharge, "NLRTM", 45, 1, second), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("DEHAM", 40, first), sailed("DEHAM", 41, first),
			reached("GBFXT", 43, first), reached("NLRTM", 44, second), tell(freight.GateOut, "NLRTM", 45, laden),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@DEHAM full_out@NLRTM] picked_up"},
		{"its ship was to discharge it before, where nobody reports it, and comes to the port of its former plan", []LoggedFact{
			pod, plan(freight.Discharge, "NLRTM", 36, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(freight.Discharge, "ESALG", 38, 30, first), plan(freight.Loading, "ESALG", 42, 30, second), plan(freight.Discharge, "NLRTM", 46, 30, second),
			reached("NLRTM", 41, first), reached("NLRTM", 46, second), tell(freight.Loading, "NLRTM", 48, by(freight.ByRail), laden),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA rail_loaded@NLRTM] on_rail"},
		{"another ship is to bring it back, by a plan made after its own was due, and before it left", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), expected(freight.Arrival, "NLRTM", 40, 1, first), expected(freight.Arrival, "NLRTM", 49, 41, second), sailed("NLRTM", 43, first), reached("DEHAM", 45, first),
		}, "CNSHA: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@DEHAM] on_ship"},
	}
	for _, row := range rows {
		j := deriveTest(row.facts)
		check(t, row.name, fmt.Sprint(j.POL.LOCODE, ": ", told(t, j, box1), " ", containerOf(t, j, box1).Status), row.want)
	}
}

// TestPortWhereItIsToChangeShips: a newer estimate for the port at which its own plan has the
// container taken on does not make that port its POD.
func TestPortWhereItIsToChangeShips(t *testing.T) {
	sea := by(freight.ByVessel)
	plan := func(w freight.Activity, place string, day int, ship change, changes ...change) LoggedFact {
		return tell(w, place, day, append([]change{sea, class(freight.Planned), ship, recorded(1)}, changes...)...)
	}
	j := deriveTest([]LoggedFact{
		plan(freight.Loading, "CNSHA", 10, first), plan(freight.Discharge, "SGSIN", 20, first), plan(freight.Loading, "SGSIN", 24, second), plan(freight.Discharge, "NLRTM", 40, second),
		tell(freight.Arrival, "SGSIN", 45, sea, about(), class(freight.Estimated), on("9000001", "Third"), recorded(9)),
	})
	check(t, "POD", j.POD.LOCODE, "NLRTM")
}

// TestEstimatesOfTwoShips: of estimates that were recorded at one time, the classifier decides
// between those of one ship only.
func TestEstimatesOfTwoShips(t *testing.T) {
	arrives := func(day int, known freight.Classifier, ship change) LoggedFact {
		return tell(freight.Arrival, "NLRTM", day, by(freight.ByVessel), about(), class(known), ship, recorded(5))
	}
	pod := tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD))
	j := deriveTest([]LoggedFact{pod, arrives(40, freight.Estimated, first), arrives(47, freight.Planned, second)})
	check(t, "ETA of the ship that was planned last", dayOfJourney(j.PODETA), "47")
	j = deriveTest([]LoggedFact{pod, arrives(40, freight.Estimated, first), arrives(41, freight.Planned, first)})
	check(t, "ETA of one ship", dayOfJourney(j.PODETA), "40")
}

// TestStandsNearby: after its first ship, a container that stands at one port does not leave another
// one of the same area.
func TestStandsNearby(t *testing.T) {
	sea := by(freight.ByVessel)
	facts := []LoggedFact{
		tell(freight.Loading, "CNSHA", 10, sea, first), tell(freight.Discharge, "USSEA", 22, sea, first), tell(freight.Departure, "USTIW", 25, sea, about(), second), tell(freight.Discharge, "USLAX", 28, sea, second),
	}
	j := derive(nil, facts, refPlaces{})
	check(t, "legs", fmt.Sprint(told(t, j, box1)), "[vessel_loaded@CNSHA transshipment_discharged@USSEA vessel_discharged@USLAX]")
}

package journey

import (
	"fmt"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// TestChangesOfShips: where a container changed ships, or was aboard none, when only a part of its moves
// is reported. Each row fails without the rule that it names.
func TestChangesOfShips(t *testing.T) {
	sea, feeder, rail := by(freight.ByVessel), by(freight.ByFeeder), by(freight.ByRail)
	onDay := func(f *LoggedFact) {
		f.At = freight.Moment{Time: f.At.Time.Truncate(24 * time.Hour), Day: true, Floating: true}
	}
	laden, empty, third := load(freight.Laden), load(freight.Empty), on("9000001", "Third")
	loaded := func(place string, day int, changes ...change) LoggedFact {
		return tell(freight.Loading, place, day, append([]change{sea}, changes...)...)
	}
	discharged := func(place string, day int, changes ...change) LoggedFact {
		return tell(freight.Discharge, place, day, append([]change{sea}, changes...)...)
	}
	sailed := func(place string, day int, ship change) LoggedFact {
		return tell(freight.Departure, place, day, sea, about(), ship)
	}
	reached := func(place string, day int, ship change) LoggedFact {
		return tell(freight.Arrival, place, day, sea, about(), ship)
	}
	expected := func(w freight.Activity, place string, day, rec int, ship change) LoggedFact {
		return tell(w, place, day, sea, class(freight.Planned), about(), ship, recorded(rec))
	}
	plan := func(w freight.Activity, place string, day, rec int, ship change) LoggedFact {
		return tell(w, place, day, sea, class(freight.Planned), ship, recorded(rec))
	}
	role := func(place string, r freight.Role) LoggedFact { return tell(freight.Route, place, 0, about(), in(r)) }
	pol, pod, hub := role("CNSHA", freight.RolePOL), role("NLRTM", freight.RolePOD), role("SGSIN", freight.RoleTS)
	started := []LoggedFact{loaded("CNSHA", 10, first), sailed("CNSHA", 11, first)}
	then := func(facts ...LoggedFact) []LoggedFact { return append(started[:2:2], facts...) }
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string
	}{
		// Ships of moves that name none.
		{"only one ship lay where it is loaded, and the planned one had left", then(
			pod, expected(freight.Departure, "SGSIN", 18, 1, second), discharged("SGSIN", 16, first), reached("SGSIN", 17, second), sailed("SGSIN", 18, second), reached("SGSIN", 23, third), loaded("SGSIN", 24), sailed("SGSIN", 25, third), reached("NLRTM", 40, third),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN transshipment_departed@SGSIN vessel_arrived@NLRTM] on_ship Third"},
		{"the ship that came to where it is loaded a week before, and is not reported to have left, is gone", then(
			pod, expected(freight.Departure, "SGSIN", 18, 1, second), discharged("SGSIN", 16, first), reached("SGSIN", 17, second), reached("SGSIN", 23, third), loaded("SGSIN", 24), sailed("SGSIN", 25, third), reached("NLRTM", 33, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN transshipment_departed@SGSIN] on_ship Third"},
		{"it comes off next the ship that lay where it is loaded", []LoggedFact{
			reached("CNSHA", 9, first), sailed("CNSHA", 11, first), reached("CNSHA", 9, second), sailed("CNSHA", 10, second), loaded("CNSHA", 10), discharged("NLRTM", 40, first),
		}, "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM] grounded King"},
		{"it comes off where another ship lies than the one that it was on, which met it before", then(
			pod, expected(freight.Arrival, "NLRTM", 30, 1, first), reached("BEANR", 33, first), reached("BEANR", 36, second), reached("NLRTM", 39, second), discharged("NLRTM", 40), sailed("NLRTM", 41, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@BEANR vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded Lucid"},
		{"it comes off a feeder, and was aboard a main vessel that came back", then(
			pod, reached("NLRTM", 38, first), sailed("NLRTM", 39, first), reached("DEHAM", 41, first), reached("NLRTM", 44, first), tell(freight.Arrival, "DEHAM", 42, feeder, about(), second), tell(freight.Discharge, "NLRTM", 45, feeder),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM feeder_discharged@NLRTM] grounded "},
		{"its sibling's ship is first reported there two days after it came off, and another one lay there then", []LoggedFact{
			pol, pod, expected(freight.Departure, "CNSHA", 11, 1, first), expected(freight.Arrival, "NLRTM", 38, 1, first), expected(freight.Departure, "CNSHA", 14, 9, second), expected(freight.Arrival, "NLRTM", 41, 9, second),
			sailed("CNSHA", 11, first), loaded("CNSHA", 13, second, about(box2)), sailed("CNSHA", 14, second), reached("NLRTM", 38, first), discharged("NLRTM", 39), sailed("NLRTM", 40, first), discharged("NLRTM", 41, second, about(box2)),
		}, "CNSHA-NLRTM: [vessel_discharged@NLRTM] grounded Lucid"},
		{"its ship may have called unreported where it comes off", []LoggedFact{
			pol, pod, expected(freight.Departure, "CNSHA", 11, 1, first), sailed("CNSHA", 11, first), reached("VNSGN", 14, first), discharged("SGSIN", 18), reached("LKCMB", 22, first),
		}, "CNSHA-NLRTM: [vessel_departed@CNSHA transshipment_arrived@VNSGN transshipment_discharged@SGSIN] on_ship "},
		// Where it left a ship.
		{"it comes off another ship that had called where its own had called last", then(
			pod, reached("BEANR", 33, first), reached("BEANR", 35, second), reached("NLRTM", 36, first), discharged("NLRTM", 40, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@BEANR vessel_discharged@NLRTM] grounded Lucid"},
		{"it comes off another ship where its own came a second time", then(
			pod, reached("NLRTM", 33, first), sailed("NLRTM", 34, first), reached("BEANR", 36, first), reached("NLRTM", 38, first), discharged("NLRTM", 40, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@BEANR vessel_discharged@NLRTM] grounded Lucid"},
		{"it leaves by land where another ship came that had met its own, and its own is not reported", then(
			reached("BEANR", 33, first), reached("BEANR", 35, second), reached("NLRTM", 40, second), pod, tell(freight.GateOut, "NLRTM", 42, laden),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@BEANR full_out@NLRTM] picked_up "},
		{"another ship takes it from the hub to where it is loaded next, and its own had called there", then(
			pod, hub, expected(freight.Departure, "SGSIN", 24, 1, second), reached("SGSIN", 20, first), sailed("SGSIN", 21, first), reached("LKCMB", 25, first), reached("LKCMB", 30, second), loaded("LKCMB", 33, third),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_loaded@LKCMB] on_ship Third"},
		{"a load that names no ship was on one that came to where it is loaded next only after that", []LoggedFact{
			pod, plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Discharge, "SGSIN", 14, 1, first), loaded("CNSHA", 10), reached("VNSGN", 18, first), loaded("SGSIN", 19, second), reached("SGSIN", 21, first),
		}, "CNSHA-NLRTM: [vessel_loaded@CNSHA transshipment_loaded@SGSIN] on_ship Lucid"},
		{"its ship lies where it comes off, having passed the port where it was due", then(
			pod, expected(freight.Arrival, "NLRTM", 35, 1, first), reached("BEANR", 38, first), sailed("BEANR", 40, first), discharged("BEANR", 39), loaded("BEANR", 44, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@BEANR transshipment_discharged@BEANR transshipment_loaded@BEANR] on_ship Lucid"},
		{"another ship is to take it, by a newer plan, from where its own comes after the port where it was due", then(
			pod, expected(freight.Arrival, "NLRTM", 35, 1, first), expected(freight.Departure, "BEANR", 42, 37, second), expected(freight.Arrival, "NLRTM", 44, 37, second), reached("BEANR", 38, first),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@BEANR] on_ship Lucid"},
		{"another ship is to take it on, by a newer plan, from a hub where its own is not reported", then(
			pod, expected(freight.Arrival, "NLRTM", 35, 1, first), role("BEANR", freight.RoleTS), expected(freight.Departure, "BEANR", 42, 34, second), expected(freight.Arrival, "NLRTM", 44, 34, second), reached("PTSIE", 38, first), sailed("BEANR", 42, second), reached("NLRTM", 44, second),
			tell(freight.GateOut, "NLRTM", 46, laden),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_departed@BEANR vessel_arrived@NLRTM full_out@NLRTM] picked_up Lucid"},
		{"its ship is to discharge it elsewhere first, by a newer plan, and comes to the port of the former", then(
			pod, expected(freight.Arrival, "NLRTM", 38, 1, first), role("BEANR", freight.RoleTS), expected(freight.Arrival, "BEANR", 36, 30, first), expected(freight.Arrival, "NLRTM", 44, 30, second), reached("NLRTM", 39, first),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA] on_ship Lucid"},
		{"it was carried past the POD, and is next reported empty elsewhere", then(
			pod, expected(freight.Arrival, "NLRTM", 35, 1, first), reached("NLRTM", 35, first), expected(freight.Arrival, "NLRTM", 44, 36, second), sailed("NLRTM", 36, first), reached("BEANR", 38, first), tell(freight.GateIn, "DEDUI", 50, empty),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@BEANR empty_in@DEDUI] empty_returned Lucid"},
		{"its own plan has its ship discharge it where it is loaded next", then(
			pod, reached("NLRTM", 35, first), plan(freight.Discharge, "BEANR", 38, 36, first), tell(freight.Loading, "BEANR", 41, feeder, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM feeder_loaded@BEANR] on_ship Lucid"},
		{"its ship calls with it at the port at which it comes off another one later", then(
			pod, reached("NLRTM", 30, first), tell(freight.Berth, "NLRTM", 30, sea, about(), first), sailed("SGSIN", 34, first), hub, discharged("NLRTM", 40),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded "},
		{"its ship is neither reported at the hub nor where it leaves by land, and the next one is", []LoggedFact{
			pol, pod, hub, expected(freight.Departure, "CNSHA", 11, 1, first), expected(freight.Departure, "SGSIN", 20, 1, second), expected(freight.Arrival, "NLRTM", 40, 1, second),
			tell(freight.GateIn, "CNSHA", 8, laden), sailed("CNSHA", 11, first), sailed("CNNKG", 19, first), sailed("SGSIN", 20, second), tell(freight.GateOut, "NLRTM", 42, laden),
		}, "CNSHA-NLRTM: [full_in@CNSHA vessel_departed@CNSHA full_out@NLRTM] picked_up Lucid"},
		{"a load that names no ship was not on one that sails elsewhere, as it comes off another", []LoggedFact{
			pod, hub, loaded("CNSHA", 10, first), discharged("SGSIN", 16, first), expected(freight.Departure, "SGSIN", 22, 9, third), loaded("SGSIN", 20), reached("CNNKG", 23, third), discharged("MYPKG", 26, second),
		}, "CNSHA-NLRTM: [vessel_loaded@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN transshipment_discharged@MYPKG] on_ship "},
		{"its ship had called at the port of a load before, and arrives on the day of the load", []LoggedFact{
			pol, pod, loaded("CNSHA", 10, first), reached("SGSIN", 12, second), discharged("SGSIN", 16, first),
			loaded("SGSIN", 20, second, onDay), reached("SGSIN", 20, second),
		}, "CNSHA-NLRTM: [vessel_loaded@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship Lucid"},
		{"its ship is not reported where it is loaded next, after it came to the POD where a sibling came off", then(
			pod, reached("NLRTM", 35, first), loaded("CNSHA", 10, first, about(box2)), discharged("NLRTM", 35, first, about(box2)), tell(freight.Loading, "BEANR", 41, feeder, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM feeder_loaded@BEANR] on_ship King"},
		// Where it was aboard none.
		{"its ship comes to another port before it is brought to the gate", []LoggedFact{
			tell(freight.GateOut, "CNSHA", 2, empty), reached("CNSHA", 3, first), reached("VNSGN", 6, first), pod, tell(freight.GateIn, "CNSHA", 8, laden), discharged("SGSIN", 20, first),
		}, "CNSHA-NLRTM: [empty_out@CNSHA full_in@CNSHA transshipment_discharged@SGSIN] on_ship "},
		{"nothing says where it boards, and its ship comes to a port", []LoggedFact{
			tell(freight.Described, "", 0), expected(freight.Arrival, "NLRTM", 40, 1, first), reached("CNNKG", 8, first),
		}, "-NLRTM: [] new King"},
		{"its sibling was brought to the quay, and neither load is reported", []LoggedFact{
			tell(freight.Described, "", 0), tell(freight.GateIn, "CNSHA", 8, laden, about(box2)), sailed("CNSHA", 11, first), reached("SGSIN", 16, first),
		}, "CNSHA-: [] new "},
		{"it is discharged where it was loaded from a ship that only a voyage number names", []LoggedFact{
			reached("CNSHA", 9, on("", "King")), loaded("CNSHA", 10, on("9321483", "")), discharged("CNSHA", 10, func(f *LoggedFact) { f.Voyage, f.At.Time = "108W", f.At.Time.Add(time.Hour) }), sailed("CNSHA", 11, on("9321483", "")),
		}, "CNSHA-: [] new "},
		{"its ship comes back on a day of which no more is known of its train", []LoggedFact{
			pol, role("USLAX", freight.RolePOD), tell(freight.Loading, "USLAX", 20, rail, laden), reached("USLAX", 24, first),
			tell(freight.Loading, "USCHI", 24, rail, laden, func(f *LoggedFact) { f.At.Day, f.At.Floating = true, true }),
		}, "CNSHA-USLAX: [rail_loaded@USLAX rail_loaded@USCHI] on_rail "},
		// Ports.
		{"a sibling came by sea to where it is loaded first", []LoggedFact{
			tell(freight.GateIn, "VNSGN", 8, laden, about(box2)), sailed("VNSGN", 11, first), discharged("MYPKG", 13, first, about(box2)), loaded("MYPKG", 16, second, about(box2)), loaded("MYPKG", 16, second), sailed("MYPKG", 17, second),
		}, "VNSGN-: [transshipment_loaded@MYPKG transshipment_departed@MYPKG] on_ship "},
		// Where another voyage explains the same facts.
		{"no ship brought it to where another one is planned to take it on", []LoggedFact{
			tell(freight.Described, "", 0), expected(freight.Departure, "CNSHA", 11, 1, first), expected(freight.Departure, "SGSIN", 20, 1, second), expected(freight.Arrival, "NLRTM", 40, 1, second),
			loaded("CNSHA", 10, first, about(box2)), sailed("CNSHA", 11, first), sailed("SGSIN", 20, second), reached("LKCMB", 26, second),
		}, "CNSHA-NLRTM: [] new Lucid"},
		{"its second ship comes to the hub again, and may take it then", []LoggedFact{
			pol, pod, hub, tell(freight.Described, "", 0), expected(freight.Departure, "CNSHA", 11, 1, first), expected(freight.Arrival, "NLRTM", 40, 1, second),
			sailed("CNSHA", 11, first), reached("SGSIN", 16, first), reached("SGSIN", 17, second), sailed("SGSIN", 17, first), sailed("SGSIN", 18, second), sailed("TWKHH", 21, second), reached("SGSIN", 23, second),
		}, "CNSHA-NLRTM: [vessel_departed@CNSHA transshipment_arrived@SGSIN] on_ship Lucid"},
		{"its second ship met the first before it came to the hub, where the first is not reported", then(
			pod, hub, reached("VNSGN", 14, first), sailed("VNSGN", 16, second), reached("SGSIN", 19, second), sailed("SGSIN", 20, second), discharged("NLRTM", 40, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@VNSGN vessel_discharged@NLRTM] grounded Lucid"},
		{"another ship came from the hub to where it goes on from, too", []LoggedFact{
			pol, pod, hub, expected(freight.Departure, "CNSHA", 11, 1, first), tell(freight.GateIn, "CNSHA", 8, laden), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), reached("LKCMB", 20, first), reached("SGSIN", 18, second), reached("LKCMB", 24, second), loaded("LKCMB", 28, third),
		}, "CNSHA-NLRTM: [full_in@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_loaded@LKCMB] on_ship "},
		{"a barge takes it from the POD, and its ship came to a stated hub after it was due there", then(
			pod, expected(freight.Arrival, "NLRTM", 35, 1, first), role("BEANR", freight.RoleTS), reached("BEANR", 38, first), tell(freight.Loading, "NLRTM", 45, by(freight.ByBarge), laden),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@BEANR feeder_loaded@NLRTM] on_ship King"},
		{"its ship came back to the POD, past which it had carried it, and it comes off that ship at a hub", then(
			pod, expected(freight.Arrival, "NLRTM", 30, 1, first), reached("NLRTM", 30, first), sailed("NLRTM", 31, first), expected(freight.Arrival, "NLRTM", 50, 31, second), reached("BEANR", 33, first), reached("NLRTM", 35, first), sailed("NLRTM", 36, first), reached("SGSIN", 40, first), discharged("SGSIN", 41, first),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@BEANR vessel_arrived@NLRTM transshipment_arrived@SGSIN transshipment_discharged@SGSIN] on_ship Lucid"},
		{"a load names no ship, none is reported there, and two come to the next port", []LoggedFact{
			pol, loaded("CNSHA", 10, first), discharged("SGSIN", 16, first), loaded("SGSIN", 20), reached("LKCMB", 27, second), reached("LKCMB", 29, third),
		}, "CNSHA-: [vessel_loaded@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship "},
		{"it is picked up empty elsewhere, and another ship calls before where it is loaded", []LoggedFact{
			tell(freight.GateOut, "CNSHA", 2, empty), reached("SGSIN", 16, first), loaded("SGSIN", 20, second), sailed("SGSIN", 21, second),
		}, "-: [empty_out@CNSHA transshipment_arrived@SGSIN transshipment_loaded@SGSIN transshipment_departed@SGSIN] on_ship "},
		{"its ship leaves the hub on the day of the load, and its former ship is not reported to have landed it", then(
			pod, hub, reached("SGSIN", 16, first), sailed("SGSIN", 20, func(f *LoggedFact) { second(f); onDay(f) }), loaded("SGSIN", 20, second, recorded(21), func(f *LoggedFact) { f.At.Time = f.At.Time.Truncate(24 * time.Hour).Add(12 * time.Hour) }),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_departed@SGSIN transshipment_loaded@SGSIN] on_ship Lucid"},
		{"its ship was at a port so long that it may have been at the next one in between", then(
			pod, reached("TWKHH", 14, first), sailed("TWKHH", 20, first), loaded("SGSIN", 21, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@TWKHH transshipment_loaded@SGSIN] on_ship Lucid"},
		{"its ship is to discharge a sibling elsewhere, and it leaves the port of its own plan", []LoggedFact{
			pol, pod, plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Discharge, "NLRTM", 38, 1, first), tell(freight.Discharge, "BEANR", 38, sea, class(freight.Planned), about(box2), first, recorded(36)), expected(freight.Arrival, "BEANR", 38, 36, first),
			loaded("CNSHA", 10, first), reached("BEANR", 38, first), tell(freight.GateOut, "NLRTM", 38, laden, func(f *LoggedFact) { f.At.Time = f.At.Time.Add(3 * time.Hour) }, recorded(39)), sailed("BEANR", 39, first),
		}, "CNSHA-NLRTM: [vessel_loaded@CNSHA full_out@NLRTM] picked_up King"},
		{"the ship on which it was loaded lies where it comes off, and so may another one", then(
			pod, reached("NLRTM", 30, first), sailed("NLRTM", 31, first), reached("SGSIN", 35, first), discharged("SGSIN", 36), sailed("SGSIN", 36, first), sailed("SGSIN", 38, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@SGSIN transshipment_discharged@SGSIN] on_ship "},
		{"a barge takes it on a day on which a ship has discharged it", []LoggedFact{
			pod, reached("NLRTM", 38, first), discharged("NLRTM", 39, first), tell(freight.Loading, "NLRTM", 39, by(freight.ByBarge), laden, onDay), sailed("NLRTM", 40, first),
		}, "-NLRTM: [vessel_arrived@NLRTM feeder_loaded@NLRTM vessel_discharged@NLRTM] grounded King"},
		{"it comes off a ship while no port of lading is known", []LoggedFact{
			reached("CNSHA", 10, first), discharged("SGSIN", 16, first), sailed("SGSIN", 17, first),
		}, "-: [] on_ship "},
		{"a ship known by a voyage alone is the only one where it is loaded next", then(
			pod, hub, reached("SGSIN", 16, func(f *LoggedFact) { f.Voyage = "141E" }), reached("JPYOK", 20, first), reached("SGSIN", 24, second), loaded("SGSIN", 25, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_loaded@SGSIN] on_ship Lucid"},
		// What may have happened otherwise.
		{"a refused delivery comes back to another terminal, and the container is returned empty to another port", then(
			pod, reached("NLRTM", 38, first), discharged("NLRTM", 38, first), tell(freight.GateOut, "NLRTM", 40, laden), reached("NLRTM", 45, second), tell(freight.GateIn, "NLRTM", 46, laden), sailed("NLRTM", 47, second), reached("BEANR", 49, second), tell(freight.GateIn, "BEANR", 52, empty),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM vessel_discharged@NLRTM full_out@NLRTM empty_in@BEANR] empty_returned King"},
		{"a sibling was picked up empty elsewhere, and of it nothing is reported before it comes off", []LoggedFact{
			pod, tell(freight.GateOut, "KRPUS", 5, empty, about(box2)), reached("CNNGB", 9, first), sailed("CNNGB", 10, first), discharged("NLRTM", 40, first),
		}, "CNNGB-NLRTM: [vessel_discharged@NLRTM] grounded King"},
		{"a plan has the ship come to the last port alone, and another one sailed before", []LoggedFact{
			tell(freight.Described, "", 0), reached("KRPUS", 9, first), sailed("KRPUS", 10, first), reached("TWKHH", 12, first), sailed("TWKHH", 13, first), reached("VNSGN", 18, second), sailed("VNSGN", 20, second), reached("SGSIN", 22, second), sailed("SGSIN", 23, second), expected(freight.Arrival, "NLRTM", 40, 24, second),
		}, "KRPUS-NLRTM: [] new Lucid"},
		{"another ship is planned to bring it on from where its own was to come last, and no load is planned", []LoggedFact{
			tell(freight.Described, "", 0), expected(freight.Departure, "CNSHA", 11, 1, first), expected(freight.Arrival, "SGSIN", 16, 1, first), expected(freight.Arrival, "NLRTM", 40, 1, second), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, first),
		}, "CNSHA-NLRTM: [vessel_departed@CNSHA transshipment_arrived@SGSIN] on_ship Lucid"},
		{"its ship comes to another port days after it was due at the last planned one", []LoggedFact{
			tell(freight.Described, "", 0), expected(freight.Departure, "CNSHA", 11, 1, first), expected(freight.Arrival, "NLRTM", 38, 1, first), sailed("CNSHA", 11, first), reached("BEANR", 41, first),
		}, "CNSHA-NLRTM: [vessel_departed@CNSHA] on_ship King"},
		{"its ship went on from where the next one called, which may have met it later", then(
			pod, reached("TWKHH", 14, first), reached("SGSIN", 18, first), sailed("TWKHH", 22, second), discharged("NLRTM", 40, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@TWKHH vessel_discharged@NLRTM] grounded Lucid"},
		{"the planned ship left hours after it came off, which is known to the day", then(
			pod, hub, role("LKCMB", freight.RoleTS), expected(freight.Departure, "SGSIN", 17, 1, second), reached("SGSIN", 16, second), discharged("SGSIN", 17, first, onDay), sailed("SGSIN", 17, func(f *LoggedFact) { second(f); f.At.Time = f.At.Time.Truncate(24 * time.Hour).Add(time.Hour) }), reached("SGSIN", 17, func(f *LoggedFact) { first(f); f.At.Time = f.At.Time.Truncate(24 * time.Hour).Add(3 * time.Hour) }), reached("LKCMB", 19, second), loaded("LKCMB", 28, on("9000002", "Fourth")),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_arrived@SGSIN transshipment_loaded@LKCMB] on_ship Fourth"},
		{"a ship left on the day on which it came off, and may have called again before it comes off there", then(
			pod, hub, discharged("SGSIN", 17, first), sailed("SGSIN", 17, func(f *LoggedFact) { second(f); onDay(f) }), reached("LKCMB", 20, second), sailed("LKCMB", 21, second), discharged("NLRTM", 40, second),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_discharged@NLRTM] grounded Lucid"},
		{"its ship was at its second port so long that it may have been at the hub in between", then(
			pod, hub, reached("TWKHH", 13, first), sailed("TWKHH", 14, first), reached("HKHKG", 15, first), loaded("SGSIN", 22, second), sailed("HKHKG", 23, first),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@TWKHH transshipment_departed@TWKHH transshipment_arrived@HKHKG transshipment_loaded@SGSIN] on_ship Lucid"},
		{"it was shut out of a ship that lies where it comes off, known to the day, and was loaded on another since", then(
			pod, discharged("CNSHA", 11), loaded("CNSHA", 20), sailed("CNSHA", 21, second), reached("NLRTM", 36, first), reached("NLRTM", 37, second), discharged("NLRTM", 37, onDay), sailed("NLRTM", 38, first),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM vessel_arrived@NLRTM] grounded Lucid"},
		{"the ship planned for its sibling lies where it comes off, and so may the former one", []LoggedFact{
			pol, pod, hub, tell(freight.Described, "", 0), tell(freight.Described, "", 0, about(box2)), expected(freight.Departure, "CNSHA", 10, 1, first), expected(freight.Departure, "CNSHA", 14, 8, second), tell(freight.GateIn, "CNSHA", 7, laden),
			reached("CNSHA", 9, first), reached("TWKHH", 11, first), sailed("TWKHH", 13, first), reached("MYPKG", 15, first), sailed("MYPKG", 16, first), sailed("CNSHA", 14, second), reached("SGSIN", 17, second), tell(freight.Discharge, "SGSIN", 17, sea, laden, func(f *LoggedFact) { f.At.Time = f.At.Time.Add(3 * time.Hour) }), sailed("SGSIN", 18, first), sailed("SGSIN", 19, second), loaded("SGSIN", 24, third),
		}, "CNSHA-NLRTM: [full_in@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship Third"},
		{"another ship lies where its own called, which goes on to where both may have met", then(
			reached("MYPKG", 14, first), sailed("MYPKG", 15, first), reached("SGSIN", 16, second), reached("SGSIN", 17, first), sailed("SGSIN", 18, second), reached("MYPKG", 20, first), reached("JPYOK", 24, second), discharged("LKCMB", 40, second),
		), "CNSHA-LKCMB: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@MYPKG transshipment_departed@MYPKG transshipment_arrived@SGSIN vessel_discharged@LKCMB] grounded Lucid"},
		{"its ship called at the stated POD before the hub, and another brought it there", then(
			pod, hub, reached("NLRTM", 14, first), reached("SGSIN", 18, first), reached("SGSIN", 24, second), reached("JPYOK", 26, second), discharged("TWKHH", 28, second), loaded("TWKHH", 30, third), discharged("NLRTM", 40, third),
		), "CNSHA-NLRTM: [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@SGSIN transshipment_discharged@TWKHH transshipment_loaded@TWKHH vessel_discharged@NLRTM] grounded Third"},
		{"a plan of the shipment has another ship than its own plan, and it comes off where neither is reported", []LoggedFact{
			tell(freight.Described, "", 0, about(box2)), plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Discharge, "NLRTM", 38, 1, first), expected(freight.Departure, "CNSHA", 15, 9, second), expected(freight.Arrival, "NLRTM", 50, 9, second),
			tell(freight.Loading, "CNSHA", 15, sea, about(box2), second), reached("KRPUS", 20, second), sailed("KRPUS", 21, second), discharged("NLRTM", 38),
		}, "CNSHA-NLRTM: [vessel_discharged@NLRTM] grounded Lucid"},
		{"it is returned empty where a train brought it, and no ship is reported", []LoggedFact{
			pol, pod, tell(freight.GateOut, "CNSHA", 5, empty), tell(freight.Arrival, "DEDUI", 40, rail), tell(freight.GateIn, "DEDUI", 45, empty),
		}, "CNSHA-NLRTM: [empty_out@CNSHA rail_arrived@DEDUI arrived_at_destination@DEDUI empty_in@DEDUI] empty_returned "},
		{"it is delivered from where a train brought it, and no ship is reported", []LoggedFact{
			pol, tell(freight.GateOut, "CNSHA", 5, empty), tell(freight.Arrival, "DEDUI", 40, rail, laden), tell(freight.GateOut, "DEDUI", 41, laden), tell(freight.Delivery, "DEDUI", 42, laden), tell(freight.GateIn, "DEHAM", 45, empty),
		}, "CNSHA-: [empty_out@CNSHA rail_arrived@DEDUI arrived_at_destination@DEDUI full_out@DEDUI delivered@DEDUI empty_in@DEHAM] empty_returned "},
		{"it was shut out, and a plan that was made after its load has another ship", []LoggedFact{
			pol, pod, plan(freight.Loading, "CNSHA", 10, 1, first), reached("CNSHA", 9, first), reached("CNSHA", 9, second), loaded("CNSHA", 10), discharged("CNSHA", 11, first), sailed("CNSHA", 11, second), plan(freight.Loading, "CNSHA", 17, 12, second), reached("CNSHA", 16, second), sailed("CNSHA", 17, second),
		}, "CNSHA-NLRTM: [vessel_departed@CNSHA] on_ship Lucid"},
		{"a feeder that is known by a voyage alone comes to where it is loaded on one, and its ship lies there", then(
			hub, discharged("SGSIN", 15, first), sailed("SGSIN", 16, first), reached("PTSIE", 15, second), sailed("PTSIE", 16, second), tell(freight.Arrival, "SGSIN", 18, feeder, about(), func(f *LoggedFact) { f.Voyage = "139E" }), tell(freight.Loading, "SGSIN", 19, feeder, laden), sailed("SGSIN", 20, second),
		), "CNSHA-: [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN feeder_loaded@SGSIN] on_ship "},
		{"the ship planned for a sibling comes to the hub where it is loaded, and so did its own", []LoggedFact{
			pol, pod, hub, tell(freight.Described, "", 0, about(box2)), tell(freight.Described, "", 0), expected(freight.Departure, "CNSHA", 10, 1, first), expected(freight.Departure, "CNSHA", 14, 8, second), expected(freight.Departure, "SGSIN", 26, 1, third), expected(freight.Arrival, "NLRTM", 40, 1, third),
			sailed("CNSHA", 10, first), tell(freight.Loading, "CNSHA", 14, sea, about(box2), second), reached("SGSIN", 17, first), sailed("SGSIN", 18, first), reached("SGSIN", 22, second), loaded("SGSIN", 25, third), sailed("SGSIN", 26, third),
		}, "CNSHA-NLRTM: [transshipment_loaded@SGSIN transshipment_departed@SGSIN] on_ship Third"},
		{"nothing is reported of it before a load that names no ship, and its ship had left that port", []LoggedFact{
			pod, reached("CNSHA", 9, first), reached("SGSIN", 14, first), sailed("SGSIN", 15, first), reached("JPYOK", 19, first), loaded("SGSIN", 24),
		}, "-NLRTM: [transshipment_loaded@SGSIN] on_ship "},
		{"nothing is reported of it, and its ship sails on from the last planned port", []LoggedFact{
			pol, tell(freight.Described, "", 0), tell(freight.Described, "", 0, about(box2)), expected(freight.Departure, "CNSHA", 10, 1, first), expected(freight.Arrival, "NLRTM", 38, 1, first), tell(freight.Discharge, "NLRTM", 38, sea, class(freight.Planned), about(box2), first, recorded(1)),
			sailed("CNSHA", 10, first), tell(freight.Discharge, "NLRTM", 38, sea, about(box2), first), sailed("NLRTM", 39, first), reached("BEANR", 41, first),
		}, "CNSHA-NLRTM: [vessel_departed@CNSHA] on_ship King"},
		{"a sibling is loaded where the only ship was before, which came back", []LoggedFact{
			tell(freight.GateOut, "CNSHA", 5, empty), reached("CNSHA", 9, first), sailed("CNSHA", 10, first), reached("CNNGB", 12, first), sailed("CNNGB", 13, first), tell(freight.Loading, "CNSHA", 16, sea, about(box2)), tell(freight.Discharge, "NLRTM", 38, sea, about(box2), first), discharged("NLRTM", 38, first),
		}, "CNSHA-NLRTM: [empty_out@CNSHA vessel_discharged@NLRTM] grounded King"},
	}
	for _, row := range rows {
		j := deriveTest(row.facts)
		check(t, row.name, fmt.Sprint(j.POL.LOCODE, "-", j.POD.LOCODE, ": ", told(t, j, box1), " ", containerOf(t, j, box1).Status, " ", j.PODVessel.Name), row.want)
	}
}

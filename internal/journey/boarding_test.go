package journey

import (
	"fmt"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// TestWithoutALoad: the ships that a container was aboard, when its loads and discharges
// are not reported. Each row fails without the rule that it names, except the rows for the
// other side of a rule.
func TestWithoutALoad(t *testing.T) {
	sea := by(freight.ByVessel)
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
	onDay := func(f *LoggedFact) {
		f.At = freight.Moment{Time: f.At.Time.Truncate(24 * time.Hour), Day: true, Floating: true}
	}
	pod, third := tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), on("9000001", "Third")
	fourth := func(f *LoggedFact) {
		f.Vessel, f.ID = freight.VesselRef{IMO: "9000002", Name: "Fourth"}, "arrival of the fourth"
	}
	anHourEarlier := func(f *LoggedFact) {
		f.Vessel, f.At.Time = freight.VesselRef{IMO: "9000001", Name: "Third"}, f.At.Time.Add(-time.Hour)
	}
	anHourLater := func(f *LoggedFact) { f.At.Time = f.At.Time.Add(time.Hour) }
	fullIn := tell(freight.GateIn, "CNSHA", 8, load(freight.Laden))
	loadedAs := func(number, place string, day int, ship change) LoggedFact {
		return tell(freight.Loading, place, day, sea, ship, about(number))
	}
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string
	}{
		{"no ship was planned for a container that is heard of", []LoggedFact{
			fullIn, sailed("CNSHA", 11, first),
		}, "[full_in@CNSHA] new"},
		{"the ship was planned", []LoggedFact{
			fullIn, plan(freight.Loading, "CNSHA", 10, 1, first), sailed("CNSHA", 11, first),
		}, "[full_in@CNSHA vessel_departed@CNSHA] on_ship"},
		{"the ship was planned, and the container is out empty", []LoggedFact{
			tell(freight.GateOut, "CNSHA", 6, load(freight.Empty)), plan(freight.Loading, "CNSHA", 10, 1, first), sailed("CNSHA", 11, first),
		}, "[empty_out@CNSHA] new"},
		{"another ship is planned for its siblings", []LoggedFact{
			fullIn, plan(freight.Loading, "CNSHA", 10, 1, first), tell(freight.Departure, "CNSHA", 17, sea, class(freight.Planned), about(), second, recorded(12)),
			sailed("CNSHA", 17, second),
		}, "[full_in@CNSHA] new"},
		{"the ship came for it later", []LoggedFact{
			tell(freight.GateOut, "CNSHA", 6, load(freight.Empty)), sailed("CNNKG", 7, first), reached("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("NLRTM", 41, first),
		}, "[empty_out@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM] grounded"},
		{"the ship had left where it came off one that nobody names", []LoggedFact{
			fullIn, plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Loading, "CNSHA", 17, 9, second), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), reached("CNNKG", 19, first),
			tell(freight.Discharge, "SGSIN", 24, sea),
		}, "[full_in@CNSHA vessel_discharged@SGSIN] grounded"},
		{"it was to be put ashore before", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(freight.Discharge, "SGSIN", 16, 1, first), reached("CNNKG", 18, first), loaded("SGSIN", 25, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"the ship calls where it is next loaded, and another that it was planned for later", []LoggedFact{
			fullIn, plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Loading, "CNSHA", 17, 9, second), sailed("CNSHA", 11, first), reached("SGSIN", 16, first),
			sailed("SGSIN", 17, first), reached("SGSIN", 22, second), loaded("SGSIN", 25, on("9000001", "Third")), tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)),
		}, "[full_in@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"two report where it came off, and one does not know the ship", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), reached("NLRTM", 40, second),
			tell(freight.Discharge, "NLRTM", 41, sea), discharged("NLRTM", 41, second), tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_arrived@NLRTM vessel_discharged@NLRTM full_out@NLRTM] picked_up"},
		{"it leaves another port than the one where it came off", []LoggedFact{
			plan(freight.Discharge, "NLRTM", 41, 1, second), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first),
			tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)), tell(freight.GateIn, "NLRTM", 47, load(freight.Empty)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN full_out@NLRTM empty_in@NLRTM] empty_returned"},
		{"a ship comes to where it was to change ships, and on to where it is put on a train", []LoggedFact{
			tell(freight.Route, "SGSIN", 0, about(), in(freight.RoleTS)), tell(freight.GateOut, "CNSHA", 6, load(freight.Empty)),
			reached("SGSIN", 20, second), reached("NLRTM", 40, second), tell(freight.Loading, "NLRTM", 42, by(freight.ByRail)),
		}, "[empty_out@CNSHA vessel_arrived@NLRTM rail_loaded@NLRTM] on_rail"},
		{"a barge that nobody names takes it on", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first),
			tell(freight.Departure, "NLRTM", 42, by(freight.ByBarge)), tell(freight.Discharge, "DEDUI", 43, by(freight.ByBarge)), tell(freight.GateOut, "DEDUI", 44, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM feeder_departed@NLRTM feeder_discharged@DEDUI full_out@DEDUI] picked_up"},
		{"it leaves the stated port of discharge, and its ship is reported at the next one only", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first),
			tell(freight.GateOut, "NLRTM", 42, load(freight.Laden)), reached("DEHAM", 44, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA full_out@NLRTM] picked_up"},
		{"nothing but what ships do is reported", []LoggedFact{
			tell(freight.Described, "", 0), sailed("CNSHA", 11, first),
		}, "[] new"},
		{"nothing but what ships do is reported, and the ship at another port", []LoggedFact{
			tell(freight.Described, "", 0), sailed("CNSHA", 11, first), reached("SGSIN", 16, first),
		}, "[vessel_departed@CNSHA vessel_arrived@SGSIN] on_ship"},
		{"nothing but what ships do is reported, and the ship left two ports", []LoggedFact{
			tell(freight.Described, "", 0), sailed("CNNKG", 8, first), sailed("CNSHA", 11, first),
		}, "[] new"},
		{"nothing but what ships do is reported, the ship left two ports, and the POL is stated", []LoggedFact{
			tell(freight.Described, "", 0), sailed("CNNKG", 8, first), sailed("CNSHA", 11, first), tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)),
		}, "[vessel_departed@CNSHA] on_ship"},
		{"nothing is reported of it before it comes off a ship that left two ports", []LoggedFact{
			sailed("CNNKG", 8, first), reached("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), discharged("NLRTM", 41, first),
		}, "[vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"it comes off a second ship that met the first", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 18, second),
			reached("NLRTM", 40, second), discharged("NLRTM", 41, second), tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_departed@SGSIN vessel_arrived@NLRTM vessel_discharged@NLRTM full_out@NLRTM] picked_up"},
		{"nobody knows where it met the second ship", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first),
			reached("NLRTM", 40, second), discharged("NLRTM", 41, second), tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN vessel_arrived@NLRTM vessel_discharged@NLRTM full_out@NLRTM] picked_up"},
		{"overcarried: the ship is to put it ashore at the next port", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first),
			plan(freight.Discharge, "NLRTM", 40, 1, first), plan(freight.Discharge, "DEHAM", 43, 42, first), sailed("NLRTM", 42, first), reached("DEHAM", 43, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM] on_ship"},
		{"its ship comes back to where it came off", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("NLRTM", 40, first), reached("NLRTM", 46, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM] grounded"},
		{"the ship that was planned comes only later to where it came off", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), plan(freight.Loading, "SGSIN", 18, 1, second), sailed("SGSIN", 20, second),
			tell(freight.Discharge, "NLRTM", 41, sea), reached("NLRTM", 50, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_discharged@NLRTM] grounded"},
		{"shut out of a ship that the load does not name", []LoggedFact{
			fullIn, tell(freight.Loading, "CNSHA", 10, sea), discharged("CNSHA", 11, first),
		}, "[full_in@CNSHA] new"},
		{"a ship came only after the load that names none", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), tell(freight.Loading, "SGSIN", 20, sea),
			reached("SGSIN", 26, second), sailed("SGSIN", 27, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"a ship was to come only after the load that names none", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), tell(freight.Loading, "SGSIN", 20, sea),
			tell(freight.Departure, "SGSIN", 27, sea, class(freight.Planned), about(), second), reached("CNNKG", 22, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"another ship was planned for the load that names none", []LoggedFact{
			fullIn, plan(freight.Loading, "CNSHA", 10, 1, first), tell(freight.Departure, "CNSHA", 10, sea, about(), second, onDay), tell(freight.Loading, "CNSHA", 10, sea),
		}, "[full_in@CNSHA vessel_loaded@CNSHA] on_ship"},
		{"the ship comes to take it, and nobody names the one that it comes off", []LoggedFact{
			plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Loading, "SGSIN", 20, 1, second), reached("SGSIN", 19, second),
			reached("NLRTM", 40, second), tell(freight.Discharge, "NLRTM", 41, sea),
		}, "[vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"the ship was to call for it later", []LoggedFact{
			plan(freight.Loading, "CNSHA", 20, 1, first), sailed("CNSHA", 9, first), reached("CNNKG", 12, first), discharged("NLRTM", 45, first),
		}, "[vessel_discharged@NLRTM] grounded"},
		{"the ship that was planned had left where it came off", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(freight.Loading, "SGSIN", 15, 1, second), sailed("SGSIN", 15, second), discharged("SGSIN", 16, first),
			reached("CNNKG", 20, second), tell(freight.Discharge, "NLRTM", 41, sea), reached("NLRTM", 40, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_discharged@NLRTM] grounded"},
		{"another ship was planned for it, and nobody names the one that it comes off", []LoggedFact{
			fullIn, plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Loading, "CNSHA", 17, 9, second), reached("CNSHA", 10, first), reached("CNNKG", 14, first),
			tell(freight.Departure, "NLRTM", 42, sea, about(), first), tell(freight.Discharge, "NLRTM", 41, sea),
		}, "[full_in@CNSHA vessel_discharged@NLRTM] grounded"},
		{"its ship calls twice at the port where it may have boarded", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), sailed("SGSIN", 18, second),
			reached("CNNKG", 20, second), reached("SGSIN", 23, second), sailed("SGSIN", 24, second), discharged("NLRTM", 41, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_departed@SGSIN vessel_discharged@NLRTM] grounded"},
		{"it is loaded again where its ship had been", []LoggedFact{
			tell(freight.Route, "CNNKG", 0, about(), in(freight.RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, first),
			reached("CNNKG", 19, first), sailed("CNNKG", 20, first), loaded("SGSIN", 22, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"its ship was elsewhere when it left a port by land", []LoggedFact{
			plan(freight.Discharge, "NLRTM", 39, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("DEHAM", 40, first), tell(freight.GateOut, "NLRTM", 41, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA full_out@NLRTM] picked_up"},
		{"its ship comes to another port after it left one by land", []LoggedFact{
			plan(freight.Discharge, "NLRTM", 39, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), tell(freight.GateOut, "NLRTM", 41, load(freight.Laden)), reached("DEHAM", 43, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA full_out@NLRTM] picked_up"},
		{"its ship comes back to where it left by land", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), tell(freight.GateOut, "NLRTM", 41, load(freight.Laden)), reached("NLRTM", 45, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA full_out@NLRTM] picked_up"},
		{"its ship, or another, comes days after its discharge", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), tell(freight.Discharge, "NLRTM", 41, sea), reached("NLRTM", 44, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM] grounded"},
		{"another ship was to bring it to where it left by land", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first),
			tell(freight.Arrival, "NLRTM", 39, sea, class(freight.Planned), about(), second, recorded(1)), tell(freight.Arrival, "NLRTM", 45, sea, class(freight.Planned), about(), on("9000001", "Third"), recorded(9)),
			sailed("SGSIN", 18, second), reached("NLRTM", 39, second), tell(freight.GateOut, "NLRTM", 47, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_arrived@NLRTM full_out@NLRTM] picked_up"},
		{"a ship that calls while it waits for the one it is loaded on", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first),
			reached("SGSIN", 17, second), reached("CNNKG", 19, second), reached("SGSIN", 21, second), loaded("SGSIN", 25, on("9000001", "Third")),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"it comes off another ship than the planned one, and the load names none", []LoggedFact{
			plan(freight.Loading, "CNSHA", 10, 1, first), tell(freight.Loading, "CNSHA", 10, sea), sailed("CNSHA", 11, second), reached("NLRTM", 40, second), discharged("NLRTM", 41, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"its ship carries it past the port of discharge, and the discharge names no ship", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), sailed("NLRTM", 41, first),
			reached("DEHAM", 43, first), tell(freight.Discharge, "DEHAM", 44, sea), loaded("DEHAM", 50, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM transshipment_discharged@DEHAM transshipment_loaded@DEHAM] on_ship"},
		{"the next ship comes after it came off one that nobody names", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), sailed("NLRTM", 41, first),
			tell(freight.Discharge, "DEHAM", 44, sea), reached("DEHAM", 49, second), loaded("DEHAM", 50, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_discharged@DEHAM transshipment_loaded@DEHAM] on_ship"},
		{"the ship comes back after it left the port by land", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), tell(freight.Arrival, "NLRTM", 40, sea, about(), first, recorded(40)),
			tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)), tell(freight.Arrival, "NLRTM", 46, sea, about(), first, recorded(46)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM full_out@NLRTM] picked_up"},
		{"its ship is reported to leave the next port, and not the one where it took the container", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), fullIn, plan(freight.Loading, "CNSHA", 10, 1, first), reached("CNSHA", 9, first), sailed("CNNKG", 13, first), discharged("NLRTM", 40, first),
		}, "[full_in@CNSHA transshipment_departed@CNNKG vessel_discharged@NLRTM] grounded"},
		{"it is loaded where a ship took its sibling, which came there without them", []LoggedFact{
			sailed("CNNKG", 7, first), reached("CNSHA", 9, first), tell(freight.Loading, "CNSHA", 10, sea, first, about(box2)), loaded("CNSHA", 20, second),
		}, "[vessel_loaded@CNSHA] on_ship"},
		{"the ship that it was planned for later lay there, too, when it came off one that nobody names", []LoggedFact{
			fullIn, plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Loading, "CNSHA", 17, 9, second), sailed("CNSHA", 11, first), reached("CNNKG", 13, first),
			reached("NLRTM", 40, first), reached("NLRTM", 40, second), tell(freight.Discharge, "NLRTM", 41, sea),
		}, "[full_in@CNSHA vessel_discharged@NLRTM] grounded"},
		{"a ship comes to where it had left by land, and it is delivered after that", []LoggedFact{
			tell(freight.GateOut, "CNSHA", 6, load(freight.Empty)), plan(freight.Loading, "CNSHA", 10, 1, first), reached("CNSHA", 9, first), sailed("CNNKG", 14, first), reached("SGSIN", 16, first),
			tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)), reached("NLRTM", 45, first), tell(freight.Delivery, "NLRTM", 46, load(freight.Laden)),
		}, "[empty_out@CNSHA full_out@NLRTM delivered@NLRTM] delivered"},
		{"it was to change ships where it came off, and is delivered elsewhere", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), tell(freight.Route, "SGSIN", 0, about(), in(freight.RoleTS)), loaded("CNSHA", 10, first), discharged("SGSIN", 16, first),
			tell(freight.Delivery, "NLRTM", 45, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA transshipment_discharged@SGSIN delivered@NLRTM] delivered"},
		{"the ship that it was planned for later has sailed before it is next loaded", []LoggedFact{
			fullIn, plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Loading, "CNSHA", 17, 9, second), sailed("CNSHA", 11, first), reached("SGSIN", 16, first),
			sailed("SGSIN", 17, first), sailed("CNSHA", 18, second), loaded("SGSIN", 25, on("9000001", "Third")), tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)),
		}, "[full_in@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"two ships lay where it was loaded on one that nobody names", []LoggedFact{
			loaded("CNSHA", 10, first), discharged("SGSIN", 16, first), tell(freight.Loading, "SGSIN", 20, sea),
			tell(freight.Departure, "SGSIN", 21, sea, class(freight.Planned), about(), second, recorded(1)), sailed("SGSIN", 21, second), reached("CNNKG", 23, second),
			tell(freight.Departure, "SGSIN", 22, sea, class(freight.Planned), about(), on("9000001", "Third"), recorded(9)), sailed("SGSIN", 22, on("9000001", "Third")),
		}, "[vessel_loaded@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN transshipment_departed@SGSIN] on_ship"},
		{"it stands inland before its ship is reported to come to a port", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), tell(freight.GateIn, "DEDUI", 44, load(freight.Laden)), reached("DEHAM", 46, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA] on_ship"},
		{"another ship is to bring it back from the next port", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), plan(freight.Loading, "CNSHA", 10, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first),
			plan(freight.Departure, "DEHAM", 47, 40, second), plan(freight.Arrival, "NLRTM", 49, 40, second), reached("NLRTM", 40, first), sailed("NLRTM", 41, first), reached("DEHAM", 43, first), sailed("DEHAM", 44, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM] on_ship"},
		{"another ship was to bring it to the next port, as was said before its own left", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(freight.Departure, "SGSIN", 20, 1, second), plan(freight.Arrival, "ESALG", 34, 1, second),
			discharged("SGSIN", 16, first), plan(freight.Arrival, "ESALG", 40, 18, third), sailed("SGSIN", 20, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN] on_ship"},
		{"another ship was to take it on from the next port, as was said before its own left", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(freight.Departure, "SGSIN", 20, 1, second), plan(freight.Arrival, "NLRTM", 44, 1, third),
			discharged("SGSIN", 16, first), plan(freight.Arrival, "NLRTM", 50, 18, fourth), plan(freight.Arrival, "NLRTM", 51, 25, fourth), sailed("SGSIN", 20, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN] on_ship"},
		{"another ship was to take it on from the next port, as was said after its own left", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(freight.Departure, "SGSIN", 20, 1, second), plan(freight.Arrival, "NLRTM", 44, 1, third),
			discharged("SGSIN", 16, first), plan(freight.Arrival, "NLRTM", 50, 25, fourth), sailed("SGSIN", 20, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_departed@SGSIN] on_ship"},
		{"another ship was to bring it to where it came off one that nobody names", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(freight.Departure, "SGSIN", 20, 1, second),
			plan(freight.Arrival, "NLRTM", 40, 1, second), discharged("SGSIN", 16, first), plan(freight.Arrival, "NLRTM", 45, 18, third), sailed("SGSIN", 20, second), reached("DEHAM", 44, second),
			tell(freight.Discharge, "NLRTM", 46, sea),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_discharged@NLRTM] grounded"},
		{"it comes off another ship at the port that its ship reaches only later", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), plan(freight.Departure, "SGSIN", 18, 1, second),
			plan(freight.Arrival, "NLRTM", 44, 1, second), sailed("SGSIN", 18, second), discharged("NLRTM", 41, third),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_discharged@NLRTM] grounded"},
		{"its ship left another port too late to come to where it was loaded on another", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("CNNKG", 16, first), sailed("CNNKG", 18, first), loaded("SGSIN", 19, third),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"its ship comes to the next port too soon to have been where it was loaded on another", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("CNNKG", 16, first), loaded("SGSIN", 19, anHourEarlier), reached("VNSGN", 19, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"its ship has the time to come to where it was loaded on another", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("CNNKG", 16, first), loaded("SGSIN", 19, third), reached("VNSGN", 20, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@CNNKG transshipment_loaded@SGSIN] on_ship"},
		{"two ships came to where it was loaded on another, and nobody knows which brought it", []LoggedFact{
			pod, fullIn, reached("CNNKG", 14, first), sailed("CNNKG", 15, first), reached("SGSIN", 17, first), reached("SGSIN", 20, third), loaded("SGSIN", 25, second),
			tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)),
		}, "[full_in@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"one ship came to where it was loaded on another", []LoggedFact{
			pod, fullIn, reached("SGSIN", 17, first), loaded("SGSIN", 25, second), tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)),
		}, "[full_in@CNSHA transshipment_arrived@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"another ship is to bring it back from the next port, where its ship lies", []LoggedFact{
			pod, plan(freight.Loading, "CNSHA", 10, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first),
			plan(freight.Departure, "DEHAM", 47, 40, second), plan(freight.Arrival, "NLRTM", 49, 40, second), reached("NLRTM", 40, first), sailed("NLRTM", 41, first), reached("DEHAM", 43, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM] on_ship"},
		{"another ship is to bring it to where its ship lies, and nobody says from where", []LoggedFact{
			pod, plan(freight.Arrival, "NLRTM", 40, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), plan(freight.Arrival, "NLRTM", 50, 41, second), sailed("NLRTM", 41, first), reached("DEHAM", 43, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM] on_ship"},
		{"the shipment was planned onto another ship, and both left: one of two containers may be left behind", []LoggedFact{
			fullIn, tell(freight.GateIn, "CNSHA", 7, load(freight.Laden), about(box2)), tell(freight.Departure, "CNSHA", 10, sea, class(freight.Planned), about(), first, recorded(1)),
			tell(freight.Departure, "CNSHA", 17, sea, class(freight.Planned), about(), second, recorded(9)), sailed("CNSHA", 11, first), sailed("CNSHA", 17, second),
		}, "[full_in@CNSHA] new"},
		{"the ship is planned for its sibling, and its own plan is another", []LoggedFact{
			plan(freight.Loading, "CNSHA", 10, 1, first), tell(freight.Departure, "CNSHA", 17, sea, class(freight.Planned), about(), second, recorded(9)),
			tell(freight.Loading, "CNSHA", 10, sea, first, about(box2)), sailed("CNSHA", 11, first), sailed("CNSHA", 17, second),
		}, "[] new"},
		{"the ship that it comes off left the hub before its own came there", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), sailed("SGSIN", 15, second), reached("SGSIN", 16, first), discharged("NLRTM", 40, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN vessel_discharged@NLRTM] grounded"},
		{"the ship that brings it leaves the hub twice", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), sailed("SGSIN", 17, second), reached("CNNKG", 19, second), sailed("SGSIN", 22, second),
			reached("NLRTM", 40, second), tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_departed@SGSIN vessel_arrived@NLRTM full_out@NLRTM] picked_up"},
		{"it is delivered inland, and nobody reported the port that its ship was bound for", []LoggedFact{
			plan(freight.Arrival, "NLRTM", 40, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, first),
			tell(freight.Delivery, "DEDUI", 44, load(freight.Laden)), tell(freight.GateIn, "DEDUI", 46, load(freight.Empty)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_departed@SGSIN delivered@DEDUI empty_in@DEDUI] empty_returned"},
		{"the ship that it comes off never called where it was picked up empty", []LoggedFact{
			tell(freight.GateOut, "CNSHA", 6, load(freight.Empty)), sailed("CNSHA", 11, first), reached("SGSIN", 20, second), sailed("SGSIN", 21, second), reached("NLRTM", 40, second), discharged("NLRTM", 41, second),
		}, "[empty_out@CNSHA vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"another ship is to bring a container to where it has left by land before that", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), plan(freight.Departure, "SGSIN", 20, 1, second), plan(freight.Arrival, "NLRTM", 40, 1, second),
			plan(freight.Arrival, "NLRTM", 50, 18, third), sailed("SGSIN", 20, second), reached("NLRTM", 40, second), tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_departed@SGSIN vessel_arrived@NLRTM full_out@NLRTM] picked_up"},
		{"its ship arrives twice at a port, and nothing is reported of it in between", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), reached("SGSIN", 20, first), reached("NLRTM", 40, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_arrived@SGSIN vessel_arrived@NLRTM] on_ship"},
		{"its ship leaves a port twice, and nothing is reported of it in between", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), sailed("SGSIN", 17, first), sailed("SGSIN", 21, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_departed@SGSIN transshipment_departed@SGSIN] on_ship"},
		{"its next ship left on the day on which it was loaded, and nobody reported that it came off the first", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), loaded("SGSIN", 18, second), tell(freight.Departure, "SGSIN", 18, sea, about(), second, onDay),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_departed@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"a ship left on the day on which it came off another", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), tell(freight.Discharge, "SGSIN", 16, sea, first, onDay), tell(freight.Departure, "SGSIN", 16, sea, about(), second, onDay),
			reached("NLRTM", 40, second), tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN full_out@NLRTM] picked_up"},
		{"two ships came from where it came off to where it left by land, and none was planned", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), sailed("SGSIN", 18, second), reached("NLRTM", 40, second),
			tell(freight.Departure, "SGSIN", 20, sea, about(), third, id("departure of the third")), tell(freight.Arrival, "NLRTM", 42, sea, about(), third, id("arrival of the third")), tell(freight.GateOut, "NLRTM", 44, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN full_out@NLRTM] picked_up"},
		{"the ship that it was shut out of goes on to where it is returned empty", []LoggedFact{
			pod, fullIn, loaded("CNSHA", 10, first), discharged("CNSHA", 11, first), sailed("CNSHA", 11, first), loaded("CNSHA", 17, second), sailed("CNSHA", 18, second),
			discharged("NLRTM", 40, second), reached("NLRTM", 41, first), reached("DEHAM", 43, first), tell(freight.GateIn, "DEHAM", 45, load(freight.Empty)),
		}, "[full_in@CNSHA vessel_loaded@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM empty_in@DEHAM] empty_returned"},
		{"the ship that it comes off is to take it from a port that it calls at later", []LoggedFact{
			pod, tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)), tell(freight.GateOut, "CNSHA", 6, load(freight.Empty)), plan(freight.Departure, "SGSIN", 20, 1, second),
			reached("CNNKG", 14, second), reached("SGSIN", 18, second), sailed("SGSIN", 20, second), discharged("NLRTM", 40, second),
		}, "[empty_out@CNSHA transshipment_departed@SGSIN vessel_discharged@NLRTM] grounded"},
		{"the ship that it comes off leaves another port days before it is to take it", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 15, second), discharged("SGSIN", 16, first), plan(freight.Loading, "SGSIN", 26, 1, second),
			sailed("CNNKG", 20, second), reached("NLRTM", 40, second), discharged("NLRTM", 41, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"it enters a port while the ship is on its way there", []LoggedFact{
			sailed("CNNKG", 7, first), fullIn, reached("CNSHA", 9, first), sailed("CNSHA", 11, first), loaded("CNSHA", 16, second),
		}, "[full_in@CNSHA vessel_loaded@CNSHA] on_ship"},
		{"it enters a port hours after the ship has left another", []LoggedFact{
			sailed("CNNKG", 7, first), tell(freight.GateIn, "CNSHA", 7, load(freight.Laden), anHourLater), sailed("CNSHA", 9, first), discharged("NLRTM", 40, first),
		}, "[full_in@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM] grounded"},
		{"it leaves the port that its ship was to call at, and the ship is reported at the next one only", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), plan(freight.Departure, "SGSIN", 20, 1, second), plan(freight.Arrival, "NLRTM", 40, 1, second),
			sailed("SGSIN", 20, second), tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)), reached("DEHAM", 44, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_departed@SGSIN full_out@NLRTM] picked_up"},
		{"a train leaves too soon for its ship to have gone there, and it was to change ships", []LoggedFact{
			pod, tell(freight.Route, "GBFXT", 0, about(), in(freight.RoleTS)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("GBFXT", 38, first), reached("DEHAM", 41, first), plan(freight.Arrival, "NLRTM", 42, 1, second), tell(freight.Loading, "NLRTM", 42, by(freight.ByRail)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@GBFXT rail_loaded@NLRTM] on_rail"},
		{"its ship leaves the port where it comes off another a week later", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), sailed("NLRTM", 41, first), reached("DEHAM", 43, first), reached("DEHAM", 45, second), reached("NLRTM", 47, second), discharged("NLRTM", 48, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"a ship was between two other ports when it was loaded on one that nobody names", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), sailed("CNNKG", 19, third), tell(freight.Loading, "SGSIN", 20, sea), reached("VNSGN", 21, third), discharged("NLRTM", 40, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN vessel_discharged@NLRTM] grounded"},
		{"two report that it was shut out of the ship, which had called at another port", []LoggedFact{
			sailed("CNNKG", 7, first), fullIn, loaded("CNSHA", 10, first), discharged("CNSHA", 11, first), tell(freight.Discharge, "CNSHA", 11, sea, first, source("hub")), sailed("CNSHA", 11, first), loaded("CNSHA", 17, second),
		}, "[full_in@CNSHA vessel_loaded@CNSHA] on_ship"},
		{"the ship that was to take it on sailed with its sibling, and it is emptied inland", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), plan(freight.Loading, "SGSIN", 18, 1, second), plan(freight.Discharge, "NLRTM", 40, 1, second),
			tell(freight.Loading, "SGSIN", 18, sea, second, about(box2)), sailed("SGSIN", 19, second), tell(freight.GateIn, "DEDUI", 46, load(freight.Empty)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN empty_in@DEDUI] empty_returned"},
		{"the ship that it was planned for later comes on the day on which it leaves by land", []LoggedFact{
			pod, fullIn, tell(freight.GateIn, "CNSHA", 7, load(freight.Laden), about(box2)), tell(freight.Departure, "CNSHA", 10, sea, class(freight.Planned), about(), first, recorded(1)),
			tell(freight.Departure, "CNSHA", 17, sea, class(freight.Planned), about(), second, recorded(9)), sailed("CNSHA", 10, first), sailed("CNSHA", 17, second), reached("NLRTM", 42, second),
			tell(freight.GateOut, "NLRTM", 42, load(freight.Laden), onDay),
		}, "[full_in@CNSHA full_out@NLRTM] picked_up"},
		{"its sibling came off at the port that its ship was bound for, and it is delivered inland", []LoggedFact{
			plan(freight.Arrival, "NLRTM", 40, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), tell(freight.Discharge, "NLRTM", 41, sea, first, about(box2)),
			tell(freight.Delivery, "DEDUI", 44, load(freight.Laden)), tell(freight.GateIn, "DEDUI", 46, load(freight.Empty)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN delivered@DEDUI empty_in@DEDUI] empty_returned"},
		{"nobody reports a ship, and it is delivered and comes back empty", []LoggedFact{
			pod, tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)), tell(freight.GateOut, "CNSHA", 6, load(freight.Empty)),
			tell(freight.Delivery, "DEDUI", 44, load(freight.Laden)), tell(freight.GateIn, "DEDUI", 46, load(freight.Empty)),
		}, "[empty_out@CNSHA delivered@DEDUI empty_in@DEDUI] empty_returned"},
		{"it leaves another ramp than the one that the last reported train brought it to", []LoggedFact{
			pod, loaded("CNSHA", 10, first), discharged("NLRTM", 41, first), tell(freight.Loading, "NLRTM", 42, by(freight.ByRail)), tell(freight.Arrival, "DEDUI", 44, by(freight.ByRail)),
			tell(freight.GateOut, "CHBSL", 47, load(freight.Laden), facility("RAMP", "")), tell(freight.Delivery, "CHBSL", 47, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_discharged@NLRTM rail_loaded@NLRTM rail_arrived@DEDUI full_out@CHBSL delivered@CHBSL] delivered"},
		{"another ship came to its POL later, and both to where it is loaded on a third", []LoggedFact{
			pod, fullIn, sailed("CNSHA", 11, first), reached("SGSIN", 16, first), reached("CNSHA", 17, second), reached("SGSIN", 22, second), loaded("SGSIN", 25, third), tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)),
		}, "[full_in@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"its ship comes to the next port days after it was due where it was to come off, which nobody reported", []LoggedFact{
			pod, plan(freight.Arrival, "NLRTM", 40, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("DEHAM", 43, first), sailed("DEHAM", 44, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA] on_ship"},
		{"its ship leaves another port days after it was due where it was to change ships, and comes there a week later", []LoggedFact{
			pod, tell(freight.Route, "SGSIN", 0, about(), in(freight.RoleTS)), plan(freight.Arrival, "SGSIN", 16, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first),
			sailed("CNNKG", 20, first), reached("SGSIN", 23, first), loaded("SGSIN", 24, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"its ship comes to a port before it is due where it is to come off", []LoggedFact{
			pod, plan(freight.Arrival, "NLRTM", 44, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("DEHAM", 43, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@DEHAM] on_ship"},
		{"it is returned empty to the port to which its ship went after the one that it was bound for", []LoggedFact{
			pod, plan(freight.Arrival, "BEANR", 41, 38, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("BEANR", 41, first), sailed("BEANR", 42, first), reached("DEHAM", 43, first),
			tell(freight.GateIn, "DEHAM", 46, load(freight.Empty)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@BEANR empty_in@DEHAM] empty_returned"},
		{"the ship that it comes off leaves the hub hours after its own came there, and again a week later", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), tell(freight.Departure, "SGSIN", 16, sea, about(), second, anHourLater), reached("CNNKG", 19, second),
			sailed("SGSIN", 23, second), discharged("NLRTM", 40, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_departed@SGSIN vessel_discharged@NLRTM] grounded"},
		{"its ship left the last port that is reported, and it is next loaded at one where it is not", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, first), loaded("LKCMB", 25, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_departed@SGSIN transshipment_loaded@LKCMB] on_ship"},
		{"another ship lay where it was loaded on one that nobody names than the one that comes to the next port", []LoggedFact{
			fullIn, reached("CNSHA", 9, first), tell(freight.Loading, "CNSHA", 10, sea), reached("SGSIN", 12, second), discharged("NLRTM", 40, first),
		}, "[full_in@CNSHA vessel_loaded@CNSHA vessel_discharged@NLRTM] grounded"},
		{"the shipment was planned onto another ship than the one of its own plan, and both come to where it leaves", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), plan(freight.Loading, "SGSIN", 20, 1, second),
			tell(freight.Departure, "SGSIN", 19, sea, class(freight.Planned), about(), third, recorded(9)), sailed("SGSIN", 19, third), sailed("SGSIN", 20, second), reached("CNNKG", 23, third), reached("NLRTM", 38, third), reached("NLRTM", 40, second),
			tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_departed@SGSIN vessel_arrived@NLRTM full_out@NLRTM] picked_up"},
		{"neither its load nor the first report of its discharge names the ship, and another was planned", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), tell(freight.Departure, "SGSIN", 20, sea, class(freight.Planned), about(), third, recorded(1)), reached("SGSIN", 19, second),
			tell(freight.Loading, "SGSIN", 20, sea), reached("NLRTM", 40, second), tell(freight.Discharge, "NLRTM", 41, sea, source("terminal")), tell(freight.Discharge, "NLRTM", 41, sea, second, anHourLater),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"its own plan has it come off at another port than the one that was stated before", []LoggedFact{
			pod, plan(freight.Discharge, "NLRTM", 41, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(freight.Discharge, "DEHAM", 43, 38, first), reached("DEHAM", 43, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@DEHAM] on_ship"},
		{"its ship called where it was picked up empty, and is next reported to leave another port", []LoggedFact{
			pod, tell(freight.GateOut, "CNSHA", 6, load(freight.Empty)), reached("CNSHA", 10, first), sailed("SGSIN", 17, first), discharged("NLRTM", 40, first),
		}, "[empty_out@CNSHA transshipment_departed@SGSIN vessel_discharged@NLRTM] grounded"},
		{"it is returned empty where it was to come off, and its ship came later to the port where it was to before", []LoggedFact{
			pod, plan(freight.Arrival, "NLRTM", 38, 1, first), plan(freight.Arrival, "BEANR", 41, 37, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("BEANR", 41, first), sailed("BEANR", 42, first), reached("NLRTM", 44, first),
			tell(freight.GateIn, "BEANR", 46, load(freight.Empty)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@BEANR empty_in@BEANR] empty_returned"},
		{"the shipment was planned onto another ship, both left, and both came to where one of two containers is loaded next", []LoggedFact{
			fullIn, tell(freight.GateIn, "CNSHA", 7, load(freight.Laden), about(box2)), tell(freight.Departure, "CNSHA", 10, sea, class(freight.Planned), about(), first, recorded(1)),
			tell(freight.Departure, "CNSHA", 13, sea, class(freight.Planned), about(), second, recorded(9)), sailed("CNSHA", 11, first), sailed("CNSHA", 13, second), reached("SGSIN", 16, first), reached("SGSIN", 18, second), loaded("SGSIN", 20, third), tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)),
		}, "[full_in@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"its ship leaves another port too late to have been where it is loaded next", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), sailed("CNNKG", 18, first), reached("LKCMB", 20, first), loaded("SGSIN", 21, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"it stands in a terminal where no ship is reported, and comes off one that left another port", []LoggedFact{
			tell(freight.GateIn, "CNSHA", 5, load(freight.Laden), facility("POTE", "")), reached("CNNKG", 7, first), sailed("CNNKG", 8, first), reached("NLRTM", 40, first), discharged("NLRTM", 41, first),
		}, "[full_in@CNSHA vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"nothing is reported of it before it comes off a ship that left two ports, and another report names no ship", []LoggedFact{
			sailed("CNNKG", 8, first), reached("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), tell(freight.Discharge, "NLRTM", 41, sea, source("terminal")), tell(freight.Discharge, "NLRTM", 41, sea, first, anHourLater),
		}, "[vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"the ship of the rest of its voyage was replaced, and the one that was planned before comes to another port", []LoggedFact{
			pod, plan(freight.Departure, "SGSIN", 20, 1, second), plan(freight.Arrival, "NLRTM", 40, 1, second), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first),
			plan(freight.Arrival, "NLRTM", 45, 18, third), sailed("SGSIN", 20, second), reached("CNNKG", 23, second), tell(freight.Departure, "NLRTM", 41, sea, about(), second), tell(freight.GateOut, "NLRTM", 49, load(freight.Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN full_out@NLRTM] picked_up"},
		{"two ships came from where it was put ashore to where it is loaded next, and only the earlier was planned", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), tell(freight.Departure, "SGSIN", 20, sea, class(freight.Planned), about(), second, recorded(1)),
			sailed("SGSIN", 20, second), sailed("SGSIN", 24, third), reached("DEHAM", 33, second), reached("DEHAM", 36, third), sailed("DEHAM", 37, third), loaded("DEHAM", 40, fourth),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@DEHAM] on_ship"},
		{"the ship of its own plan came too, and is reported only beyond where it is loaded next", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), plan(freight.Loading, "SGSIN", 20, 1, second), tell(freight.Arrival, "DEHAM", 33, sea, class(freight.Planned), about(), second, recorded(1)),
			sailed("SGSIN", 20, second), sailed("SGSIN", 24, third), reached("GBFXT", 35, second), reached("DEHAM", 39, third), loaded("DEHAM", 40, fourth),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@DEHAM] on_ship"},
		{"two ships lay where one of two containers was loaded on one that nobody names", []LoggedFact{
			loaded("CNSHA", 10, first), discharged("SGSIN", 16, first), tell(freight.Loading, "SGSIN", 20, sea), tell(freight.Described, "", 0, about(box2)),
			tell(freight.Departure, "SGSIN", 21, sea, class(freight.Planned), about(), second, recorded(1)), sailed("SGSIN", 21, second), reached("CNNKG", 23, second),
			tell(freight.Departure, "SGSIN", 22, sea, class(freight.Planned), about(), third, recorded(9)), sailed("SGSIN", 22, third),
		}, "[vessel_loaded@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"the load names no ship, and it comes off another than its own plan has there", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), plan(freight.Loading, "SGSIN", 20, 1, second), tell(freight.Loading, "SGSIN", 20, sea),
			reached("CNNKG", 24, third), sailed("CNNKG", 25, third), reached("NLRTM", 40, third), discharged("NLRTM", 41, third),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"two ships are planned to take two containers on, and one of them has sailed", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), tell(freight.Described, "", 0, about(box2)),
			tell(freight.Departure, "SGSIN", 24, sea, class(freight.Planned), about(), second, recorded(1)), tell(freight.Departure, "SGSIN", 20, sea, class(freight.Planned), about(), third, recorded(9)), sailed("SGSIN", 20, third),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN] on_ship"},
		{"nothing but what ships do is reported, and a second ship calls where the first has been", []LoggedFact{
			tell(freight.Described, "", 0), tell(freight.Departure, "CNSHA", 11, sea, class(freight.Planned), about(), first, recorded(1)), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, first), reached("CNNKG", 19, first),
			reached("SGSIN", 20, second), tell(freight.Arrival, "NLRTM", 40, sea, class(freight.Planned), about(), second, recorded(1)),
		}, "[vessel_departed@CNSHA transshipment_arrived@SGSIN] on_ship"},
		{"its sibling was loaded on the first ship, and the second comes to take it on", []LoggedFact{
			tell(freight.Described, "", 0), loadedAs(box2, "CNSHA", 10, first), plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Discharge, "SGSIN", 16, 1, first), tell(freight.Loading, "SGSIN", 20, class(freight.Planned), by(freight.ByFeeder), second, recorded(1)), sailed("CNSHA", 11, first), reached("SGSIN", 16, first),
			tell(freight.Arrival, "SGSIN", 19, by(freight.ByFeeder), about(), second),
		}, "[] new"},
		{"another ship left and called where it is loaded first, and nothing is reported of it before", []LoggedFact{
			sailed("CNNKG", 5, first), reached("CNSHA", 7, first), sailed("CNSHA", 8, first), loaded("CNSHA", 14, second), sailed("CNSHA", 15, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA] on_ship"},
		{"nothing is reported of it before it leaves a port by land, where its ship came from two others", []LoggedFact{
			sailed("CNNKG", 8, first), reached("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)),
		}, "[vessel_arrived@NLRTM full_out@NLRTM] picked_up"},
		{"its newer plan has another ship than the one that came to where it is loaded next", []LoggedFact{
			tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)), fullIn, plan(freight.Loading, "CNSHA", 10, 1, first), plan(freight.Loading, "CNSHA", 17, 9, second), plan(freight.Arrival, "SGSIN", 22, 9, second),
			sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, first), reached("VNSGN", 19, second), tell(freight.Loading, "SGSIN", 25, sea),
		}, "[full_in@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"another ship left its port later, and may have come unreported to where it leaves by land", []LoggedFact{
			tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)), fullIn, sailed("CNSHA", 11, first), reached("NLRTM", 38, first), sailed("CNSHA", 17, second), reached("DEHAM", 50, second), tell(freight.GateOut, "NLRTM", 47, load(freight.Laden)),
		}, "[full_in@CNSHA full_out@NLRTM] picked_up"},
		{"facts call a ship by its number and by its name, where a load names none", []LoggedFact{
			fullIn, reached("CNSHA", 9, on("", "Queen Maud")), tell(freight.Loading, "CNSHA", 10, sea), sailed("CNSHA", 11, on("9000003", "")),
		}, "[full_in@CNSHA vessel_loaded@CNSHA vessel_departed@CNSHA] on_ship"},
		{"its ship left another port before the one where it is first loaded, and the load names no ship", []LoggedFact{
			sailed("CNNKG", 7, first), reached("CNSHA", 9, first), tell(freight.Loading, "CNSHA", 10, sea), sailed("CNSHA", 11, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA] on_ship"},
		{"a load names no ship, and only the one that brought it may lie there, too", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), tell(freight.Loading, "SGSIN", 20, sea), reached("SGSIN", 19, second), sailed("SGSIN", 21, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN transshipment_departed@SGSIN] on_ship"},
		{"its ship goes on from the hub to where it is loaded next, and another was to bring it there", []LoggedFact{
			tell(freight.Route, "SGSIN", 0, about(), in(freight.RoleTS)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, first), reached("CNNKG", 20, first),
			plan(freight.Loading, "SGSIN", 22, 1, second), plan(freight.Discharge, "CNNKG", 25, 1, second), loaded("CNNKG", 28, third),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_loaded@CNNKG] on_ship"},
		{"its ship was to put it ashore where a barge takes it, then at a port before", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(freight.Discharge, "NLRTM", 38, 1, first), plan(freight.Discharge, "ESALG", 40, 30, first), plan(freight.Loading, "ESALG", 44, 30, second), plan(freight.Discharge, "NLRTM", 47, 30, second),
			reached("ESALG", 40, first), tell(freight.Departure, "NLRTM", 48, by(freight.ByBarge)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@ESALG feeder_departed@NLRTM] on_ship"},
		{"it was carried past the port where it comes off a ship that nobody names", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), sailed("NLRTM", 41, first), reached("DEHAM", 43, first), sailed("DEHAM", 44, first), reached("NLRTM", 48, second),
			tell(freight.Discharge, "NLRTM", 49, sea),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM transshipment_departed@DEHAM vessel_discharged@NLRTM] grounded"},
		{"it is next loaded where its ship came after the time at which it was due at the POD", []LoggedFact{
			pod, plan(freight.Arrival, "NLRTM", 40, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("DEHAM", 43, first), loaded("DEHAM", 47, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@DEHAM transshipment_loaded@DEHAM] on_ship"},
		{"another ship brings it to the POD after its own came past it", []LoggedFact{
			pod, plan(freight.Arrival, "NLRTM", 40, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("DEHAM", 43, first), discharged("NLRTM", 50, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@DEHAM vessel_discharged@NLRTM] grounded"},
		{"another ship is to bring it back, by a plan made between the arrival at the POD, which nobody reports, and the departure", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(freight.Arrival, "NLRTM", 40, 1, first), plan(freight.Arrival, "NLRTM", 49, 41, second),
			tell(freight.Departure, "NLRTM", 41, sea, about(), first, anHourLater), reached("DEHAM", 43, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@DEHAM] on_ship"},
		{"another ship is to bring a sibling back, by a plan that names it", []LoggedFact{
			pod, loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(freight.Arrival, "NLRTM", 40, 1, first), tell(freight.Arrival, "NLRTM", 49, sea, class(freight.Planned), about(), second, recorded(41)),
			tell(freight.Discharge, "NLRTM", 49, sea, class(freight.Planned), about(box2), second, recorded(41)), reached("NLRTM", 40, first), sailed("NLRTM", 41, first), reached("DEHAM", 43, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM] on_ship"},
		{"nothing is reported of it, and its sibling is brought to the port after the ship has left", []LoggedFact{
			tell(freight.Described, "", 0), sailed("CNSHA", 11, first), tell(freight.GateIn, "CNSHA", 13, load(freight.Laden), about(box2)),
		}, "[] new"},
		{"nothing is reported of it, and its sibling stands at another port than the ship", []LoggedFact{
			tell(freight.Described, "", 0), sailed("CNNKG", 11, first), tell(freight.GateIn, "CNSHA", 8, load(freight.Laden), about(box2)),
		}, "[] new"},
		{"a train brings it inland from a port that nobody states", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), tell(freight.Berth, "NLRTM", 40, sea, about(), first), discharged("NLRTM", 41, first), tell(freight.Arrival, "DEDUI", 44, by(freight.ByRail)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM vessel_berthed@NLRTM vessel_discharged@NLRTM rail_arrived@DEDUI arrived_at_destination@DEDUI] grounded"},
	}
	for _, row := range rows {
		j := deriveTest(row.facts)
		check(t, row.name, fmt.Sprint(told(t, j, box1), " ", containerOf(t, j, box1).Status), row.want)
	}
}

// TestProofByTheNextMove: what a later move shows about where the container is.
func TestProofByTheNextMove(t *testing.T) {
	sea := by(freight.ByVessel)
	laden := load(freight.Laden)
	pod := tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD))
	voyage := []LoggedFact{
		pod, tell(freight.Loading, "CNSHA", 10, sea, first), tell(freight.Departure, "CNSHA", 11, sea, about(), first),
		tell(freight.Arrival, "NLRTM", 40, sea, about(), first), tell(freight.Departure, "NLRTM", 41, sea, about(), first),
	}
	rows := []struct {
		name  string
		facts []LoggedFact
		want  freight.ContainerStatus
	}{
		{"its ship has sailed on", nil, freight.StatusOnShip},
		{"it was moved to another terminal", []LoggedFact{
			tell(freight.GateOut, "NLRTM", 42, laden, facility("POTE", "RWG")), tell(freight.GateIn, "NLRTM", 42, laden, facility("POTE", "ECTDL")),
		}, freight.StatusGrounded},
		{"it stands at a ramp", []LoggedFact{tell(freight.Arrival, "DEDUI", 44, by(freight.ByRail)), tell(freight.Discharge, "DEDUI", 44, by(freight.ByRail))}, freight.StatusGrounded},
		{"a train took it on from there", []LoggedFact{
			tell(freight.Arrival, "DEDUI", 44, by(freight.ByRail)), tell(freight.Discharge, "DEDUI", 44, by(freight.ByRail)), tell(freight.Departure, "DEDUI", 46, by(freight.ByRail)),
		}, freight.StatusOnRail},
	}
	for _, row := range rows {
		j := deriveTest(append(voyage[:len(voyage):len(voyage)], row.facts...))
		check(t, row.name, containerOf(t, j, box1).Status, row.want)
	}
}

// TestVesselOfACancelledBooking: the last planned vessel is still shown, as are its times.
func TestVesselOfACancelledBooking(t *testing.T) {
	sea := by(freight.ByVessel)
	j := deriveTest([]LoggedFact{
		tell(freight.Departure, "CNSHA", 11, sea, class(freight.Planned), about(), first), tell(freight.Arrival, "NLRTM", 40, sea, class(freight.Planned), about(), first),
		tell(freight.Cancelled, "", 5, about()), tell(freight.Departure, "CNSHA", 11, sea, about(), first),
	})
	check(t, "vessel", j.PODVessel.Name, "King")
}

// TestCallsOfOthers: moves of ships that do not concern the container. Each was once taken
// for one of its own.
func TestCallsOfOthers(t *testing.T) {
	sea := by(freight.ByVessel)
	loaded := func(place string, day int, changes ...change) LoggedFact {
		return tell(freight.Loading, place, day, append([]change{sea}, changes...)...)
	}
	ofShip := func(w freight.Activity, place string, day int, ship change) LoggedFact {
		return tell(w, place, day, sea, about(), ship)
	}
	pod := tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD))
	start := []LoggedFact{loaded("CNSHA", 10, first), ofShip(freight.Departure, "CNSHA", 11, first)}
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string // the milestones after the departure from CNSHA, and the status
	}{
		{"its ship was elsewhere when it was loaded on the next", []LoggedFact{
			pod, ofShip(freight.Arrival, "CNNKG", 20, first), ofShip(freight.Departure, "CNNKG", 21, first), loaded("SGSIN", 21, second), ofShip(freight.Departure, "SGSIN", 22, second),
		}, "[transshipment_loaded@SGSIN transshipment_departed@SGSIN] on_ship"},
		{"it went on from where it was discharged, and its siblings did not", []LoggedFact{
			tell(freight.Discharge, "SGSIN", 20, sea, first, about(box1, box2)), loaded("SGSIN", 22, second),
		}, "[transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"a berthing where it may only change ships", []LoggedFact{
			ofShip(freight.Arrival, "SGSIN", 20, first), ofShip(freight.Berth, "SGSIN", 20, first),
		}, "[vessel_arrived@SGSIN] on_ship"},
	}
	for _, row := range rows {
		j := deriveTest(append(start[:2:2], row.facts...))
		list := told(t, j, box1)
		check(t, row.name, fmt.Sprint(list[min(2, len(list)):], " ", containerOf(t, j, box1).Status), row.want)
	}
}

// TestInlandTimesWithoutAShip: a train from the POD takes a container inland although nobody
// reported the ship that brought it there, and one that is picked up where its sibling went
// inland was not picked up at the port. The first had no inland times, the second that of
// the port.
func TestInlandTimesWithoutAShip(t *testing.T) {
	pol, pod := tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)), tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD))
	out := tell(freight.GateOut, "DEDUI", 46, load(freight.Laden))
	sibling := []LoggedFact{pol, pod, tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel), first, about(box2)), tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), about(), first)}
	sibling = sibling[:len(sibling):len(sibling)]
	railed := append(sibling, tell(freight.Departure, "NLRTM", 42, by(freight.ByRail)), tell(freight.Arrival, "DEDUI", 44, by(freight.ByRail)), out)
	c := containerOf(t, deriveTest(railed), box1)
	check(t, "railed", dayOfJourney(c.INDATA)+" "+dayOfJourney(c.DestFullOutAt), "44 46")
	c = containerOf(t, deriveTest(append(sibling, tell(freight.Discharge, "DEDUI", 44, by(freight.ByRail), about(box2)), out)), box1)
	check(t, "picked up inland", dayOfJourney(c.PODFullOutAt), "-")
}

// TestShipsOfNoContainer: the moves of a ship are those of a shipment that has named no
// container yet, and not of one whose only container was taken back. They were.
func TestShipsOfNoContainer(t *testing.T) {
	sailed := tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), about(), first)
	reached := tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), about(), first)
	pol, pod := tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)), tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD))
	for _, row := range []struct {
		name  string
		facts []LoggedFact
		want  string // the departure, the arrival
	}{
		{"none is named yet", nil, "11 40"},
		{"it was taken back", []LoggedFact{tell(freight.Described, "", 1, id("named")), retract("named", 2)}, "- -"},
		{"it was another shipment's", []LoggedFact{tell(freight.Described, "", 1, id("named")), tell(freight.Described, "", 2, id("named"), about())}, "- -"},
		{"another is named", []LoggedFact{tell(freight.Described, "", 1, id("named")), retract("named", 2), tell(freight.Described, "", 3, about(box2))}, "11 40"},
	} {
		j := deriveTest(append(row.facts, pol, pod, sailed, reached))
		check(t, row.name, dayOfJourney(j.POLATD)+" "+dayOfJourney(j.PODATA), row.want)
		check(t, row.name+": POD", j.POD.LOCODE, "NLRTM")
	}
}

// TestVesselOfTheLatestPlan: the ship that was planned last brings the shipment, with or
// without an estimate for it. The estimate for the former ship used to count.
func TestVesselOfTheLatestPlan(t *testing.T) {
	arrival := func(known freight.Classifier, rec int, ship change) LoggedFact {
		return tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), about(), class(known), recorded(rec), ship)
	}
	j := deriveTest([]LoggedFact{arrival(freight.Planned, 1, first), arrival(freight.Estimated, 3, first), arrival(freight.Planned, 5, second)})
	check(t, "vessel", j.PODVessel.Name, "Lucid")
}

// TestVesselOfAnUnknownVoyage: a discharge with a voyage number that no fact has with a
// ship does not hide the ship that took the container. It used to.
func TestVesselOfAnUnknownVoyage(t *testing.T) {
	sea := by(freight.ByVessel)
	voyage := func(f *LoggedFact) { f.Voyage = "158E" }
	j := deriveTest([]LoggedFact{
		tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), tell(freight.Loading, "CNSHA", 10, sea, first), tell(freight.Discharge, "NLRTM", 41, sea, voyage),
	})
	check(t, "vessel", j.PODVessel.Name, "King")
	j = deriveTest([]LoggedFact{tell(freight.Loading, "CNSHA", 10, sea), tell(freight.Discharge, "NLRTM", 41, sea, voyage)})
	check(t, "voyage", j.PODVoyage, "158E")
	j = deriveTest([]LoggedFact{
		tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), tell(freight.Loading, "CNSHA", 10, sea, voyage), tell(freight.Discharge, "NLRTM", 41, sea),
		tell(freight.Arrival, "NLRTM", 40, sea, about(), class(freight.Estimated), first),
	})
	check(t, "expected vessel", j.PODVessel.Name, "King")
}

// TestPortOfLadingOfTheLatestPlan: a replaced plan of a ship from SGSIN does not make SGSIN
// the POL. Its estimate used to.
func TestPortOfLadingOfTheLatestPlan(t *testing.T) {
	leaves := func(place string, day, rec int, known freight.Classifier, ship change) LoggedFact {
		return tell(freight.Departure, place, day, by(freight.ByVessel), about(), class(known), recorded(rec), ship)
	}
	j := deriveTest([]LoggedFact{
		tell(freight.GateIn, "CNSHA", 8, load(freight.Laden)), leaves("CNSHA", 10, 1, freight.Planned, first), leaves("SGSIN", 16, 3, freight.Estimated, second),
		leaves("CNSHA", 17, 5, freight.Planned, on("9000001", "Third")), leaves("SGSIN", 22, 5, freight.Planned, on("9000002", "Fourth")),
	})
	check(t, "POL", j.POL.LOCODE, "CNSHA")
}

// TestShipThatPassesThePOD: a ship that calls at the POD and carries the container on to a
// transshipment does not bring it to its POD. Its call used to give the time of arrival.
func TestShipThatPassesThePOD(t *testing.T) {
	sea := by(freight.ByVessel)
	ofShip := func(w freight.Activity, place string, day int, ship change) LoggedFact {
		return tell(w, place, day, sea, about(), ship)
	}
	j := deriveTest([]LoggedFact{
		tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), tell(freight.Loading, "CNSHA", 10, sea, first), ofShip(freight.Arrival, "NLRTM", 40, first), ofShip(freight.Departure, "NLRTM", 41, first),
		tell(freight.Discharge, "DEHAM", 43, sea, first), tell(freight.Loading, "DEHAM", 46, sea, second), ofShip(freight.Departure, "DEHAM", 47, second),
	})
	check(t, "arrival", dayOfJourney(j.PODATA)+" "+dayOfJourney(containerOf(t, j, box1).PODArrivedAt), "- -")
	check(t, "vessel", j.PODVessel.Name, "Lucid")
}

// TestShipThatMayHaveLeftWithoutIt: a ship is still expected while no report shows that the
// container is aboard or was left behind.
func TestShipThatMayHaveLeftWithoutIt(t *testing.T) {
	sea := by(freight.ByVessel)
	j := deriveTest([]LoggedFact{
		tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), tell(freight.GateIn, "CNSHA", 8, load(freight.Laden)),
		tell(freight.Departure, "CNSHA", 11, sea, about(), first), tell(freight.Arrival, "NLRTM", 40, sea, about(), first, class(freight.Estimated)),
	})
	check(t, "vessel", j.PODVessel.Name, "King")
	check(t, "status", containerOf(t, j, box1).Status, freight.StatusNew)
}

// TestPlansWithoutAPlace: of two loads without a place, the later planned does not replace
// the other. It used to, when all missing places were one.
func TestPlansWithoutAPlace(t *testing.T) {
	sea := by(freight.ByVessel)
	plan := func(rec int, ship change) LoggedFact {
		return tell(freight.Loading, "", 10, sea, class(freight.Planned), recorded(rec), ship)
	}
	j := deriveTest([]LoggedFact{
		tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), plan(1, first), plan(2, second), tell(freight.Arrival, "NLRTM", 40, sea, about(), class(freight.Estimated), first),
	})
	check(t, "vessel", j.PODVessel.Name, "King")
}

// TestPortsOfTransshipment: a port that is stated as one of transshipment, or where the container
// is planned to change ships, is on its route unless known ships carried it to its POD without a
// gap. A stated one used to disappear when the container had reached its POD, a planned one when
// any ship had called there.
func TestPortsOfTransshipment(t *testing.T) {
	sea := by(freight.ByVessel)
	route := func(facts ...LoggedFact) string {
		stated := []LoggedFact{
			tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)), tell(freight.Route, "SGSIN", 0, about(), in(freight.RoleTS)), tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)),
			tell(freight.Loading, "CNSHA", 10, sea, first), tell(freight.Departure, "CNSHA", 11, sea, about(), first),
		}
		var list []*LoggedFact
		for _, f := range append(stated, facts...) {
			list = append(list, &f)
		}
		d := newDerivation(list, refPlaces{})
		d.resolveFacts(nil)
		var ports []string
		for _, c := range d.calls(box1) {
			ports = append(ports, c.Place.LOCODE)
		}
		return fmt.Sprint(ports)
	}
	check(t, "at sea", route(), "[CNSHA SGSIN NLRTM]")
	check(t, "at its POD", route(tell(freight.Arrival, "NLRTM", 40, sea, about(), first)), "[CNSHA NLRTM]")
	check(t, "put ashore at its POD by another ship", route(tell(freight.Discharge, "NLRTM", 40, sea, second)), "[CNSHA SGSIN NLRTM]")
	planned := func(w freight.Activity, place string, day int, ship change) LoggedFact {
		return tell(w, place, day, sea, class(freight.Planned), recorded(1), ship)
	}
	check(t, "planned to change ships at a port where ships have called", route(
		planned(freight.Discharge, "LKCMB", 20, first), planned(freight.Loading, "LKCMB", 24, second), tell(freight.Departure, "LKCMB", 9, sea, about(), second),
	), "[CNSHA SGSIN LKCMB NLRTM]")
}

package tracking

import (
	"fmt"
	"testing"
	"time"
)

// TestWithoutALoad: which ships a container is taken to have been aboard whose loads and
// discharges nobody reported. All rows but those of the other side of a rule had another
// answer before the rule that they name.
func TestWithoutALoad(t *testing.T) {
	sea := by(ByVessel)
	loaded := func(place string, day int, ship change) LoggedFact { return tell(Loading, place, day, sea, ship) }
	discharged := func(place string, day int, ship change) LoggedFact { return tell(Discharge, place, day, sea, ship) }
	sailed := func(place string, day int, ship change) LoggedFact {
		return tell(Departure, place, day, sea, about(), ship)
	}
	reached := func(place string, day int, ship change) LoggedFact {
		return tell(Arrival, place, day, sea, about(), ship)
	}
	plan := func(w Activity, place string, day, rec int, ship change) LoggedFact {
		return tell(w, place, day, sea, class(Planned), ship, recorded(rec))
	}
	onDay := func(f *LoggedFact) {
		f.At = Moment{Time: f.At.Time.Truncate(24 * time.Hour), Day: true, Floating: true}
	}
	pod, third := tell(Route, "NLRTM", 0, about(), in(RolePOD)), on("9000001", "Third")
	fourth := func(f *LoggedFact) {
		f.Vessel, f.ID = VesselRef{IMO: "9000002", Name: "Fourth"}, "arrival of the fourth"
	}
	anHourEarlier := func(f *LoggedFact) {
		f.Vessel, f.At.Time = VesselRef{IMO: "9000001", Name: "Third"}, f.At.Time.Add(-time.Hour)
	}
	fullIn := tell(GateIn, "CNSHA", 8, load(Laden))
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string
	}{
		{"no ship was planned for a container that is heard of", []LoggedFact{
			fullIn, sailed("CNSHA", 11, first),
		}, "[full_in@CNSHA] new"},
		{"the ship was planned", []LoggedFact{
			fullIn, plan(Loading, "CNSHA", 10, 1, first), sailed("CNSHA", 11, first),
		}, "[full_in@CNSHA vessel_departed@CNSHA] on_ship"},
		{"the ship was planned, and the container is out empty", []LoggedFact{
			tell(GateOut, "CNSHA", 6, load(Empty)), plan(Loading, "CNSHA", 10, 1, first), sailed("CNSHA", 11, first),
		}, "[empty_out@CNSHA] new"},
		{"another ship is planned for its siblings", []LoggedFact{
			fullIn, plan(Loading, "CNSHA", 10, 1, first), tell(Departure, "CNSHA", 17, sea, class(Planned), about(), second, recorded(12)),
			sailed("CNSHA", 17, second),
		}, "[full_in@CNSHA] new"},
		{"the ship came for it later", []LoggedFact{
			tell(GateOut, "CNSHA", 6, load(Empty)), sailed("CNNKG", 7, first), reached("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("NLRTM", 41, first),
		}, "[empty_out@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM] grounded"},
		{"the ship had left where it came off one that nobody names", []LoggedFact{
			fullIn, plan(Loading, "CNSHA", 10, 1, first), plan(Loading, "CNSHA", 17, 9, second), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), reached("CNNKG", 19, first),
			tell(Discharge, "SGSIN", 24, sea),
		}, "[full_in@CNSHA vessel_discharged@SGSIN] grounded"},
		{"it was to be put ashore before", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(Discharge, "SGSIN", 16, 1, first), reached("CNNKG", 18, first), loaded("SGSIN", 25, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"the ship calls where it is next loaded, and another that it was planned for later", []LoggedFact{
			fullIn, plan(Loading, "CNSHA", 10, 1, first), plan(Loading, "CNSHA", 17, 9, second), sailed("CNSHA", 11, first), reached("SGSIN", 16, first),
			sailed("SGSIN", 17, first), reached("SGSIN", 22, second), loaded("SGSIN", 25, on("9000001", "Third")), tell(Route, "CNSHA", 0, about(), in(RolePOL)),
		}, "[full_in@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"two report where it came off, and one does not know the ship", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), reached("NLRTM", 40, second),
			tell(Discharge, "NLRTM", 41, sea), discharged("NLRTM", 41, second), tell(GateOut, "NLRTM", 43, load(Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_arrived@NLRTM vessel_discharged@NLRTM full_out@NLRTM] picked_up"},
		{"it leaves another port than the one where it came off", []LoggedFact{
			plan(Discharge, "NLRTM", 41, 1, second), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first),
			tell(GateOut, "NLRTM", 43, load(Laden)), tell(GateIn, "NLRTM", 47, load(Empty)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN full_out@NLRTM empty_in@NLRTM] empty_returned"},
		{"a ship comes to where it was to change ships, and on to where it is put on a train", []LoggedFact{
			tell(Route, "SGSIN", 0, about(), in(RoleTS)), tell(GateOut, "CNSHA", 6, load(Empty)),
			reached("SGSIN", 20, second), reached("NLRTM", 40, second), tell(Loading, "NLRTM", 42, by(ByRail)),
		}, "[empty_out@CNSHA vessel_arrived@NLRTM rail_loaded@NLRTM] on_rail"},
		{"a barge that nobody names takes it on", []LoggedFact{
			tell(Route, "NLRTM", 0, about(), in(RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first),
			tell(Departure, "NLRTM", 42, by(ByBarge)), tell(Discharge, "DEDUI", 43, by(ByBarge)), tell(GateOut, "DEDUI", 44, load(Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM feeder_departed@NLRTM feeder_discharged@DEDUI full_out@DEDUI] picked_up"},
		{"it leaves the stated port of discharge, and its ship is reported at the next one only", []LoggedFact{
			tell(Route, "NLRTM", 0, about(), in(RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first),
			tell(GateOut, "NLRTM", 42, load(Laden)), reached("DEHAM", 44, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA full_out@NLRTM] picked_up"},
		{"nothing but what ships do is reported", []LoggedFact{
			tell(Described, "", 0), sailed("CNSHA", 11, first),
		}, "[vessel_departed@CNSHA] on_ship"},
		{"it comes off a second ship that met the first", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 18, second),
			reached("NLRTM", 40, second), discharged("NLRTM", 41, second), tell(GateOut, "NLRTM", 43, load(Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_departed@SGSIN vessel_arrived@NLRTM vessel_discharged@NLRTM full_out@NLRTM] picked_up"},
		{"nobody knows where it met the second ship", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first),
			reached("NLRTM", 40, second), discharged("NLRTM", 41, second), tell(GateOut, "NLRTM", 43, load(Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN vessel_arrived@NLRTM vessel_discharged@NLRTM full_out@NLRTM] picked_up"},
		{"overcarried: the ship is to put it ashore at the next port", []LoggedFact{
			tell(Route, "NLRTM", 0, about(), in(RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first),
			plan(Discharge, "NLRTM", 40, 1, first), plan(Discharge, "DEHAM", 43, 42, first), sailed("NLRTM", 42, first), reached("DEHAM", 43, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM] on_ship"},
		{"its ship comes back to where it came off", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("NLRTM", 40, first), reached("NLRTM", 46, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM] grounded"},
		{"the ship that was planned comes only later to where it came off", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), plan(Loading, "SGSIN", 18, 1, second), sailed("SGSIN", 20, second),
			tell(Discharge, "NLRTM", 41, sea), reached("NLRTM", 50, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_discharged@NLRTM] grounded"},
		{"shut out of a ship that the load does not name", []LoggedFact{
			fullIn, tell(Loading, "CNSHA", 10, sea), discharged("CNSHA", 11, first),
		}, "[full_in@CNSHA] new"},
		{"a ship came only after the load that names none", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), tell(Loading, "SGSIN", 20, sea),
			reached("SGSIN", 26, second), sailed("SGSIN", 27, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"a ship was to come only after the load that names none", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), tell(Loading, "SGSIN", 20, sea),
			tell(Departure, "SGSIN", 27, sea, class(Planned), about(), second), reached("CNNKG", 22, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"another ship was planned for the load that names none", []LoggedFact{
			fullIn, plan(Loading, "CNSHA", 10, 1, first), tell(Departure, "CNSHA", 10, sea, about(), second, onDay), tell(Loading, "CNSHA", 10, sea),
		}, "[full_in@CNSHA vessel_loaded@CNSHA] on_ship"},
		{"the ship comes to take it, and nobody names the one that it comes off", []LoggedFact{
			plan(Loading, "CNSHA", 10, 1, first), plan(Loading, "SGSIN", 20, 1, second), reached("SGSIN", 19, second),
			reached("NLRTM", 40, second), tell(Discharge, "NLRTM", 41, sea),
		}, "[vessel_discharged@NLRTM] grounded"},
		{"the ship was to call for it later", []LoggedFact{
			plan(Loading, "CNSHA", 20, 1, first), sailed("CNSHA", 9, first), reached("CNNKG", 12, first), discharged("NLRTM", 45, first),
		}, "[vessel_discharged@NLRTM] grounded"},
		{"the ship that was planned had left where it came off", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(Loading, "SGSIN", 15, 1, second), sailed("SGSIN", 15, second), discharged("SGSIN", 16, first),
			reached("CNNKG", 20, second), tell(Discharge, "NLRTM", 41, sea), reached("NLRTM", 40, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_discharged@NLRTM] grounded"},
		{"another ship was planned for it, and nobody names the one that it comes off", []LoggedFact{
			fullIn, plan(Loading, "CNSHA", 10, 1, first), plan(Loading, "CNSHA", 17, 9, second), reached("CNSHA", 10, first), reached("CNNKG", 14, first),
			tell(Departure, "NLRTM", 42, sea, about(), first), tell(Discharge, "NLRTM", 41, sea),
		}, "[full_in@CNSHA vessel_discharged@NLRTM] grounded"},
		{"its ship calls twice at the port where it may have boarded", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), sailed("SGSIN", 18, second),
			reached("CNNKG", 20, second), reached("SGSIN", 23, second), sailed("SGSIN", 24, second), discharged("NLRTM", 41, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_departed@SGSIN vessel_discharged@NLRTM] grounded"},
		{"it is loaded again where its ship had been", []LoggedFact{
			tell(Route, "CNNKG", 0, about(), in(RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), sailed("SGSIN", 17, first),
			reached("CNNKG", 19, first), sailed("CNNKG", 20, first), loaded("SGSIN", 22, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"its ship was elsewhere when it left a port by land", []LoggedFact{
			plan(Discharge, "NLRTM", 39, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("DEHAM", 40, first), tell(GateOut, "NLRTM", 41, load(Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA full_out@NLRTM] picked_up"},
		{"its ship comes to another port after it left one by land", []LoggedFact{
			plan(Discharge, "NLRTM", 39, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), tell(GateOut, "NLRTM", 41, load(Laden)), reached("DEHAM", 43, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA full_out@NLRTM] picked_up"},
		{"its ship comes back to where it left by land", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), tell(GateOut, "NLRTM", 41, load(Laden)), reached("NLRTM", 45, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA full_out@NLRTM] picked_up"},
		{"its ship, or another, comes days after its discharge", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), tell(Discharge, "NLRTM", 41, sea), reached("NLRTM", 44, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM] grounded"},
		{"another ship was to bring it to where it left by land", []LoggedFact{
			tell(Route, "NLRTM", 0, about(), in(RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first),
			tell(Arrival, "NLRTM", 39, sea, class(Planned), about(), second, recorded(1)), tell(Arrival, "NLRTM", 45, sea, class(Planned), about(), on("9000001", "Third"), recorded(9)),
			sailed("SGSIN", 18, second), reached("NLRTM", 39, second), tell(GateOut, "NLRTM", 47, load(Laden)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_arrived@NLRTM full_out@NLRTM] picked_up"},
		{"a ship that calls while it waits for the one it is loaded on", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first),
			reached("SGSIN", 17, second), reached("CNNKG", 19, second), reached("SGSIN", 21, second), loaded("SGSIN", 25, on("9000001", "Third")),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"it comes off another ship than the planned one, and the load names none", []LoggedFact{
			plan(Loading, "CNSHA", 10, 1, first), tell(Loading, "CNSHA", 10, sea), sailed("CNSHA", 11, second), reached("NLRTM", 40, second), discharged("NLRTM", 41, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM vessel_discharged@NLRTM] grounded"},
		{"its ship carries it past the port of discharge, and the discharge names no ship", []LoggedFact{
			tell(Route, "NLRTM", 0, about(), in(RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), sailed("NLRTM", 41, first),
			reached("DEHAM", 43, first), tell(Discharge, "DEHAM", 44, sea), loaded("DEHAM", 50, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM transshipment_discharged@DEHAM transshipment_loaded@DEHAM] on_ship"},
		{"the next ship comes after it came off one that nobody names", []LoggedFact{
			tell(Route, "NLRTM", 0, about(), in(RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("NLRTM", 40, first), sailed("NLRTM", 41, first),
			tell(Discharge, "DEHAM", 44, sea), reached("DEHAM", 49, second), loaded("DEHAM", 50, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_discharged@DEHAM transshipment_loaded@DEHAM] on_ship"},
		{"the ship comes back after it left the port by land", []LoggedFact{
			tell(Route, "NLRTM", 0, about(), in(RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), tell(Arrival, "NLRTM", 40, sea, about(), first, recorded(40)),
			tell(GateOut, "NLRTM", 43, load(Laden)), tell(Arrival, "NLRTM", 46, sea, about(), first, recorded(46)),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM full_out@NLRTM] picked_up"},
		{"its ship is reported to leave the next port, and not the one where it took the container", []LoggedFact{
			tell(Route, "NLRTM", 0, about(), in(RolePOD)), fullIn, plan(Loading, "CNSHA", 10, 1, first), reached("CNSHA", 9, first), sailed("CNNKG", 13, first), discharged("NLRTM", 40, first),
		}, "[full_in@CNSHA transshipment_departed@CNNKG vessel_discharged@NLRTM] grounded"},
		{"it is loaded where a ship took its sibling, which came there without them", []LoggedFact{
			sailed("CNNKG", 7, first), reached("CNSHA", 9, first), tell(Loading, "CNSHA", 10, sea, first, about(box2)), loaded("CNSHA", 20, second),
		}, "[vessel_loaded@CNSHA] on_ship"},
		{"the ship that it was planned for later lay there, too, when it came off one that nobody names", []LoggedFact{
			fullIn, plan(Loading, "CNSHA", 10, 1, first), plan(Loading, "CNSHA", 17, 9, second), sailed("CNSHA", 11, first), reached("CNNKG", 13, first),
			reached("NLRTM", 40, first), reached("NLRTM", 40, second), tell(Discharge, "NLRTM", 41, sea),
		}, "[full_in@CNSHA vessel_discharged@NLRTM] grounded"},
		{"a ship comes to where it had left by land, and it is delivered after that", []LoggedFact{
			tell(GateOut, "CNSHA", 6, load(Empty)), plan(Loading, "CNSHA", 10, 1, first), reached("CNSHA", 9, first), sailed("CNNKG", 14, first), reached("SGSIN", 16, first),
			tell(GateOut, "NLRTM", 43, load(Laden)), reached("NLRTM", 45, first), tell(Delivery, "NLRTM", 46, load(Laden)),
		}, "[empty_out@CNSHA full_out@NLRTM delivered@NLRTM] delivered"},
		{"it was to change ships where it came off, and is delivered elsewhere", []LoggedFact{
			tell(Route, "NLRTM", 0, about(), in(RolePOD)), tell(Route, "SGSIN", 0, about(), in(RoleTS)), loaded("CNSHA", 10, first), discharged("SGSIN", 16, first),
			tell(Delivery, "NLRTM", 45, load(Laden)),
		}, "[vessel_loaded@CNSHA transshipment_discharged@SGSIN delivered@NLRTM] delivered"},
		{"the ship that it was planned for later has sailed before it is next loaded", []LoggedFact{
			fullIn, plan(Loading, "CNSHA", 10, 1, first), plan(Loading, "CNSHA", 17, 9, second), sailed("CNSHA", 11, first), reached("SGSIN", 16, first),
			sailed("SGSIN", 17, first), sailed("CNSHA", 18, second), loaded("SGSIN", 25, on("9000001", "Third")), tell(Route, "CNSHA", 0, about(), in(RolePOL)),
		}, "[full_in@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"two ships lay where it was loaded on one that nobody names", []LoggedFact{
			loaded("CNSHA", 10, first), discharged("SGSIN", 16, first), tell(Loading, "SGSIN", 20, sea),
			tell(Departure, "SGSIN", 21, sea, class(Planned), about(), second, recorded(1)), sailed("SGSIN", 21, second), reached("CNNKG", 23, second),
			tell(Departure, "SGSIN", 22, sea, class(Planned), about(), on("9000001", "Third"), recorded(9)), sailed("SGSIN", 22, on("9000001", "Third")),
		}, "[vessel_loaded@CNSHA transshipment_discharged@SGSIN transshipment_loaded@SGSIN transshipment_departed@SGSIN] on_ship"},
		{"it stands inland before its ship is reported to come to a port", []LoggedFact{
			tell(Route, "NLRTM", 0, about(), in(RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), tell(GateIn, "DEDUI", 44, load(Laden)), reached("DEHAM", 46, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA] on_ship"},
		{"another ship is to bring it back from the next port", []LoggedFact{
			tell(Route, "NLRTM", 0, about(), in(RolePOD)), plan(Loading, "CNSHA", 10, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first),
			plan(Departure, "DEHAM", 47, 40, second), plan(Arrival, "NLRTM", 49, 40, second), reached("NLRTM", 40, first), sailed("NLRTM", 41, first), reached("DEHAM", 43, first), sailed("DEHAM", 44, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM] on_ship"},
		{"another ship was to bring it to the next port, as was said before its own left", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(Departure, "SGSIN", 20, 1, second), plan(Arrival, "ESALG", 34, 1, second),
			discharged("SGSIN", 16, first), plan(Arrival, "ESALG", 40, 18, third), sailed("SGSIN", 20, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN] on_ship"},
		{"another ship was to take it on from the next port, as was said before its own left", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(Departure, "SGSIN", 20, 1, second), plan(Arrival, "NLRTM", 44, 1, third),
			discharged("SGSIN", 16, first), plan(Arrival, "NLRTM", 50, 18, fourth), plan(Arrival, "NLRTM", 51, 25, fourth), sailed("SGSIN", 20, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN] on_ship"},
		{"another ship was to take it on from the next port, as was said after its own left", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(Departure, "SGSIN", 20, 1, second), plan(Arrival, "NLRTM", 44, 1, third),
			discharged("SGSIN", 16, first), plan(Arrival, "NLRTM", 50, 25, fourth), sailed("SGSIN", 20, second),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN transshipment_departed@SGSIN] on_ship"},
		{"another ship was to bring it to where it came off one that nobody names", []LoggedFact{
			tell(Route, "NLRTM", 0, about(), in(RolePOD)), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), plan(Departure, "SGSIN", 20, 1, second),
			plan(Arrival, "NLRTM", 40, 1, second), discharged("SGSIN", 16, first), plan(Arrival, "NLRTM", 45, 18, third), sailed("SGSIN", 20, second), reached("DEHAM", 44, second),
			tell(Discharge, "NLRTM", 46, sea),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN vessel_discharged@NLRTM] grounded"},
		{"it comes off another ship at the port that its ship reaches only later", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), discharged("SGSIN", 16, first), plan(Departure, "SGSIN", 18, 1, second),
			plan(Arrival, "NLRTM", 44, 1, second), sailed("SGSIN", 18, second), discharged("NLRTM", 41, third),
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
			tell(Route, "CNSHA", 0, about(), in(RolePOL)),
		}, "[full_in@CNSHA transshipment_loaded@SGSIN] on_ship"},
		{"one ship came to where it was loaded on another", []LoggedFact{
			pod, fullIn, reached("SGSIN", 17, first), loaded("SGSIN", 25, second), tell(Route, "CNSHA", 0, about(), in(RolePOL)),
		}, "[full_in@CNSHA transshipment_arrived@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"another ship is to bring it back from the next port, where its ship lies", []LoggedFact{
			pod, plan(Loading, "CNSHA", 10, 1, first), loaded("CNSHA", 10, first), sailed("CNSHA", 11, first),
			plan(Departure, "DEHAM", 47, 40, second), plan(Arrival, "NLRTM", 49, 40, second), reached("NLRTM", 40, first), sailed("NLRTM", 41, first), reached("DEHAM", 43, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM transshipment_arrived@DEHAM] on_ship"},
		{"its ship arrives twice at a port, and nothing is reported of it in between", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), reached("SGSIN", 16, first), reached("SGSIN", 20, first), reached("NLRTM", 40, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN transshipment_arrived@SGSIN vessel_arrived@NLRTM] on_ship"},
		{"its ship leaves a port twice, and nothing is reported of it in between", []LoggedFact{
			loaded("CNSHA", 10, first), sailed("CNSHA", 11, first), sailed("SGSIN", 17, first), sailed("SGSIN", 21, first),
		}, "[vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_departed@SGSIN transshipment_departed@SGSIN] on_ship"},
	}
	for _, row := range rows {
		j := deriveTest(row.facts)
		check(t, row.name, fmt.Sprint(told(t, j, box1), " ", containerOf(t, j, box1).Status), row.want)
	}
}

// TestWordOfTheNextMove: what a later move says of where the container is.
func TestWordOfTheNextMove(t *testing.T) {
	sea := by(ByVessel)
	laden := load(Laden)
	pod := tell(Route, "NLRTM", 0, about(), in(RolePOD))
	voyage := []LoggedFact{
		pod, tell(Loading, "CNSHA", 10, sea, first), tell(Departure, "CNSHA", 11, sea, about(), first),
		tell(Arrival, "NLRTM", 40, sea, about(), first), tell(Departure, "NLRTM", 41, sea, about(), first),
	}
	rows := []struct {
		name  string
		facts []LoggedFact
		want  ContainerStatus
	}{
		{"its ship has sailed on", nil, StatusOnShip},
		{"it was moved to another terminal", []LoggedFact{
			tell(GateOut, "NLRTM", 42, laden, facility("POTE", "RWG")), tell(GateIn, "NLRTM", 42, laden, facility("POTE", "ECTDL")),
		}, StatusGrounded},
		{"it stands at a ramp", []LoggedFact{tell(Arrival, "DEDUI", 44, by(ByRail)), tell(Discharge, "DEDUI", 44, by(ByRail))}, StatusGrounded},
		{"a train took it on from there", []LoggedFact{
			tell(Arrival, "DEDUI", 44, by(ByRail)), tell(Discharge, "DEDUI", 44, by(ByRail)), tell(Departure, "DEDUI", 46, by(ByRail)),
		}, StatusOnRail},
	}
	for _, row := range rows {
		j := deriveTest(append(voyage[:len(voyage):len(voyage)], row.facts...))
		check(t, row.name, containerOf(t, j, box1).Status, row.want)
	}
}

// TestVesselOfACancelledBooking: what was planned last is still shown, as its times are.
func TestVesselOfACancelledBooking(t *testing.T) {
	sea := by(ByVessel)
	j := deriveTest([]LoggedFact{
		tell(Departure, "CNSHA", 11, sea, class(Planned), about(), first), tell(Arrival, "NLRTM", 40, sea, class(Planned), about(), first),
		tell(Cancelled, "", 5, about()), tell(Departure, "CNSHA", 11, sea, about(), first),
	})
	check(t, "vessel", j.PODVessel.Name, "King")
}

// TestCallsOfOthers: moves of ships that are nothing to the container, each of which was
// taken for one of its own.
func TestCallsOfOthers(t *testing.T) {
	sea := by(ByVessel)
	loaded := func(place string, day int, changes ...change) LoggedFact {
		return tell(Loading, place, day, append([]change{sea}, changes...)...)
	}
	ofShip := func(w Activity, place string, day int, ship change) LoggedFact {
		return tell(w, place, day, sea, about(), ship)
	}
	pod := tell(Route, "NLRTM", 0, about(), in(RolePOD))
	start := []LoggedFact{loaded("CNSHA", 10, first), ofShip(Departure, "CNSHA", 11, first)}
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string // what follows the departure from CNSHA, and the status
	}{
		{"its ship was elsewhere when it was loaded on the next", []LoggedFact{
			pod, ofShip(Arrival, "CNNKG", 20, first), ofShip(Departure, "CNNKG", 21, first), loaded("SGSIN", 21, second), ofShip(Departure, "SGSIN", 22, second),
		}, "[transshipment_loaded@SGSIN transshipment_departed@SGSIN] on_ship"},
		{"it went on from where it was discharged, and its siblings did not", []LoggedFact{
			tell(Discharge, "SGSIN", 20, sea, first, about(box1, box2)), loaded("SGSIN", 22, second),
		}, "[transshipment_discharged@SGSIN transshipment_loaded@SGSIN] on_ship"},
		{"a berthing where it may only change ships", []LoggedFact{
			ofShip(Arrival, "SGSIN", 20, first), ofShip(Berth, "SGSIN", 20, first),
		}, "[vessel_arrived@SGSIN] on_ship"},
	}
	for _, row := range rows {
		j := deriveTest(append(start[:2:2], row.facts...))
		list := told(t, j, box1)
		check(t, row.name, fmt.Sprint(list[min(2, len(list)):], " ", containerOf(t, j, box1).Status), row.want)
	}
}

// TestVesselOfTheLatestPlan: the ship that was planned last brings the shipment, whether
// or not the line has made an estimate for it yet. The estimate for the old ship counted.
func TestVesselOfTheLatestPlan(t *testing.T) {
	arrival := func(known Class, rec int, ship change) LoggedFact {
		return tell(Arrival, "NLRTM", 40, by(ByVessel), about(), class(known), recorded(rec), ship)
	}
	j := deriveTest([]LoggedFact{arrival(Planned, 1, first), arrival(Estimated, 3, first), arrival(Planned, 5, second)})
	check(t, "vessel", j.PODVessel.Name, "Lucid")
}

// TestVesselOfAnUnknownVoyage: a discharge that gives the number of a voyage that no fact
// gives with a ship does not hide the ship that took the container. It did.
func TestVesselOfAnUnknownVoyage(t *testing.T) {
	sea := by(ByVessel)
	voyage := func(f *LoggedFact) { f.Voyage = "158E" }
	j := deriveTest([]LoggedFact{
		tell(Route, "NLRTM", 0, about(), in(RolePOD)), tell(Loading, "CNSHA", 10, sea, first), tell(Discharge, "NLRTM", 41, sea, voyage),
	})
	check(t, "vessel", j.PODVessel.Name, "King")
	j = deriveTest([]LoggedFact{tell(Loading, "CNSHA", 10, sea), tell(Discharge, "NLRTM", 41, sea, voyage)})
	check(t, "voyage", j.PODVoyage, "158E")
}

// TestPortOfLadingOfTheLatestPlan: the ship that was to take the container on from SGSIN
// before another was planned does not make SGSIN the POL. Its estimate did.
func TestPortOfLadingOfTheLatestPlan(t *testing.T) {
	leaves := func(place string, day, rec int, known Class, ship change) LoggedFact {
		return tell(Departure, place, day, by(ByVessel), about(), class(known), recorded(rec), ship)
	}
	j := deriveTest([]LoggedFact{
		tell(GateIn, "CNSHA", 8, load(Laden)), leaves("CNSHA", 10, 1, Planned, first), leaves("SGSIN", 16, 3, Estimated, second),
		leaves("CNSHA", 17, 5, Planned, on("9000001", "Third")), leaves("SGSIN", 22, 5, Planned, on("9000002", "Fourth")),
	})
	check(t, "POL", j.POL.LOCODE, "CNSHA")
}

// TestShipThatPassesThePOD: a ship that calls at the POD and carries the container on to where
// it changes ships does not bring it to its POD. Its call gave the time of arrival.
func TestShipThatPassesThePOD(t *testing.T) {
	sea := by(ByVessel)
	ofShip := func(w Activity, place string, day int, ship change) LoggedFact {
		return tell(w, place, day, sea, about(), ship)
	}
	j := deriveTest([]LoggedFact{
		tell(Route, "NLRTM", 0, about(), in(RolePOD)), tell(Loading, "CNSHA", 10, sea, first), ofShip(Arrival, "NLRTM", 40, first), ofShip(Departure, "NLRTM", 41, first),
		tell(Discharge, "DEHAM", 43, sea, first), tell(Loading, "DEHAM", 46, sea, second), ofShip(Departure, "DEHAM", 47, second),
	})
	check(t, "arrival", dayOfJourney(j.PODATA)+" "+dayOfJourney(containerOf(t, j, box1).PODArrivedAt), "- -")
	check(t, "vessel", j.PODVessel.Name, "Lucid")
}

// TestShipThatMayHaveLeftWithoutIt: a ship that nobody reported it to be aboard of, and
// nobody reported to have left without it, is still expected.
func TestShipThatMayHaveLeftWithoutIt(t *testing.T) {
	sea := by(ByVessel)
	j := deriveTest([]LoggedFact{
		tell(Route, "NLRTM", 0, about(), in(RolePOD)), tell(GateIn, "CNSHA", 8, load(Laden)),
		tell(Departure, "CNSHA", 11, sea, about(), first), tell(Arrival, "NLRTM", 40, sea, about(), first, class(Estimated)),
	})
	check(t, "vessel", j.PODVessel.Name, "King")
	check(t, "status", containerOf(t, j, box1).Status, StatusNew)
}

// TestPlansWithoutAPlace: of two loads at places that are not given, the later planned
// does not replace the other. It did while all places that are not given were one.
func TestPlansWithoutAPlace(t *testing.T) {
	sea := by(ByVessel)
	plan := func(rec int, ship change) LoggedFact {
		return tell(Loading, "", 10, sea, class(Planned), recorded(rec), ship)
	}
	j := deriveTest([]LoggedFact{
		tell(Route, "NLRTM", 0, about(), in(RolePOD)), plan(1, first), plan(2, second), tell(Arrival, "NLRTM", 40, sea, about(), class(Estimated), first),
	})
	check(t, "vessel", j.PODVessel.Name, "King")
}

// TestStatedTransshipmentIsAhead: a stated port of transshipment that no plan names is on
// the way of a container until it has come to its POD. It was gone from its route as soon
// as it had sailed.
func TestStatedTransshipmentIsAhead(t *testing.T) {
	sea := by(ByVessel)
	route := func(facts ...LoggedFact) string {
		stated := []LoggedFact{
			tell(Route, "CNSHA", 0, about(), in(RolePOL)), tell(Route, "SGSIN", 0, about(), in(RoleTS)), tell(Route, "NLRTM", 0, about(), in(RolePOD)),
			tell(Loading, "CNSHA", 10, sea, first), tell(Departure, "CNSHA", 11, sea, about(), first),
		}
		var list []*LoggedFact
		for _, f := range append(stated, facts...) {
			list = append(list, &f)
		}
		d := newDerivation(list, refPlaces{})
		d.settle(nil)
		var ports []string
		for _, c := range d.calls(box1) {
			ports = append(ports, c.place.LOCODE)
		}
		return fmt.Sprint(ports)
	}
	check(t, "at sea", route(), "[CNSHA SGSIN NLRTM]")
	check(t, "at its POD", route(tell(Arrival, "NLRTM", 40, sea, about(), first)), "[CNSHA NLRTM]")
}

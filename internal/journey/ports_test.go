package journey

import (
	"fmt"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// TestEndsOfTheSeaVoyage: the ports at which a container goes to sea and leaves it, and what follows
// on land. Each row fails without its rule.
func TestEndsOfTheSeaVoyage(t *testing.T) {
	sea, feeder, barge, rail := by(freight.ByVessel), by(freight.ByFeeder), by(freight.ByBarge), by(freight.ByRail)
	laden, empty := load(freight.Laden), load(freight.Empty)
	route := func(place string, r freight.Role) LoggedFact { return tell(freight.Route, place, 0, about(), in(r)) }
	loaded := func(place string, day int, changes ...change) LoggedFact {
		return tell(freight.Loading, place, day, append([]change{sea}, changes...)...)
	}
	discharged := func(place string, day int, changes ...change) LoggedFact {
		return tell(freight.Discharge, place, day, append([]change{sea}, changes...)...)
	}
	ship := func(w freight.Activity, place string, day int, changes ...change) LoggedFact {
		return tell(w, place, day, append([]change{sea, about()}, changes...)...)
	}
	plan := func(w freight.Activity, place string, day, rec int, changes ...change) LoggedFact {
		return tell(w, place, day, append([]change{sea, class(freight.Planned), recorded(rec)}, changes...)...)
	}
	third := on("9000001", "Third")
	pod := route("NLRTM", freight.RolePOD)
	begins := []LoggedFact{loaded("CNSHA", 10, first), ship(freight.Departure, "CNSHA", 11, first)}
	with := func(facts ...LoggedFact) []LoggedFact { return append(begins[:2:2], facts...) }
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string
	}{
		{"a train has brought it to a ramp on the way", with(
			route("CHBSL", freight.RoleDestination), discharged("NLRTM", 41, first), tell(freight.Arrival, "DEDUI", 44, rail),
		), "CNSHA NLRTM CHBSL on_rail [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM rail_arrived@DEDUI]"},
		{"a train takes it from the stated POD, and it is returned empty elsewhere", []LoggedFact{
			pod, route("CNSHA", freight.RolePOL), tell(freight.Loading, "NLRTM", 42, rail, laden), tell(freight.GateIn, "DEHAM", 50, empty),
		}, "CNSHA NLRTM  empty_returned [rail_loaded@NLRTM empty_in@DEHAM]"},
		{"a barge takes it from the port where another ship was to bring it", with(
			plan(freight.Discharge, "NLRTM", 44, 1, second), discharged("BEANR", 40, first), tell(freight.Loading, "NLRTM", 46, barge, laden), tell(freight.Discharge, "DEDUI", 47, barge), tell(freight.GateOut, "DEDUI", 48, laden),
		), "CNSHA NLRTM DEDUI picked_up [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@BEANR feeder_loaded@NLRTM feeder_discharged@DEDUI full_out@DEDUI]"},
		{"it is delivered, and nothing shows that it left the sea before the stated POD", with(
			pod, discharged("SGSIN", 16, first), tell(freight.Delivery, "DEDUI", 47),
		), "CNSHA NLRTM  delivered [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN delivered@DEDUI]"},
		{"it leaves a port by land at which only feeders call", with(
			discharged("SGSIN", 16, first), tell(freight.Loading, "SGSIN", 22, feeder, second), tell(freight.Arrival, "NLRTM", 30, feeder, about(), third), tell(freight.GateOut, "NLRTM", 43, laden),
		), "CNSHA NLRTM  picked_up [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN feeder_loaded@SGSIN full_out@NLRTM]"},
		{"it leaves the stated POD by land, and no ship is reported there", with(
			pod, discharged("SGSIN", 16), tell(freight.GateOut, "NLRTM", 43, laden),
		), "CNSHA NLRTM  picked_up [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_discharged@SGSIN full_out@NLRTM]"},
		{"it leaves its stated destination by land, and its last ship is not known", []LoggedFact{
			pod, route("DEDUI", freight.RoleDestination), loaded("SGSIN", 22), tell(freight.GateOut, "DEDUI", 46, laden),
		}, "SGSIN NLRTM DEDUI picked_up [vessel_loaded@SGSIN full_out@DEDUI]"},
		{"it was brought laden to another port than the one where its first load is reported", []LoggedFact{
			tell(freight.GateIn, "CNSHA", 8, laden, facility("POTE", "YSCT")), loaded("SGSIN", 22, first), ship(freight.Departure, "SGSIN", 23, first),
		}, "CNSHA   on_ship [full_in@CNSHA transshipment_loaded@SGSIN transshipment_departed@SGSIN]"},
		{"it came off a ship where it is first loaded", []LoggedFact{
			discharged("SGSIN", 16, first), loaded("SGSIN", 22, second), ship(freight.Departure, "SGSIN", 23, second),
		}, "   on_ship [transshipment_discharged@SGSIN transshipment_loaded@SGSIN transshipment_departed@SGSIN]"},
		{"a ship is planned to leave the hub before the planned one leaves the POL", []LoggedFact{
			plan(freight.Loading, "CNSHA", 24, 1, third), plan(freight.Discharge, "SGSIN", 16, 1, first), plan(freight.Departure, "SGSIN", 22, 1, second),
		}, "CNSHA   new []"},
		{"the ship of a sibling that was left at the POL comes to the POD later", with(
			pod, plan(freight.Departure, "CNSHA", 11, 1, about(), first), plan(freight.Departure, "CNSHA", 18, 41, about(), second), plan(freight.Arrival, "NLRTM", 48, 41, about(), second),
			ship(freight.Arrival, "NLRTM", 40, first), ship(freight.Arrival, "FRLEH", 43, first), discharged("NLRTM", 49, second, about(box2)), tell(freight.Arrival, "DEDUI", 45, rail),
		), "CNSHA NLRTM DEDUI grounded [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_arrived@NLRTM rail_arrived@DEDUI arrived_at_destination@DEDUI]"},
		{"a plan that came after the statement of the POD, at the same time", with(
			tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD), came(1)), plan(freight.Discharge, "BEANR", 41, 0, first, came(2)),
		), "CNSHA BEANR  on_ship [vessel_loaded@CNSHA vessel_departed@CNSHA]"},
		{"it leaves a port terminal by land at which no ship is reported", with(
			ship(freight.Arrival, "SGSIN", 16, first), ship(freight.Departure, "SGSIN", 17, first), tell(freight.GateOut, "NLRTM", 43, laden, facility("POTE", "RWG")),
		), "CNSHA NLRTM  picked_up [vessel_loaded@CNSHA vessel_departed@CNSHA transshipment_arrived@SGSIN full_out@NLRTM]"},
		{"its own plan was changed to an earlier port", with(
			plan(freight.Discharge, "NLRTM", 40, 1, first), plan(freight.Discharge, "SGSIN", 16, 12, first),
		), "CNSHA SGSIN  on_ship [vessel_loaded@CNSHA vessel_departed@CNSHA]"},
		{"of two containers one goes on from the destination of the other", with(
			discharged("NLRTM", 41, first), tell(freight.Loading, "NLRTM", 42, rail), tell(freight.Arrival, "DEDUI", 44, rail), tell(freight.Departure, "DEDUI", 46, rail), tell(freight.Arrival, "DEMUC", 48, rail),
			loaded("CNSHA", 10, first, about(box2)), discharged("NLRTM", 41, first, about(box2)), tell(freight.Loading, "NLRTM", 42, rail, about(box2)), tell(freight.Discharge, "DEDUI", 45, rail, about(box2)),
		), "CNSHA NLRTM DEDUI grounded [vessel_loaded@CNSHA vessel_departed@CNSHA vessel_discharged@NLRTM rail_loaded@NLRTM rail_arrived@DEDUI rail_departed@DEDUI rail_arrived@DEMUC arrived_at_destination@DEMUC]"},
	}
	for _, row := range rows {
		j := deriveTest(row.facts)
		check(t, row.name, fmt.Sprint(j.POL.LOCODE, " ", j.POD.LOCODE, " ", j.Destination.LOCODE, " ", containerOf(t, j, box1).Status, " ", told(t, j, box1)), row.want)
	}
	j := deriveTest(rows[len(rows)-1].facts)
	check(t, "arrival at the destination of the shipment", dayOfJourney(j.DestATA), "-")
}

// TestPassedPOD: a ship that calls at the port that becomes the POD, and puts the container ashore
// elsewhere, does not bring it there.
func TestPassedPOD(t *testing.T) {
	sea := by(freight.ByVessel)
	j := deriveTest([]LoggedFact{
		tell(freight.Loading, "CNSHA", 10, sea, first), tell(freight.Arrival, "VNSGN", 14, sea, about(), first), tell(freight.Discharge, "SGSIN", 17, sea, first), tell(freight.Route, "VNSGN", 0, about(), in(freight.RolePOD), recorded(20)),
	})
	check(t, "arrival", dayOfJourney(containerOf(t, j, box1).PODArrivedAt), "-")
}

// TestPromisedByAnEarlyActual: a call of a ship without the container that was reported too early
// promised nothing.
func TestPromisedByAnEarlyActual(t *testing.T) {
	sea := by(freight.ByVessel)
	call := func(rec int) LoggedFact {
		f := tell(freight.Arrival, "NLRTM", 48, sea, about(), first, recorded(rec))
		f.ID, f.At.Time = "second call", f.At.Time.Add(time.Duration(100-rec)*time.Minute)
		return f
	}
	j := deriveTest([]LoggedFact{
		tell(freight.Loading, "CNSHA", 10, sea, first), tell(freight.Arrival, "NLRTM", 40, sea, about(), first), tell(freight.Departure, "NLRTM", 42, sea, about(), first), tell(freight.Discharge, "NLRTM", 41, sea, first),
		tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)), call(46), call(49),
	})
	check(t, "original ETA", dayOfJourney(j.PODOriginalETA), "-")
}

// TestETAOfTheSecondShip: a ship that is planned to bring the shipment from a hub to the POD comes to
// the hub to take it on, and its ETA stays.
func TestETAOfTheSecondShip(t *testing.T) {
	feeder := by(freight.ByFeeder)
	j := deriveTest([]LoggedFact{
		tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), tell(freight.Route, "SGSIN", 0, about(), in(freight.RoleTS)), tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), class(freight.Planned), about(), first, recorded(1)),
		tell(freight.Arrival, "NLRTM", 40, feeder, class(freight.Planned), about(), second, recorded(1)), tell(freight.Arrival, "SGSIN", 15, feeder, about(), second), tell(freight.Departure, "SGSIN", 17, feeder, about(), second),
	})
	check(t, "ETA", dayOfJourney(j.PODETA), "40")
}

// TestETAOfAnotherShip: once another ship has put the only container ashore at the POD, or it is aboard one that
// was planned later, the ETA of a ship that was also planned, as that of another bill of the booking, is not
// that of the shipment.
func TestETAOfAnotherShip(t *testing.T) {
	arrives := func(day, rec int, ship change) LoggedFact {
		return tell(freight.Arrival, "NLRTM", day, by(freight.ByVessel), class(freight.Estimated), about(), ship, recorded(rec))
	}
	sea := by(freight.ByVessel)
	j := deriveTest([]LoggedFact{
		tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), tell(freight.Loading, "CNSHA", 10, sea, first), arrives(41, 12, first), arrives(39, 20, second),
		tell(freight.Discharge, "NLRTM", 42, sea, first),
	})
	check(t, "ETA", dayOfJourney(j.PODETA), "41")
	j = deriveTest([]LoggedFact{
		tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD)), arrives(39, 1, second), arrives(41, 2, first), tell(freight.Loading, "CNSHA", 10, sea, first), arrives(38, 20, second),
	})
	check(t, "ETA while it is aboard the ship that was planned later", dayOfJourney(j.PODETA), "41")
}

// TestReplannedAtOneTime: plans that were recorded at one time are of two reports where a move was
// reported in between.
func TestReplannedAtOneTime(t *testing.T) {
	say := func(arrival int64, c freight.Classifier) *entry {
		return &entry{LoggedFact: &LoggedFact{Arrival: arrival, Fact: freight.Fact{Activity: freight.Departure}}, classifier: c}
	}
	a, moved, b := say(1, freight.Planned), say(2, freight.Actual), say(3, freight.Planned)
	check(t, "a move between", (&derivation{valid: []*entry{a, moved, b}}).isReplan(a, b), true)
	check(t, "none between", (&derivation{valid: []*entry{a, b}}).isReplan(a, b), false)
}

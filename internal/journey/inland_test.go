package journey

import (
	"fmt"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// TestLandBeyondTheVoyage: what moves on land and statuses of terminals show of a container whose voyage
// is not reported, or only in part. Each row fails without the rule that it names.
func TestLandBeyondTheVoyage(t *testing.T) {
	sea, rail := by(freight.ByVessel), by(freight.ByRail)
	laden, empty := load(freight.Laden), load(freight.Empty)
	role := func(place string, r freight.Role) LoggedFact { return tell(freight.Route, place, 0, about(), in(r)) }
	pol, pod := role("CNSHA", freight.RolePOL), role("NLRTM", freight.RolePOD)
	fullIn, yes := tell(freight.GateIn, "CNSHA", 8, laden), true
	onDay := func(f *LoggedFact) { f.At.Day, f.At.Floating = true, true }
	carried := []LoggedFact{pol, tell(freight.Loading, "CNSHA", 10, sea, first)}
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string
	}{
		{"a train brought it to where it was picked up, and nobody says at which port it left the sea", append(carried[:2:2],
			tell(freight.Discharge, "DEDUI", 44, rail), tell(freight.GateOut, "DEDUI", 46, laden, facility("RAMP", "")),
		), "CNSHA- DEDUI picked_up"},
		{"trains are all that is reported after it came to the port", []LoggedFact{
			pol, pod, fullIn, tell(freight.Arrival, "DEDUI", 44, rail), tell(freight.Departure, "DEDUI", 45, rail), tell(freight.Arrival, "CHBSL", 47, rail), tell(freight.GateIn, "CHBSL", 50, empty),
		}, "CNSHA-NLRTM CHBSL empty_returned"},
		{"a terminal at the POD has had it, and it is returned empty to another port", []LoggedFact{
			pol, pod, fullIn, tell(freight.TerminalStatus, "NLRTM", 42, says(freight.TerminalFacts{Available: &yes})), tell(freight.GateIn, "BEANR", 46, empty),
		}, "CNSHA-NLRTM  empty_returned"},
		{"a train is reported at the stated destination alone, and it is returned empty to another place", []LoggedFact{
			pol, pod, role("DEDUI", freight.RoleDestination), tell(freight.Discharge, "DEDUI", 44, rail, laden), tell(freight.GateIn, "BEANR", 48, empty),
		}, "CNSHA-NLRTM DEDUI empty_returned"},
		{"a terminal across the sea has had it, and nobody says at which port it left the sea", []LoggedFact{
			pol, fullIn, tell(freight.TerminalStatus, "NLRTM", 42, says(freight.TerminalFacts{Available: &yes})), tell(freight.GateIn, "NLRTM", 46, empty),
		}, "CNSHA-  empty_returned"},
		{"it is picked up on the day on which it came to the ramp", append(carried[:2:2],
			pod, role("DEDUI", freight.RoleDestination), tell(freight.GateOut, "NLRTM", 43, laden), tell(freight.GateIn, "DEDUI", 44, laden, facility("RAMP", "")), tell(freight.GateOut, "DEDUI", 44, laden, facility("RAMP", ""), onDay),
		), "CNSHA-NLRTM DEDUI picked_up"},
	}
	for _, row := range rows {
		j := deriveTest(row.facts)
		check(t, row.name, fmt.Sprint(j.POL.LOCODE, "-", j.POD.LOCODE, " ", j.Destination.LOCODE, " ", containerOf(t, j, box1).Status), row.want)
	}
}

// TestPODNextToTheHub: a container that comes off a ship in the area of its POD, and leaves the POD by
// land, was brought there by another one.
func TestPODNextToTheHub(t *testing.T) {
	sea := by(freight.ByVessel)
	j := derive(nil, []LoggedFact{
		tell(freight.Route, "USSEA", 0, about(), in(freight.RolePOD)), tell(freight.Loading, "CNSHA", 10, sea, first), tell(freight.Discharge, "USTIW", 25, sea, first), tell(freight.GateOut, "USSEA", 33, load(freight.Laden)),
	}, refPlaces{})
	check(t, "POD", j.POD.LOCODE, "USSEA")
}

// TestEmptyReturnOnTheDayOfPickup: what is known to the day, and was recorded before the return, came before
// it. Recorded after it, it may be the pickup after a return.
func TestEmptyReturnOnTheDayOfPickup(t *testing.T) {
	empty, onDay := load(freight.Empty), func(f *LoggedFact) { f.At.Day, f.At.Floating = true, true }
	at := func(hour int) change {
		return func(f *LoggedFact) {
			f.At.Time = f.At.Time.Add(time.Duration(hour) * time.Hour)
			f.RecordedAt = f.At.Time
		}
	}
	for recordedIn, want := range map[int]bool{-6: true, 2: false} {
		out := tell(freight.GateOut, "CNSHA", 5, empty, at(recordedIn), onDay)
		out.At.Time = day0.AddDate(0, 0, 5)
		j := deriveTest([]LoggedFact{out, tell(freight.GateIn, "CNSHA", 5, empty, at(-4))})
		check(t, fmt.Sprint("returned unused, recorded in hour ", recordedIn), containerOf(t, j, box1).ReturnedUnused, want)
	}
}

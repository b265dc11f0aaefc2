package journey

import (
	"fmt"
	"slices"
	"testing"

	"github.com/landfallhq/tracking/freight"
)

var (
	first  = on("9321483", "King")
	second = on("9770749", "Lucid")
)

// TestRollOver: a rolled shipment has the times of its new ship, and never those of the old
// one, whenever they were recorded.
func TestRollOver(t *testing.T) {
	plan := func(w freight.Activity, place string, day, rec int, changes ...change) LoggedFact {
		return tell(w, place, day, append([]change{by(freight.ByVessel), class(freight.Estimated), about(), recorded(rec)}, changes...)...)
	}
	// Both ships are planned, and the first is reported again after it left without the
	// shipment.
	before := []LoggedFact{
		plan(freight.Departure, "CNSHA", 10, 1, first), plan(freight.Arrival, "NLRTM", 40, 1, first),
		plan(freight.Departure, "CNSHA", 17, 9, second), plan(freight.Arrival, "NLRTM", 47, 9, second),
		plan(freight.Departure, "CNSHA", 11, 11, first), plan(freight.Arrival, "NLRTM", 41, 20, first),
	}
	loaded := func(day int, changes ...change) LoggedFact {
		return tell(freight.Loading, "CNSHA", day, append([]change{by(freight.ByVessel)}, changes...)...)
	}
	sailed := func(day int, changes ...change) LoggedFact {
		return tell(freight.Departure, "CNSHA", day, append([]change{by(freight.ByVessel), about()}, changes...)...)
	}
	both := tell(freight.Described, "", 0, about(box1, box2))
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string // ETD, ATD; ETA, original; vessel
	}{
		{"planned again", before[:4], "17 -; 47 40; Lucid"},
		{"the last word counts while nothing has happened", before, "11 -; 41 40; King"},
		{"loaded on the second", append(slices.Clone(before), loaded(16, second)), "17 -; 47 40; Lucid"},
		{"loaded on the first after all", append(slices.Clone(before), loaded(10, first)), "11 -; 41 40; King"},
		{"the first left, says somebody", append(slices.Clone(before), loaded(16, second), sailed(11, first, recorded(30)), sailed(17, second)), "17 17; 47 40; Lucid"},
		{"the first left and arrived", append(slices.Clone(before), loaded(16, second), sailed(11, first), tell(freight.Arrival, "NLRTM", 41, by(freight.ByVessel), about(), first)), "17 -; 47 40; Lucid"},
		{"a ship by its name alone", append(slices.Clone(before), loaded(16, on("", "lucid"))), "17 -; 47 40; Lucid"},
		{"a ship that nobody names", append(slices.Clone(before), loaded(16)), "11 -; 41 40; King"},
		{"one of two containers was left behind", append(slices.Clone(before), both, loaded(10, first), loaded(16, second, about(box2))), "11 -; 41 40; King"},
		{"both were left behind", append(slices.Clone(before), loaded(16, second), loaded(16, second, about(box2))), "17 -; 47 40; Lucid"},
	}
	for _, row := range rows {
		for range 2 {
			j := deriveTest(row.facts)
			got := fmt.Sprintf("%s %s; %s %s; %s", dayOfJourney(j.POLETD), dayOfJourney(j.POLATD), dayOfJourney(j.PODETA), dayOfJourney(j.PODOriginalETA), j.PODVessel.Name)
			check(t, row.name, got, row.want)
			slices.Reverse(row.facts)
		}
	}
}

// TestRolledForward: the vessel is that of the last plan of each port, not the one that
// leaves last.
func TestRolledForward(t *testing.T) {
	j := deriveTest([]LoggedFact{
		tell(freight.Loading, "CNSHA", 17, by(freight.ByVessel), class(freight.Planned), first, recorded(1)),
		tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel), class(freight.Planned), second, recorded(2)),
		tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), class(freight.Planned), recorded(3)),
	})
	check(t, "vessel", j.PODVessel.Name, "Lucid")
}

// TestLeftBehind: a container that was left behind has none of the ship's milestones.
func TestLeftBehind(t *testing.T) {
	sea := []LoggedFact{
		tell(freight.Described, "", 0, about(box1, box2)),
		tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), about(), first),
		tell(freight.Arrival, "NLRTM", 41, by(freight.ByVessel), about(), first),
	}
	all := "[vessel_departed@CNSHA vessel_arrived@NLRTM]"
	rows := []struct {
		name string
		fact LoggedFact
		want string // container 1; container 2 always goes with the first ship
	}{
		{"nothing more known", tell(freight.Other, "CNSHA", 12), all},
		{"loaded on the next", tell(freight.Loading, "CNSHA", 16, by(freight.ByVessel), second), "[vessel_loaded@CNSHA]"},
		// A plan removes no milestone until a later plan onto another ship contradicts an
		// unproven departure.
		{"planned for the next", tell(freight.Loading, "CNSHA", 16, by(freight.ByVessel), class(freight.Planned), second, recorded(12)), "[]"},
		{"planned for the next before", tell(freight.Loading, "CNSHA", 16, by(freight.ByVessel), class(freight.Planned), second, recorded(5)), all},
	}
	for _, row := range rows {
		facts := append(slices.Clone(sea), row.fact)
		j := deriveTest(facts)
		check(t, row.name, fmt.Sprint(told(t, j, box1)), row.want)
		check(t, row.name+": the other container", fmt.Sprint(told(t, j, box2)), all)
	}
	// The first ship brought it and sailed on without it. Its later arrival used to count
	// while every ship that had carried a container did.
	met := append(sea, tell(freight.Loading, "CNNKG", 3, by(freight.ByFeeder), first), tell(freight.Loading, "CNSHA", 16, by(freight.ByVessel), second))
	check(t, "aboard once", fmt.Sprint(told(t, deriveTest(met), box1)), "[feeder_loaded@CNNKG vessel_loaded@CNSHA]")
}

// TestDepartureRestatedAfterLoads: a departure that was reported before the loads of other
// containers and then corrected counts by its last version only. Container 1 used to be
// aboard in any case.
func TestDepartureRestatedAfterLoads(t *testing.T) {
	facts := []LoggedFact{
		tell(freight.Described, "", 0, about(box1, box2)),
		tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), about(), first, recorded(12)),
		tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel), about(box2), first, recorded(13)),
		tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), about(), first, recorded(14)),
	}
	facts[1].ID, facts[3].ID = "sailing", "sailing"
	alone := slices.Delete(slices.Clone(facts), 1, 2)
	check(t, "without the first report", fmt.Sprint(told(t, deriveTest(alone), box1)), "[]")
	check(t, "with it", fmt.Sprint(told(t, deriveTest(facts), box1)), "[]")
}

// TestGateInBeforeTheVoyage: without a stated destination, a plan after the sea voyage can
// give it. Moves of the container there before it sailed keep their meaning. They used to
// be arrivals at the destination.
func TestGateInBeforeTheVoyage(t *testing.T) {
	facts := []LoggedFact{
		tell(freight.GateIn, "CNNKG", 2, func(f *LoggedFact) { f.LoadStatus = freight.Laden }),
		tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel), first),
		tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), first),
		tell(freight.Arrival, "NLRTM", 41, by(freight.ByVessel), first),
		tell(freight.Discharge, "NLRTM", 42, by(freight.ByVessel), first),
		tell(freight.Departure, "NLRTM", 43, by(freight.ByRail), class(freight.Planned)),
		tell(freight.GateIn, "CNNKG", 50, class(freight.Planned), func(f *LoggedFact) { f.LoadStatus = freight.Laden }),
	}
	j := deriveTest(facts)
	check(t, "destination", j.Destination.LOCODE, "CNNKG")
	check(t, "milestone", fmt.Sprint(told(t, j, box1)[0]), "full_in@CNNKG")
}

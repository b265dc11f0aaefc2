package journey

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
)

const (
	box1 = "CSQU3054383"
	box2 = "MSKU9465770"
)

// change alters a fact of a table.
type change func(*LoggedFact)

// tell returns an actual fact of the line about box1, on a day of the journey and recorded
// on that day.
func tell(w freight.Activity, locode string, onDay int, changes ...change) LoggedFact {
	at := day0.AddDate(0, 0, onDay)
	f := LoggedFact{Source: "dcsa", DataSource: freight.FromShippingLine, SCAC: "MAEU", Fact: freight.Fact{
		Activity: w, Place: freight.Place{LOCODE: locode}, At: freight.Moment{Time: at}, RecordedAt: at, Containers: []string{box1},
	}}
	for _, c := range changes {
		c(&f)
	}
	return f
}

func by(m freight.Mode) change          { return func(f *LoggedFact) { f.Mode = m } }
func load(l freight.LoadStatus) change  { return func(f *LoggedFact) { f.LoadStatus = l } }
func class(c freight.Classifier) change { return func(f *LoggedFact) { f.Classifier = c } }
func id(s string) change                { return func(f *LoggedFact) { f.ID = s } }
func source(s string) change            { return func(f *LoggedFact) { f.Source = s } }
func from(s freight.DataSource) change  { return func(f *LoggedFact) { f.DataSource = s } }
func recorded(onDay int) change {
	return func(f *LoggedFact) { f.RecordedAt = day0.AddDate(0, 0, onDay) }
}
func came(number int64) change { return func(f *LoggedFact) { f.Arrival = number } }
func on(imo, name string) change {
	return func(f *LoggedFact) { f.Vessel = freight.VesselRef{IMO: imo, Name: name} }
}
func about(b ...string) change            { return func(f *LoggedFact) { f.Containers = b } }
func in(r freight.Role) change            { return func(f *LoggedFact) { f.Place.Role = r } }
func at(m freight.Moment) change          { return func(f *LoggedFact) { f.At = m } }
func says(t freight.TerminalFacts) change { return func(f *LoggedFact) { f.Terminal = &t } }
func facility(kind, smdg string) change {
	return func(f *LoggedFact) { f.Place.FacilityType, f.Place.SMDG = kind, smdg }
}
func retract(i string, onDay int) LoggedFact {
	return tell("", "", onDay, id(i), about(), func(f *LoggedFact) { f.Retracted, f.At = true, freight.Moment{} })
}

// overSea returns the facts of a line about a voyage: loaded on day 10 in Shanghai, by way
// of Singapore, discharged on day 41 in Rotterdam.
func overSea() []LoggedFact {
	return []LoggedFact{
		tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel)), tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel)),
		tell(freight.Discharge, "SGSIN", 20, by(freight.ByVessel)), tell(freight.Loading, "SGSIN", 22, by(freight.ByVessel)),
		tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel)), tell(freight.Discharge, "NLRTM", 41, by(freight.ByVessel)),
	}
}

func toDuisburg() LoggedFact {
	return tell(freight.Route, "DEDUI", 1, in(freight.RoleDestination), about())
}

func containerOf(t *testing.T, j Journey, number string) ContainerJourney {
	t.Helper()
	for _, c := range j.Containers {
		if c.Number == number {
			return c
		}
	}
	t.Fatalf("no container %s in %d", number, len(j.Containers))
	return ContainerJourney{}
}

// told returns the milestones of a container as "event@place".
func told(t *testing.T, j Journey, number string) []string {
	t.Helper()
	list := []string{}
	for _, m := range containerOf(t, j, number).Milestones {
		name := strings.TrimPrefix(string(m.Event), "container.transport.")
		if m.Event == freight.ArrivedAtDestination {
			name = rawName(m.Event)
		}
		list = append(list, name+"@"+m.Place.LOCODE)
	}
	return list
}

func dayOfJourney(m freight.Moment) string {
	if m.IsZero() {
		return "-"
	}
	return fmt.Sprint(int(m.Time.Sub(day0).Hours() / 24))
}

func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestMilestoneOfEachMove: the milestones and the raw name of one fact, added to a voyage
// with the destination Duisburg. "" means none.
func TestMilestoneOfEachMove(t *testing.T) {
	rows := []struct {
		fact       LoggedFact
		milestones string // besides those of the voyage
		raw        string
	}{
		// Gates of the origin.
		{tell(freight.GateOut, "CNSHA", 1, load(freight.Empty)), "empty_out@CNSHA", "empty_out"},
		{tell(freight.GateIn, "CNSHA", 5, load(freight.Laden)), "full_in@CNSHA", "full_in"},
		{tell(freight.GateOut, "CNNKG", 1, load(freight.Empty)), "empty_out@CNNKG", "empty_out"}, // a depot inland, before the vessel
		{tell(freight.GateIn, "CNNKG", 5, load(freight.Laden)), "full_in@CNNKG", "full_in"},
		{tell(freight.GateOut, "CNSHA", 1, load(freight.Laden)), "", ""},                                               // laden out of the origin: no milestone
		{tell(freight.GateIn, "CNSHA", 1, load(freight.Empty)), "", "positioned_in"},                                   // positioning
		{tell(freight.GateIn, "CNNKG", 1, load(freight.Empty)), "", "positioned_in"},                                   // the same inland
		{tell(freight.GateOut, "CNSHA", 50, load(freight.Laden)), "", ""},                                              // the POL is origin, whatever the time
		{tell(freight.GateOut, "CNNKG", 1, load(freight.Empty), at(freight.Moment{})), "empty_out@CNNKG", "empty_out"}, // without a time: the usual meaning
		// Gates of the destination.
		{tell(freight.GateOut, "NLRTM", 44, load(freight.Laden)), "", ""}, // on the way to Duisburg
		{tell(freight.GateOut, "DEDUI", 50, load(freight.Laden)), "full_out@DEDUI", "full_out"},
		{tell(freight.GateOut, "BEANR", 44, load(freight.Laden)), "", ""}, // elsewhere, on the way to Duisburg
		{tell(freight.GateIn, "NLRTM", 55, load(freight.Empty)), "empty_in@NLRTM", "empty_in"},
		{tell(freight.GateIn, "BEANR", 55, load(freight.Empty)), "empty_in@BEANR", "empty_in"},
		{tell(freight.GateIn, "DEDUI", 48, load(freight.Laden)), "arrived_at_destination@DEDUI", "arrived_at_destination"},
		{tell(freight.GateIn, "NLRTM", 42, load(freight.Laden)), "", ""},
		{tell(freight.GateIn, "BEANR", 48, load(freight.Laden)), "", ""},
		{tell(freight.GateOut, "NLRTM", 60, load(freight.Empty)), "", "positioned_out"},
		{tell(freight.GateOut, "BEANR", 60, load(freight.Empty)), "", "positioned_out"},
		{tell(freight.GateOut, "SGSIN", 21, load(freight.Laden)), "", ""}, // between terminals
		{tell(freight.GateIn, "SGSIN", 21, load(freight.Laden)), "", ""},
		{tell(freight.GateOut, "NLRTM", 44), "", ""}, // empty or laden?
		// The main vessel.
		{tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel), id("x")), "vessel_loaded@CNSHA", "vessel_loaded"},
		{tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), id("x")), "vessel_departed@CNSHA", "vessel_departed"},
		{tell(freight.Arrival, "CNSHA", 9, by(freight.ByVessel)), "", ""},
		{tell(freight.Discharge, "CNSHA", 10, by(freight.ByVessel)), "", ""},
		{tell(freight.Arrival, "SGSIN", 19, by(freight.ByVessel)), "transshipment_arrived@SGSIN", "transshipment_arrived"},
		{tell(freight.Discharge, "SGSIN", 20, by(freight.ByVessel), id("x")), "transshipment_discharged@SGSIN", "transshipment_discharged"},
		{tell(freight.Loading, "SGSIN", 22, by(freight.ByVessel), id("x")), "transshipment_loaded@SGSIN", "transshipment_loaded"},
		{tell(freight.Departure, "SGSIN", 23, by(freight.ByVessel)), "transshipment_departed@SGSIN", "transshipment_departed"},
		{tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), id("x")), "vessel_arrived@NLRTM", "vessel_arrived"},
		{tell(freight.Discharge, "NLRTM", 41, by(freight.ByVessel), id("x")), "vessel_discharged@NLRTM", "vessel_discharged"},
		{tell(freight.Arrival, "", 30, by(freight.ByVessel)), "", ""},
		// Berthing: only at the POD, and only of a ship. It has no raw name.
		{tell(freight.Berth, "NLRTM", 40, by(freight.ByVessel)), "vessel_berthed@NLRTM", ""},
		{tell(freight.Berth, "NLRTM", 40), "vessel_berthed@NLRTM", ""},
		{tell(freight.Berth, "NLRTM", 40, about()), "vessel_berthed@NLRTM", ""},
		{tell(freight.Berth, "NLRTM", 40, class(freight.Estimated)), "", ""},
		{tell(freight.Berth, "NLRTM", 40, by(freight.ByBarge)), "", ""},
		{tell(freight.Berth, "SGSIN", 19, by(freight.ByVessel)), "", ""},
		{tell(freight.Berth, "CNSHA", 9, by(freight.ByVessel)), "", ""},
		// No mode: a ship's name or a port terminal means a main vessel.
		{tell(freight.Departure, "SGSIN", 23, on("9321483", "")), "transshipment_departed@SGSIN", "transshipment_departed"},
		{tell(freight.Departure, "SGSIN", 23, facility("POTE", "")), "transshipment_departed@SGSIN", "transshipment_departed"},
		{tell(freight.Departure, "SGSIN", 23), "", ""},
		{tell(freight.Departure, "SGSIN", 23, by("mule")), "", ""},
		// Feeders and barges, at any place.
		{tell(freight.Loading, "CNNKG", 3, by(freight.ByFeeder)), "feeder_loaded@CNNKG", "feeder_loaded"},
		{tell(freight.Departure, "CNNKG", 3, by(freight.ByBarge)), "feeder_departed@CNNKG", "feeder_departed"},
		{tell(freight.Arrival, "CNSHA", 6, by(freight.ByFeeder)), "feeder_arrived@CNSHA", "feeder_arrived"},
		{tell(freight.Discharge, "CNSHA", 6, by(freight.ByBarge)), "feeder_discharged@CNSHA", "feeder_discharged"},
		{tell(freight.Arrival, "DEDUI", 46, by(freight.ByBarge)), "feeder_arrived@DEDUI arrived_at_destination@DEDUI", "feeder_arrived"},
		// Rail and road.
		{tell(freight.Loading, "NLRTM", 43, by(freight.ByRail)), "rail_loaded@NLRTM", "rail_loaded"},
		{tell(freight.Departure, "NLRTM", 43, by(freight.ByRail)), "rail_departed@NLRTM", "rail_departed"},
		{tell(freight.Arrival, "BEANR", 44, by(freight.ByRail)), "rail_arrived@BEANR", "rail_arrived"},
		{tell(freight.Arrival, "DEDUI", 45, by(freight.ByRail)), "rail_arrived@DEDUI arrived_at_destination@DEDUI", "rail_arrived"},
		{tell(freight.Discharge, "DEDUI", 45, by(freight.ByRail)), "rail_unloaded@DEDUI", "rail_unloaded"},
		{tell(freight.Arrival, "DEDUI", 45, by(freight.ByTruck)), "arrived_at_destination@DEDUI", "arrived_at_destination"},
		{tell(freight.Arrival, "BEANR", 45, by(freight.ByTruck)), "", ""},
		// Delivery.
		{tell(freight.Delivery, "DEDUI", 47, load(freight.Laden)), "delivered@DEDUI", "delivered"},
		{tell(freight.Delivery, "", 47), "delivered@", "delivered"},
		{tell(freight.Delivery, "DEDUI", 47, load(freight.Empty)), "", ""},
		{tell(freight.Delivery, "DEDUI", 47, load(freight.Empty), from(freight.ByHand)), "delivered@DEDUI", "delivered"},
		// Estimates and plans have a raw name and make no milestone.
		{tell(freight.Departure, "SGSIN", 23, by(freight.ByVessel), class(freight.Estimated)), "", "transshipment_departed"},
		{tell(freight.GateOut, "DEDUI", 50, load(freight.Laden), class(freight.Planned)), "", "full_out"},
		{tell(freight.Delivery, "DEDUI", 47, class("guessed")), "", "delivered"},
		// No moves.
		{tell(freight.PickupAvailable, "NLRTM", 43), "available@NLRTM", "available"},
		{tell(freight.PickupAvailable, "DEDUI", 48), "available@DEDUI", "available"},
		{tell(freight.PickupAvailable, "CNSHA", 5), "", "available"}, // an empty container for the shipper
		{tell(freight.PickupUnavailable, "NLRTM", 43), "", ""},
		{tell(freight.CustomsHold, "NLRTM", 43), "", ""},
		{tell(freight.CustomsRelease, "NLRTM", 43), "", "customs_release"},
		{tell(freight.TerminalStatus, "NLRTM", 43), "", ""},
		{tell(freight.Booked, "", 1), "", ""},
		{tell(freight.Described, "", 1), "", ""},
		{tell(freight.Other, "NLRTM", 43), "", ""},
		{tell("unheard_of", "NLRTM", 43), "", ""},
	}
	voyage := append(overSea(), toDuisburg(), tell(freight.Route, "NLRTM", 1, in(freight.RolePOD), about()))
	usual := told(t, deriveTest(voyage), box1)
	for _, row := range rows {
		f := row.fact
		name := fmt.Sprint(f.Activity, " ", f.Place.LOCODE, " ", f.Mode, " ", f.LoadStatus, " ", f.Classifier)
		// The equal fact of the voyage is left out.
		facts := slices.DeleteFunc(slices.Clone(voyage), func(g LoggedFact) bool {
			return f.ID == "x" && g.Activity == f.Activity && g.Place.LOCODE == f.Place.LOCODE && g.Mode == f.Mode
		})
		without := usual
		if f.ID == "x" {
			without = slices.DeleteFunc(slices.Clone(usual), func(s string) bool { return s == row.milestones })
		}
		j := deriveTest(append(facts, f))
		var got []string
		for _, m := range told(t, j, box1) {
			if !slices.Contains(without, m) {
				got = append(got, m)
			}
		}
		check(t, name+": milestones", strings.Join(got, " "), row.milestones)
		check(t, name+": raw name", j.Facts[len(facts)].Event, row.raw)
	}
}

func TestGateOnTheDayOfLoading(t *testing.T) {
	date := freight.Moment{Time: day0.AddDate(0, 0, 10).Truncate(24 * time.Hour), Day: true}
	j := deriveTest([]LoggedFact{
		tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel), at(date)),
		tell(freight.GateIn, "CNNKG", 10, load(freight.Laden)), // at 8:00; the load has only a date
	})
	check(t, "milestones", fmt.Sprint(told(t, j, box1)), "[vessel_loaded@CNSHA full_in@CNNKG]")
}

func TestGateAtAnUnknownPlaceOnTheDayOfLoading(t *testing.T) {
	// The wall clock of an unknown place can be off by half a day.
	f := tell(freight.GateOut, "", 10, load(freight.Laden), func(f *LoggedFact) { f.At.Floating, f.At.Time = true, f.At.Time.Add(-6*time.Hour) })
	f.Place.Facility = "Depot 7"
	j := deriveTest([]LoggedFact{tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel)), f})
	check(t, "milestones", fmt.Sprint(told(t, j, box1)), "[full_out@ vessel_loaded@CNSHA]")
	f.At.Time = f.At.Time.Add(-24 * time.Hour)
	j = deriveTest([]LoggedFact{tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel)), f})
	check(t, "a day before", fmt.Sprint(told(t, j, box1)), "[vessel_loaded@CNSHA]")
}

func TestRawNameOfAGateMoveOfSeveralBoxes(t *testing.T) {
	facts := []LoggedFact{
		tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel)), tell(freight.Loading, "CNSHA", 30, by(freight.ByVessel), about(box2)),
		tell(freight.GateOut, "BEANR", 20, load(freight.Empty), about(box1, box2)), // after one container sailed, before the other did
		tell(freight.GateOut, "BEANR", 5, load(freight.Empty), about(box1, box2)),
		tell(freight.GateOut, "BEANR", 5, load(freight.Empty), about()),
	}
	j := deriveTest(facts)
	check(t, "raw", fmt.Sprintf("%q %q %q", j.Facts[2].Event, j.Facts[3].Event, j.Facts[4].Event), `"" "empty_out" "empty_out"`)
	check(t, "container 1", fmt.Sprint(told(t, j, box1)), "[empty_out@BEANR vessel_loaded@CNSHA]")
	check(t, "container 2", fmt.Sprint(told(t, j, box2)), "[empty_out@BEANR empty_out@BEANR vessel_loaded@CNSHA]")
}

func TestGateBeforeAnExpectedSailing(t *testing.T) {
	for name, sailing := range map[string]LoggedFact{
		"of the container": tell(freight.Departure, "CNSHA", 10, by(freight.ByVessel), class(freight.Planned)),
		"of the shipment":  tell(freight.Departure, "CNSHA", 10, by(freight.ByVessel), class(freight.Estimated), about()),
	} {
		j := deriveTest([]LoggedFact{
			sailing, tell(freight.GateIn, "CNNKG", 4, load(freight.Empty), id("in")), tell(freight.GateOut, "CNNKG", 5, load(freight.Empty)), tell(freight.GateOut, "NLRTM", 40, load(freight.Laden)),
		})
		check(t, name, fmt.Sprint(told(t, j, box1)), "[empty_out@CNNKG full_out@NLRTM]")
		check(t, name+": raw", j.Facts[1].Event, "positioned_in")
	}
}

// TestGateInStandsForTheArrivalOnlyAlone: a laden gate-in at the place of delivery is the
// arrival only if no arrival is reported.
func TestGateInStandsForTheArrivalOnlyAlone(t *testing.T) {
	facts := append(overSea(), toDuisburg(),
		tell(freight.GateIn, "DEDUI", 60, load(freight.Laden), from(freight.ByHand)), tell(freight.Arrival, "DEDUI", 45, by(freight.ByRail)))
	c := containerOf(t, deriveTest(facts), box1)
	check(t, "arrival", dayOfJourney(c.INDATA), "45")
	check(t, "milestones", len(c.Milestones), 6+2)
}

func TestVersions(t *testing.T) {
	arrival := func(day int, changes ...change) LoggedFact {
		return tell(freight.Arrival, "NLRTM", day, append([]change{by(freight.ByVessel), id("a"), recorded(day)}, changes...)...)
	}
	pol := tell(freight.Departure, "CNSHA", 10, by(freight.ByVessel))
	rows := []struct {
		name       string
		facts      []LoggedFact
		ata        string
		superseded string // of the facts after the departure
	}{
		{"one", []LoggedFact{arrival(40)}, "40", "[false]"},
		{"the later wins", []LoggedFact{arrival(42), arrival(41)}, "42", "[false true]"},
		{"two sources are two facts, the later recorded tells the time", []LoggedFact{arrival(42), arrival(41, source("ais"))}, "42", "[false false]"},
		{"retracted", []LoggedFact{arrival(40), retract("a", 50)}, "-", "[true true]"},
		{"retracted in the same second", []LoggedFact{arrival(40), retract("a", 40)}, "-", "[true true]"},
		{"retracted before", []LoggedFact{arrival(40), retract("a", 39)}, "40", "[false true]"},
		{"revived", []LoggedFact{arrival(40), retract("a", 41), arrival(42)}, "42", "[true true false]"},
		{"retracted by another source", []LoggedFact{arrival(40, source("ais")), retract("a", 50)}, "40", "[false true]"},
		{"an estimate after the actual", []LoggedFact{arrival(40), arrival(41, class(freight.Estimated))}, "40", "[false true]"},
		{"an estimate after the retracted actual", []LoggedFact{arrival(40), retract("a", 41), arrival(42, class(freight.Estimated))}, "-", "[true true false]"},
		{"said twice", []LoggedFact{arrival(40), arrival(40)}, "40", "[false true]"},
		{"said twice without ID", []LoggedFact{arrival(40, id("")), arrival(40, id(""), recorded(44))}, "40", "[true false]"},
		{"a retraction without ID", []LoggedFact{arrival(40, id("")), retract("", 50)}, "40", "[false true]"},
		{"by hand", []LoggedFact{arrival(40, source("manual"), from(freight.ByHand)), arrival(43)}, "40", "[false false]"},
	}
	for _, row := range rows {
		j := deriveTest(append([]LoggedFact{pol}, row.facts...))
		check(t, row.name+": ATA", dayOfJourney(j.PODATA), row.ata)
		var got []bool
		for _, o := range j.Facts[1:] {
			got = append(got, o.Superseded)
		}
		check(t, row.name+": superseded", fmt.Sprint(got), row.superseded)
	}
}

// TestVersionsOfOneTime: at equal times the content decides, not the order of the list.
func TestVersionsOfOneTime(t *testing.T) {
	a := tell(freight.Departure, "CNSHA", 10, by(freight.ByVessel), id("a"))
	b := tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), id("a"), recorded(10))
	check(t, "departure", deriveTest([]LoggedFact{a, b}).POLATD, deriveTest([]LoggedFact{b, a}).POLATD)
}

func TestRoles(t *testing.T) {
	load1, dep := tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel)), tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel))
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string // POL transshipments POD destination
	}{
		{"a voyage", overSea(), "CNSHA [SGSIN] NLRTM -"},
		{"inbound alone", []LoggedFact{tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel))}, "- [] - -"},
		{"outbound alone", []LoggedFact{load1, dep}, "CNSHA [] - -"},
		{"all planned", []LoggedFact{
			tell(freight.Departure, "CNSHA", 10, by(freight.ByVessel), class(freight.Planned)), tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), class(freight.Planned)),
		}, "CNSHA [] NLRTM -"},
		{"taken on from the last port", []LoggedFact{
			load1, tell(freight.Discharge, "SGSIN", 20, by(freight.ByVessel)), tell(freight.Loading, "SGSIN", 22, by(freight.ByVessel)),
		}, "CNSHA [SGSIN] - -"},
		{"a call between", []LoggedFact{load1, tell(freight.Arrival, "LKCMB", 25, by(freight.ByVessel)), tell(freight.Discharge, "NLRTM", 41, by(freight.ByVessel))}, "CNSHA [LKCMB] NLRTM -"},
		{"a call before the POL", []LoggedFact{
			tell(freight.Route, "CNSHA", 0, in(freight.RolePOL)), load1, tell(freight.Arrival, "CNNGB", 2, by(freight.ByVessel)), tell(freight.Departure, "CNNGB", 3, by(freight.ByVessel)), tell(freight.Discharge, "NLRTM", 41, by(freight.ByVessel)),
		}, "CNSHA [] NLRTM -"},
		{"a call after the POD", []LoggedFact{
			tell(freight.Route, "NLRTM", 0, in(freight.RolePOD)), load1, tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel)), tell(freight.Arrival, "BEANR", 45, by(freight.ByVessel)), tell(freight.Departure, "BEANR", 46, by(freight.ByVessel)),
		}, "CNSHA [] NLRTM -"},
		{"two transshipments in the order of calls", append(overSea(), tell(freight.Arrival, "LKCMB", 15, by(freight.ByVessel)), tell(freight.Departure, "LKCMB", 16, by(freight.ByVessel))), "CNSHA [LKCMB SGSIN] NLRTM -"},
		{"aliases", []LoggedFact{load1, tell(freight.Departure, "CNSGH", 11, by(freight.ByVessel)), tell(freight.Arrival, "NLROT", 40, by(freight.ByVessel)), tell(freight.Discharge, "nl rtm", 41, by(freight.ByVessel))}, "CNSHA [] NLRTM -"},
		{"stated beats the order of calls", append(overSea(), tell(freight.Route, "BEANR", 1, in(freight.RolePOD))), "CNSHA [SGSIN NLRTM] BEANR -"},
		{"the latest statement counts", []LoggedFact{tell(freight.Route, "BEANR", 1, in(freight.RolePOD)), tell(freight.Route, "NLRTM", 2, in(freight.RolePOD))}, "- [] NLRTM -"},
		{"a person's statement counts", []LoggedFact{tell(freight.Route, "BEANR", 1, in(freight.RolePOD), from(freight.ByHand)), tell(freight.Route, "NLRTM", 2, in(freight.RolePOD))}, "- [] BEANR -"},
		{"stated with a move", []LoggedFact{tell(freight.Discharge, "NLRTM", 41, by(freight.ByVessel), in(freight.RolePOD))}, "- [] NLRTM -"},
		{"a stated transshipment", []LoggedFact{load1, tell(freight.Discharge, "SGSIN", 20, by(freight.ByVessel), in(freight.RoleTS))}, "CNSHA [SGSIN] - -"},
		{"a port that lost its role follows the calls", append(overSea(), tell(freight.Route, "NLRTM", 1, in(freight.RolePOL)), tell(freight.Route, "CNSHA", 2, in(freight.RolePOL))), "CNSHA [SGSIN] NLRTM -"},
		{"destination", append(overSea(), toDuisburg()), "CNSHA [SGSIN] NLRTM DEDUI"},
		{"a destination at the POD is none", append(overSea(), tell(freight.Route, "NLROT", 1, in(freight.RoleDestination))), "CNSHA [SGSIN] NLRTM -"},
		{"rail makes no role", []LoggedFact{load1, tell(freight.Arrival, "DEDUI", 50, by(freight.ByRail))}, "CNSHA [] - -"},
		{"without times, one of each", []LoggedFact{
			tell(freight.Loading, "CNSHA", 0, by(freight.ByVessel), at(freight.Moment{})), tell(freight.Discharge, "NLRTM", 0, by(freight.ByVessel), at(freight.Moment{})),
		}, "CNSHA [] NLRTM -"},
		{"without times, several", []LoggedFact{
			tell(freight.Loading, "CNSHA", 0, by(freight.ByVessel), at(freight.Moment{})), tell(freight.Loading, "CNNGB", 0, by(freight.ByVessel), at(freight.Moment{})),
		}, "- [] - -"},
		{"actual calls order the ports, not old estimates", []LoggedFact{
			tell(freight.Departure, "CNSHA", 30, by(freight.ByVessel), class(freight.Estimated)), load1,
			tell(freight.Discharge, "SGSIN", 20, by(freight.ByVessel)), tell(freight.Loading, "SGSIN", 22, by(freight.ByVessel)), tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), class(freight.Estimated)),
		}, "CNSHA [SGSIN] NLRTM -"},
		{"the latest estimate orders the ports", []LoggedFact{
			load1, tell(freight.Arrival, "BEANR", 50, by(freight.ByVessel), class(freight.Estimated), id("a"), recorded(1)),
			tell(freight.Arrival, "BEANR", 30, by(freight.ByVessel), class(freight.Estimated), id("b"), recorded(2)), tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), class(freight.Estimated)),
		}, "CNSHA [BEANR] NLRTM -"},
		{"a superseded call does not count", append(overSea(), tell(freight.Arrival, "BEANR", 50, by(freight.ByVessel), id("b")), retract("b", 60)), "CNSHA [SGSIN] NLRTM -"},
		{"a place without LOCODE takes a stated role only", []LoggedFact{
			tell(freight.Loading, "", 10, by(freight.ByVessel), func(f *LoggedFact) { f.Place.Name = "Shanghai" }),
			tell(freight.Route, "", 1, in(freight.RolePOD), func(f *LoggedFact) { f.Place.Name = "Rotterdam" }),
		}, "- [] (Rotterdam) -"},
	}
	for _, row := range rows {
		check(t, row.name, rolesOf(deriveTest(row.facts)), row.want)
		slices.Reverse(row.facts)
		check(t, row.name+", reversed", rolesOf(deriveTest(row.facts)), row.want)
	}
}

func rolesOf(j Journey) string {
	name := func(p freight.Place) string {
		switch {
		case p == freight.Place{}:
			return "-"
		case p.LOCODE == "":
			return "(" + p.Name + ")"
		}
		return p.LOCODE
	}
	var ts []string
	for _, p := range j.Transshipments {
		ts = append(ts, name(p))
	}
	return fmt.Sprint(name(j.POL), " ", ts, " ", name(j.POD), " ", name(j.Destination))
}

// TestLateKnowledgeRenamesTheDischarge: the same discharge is a raw event, then at the
// POD, then at a transshipment port, as more becomes known.
func TestLateKnowledgeRenamesTheDischarge(t *testing.T) {
	facts := []LoggedFact{tell(freight.Discharge, "SGSIN", 20, by(freight.ByVessel))}
	check(t, "alone", fmt.Sprint(told(t, deriveTest(facts), box1)), "[]")
	facts = append(facts, tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel)))
	check(t, "after the POL", fmt.Sprint(told(t, deriveTest(facts), box1)), "[vessel_loaded@CNSHA vessel_discharged@SGSIN]")
	facts = append(facts, tell(freight.Route, "NLRTM", 30, in(freight.RolePOD)))
	facts = append(facts, tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), class(freight.Estimated)))
	check(t, "after the POD", fmt.Sprint(told(t, deriveTest(facts), box1)), "[vessel_loaded@CNSHA transshipment_discharged@SGSIN]")
}

func TestPortsAndFacilities(t *testing.T) {
	j := deriveTest(append(overSea(),
		tell(freight.Arrival, "NLRTM", 39, by(freight.ByVessel), facility("POTE", "APMII"), about(), class(freight.Estimated)),
		tell(freight.GateOut, "NLRTM", 45, load(freight.Laden), facility("POTE", "ECTDL")),
		tell(freight.GateIn, "NLRTM", 60, load(freight.Empty), facility("DEPO", "MEDE")),
		tell(freight.GateIn, "CNSHA", 5, load(freight.Laden), facility("POTE", "YSP")),
		toDuisburg(),
		tell(freight.TerminalStatus, "DEDUI", 50, facility("RAMP", "DIT"), says(freight.TerminalFacts{Yard: "A"})),
	))
	check(t, "POL", j.POL, freight.Place{LOCODE: "CNSHA", Name: "Shanghai", SMDG: "YSP", FacilityType: "POTE", Role: freight.RolePOL})
	check(t, "POD", j.POD, freight.Place{LOCODE: "NLRTM", Name: "Rotterdam", SMDG: "ECTDL", FacilityType: "POTE", Role: freight.RolePOD})
	check(t, "destination", j.Destination, freight.Place{LOCODE: "DEDUI", Name: "Duisburg", SMDG: "DIT", FacilityType: "RAMP", Role: freight.RoleDestination})
	check(t, "zones", j.POLZone+" "+j.PODZone+" "+j.DestZone, "Asia/Shanghai Europe/Amsterdam Europe/Berlin")
}

func TestMoments(t *testing.T) {
	noon := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	date := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	rows := []struct {
		name string
		at   freight.Moment
		zone string
		want string // RFC 3339, zone, d for a day, f for floating
	}{
		{"instant", freight.Moment{Time: noon}, "America/New_York", "2026-07-01T12:00:00Z America/New_York"},
		{"instant with an offset", freight.Moment{Time: noon.In(time.FixedZone("", 7200))}, "", "2026-07-01T12:00:00Z "},
		{"wall clock", freight.Moment{Time: noon, Floating: true}, "America/New_York", "2026-07-01T16:00:00Z America/New_York"},
		{"wall clock nowhere", freight.Moment{Time: noon, Floating: true}, "", "2026-07-01T12:00:00Z f"},
		{"date", freight.Moment{Time: date, Day: true, Floating: true}, "America/New_York", "2026-07-01T04:00:00Z America/New_Yorkd"},
		{"date, not marked as floating", freight.Moment{Time: date, Day: true}, "Asia/Shanghai", "2026-06-30T16:00:00Z Asia/Shanghaid"},
		{"date as a local midnight", freight.Moment{Time: date.Add(4 * time.Hour), Day: true}, "America/New_York", "2026-07-01T04:00:00Z America/New_Yorkd"},
		{"date in a zone of its own", freight.Moment{Time: date.Add(4 * time.Hour), Day: true, Zone: "America/New_York"}, "Europe/Berlin", "2026-06-30T22:00:00Z Europe/Berlind"},
		{"date nowhere", freight.Moment{Time: noon, Day: true}, "", "2026-07-01T00:00:00Z df"},
		{"the place's zone before the source's", freight.Moment{Time: noon, Zone: "Europe/Paris"}, "Asia/Shanghai", "2026-07-01T12:00:00Z Asia/Shanghai"},
		{"the source's zone where the place has none", freight.Moment{Time: noon, Zone: "Europe/Paris"}, "", "2026-07-01T12:00:00Z Europe/Paris"},
		{"a zone that is none", freight.Moment{Time: noon, Zone: "Mars/Base"}, "", "2026-07-01T12:00:00Z "},
		{"the machine's zone is none", freight.Moment{Time: noon, Zone: "Local"}, "", "2026-07-01T12:00:00Z "},
		{"a day without midnight", freight.Moment{Time: time.Date(2024, 4, 26, 0, 0, 0, 0, time.UTC), Day: true}, "Africa/Cairo", "2024-04-25T22:00:00Z Africa/Cairod"},
		{"another", freight.Moment{Time: time.Date(2018, 11, 4, 0, 0, 0, 0, time.UTC), Day: true}, "America/Sao_Paulo", "2018-11-04T03:00:00Z America/Sao_Paulod"},
		{"none", freight.Moment{}, "Asia/Shanghai", "0001-01-01T00:00:00Z "},
		{"no year of ours", freight.Moment{Time: time.Date(20260, 1, 1, 0, 0, 0, 0, time.UTC)}, "Asia/Shanghai", "0001-01-01T00:00:00Z "},
	}
	for _, row := range rows {
		m := row.at.Localize(row.zone)
		got := m.Time.Format(time.RFC3339) + " " + m.Zone
		if m.Day {
			got += "d"
		}
		if m.Floating {
			got += "f"
		}
		check(t, row.name, got, row.want)
	}
}

// TestWholeShipmentFacts: a departure of the whole shipment counts for every container,
// except those on another ship.
func TestWholeShipmentFacts(t *testing.T) {
	ship := on("9321483", "King of the Seas")
	departure := tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), ship, about())
	rows := []struct {
		name string
		own  change // the ship of the second container
		want string
	}{
		{"the same IMO, another spelling", on("9321483", "KING"), "[vessel_loaded@CNSHA vessel_departed@CNSHA]"},
		{"the same name without IMO", on("", "king of  the seas"), "[vessel_loaded@CNSHA vessel_departed@CNSHA]"},
		{"no ship", on("", ""), "[vessel_loaded@CNSHA vessel_departed@CNSHA]"},
		{"another IMO", on("9770749", "King of the Seas"), "[vessel_loaded@CNSHA]"},
		{"another name", on("", "Ever Lucid"), "[vessel_loaded@CNSHA]"},
		{"another IMO alone", on("9770749", ""), "[vessel_loaded@CNSHA]"},
	}
	for _, row := range rows {
		facts := []LoggedFact{
			departure,
			tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel), ship), tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel), row.own, about(box2)),
			tell(freight.Loading, "CNSHA", 9, by(freight.ByVessel), on("9770749", "Ever Lucid"), class(freight.Planned)), // a plan excludes nothing
			tell(freight.Discharge, "NLRTM", 40, by(freight.ByVessel), about()),                                          // counts for the shipment only
		}
		j := deriveTest(facts)
		check(t, row.name+": container 1", fmt.Sprint(told(t, j, box1)), "[vessel_loaded@CNSHA vessel_departed@CNSHA]")
		check(t, row.name+": container 2", fmt.Sprint(told(t, j, box2)), row.want)
		check(t, row.name+": ATD", dayOfJourney(j.POLATD), "11")
	}
}

func TestFollowedContainer(t *testing.T) {
	followed := []freight.ShipmentNumber{{Type: freight.ContainerNumber, Number: "csqu 305438-3"}}
	j := derive(followed, []LoggedFact{tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), about())}, places)
	check(t, "milestones", fmt.Sprint(told(t, j, box1)), "[vessel_departed@CNSHA]")
	check(t, "without facts", len(derive(followed, nil, places).Containers), 0)
}

func TestOneMilestoneForEachVisit(t *testing.T) {
	loading := func(day, rec int, changes ...change) LoggedFact {
		return tell(freight.Loading, "CNSHA", day, append([]change{by(freight.ByVessel), recorded(rec), id(fmt.Sprint(day, rec))}, changes...)...)
	}
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string // days, by leg
	}{
		{"two sources", []LoggedFact{loading(10, 10), loading(11, 12, source("terminal"))}, "[11]"},
		{"the latest recorded", []LoggedFact{loading(10, 12), loading(11, 11)}, "[10]"},
		{"by hand", []LoggedFact{loading(10, 10, from(freight.ByHand)), loading(11, 12)}, "[10]"},
		{"a time beats none, even by hand", []LoggedFact{loading(10, 10), loading(0, 12, at(freight.Moment{}), from(freight.ByHand))}, "[10]"},
		{"no time at all", []LoggedFact{loading(0, 12, at(freight.Moment{}))}, "[-]"},
		{"seven days are one visit", []LoggedFact{loading(10, 10), loading(17, 17)}, "[17]"},
		// Both loads used to count. A later load at the port that the container has not left
		// now replaces the earlier one.
		{"eight days are two, and the container was shut out of the first", []LoggedFact{loading(10, 10), loading(18, 18)}, "[18]"},
		{"eight days are two at a ramp", []LoggedFact{loading(10, 10, by(freight.ByRail)), loading(18, 18, by(freight.ByRail))}, "[10 18]"},
		{"a chain is one", []LoggedFact{
			loading(10, 10, by(freight.ByRail)), loading(15, 15, by(freight.ByRail)), loading(21, 21, by(freight.ByRail)), loading(40, 40, by(freight.ByRail)),
		}, "[21 40]"},
		{"an alias is the same place", []LoggedFact{loading(10, 10), loading(11, 11, func(f *LoggedFact) { f.Place.LOCODE = "CNSGH" })}, "[11]"},
	}
	for _, row := range rows {
		c := containerOf(t, deriveTest(row.facts), box1)
		var got []string
		for leg, m := range c.Milestones {
			check(t, row.name+": leg", m.Leg, leg)
			got = append(got, dayOfJourney(m.At))
		}
		check(t, row.name, fmt.Sprint(got), row.want)
	}
}

func TestMilestonesOfOneTimeFollowTheJourney(t *testing.T) {
	facts := []LoggedFact{
		tell(freight.Departure, "CNSHA", 10, by(freight.ByVessel)), tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel)), tell(freight.GateIn, "CNSHA", 10, load(freight.Laden)),
		tell(freight.GateOut, "CNSHA", 0, load(freight.Empty), at(freight.Moment{})),
	}
	check(t, "order", fmt.Sprint(told(t, deriveTest(facts), box1)), "[empty_out@CNSHA full_in@CNSHA vessel_loaded@CNSHA vessel_departed@CNSHA]")
}

// TestMinuteBeforeDay: a date does not correct a time, unless it is another day.
func TestMinuteBeforeDay(t *testing.T) {
	date := func(onDay int) change {
		midnight := day0.AddDate(0, 0, onDay).Truncate(24 * time.Hour)
		return at(freight.Moment{Time: midnight, Day: true, Floating: true})
	}
	minute := day0.AddDate(0, 0, 40).Truncate(24 * time.Hour).Add(9 * time.Hour)
	exact := at(freight.Moment{Time: minute})
	for _, c := range []struct {
		name  string
		onDay int
		holds bool
	}{{"the same day", 40, true}, {"the day before", 39, false}, {"the day after", 41, false}} {
		for _, how := range []freight.Classifier{freight.Actual, freight.Estimated} {
			facts := append(overSea()[:4:4],
				tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), about(box1), exact, class(how), recorded(45)),
				tell(freight.Arrival, "NLRTM", c.onDay, by(freight.ByVessel), about(box1), date(c.onDay), class(how), recorded(46)))
			j := deriveTest(facts)
			got := []freight.Moment{j.PODETA}
			if how == freight.Actual {
				got = []freight.Moment{j.PODATA, containerOf(t, j, box1).PODArrivedAt}
			}
			for _, m := range got {
				if m.Time.Equal(minute) != c.holds {
					t.Errorf("%s, %s: %v", c.name, how, m)
				}
			}
		}
	}
}

// TestLongAndShortDays: a day has 25 hours where the clocks go back, and 23 where they go
// forward.
func TestLongAndShortDays(t *testing.T) {
	for _, row := range []struct {
		name, day, at string
		covers        bool
		order         int
	}{
		{"the last hour of 25", "2026-10-25", "2026-10-25T22:30:00Z", true, 0},
		{"the hour after", "2026-10-25", "2026-10-25T23:00:00Z", false, -1},
		{"the last hour of 23", "2026-03-29", "2026-03-29T21:30:00Z", true, 0},
		{"the hour after 23", "2026-03-29", "2026-03-29T22:00:00Z", false, -1},
		{"the last hour of 24", "2026-03-30", "2026-03-30T21:30:00Z", true, 0},
	} {
		date, at := dayOnly(row.day), time.Time{}
		if err := at.UnmarshalText([]byte(row.at)); err != nil {
			t.Fatal(err)
		}
		day, exact := date.Localize("Europe/Amsterdam"), freight.Moment{Time: at}.Localize("Europe/Amsterdam")
		check(t, row.name+": covers", day.Covers(exact), row.covers)
		check(t, row.name+": order", day.Compare(exact), row.order)
		check(t, row.name+": order the other way", exact.Compare(day), -row.order)
	}
}

func TestTimesOfTheShipment(t *testing.T) {
	eta := func(day, rec int, changes ...change) LoggedFact {
		return tell(freight.Arrival, "NLRTM", day, append([]change{by(freight.ByVessel), class(freight.Estimated), recorded(rec), about()}, changes...)...)
	}
	arrived := func(n int64) change { return func(f *LoggedFact) { f.Arrival = n } }
	pol := tell(freight.Departure, "CNSHA", 11, by(freight.ByVessel), about())
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string // ETA, original ETA, ATA at the POD
	}{
		{"the latest recorded", []LoggedFact{eta(40, 1), eta(42, 3), eta(41, 2)}, "42 40 -"},
		{"a later schedule", []LoggedFact{eta(40, 1), eta(42, 3, class(freight.Planned))}, "42 40 -"},
		{"at one time the estimate", []LoggedFact{eta(40, 3), eta(42, 3, class(freight.Planned))}, "40"},
		{"at one time the plan that arrived after an actual said too early", []LoggedFact{
			eta(40, 3, class(freight.Actual), arrived(1)), eta(42, 3, class(freight.Planned), arrived(2)),
		}, "42 40 -"},
		{"the actual leaves the estimate", []LoggedFact{eta(40, 1), eta(43, 43, class(freight.Actual))}, "40 40 43"},
		{"under one ID too", []LoggedFact{eta(40, 1, id("a")), eta(41, 2, id("a")), eta(43, 43, class(freight.Actual), id("a"))}, "41 40 43"},
		{"versions: the first is the original", []LoggedFact{eta(40, 1, id("a")), eta(41, 2, id("a"))}, "41 40 -"},
		{"a version of another place is not", []LoggedFact{eta(40, 1, id("a"), func(f *LoggedFact) { f.Place.LOCODE = "BEANR" }), eta(41, 2, id("a"))}, "41 41 -"},
		{"a retracted one is not", []LoggedFact{eta(40, 1, id("a")), retract("a", 1), eta(41, 2, id("b"))}, "41 41 -"},
		{"without a time it says nothing", []LoggedFact{eta(40, 1), eta(0, 2, at(freight.Moment{}))}, "40 40 -"},
		{"a discharge is no arrival", []LoggedFact{eta(40, 1), tell(freight.Discharge, "NLRTM", 41, by(freight.ByVessel))}, "40 40 -"},
		{"the last port reached may be a stop", []LoggedFact{eta(41, 41, class(freight.Actual))}, "- - -"},
		{"the ATA of most authority", []LoggedFact{eta(40, 40, in(freight.RolePOD), class(freight.Actual), from(freight.ByHand)), eta(41, 41, class(freight.Actual))}, "- - 40"},
		{"a feeder may reach it", []LoggedFact{eta(40, 1, in(freight.RolePOD), by(freight.ByFeeder)), eta(41, 41, by(freight.ByFeeder), class(freight.Actual))}, "40 40 41"},
	}
	for _, row := range rows {
		j := deriveTest(append([]LoggedFact{pol}, row.facts...))
		got := dayOfJourney(j.PODETA) + " " + dayOfJourney(j.PODOriginalETA) + " " + dayOfJourney(j.PODATA)
		if !strings.HasPrefix(got, row.want) {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
	}
	j := deriveTest(append(overSea(), toDuisburg(),
		tell(freight.Departure, "CNSHA", 9, by(freight.ByVessel), class(freight.Planned), recorded(0)),
		tell(freight.Arrival, "DEDUI", 46, by(freight.ByRail), class(freight.Estimated), about(), recorded(3)),
		tell(freight.Arrival, "DEDUI", 47, by(freight.ByRail), class(freight.Estimated), about(box2), recorded(4)),
		tell(freight.Arrival, "DEDUI", 48, by(freight.ByRail)),
	))
	check(t, "POL", dayOfJourney(j.POLETD)+" "+dayOfJourney(j.POLATD), "9 11")
	check(t, "destination", dayOfJourney(j.DestETA)+" "+dayOfJourney(j.DestATA), "47 48")
	c1, c2 := containerOf(t, j, box1), containerOf(t, j, box2)
	check(t, "container 1", dayOfJourney(c1.INDETA)+" "+dayOfJourney(c1.INDATA), "46 48")
	check(t, "container 2", dayOfJourney(c2.INDETA)+" "+dayOfJourney(c2.INDATA), "47 -")
}

func TestVesselAtThePOD(t *testing.T) {
	voyage := func(v string) change { return func(f *LoggedFact) { f.Voyage = v } }
	first, second := on("9321483", "King"), on("9770749", "Lucid")
	facts := []LoggedFact{
		tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel), first, voyage("1")),
		tell(freight.Discharge, "SGSIN", 20, by(freight.ByVessel), first, voyage("1")),
		tell(freight.Departure, "SGSIN", 23, by(freight.ByVessel), second, voyage("2")),
		tell(freight.Discharge, "NLRTM", 40, by(freight.ByVessel), class(freight.Estimated)),
	}
	j := deriveTest(facts)
	check(t, "toward the POD", j.PODVessel.Name+" "+j.PODVoyage, "Lucid 2")
	facts = append(facts, tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), class(freight.Planned), first, voyage("3"), recorded(50)))
	j = deriveTest(facts)
	// The first ship put the container ashore at Singapore. Its later plans used to decide
	// the POD, and do not any more.
	check(t, "planned at the POD, of a ship that it has left", j.PODVessel.Name+" "+j.PODVoyage, "Lucid 2")
	facts = append(facts, tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), class(freight.Planned), second, voyage("3"), recorded(50)))
	j = deriveTest(facts)
	check(t, "planned at the POD", j.PODVessel.Name+" "+j.PODVoyage, "Lucid 3")
	facts = append(facts, tell(freight.Discharge, "NLRTM", 40, by(freight.ByVessel), second, voyage("4")))
	j = deriveTest(facts)
	check(t, "discharged at the POD", j.PODVessel.Name+" "+j.PODVoyage, "Lucid 4")
}

// TestVesselTowardThePOD: the last ship is not shown if it only goes to a port of
// transshipment, or if another ship brought the shipment to the POD. It used to be.
func TestVesselTowardThePOD(t *testing.T) {
	sea, ships := by(freight.ByVessel), about()
	pod := tell(freight.Route, "NLRTM", 0, ships, in(freight.RolePOD))
	started := []LoggedFact{pod, tell(freight.Loading, "CNSHA", 10, sea, first), tell(freight.Departure, "CNSHA", 11, sea, ships, first)}
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string
	}{
		{"it changes ships at a stated port", []LoggedFact{
			pod, tell(freight.Route, "SGSIN", 0, ships, in(freight.RoleTS)), tell(freight.Departure, "CNSHA", 11, sea, ships, class(freight.Planned), first),
		}, ""},
		{"the ship is known that takes it from there", []LoggedFact{
			pod, tell(freight.Route, "SGSIN", 0, ships, in(freight.RoleTS)), tell(freight.Departure, "CNSHA", 11, sea, ships, class(freight.Planned), first),
			tell(freight.Departure, "SGSIN", 20, sea, ships, class(freight.Planned), second),
		}, "Lucid"},
		{"another ship lay where it came off", append(started[:3:3],
			tell(freight.Arrival, "NLRTM", 40, sea, ships, second), tell(freight.Discharge, "NLRTM", 41, sea),
		), ""},
		{"another ship had been where it came off", append(started[:3:3],
			tell(freight.Arrival, "NLRTM", 34, sea, ships, second), tell(freight.Departure, "NLRTM", 35, sea, ships, second), tell(freight.Discharge, "NLRTM", 41, sea),
		), "King"},
		{"no other ship lay there", append(started[:3:3], tell(freight.Discharge, "NLRTM", 41, sea)), "King"},
		{"it came off a ship that nobody names", append(started[:3:3],
			tell(freight.Discharge, "SGSIN", 20, sea, first), tell(freight.Discharge, "NLRTM", 41, sea),
		), ""},
		{"a ship that may be its own lay where it came off", []LoggedFact{
			pod, tell(freight.Loading, "CNSHA", 10, sea, on("", "King")), tell(freight.Discharge, "NLRTM", 41, sea), tell(freight.Departure, "NLRTM", 42, sea, ships, on("9321483", "")),
		}, "King"},
		{"it was put ashore on the way", append(started[:3:3], tell(freight.Discharge, "SGSIN", 20, sea, first)), ""},
		{"the ship that put it ashore calls there itself", append(started[:3:3],
			tell(freight.Discharge, "SGSIN", 20, sea, first), tell(freight.Arrival, "NLRTM", 40, sea, ships, first),
		), ""},
		{"a sibling stays on board", append(started[:3:3], tell(freight.Loading, "CNSHA", 10, sea, first, about("MSKU0000012")),
			tell(freight.Discharge, "SGSIN", 20, sea, first), tell(freight.Arrival, "NLRTM", 40, sea, ships, first),
		), "King"},
		{"the ship leaves that may have brought it", []LoggedFact{
			pod, tell(freight.GateIn, "CNSHA", 8, load(freight.Laden)), tell(freight.Arrival, "NLRTM", 40, sea, ships, class(freight.Planned), first),
			tell(freight.Discharge, "NLRTM", 41, sea), tell(freight.Departure, "NLRTM", 42, sea, ships, first), tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)),
		}, "King"},
	}
	for _, row := range rows {
		check(t, row.name, deriveTest(row.facts).PODVessel.Name, row.want)
	}
}

// TestGatesOnTheWayInland: gates between trains, each of which was once taken for the begin
// or the end of the journey, and laden gate-outs that did not end the availability.
func TestGatesOnTheWayInland(t *testing.T) {
	train := func(w freight.Activity, place string, day int) LoggedFact {
		return tell(w, place, day, by(freight.ByRail), load(freight.Laden))
	}
	gate := func(w freight.Activity, place string, day int, l freight.LoadStatus) LoggedFact {
		return tell(w, place, day, load(l))
	}
	pod := tell(freight.Route, "NLRTM", 0, about(), in(freight.RolePOD))
	pol, hub := tell(freight.Route, "CNSHA", 0, about(), in(freight.RolePOL)), tell(freight.Route, "SGSIN", 0, about(), in(freight.RoleTS))
	ready := tell(freight.PickupAvailable, "NLRTM", 42)
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string
	}{
		{"it comes back empty at the other end, and nothing else is reported", []LoggedFact{
			pod, gate(freight.GateOut, "CNSHA", 1, freight.Empty), gate(freight.GateIn, "CNSHA", 3, freight.Laden), gate(freight.GateIn, "NLRTM", 45, freight.Empty),
		}, "[empty_out@CNSHA full_in@CNSHA empty_in@NLRTM] empty_returned false"},
		{"it changes trains before its destination", []LoggedFact{
			pod, tell(freight.Route, "CHBSL", 0, about(), in(freight.RoleDestination)), train(freight.Departure, "NLRTM", 42), train(freight.Arrival, "DEDUI", 44), gate(freight.GateIn, "DEDUI", 45, freight.Laden),
		}, "[rail_departed@NLRTM rail_arrived@DEDUI] on_rail false"},
		{"it is brought to another ramp of the place", []LoggedFact{
			pod, tell(freight.Discharge, "NLRTM", 41, by(freight.ByVessel)), train(freight.Departure, "NLRTM", 42), train(freight.Discharge, "DEDUI", 44),
			tell(freight.GateOut, "DEDUI", 45, load(freight.Laden), facility("RAMP", "N")), tell(freight.GateIn, "DEDUI", 46, load(freight.Laden), facility("RAMP", "S")),
		}, "[vessel_discharged@NLRTM rail_departed@NLRTM rail_unloaded@DEDUI] grounded false"},
		{"nobody reported any ship", []LoggedFact{
			pol, pod, gate(freight.GateIn, "CNSHA", 8, freight.Laden), train(freight.Departure, "DEDUI", 45),
		}, "[full_in@CNSHA rail_departed@DEDUI] on_rail false"},
		{"it is emptied at a port of transshipment", []LoggedFact{
			pod, hub, tell(freight.Discharge, "NLRTM", 41, by(freight.ByVessel)), ready, gate(freight.GateIn, "SGSIN", 50, freight.Empty),
		}, "[vessel_discharged@NLRTM available@NLRTM empty_in@SGSIN] empty_returned false"},
		{"it is delivered, and nobody reported any ship or gate", []LoggedFact{
			pod, ready, tell(freight.Delivery, "NLRTM", 44, load(freight.Laden)),
		}, "[available@NLRTM delivered@NLRTM] delivered false"},
	}
	for _, row := range rows {
		j := deriveTest(row.facts)
		c := containerOf(t, j, box1)
		check(t, row.name, fmt.Sprint(told(t, j, box1), " ", c.Status, " ", c.Available), row.want)
	}
}

func TestTimesOfTheContainer(t *testing.T) {
	facts := append(overSea(), toDuisburg(),
		tell(freight.GateOut, "CNSHA", 1, load(freight.Empty)), tell(freight.GateIn, "CNSHA", 5, load(freight.Laden)),
		tell(freight.Loading, "CNNKG", 3, by(freight.ByRail)), // before the sea leg
		tell(freight.Loading, "NLRTM", 43, by(freight.ByRail)), tell(freight.Departure, "NLRTM", 44, by(freight.ByRail)), tell(freight.Loading, "BEANR", 45, by(freight.ByRail)),
		tell(freight.Arrival, "DEDUI", 46, by(freight.ByRail)), tell(freight.Discharge, "DEDUI", 47, by(freight.ByRail)),
		tell(freight.GateOut, "DEDUI", 48, load(freight.Laden)), tell(freight.Delivery, "DEDUI", 49), tell(freight.GateIn, "DEDUI", 52, load(freight.Empty)),
		tell(freight.Loading, "DEDUI", 60, by(freight.ByRail), load(freight.Empty)), // the emptied container
	)
	c := containerOf(t, deriveTest(facts), box1)
	got := []string{}
	for _, m := range []freight.Moment{
		c.EmptyOutAt, c.POLFullInAt, c.POLLoadedAt, c.POLDepartedAt, c.PODArrivedAt, c.PODDischargedAt, c.PODFullOutAt,
		c.PODRailLoadedAt, c.PODRailDepartedAt, c.INDATA, c.INDRailUnloadedAt, c.DestFullOutAt, c.DeliveredAt, c.EmptyTerminatedAt,
	} {
		got = append(got, dayOfJourney(m))
	}
	check(t, "times", strings.Join(got, " "), "1 5 10 11 40 41 - 43 44 46 47 48 49 52")

	c = containerOf(t, deriveTest(append(overSea(), tell(freight.GateOut, "BEANR", 44, load(freight.Laden)))), box1)
	check(t, "full out without destination", dayOfJourney(c.PODFullOutAt), "44")
	c = containerOf(t, deriveTest(append(overSea(), toDuisburg(), tell(freight.GateOut, "BEANR", 44, load(freight.Laden)))), box1)
	check(t, "full out on the way to the destination", dayOfJourney(c.PODFullOutAt)+dayOfJourney(c.DestFullOutAt), "--")
}

func TestStatus(t *testing.T) {
	yes, no := true, false
	available := tell(freight.TerminalStatus, "NLRTM", 42, from(freight.FromTerminal), says(freight.TerminalFacts{Available: &yes}))
	unavailable := tell(freight.TerminalStatus, "NLRTM", 42, from(freight.FromTerminal), says(freight.TerminalFacts{Available: &no}))
	held := tell(freight.CustomsHold, "NLRTM", 42)
	offDock := tell(freight.GateIn, "NLRTM", 44, load(freight.Laden), facility("OFFD", "KRAM"))
	sea, inland := overSea(), append(overSea(), toDuisburg())
	rail := append(slices.Clone(inland), tell(freight.Loading, "NLRTM", 43, by(freight.ByRail)))
	rows := []struct {
		name  string
		facts []LoggedFact
		want  freight.ContainerStatus
	}{
		{"named only", []LoggedFact{tell(freight.Described, "", 0)}, freight.StatusNew},
		{"gated in", []LoggedFact{tell(freight.GateIn, "CNSHA", 5, load(freight.Laden))}, freight.StatusNew},
		{"feeder", []LoggedFact{tell(freight.Loading, "CNNKG", 3, by(freight.ByFeeder))}, freight.StatusOnShip},
		{"loaded", sea[:1], freight.StatusOnShip},
		{"transshipped", sea[:4], freight.StatusOnShip},
		{"arrived", sea[:5], freight.StatusOnShip},
		{"arrived, not yet ready", append(slices.Clone(sea[:5]), unavailable), freight.StatusOnShip},
		{"ready before the discharge is reported", append(slices.Clone(sea[:5]), available), freight.StatusAvailable},
		{"discharged", sea, freight.StatusGrounded},
		{"discharged, ready", append(slices.Clone(sea), available), freight.StatusAvailable},
		{"discharged, held", append(slices.Clone(sea), available, held), freight.StatusNotAvailable},
		{"discharged, not ready", append(slices.Clone(sea), unavailable), freight.StatusNotAvailable},
		{"discharged, for inland", inland, freight.StatusAwaitingInlandTransfer},
		{"out", append(slices.Clone(sea), tell(freight.GateOut, "NLRTM", 44, load(freight.Laden))), freight.StatusPickedUp},
		// With an inland destination the gate of the port is on the way. It used to be the
		// pick-up.
		{"out, for inland", append(slices.Clone(inland), tell(freight.GateOut, "NLRTM", 44, load(freight.Laden))), freight.StatusAwaitingInlandTransfer},
		{"on rail", rail, freight.StatusOnRail},
		// The status used to be on_rail until the unloading; the arrival at the inland
		// destination counts.
		{"arrived by rail", append(slices.Clone(rail), tell(freight.Arrival, "DEDUI", 46, by(freight.ByRail))), freight.StatusGrounded},
		{"arrived by rail on the way", append(slices.Clone(rail), tell(freight.Arrival, "BEANR", 45, by(freight.ByRail))), freight.StatusOnRail},
		{"changed trains", append(slices.Clone(rail), tell(freight.Discharge, "BEANR", 45, by(freight.ByRail))), freight.StatusOnRail},
		{"unloaded", append(slices.Clone(rail), tell(freight.Discharge, "DEDUI", 46, by(freight.ByRail))), freight.StatusGrounded},
		{"unloaded, ready", append(slices.Clone(rail), tell(freight.Discharge, "DEDUI", 46, by(freight.ByRail)), tell(freight.PickupAvailable, "DEDUI", 47)), freight.StatusAvailable},
		{"on rail in the end, by another ramp", append(slices.Clone(rail), tell(freight.Discharge, "BEANR", 45, by(freight.ByRail)), tell(freight.Loading, "BEANR", 46, by(freight.ByRail))), freight.StatusOnRail},
		{"rail before the sea", append(slices.Clone(sea[:1]), tell(freight.Departure, "CNNKG", 3, by(freight.ByRail))), freight.StatusOnShip},
		{"rail without a destination", append(slices.Clone(sea), tell(freight.Loading, "NLRTM", 43, by(freight.ByRail)), tell(freight.Discharge, "DEDUI", 46, by(freight.ByRail))), freight.StatusGrounded},
		{"barge to the destination", append(slices.Clone(inland), tell(freight.Loading, "NLRTM", 43, by(freight.ByBarge))), freight.StatusAwaitingInlandTransfer},
		{"arrived by barge", append(slices.Clone(inland), tell(freight.Arrival, "DEDUI", 46, by(freight.ByBarge))), freight.StatusGrounded},
		{"off the barge", append(slices.Clone(inland), tell(freight.Discharge, "DEDUI", 46, by(freight.ByBarge))), freight.StatusGrounded},
		{"off the barge at the POD", append(slices.Clone(inland), tell(freight.Discharge, "NLRTM", 46, by(freight.ByBarge))), freight.StatusAwaitingInlandTransfer},
		{"gated in by truck", append(slices.Clone(inland), tell(freight.GateIn, "DEDUI", 46, load(freight.Laden))), freight.StatusGrounded},
		{"arrived by truck, elsewhere", append(slices.Clone(inland), tell(freight.Arrival, "BEANR", 46, by(freight.ByTruck))), freight.StatusAwaitingInlandTransfer},
		{"arrived by truck", append(slices.Clone(inland), tell(freight.Arrival, "DEDUI", 46, by(freight.ByTruck))), freight.StatusGrounded},
		{"out of the destination", append(slices.Clone(rail), tell(freight.GateOut, "DEDUI", 48, load(freight.Laden))), freight.StatusPickedUp},
		{"berthed", append(slices.Clone(sea[:5]), tell(freight.Berth, "NLRTM", 40)), freight.StatusOnShip},
		{"berthed at the POL", []LoggedFact{tell(freight.Berth, "CNSHA", 9)}, freight.StatusNew},
		{"a pending hold", append(slices.Clone(sea), tell(freight.TerminalStatus, "NLRTM", 42, from(freight.FromTerminal), says(freight.TerminalFacts{Available: &yes, Holds: []freight.Hold{{Name: "freight", Status: "pending", Description: nil}}}))), freight.StatusAvailable},
		{"a hold in force", append(slices.Clone(sea), tell(freight.TerminalStatus, "NLRTM", 42, from(freight.FromTerminal), says(freight.TerminalFacts{Available: &yes, Holds: []freight.Hold{{Name: "freight", Status: "hold", Description: nil}}}))), freight.StatusNotAvailable},
		{"held, availability unknown", append(slices.Clone(sea), held), freight.StatusGrounded},
		{"held and released", append(slices.Clone(sea), available, held, tell(freight.CustomsRelease, "NLRTM", 43)), freight.StatusAvailable},
		{"moved off the dock", append(slices.Clone(sea), available, offDock), freight.StatusOffDock},
		{"moved off the dock, says the yard", append(slices.Clone(sea), available, tell(freight.TerminalStatus, "NLRTM", 44, from(freight.FromTerminal), facility("COFS", "KRAM"), says(freight.TerminalFacts{}))), freight.StatusOffDock},
		{"into a place on the dock", append(slices.Clone(sea), available, tell(freight.GateIn, "NLRTM", 44, load(freight.Laden), facility("POTE", "KRAM"))), freight.StatusAvailable},
		{"into a yard elsewhere", append(slices.Clone(sea), available, tell(freight.GateIn, "BEANR", 44, load(freight.Laden), facility("OFFD", "KRAM"))), freight.StatusAvailable},
		{"empty into the yard", append(slices.Clone(sea), available, tell(freight.GateIn, "NLRTM", 44, load(freight.Empty), facility("OFFD", "KRAM"))), freight.StatusEmptyReturned},
		{"expected in the yard", append(slices.Clone(sea), available, tell(freight.GateIn, "NLRTM", 44, load(freight.Laden), facility("OFFD", "KRAM"), class(freight.Planned))), freight.StatusAvailable},
		{"off the dock by truck", append(slices.Clone(sea), tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)), offDock), freight.StatusOffDock},
		{"off the dock, the yard is ready", append(slices.Clone(sea), available, offDock, tell(freight.PickupAvailable, "NLRTM", 45)), freight.StatusAvailable},
		{"off the dock, the yard is not ready", append(slices.Clone(sea), available, offDock, tell(freight.PickupUnavailable, "NLRTM", 45)), freight.StatusNotAvailable},
		{"out of the yard", append(slices.Clone(sea), offDock, tell(freight.GateOut, "NLRTM", 46, load(freight.Laden))), freight.StatusPickedUp},
		{"out of the yard, by its name", append(slices.Clone(sea), offDock, tell(freight.GateOut, "NLRTM", 44, load(freight.Laden), facility("OFFD", "KRAM"))), freight.StatusPickedUp},
		// The status used to be off_dock; the inland destination that lies ahead counts.
		{"off the dock, for inland", append(slices.Clone(inland), offDock), freight.StatusAwaitingInlandTransfer},
		{"from the yard on rail", append(slices.Clone(inland), offDock, tell(freight.Loading, "NLRTM", 46, by(freight.ByRail))), freight.StatusOnRail},
		{"delivered empty", append(slices.Clone(rail), tell(freight.Delivery, "DEDUI", 49, load(freight.Empty))), freight.StatusOnRail},
		{"expected to be delivered", append(slices.Clone(rail), tell(freight.Delivery, "DEDUI", 49, class(freight.Estimated))), freight.StatusOnRail},
		{"empty in at the origin", append(slices.Clone(sea[:1]), tell(freight.GateIn, "CNSHA", 5, load(freight.Empty))), freight.StatusOnShip},
		{"delivered", append(slices.Clone(rail), tell(freight.Delivery, "", 0, at(freight.Moment{}), from(freight.ByHand))), freight.StatusDelivered},
		{"empty in", append(slices.Clone(rail), tell(freight.Delivery, "", 49), tell(freight.GateIn, "DEDUI", 52, load(freight.Empty))), freight.StatusEmptyReturned},
	}
	reached := map[freight.ContainerStatus]bool{}
	for _, row := range rows {
		check(t, row.name, containerOf(t, deriveTest(row.facts), box1).Status, row.want)
		reached[row.want] = true
	}
	for _, s := range allStatuses {
		check(t, "a history comes to "+string(s), reached[s], true)
	}
}

// TestOffDockTimes: a container that is moved to an off-dock yard leaves twice by truck,
// and is picked up once. The first gate-out is a full_out until a laden gate-in within 72
// hours makes it a transfer. The gate-in is recorded when it happened, because one that is
// recorded two hours early is an estimate.
func TestOffDockTimes(t *testing.T) {
	facts := append(overSea(),
		tell(freight.GateOut, "NLRTM", 43, load(freight.Laden), facility("POTE", "RWG")), tell(freight.GateIn, "NLRTM", 43, load(freight.Laden), facility("OFFD", "KRAM"), at(freight.Moment{Time: day0.AddDate(0, 0, 43).Add(2 * time.Hour)}), recorded(44)))
	check(t, "in the yard", dayOfJourney(containerOf(t, deriveTest(facts), box1).PODFullOutAt), "-")
	facts = append(facts, tell(freight.GateOut, "NLRTM", 46, load(freight.Laden), facility("OFFD", "KRAM")))
	c := containerOf(t, deriveTest(facts), box1)
	check(t, "out of the yard", dayOfJourney(c.PODFullOutAt), "46")
	var legs []string
	for _, m := range c.Milestones {
		if m.Event == freight.FullOut {
			legs = append(legs, fmt.Sprint(m.Place.SMDG, m.Leg))
		}
	}
	check(t, "legs", fmt.Sprint(legs), "[KRAM0]")
}

func TestTerminalView(t *testing.T) {
	yes, no := true, false
	note := "EXAM"
	status := func(day int, tf freight.TerminalFacts, changes ...change) LoggedFact {
		return tell(freight.TerminalStatus, "NLRTM", day, append([]change{source("terminal"), from(freight.FromTerminal), says(tf)}, changes...)...)
	}
	exam := freight.Hold{Name: "customs", Status: "hold", Description: &note}
	tmf := freight.Hold{Name: "TMF", Status: "pending"}
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string // known, available; holds; fees
	}{
		{"nothing", []LoggedFact{tell(freight.Described, "", 1)}, "false false [] []"},
		{"a status without content", []LoggedFact{status(42, freight.TerminalFacts{Available: &yes}), tell(freight.TerminalStatus, "NLRTM", 43, source("terminal"), from(freight.FromTerminal))}, "true true [] []"},
		{"available", []LoggedFact{status(42, freight.TerminalFacts{Available: &yes})}, "true true [] []"},
		{"no more", []LoggedFact{status(43, freight.TerminalFacts{Available: &no}), status(42, freight.TerminalFacts{Available: &yes})}, "true false [] []"},
		{"no word any more", []LoggedFact{status(42, freight.TerminalFacts{Available: &yes}), status(43, freight.TerminalFacts{})}, "false false [] []"},
		{"another source keeps its word", []LoggedFact{status(42, freight.TerminalFacts{Available: &yes}, source("line")), status(43, freight.TerminalFacts{})}, "true true [] []"},
		{"single word after the view", []LoggedFact{status(42, freight.TerminalFacts{Available: &yes}), tell(freight.PickupUnavailable, "NLRTM", 43)}, "true false [] []"},
		{"single word before the view", []LoggedFact{tell(freight.PickupUnavailable, "NLRTM", 41), status(42, freight.TerminalFacts{Available: &yes})}, "true true [] []"},
		{"an expected word", []LoggedFact{tell(freight.PickupAvailable, "NLRTM", 43, class(freight.Estimated))}, "false false [] []"},
		{"holds", []LoggedFact{status(42, freight.TerminalFacts{Holds: []freight.Hold{exam, tmf}})}, "false false [TMF/pending customs/hold] []"},
		{"a hold no longer listed", []LoggedFact{status(42, freight.TerminalFacts{Holds: []freight.Hold{exam, tmf}}), status(43, freight.TerminalFacts{Holds: []freight.Hold{tmf}})}, "false false [TMF/pending] []"},
		{"two sources", []LoggedFact{status(42, freight.TerminalFacts{Holds: []freight.Hold{tmf}}), status(43, freight.TerminalFacts{Holds: []freight.Hold{exam, tmf}}, source("line"))}, "false false [TMF/pending customs/hold] []"},
		{"a hold without words", []LoggedFact{status(42, freight.TerminalFacts{Holds: []freight.Hold{{}}})}, "false false [other/hold] []"},
		{"customs hold", []LoggedFact{tell(freight.CustomsHold, "NLRTM", 42)}, "false false [customs/hold] []"},
		{"released", []LoggedFact{tell(freight.CustomsHold, "NLRTM", 42), tell(freight.CustomsRelease, "NLRTM", 43)}, "false false [] []"},
		{"held again", []LoggedFact{tell(freight.CustomsRelease, "NLRTM", 41), tell(freight.CustomsHold, "NLRTM", 42)}, "false false [customs/hold] []"},
		{"a release that was recorded first", []LoggedFact{tell(freight.CustomsHold, "NLRTM", 42, recorded(50)), tell(freight.CustomsRelease, "NLRTM", 43, recorded(44))}, "false false [] []"},
		{"hold and release of one time", []LoggedFact{tell(freight.CustomsHold, "NLRTM", 42), tell(freight.CustomsRelease, "NLRTM", 42)}, "false false [customs/hold] []"},
		{"a release after the terminal's view", []LoggedFact{status(42, freight.TerminalFacts{Holds: []freight.Hold{exam, tmf}}), tell(freight.CustomsRelease, "NLRTM", 43)}, "false false [TMF/pending] []"},
		{"the terminal's view after the release", []LoggedFact{tell(freight.CustomsRelease, "NLRTM", 41), status(42, freight.TerminalFacts{Holds: []freight.Hold{exam}})}, "false false [customs/hold] []"},
		{"the view of the holding party", []LoggedFact{tell(freight.CustomsHold, "NLRTM", 41, source("terminal"), from(freight.FromTerminal)), status(42, freight.TerminalFacts{})}, "false false [] []"},
		{"all names", []LoggedFact{status(42, freight.TerminalFacts{Holds: []freight.Hold{{Name: "freight", Status: "hold", Description: nil}, {Name: "customs", Status: "hold", Description: nil}, {Name: "USDA", Status: "hold", Description: nil}, {Name: "VACIS", Status: "hold", Description: nil}, {Name: "TMF", Status: "hold", Description: nil}, {Name: "other", Status: "pending", Description: nil}}})}, "false false [TMF/hold USDA/hold VACIS/hold customs/hold freight/hold other/pending] []"},
		{"a release by customs clears theirs alone", []LoggedFact{status(42, freight.TerminalFacts{Holds: []freight.Hold{{Name: "freight", Status: "hold", Description: nil}, {Name: "customs", Status: "hold", Description: nil}, {Name: "USDA", Status: "hold", Description: nil}, {Name: "VACIS", Status: "pending", Description: nil}}}), tell(freight.CustomsRelease, "NLRTM", 43)}, "false false [USDA/hold VACIS/pending freight/hold] []"},
		{"a pending hold that comes into force", []LoggedFact{status(42, freight.TerminalFacts{Holds: []freight.Hold{{Name: "customs", Status: "pending", Description: nil}}}), status(43, freight.TerminalFacts{Holds: []freight.Hold{{Name: "customs", Status: "hold", Description: nil}}})}, "false false [customs/hold] []"},
		{"a hold beside one that the terminal awaits", []LoggedFact{status(42, freight.TerminalFacts{Holds: []freight.Hold{{Name: "customs", Status: "pending", Description: nil}}}), tell(freight.CustomsHold, "NLRTM", 43)}, "false false [customs/hold customs/pending] []"},
		{"held by the line, whatever the terminal's view", []LoggedFact{tell(freight.CustomsHold, "NLRTM", 41), status(42, freight.TerminalFacts{})}, "false false [customs/hold] []"},
		{"the whole shipment held", []LoggedFact{tell(freight.CustomsHold, "", 41, about()), tell(freight.Described, "", 1)}, "false false [customs/hold] []"},
		{"the whole shipment released", []LoggedFact{tell(freight.CustomsHold, "NLRTM", 41), tell(freight.CustomsRelease, "", 42, about())}, "false false [] []"},
		{"one hold, named twice", []LoggedFact{status(42, freight.TerminalFacts{Holds: []freight.Hold{exam}}), tell(freight.CustomsHold, "NLRTM", 43)}, "false false [customs/hold] []"},
		{"fees", []LoggedFact{status(42, freight.TerminalFacts{Fees: []freight.Fee{{Type: "total", Amount: 5, CurrencyCode: "EUR"}, {Type: "demurrage", Amount: 3, CurrencyCode: "EUR"}, {Type: "exam", Amount: 2, CurrencyCode: "EUR"}}})}, "false false [] [demurrage=3 exam=2 total=5]"},
		{"fees of two sources", []LoggedFact{
			status(42, freight.TerminalFacts{Fees: []freight.Fee{{Type: "demurrage", Amount: 3, CurrencyCode: "EUR"}, {Type: "exam", Amount: 2, CurrencyCode: "EUR"}}}), status(43, freight.TerminalFacts{Fees: []freight.Fee{{Type: "demurrage", Amount: 4, CurrencyCode: "EUR"}}}, source("line")),
		}, "false false [] [demurrage=4 exam=2]"},
		{"paid", []LoggedFact{status(42, freight.TerminalFacts{Fees: []freight.Fee{{Type: "demurrage", Amount: 3, CurrencyCode: "EUR"}}}), status(43, freight.TerminalFacts{})}, "false false [] []"},
	}
	for _, row := range rows {
		c := containerOf(t, deriveTest(row.facts), box1)
		var holds, fees []string
		for _, h := range c.Holds {
			holds = append(holds, h.Name+"/"+h.Status)
		}
		for _, f := range c.Fees {
			fees = append(fees, fmt.Sprint(f.Type, "=", f.Amount))
		}
		check(t, row.name, fmt.Sprint(c.AvailabilityKnown, c.Available, holds, fees), row.want)
	}
}

func TestTerminalDates(t *testing.T) {
	date := func(d int) freight.Moment {
		return freight.Moment{Time: time.Date(2026, 4, d, 0, 0, 0, 0, time.UTC), Day: true}
	}
	view := func(day int, where string, lfd int, changes ...change) LoggedFact {
		return tell(freight.TerminalStatus, where, day, append([]change{
			source("terminal"), from(freight.FromTerminal), says(freight.TerminalFacts{LastFreeDay: date(lfd), Yard: fmt.Sprint("Y", lfd)}),
		}, changes...)...)
	}
	facts := append(overSea(),
		tell(freight.TerminalStatus, "", 40, from(freight.FromTerminal), source("old"), says(freight.TerminalFacts{Chassis: "CH1", Appointment: freight.Moment{Time: day0, Floating: true}})),
		view(42, "NLRTM", 10), view(43, "NLRTM", 11), view(41, "NLRTM", 9),
		view(44, "DEDUI", 20, facility("RAMP", "")),
		tell(freight.TerminalStatus, "", 42, says(freight.TerminalFacts{LastFreeDay: date(15)})),
		tell(freight.TerminalStatus, "", 42, from(freight.FromAIS), source("ais"), says(freight.TerminalFacts{LastFreeDay: date(16)})),
	)
	c := containerOf(t, deriveTest(facts), box1)
	show := func(m freight.Moment) string { return m.Time.Format("01-02T15:04 ") + m.Zone }
	check(t, "terminal", show(c.LFDTerminal), "04-10T22:00 Europe/Amsterdam")
	check(t, "rail", show(c.LFDRail), "04-19T22:00 Europe/Berlin")
	check(t, "line, at the POD's midnight", show(c.LFDLine), "04-14T22:00 Europe/Amsterdam")
	check(t, "appointment", show(c.Appointment), "03-01T07:00 Europe/Amsterdam")
	check(t, "yard and chassis", c.Yard+c.Chassis, "Y20CH1")
	check(t, "checked", c.TerminalCheckedAt, day0.AddDate(0, 0, 44))
}

func TestEquipment(t *testing.T) {
	described := func(day int, e freight.Equipment, changes ...change) LoggedFact {
		return tell(freight.Described, "", day, append(changes, func(f *LoggedFact) { f.Equipment = e })...)
	}
	c := containerOf(t, deriveTest([]LoggedFact{
		described(3, freight.Equipment{Seals: []string{"S2"}}), described(1, freight.Equipment{ISOType: "45g1 ", WeightKg: 9000, Seals: []string{"S1"}}),
		described(2, freight.Equipment{WeightKg: 9500}), described(4, freight.Equipment{ISOType: "22G1"}, about(box2)), described(5, freight.Equipment{WeightKg: -1}),
	}), box1)
	check(t, "equipment", fmt.Sprint(c.Equipment), "{45G1 [S2] 9500}")
}

func TestCancelled(t *testing.T) {
	booked, cancelled := tell(freight.Booked, "", 1, about()), tell(freight.Cancelled, "", 2, about())
	rows := []struct {
		name  string
		facts []LoggedFact
		want  bool
	}{
		{"booked", []LoggedFact{booked}, false},
		{"cancelled", []LoggedFact{cancelled, booked}, true},
		{"booked again", []LoggedFact{booked, cancelled, tell(freight.Booked, "", 3, about())}, false},
		{"loaded", []LoggedFact{cancelled, tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel))}, true},
		{"left", []LoggedFact{cancelled, tell(freight.Departure, "CNSHA", 10, by(freight.ByVessel))}, false},
		{"discharged", append(overSea()[5:], cancelled, tell(freight.Route, "NLRTM", 1, in(freight.RolePOD))), false},
		{"retracted", []LoggedFact{booked, tell(freight.Cancelled, "", 2, id("c")), retract("c", 3)}, false},
	}
	for _, row := range rows {
		check(t, row.name, deriveTest(row.facts).Cancelled, row.want)
	}
}

func TestNumbersAndReferences(t *testing.T) {
	named := func(refs []string, numbers ...freight.ShipmentNumber) change {
		return func(f *LoggedFact) { f.References, f.Numbers = refs, numbers }
	}
	j := deriveTest([]LoggedFact{
		tell(freight.Other, "", 1, named([]string{"PO2", " PO1 ", ""}, freight.ShipmentNumber{Type: freight.BookingNumber, Number: "B2"}, freight.ShipmentNumber{Type: freight.BillOfLading, Number: " M1"})),
		tell(freight.Other, "", 2, named([]string{"PO1"}, freight.ShipmentNumber{Type: freight.BookingNumber, Number: "B1"}, freight.ShipmentNumber{Type: freight.BillOfLading, Number: "M1"}, freight.ShipmentNumber{})),
		tell(freight.Other, "", 3, id("x"), named([]string{"PO9"})), retract("x", 4),
	})
	check(t, "numbers", fmt.Sprint(j.Numbers), "[{bill_of_lading M1} {booking_number B1} {booking_number B2}]")
	check(t, "references", fmt.Sprint(j.References), "[PO1 PO2]")
}

func TestWarnings(t *testing.T) {
	j := deriveTest([]LoggedFact{
		tell(freight.Loading, "CNSHA", 10, by(freight.ByVessel), load(freight.Empty), about("CSQU3054384", "csqu-305438.4", "MSCU 123456/7")),
		tell(freight.Loading, "CNSHA", 11, by(freight.ByVessel), load(freight.Empty), about("CSQU3054384")),
		tell(freight.GateOut, "XXXXX", 1),
		tell(freight.Other, "CNSHA", 1, at(freight.Moment{Time: time.Date(20260, 1, 1, 0, 0, 0, 0, time.UTC)})),
		tell(freight.GateOut, "YYYYY", 1, id("x"), about("WRONG")), retract("x", 2), // as if it had never been reported
	})
	var got []string
	for _, w := range j.Warnings {
		got = append(got, w.Code)
	}
	check(t, "warnings", fmt.Sprint(got), "[check_digit check_digit empty_load impossible_time unknown_load unknown_locode]")
	var numbers []string
	for _, c := range j.Containers {
		numbers = append(numbers, c.Number)
	}
	check(t, "containers", fmt.Sprint(numbers), "["+box1+" CSQU3054384 MSCU1234567]")
	check(t, "odd, and still derived", fmt.Sprint(told(t, j, "CSQU3054384")), "[vessel_loaded@CNSHA]")
}

func TestCheckDigit(t *testing.T) {
	for number, want := range map[string]bool{
		"APZU4812090": true, "CSQU3054383": true, "COSU1186800": true, "MRKU9465770": true, "MSCU1234567": false,
		"CSQU3054384": false, "": false, "CSQX3054383": false, "CSQU305438": false, "csqu3054383": false, "1SQU3054383": false, "CSQU30A4383": false,
	} {
		check(t, number, freight.IsContainerNumber(number), want)
	}
}

// TestHostileShipmentsCostNoMoreThanTheirFacts: 10,000 facts are the most in one report.
// For any choice of facts, the work of deriving grows in proportion to them.
func TestHostileShipmentsCostNoMoreThanTheirFacts(t *testing.T) {
	if testing.Short() {
		t.Skip("it counts allocations of one goroutine")
	}
	const n = 10_000
	number := func(i int) string { return fmt.Sprintf("TEST%07d", i) }
	shapes := map[string]func(i int) LoggedFact{
		"all different": func(i int) LoggedFact {
			return tell(allWhats[i%len(allWhats)], "CNSHA", i%90, by(freight.ByVessel), load(freight.Laden), id(number(i)))
		},
		"one ID": func(i int) LoggedFact { return tell(freight.Loading, "CNSHA", i, by(freight.ByVessel), id("a")) },
		"one ID, estimates": func(i int) LoggedFact {
			return tell(freight.Arrival, "CNSHA", i, by(freight.ByVessel), id("a"), class(freight.Estimated))
		},
		"a container a fact": func(i int) LoggedFact {
			return tell(freight.GateOut, "CNSHA", 1, load(freight.Empty), about(number(i)))
		},
		"a place a fact": func(i int) LoggedFact { return tell(freight.Departure, "X"+number(i), i, by(freight.ByVessel)) },
		"a ship a fact": func(i int) LoggedFact {
			return tell(freight.Departure, "CNSHA", 1, by(freight.ByVessel), on(number(i), ""))
		},
		"containers against calls": func(i int) LoggedFact {
			if i%2 == 0 {
				return tell(freight.Arrival, "X"+number(i), i, by(freight.ByRail), about())
			}
			return tell(freight.Loading, "CNSHA", 1, by(freight.ByVessel), on("1", ""), about(number(i)))
		},
		"turns of availability": func(i int) LoggedFact {
			return tell([]freight.Activity{freight.PickupAvailable, freight.PickupUnavailable}[i%2], "NLRTM", 0, in(freight.RolePOD), id(number(i)), at(freight.Moment{Time: day0.Add(time.Duration(i) * time.Minute)}))
		},
		"ships that left": func(i int) LoggedFact {
			if i%2 == 0 {
				return tell(freight.Departure, "CNSHA", i, by(freight.ByVessel), about(), on(number(i), ""))
			}
			return tell(freight.Loading, "CNSHA", 1, by(freight.ByVessel), on("1", ""), about(number(i)))
		},
		"terminal views": func(i int) LoggedFact {
			return tell(freight.TerminalStatus, "NLRTM", i, source(number(i)), says(freight.TerminalFacts{Holds: []freight.Hold{{Name: number(i)}}}))
		},
	}
	// The test does not assert a time, which depends on the machine, but that twice the
	// facts are about twice the work.
	work := func(shape func(int) LoggedFact, n int) float64 {
		facts := make([]LoggedFact, n)
		for i := range facts {
			facts[i] = shape(i)
		}
		return testing.AllocsPerRun(1, func() { deriveTest(facts) })
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			half, whole := work(shape, n/2), work(shape, n)
			t.Logf("%d facts: %.0f allocations, half of them: %.0f", n, whole, half)
			if whole > 2.5*half+1000 {
				t.Errorf("twice the facts cost %.1f times the allocations", whole/half)
			}
		})
	}
}

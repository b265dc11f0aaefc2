package journey

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// changesOf returns the milestones of availability of a container: "+" or "-" with the day
// of the journey, and the place if it is not Rotterdam.
func changesOf(t *testing.T, j Journey) string {
	t.Helper()
	var list []string
	for _, m := range containerOf(t, j, box1).Milestones {
		sign := map[freight.EventName]string{freight.Available: "+", freight.NotAvailable: "-"}[m.Event]
		if sign == "" {
			continue
		}
		turn := sign + dayOfJourney(m.At)
		if m.Place.LOCODE != "NLRTM" {
			turn += "@" + m.Place.LOCODE
		}
		list = append(list, turn)
	}
	return strings.Join(list, " ")
}

// TestAvailability: each change of availability is one milestone, for any reporter and
// however late it is reported.
func TestAvailability(t *testing.T) {
	yes, no := true, false
	view := func(day int, tf freight.TerminalFacts, changes ...change) LoggedFact {
		return tell(freight.TerminalStatus, "NLRTM", day, append([]change{source("terminal"), from(freight.FromTerminal), says(tf)}, changes...)...)
	}
	avail := func(day int, changes ...change) LoggedFact {
		return tell(freight.PickupAvailable, "NLRTM", day, changes...)
	}
	gone := func(day int, changes ...change) LoggedFact {
		return tell(freight.PickupUnavailable, "NLRTM", day, changes...)
	}
	hold := func(day int, changes ...change) LoggedFact {
		return tell(freight.CustomsHold, "NLRTM", day, changes...)
	}
	release := func(day int, changes ...change) LoggedFact {
		return tell(freight.CustomsRelease, "NLRTM", day, changes...)
	}
	unpaid := []freight.Hold{{Name: "freight", Status: "hold"}}
	pending := []freight.Hold{{Name: "freight", Status: "pending"}}
	rows := []struct {
		name  string
		facts []LoggedFact
		want  string
	}{
		{"nobody says", nil, ""},
		{"available", []LoggedFact{avail(42)}, "+42"},
		{"by the terminal's view", []LoggedFact{view(42, freight.TerminalFacts{Available: &yes})}, "+42"},
		{"expected only", []LoggedFact{avail(42, class(freight.Estimated))}, ""},
		{"said again", []LoggedFact{avail(42), avail(43), view(44, freight.TerminalFacts{Available: &yes})}, "+42"},
		{"never available", []LoggedFact{gone(42), view(43, freight.TerminalFacts{Available: &no})}, ""},
		{"no longer", []LoggedFact{avail(42), gone(43)}, "+42 -43"},
		{"and again", []LoggedFact{avail(42), gone(43), avail(44), gone(45)}, "+42 -43 +44 -45"},
		{"no word any more is no word against it", []LoggedFact{view(42, freight.TerminalFacts{Available: &yes}), view(43, freight.TerminalFacts{}), view(44, freight.TerminalFacts{Available: &yes})}, "+42"},
		{"another party's word stands", []LoggedFact{avail(42), view(43, freight.TerminalFacts{Available: &no}), view(44, freight.TerminalFacts{})}, "+42 -43 +44"},
		{"held", []LoggedFact{avail(42), hold(43)}, "+42 -43"},
		{"released", []LoggedFact{avail(42), hold(43), release(44)}, "+42 -43 +44"},
		{"held before it was available", []LoggedFact{hold(41), avail(42)}, ""},
		{"available as soon as it is released", []LoggedFact{hold(41), avail(42), release(43)}, "+43"},
		{"a hold of the whole shipment", []LoggedFact{avail(42), hold(43, about()), release(44, about())}, "+42 -43 +44"},
		{"a hold of another container", []LoggedFact{avail(42), hold(43, about(box2))}, "+42"},
		{"available, with a hold in the same view", []LoggedFact{view(42, freight.TerminalFacts{Available: &yes, Holds: unpaid}), view(43, freight.TerminalFacts{Available: &yes})}, "+43"},
		{"customs release what the terminal lists", []LoggedFact{view(42, freight.TerminalFacts{Available: &yes, Holds: []freight.Hold{{Name: "customs", Status: "hold"}}}), release(43)}, "+43"},
		{"a pending hold keeps nothing", []LoggedFact{view(42, freight.TerminalFacts{Available: &yes, Holds: pending})}, "+42"},
		{"a pending hold comes into force", []LoggedFact{view(42, freight.TerminalFacts{Available: &yes, Holds: pending}), view(43, freight.TerminalFacts{Available: &yes, Holds: unpaid})}, "+42 -43"},
		{"a release by customs lifts no unpaid hold", []LoggedFact{view(42, freight.TerminalFacts{Available: &yes, Holds: unpaid}), release(43)}, ""},
		{"held and released at one time stays held", []LoggedFact{avail(42), hold(43), release(43)}, "+42 -43"},
		{"of one time and recording, then released", []LoggedFact{avail(42), hold(43, came(1)), release(43, came(2))}, "+42"},
		{"of one time and recording, then held", []LoggedFact{avail(42), release(43, came(1)), hold(43, came(2))}, "+42 -43"},
		{"of one time and recording, then available", []LoggedFact{gone(42, came(1)), avail(42, came(2))}, "+42"},
		{"of one time and recording, then not", []LoggedFact{avail(42, came(1)), gone(42, came(2))}, ""},
		{"facts of one instant have no order", []LoggedFact{avail(42), gone(43, recorded(43)), avail(43, recorded(44))}, "+42"},
		{"at the POL", []LoggedFact{tell(freight.PickupAvailable, "CNSHA", 1)}, ""},
		{"at a port on the way", []LoggedFact{tell(freight.PickupAvailable, "SGSIN", 21)}, ""},
		{"at a place of no role", []LoggedFact{tell(freight.PickupAvailable, "BEANR", 43)}, ""},
		{"at an unnamed place", []LoggedFact{tell(freight.PickupAvailable, "", 43)}, "+43"},
		{"without a time it is as of its recording", []LoggedFact{avail(0, at(freight.Moment{}), recorded(42))}, "+42"},
		{"after it was picked up", []LoggedFact{avail(42), tell(freight.GateOut, "NLRTM", 43, load(freight.Laden)), view(44, freight.TerminalFacts{Available: &no})}, "+42"},
		{"after it was delivered", []LoggedFact{avail(42), tell(freight.Delivery, "", 43), view(44, freight.TerminalFacts{Available: &no})}, "+42"},
		{"retracted", []LoggedFact{avail(42, id("a")), gone(43), retract("a", 60)}, ""},
		{"at the place of delivery as well", []LoggedFact{
			avail(42), toDuisburg(), tell(freight.Loading, "NLRTM", 43, by(freight.ByRail)), tell(freight.PickupAvailable, "DEDUI", 48), tell(freight.PickupUnavailable, "DEDUI", 49),
		}, "+42 +48@DEDUI -49@DEDUI"},
		{"an unnamed place, after the train has left", []LoggedFact{
			avail(42), toDuisburg(), tell(freight.Loading, "NLRTM", 43, by(freight.ByRail)), tell(freight.PickupAvailable, "", 48),
		}, "+42 +48@DEDUI"},
		{"before the discharge", []LoggedFact{avail(39)}, "+39"},
		{"in the yard off the dock it must become available again", []LoggedFact{
			avail(42), tell(freight.GateOut, "NLRTM", 43, load(freight.Laden), facility("POTE", "RWG")), tell(freight.GateIn, "NLRTM", 44, load(freight.Laden), facility("OFFD", "KRAM")),
			view(45, freight.TerminalFacts{Available: &yes}, facility("OFFD", "KRAM")),
		}, "+42 +45"},
	}
	for _, row := range rows {
		facts := append(overSea(), row.facts...)
		check(t, row.name, changesOf(t, deriveTest(facts)), row.want)
		slices.Reverse(facts)
		check(t, row.name+", reversed", changesOf(t, deriveTest(facts)), row.want)
	}
}

// TestLateAvailabilityChanges: a change that is reported late does not change the identity
// of others, not even of the same hour.
func TestLateAvailabilityChanges(t *testing.T) {
	oclock := func(hour float64) change {
		return at(freight.Moment{Time: day0.AddDate(0, 0, 46).Truncate(24 * time.Hour).Add(time.Duration(hour * float64(time.Hour)))})
	}
	yes := func(hour float64) LoggedFact { return tell(freight.PickupAvailable, "NLRTM", 46, oclock(hour)) }
	no := func(hour float64) LoggedFact { return tell(freight.PickupUnavailable, "NLRTM", 46, oclock(hour)) }
	back := time.Date(2026, 10, 25, 1, 0, 0, 0, time.UTC) // the clocks go back to 2:00
	onBack := func(w freight.Activity, minutes int) LoggedFact {
		return tell(w, "NLRTM", 0, at(freight.Moment{Time: back.Add(time.Duration(minutes) * time.Minute)}))
	}
	early := []LoggedFact{tell(freight.PickupAvailable, "NLRTM", 42), tell(freight.PickupUnavailable, "NLRTM", 43)}
	ids := func(facts ...LoggedFact) map[string]string {
		list := map[string]string{}
		for _, m := range containerOf(t, deriveTest(append(overSea(), facts...)), box1).Milestones {
			if m.Event == freight.Available || m.Event == freight.NotAvailable {
				list[string(m.Event)+"/"+m.Place.LOCODE+"/"+m.Visit()] = fmt.Sprint(m.Event, " ", m.At.Time)
			}
		}
		return list
	}
	for _, row := range []struct {
		name        string
		known, late []LoggedFact
		want        int // changes in all
	}{
		{"of other days", []LoggedFact{yes(18)}, early, 3},
		{"before", []LoggedFact{yes(22)}, []LoggedFact{yes(18), no(20)}, 3},
		{"between", []LoggedFact{yes(18), no(20), yes(22)}, []LoggedFact{no(19), yes(19.5)}, 5},
		{"after", []LoggedFact{yes(18)}, []LoggedFact{no(20), yes(22)}, 3},
		{"in one minute", []LoggedFact{yes(18)}, []LoggedFact{no(18.001), yes(18.002)}, 3},
		{"in the hour that comes twice", []LoggedFact{onBack(freight.PickupAvailable, 30)},
			[]LoggedFact{onBack(freight.PickupAvailable, -30), onBack(freight.PickupUnavailable, -29)}, 3},
		{"the same said again", []LoggedFact{yes(18)}, []LoggedFact{yes(19)}, 1},
	} {
		after := ids(append(slices.Clone(row.known), row.late...)...)
		check(t, row.name+": turns", len(after), row.want)
		for id, m := range ids(row.known...) {
			check(t, row.name+": the same event", after[id], m)
		}
	}
}

// TestAvailabilityChange checks the reporter, time and place of a change.
func TestAvailabilityChange(t *testing.T) {
	facts := append(overSea(),
		tell(freight.Discharge, "NLRTM", 41, by(freight.ByVessel), facility("POTE", "ECTDL"), recorded(41)),
		tell(freight.PickupAvailable, "", 43, from(freight.FromTerminal), at(freight.Moment{Time: day0.AddDate(0, 0, 43), Floating: true})))
	list := containerOf(t, deriveTest(facts), box1).Milestones
	m := list[len(list)-1]
	check(t, "event", m.Event, freight.Available)
	check(t, "at", m.At, freight.Moment{Time: day0.AddDate(0, 0, 43).Add(-2 * time.Hour), Zone: "Europe/Amsterdam"})
	check(t, "place", m.Place, freight.Place{LOCODE: "NLRTM", Name: "Rotterdam", SMDG: "ECTDL", FacilityType: "POTE", Role: freight.RolePOD})
	check(t, "source", m.DataSource, freight.FromTerminal)
	check(t, "fact", m.Fact, len(facts)-1)
}

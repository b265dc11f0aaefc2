package journey

import (
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
)

func dayOnly(date string) freight.Moment {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	return freight.Moment{Time: t, Day: true, Floating: true}
}

// TestZoneOfEachDeadline: each deadline is shown with a zone, and begins at midnight there.
func TestZoneOfEachDeadline(t *testing.T) {
	lfd := says(freight.TerminalFacts{LastFreeDay: dayOnly("2026-04-20")})
	sea := []LoggedFact{
		tell(freight.Departure, "CNSHA", 10, by(freight.ByVessel)), tell(freight.Discharge, "USNYC", 41, by(freight.ByVessel)),
		tell(freight.TerminalStatus, "USNYC", 42, lfd),
		tell(freight.TerminalStatus, "USNYC", 42, from(freight.FromTerminal), source("t"), lfd),
		tell(freight.TerminalStatus, "USCHI", 42, from(freight.FromTerminal), source("r"), facility("RAMP", ""), lfd),
	}
	zones := func(facts []LoggedFact) string {
		c := containerOf(t, deriveTest(facts), box1)
		for _, m := range []freight.Moment{c.LFDLine, c.LFDTerminal, c.LFDRail} {
			check(t, "the day", m.Time.In(freight.LoadZone(m.Zone)).Format(time.DateOnly), "2026-04-20")
		}
		return c.LFDLine.Zone + " " + c.LFDTerminal.Zone + " " + c.LFDRail.Zone
	}
	check(t, "to the port", zones(sea), "America/New_York America/New_York America/Chicago")
	check(t, "inland", zones(append(sea, tell(freight.Route, "USLAX", 1, in(freight.RoleDestination), about()))), "America/Los_Angeles America/New_York America/Los_Angeles")
	sea[2].Place = freight.Place{} // a notice can have no place
	check(t, "inland, without a place", zones(append(sea, tell(freight.Route, "USLAX", 1, in(freight.RoleDestination), about()))), "America/Los_Angeles America/New_York America/Los_Angeles")
}

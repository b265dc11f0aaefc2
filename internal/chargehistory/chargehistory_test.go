package chargehistory

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/refdata"
)

// world is the reference data.
type world struct{}

func (world) Place(locode string) (canonical, name, zone string, ok bool) {
	p, ok := refdata.PortByCode(locode)
	return p.Code, p.Name, p.Zone, ok
}

// Near: Los Angeles and Long Beach are one area.
func (world) Near(a, b string) bool {
	return slices.Contains([]string{"USLAX USLGB", "USLGB USLAX"}, a+" "+b)
}

const box = "MRKU9465770"

// day is a moment of March 2026, UTC.
func day(n, hour int) time.Time { return time.Date(2026, 3, n, hour, 0, 0, 0, time.UTC) }

// said is a fact of the line about the box, recorded an hour after it happened; change may be
// nil.
func said(activity freight.Activity, locode string, at time.Time, change func(*journey.LoggedFact)) journey.LoggedFact {
	f := journey.LoggedFact{Source: "line", DataSource: freight.FromShippingLine, SCAC: "MAEU", Fact: freight.Fact{
		Activity: activity, Place: freight.Place{LOCODE: locode}, Containers: []string{box},
		Numbers: []freight.ShipmentNumber{{Type: freight.BillOfLading, Number: "B1"}}, RecordedAt: at.Add(time.Hour),
		At: freight.Moment{Time: at}, LoadStatus: freight.Laden,
	}}
	switch activity {
	case freight.Loading, freight.Discharge, freight.Departure, freight.Arrival:
		f.Mode, f.Vessel = freight.ByVessel, freight.VesselRef{IMO: "9321483", Name: "STAR"}
	}
	if change != nil {
		change(&f)
	}
	return f
}

func byRail(f *journey.LoggedFact)     { f.Mode, f.Vessel = freight.ByRail, freight.VesselRef{} }
func empty(f *journey.LoggedFact)      { f.LoadStatus = freight.Empty }
func byCustoms(f *journey.LoggedFact)  { f.Place, f.Source = freight.Place{}, "customs" }
func byTerminal(f *journey.LoggedFact) { f.DataSource, f.Source = freight.FromTerminal, "terminal" }

// status is a full status of a terminal with holds, and with a last free day unless it is zero.
func status(available bool, lfd int, holds ...string) func(*journey.LoggedFact) {
	return func(f *journey.LoggedFact) {
		byTerminal(f)
		f.Terminal = &freight.TerminalFacts{Available: &available}
		for _, name := range holds {
			f.Terminal.Holds = append(f.Terminal.Holds, freight.Hold{Name: name, Status: "hold"})
		}
		if lfd > 0 {
			f.Terminal.LastFreeDay = freight.Moment{Time: day(lfd, 0), Floating: true, Day: true}
		}
	}
}

// voyage brings the box from Shanghai to a port, where it is discharged on 4 March at 18:00 UTC.
func voyage(pod string) []journey.LoggedFact {
	return []journey.LoggedFact{
		said(freight.Loading, "CNSHA", day(1, 0), nil), said(freight.Departure, "CNSHA", day(1, 8), nil),
		said(freight.Arrival, pod, day(4, 8), nil), said(freight.Discharge, pod, day(4, 18), nil),
		said(freight.Route, pod, day(1, 0), func(f *journey.LoggedFact) { f.Place.Role = freight.RolePOD }),
	}
}

// inland is the box carried on by rail to Chicago, where it is on the ground on 10 March.
func inland() []journey.LoggedFact {
	return append(voyage("USLAX"),
		said(freight.Route, "USCHI", day(1, 0), func(f *journey.LoggedFact) { f.Place.Role = freight.RoleDestination }),
		said(freight.Loading, "USLAX", day(6, 0), byRail), said(freight.Departure, "USLAX", day(6, 6), byRail),
		said(freight.Arrival, "USCHI", day(10, 6), byRail), said(freight.Discharge, "USCHI", day(10, 12), byRail),
	)
}

func TestHistory(t *testing.T) {
	for _, tt := range []struct {
		name  string
		clock freetime.Clock
		facts []journey.LoggedFact
		want  string // the place, through rail, and the facts by their times
	}{
		{"from the discharge to the gate", freetime.Demurrage, append(voyage("USLAX"), said(freight.GateOut, "USLAX", day(9, 20), nil)),
			"USLAX; vessel_discharged 4T18; full_out 9T20"},
		{"the gate of the neighbouring port is one of this port", freetime.Demurrage, append(voyage("USLAX"), said(freight.GateOut, "USLGB", day(9, 20), nil)),
			"USLAX; vessel_discharged 4T18; full_out 9T20"},
		{"a delivery shows that it has left", freetime.Demurrage, append(voyage("USLAX"), said(freight.Delivery, "USLAX", day(10, 1), nil)),
			"USLAX; vessel_discharged 4T18; full_out 10T1"},
		{"which opens no clock outside", freetime.Detention, append(voyage("USLAX"), said(freight.Delivery, "USLAX", day(10, 1), nil)),
			"USLAX; vessel_discharged 4T18"},
		{"outside until the return, anywhere", freetime.PerDiem, append(voyage("USLAX"), said(freight.GateOut, "USLAX", day(9, 20), nil), said(freight.GateIn, "USOAK", day(14, 2), empty)),
			"USLAX; vessel_discharged 4T18; full_out 9T20; empty_in 14T2"},
		{"the word of the terminal, its holds and its last free day", freetime.Demurrage, append(voyage("USLAX"),
			said(freight.TerminalStatus, "USLAX", day(5, 0), status(false, 12, "customs", "freight")),
			said(freight.TerminalStatus, "USLAX", day(7, 0), status(true, 13, "freight")), said(freight.TerminalStatus, "USLAX", day(8, 0), status(true, 13))),
			"USLAX; vessel_discharged 4T18; not_available 5T0; held customs 5T0; held freight 5T0; available 7T0; released customs 7T0; available 8T0; released freight 8T0; last_free_day terminal 13T7"},
		{"a hold of two parties is one, until neither has it", freetime.Demurrage, append(voyage("USLAX"),
			said(freight.TerminalStatus, "USLAX", day(5, 0), status(true, 0, "customs")), said(freight.CustomsHold, "", day(5, 6), byCustoms),
			said(freight.TerminalStatus, "USLAX", day(6, 0), status(true, 0)), said(freight.CustomsRelease, "", day(7, 0), byCustoms)),
			"USLAX; vessel_discharged 4T18; available 5T0; held customs 5T0; available 6T0; released customs 7T0"},
		{"set and cleared at one moment it never was", freetime.Demurrage, append(voyage("USLAX"),
			said(freight.CustomsHold, "", day(5, 6), byCustoms), said(freight.CustomsRelease, "", day(5, 6), func(f *journey.LoggedFact) { byCustoms(f); f.RecordedAt = day(5, 8) })),
			"USLAX; vessel_discharged 4T18"},
		{"rail storage at the ramp, from the ground", freetime.RailStorage, append(inland(),
			said(freight.TerminalStatus, "USCHI", day(11, 0), status(true, 0)), said(freight.TerminalStatus, "USLAX", day(5, 0), status(false, 0, "freight")), said(freight.GateOut, "USCHI", day(12, 15), nil)),
			"USCHI through; vessel_discharged 4T18; rail_loaded 6T0; rail_unloaded 10T12; available 11T0; full_out 12T15"},
		{"what customs say is about port and ramp", freetime.RailStorage, append(inland(), said(freight.CustomsHold, "", day(5, 0), byCustoms)),
			"USCHI through; held customs 5T0; vessel_discharged 4T18; rail_loaded 6T0; rail_unloaded 10T12"},
		{"no demurrage of a box that the line carries on", freetime.Demurrage, append(inland(), said(freight.TerminalStatus, "USLAX", day(5, 0), status(true, 7))),
			"USLAX through; vessel_discharged 4T18; available 5T0; rail_loaded 6T0; last_free_day terminal 7T8; rail_unloaded 10T12"},
		{"outside it runs from the ramp", freetime.Detention, append(inland(), said(freight.GateOut, "USCHI", day(12, 15), nil)),
			"USCHI through; vessel_discharged 4T18; rail_loaded 6T0; rail_unloaded 10T12; full_out 12T15"},
		{"no ramp", freetime.RailStorage, voyage("USLAX"), ""},
		{"at sea", freetime.Demurrage, voyage("USLAX")[:2], ""},
	} {
		got := historyOf(tt.facts, tt.clock)
		if diff := cmp.Diff(sorted(tt.want), sorted(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// The order of the facts does not matter.
func TestOrderOfFacts(t *testing.T) {
	facts := append(inland(), said(freight.TerminalStatus, "USCHI", day(11, 0), status(true, 12, "freight")), said(freight.CustomsHold, "", day(5, 0), byCustoms), said(freight.GateOut, "USCHI", day(12, 15), nil))
	reversed := slices.Clone(facts)
	slices.Reverse(reversed)
	for _, clock := range []freetime.Clock{freetime.Demurrage, freetime.Combined, freetime.RailStorage, freetime.Detention} {
		if a, b := historyOf(facts, clock), historyOf(reversed, clock); sorted(a) != sorted(b) {
			t.Errorf("%s: %s, reversed %s", clock, a, b)
		}
	}
}

// A fact is learned when its source recorded it, but not after it arrived.
func TestLearned(t *testing.T) {
	for _, tt := range []struct{ recorded, received, want time.Time }{
		{day(5, 0), day(7, 0), day(5, 0)},
		{day(9, 0), day(7, 0), day(7, 0)},
		{time.Time{}, day(7, 0), day(7, 0)},
	} {
		f := Fact{LoggedFact: &journey.LoggedFact{Fact: freight.Fact{RecordedAt: tt.recorded}}, ReceivedAt: tt.received}
		if got := f.learned(); !got.Equal(tt.want) {
			t.Errorf("recorded %s, received %s: learned %s", tt.recorded, tt.received, got)
		}
	}
}

func historyOf(facts []journey.LoggedFact, clock freetime.Clock) string {
	list := make([]*journey.LoggedFact, len(facts))
	for i := range facts {
		list[i] = &facts[i]
	}
	j := journey.Derive([]freight.ShipmentNumber{{Type: freight.BillOfLading, Number: "B1"}}, list, world{})
	c := Container{ContainerJourney: &j.Containers[0], Places: world{}}
	for i, f := range list {
		c.Facts = append(c.Facts, Fact{LoggedFact: f, Name: factName(i), ReceivedAt: f.RecordedAt})
	}
	h, _ := c.History(clock)
	if h.Zone == nil {
		return ""
	}
	text := h.Place
	if h.Container.ThroughRail {
		text += " through"
	}
	for _, f := range h.Facts {
		if f.Place != h.Place {
			text += "; elsewhere"
		}
		text += fmt.Sprintf("; %s", f.Type)
		if of := f.Hold + string(f.Party); of != "" {
			text += " " + of
		}
		text += fmt.Sprintf(" %dT%d", f.At.UTC().Day(), f.At.UTC().Hour())
	}
	return text
}

// sorted puts the facts of a text in order.
func sorted(text string) string {
	list := strings.Split(text, "; ")
	slices.Sort(list[1:])
	return strings.Join(list, "\n")
}

// factName names a fact by its index.
type factName int

func (n factName) String() string { return strconv.Itoa(int(n)) }

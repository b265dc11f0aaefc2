package journey

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/landfallhq/tracking/freight"
)

// The laws of Derive (docs/contract.md#facts-and-what-follows-from-them) as properties of
// random histories. One generator draws the histories. Its random numbers come from a
// seeded generator (for a given number of histories), from rapid (which shrinks failures)
// or from the bytes of the fuzzer.

// dice draws numbers from 0 to n-1.
type dice interface{ roll(n int) int }

type seededDice struct{ *rand.Rand }

func (d seededDice) roll(n int) int { return d.IntN(n) }

type rapidDice struct{ *rapid.T }

func (d rapidDice) roll(n int) int { return rapid.IntRange(0, n-1).Draw(d.T, "roll") }

// byteDice reads two bytes for each number, and returns 0 after the last.
type byteDice struct{ left []byte }

func (d *byteDice) roll(n int) int {
	if len(d.left) == 0 {
		return 0
	}
	b := d.left[0]
	d.left = d.left[1:]
	if n <= 256 || len(d.left) == 0 {
		return int(b) % n
	}
	c := d.left[0]
	d.left = d.left[1:]
	return (int(b)<<8 | int(c)) % n
}

func pick[T any](d dice, list []T) T { return list[d.roll(len(list))] }

// derive is Derive for a list of values.
func derive(followed []freight.ShipmentNumber, facts []LoggedFact, places Places) Journey {
	list := make([]*LoggedFact, len(facts))
	for i := range facts {
		list[i] = &facts[i]
	}
	return Derive(followed, list, places)
}

// testPlaces are the Places of the tests.
type testPlaces map[string]testPlace

type testPlace struct{ canonical, name, zone, metro string }

func (p testPlaces) Place(locode string) (canonical, name, zone string, ok bool) {
	t, ok := p[locode]
	return t.canonical, t.name, t.zone, ok
}

func (p testPlaces) Near(a, b string) bool { return p[a].metro != "" && p[a].metro == p[b].metro }

var places = testPlaces{
	"CNSHA": {"CNSHA", "Shanghai", "Asia/Shanghai", ""},
	"CNSGH": {"CNSHA", "Shanghai", "Asia/Shanghai", ""},
	"CNNGB": {"CNNGB", "Ningbo", "Asia/Shanghai", ""},
	"CNNKG": {"CNNKG", "Nanjing", "Asia/Shanghai", ""},
	"SGSIN": {"SGSIN", "Singapore", "Asia/Singapore", ""},
	"LKCMB": {"LKCMB", "Colombo", "Asia/Colombo", ""},
	"NLRTM": {"NLRTM", "Rotterdam", "Europe/Amsterdam", ""},
	"NLROT": {"NLRTM", "Rotterdam", "Europe/Amsterdam", ""},
	"BEANR": {"BEANR", "Antwerp", "Europe/Brussels", ""},
	"DEDUI": {"DEDUI", "Duisburg", "Europe/Berlin", ""},
	"USLAX": {"USLAX", "Los Angeles", "America/Los_Angeles", ""},
	"USCHI": {"USCHI", "Chicago", "America/Chicago", ""},
	"USNYC": {"USNYC", "New York", "America/New_York", ""},
	"AQMCM": {"AQMCM", "McMurdo", "", ""}, // known, without a zone
}

var (
	allWhats = []freight.Activity{
		freight.GateOut, freight.GateIn, freight.Loading, freight.Discharge, freight.Departure, freight.Arrival, freight.Berth, freight.Delivery, freight.PickupAvailable, freight.PickupUnavailable,
		freight.CustomsHold, freight.CustomsRelease, freight.TerminalStatus, freight.Route, freight.Booked, freight.Cancelled, freight.Described, freight.Other,
	}
	allStatuses = []freight.ContainerStatus{
		freight.StatusNew, freight.StatusOnShip, freight.StatusAvailable, freight.StatusNotAvailable, freight.StatusGrounded, freight.StatusOnRail,
		freight.StatusPickedUp, freight.StatusOffDock, freight.StatusDelivered, freight.StatusEmptyReturned, freight.StatusAwaitingInlandTransfer,
	}
	allEvents  = slices.SortedFunc(maps.Keys(MilestoneOrder), func(a, b freight.EventName) int { return MilestoneOrder[a] - MilestoneOrder[b] })
	day0       = time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	lawVessels = []freight.VesselRef{{IMO: "9321483", Name: "King of the Seas"}, {IMO: "9770749", Name: "Ever Lucid"}, {IMO: "", Name: "Ever Lucid"}, {IMO: "9074729", Name: ""}, {}}
)

// historian draws the history of one shipment.
type historian struct {
	dice
	facts      []LoggedFact
	containers []string
	ids        int
	now        int // how many days of the plan have happened
}

var containerNumbers = []string{"CSQU3054383", "MSKU9465770", "TCLU4265390", "HLXU1234567", "MRKU9465770"}

// history draws the facts of a journey from several sources, with the errors of real feeds,
// and some meaningless facts.
func history(d dice) []LoggedFact {
	h := &historian{dice: d}
	n := 2 + d.roll(2)
	h.containers = containerNumbers[:n]
	h.now = d.roll(65)
	h.journey()
	for range d.roll(7) {
		h.facts = append(h.facts, h.noise())
	}
	h.age()
	return h.facts
}

func (h *historian) chance(percent int) bool { return h.roll(100) < percent }

// journey adds the steps from the empty pick-up to the empty return.
func (h *historian) journey() {
	ports := [][]string{
		{"CNSHA", "NLRTM"}, {"CNSGH", "USLAX"}, {"CNNGB", "SGSIN", "NLRTM"}, {"CNSHA", "SGSIN", "LKCMB", "BEANR"}, {"CNSHA", "SGSIN", "USLAX"},
	}[h.roll(5)]
	pol, pod := ports[0], ports[len(ports)-1]
	inland := map[string]string{"NLRTM": "DEDUI", "USLAX": "USCHI", "BEANR": "DEDUI"}[pod]
	if h.chance(40) {
		inland = ""
	}
	h.roles(pol, pod, inland)
	for h.chance(30) {
		h.facts = append(h.facts, h.fact(pick(h, []freight.Activity{freight.Booked, freight.Cancelled}), day0))
	}
	h.tell(0, freight.GateOut, pol, "", freight.Empty)
	if h.chance(25) {
		feeder := pick(h, []freight.Mode{freight.ByFeeder, freight.ByBarge})
		h.leg(2, feeder, "CNNKG", pol)
	}
	h.tell(3, freight.GateIn, pol, "", freight.Laden)
	h.leg(4, freight.ByVessel, ports...)
	if h.chance(20) {
		h.rollOver(pol, pod, 4)
	}
	end := 4 + 12*(len(ports)-1)
	if h.chance(40) {
		h.tell(end-2, freight.Berth, pod, freight.ByVessel, "")
	}
	if h.chance(50) {
		h.terminal(end+1, pod)
	}
	if h.chance(20) {
		if h.offDock(end+2, pod); inland == "" && h.chance(50) {
			return // the journey ends there for now
		}
	}
	last := pod
	if inland != "" {
		h.leg(end+2, pick(h, []freight.Mode{freight.ByRail, freight.ByRail, freight.ByBarge, freight.ByTruck}), pod, inland)
		if h.chance(30) {
			h.tell(end+9, freight.GateIn, inland, "", freight.Laden)
		}
		last, end = inland, end+10
		if h.chance(30) {
			h.terminal(end, inland)
		}
	}
	h.tell(end+3, freight.GateOut, last, "", freight.Laden)
	if h.chance(40) {
		h.tell(end+4, freight.Delivery, last, "", freight.Laden)
	}
	h.tell(end+6, freight.GateIn, last, "", freight.Empty)
}

// leg adds a leg over the places, in days from the start.
func (h *historian) leg(day int, by freight.Mode, over ...string) {
	for i, p := range over {
		if i > 0 {
			h.tell(day+10, freight.Arrival, p, by, "")
			h.tell(day+11, freight.Discharge, p, by, freight.Laden)
			day += 12
		}
		if i < len(over)-1 {
			h.tell(day, freight.Loading, p, by, freight.Laden)
			h.tell(day+1, freight.Departure, p, by, "")
		}
	}
}

// rollOver adds a ship that was planned a week earlier, and that left without one container
// or all.
func (h *historian) rollOver(pol, pod string, day int) {
	at := day0.AddDate(0, 0, day-7)
	for _, call := range []struct {
		freight.Activity
		place string
		at    time.Time
	}{{freight.Departure, pol, at}, {freight.Arrival, pod, at.AddDate(0, 0, 25)}} {
		f := h.fact(call.Activity, at)
		f.Place, f.Mode, f.At, f.Vessel = h.spell(call.place), freight.ByVessel, h.moment(call.at), pick(h, lawVessels)
		f.Classifier, f.Containers = pick(h, []freight.Classifier{freight.Actual, freight.Estimated, freight.Planned}), pick(h, [][]string{nil, h.containers[:1]})
		h.versions(f, call.at)
	}
}

// offDock adds a move of a container to a yard, and reports of the yard.
func (h *historian) offDock(day int, pod string) {
	at := day0.Add(time.Duration(day*24+h.roll(48)) * time.Hour)
	for i, w := range []freight.Activity{freight.GateOut, freight.GateIn, freight.TerminalStatus, freight.GateOut}[h.roll(3):] {
		at := at.Add(time.Duration(i*6) * time.Hour)
		f := h.fact(w, at)
		f.Place, f.LoadStatus, f.At, f.Containers = h.spell(pod), freight.Laden, h.moment(at), h.containers[:1]
		if f.Place.SMDG == "" {
			f.Place.FacilityType, f.Place.Facility = pick(h, []string{"OFFD", "COFS", "POTE", ""}), pick(h, []string{"Yard 9", ""})
		}
		if w == freight.TerminalStatus {
			f.Terminal = h.terminalFacts(at)
		}
		h.versions(f, at)
	}
}

func (h *historian) roles(pol, pod, inland string) {
	stated := map[freight.Role]string{freight.RolePOL: pol, freight.RolePOD: pod, freight.RoleDestination: inland}
	for _, r := range []freight.Role{freight.RolePOL, freight.RolePOD, freight.RoleDestination} {
		if stated[r] != "" && h.chance(map[freight.Role]int{freight.RolePOL: 40, freight.RolePOD: 40, freight.RoleDestination: 80}[r]) {
			f := h.fact(freight.Route, day0)
			f.Place = freight.Place{LOCODE: stated[r], Role: r}
			h.facts = append(h.facts, f)
		}
	}
}

// tell adds the facts of one step, for each container or for the whole shipment.
func (h *historian) tell(day int, w freight.Activity, locode string, by freight.Mode, l freight.LoadStatus) {
	if !h.chance(80) {
		return
	}
	groups := [][]string{h.containers}
	switch {
	case (w == freight.Departure || w == freight.Arrival) && h.chance(70):
		groups = [][]string{nil}
	case h.chance(60):
		groups = nil
		for _, b := range h.containers {
			groups = append(groups, []string{b})
		}
	}
	for _, containers := range groups {
		at := day0.Add(time.Duration(day)*24*time.Hour + time.Duration(h.roll(2000))*time.Minute)
		f := h.fact(w, at)
		f.Place, f.Mode, f.LoadStatus, f.Containers = h.spell(locode), by, l, containers
		f.At = h.moment(at)
		if by == freight.ByVessel || by == freight.ByFeeder {
			f.Vessel, f.Voyage = pick(h, lawVessels), pick(h, []string{"012E", "013W", ""})
			if h.chance(10) {
				f.Mode = ""
			}
		}
		if day > h.now {
			f.Classifier = pick(h, []freight.Classifier{freight.Estimated, freight.Planned})
		}
		h.versions(f, at)
	}
}

// fact returns a fact that was recorded around a time.
func (h *historian) fact(w freight.Activity, at time.Time) LoggedFact {
	h.ids++
	f := LoggedFact{
		Source:     pick(h, []string{"dcsa", "dcsa", "dcsa", "terminal", "api"}),
		DataSource: pick(h, []freight.DataSource{freight.FromShippingLine, freight.FromShippingLine, freight.FromTerminal, freight.FromAIS, freight.ByHand, ""}),
		SCAC:       "MAEU",
	}
	f.Activity = w
	f.RecordedAt = at.Add(time.Duration(h.roll(48)) * time.Hour).Truncate(time.Hour * 6)
	if !h.chance(15) {
		f.ID = "E" + strconv.Itoa(h.ids)
	}
	if h.chance(20) {
		f.Numbers = []freight.ShipmentNumber{{Type: freight.BillOfLading, Number: "MAEU123456789"}, {Type: freight.BookingNumber, Number: " B1"}}[:1+h.roll(2)]
		f.References = []string{"PO-" + strconv.Itoa(h.roll(3))}
	}
	if h.chance(10) {
		f.Equipment = freight.Equipment{ISOType: "45G1", Seals: []string{"S" + strconv.Itoa(h.roll(9))}, WeightKg: float64(h.roll(30000))}
	}
	return f
}

// versions adds a fact, sometimes with earlier versions of the same source, and sometimes
// with a retraction.
func (h *historian) versions(f LoggedFact, at time.Time) {
	h.facts = append(h.facts, f)
	if h.chance(15) { // it was expected
		v := f
		v.Classifier, v.RecordedAt = freight.Estimated, f.RecordedAt.Add(-72*time.Hour)
		v.At = h.moment(at.Add(time.Duration(h.roll(200)) * time.Hour))
		if h.chance(50) {
			v.ID = "P" + v.ID
		}
		h.facts = append(h.facts, v)
	}
	if h.chance(10) && f.ID != "" { // it was corrected
		v := f
		v.RecordedAt = f.RecordedAt.Add(time.Duration(h.roll(3)) * 24 * time.Hour)
		v.At = h.moment(at.Add(time.Hour))
		h.facts = append(h.facts, v)
	}
	if h.chance(6) && f.ID != "" { // it was retracted
		h.facts = append(h.facts, LoggedFact{
			Source: f.Source, DataSource: f.DataSource, SCAC: f.SCAC,
			Fact: freight.Fact{ID: f.ID, Retracted: true, RecordedAt: f.RecordedAt.Add(time.Duration(h.roll(3)-1) * 24 * time.Hour)},
		})
	}
	if h.chance(5) { // it was reported twice
		h.facts = append(h.facts, f)
	}
	if h.chance(12) { // another source reports it too
		v := f
		v.Source, v.DataSource, v.Vessel = "ais", pick(h, []freight.DataSource{freight.FromAIS, freight.FromTerminal, freight.ByHand}), pick(h, lawVessels)
		v.RecordedAt = f.RecordedAt.Add(time.Duration(h.roll(3)-1) * 6 * time.Hour)
		v.At = h.moment(at.Add(time.Duration(h.roll(12)) * time.Hour))
		h.facts = append(h.facts, v)
	}
}

// spell writes a place as sources do.
func (h *historian) spell(locode string) freight.Place {
	p := freight.Place{LOCODE: locode}
	switch h.roll(12) {
	case 0:
		p.LOCODE = map[string]string{"CNSHA": "CNSGH", "NLRTM": "NLROT"}[locode]
		p.LOCODE = cmp.Or(p.LOCODE, locode)
	case 1:
		p.LOCODE = locode[:2] + " " + strings.ToLower(locode[2:])
	case 2:
		p.FacilityType, p.SMDG, p.Facility = "POTE", "APM", "APM Terminals"
	case 3:
		p.Name = places[locode].name + " port"
	}
	return p
}

// moment writes a time as sources do: an instant, a wall clock, or a date.
func (h *historian) moment(t time.Time) freight.Moment {
	switch h.roll(8) {
	case 0, 1:
		return freight.Moment{Time: t, Floating: true}
	case 2:
		return freight.Moment{Time: t.Truncate(24 * time.Hour), Day: true, Floating: h.chance(50)}
	case 3:
		return freight.Moment{Time: t.In(time.FixedZone("", 8*3600))}
	}
	return freight.Moment{Time: t}
}

// terminal adds reports of a terminal about the containers.
func (h *historian) terminal(day int, locode string) {
	for range 1 + h.roll(3) {
		at := day0.Add(time.Duration(day*24+h.roll(96)) * time.Hour)
		f := h.fact(pick(h, []freight.Activity{freight.TerminalStatus, freight.TerminalStatus, freight.PickupAvailable, freight.PickupUnavailable, freight.CustomsHold, freight.CustomsRelease}), at)
		f.DataSource = freight.FromTerminal
		f.Place, f.At, f.Containers = h.spell(locode), h.moment(at), h.containers[:1+h.roll(len(h.containers))]
		if (f.Activity == freight.CustomsHold || f.Activity == freight.CustomsRelease) && h.chance(30) {
			f.Containers = nil // of the whole shipment
		}
		if f.Activity == freight.TerminalStatus {
			f.Terminal = h.terminalFacts(at)
		}
		h.versions(f, at)
	}
}

func (h *historian) terminalFacts(at time.Time) *freight.TerminalFacts {
	yes := h.chance(50)
	note := pick(h, []string{"EXAM", "X"})
	t := &freight.TerminalFacts{Yard: pick(h, []string{"", "R7"}), LastFreeDay: freight.Moment{Time: at.Truncate(24 * time.Hour), Day: true}}
	if h.chance(70) {
		t.Available = &yes
	}
	if h.chance(40) {
		t.Holds = []freight.Hold{{Name: pick(h, []string{"customs", "freight"}), Status: "hold", Description: &note}, {Name: "TMF", Status: "pending"}}[:1+h.roll(2)]
	}
	if h.chance(30) {
		t.Fees = []freight.Fee{{Type: "demurrage", Amount: 120, CurrencyCode: "USD"}, {Type: "total", Amount: 120, CurrencyCode: "USD"}}
	}
	return t
}

// noise returns a fact of any kind, meaningful or not.
func (h *historian) noise() LoggedFact {
	at := day0.Add(time.Duration(h.roll(80*24)) * time.Hour)
	f := h.fact(pick(h, allWhats), at)
	f.At = h.moment(at)
	if h.chance(10) {
		f.At = pick(h, []freight.Moment{{}, {Time: time.Date(20250, 1, 1, 0, 0, 0, 0, time.UTC)}, {Time: at, Zone: "Europe/Paris"}, {Time: at, Zone: "Nowhere/At"}})
	}
	f.Classifier = pick(h, []freight.Classifier{freight.Actual, "", freight.Estimated, freight.Planned, "guessed"})
	f.Mode = pick(h, []freight.Mode{freight.ByVessel, freight.ByVessel, freight.ByFeeder, freight.ByBarge, freight.ByRail, freight.ByTruck, "", "mule"})
	f.LoadStatus = pick(h, []freight.LoadStatus{freight.Empty, freight.Laden, "", "half"})
	f.Vessel = pick(h, lawVessels)
	f.Place = h.spell(pick(h, []string{"CNSHA", "SGSIN", "NLRTM", "DEDUI", "USLAX", "USCHI", "USNYC", "AQMCM", "ZZZZZ"}))
	if h.chance(15) {
		f.Place = pick(h, []freight.Place{{}, {Name: "Some  Depot"}, {Facility: "Pier 400"}, {LOCODE: "ROTTERDAM"}})
	}
	if h.chance(12) || f.Activity == freight.Route {
		f.Place.Role = pick(h, []freight.Role{freight.RolePOL, freight.RoleTS, freight.RolePOD, freight.RoleDestination, "hub"})
	}
	f.Containers = pick(h, [][]string{h.containers[:1], h.containers, nil, {"csqu 305438-3"}, {"NOTABOX", ""}, {"MSCU1234567"}})
	if f.Activity == freight.TerminalStatus && h.chance(80) {
		f.Terminal = h.terminalFacts(at)
	}
	f.Retracted = h.chance(3)
	return f
}

// age removes the time of recording of some facts, and shifts others.
func (h *historian) age() {
	for i := range h.facts {
		if h.chance(3) {
			h.facts[i].RecordedAt = time.Time{}
		}
	}
}

var followedBooking = []freight.ShipmentNumber{{Type: freight.BookingNumber, Number: "B1"}}

func deriveTest(facts []LoggedFact) Journey { return derive(followedBooking, facts, places) }

// story is a journey with the indexes of its facts replaced by their content, so that
// journeys from differently ordered facts can be compared.
type story struct {
	Journey  Journey
	Outcomes []string   // of the facts, in the order of their content
	Told     [][]string // the fact of each milestone, for each container
	Because  [][]string // the fact of each value: of the shipment, and of each container
}

func contentOf(f LoggedFact) string {
	var d Digester
	return fmt.Sprintf("%x@%d", d.Fact(&f), f.RecordedAt.Unix())
}

func storyOf(j Journey, facts []LoggedFact) story {
	s := story{Journey: j}
	for i, o := range j.Facts {
		s.Outcomes = append(s.Outcomes, fmt.Sprintf("%s %t %s", contentOf(facts[i]), o.Superseded, o.Event))
	}
	slices.Sort(s.Outcomes)
	s.Journey.Facts = nil
	s.Because, s.Journey.Provenance = append(s.Because, reasons(j.Provenance, facts)), ShipmentProvenance{}
	s.Journey.Containers = slices.Clone(j.Containers)
	for i := range s.Journey.Containers {
		c := &s.Journey.Containers[i]
		c.Milestones = slices.Clone(c.Milestones)
		var told []string
		for k := range c.Milestones {
			told = append(told, contentOf(facts[c.Milestones[k].Fact]))
			c.Milestones[k].Fact = 0
		}
		s.Told = append(s.Told, told)
		s.Because, c.Provenance = append(s.Because, reasons(c.Provenance, facts)), ContainerProvenance{}
		s.Because = append(s.Because, replaceIndexes(c, facts))
	}
	s.Journey.StatedPODs = slices.Clone(j.StatedPODs)
	for i := range s.Journey.StatedPODs {
		s.Told = append(s.Told, []string{contentOf(facts[s.Journey.StatedPODs[i].Fact])})
		s.Journey.StatedPODs[i].Fact = 0
	}
	return s
}

// replaceIndexes clears the indexes of facts in what plans say of a container, and returns
// their content.
func replaceIndexes(c *ContainerJourney, facts []LoggedFact) (list []string) {
	clear := func(index *int) {
		content := "none"
		if *index >= 0 {
			content = contentOf(facts[*index])
		}
		list, *index = append(list, content), 0
	}
	c.Legs, c.Missed, c.Diversions, c.Expected = slices.Clone(c.Legs), slices.Clone(c.Missed), slices.Clone(c.Diversions), slices.Clone(c.Expected)
	c.Release = slices.Clone(c.Release)
	for i := range c.Release {
		clear(&c.Release[i])
	}
	for i := range c.Legs {
		clear(&c.Legs[i].Boarded)
		clear(&c.Legs[i].Sailed)
		clear(&c.Legs[i].Landed)
	}
	for i := range c.Missed {
		clear(&c.Missed[i].Planned)
		clear(&c.Missed[i].Shown)
		clear(&c.Missed[i].Next)
	}
	for i := range c.Diversions {
		clear(&c.Diversions[i].PlannedBy)
		clear(&c.Diversions[i].Shown)
	}
	for i := range c.Expected {
		clear(&c.Expected[i].Fact)
	}
	return list
}

// reasons returns the facts of a ShipmentProvenance or ContainerProvenance.
func reasons(because any, facts []LoggedFact) (list []string) {
	for v, i := reflect.ValueOf(because), 0; i < v.NumField(); i++ {
		reason := "none"
		if at := v.Field(i).Int(); at >= 0 {
			reason = contentOf(facts[at])
		}
		list = append(list, v.Type().Field(i).Name+" "+reason)
	}
	return list
}

// failure has the methods of testing.T and rapid.T that the laws use.
type failure interface {
	Helper()
	Fatalf(format string, args ...any)
}

func mustEqual(t failure, law string, want, got any) {
	t.Helper()
	if reflect.DeepEqual(want, got) { // go-cmp explains the difference, and takes ten times as long
		return
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", law, diff)
	}
}

// checkLaws checks one history against all laws.
func checkLaws(t failure, d dice, facts []LoggedFact) Journey {
	t.Helper()
	j := deriveTest(facts)
	want := storyOf(j, facts)
	checkShape(t, j, facts)
	checkOrder(t, d, facts, want)
	checkIdempotence(t, d, facts, j)
	checkLateRoutes(t, facts, want)
	checkGuessesChangeNothing(t, d, facts, j)
	checkRetraction(t, d, facts)
	checkLaterVersion(t, d, facts)
	return j
}

// checkOrder: the order of the facts does not matter.
func checkOrder(t failure, d dice, facts []LoggedFact, want story) {
	t.Helper()
	shuffled := slices.Clone(facts)
	for i := len(shuffled) - 1; i > 0; i-- {
		k := d.roll(i + 1)
		shuffled[i], shuffled[k] = shuffled[k], shuffled[i]
	}
	mustEqual(t, "another order gives another journey", want, storyOf(deriveTest(shuffled), shuffled))
}

// checkIdempotence: a repeated fact changes nothing. It failed when the copy of an early
// actual counted as an earlier estimate.
func checkIdempotence(t failure, d dice, facts []LoggedFact, j Journey) {
	t.Helper()
	again := slices.Clone(facts)
	for range 1 + d.roll(5) {
		if len(facts) > 0 {
			again = append(again, pick(d, facts))
		}
	}
	got := deriveTest(again)
	got.Facts = got.Facts[:len(facts)]
	mustEqual(t, "a fact said twice changes the journey", j, got)
}

// checkLateRoutes: roles that become known last give the same journey as roles that are
// known from the start.
func checkLateRoutes(t failure, facts []LoggedFact, want story) {
	t.Helper()
	stated := func(f LoggedFact) int {
		if f.Activity == freight.Route || f.Place.Role != "" {
			return 1
		}
		return 0
	}
	late := slices.Clone(facts)
	slices.SortStableFunc(late, func(a, b LoggedFact) int { return stated(a) - stated(b) })
	mustEqual(t, "late roles", want, storyOf(deriveTest(late), late))
	early := slices.Clone(facts)
	slices.SortStableFunc(early, func(a, b LoggedFact) int { return stated(b) - stated(a) })
	mustEqual(t, "early roles", want, storyOf(deriveTest(early), early))
}

// lastly is after every time of recording in a history.
var lastly = day0.AddDate(2, 0, 0)

// checkGuessesChangeNothing: an estimate changes no milestone that has happened. Plans of
// ships and trains can, because they decide which one takes a container, and where to; and
// an early actual is itself an estimate, which a later version replaces.
func checkGuessesChangeNothing(t failure, d dice, facts []LoggedFact, j Journey) {
	t.Helper()
	var told []Milestone
	for _, c := range j.Containers {
		told = append(told, c.Milestones...)
	}
	if len(told) == 0 {
		return
	}
	m := pick(d, told)
	f := facts[m.Fact]
	switch f.Activity {
	case freight.Loading, freight.Discharge, freight.Departure, freight.Arrival, freight.Berth:
		return
	}
	_, early := classifierOf(&f, m.At)
	f.Classifier, f.RecordedAt = pick(d, []freight.Classifier{freight.Estimated, freight.Planned}), lastly
	f.At.Time = f.At.Time.Add(time.Duration(d.roll(2000)-1000) * time.Hour)
	f.Vessel = pick(d, lawVessels)
	if f.ID == "" || early || d.roll(2) == 0 {
		f.ID, f.Place.Role = "guess", "" // without a role: that would be late knowledge
	}
	got := deriveTest(append(slices.Clone(facts), f))
	for i, c := range j.Containers {
		mustEqual(t, "an estimate changes an actual milestone", withoutRoles(c.Milestones), withoutRoles(got.Containers[i].Milestones))
	}
}

// withoutRoles removes the roles of places, because a planned laden gate-in can decide
// where the journey ends.
func withoutRoles(list []Milestone) []Milestone {
	list = slices.Clone(list)
	for i := range list {
		list[i].Place.Role = ""
	}
	return list
}

// group returns a fact with an ID, and the facts without its versions.
func group(d dice, facts []LoggedFact) (f LoggedFact, rest []LoggedFact, ok bool) {
	var with []LoggedFact
	for _, f := range facts {
		if f.ID != "" && !f.Retracted {
			with = append(with, f)
		}
	}
	if len(with) == 0 {
		return LoggedFact{}, nil, false
	}
	f = pick(d, with)
	return f, slices.DeleteFunc(slices.Clone(facts), func(g LoggedFact) bool {
		return g.Source == f.Source && g.ID == f.ID
	}), true
}

// storyWithoutOutcomes returns a story without the outcomes of facts.
func storyWithoutOutcomes(facts []LoggedFact) story {
	s := storyOf(deriveTest(facts), facts)
	s.Outcomes = nil
	return s
}

// checkRetraction: a retracted fact is as if it had never been reported.
func checkRetraction(t failure, d dice, facts []LoggedFact) {
	t.Helper()
	f, rest, ok := group(d, facts)
	if !ok {
		return
	}
	retraction := LoggedFact{Source: f.Source, Fact: freight.Fact{ID: f.ID, Retracted: true, RecordedAt: lastly}}
	mustEqual(t, "a retracted fact leaves a trace", storyWithoutOutcomes(rest), storyWithoutOutcomes(append(slices.Clone(facts), retraction)))
}

// checkLaterVersion: a later version replaces all earlier ones, except that estimates
// before an actual with the same ID remain estimates.
func checkLaterVersion(t failure, d dice, facts []LoggedFact) {
	t.Helper()
	f, rest, ok := group(d, facts)
	if !ok {
		return
	}
	f.Classifier, f.RecordedAt = freight.Actual, lastly
	f.At.Time = f.At.Time.Add(time.Duration(d.roll(200)) * time.Hour)
	want, got := storyWithoutOutcomes(append(rest, f)), storyWithoutOutcomes(append(slices.Clone(facts), f))
	for _, s := range []*story{&want, &got} {
		// The warning about an early actual remains.
		s.Journey.Warnings = slices.DeleteFunc(s.Journey.Warnings, func(w freight.Warning) bool { return w.Code == "actual_in_the_future" })
		s.Journey.POLETD, s.Journey.PODETA, s.Journey.PODOriginalETA, s.Journey.DestETA = freight.Moment{}, freight.Moment{}, freight.Moment{}, freight.Moment{}
		for i := range s.Journey.Containers {
			s.Journey.Containers[i].INDETA = freight.Moment{}
		}
		for i := range s.Because {
			s.Because[i] = slices.DeleteFunc(s.Because[i], func(r string) bool {
				value, _, _ := strings.Cut(r, " ")
				return strings.HasSuffix(value, "ETD") || strings.HasSuffix(value, "ETA")
			})
		}
	}
	mustEqual(t, "an earlier version shows through a later one", want, got)
}

// checkShape checks what is true of every journey: times stay as given, and the comments of
// journey.go.
func checkShape(t failure, j Journey, facts []LoggedFact) {
	t.Helper()
	if len(j.Facts) != len(facts) {
		t.Fatalf("%d outcomes for %d facts", len(j.Facts), len(facts))
	}
	if !slices.IsSortedFunc(j.Containers, func(a, b ContainerJourney) int { return strings.Compare(a.Number, b.Number) }) {
		t.Fatalf("containers are not in order")
	}
	containers := map[string]bool{}
	for i, f := range facts {
		if !j.Facts[i].Superseded {
			for _, n := range freight.FoldContainers(f.Containers) {
				containers[n] = true
			}
		}
	}
	if len(containers) != len(j.Containers) {
		t.Fatalf("%d containers are named, %d derived", len(containers), len(j.Containers))
	}
	for _, c := range j.Containers {
		checkMilestones(t, c, j, facts)
	}
}

func checkMilestones(t failure, c ContainerJourney, j Journey, facts []LoggedFact) {
	t.Helper()
	seen := map[string]bool{}
	for i, m := range c.Milestones {
		f := facts[m.Fact]
		if j.Facts[m.Fact].Superseded || (f.Classifier != freight.Actual && f.Classifier != "") {
			t.Fatalf("milestone %s follows from a fact that is superseded or has not happened", m.Event)
		}
		key, _ := siteKey(m.Place)
		if m.Event == freight.Delivered {
			key = "" // once, at any place
		}
		visit := fmt.Sprint(m.Event, key, m.Visit())
		if seen[visit] {
			t.Fatalf("milestone %s twice", visit)
		}
		seen[visit] = true
		if i > 0 && m.At.Time.Before(c.Milestones[i-1].At.Time) {
			t.Fatalf("milestone %s is out of order", m.Event)
		}
		known := places[m.Place.LOCODE].zone != "" || freight.LoadZone(f.At.Zone) != nil
		if !m.At.IsZero() && (m.At.Zone != "") != known {
			t.Fatalf("milestone %s at %+v has zone %q", m.Event, m.Place, m.At.Zone)
		}
		if m.At.Zone != "" && m.At.Floating {
			t.Fatalf("milestone %s floats in zone %s", m.Event, m.At.Zone)
		}
	}
}

// census counts the contents of the histories, to show that the laws were tested with all
// kinds of facts.
type census struct {
	facts, containers []int
	whats             map[freight.Activity]int
	events            map[freight.EventName]int
	statuses          map[freight.ContainerStatus]int
	warnings          map[string]int
	superseded        int
	retractions       int
}

func newCensus() *census {
	return &census{whats: map[freight.Activity]int{}, events: map[freight.EventName]int{}, statuses: map[freight.ContainerStatus]int{}, warnings: map[string]int{}}
}

func (c *census) add(facts []LoggedFact, j Journey) {
	c.facts, c.containers = append(c.facts, len(facts)), append(c.containers, len(j.Containers))
	for i, f := range facts {
		c.whats[f.Activity]++
		if f.Retracted {
			c.retractions++
		}
		if j.Facts[i].Superseded {
			c.superseded++
		}
	}
	for _, b := range j.Containers {
		c.statuses[b.Status]++
		for _, m := range b.Milestones {
			c.events[m.Event]++
		}
	}
	for _, w := range j.Warnings {
		c.warnings[w.Code]++
	}
}

func (c *census) String() string {
	slices.Sort(c.facts)
	slices.Sort(c.containers)
	at := func(list []int, percent int) int { return list[(len(list)-1)*percent/100] }
	var b strings.Builder
	fmt.Fprintf(&b, "histories %d; facts median %d, p90 %d, max %d; containers median %d, p90 %d; superseded %d, retractions %d\n",
		len(c.facts), at(c.facts, 50), at(c.facts, 90), at(c.facts, 100), at(c.containers, 50), at(c.containers, 90), c.superseded, c.retractions)
	fmt.Fprintf(&b, "facts: %v\n", c.whats)
	b.WriteString("milestones:")
	for _, e := range allEvents {
		fmt.Fprintf(&b, " %s=%d", strings.TrimPrefix(string(e), "container.transport."), c.events[e])
	}
	fmt.Fprintf(&b, "\nstatuses: %v\nwarnings: %v", c.statuses, c.warnings)
	return b.String()
}

// TestLaws checks the laws with LANDFALL_LAWS histories (3,000 unless set).
func TestLaws(t *testing.T) {
	n := 3000
	if s := os.Getenv("LANDFALL_LAWS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil || n < 1 {
			t.Fatalf("LANDFALL_LAWS=%q is not a number of histories", s)
		}
	}
	if testing.Short() {
		n = min(n, 300)
	}
	c := newCensus()
	for seed := range n {
		d := seededDice{rand.New(rand.NewPCG(uint64(seed), 315))}
		facts := history(d)
		c.add(facts, checkLaws(seeded{t, seed}, d, facts))
	}
	t.Logf("0 failures\n%s", c)
	for _, e := range allEvents {
		if c.events[e] == 0 && n >= 1000 {
			t.Errorf("no history derives %s", e)
		}
	}
	for _, s := range allStatuses {
		if c.statuses[s] == 0 && n >= 1000 {
			t.Errorf("no history ends %s", s)
		}
	}
	for _, w := range allWhats {
		if c.whats[w] == 0 && n >= 1000 {
			t.Errorf("no history has a fact %s", w)
		}
	}
}

// seeded prints the seed of the history that failed.
type seeded struct {
	*testing.T
	seed int
}

func (s seeded) Fatalf(format string, args ...any) {
	s.T.Helper()
	s.T.Fatalf("history %d: %s", s.seed, fmt.Sprintf(format, args...))
}

// TestLawsShrunk checks the laws with histories of rapid, which shrinks failures.
func TestLawsShrunk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapidDice{t}
		checkLaws(t, d, history(d))
	})
}

// garbage returns facts that no parser accepts.
func garbage(d dice, text []byte) []LoggedFact {
	word := func() string {
		if len(text) == 0 || d.roll(3) == 0 {
			return pick(d, []string{"", "CNSHA", "E1", "\xff\xfe", "CSQU3054383", "Local"})
		}
		from := d.roll(len(text))
		return string(text[from:min(len(text), from+d.roll(8))])
	}
	moment := func() freight.Moment {
		return freight.Moment{
			Time: time.Unix(pick(d, []int64{0, 1, -1, math.MaxInt64, math.MinInt64, 1 << 40, day0.Unix()})+int64(d.roll(1<<16)), int64(d.roll(1000))),
			Zone: word(), Day: d.roll(2) == 0, Floating: d.roll(2) == 0,
		}
	}
	h := &historian{dice: d, containers: []string{word(), word()}}
	var facts []LoggedFact
	for range 1 + d.roll(40) {
		f := h.noise()
		if d.roll(2) == 0 {
			f.ID, f.Source, f.Place.LOCODE, f.Place.Name, f.Vessel.IMO = word(), word(), word(), word(), word()
			f.Activity, f.Mode, f.Classifier = cmp.Or(freight.Activity(word()), f.Activity), cmp.Or(freight.Mode(word()), f.Mode), cmp.Or(freight.Classifier(word()), f.Classifier)
			f.RecordedAt, f.At = moment().Time, moment()
			f.Equipment.WeightKg = pick(d, []float64{math.NaN(), math.Inf(1), -1, 0})
			if f.Terminal != nil {
				f.Terminal.Fees = append(f.Terminal.Fees, freight.Fee{Type: word(), Amount: math.NaN(), CurrencyCode: word()})
				f.Terminal.Appointment = moment()
			}
		}
		facts = append(facts, f)
	}
	return facts
}

// FuzzDerive: Derive accepts any facts, and their order does not matter.
func FuzzDerive(f *testing.F) {
	for seed := range uint64(20) {
		b := make([]byte, 2000)
		r := rand.New(rand.NewPCG(seed, 1))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		f.Add(b)
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &byteDice{data}
		facts := garbage(d, bytes.Clone(data))
		want := storyOf(deriveTest(facts), facts)
		slices.Reverse(facts)
		mustEqual(t, "another order gives another journey", want, storyOf(deriveTest(facts), facts))
		derive(nil, facts, nil)
	})
}

package simulation

import (
	"slices"
	"time"
)

// shipmentClerk sees the containers of one shipment.
type shipmentClerk struct {
	*World
	index   int
	clerks  []*clerk // of the containers that count
	states  []ContainerExpectation
	unnamed []ContainerExpectation // of the containers that no statement names
}

func (w *World) shipment(index int, clerks []*clerk, states []ContainerExpectation) ShipmentExpectation {
	s := &shipmentClerk{World: w, index: index}
	expected := ShipmentExpectation{
		BillOfLading: w.Shipments[index].BillOfLading, Booking: w.Booking, FollowBooking: w.Shipments[index].FollowBooking,
	}
	var all []*clerk
	for i, c := range clerks {
		if c.box.Shipment != index {
			continue
		}
		all = append(all, c)
		if c.namedAtAll() && !c.takenBack() {
			expected.Containers = append(expected.Containers, c.box.Number)
			s.clerks, s.states = append(s.clerks, c), append(s.states, states[i])
		} else if c.namedAtAll() {
			expected.MayContainers = append(expected.MayContainers, c.box.Number)
		} else {
			s.unnamed = append(s.unnamed, states[i])
		}
	}
	s.ports(&expected, all)
	s.times(&expected)
	s.permitSupposed(&expected, s.voters(all))
	s.estimates(&expected, all)
	expected.StoppedReason = s.stopped(len(expected.MayContainers) > 0)
	return expected
}

// voters are the containers that count; before any does, all of them.
func (s *shipmentClerk) voters(all []*clerk) []*clerk {
	if len(s.clerks) == 0 {
		return all
	}
	return s.clerks
}

// ports are those of most containers; before anything is known of any, those
// that the line states.
func (s *shipmentClerk) ports(expected *ShipmentExpectation, all []*clerk) {
	voters := s.voters(all)
	expected.POL = mostOf(voters, (*clerk).pol)
	expected.POD = mostOf(voters, (*clerk).pod)
	expected.Destination = mostOf(voters, (*clerk).destination)
	expected.TransshipmentPorts = s.hubs(voters)
	expected.PODVesselIMO, expected.PODVesselName = s.vessel(voters)
}

// mostOf is the value of more than half of the containers, or any of theirs.
func mostOf(clerks []*clerk, value func(*clerk) Text) Text {
	for _, c := range clerks {
		vote := value(c)
		same := 0
		for _, other := range clerks {
			if second := value(other); second.Grade == Determined && slices.Equal(second.OneOf, vote.OneOf) {
				same++
			}
		}
		if vote.Grade == Determined && 2*same > len(clerks) {
			return vote
		}
	}
	return anyOf(clerks, value)
}

// anyOf accepts the value of any container.
func anyOf(clerks []*clerk, value func(*clerk) Text) Text {
	merged := Text{Grade: Determined}
	for _, c := range clerks {
		vote := value(c)
		if vote.Grade != Determined {
			merged.Grade = weaker(merged.Grade, vote.Grade)
		}
		for _, word := range vote.OneOf {
			merged = withWord(merged, word)
		}
	}
	return merged
}

func weaker(a, b Grade) Grade {
	if a == Open || b == Open {
		return Open
	}
	return Undetermined
}

func (c *clerk) pol() Text {
	if c.polKnown {
		return Text{Determined, []string{c.journey.POL().LOCODE}}
	}
	return Text{Grade: Open}
}

func (c *clerk) pod() Text {
	truth := c.journey.POD().LOCODE
	switch {
	case c.podKnown:
		return Text{Determined, []string{truth}}
	case c.statedPOD == nil:
		return Text{Grade: Open}
	}
	return Text{Determined, []string{truth, c.statedPOD.LOCODE}}
}

func (c *clerk) destination() Text {
	if c.journey.Dest == nil {
		return Text{Determined, []string{""}}
	}
	if c.destKnown {
		return Text{Determined, []string{c.journey.Dest.LOCODE}}
	}
	value := Text{Grade: Undetermined}
	for _, town := range c.journey.Ramps {
		value.OneOf = append(value.OneOf, town.LOCODE)
	}
	return withWord(value, c.journey.Dest.LOCODE)
}

func withWord(value Text, word string) Text {
	if !slices.Contains(value.OneOf, word) {
		value.OneOf = append(value.OneOf, word)
	}
	return value
}

// hubs must be shown when every container passes or passed them and somebody
// said so; those of any plan may be shown.
func (s *shipmentClerk) hubs(voters []*clerk) Ports {
	var ports Ports
	for _, c := range voters {
		ports.Open = ports.Open || c.confused() || !c.podKnown
		for _, journey := range c.box.Journeys {
			for _, hub := range journey.hubs() {
				ports.May = append(ports.May, hub.LOCODE)
			}
		}
	}
	for _, hub := range voters[0].journey.hubs() {
		if !slices.ContainsFunc(voters, func(c *clerk) bool { return !c.knowsHub(hub) }) {
			ports.Must = append(ports.Must, hub.LOCODE)
		}
	}
	return ports
}

func (c *clerk) knowsHub(hub *Town) bool {
	if !slices.Contains(c.journey.hubs(), hub) {
		return false
	}
	return slices.ContainsFunc(c.facts, func(f fact) bool {
		cargo := f.Reason == SeaLoad || f.Reason == SeaDischarge
		return cargo && len(f.said) > 0 && f.Place.Town == hub
	}) || slices.ContainsFunc(c.statements, func(s Statement) bool {
		return s.truth.role == "transshipment" && s.truth.town == hub && !s.void && s.reaches(c.box)
	})
}

// vessel is a ship that brings containers to the port of discharge. Where they
// come on several ships, any of them is right.
func (s *shipmentClerk) vessel(voters []*clerk) (imo, name Text) {
	imo = anyOf(voters, func(c *clerk) Text { return c.vessel(func(ship Vessel) string { return ship.IMO }) })
	name = anyOf(voters, func(c *clerk) Text { return c.vessel(func(ship Vessel) string { return ship.Name }) })
	return imo, name
}

func (c *clerk) vessel(word func(Vessel) string) Text {
	if !c.podKnown || c.confused() {
		return Text{Grade: Open}
	}
	value := Text{Undetermined, []string{word(Vessel(c.journey.last().Voyage.Ship))}}
	if c.knowsLastShip(word) && !c.journey.Twice {
		value.Grade = Determined
		return value
	}
	for _, journey := range c.box.Journeys {
		value = withWord(value, word(Vessel(journey.last().Voyage.Ship)))
	}
	_, ships := c.onwardArrivals()
	ships = append(ships, c.shipsAboard()...)
	if all := c.estimatesOf(c.box, "arrive", c.journey.POD()); len(all) > 0 {
		ships = append(ships, Vessel(all[len(all)-1].truth.call.voyage.Ship)) // the line looks to it last
	}
	for _, ship := range ships {
		value = withWord(value, word(ship))
	}
	return value
}

// knowsLastShip: the last load or discharge names the ship, or the line's
// latest estimate for the port of discharge does.
func (c *clerk) knowsLastShip(word func(Vessel) string) bool {
	load, discharge := c.legEnds(len(c.journey.Legs) - 1)
	for _, f := range []*fact{load, discharge} {
		if f != nil && slices.ContainsFunc(f.said, func(s Statement) bool { return word(s.Vessel) != "" }) {
			return true
		}
	}
	latest := c.World.estimatesOf(c.box, "arrive", c.journey.POD())
	if len(latest) == 0 {
		return false
	}
	last := latest[len(latest)-1]
	return last.truth.call == c.journey.last().To && word(last.Vessel) != "" && !c.lastShipLate(last)
}

func (s *shipmentClerk) times(expected *ShipmentExpectation) {
	departed := func(state ContainerExpectation) Time { return state.POLVesselDepartedAt }
	arrived := func(state ContainerExpectation) Time { return state.PODArrivedAt }
	expected.POLATD = orOfUnnamed(timesOf(s.states, departed), timesOf(s.unnamed, departed))
	expected.PODATA = orOfUnnamed(timesOf(s.states, arrived), timesOf(s.unnamed, arrived))
	var arrivals []Time
	for _, c := range s.clerks {
		value := c.timeWhere(func(f fact) bool { return f.Extra != "" })
		if !c.destKnown {
			value = c.withInterchanges(value, RailArrives)
		}
		arrivals = append(arrivals, value)
	}
	expected.DestinationATA = merge(arrivals)
}

func timesOf(states []ContainerExpectation, field func(ContainerExpectation) Time) []Time {
	var values []Time
	for _, state := range states {
		values = append(values, field(state))
	}
	return values
}

// orOfUnnamed is the value of the named containers. Where they leave it null,
// the true time of a container that no statement names is right too: what is
// said of a ship for the whole shipment may be true of that container.
func orOfUnnamed(named, unnamed []Time) Time {
	value := merge(named)
	if value.Grade == Open || !value.Accepts(time.Time{}) {
		return value
	}
	value.Null = true
	for _, other := range unnamed {
		value.OneOf = append(value.OneOf, other.OneOf...)
	}
	value.OneOf = distinct(value.OneOf)
	return value
}

// merge accepts the value of any container; null when any may be null.
func merge(values []Time) Time {
	merged := Time{Grade: Determined}
	for _, value := range values {
		if value.Grade != Determined {
			merged.Grade = weaker(merged.Grade, value.Grade)
			if value.Grade == Open {
				return Time{Grade: Open}
			}
		}
		merged.Null = merged.Null || value.Null
		merged.OneOf = append(merged.OneOf, value.OneOf...)
	}
	if len(values) == 0 {
		merged.Null = true
	}
	merged.OneOf = distinct(merged.OneOf)
	return merged
}

func distinct(all []Instant) []Instant {
	var kept []Instant
	for _, instant := range all {
		if !slices.ContainsFunc(kept, func(other Instant) bool { return other.At.Equal(instant.At) && other.Day == instant.Day }) {
			kept = append(kept, instant)
		}
	}
	return kept
}

// stopped is the reason why line tracking has stopped; empty when it goes on.
func (s *shipmentClerk) stopped(droppedMayCount bool) Text {
	if s.lastBooking(s.index) == "booking_cancelled" {
		return Text{Determined, []string{"booking_cancelled"}}
	}
	returned, ended, sure := 0, 0, !droppedMayCount
	for _, c := range s.clerks {
		back, _ := c.find(EmptyReturn)
		unused, _ := c.find(UnusedReturn)
		switch {
		case back != nil && len(back.said) > 0:
			sure = sure && c.shipped()
			returned++
			ended++
		case unused != nil && len(unused.said) > 0:
			ended++
		}
	}
	if returned == 0 || ended < len(s.clerks) {
		return Text{Determined, []string{""}}
	}
	if sure {
		return Text{Determined, []string{"all_containers_terminated"}}
	}
	return Text{Determined, []string{"all_containers_terminated", ""}}
}

// lastBooking is the last word on the booking of a shipment.
func (w *World) lastBooking(shipment int) string {
	last := ""
	for _, statement := range w.statements {
		if statement.reachesShipment(shipment) && (statement.What == "booking_cancelled" || statement.What == "booking_confirmed") {
			last = statement.What
		}
	}
	return last
}

// estimatesOf lists what the line expects of ships' moves at a town, in order
// of recording.
func (w *World) estimatesOf(box *Box, what string, town *Town) []Statement {
	var all []Statement
	for i := range w.statements {
		s := &w.statements[i]
		expected := (s.Class != "actual" || s.truth.foreseen) && s.truth.call != nil && s.truth.box < 0
		if expected && s.What == what && s.truth.call.Terminal.Town == town && s.reaches(box) {
			all = append(all, *s)
		}
	}
	return all
}

func (s *shipmentClerk) estimates(expected *ShipmentExpectation, all []*clerk) {
	voters := s.voters(all)
	if s.lastBooking(s.index) == "booking_cancelled" {
		open := Time{Grade: Open}
		expected.POLETD, expected.PODETA, expected.PODOriginalETA = open, open, open
		return
	}
	var departures, arrivals, firsts []Time
	for _, c := range voters {
		departures = append(departures, c.expected("depart", c.journey.Legs[0].From, c.polKnown))
		arrivals = append(arrivals, c.expected("arrive", c.journey.last().To, c.podKnown))
		firsts = append(firsts, c.firstExpected())
	}
	expected.POLETD, expected.PODETA, expected.PODOriginalETA = merge(departures), merge(arrivals), merge(firsts)
}

// expected is the latest estimate for the ship's move. Where another ship was
// expected too, or the move is past, the clerk has a choice.
func (c *clerk) expected(what string, call *Call, placeKnown bool) Time {
	if !placeKnown {
		return Time{Grade: Open}
	}
	estimates := c.estimatesOf(c.box, what, call.Terminal.Town)
	if len(estimates) == 0 {
		return c.withPlannedMoves(Time{Grade: Determined, Null: true}, call)
	}
	if c.journey.Twice && what == "arrive" {
		return c.eitherArrival(estimates)
	}
	estimates = c.ownEstimates(estimates, call)
	last := estimates[len(estimates)-1]
	if last.truth.call == call && !c.past(what, call) && !c.foretold(call) {
		return Time{Grade: Determined, OneOf: []Instant{said(last)}}
	}
	value := Time{Grade: Undetermined, OneOf: latestPerShip(estimates)}
	if c.past(what, call) || c.foretold(call) {
		at := map[string]time.Time{"arrive": call.Arrive, "depart": call.Depart}[what]
		value.OneOf = append(value.OneOf, Instant{At: at, Zone: call.Terminal.Town.Zone, Day: c.line.dayOnly > 0})
	}
	return value
}

// eitherArrival: of a container that was carried past the port of discharge and
// brought back, either arrival there is right, and so is what was expected of it.
func (c *clerk) eitherArrival(estimates []Statement) Time {
	value := Time{Grade: Undetermined, OneOf: latestPerShip(estimates)}
	for _, f := range c.facts {
		if f.Reason == ShipArrives && f.Place.Town == c.journey.POD() {
			value.OneOf = append(value.OneOf, c.instant(f))
		}
	}
	return value
}

// ownEstimates leaves out those for other ships, once the container is known
// to come on this one: it was loaded, or the latest estimate speaks of it.
func (c *clerk) ownEstimates(estimates []Statement, call *Call) []Statement {
	loaded := slices.ContainsFunc(c.facts, func(f fact) bool {
		return f.Reason == SeaLoad && len(f.said) > 0 && f.Call.voyage == call.voyage
	})
	latest := estimates[len(estimates)-1]
	if !loaded && (latest.truth.call != call || call == c.journey.last().To && c.lastShipLate(latest)) {
		return estimates
	}
	own := slices.DeleteFunc(slices.Clone(estimates), func(s Statement) bool { return s.truth.call != call })
	if len(own) == 0 {
		return estimates
	}
	return own
}

// latestPerShip is the latest estimate for each ship's call.
func latestPerShip(estimates []Statement) []Instant {
	var all []Instant
	for i, s := range estimates {
		superseded := slices.ContainsFunc(estimates[i+1:], func(other Statement) bool { return other.truth.call == s.truth.call })
		if !superseded {
			all = append(all, said(s))
		}
	}
	return all
}

// past: the ship's move has happened.
func (c *clerk) past(what string, call *Call) bool {
	if what == "depart" {
		return !call.Depart.After(c.Now)
	}
	return !call.Arrive.After(c.Now)
}

// foretold: the move was said to have happened before it had.
func (c *clerk) foretold(call *Call) bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		early := s.Class == "actual" && s.void && s.What == "arrive" && s.At.Time.After(s.received)
		return early && s.truth.call == call && !s.truth.foreseen
	})
}

// withPlannedMoves accepts the planned load or discharge at the port where no
// ship's move is expected.
func (c *clerk) withPlannedMoves(value Time, call *Call) Time {
	for _, s := range c.statements {
		planned := s.Class == "planned" || s.truth.call == call && s.void
		if planned && !s.At.IsZero() && s.Place.LOCODE == call.Terminal.Town.LOCODE && s.reachesShipment(c.box.Shipment) {
			value.OneOf = append(value.OneOf, said(s))
		}
	}
	return value
}

// said is the moment of a statement as the clerk understands it.
func said(s Statement) Instant {
	town := townOf(s.Place.LOCODE)
	at := s.At.Time
	if s.At.Floating {
		at = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, town.location)
	}
	return Instant{At: at, Zone: town.Zone, Day: s.At.Day}
}

var townsByLOCODE = indexTowns()

func indexTowns() map[string]*Town {
	index := map[string]*Town{}
	for _, town := range slices.Concat(seaPorts, europeInland, americaInland) {
		index[town.LOCODE] = town
	}
	return index
}

func townOf(locode string) *Town { return townsByLOCODE[locode] }

// firstExpected is the first estimate for the port of discharge. An estimate
// revised under its own ID has no first version left, or has: both are right.
func (c *clerk) firstExpected() Time {
	if !c.podKnown {
		return Time{Grade: Open}
	}
	call := c.journey.last().To
	estimates := c.estimatesOf(c.box, "arrive", call.Terminal.Town)
	if len(estimates) == 0 {
		return c.orOfOldPort(c.withPlannedMoves(Time{Grade: Determined, Null: true}, call))
	}
	value := Time{Grade: Determined, OneOf: []Instant{said(estimates[0])}}
	if c.line.sameID {
		value.OneOf = append(value.OneOf, latestPerShip(estimates)...)
	}
	return c.orOfOldPort(value)
}

// orOfOldPort accepts the first estimate for the former port of discharge too.
func (c *clerk) orOfOldPort(value Time) Time {
	for _, journey := range c.box.Journeys {
		estimates := c.estimatesOf(c.box, "arrive", journey.POD())
		if journey.POD() != c.journey.POD() && len(estimates) > 0 {
			value.OneOf = append(value.OneOf, said(estimates[0]))
		}
	}
	return value
}

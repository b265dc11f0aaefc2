package simulation

import (
	"slices"
	"time"
)

// open says that the booking is confirmed, and ties the numbers together.
func (l *line) open() {
	at := l.booked.Add(10 * time.Minute)
	for i, shipment := range l.Shipments {
		statement := l.booking("booking_confirmed", i, at)
		statement.Numbers = []ShipmentNumber{{"booking_number", l.Booking}, {"bill_of_lading", shipment.BillOfLading}}
		l.hand(statement)
		if !l.cancelled.IsZero() {
			l.hand(l.booking("booking_cancelled", i, l.cancelled))
		}
		if !l.confirmed.IsZero() {
			l.hand(l.booking("booking_confirmed", i, l.confirmed))
		}
	}
	for _, box := range l.Boxes {
		if l.dice.chance(0.4) {
			statement := l.forContainer(box)
			statement.What, statement.Equipment = "equipment", Equipment{ISOType: "45G1"}
			statement.received = at.Add(time.Hour)
			l.handFor(box, statement)
		}
	}
}

func (l *line) booking(what string, shipment int, at time.Time) Statement {
	statement := l.forShipments([]int{shipment})[0]
	statement.What, statement.Class = what, "actual"
	statement.At = Moment{Time: at.Truncate(time.Minute)}
	statement.received = at.Add(l.dice.hours(0.05, 0.6))
	statement.about = subject{box: -1, what: what}
	return statement
}

// handFor hands in a chain about a container; when the line later drops the
// container from the booking, it takes every statement about it back.
func (l *line) handFor(box *Box, chain ...Statement) bool {
	if box.takenBack.IsZero() || box.takenBack.After(l.Now) {
		return l.hand(chain...)
	}
	if chain[len(chain)-1].received.After(box.takenBack) {
		return false
	}
	for i := range chain {
		chain[i].void = true
	}
	last := chain[len(chain)-1]
	return l.hand(append(chain, l.retraction(last, box.takenBack.Add(l.dice.hours(0.1, 1))))...)
}

// retraction takes back every version of a statement.
func (l *line) retraction(of Statement, received time.Time) Statement {
	return Statement{
		Source: of.Source, DataSource: of.DataSource, SCAC: of.SCAC, ID: of.ID, What: of.What,
		Retracted: true, Numbers: of.Numbers, Containers: of.Containers, received: received, void: true, truth: of.truth,
	}
}

// planAll reports the plans as they come into force.
func (l *line) planAll() {
	var reported []*Journey
	for _, box := range l.Boxes {
		for i, journey := range box.Journeys {
			if journey.Since.After(l.Now) {
				continue
			}
			received := journey.Since.Add(l.dice.hours(0.6, 10))
			l.planMoves(box, i, received)
			if !slices.ContainsFunc(reported, func(other *Journey) bool { return sameRoute(other, journey) }) {
				reported = append(reported, journey)
				l.planRoute(box, i, received)
			}
		}
	}
	l.estimates()
}

func sameRoute(a, b *Journey) bool {
	return a.Since.Equal(b.Since) && slices.Equal(a.Legs, b.Legs)
}

// statesRoute reports whether the line says this plan as a route: by habit
// the first one, and always a new port of discharge.
func (l *line) statesRoute(box *Box, i int) bool {
	journey := box.Journeys[i]
	if journey.Early {
		return l.line.restated
	}
	if i > 0 && journey.POD() != box.Journeys[i-1].POD() {
		return true
	}
	return l.line.plans == plansByRoute || l.line.plans == plansBoth
}

func (l *line) planRoute(box *Box, i int, received time.Time) {
	journey := box.Journeys[i]
	stated := journey.Inland == RailStated || journey.Inland == BargeStated || journey.Inland == TruckStated
	if stated && i == 0 {
		l.role("destination", journey.Dest, received)
	}
	if !l.statesRoute(box, i) {
		return
	}
	if i == 0 {
		l.role("pol", journey.POL(), received)
	}
	if i == 0 || journey.POD() != box.Journeys[i-1].POD() {
		l.role("pod", journey.POD(), received)
	}
	if i == 0 || l.mishap == portOmitted {
		for _, hub := range journey.hubs() {
			l.role("transshipment", hub, received)
		}
	}
}

func (l *line) role(role string, town *Town, received time.Time) {
	all := make([]int, len(l.Shipments))
	for i := range all {
		all[i] = i
	}
	for _, statement := range l.forShipments(all) {
		statement.What, statement.received = "route", received
		statement.Place = Place{LOCODE: town.LOCODE, Name: town.Name, Role: role}
		statement.truth.role, statement.truth.town = role, town
		l.hand(statement)
	}
}

// planMoves reports the loads and discharges that are planned for a container,
// those that are new in this plan.
func (l *line) planMoves(box *Box, i int, received time.Time) {
	journey := box.Journeys[i]
	if l.line.plans < plansByMoves || journey.Early && !l.line.restated {
		return
	}
	known := map[subject]bool{}
	if i > 0 {
		for _, move := range box.Journeys[i-1].Moves {
			known[move.subject(box)] = true
		}
	}
	for _, move := range plannedMoves(box, journey) {
		if !known[move.subject(box)] && move.At.After(received) {
			l.planMove(box, move, received)
		}
	}
}

// plannedMoves are the sea moves of a journey, and its trains when the line
// says that they are its own.
func plannedMoves(box *Box, journey *Journey) []Move {
	if !box.unusedReturn.IsZero() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(journey.Moves), func(move Move) bool {
		rail := journey.Inland == RailStated && (move.Reason == RailLoad || move.Reason == RailUnload)
		return move.Reason != SeaLoad && move.Reason != SeaDischarge && !rail
	})
}

func (l *line) planMove(box *Box, move Move, received time.Time) {
	statement := l.forContainer(box)
	statement.What, statement.Class, statement.Mode, statement.Load = move.What, "planned", move.Mode, move.Load
	statement.At = l.moment(move.At.Truncate(time.Hour), move.Place.Town, false)
	statement.Place = l.place(move.Place, false)
	statement.received = received
	if move.Call != nil {
		l.nameShip(&statement, move.Call, true, false)
	}
	role := roleOf(move)
	if l.line.roles {
		statement.Place.Role = role
	}
	statement.truth.role, statement.truth.town, statement.truth.call = role, move.Place.Town, move.Call
	l.handFor(box, statement)
}

// roleOf is the role that a planned or actual move gives its place.
func roleOf(move Move) string {
	switch {
	case move.Reason == SeaLoad && move.Leg == 0:
		return "pol"
	case move.Reason == SeaDischarge && move.Final:
		return "pod"
	case move.Reason == SeaLoad || move.Reason == SeaDischarge:
		return "transshipment"
	case move.Reason == RailUnload && move.Final:
		return "destination"
	}
	return ""
}

package simulation

import (
	"slices"
	"time"
)

// voyageSpan is the part of a voyage that the line reports for shipments.
type voyageSpan struct {
	voyage      *Voyage
	first, last int
	shipments   []int
}

// spans lists the voyages of every plan that came into force, with one call
// before loading and those after discharge.
func (l *line) spans() []*voyageSpan {
	var all []*voyageSpan
	for _, box := range l.Boxes {
		for _, journey := range box.Journeys {
			if journey.Since.After(l.Now) {
				continue
			}
			for _, leg := range journey.Legs {
				all = span(all, box, leg)
			}
		}
	}
	return all
}

func span(all []*voyageSpan, box *Box, leg Leg) []*voyageSpan {
	first := max(0, leg.From.index-2)
	at := slices.IndexFunc(all, func(s *voyageSpan) bool { return s.voyage == leg.Voyage })
	if at < 0 {
		return append(all, &voyageSpan{leg.Voyage, first, len(leg.Voyage.Calls) - 1, []int{box.Shipment}})
	}
	all[at].first = min(all[at].first, first)
	if !slices.Contains(all[at].shipments, box.Shipment) {
		all[at].shipments = append(all[at].shipments, box.Shipment)
	}
	return all
}

// shipMoves reports what the ships did, for whole shipments.
func (l *line) shipMoves() {
	for _, span := range l.spans() {
		for _, call := range span.voyage.Calls[span.first : span.last+1] {
			if !call.Omitted.IsZero() && !call.Omitted.After(l.Now) {
				continue
			}
			l.shipMove(span, call, "arrive", call.Arrive)
			if l.dice.chance(0.25) {
				l.shipMove(span, call, "berth", call.Berth)
			}
			l.shipMove(span, call, "depart", call.Depart)
		}
	}
}

func (l *line) shipMove(span *voyageSpan, call *Call, what string, at time.Time) {
	if at.After(l.Now) || l.dice.chance(1-l.line.complete) {
		return
	}
	for _, statement := range l.forShipments(span.shipments) {
		statement.What, statement.Class = what, "actual"
		statement.Place = l.place(call.Terminal, false)
		statement.about = shipSubject(what, call)
		statement.truth.real = true
		statement.truth.call = call
		l.nameShip(&statement, call, false, false)
		l.report(nil, statement, at, call.Terminal, false)
	}
}

// containerMoves reports what happened to a container.
func (l *line) containerMoves(box *Box) {
	moves := l.inForce(box).Moves
	for i := 0; i < len(moves); i++ {
		end := i + 1
		for moves[i].Group != 0 && end < len(moves) && moves[end].Group == moves[i].Group {
			end++
		}
		if moves[end-1].At.After(l.Now) {
			break
		}
		if l.dice.chance(l.line.complete) {
			l.reportGroup(box, moves[i:end])
		}
		i = end - 1
	}
}

// reportGroup reports moves that make sense only together.
func (l *line) reportGroup(box *Box, moves []Move) {
	if len(moves) == 1 {
		if moves[0].Call == nil || moves[0].What == "load" || moves[0].What == "discharge" {
			l.report(box, l.actual(box, moves[0]), moves[0].At, moves[0].Place, namedPlace(moves[0]))
		}
		return
	}
	var chain []Statement
	for _, move := range moves {
		statement := l.actual(box, move)
		statement.At = l.moment(move.At, move.Place.Town, true)
		statement.Place = l.place(move.Place, true)
		statement.received = move.At.Add(l.dice.hours(0.1, 4))
		chain = append(chain, statement)
	}
	if moves[0].Reason == UndoneLoad && l.dice.chance(0.5) {
		chain[0].void = true
		chain[1] = l.retraction(chain[0], later(chain[0].received, chain[1].received).Add(time.Minute))
	}
	l.handFor(box, chain...)
}

// namedPlace: at a yard or a ramp the facility itself matters.
func namedPlace(move Move) bool { return move.Place.Type != "POTE" || move.Reason == PickUp }

func (l *line) actual(box *Box, move Move) Statement {
	statement := l.forContainer(box)
	statement.What, statement.Class, statement.Mode, statement.Load = move.What, "actual", move.Mode, move.Load
	if move.Call != nil {
		l.nameShip(&statement, move.Call, false, true)
	}
	statement.Place = l.place(move.Place, namedPlace(move))
	statement.about = move.subject(box)
	statement.truth.real = true
	if role := roleOf(move); role != "" && l.line.roles && l.dice.chance(0.6) {
		statement.Place.Role = role
		statement.truth.role, statement.truth.town = role, move.Place.Town
	}
	return statement
}

// report hands in a fact as the line does: at once, late, twice, wrong first
// or before its time.
func (l *line) report(box *Box, s Statement, at time.Time, place *Facility, exact bool) {
	role := s.Place.Role
	s.Place = l.place(place, exact)
	s.Place.Role = role
	s.At = l.moment(at, place.Town, false)
	s.received = at.Add(l.delay())
	chain := []Statement{s}
	switch l.dice.weighted(85, 8, 4, 2, 1) {
	case 1:
		chain = l.wrongFirst(s, at)
	case 2:
		chain = l.twice(s)
	case 3:
		chain = l.beforeItsTime(s, at)
	case 4:
		chain = l.estimatedAgain(box, s, at)
	}
	l.send(box, chain)
}

func (l *line) send(box *Box, chain []Statement) {
	if box == nil {
		l.hand(chain...)
		return
	}
	l.handFor(box, chain...)
}

func (l *line) twice(s Statement) []Statement {
	again := s
	again.received = s.received.Add(time.Millisecond)
	again.truth.real = true
	return []Statement{s, again}
}

// wrongFirst says a wrong time, ship or place before the right one.
func (l *line) wrongFirst(s Statement, at time.Time) []Statement {
	l.noteFeature("corrected")
	wrong := s
	wrong.void = true
	s.received = s.received.Add(l.dice.hours(2, 70))
	switch l.dice.weighted(50, 25, 25) {
	case 1:
		if s.Vessel.Name != "" || s.Vessel.IMO != "" {
			wrong.Vessel, wrong.Voyage = Vessel{IMO: "9074729", Name: "WRONG SHIP"}, "999X"
			return []Statement{wrong, s}
		}
	case 2:
		other := pick(l.dice, hubPorts)
		wrong.Place = Place{LOCODE: other.LOCODE, Name: other.Name}
		return []Statement{wrong, s}
	}
	wrong.At = Moment{Time: at.Add(-l.dice.hours(2, 60)).Truncate(time.Minute)}
	return []Statement{wrong, s}
}

// beforeItsTime says that something has happened before it has.
func (l *line) beforeItsTime(s Statement, at time.Time) []Statement {
	if l.line.clockless {
		return []Statement{s}
	}
	l.noteFeature("future_actual")
	early := s
	early.void = true
	early.truth.role = ""
	early.received = at.Add(-l.dice.hours(14, 60))
	early.At = Moment{Time: at.Truncate(time.Minute)}
	return []Statement{early, s}
}

// estimatedAgain sends a stale estimate under the ID of a fact that stands. An
// estimate never unsays an actual.
func (l *line) estimatedAgain(box *Box, s Statement, at time.Time) []Statement {
	if box == nil {
		return []Statement{s}
	}
	l.noteFeature("estimate_after_actual")
	stale := s
	stale.Class, stale.void, stale.truth.role, stale.truth.real = "estimated", true, "", false
	stale.received = s.received.Add(l.dice.hours(2, 40))
	stale.At = Moment{Time: at.Add(l.dice.hours(3, 60)).Truncate(time.Minute)}
	return []Statement{s, stale}
}

// falsehoods are facts that never were, and are taken back.
func (l *line) falsehoods() {
	for _, box := range l.Boxes {
		if !l.dice.chance(0.12) || !box.takenBack.IsZero() {
			continue
		}
		journey := l.inForce(box)
		statement := l.forContainer(box)
		statement.Class, statement.Load, statement.void = "actual", "laden", true
		at := box.fullIn.Add(l.dice.hours(24, 24*30))
		l.lie(&statement, journey)
		statement.At = Moment{Time: at.Truncate(time.Minute)}
		statement.received = at.Add(l.delay())
		back := l.retraction(statement, statement.received.Add(l.dice.hours(1, 90)))
		if l.hand(statement, back) {
			l.noteFeature("false_" + statement.What)
		}
	}
}

func (l *line) lie(s *Statement, journey *Journey) {
	switch l.dice.weighted(40, 35, 25) {
	case 0:
		s.What, s.Load, s.Mode = "gate_in", "empty", "truck"
		s.Place = l.place(journey.POD().depot, true)
	case 1:
		s.What, s.Mode = "discharge", "vessel"
		s.Place = l.place(pick(l.dice, hubPorts).terminals[0], false)
	case 2:
		s.What, s.Mode = "load", "vessel"
		s.Vessel, s.Voyage = Vessel{IMO: "9074729", Name: "WRONG SHIP"}, "999X"
		s.Place = l.place(journey.Legs[0].From.Terminal, false)
	}
}

// foretell says of arrivals that are still to come that they have happened. A
// clerk reads the date, and takes them for estimates.
func (l *line) foretell() {
	for _, o := range l.outlooks() {
		arrives := o.what == "arrive" && o.ends && o.to.Equal(l.Now) && o.at().After(l.Now)
		if !arrives || l.line.clockless || !l.dice.chance(0.12) {
			continue
		}
		received := l.Now.Add(-l.dice.hours(13, 40))
		for _, statement := range l.forShipments(o.shipments) {
			statement.What, statement.Class, statement.received = "arrive", "actual", received
			statement.At = Moment{Time: o.at().Truncate(time.Minute), Zone: o.call.Terminal.Town.Zone}
			statement.Place = l.place(o.call.Terminal, false)
			l.nameShip(&statement, o.call, true, false)
			statement.void, statement.truth.call, statement.truth.foreseen = true, o.call, true
			if received.After(o.from) && l.hand(statement) {
				l.noteFeature("standing_future_actual")
			}
		}
	}
}

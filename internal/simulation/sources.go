package simulation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Statements returns everything that is handed in, in order of arrival.
func (w *World) Statements() []Statement {
	if !w.sourced {
		w.sourced = true
		w.speak()
		w.sortByArrival()
		w.indexSubjects()
	}
	return w.statements
}

// sortByArrival sorts by the moment received; what was received at once keeps its
// order.
func (w *World) sortByArrival() {
	order := make([]int, len(w.statements))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return w.statements[a].received.Compare(w.statements[b].received) })
	sorted := make([]Statement, len(order))
	for to, from := range order {
		sorted[to] = w.statements[from]
	}
	w.statements = sorted
}

func (w *World) speak() {
	l := &line{World: w, dice: newDice(w.Seed, 2)}
	l.open()
	l.planAll()
	l.shipMoves()
	for _, box := range w.Boxes {
		l.containerMoves(box)
	}
	l.falsehoods()
	l.foretell()
	if w.line.terminal {
		w.terminalSpeaks(l)
	}
	if w.line.person {
		w.personSpeaks(l)
	}
	if w.line.second {
		w.secondSpeaks(l)
	}
}

// line writes the statements of the shipping line.
type line struct {
	*World
	dice dice
	next int
}

func (l *line) id() string {
	l.next++
	return fmt.Sprintf("L-%d", l.next)
}

// hand hands in a chain of statements that belong together: all of them, or,
// when the world ends before the last, none.
func (l *line) hand(chain ...Statement) bool {
	for i := range chain {
		l.record(&chain[i])
	}
	last := slices.MaxFunc(chain, func(a, b Statement) int { return cmp.Compare(a.RecordedAt.Unix(), b.RecordedAt.Unix()) })
	if last.RecordedAt.After(l.Now) {
		return false
	}
	for _, statement := range chain {
		if l.givesNoClock(statement.Source) {
			statement.RecordedAt = time.Time{}
		}
		l.statements = append(l.statements, statement)
	}
	return true
}

func (l *line) givesNoClock(source string) bool {
	if source == "dcsa" {
		return l.line.clockless
	}
	return slices.ContainsFunc(l.line.zeroes, func(prefix string) bool { return strings.HasPrefix(source, prefix) })
}

// record sets the moment of recording: the next full batch.
func (l *line) record(s *Statement) {
	if s.Source == "" {
		s.Source, s.DataSource, s.SCAC = "dcsa", "shipping_line", l.SCAC
	}
	batch := time.Second
	if s.Source == "dcsa" {
		batch = l.line.batch
	}
	s.RecordedAt = s.received.Add(batch - 1).Truncate(batch)
}

// delay is how long after a fact the line records it.
func (l *line) delay() time.Duration {
	switch l.dice.weighted(70, 25, 5) {
	case 0:
		return l.dice.hours(0.1, 6)
	case 1:
		return l.dice.hours(6, 48)
	}
	return l.dice.hours(72, 190)
}

// numbers names the shipments that a statement about a container is for.
func (l *line) numbers(shipment int) []ShipmentNumber {
	bill := ShipmentNumber{"bill_of_lading", l.Shipments[shipment].BillOfLading}
	booking := ShipmentNumber{"booking_number", l.Booking}
	single := len(l.Shipments) == 1
	switch l.dice.weighted(40, 30, 30) {
	case 0:
		return []ShipmentNumber{booking, bill}
	case 1:
		if single {
			return []ShipmentNumber{booking}
		}
	}
	return []ShipmentNumber{bill}
}

// forContainer begins a statement about one container.
func (l *line) forContainer(box *Box) Statement {
	return Statement{
		ID: l.id(), Containers: []string{box.Number}, Numbers: l.numbers(box.Shipment),
		truth: truth{shipments: []int{box.Shipment}, box: box.index},
	}
}

// forShipments begins statements about whole shipments: one that names the
// booking alone, or one for each bill of lading.
func (l *line) forShipments(shipments []int) []Statement {
	if len(shipments) == len(l.Shipments) && len(shipments) > 1 && l.dice.chance(0.5) {
		booking := []ShipmentNumber{{"booking_number", l.Booking}}
		return []Statement{{ID: l.id(), Numbers: booking, truth: truth{shipments: shipments, box: -1}}}
	}
	var all []Statement
	for _, shipment := range shipments {
		all = append(all, Statement{ID: l.id(), Numbers: l.numbers(shipment), truth: truth{shipments: []int{shipment}, box: -1}})
	}
	return all
}

// moment says a time in the manner of the line.
func (l *line) moment(at time.Time, town *Town, exact bool) Moment {
	if !l.line.seconds {
		at = at.Truncate(time.Minute)
	}
	moment := Moment{Time: at, Zone: town.Zone}
	if l.dice.chance(0.3) {
		moment.Zone = ""
	}
	if exact {
		return moment
	}
	local := at.In(town.location)
	if l.dice.chance(l.line.dayOnly) {
		local = time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, town.location)
		moment = Moment{Time: local.UTC(), Zone: town.Zone, Day: true}
	}
	if l.dice.chance(l.line.floating) {
		_, offset := local.Zone()
		moment.Time = local.UTC().Add(time.Duration(offset) * time.Second)
		moment.Zone, moment.Floating = "", true
	}
	return moment
}

// place names a facility: in full, by its code, or by its town alone.
func (l *line) place(facility *Facility, full bool) Place {
	place := Place{LOCODE: facility.Town.LOCODE, Name: facility.Town.Name, FacilityType: facility.Type}
	manner := l.dice.weighted(45, 30, 25)
	if full || facility.Type != "POTE" || manner == 0 {
		place.Facility, place.SMDG = facility.Name, facility.SMDG
		return place
	}
	if manner == 1 {
		place.SMDG = facility.SMDG
		return place
	}
	place.FacilityType = ""
	return place
}

// nameShip names the ship of a call in the manner of the line.
func (l *line) nameShip(s *Statement, call *Call, full, mayOmit bool) {
	voyage := call.voyage
	s.Mode = voyage.Mode
	s.Vessel = Vessel(voyage.Ship)
	s.Voyage = voyage.Export
	if s.What == "arrive" || s.What == "discharge" || s.What == "berth" {
		s.Voyage = voyage.Import
	}
	if full || l.line.tidy {
		return
	}
	switch l.dice.weighted(32, 20, 18, 12, 8, 10) {
	case 1:
		s.Vessel.Name, s.Voyage = "", ""
	case 2:
		s.Vessel.IMO, s.Voyage = "", ""
	case 3:
		s.Voyage = ""
	case 4:
		s.Vessel = Vessel{}
	case 5:
		if mayOmit {
			s.Vessel, s.Voyage = Vessel{}, ""
		}
	}
}

package simulation

import (
	"slices"
	"time"
)

// outlook is a ship's move that matters to the shipments while a plan is in
// force.
type outlook struct {
	what      string
	call      *Call
	shipments []int
	from, to  time.Time
	ends      bool // POL departure or POD arrival
}

func (o outlook) at() time.Time {
	if o.what == "depart" {
		return o.call.Depart
	}
	return o.call.Arrive
}

// outlooks lists the moves of ships that the plans of the containers look to.
func (l *line) outlooks() []*outlook {
	var all []*outlook
	for _, box := range l.Boxes {
		for i, journey := range box.Journeys {
			to := l.Now
			if i+1 < len(box.Journeys) {
				to = earlier(to, box.Journeys[i+1].Since)
			}
			for k, leg := range journey.Legs {
				all = look(all, box, "depart", leg.From, journey.Since, to, k == 0)
				all = look(all, box, "arrive", leg.To, journey.Since, to, k == len(journey.Legs)-1)
			}
		}
	}
	return all
}

func look(all []*outlook, box *Box, what string, call *Call, from, to time.Time, ends bool) []*outlook {
	at := slices.IndexFunc(all, func(o *outlook) bool { return o.what == what && o.call == call })
	if at < 0 {
		return append(all, &outlook{what, call, []int{box.Shipment}, from, to, ends})
	}
	found := all[at]
	found.from, found.to = earlier(found.from, from), later(found.to, to)
	found.ends = found.ends || ends
	if !slices.Contains(found.shipments, box.Shipment) {
		found.shipments = append(found.shipments, box.Shipment)
	}
	return all
}

// estimates reports when ships are expected, and revises it.
func (l *line) estimates() {
	if l.line.plans == plansNothing {
		return
	}
	for _, outlook := range l.outlooks() {
		if !outlook.ends && l.dice.chance(0.5) {
			continue
		}
		until := earlier(outlook.to, outlook.at().Add(-3*time.Hour))
		received := outlook.from.Add(l.dice.hours(0.6, 12))
		if received.Before(until) {
			l.estimateSeries(outlook, received, until)
		}
	}
}

// estimateSeries says one estimate, and later ones that come closer.
func (l *line) estimateSeries(o *outlook, received, until time.Time) {
	for _, statement := range l.forShipments(o.shipments) {
		when := received
		class := "planned"
		for when.Before(until) {
			version := l.estimate(statement, o, when, class)
			l.hand(version)
			if !l.line.sameID {
				statement.ID = l.id()
			}
			class = "estimated"
			when = when.Add(time.Duration((0.25 + 0.6*l.dice.Float64()) * float64(until.Sub(received)))).Add(time.Second)
		}
	}
}

func (l *line) estimate(statement Statement, o *outlook, received time.Time, class string) Statement {
	statement.What, statement.Class, statement.received = o.what, class, received
	error := l.dice.hours(-1, 1) * time.Duration(1+o.at().Sub(received)/(30*time.Hour))
	at := later(o.at().Add(error), received.Add(2*time.Hour)).Truncate(5 * time.Minute)
	statement.At = l.moment(at, o.call.Terminal.Town, false)
	statement.Place = l.place(o.call.Terminal, false)
	l.nameShip(&statement, o.call, class == "planned", false)
	statement.truth.call = o.call
	return statement
}

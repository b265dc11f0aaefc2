package sandbox

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/landfallhq/tracking/freight"
)

// voyages are the scripted voyages, in the order of their numbers. Their order
// numbers the shipments: append, never insert.
var voyages = [...]struct {
	name       string
	containers int
	lanes      []route
	play       func(*script)
}{
	{"SIMPLE", 1, directRoutes, playSimple},
	{"TRANSSHIP", 1, transshipRoutes, playTransship},
	{"FEEDER", 1, feederRoutes, playFeeder},
	{"RAIL", 1, railRoutes, playRail},
	{"HOLDS", 1, holdRoutes, playHolds},
	{"ETA-CHANGE", 1, changeRoutes, playETAChange},
	{"MULTI", 3, multiRoutes, playMulti},
	{"UNCLAIMED", 1, unclaimedRoutes, playUnclaimed},
	{"SHORT-SHIPPED", 3, shortShippedRoutes, playShortShipped},
	{"ROLLED", 1, rolledRoutes, playRolled},
	{"OVERDUE", 1, overdueRoutes, playOverdue},
	{"AT-SEA", 1, pastRoutes, playAtSea},
}

// endingVoyages is how many of them end, with the empty return. They come first.
const endingVoyages = 7

func playSimple(p *script) {
	p.addBooking()
	p.addVoyageEstimates(freight.ByVessel, p.ships[0])
	p.addExport()
	p.addSailing(leg{from: p.route.pol, to: p.route.pod, ship: p.ships[0], days: p.route.toPOD})
	p.addPickup(72)
	p.addEmptyReturn(p.route.pod)
}

func playTransship(p *script) {
	p.addBooking()
	p.addVoyageEstimates(freight.ByVessel, p.ships[0])
	p.addExport()
	p.addSailing(leg{from: p.route.pol, to: p.route.hub, ship: p.ships[0], days: p.route.toHub})
	p.after(0, 36)
	p.addSailing(leg{from: p.route.hub, to: p.route.pod, ship: p.ships[1], days: p.route.toPOD})
	p.addPickup(72)
	p.addEmptyReturn(p.route.pod)
}

func playFeeder(p *script) {
	p.addBooking()
	p.addVoyageEstimates(freight.ByFeeder, p.ships[0])
	p.addExport()
	p.addSailing(leg{from: p.route.pol, to: p.route.hub, ship: p.ships[0], days: p.route.toHub, mode: freight.ByFeeder})
	p.after(0, 40)
	p.addSailing(leg{from: p.route.hub, to: p.route.pod, ship: p.ships[1], days: p.route.toPOD})
	p.addPickup(72)
	p.addEmptyReturn(p.route.pod)
}

func playRail(p *script) {
	quay, ramp := p.route.pod.quay(), p.route.inland.ramp()
	p.addBooking()
	p.addVoyageEstimates(freight.ByVessel, p.ships[0])
	p.addExport()
	p.addSailing(leg{from: p.route.pol, to: p.route.pod, ship: p.ships[0], days: p.route.toPOD})

	eta := freight.Fact{
		Activity: freight.Arrival, Place: ramp, Mode: freight.ByRail,
		Containers: p.containerNumbers(), Original: "Estimated rail arrival",
	}
	p.addEstimate("eta-inland", "inland", 12, eta)
	p.addPerContainer("rail-loaded", 48, freight.Fact{Activity: freight.Loading, Place: quay, Mode: freight.ByRail, LoadStatus: freight.Laden, Original: "Loaded on rail"})
	p.after(stepWeight, 9)
	p.add("rail-departed", freight.Fact{Activity: freight.Departure, Place: quay, Mode: freight.ByRail, Containers: p.containerNumbers(), Original: "Rail departed"})
	p.addEstimate("eta-inland", "inland", -6, eta)
	p.after(stepWeight, 4*24)
	p.mark("inland")
	p.add("rail-arrived", freight.Fact{Activity: freight.Arrival, Place: ramp, Mode: freight.ByRail, Containers: p.containerNumbers(), Original: "Rail arrived"})
	p.addPerContainer("rail-unloaded", 5, freight.Fact{Activity: freight.Discharge, Place: ramp, Mode: freight.ByRail, LoadStatus: freight.Laden, Original: "Unloaded from rail"})
	p.addPerContainer("available", 3, freight.Fact{Activity: freight.PickupAvailable, Place: ramp, Original: "Available for pick-up"})
	p.addPerContainer("full-out", 26, freight.Fact{Activity: freight.GateOut, Place: ramp, Mode: freight.ByTruck, LoadStatus: freight.Laden, Original: "Gate out full"})
	p.addEmptyReturn(p.route.inland)
}

// playHolds has reports of the terminal from the ship's arrival on. Each states
// everything in force, so a hold ends when it is no longer reported.
func playHolds(p *script) {
	quay := p.route.pod.quay()
	p.addBooking()
	p.addVoyageEstimates(freight.ByVessel, p.ships[0])
	p.addExport()

	count := 0
	// Free days start when the container is on the quay; the exam adds to them.
	status := func(view freight.TerminalFacts, lastFree, appointment int) {
		count++
		s := p.add("terminal-"+strconv.Itoa(count), freight.Fact{
			Activity: freight.TerminalStatus, DataSource: freight.FromTerminal, Place: quay, Containers: p.containerNumbers(),
			Terminal: &view, Original: "Terminal status",
		})
		s.lastFree, s.appointment = lastFree, appointment
	}
	hold := func(name, status, description string) freight.Hold {
		return freight.Hold{Name: name, Status: status, Description: &description}
	}
	fee := func(sort string, amount float64) freight.Fee {
		return freight.Fee{Type: sort, Amount: amount, CurrencyCode: "USD"}
	}
	no, yes := false, true

	p.addSailing(leg{from: p.route.pol, to: p.route.pod, ship: p.ships[0], days: p.route.toPOD, arrived: func() {
		p.after(stepWeight/2, 2)
		status(freight.TerminalFacts{
			Available: &no,
			Holds:     []freight.Hold{hold("customs", "pending", "Entry not filed"), hold("freight", "pending", "Freight not paid")},
		}, 0, 0)
	}})
	p.after(stepWeight/2, 4)
	free := p.hours + 4*24
	extended := free + 2*24
	status(freight.TerminalFacts{
		Available: &no,
		Holds:     []freight.Hold{hold("customs", "hold", "Intensive exam ordered"), hold("freight", "hold", "Freight not paid")},
		Yard:      "C14-07-2",
	}, free, 0)
	p.after(stepWeight/2, 20)
	status(freight.TerminalFacts{
		Available: &no,
		Holds: []freight.Hold{hold("customs", "hold", "Intensive exam ordered"), hold("VACIS", "hold", "X-ray"),
			hold("freight", "hold", "Freight not paid")},
		Fees: []freight.Fee{fee("exam", 285)},
		Yard: "X02-01-1",
	}, free, 0)
	p.after(stepWeight/2, 24)
	status(freight.TerminalFacts{
		Available: &no,
		Holds:     []freight.Hold{hold("customs", "hold", "Intensive exam ordered"), hold("freight", "hold", "Freight not paid")},
		Fees:      []freight.Fee{fee("exam", 285), fee("extended_dwell_time", 120), fee("total", 405)},
		Yard:      "X02-01-1",
	}, extended, 0)
	p.after(stepWeight/2, 24)
	status(freight.TerminalFacts{
		Available: &no,
		Holds:     []freight.Hold{hold("freight", "hold", "Freight not paid")},
		Fees:      []freight.Fee{fee("exam", 285), fee("extended_dwell_time", 240), fee("total", 525)},
		Yard:      "C15-03-4",
	}, extended, 0)
	p.after(stepWeight/2, 8)
	status(freight.TerminalFacts{Available: &yes, Yard: "C15-03-4"}, extended, p.hours+20)
	p.addPickup(20)
	status(freight.TerminalFacts{Chassis: "TSTZ" + strconv.Itoa(400_000+pick(p.number+" chassis", 100_000))}, 0, 0)
	p.addEmptyReturn(p.route.pod)
}

func playETAChange(p *script) {
	p.addBooking()
	// The first ship would have sailed a week before the one that the container is
	// rolled to.
	const week = 7 * 24
	rolled := leg{from: p.route.pol, to: p.route.pod, ship: p.ships[1], days: p.route.toPOD}
	p.addEstimate("etd", "etd", -week, p.etd(freight.ByVessel, p.ships[0]))
	p.addEstimate("eta", "eta", -week, p.eta(p.ships[0]))
	p.addPerContainer("empty-out", 48, p.emptyOut())
	p.after(stepWeight/2, 30)
	p.add("rolled", freight.Fact{Activity: freight.Other, Place: p.route.pol.quay(), Containers: p.containerNumbers(), Original: "Rolled to the next sailing"})
	p.addEstimate("etd", "etd", 0, p.etd(freight.ByVessel, p.ships[1]))
	p.addEstimate("eta", "eta", 0, p.eta(p.ships[1]))
	p.fullIn(60)
	p.after(0, week)
	rolled.atSea = func() {
		p.addEstimate("eta", "eta", 36, p.eta(p.ships[1])) // slow steaming
		p.after(stepWeight/2, p.route.toPOD*8)
		p.addEstimate("eta", "eta", -12, p.eta(p.ships[1])) // made good
		p.after(stepWeight/2, p.route.toPOD*8)
		p.addEstimate("eta", "eta", 20, p.eta(p.ships[1])) // a queue at the port
	}
	p.addSailing(rolled)
	p.addPickup(72)
	p.addEmptyReturn(p.route.pod)
}

func playMulti(p *script) {
	p.addBooking()
	p.addVoyageEstimates(freight.ByVessel, p.ships[0])
	p.addExport()
	p.addSailing(leg{from: p.route.pol, to: p.route.pod, ship: p.ships[0], days: p.route.toPOD})
	p.addPerContainer("available", 20, freight.Fact{Activity: freight.PickupAvailable, Place: p.route.pod.quay(), Original: "Available for pick-up"})
	p.addPickup(48)
	p.after(stepWeight, 6)
	p.add("delivered", freight.Fact{
		Activity: freight.Delivery, Place: p.route.pod.consignee(), Mode: freight.ByTruck, LoadStatus: freight.Laden,
		Containers: []string{p.containers[0].number}, Original: "Proof of delivery",
	})
	p.addEmptyReturn(p.route.pod)
}

// addBooking adds what is known from the start: the booking, the route, the
// containers.
func (p *script) addBooking() {
	p.add("booked", freight.Fact{Activity: freight.Booked, References: p.orders, Original: "Booking confirmed"})
	route := func(role freight.Role, place freight.Place) {
		if place.LOCODE != "" {
			p.add("route-"+string(role), freight.Fact{Activity: freight.Route, Place: withRole(role, place), Original: "Route"})
		}
	}
	route(freight.RolePOL, p.route.pol.quay())
	route(freight.RoleTS, p.route.hub.quay())
	route(freight.RolePOD, p.route.pod.quay())
	route(freight.RoleDestination, p.route.inland.ramp())
	for i, b := range p.containers {
		p.describe(i, freight.Equipment{ISOType: b.ISOType})
	}
}

func (p *script) describe(i int, e freight.Equipment) {
	p.add("equipment/"+strconv.Itoa(i+1), freight.Fact{
		Activity: freight.Described, Containers: []string{p.containers[i].number}, Equipment: e, Original: "Equipment",
	})
}

// addVoyageEstimates adds the schedule of the booking confirmation: the departure
// of the first ship and the arrival of the last.
func (p *script) addVoyageEstimates(mode freight.Mode, first ship) {
	last := first
	if p.route.hub != (port{}) {
		last = p.ships[1]
	}
	p.addEstimate("etd", "etd", 0, p.etd(mode, first))
	p.addEstimate("eta", "eta", -18, p.eta(last))
}

func (p *script) etd(mode freight.Mode, s ship) freight.Fact {
	return freight.Fact{
		Activity: freight.Departure, Place: p.route.pol.quay(), Mode: mode,
		Vessel: s.VesselRef, Voyage: s.voyage, Containers: p.containerNumbers(), Original: "Estimated departure",
	}
}

func (p *script) eta(s ship) freight.Fact {
	return freight.Fact{
		Activity: freight.Arrival, Place: p.route.pod.quay(), Mode: freight.ByVessel,
		Vessel: s.VesselRef, Voyage: s.voyage, Containers: p.containerNumbers(), Original: "Estimated arrival",
	}
}

// addExport brings the containers to the ship.
func (p *script) addExport() {
	p.addPerContainer("empty-out", 48, p.emptyOut())
	p.fullIn(72)
}

func (p *script) emptyOut() freight.Fact {
	return freight.Fact{Activity: freight.GateOut, Place: p.route.pol.depot(), Mode: freight.ByTruck, LoadStatus: freight.Empty, Original: "Empty to shipper"}
}

// fullIn brings the laden containers to the quay, where seal and weight are
// recorded.
func (p *script) fullIn(hours int) {
	p.addPerContainer("full-in", hours, freight.Fact{Activity: freight.GateIn, Place: p.route.pol.quay(), Mode: freight.ByTruck, LoadStatus: freight.Laden, Original: "Gate in full"})
	for i, b := range p.containers {
		p.describe(i, b.Equipment)
	}
}

// leg is the passage of one ship.
type leg struct {
	from, to port
	ship     ship
	days     int
	mode     freight.Mode // freight.ByVessel if empty
	// atSea and arrived add further facts after departure, and between arrival and
	// discharge; nil for none. Without atSea, a ship to the POD gets a new ETA when
	// it sails.
	atSea, arrived func()
}

// addSailing adds one leg by sea: loaded, departed, arrived, discharged.
func (p *script) addSailing(l leg) {
	p.addDeparture(l)
	sailed := p.hours
	switch {
	case l.atSea != nil:
		l.atSea()
	case l.to == p.route.pod:
		p.addEstimate("eta", "eta", 7, p.eta(l.ship))
	}
	p.hours = sailed // facts at sea are within the days at sea
	p.after(stepWeight, l.days*24)
	if l.to == p.route.pod {
		p.mark("eta")
	}
	f := l.fact(freight.Arrival, l.to, "Arrival of %s")
	f.Containers = p.containerNumbers()
	p.add("arrived-"+l.to.locode, f)
	if l.arrived != nil {
		l.arrived()
	}
	p.addPerContainer("discharged-"+l.to.locode, 14, l.fact(freight.Discharge, l.to, "Discharged from %s"))
}

// addDeparture adds the beginning of a leg by sea: loaded, departed.
func (p *script) addDeparture(l leg) {
	p.addPerContainer("loaded-"+l.from.locode, 40, l.fact(freight.Loading, l.from, "Loaded on %s"))
	p.after(stepWeight, 11)
	if l.from == p.route.pol {
		p.mark("etd")
	}
	f := l.fact(freight.Departure, l.from, "Departure of %s")
	f.Containers = p.containerNumbers()
	p.add("departed-"+l.from.locode, f)
}

// fact returns a fact about the ship, or about a laden container and the ship.
func (l leg) fact(what freight.Activity, at port, original string) freight.Fact {
	mode := cmp.Or(l.mode, freight.ByVessel)
	f := freight.Fact{
		Activity: what, Place: at.quay(), Mode: mode, Vessel: l.ship.VesselRef, Voyage: l.ship.voyage,
		Original: fmt.Sprintf(original, mode),
	}
	if what == freight.Loading || what == freight.Discharge {
		f.LoadStatus = freight.Laden
	}
	return f
}

// addPickup takes the containers from the POD by truck.
func (p *script) addPickup(hours int) {
	p.addPerContainer("full-out", hours, freight.Fact{Activity: freight.GateOut, Place: p.route.pod.quay(), Mode: freight.ByTruck, LoadStatus: freight.Laden, Original: "Gate out full"})
}

// addEmptyReturn returns the empty containers to the line, which ends the voyage.
func (p *script) addEmptyReturn(at port) {
	p.addPerContainer("empty-in", 4*24, freight.Fact{Activity: freight.GateIn, Place: at.depot(), Mode: freight.ByTruck, LoadStatus: freight.Empty, Original: "Empty returned"})
}

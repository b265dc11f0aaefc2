package sandbox

import "github.com/landfallhq/tracking/freight"

// untilNow ends a script that has no end: nothing more is reported, and its last fact is that
// many hours before tracking began. A head start of 90 per cent has all of it.
func (p *script) untilNow(hours int) {
	p.after(p.weight/4, hours)
	p.open = true
}

// playUnclaimed has a container that is available, and that nobody fetches: its last free day
// is over.
func playUnclaimed(p *script) {
	quay := p.route.pod.quay()
	p.addBooking()
	p.addVoyageEstimates(freight.ByVessel, p.ships[0])
	p.addExport()
	p.addSailing(leg{from: p.route.pol, to: p.route.pod, ship: p.ships[0], days: p.route.toPOD})
	p.addPerContainer("available", 20, freight.Fact{Activity: freight.PickupAvailable, Place: quay, Original: "Available for pick-up"})
	p.after(stepWeight/2, 1)
	yes := true
	s := p.add("terminal-1", freight.Fact{
		Activity: freight.TerminalStatus, DataSource: freight.FromTerminal, Place: quay, Containers: p.containerNumbers(),
		Terminal: &freight.TerminalFacts{Available: &yes, Yard: "B09-02-3"}, Original: "Terminal status",
	})
	s.lastFree = p.hours + 4*24
	p.untilNow(12 * 24)
}

// playShortShipped has three containers of which the ship takes two. The third waits for the
// next ship, a week later.
func playShortShipped(p *script) {
	p.addBooking()
	p.addVoyageEstimates(freight.ByVessel, p.ships[0])
	p.addExport()
	all := p.containers
	aboard, left := all[:2], all[2:]
	p.containers = aboard
	p.addDeparture(leg{from: p.route.pol, to: p.route.pod, ship: p.ships[0]})
	sailed := p.hours
	p.marks["eta"] = sailed + p.route.toPOD*24
	p.addEstimate("eta", "eta", 7, p.eta(p.ships[0]))

	p.containers = left
	p.after(stepWeight, 9)
	p.addRollover(sailed)
	p.containers = all
	p.untilNow(4 * 24)
}

// playRolled has a container that the ship has left behind. It waits for the next one.
func playRolled(p *script) {
	p.addBooking()
	p.marks["etd"] = p.hours + 8*24
	p.marks["eta"] = p.marks["etd"] + p.route.toPOD*24
	p.addVoyageEstimates(freight.ByVessel, p.ships[0])
	p.addExport()
	p.after(stepWeight, 48)
	p.addRollover(p.marks["etd"])
	p.untilNow(4 * 24)
}

// addRollover plans the containers on the ship of a week later.
func (p *script) addRollover(sailed int) {
	const week = 7 * 24
	p.marks["etd-next"], p.marks["eta-next"] = sailed+week, p.marks["eta"]+week
	p.add("rolled", freight.Fact{Activity: freight.Other, Place: p.route.pol.quay(), Containers: p.containerNumbers(), Original: "Rolled to the next sailing"})
	p.addEstimate("etd-next", "etd-next", 0, p.etd(freight.ByVessel, p.ships[1]))
	p.addEstimate("eta-next", "eta-next", 0, p.eta(p.ships[1]))
}

// playOverdue has a ship of whose arrival the line says nothing, six days after its ETA.
func playOverdue(p *script) {
	p.addBooking()
	p.addVoyageEstimates(freight.ByVessel, p.ships[0])
	p.addExport()
	p.addDeparture(leg{from: p.route.pol, to: p.route.pod, ship: p.ships[0]})
	p.marks["eta"] = p.hours + p.route.toPOD*24
	p.addEstimate("eta", "eta", 7, p.eta(p.ships[0]))
	half := p.route.toPOD * 12
	p.after(stepWeight, half)
	p.addEstimate("eta", "eta", 0, p.eta(p.ships[0]))
	p.untilNow(half + 6*24)
}

// playAtSea has a ship on the ocean with an ETA that is to come, on the lane of the past
// voyages.
func playAtSea(p *script) {
	p.addBooking()
	p.addVoyageEstimates(freight.ByVessel, p.ships[0])
	p.addExport()
	p.addDeparture(leg{from: p.route.pol, to: p.route.pod, ship: p.ships[0]})
	p.marks["eta"] = p.hours + p.route.toPOD*24
	p.addEstimate("eta", "eta", -10, p.eta(p.ships[0]))
	p.after(stepWeight, 4*24)
	p.addEstimate("eta", "eta", 0, p.eta(p.ships[0]))
	p.untilNow(2 * 24)
}

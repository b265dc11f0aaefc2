package simulation

import (
	"fmt"
	"slices"
	"time"
)

// Ship is a sea-going vessel.
type Ship struct {
	IMO  string
	Name string
}

// Call is one stay of a ship at a port.
type Call struct {
	Terminal *Facility
	Arrive   time.Time
	Berth    time.Time
	Depart   time.Time
	// Omitted is when the ship gave up this call; zero when it did not.
	Omitted time.Time
	index   int
	voyage  *Voyage
}

// Voyage is one trip of a ship with its calls in order.
type Voyage struct {
	Ship   Ship
	Export string // voyage number given at loading and departure
	Import string // voyage number given at arrival and discharge
	Mode   string // the mode that sources give for its moves: vessel or feeder
	Calls  []*Call
}

var shipNames = []string{
	"EVER GOLDEN", "MAERSK HANOI", "ONE HARBOUR", "CMA CGM JULES VERNE", "HMM ALGECIRAS",
	"MSC OSCAR", "COSCO TAURUS", "YM WELLNESS", "ZIM SAPPHIRE", "NYK EAGLE", "OOCL BRUSSELS",
	"BARZAN", "THALASSA AVRA", "NAVIOS AMBER", "WAN HAI 515", "SEASPAN RAPTOR", "BALTIC TERN",
	"ELBFEEDER", "RHINE CARRIER", "THAMES SPIRIT", "SCHELDT TRADER", "ATLANTIC PETREL",
}

// newShip launches a ship that no other voyage of this world uses.
func (w *World) newShip() Ship {
	name := shipNames[w.ships%len(shipNames)]
	if round := w.ships / len(shipNames); round > 0 {
		name = fmt.Sprintf("%s %d", name, round+1)
	}
	w.ships++
	number := shipNumber(w.dice)
	for slices.Contains(w.imos, number) {
		number = shipNumber(w.dice)
	}
	w.imos = append(w.imos, number)
	return Ship{IMO: number, Name: name}
}

// newVoyage lets a ship call at the towns in order; it arrives at towns[at] at
// the time given, and every other call follows from there.
func (w *World) newVoyage(towns []*Town, at int, arrive time.Time) *Voyage {
	number := 100 + w.ships*17 + w.dice.between(0, 9)
	voyage := &Voyage{Ship: w.newShip(), Mode: "vessel"}
	voyage.Export = fmt.Sprintf("%03dW", number)
	voyage.Import = voyage.Export
	if w.dice.chance(0.4) {
		voyage.Import = fmt.Sprintf("%03dE", number+1)
	}
	for i, town := range towns {
		call := &Call{Terminal: pick(w.dice, town.terminals), index: i, voyage: voyage}
		voyage.Calls = append(voyage.Calls, call)
	}
	w.timeCalls(voyage, at, arrive)
	return voyage
}

func (w *World) timeCalls(voyage *Voyage, at int, arrive time.Time) {
	stays := make([]time.Duration, len(voyage.Calls))
	before := time.Duration(0)
	for i := range voyage.Calls {
		if i > 0 {
			stays[i] = w.passage(voyage.Calls[i-1].Terminal.Town, voyage.Calls[i].Terminal.Town)
		}
	}
	for i := 1; i <= at; i++ {
		before += stays[i] + 36*time.Hour
	}
	clock := arrive.Add(-before)
	for i, call := range voyage.Calls {
		if i == at {
			clock = arrive
		} else {
			clock = clock.Add(stays[i])
		}
		call.Arrive = clock
		call.Berth = clock.Add(w.dice.hours(1, 8))
		call.Depart = call.Berth.Add(w.dice.hours(14, 26))
		clock = call.Arrive.Add(36 * time.Hour)
	}
}

// passage is the time at sea between two ports, so that the ship is never in
// two places and oceans take longer than coasts.
func (w *World) passage(from, to *Town) time.Duration {
	if region(from) == region(to) {
		return w.dice.hours(20, 50)
	}
	return w.dice.hours(180, 300)
}

func region(town *Town) string {
	switch town.LOCODE[:2] {
	case "CN", "KR", "VN", "SG", "MY", "TW", "JP":
		return "far east"
	case "LK", "AE", "IN", "OM", "SA":
		return "middle east"
	case "US", "CA", "MX":
		return "america"
	}
	return "europe"
}

package simulation

import (
	"slices"
	"time"
)

// route lets ships carry a container from stop to stop, the first of them
// arriving at the first stop at the time given.
func (w *World) route(arrive time.Time, stops []*Town, feeder bool) []Leg {
	var legs []Leg
	for i := range len(stops) - 1 {
		last := i == len(stops)-2
		leg := w.sail(arrive, stops[i], stops[i+1], last && feeder)
		legs = append(legs, leg)
		arrive = leg.To.Depart.Add(w.dice.hours(24, 24*6))
	}
	return legs
}

// sail makes one voyage that carries a container between two ports.
func (w *World) sail(arrive time.Time, from, to *Town, feeder bool) Leg {
	towns, load, discharge := w.drawCalls(from, to, feeder)
	voyage := w.newVoyage(towns, load, arrive)
	if feeder && w.dice.chance(0.6) {
		voyage.Mode = "feeder"
	}
	return Leg{voyage, voyage.Calls[load], voyage.Calls[discharge]}
}

// drawCalls lists the ports of a voyage: some before loading, some on the way,
// some after, and now and then the same port twice.
func (w *World) drawCalls(from, to *Town, feeder bool) (towns []*Town, load, discharge int) {
	d := w.dice
	if d.chance(0.4) {
		towns = append(towns, w.neighbour(from, to))
	}
	if d.chance(0.08) {
		towns = append(towns, from, w.neighbour(from, to))
	}
	load = len(towns)
	towns = append(towns, from)
	if !feeder {
		towns = append(towns, w.wayPorts(from, to)...)
	}
	discharge = len(towns)
	towns = append(towns, to)
	return append(towns, w.onwardPorts(from, to)...), load, discharge
}

func (w *World) wayPorts(from, to *Town) []*Town {
	var ports []*Town
	for range w.dice.weighted(50, 30, 20) {
		ports = append(ports, w.neighbour(append(ports, from, to)...))
	}
	if len(ports) == 2 && w.dice.chance(0.35) {
		ports = append(ports, ports[0])
	}
	return ports
}

// onwardPorts are where the ship goes next: always one other port at least,
// and sometimes back to the port of discharge within the week.
func (w *World) onwardPorts(from, to *Town) []*Town {
	ports := []*Town{w.nextPort(from, to)}
	if w.dice.chance(0.15) {
		return append(ports, to)
	}
	if w.dice.chance(0.5) {
		ports = append(ports, w.nextPort(from, to, ports[0]))
	}
	return ports
}

// neighbour is a port of the same region as the first, other than all of them
// and other than every stop of the shipment.
func (w *World) neighbour(of ...*Town) *Town {
	var near []*Town
	for _, port := range seaPorts {
		if region(port) == region(of[0]) && !slices.Contains(of, port) && !slices.Contains(w.stops, port) {
			near = append(near, port)
		}
	}
	if len(near) == 0 {
		panic("simulation: no port near " + of[0].LOCODE)
	}
	return pick(w.dice, near)
}

// nextPort is where a ship goes after a port: on the same coast.
func (w *World) nextPort(from, to *Town, not ...*Town) *Town {
	return w.neighbour(append([]*Town{to, from}, not...)...)
}

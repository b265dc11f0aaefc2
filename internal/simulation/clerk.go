package simulation

import (
	"slices"
	"time"
)

// clerk has read every statement about one container, and knows of each true
// move whether it was said, and whether what was said proves it.
type clerk struct {
	*World
	box     *Box
	journey *Journey
	facts   []fact
	names   shipNaming

	statedPOD *Town
	statedPOL *Town
	destKnown bool
	polKnown  bool
	podKnown  bool
}

// fact is a move that has happened, with what was said of it.
type fact struct {
	Move
	said   []Statement
	proved bool // said, and said to be a move of this container
	day    bool // said by date only, by some source
}

func (w *World) newClerk(box *Box) *clerk {
	c := &clerk{World: w, box: box, journey: w.inForce(box)}
	c.names = w.nameShips(box.Shipment)
	for _, move := range c.journey.Moves {
		if !w.happened(move) || c.takenBack() {
			break
		}
		c.facts = append(c.facts, c.read(move))
	}
	c.learnPorts()
	c.learnDestination()
	for i := range c.facts {
		c.facts[i].proved = c.proves(c.facts[i])
	}
	return c
}

func (c *clerk) read(move Move) fact {
	read := fact{Move: move}
	about := move.subject(c.box)
	for _, i := range c.bySubject[about] {
		if s := &c.statements[i]; s.reaches(c.box) {
			read.said = append(read.said, *s)
			read.day = read.day || s.At.Day
		}
	}
	return read
}

// stated is the last place that the line gave the role.
func (c *clerk) stated(role string) *Town {
	var town *Town
	for i := range c.statements {
		s := &c.statements[i]
		if s.truth.role == role && !s.void && s.reaches(c.box) {
			town = s.truth.town
		}
	}
	return town
}

func (c *clerk) learnPorts() {
	c.statedPOL, c.statedPOD = c.stated("pol"), c.stated("pod")
	load, _ := c.find(SeaLoad)
	c.polKnown = c.statedPOL == c.journey.POL() || load != nil && load.Leg == 0 && len(load.said) > 0
	c.podKnown = c.statedPOD == c.journey.POD() || c.leftSea()
}

// leftSea: a discharge at the port of discharge and a later move on land prove
// that the container leaves the sea there.
func (c *clerk) leftSea() bool {
	discharged := false
	for _, f := range c.facts {
		if len(f.said) == 0 {
			continue
		}
		if f.Reason == SeaDischarge && f.Final {
			discharged = true
		} else if discharged && f.Reason >= RailLoad {
			return true
		}
	}
	return false
}

func (c *clerk) learnDestination() {
	if c.journey.Dest == nil {
		c.destKnown = true
		return
	}
	c.destKnown = c.stated("destination") == c.journey.Dest
	for _, f := range c.facts {
		if f.Final && (f.Reason == RailArrives || f.Reason == RailUnload) && len(f.said) > 0 {
			c.destKnown = true
		}
	}
}

// find returns the first fact of a reason, and the last.
func (c *clerk) find(reason Reason) (first, last *fact) {
	for i := range c.facts {
		if c.facts[i].Reason == reason {
			if first == nil {
				first = &c.facts[i]
			}
			last = &c.facts[i]
		}
	}
	return first, last
}

// proves reports whether what was said makes the move one of this container:
// on land always; a ship's move only when the container is known aboard.
func (c *clerk) proves(f fact) bool {
	if len(f.said) == 0 {
		return false
	}
	if f.Reason != ShipDeparts && f.Reason != ShipArrives && f.Reason != ShipBerths {
		return true
	}
	load, discharge := c.legEnds(f.Leg)
	for _, move := range f.said {
		if load != nil && c.sameShip(load, move, f) {
			return true
		}
		ashore := f.Call == c.journey.Legs[f.Leg].To
		if ashore && discharge != nil && c.podKnown && c.named(discharge, move) {
			return true
		}
	}
	return false
}

func (c *clerk) legEnds(leg int) (load, discharge *fact) {
	for i := range c.facts {
		f := &c.facts[i]
		if f.Leg != leg || len(f.said) == 0 {
			continue
		}
		if f.Reason == SeaLoad {
			load = f
		}
		if f.Reason == SeaDischarge {
			discharge = f
		}
	}
	return load, discharge
}

// sameShip: the load and the ship's move name one ship, or the load names none
// and no other ship could be meant.
func (c *clerk) sameShip(load *fact, move Statement, f fact) bool {
	if c.named(load, move) {
		return true
	}
	for _, s := range load.said {
		if s.Vessel != (Vessel{}) || s.Voyage != "" {
			return false
		}
	}
	return f.Call == load.Call && !c.otherShipLeaves(load)
}

func (c *clerk) named(f *fact, move Statement) bool {
	return slices.ContainsFunc(f.said, func(s Statement) bool { return c.names.same(s, move) })
}

// otherShipLeaves: some other ship was there in the days after the load too.
func (c *clerk) otherShipLeaves(load *fact) bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		call := s.truth.call
		if call == nil || call.voyage == load.Call.voyage || !s.reachesShipment(c.box.Shipment) {
			return false
		}
		gap := call.Depart.Sub(load.At)
		return call.Terminal.Town == load.Place.Town && gap > -15*24*time.Hour && gap < 15*24*time.Hour
	})
}

// shipped: something said proves that the sea journey took place.
func (c *clerk) shipped() bool {
	return slices.ContainsFunc(c.facts, func(f fact) bool {
		if len(f.said) == 0 {
			return false
		}
		switch f.Reason {
		case SeaLoad, SeaDischarge:
			return true
		}
		return c.podKnown && f.Reason >= RailLoad && f.Reason != EmptyReturn
	})
}

// shipNaming joins the names, numbers and voyages that were said together.
type shipNaming map[string]int

func (w *World) nameShips(shipment int) shipNaming {
	naming := shipNaming{}
	group := 0
	for i := range w.statements {
		s := &w.statements[i]
		if s.void || !s.reachesShipment(shipment) {
			continue
		}
		group++
		all := tokens(s)
		for _, token := range all {
			naming.join(token, group)
		}
		for _, token := range all {
			naming.merge(naming[token], naming[all[0]])
		}
	}
	return naming
}

// indexSubjects lists, for each move, the statements that truly report it.
func (w *World) indexSubjects() {
	w.bySubject = map[subject][]int{}
	for i := range w.statements {
		if s := &w.statements[i]; s.truth.real && !s.void {
			w.bySubject[s.about] = append(w.bySubject[s.about], i)
		}
	}
}

func tokens(s *Statement) []string {
	all := make([]string, 0, 3)
	for _, token := range [...]string{s.Vessel.IMO, s.Vessel.Name, s.Voyage} {
		if token != "" {
			all = append(all, token)
		}
	}
	return all
}

func (n shipNaming) join(token string, group int) {
	if _, known := n[token]; !known {
		n[token] = group
	}
}

func (n shipNaming) merge(from, to int) {
	if from == to {
		return
	}
	for token, group := range n {
		if group == from {
			n[token] = to
		}
	}
}

// same reports whether two statements are known to name one ship.
func (n shipNaming) same(a, b Statement) bool {
	for _, left := range tokens(&a) {
		for _, right := range tokens(&b) {
			if n[left] == n[right] {
				return true
			}
		}
	}
	return false
}

package simulation

import "slices"

// milestones lists what truly happened to the container, and what may be
// shown because nobody said that it had left a ship.
func (c *clerk) milestones() []Milestone {
	var all []Milestone
	for _, f := range c.facts {
		undone := f.Reason == UndoneLoad || f.Reason == UndoneDischarge
		if len(f.Names) > 0 && (!undone || len(f.said) > 0) {
			all = append(all, c.milestone(f))
		}
		if f.Extra != "" {
			extra := c.milestone(f)
			extra.Names = []string{f.Extra}
			extra.Required = f.proved && c.destKnown
			all = append(all, extra)
		}
	}
	return append(all, c.mistakable()...)
}

func (c *clerk) milestone(f fact) Milestone {
	milestone := Milestone{
		Names: f.Names, At: c.instant(f), LOCODE: f.Place.Town.LOCODE,
		Required: f.proved && c.roleKnown(f) && f.Reason != UndoneLoad && f.Reason != UndoneDischarge,
	}
	if f.Call != nil {
		milestone.ShipIMO = f.Call.voyage.Ship.IMO
		if !c.roleKnown(f) {
			milestone.Names = otherNames(f)
		}
	}
	if len(f.Names) > 1 || f.Reason == ShipBerths && (f.Mode == "feeder" || c.journey.Twice) || c.mayHaveLeft(f) {
		milestone.Required = false
	}
	return milestone
}

func (c *clerk) instant(f fact) Instant {
	return Instant{At: f.At, Zone: f.Place.Town.Zone, Day: f.day}
}

// roleKnown: the clerk knows what the place of a move is for the container.
func (c *clerk) roleKnown(f fact) bool {
	switch {
	case f.Reason == OriginGateIn:
		return c.polKnown
	case f.Reason == PickUp || f.Reason == RailLoad || f.Reason == RailDeparts:
		return c.podKnown
	case f.Call == nil:
		return f.Reason != EmptyReturn || c.shipped()
	case f.Leg == 0 && f.Call == c.journey.Legs[0].From:
		return c.polKnown
	}
	return c.polKnown && c.podKnown
}

var namesOf = map[string][]string{
	"load":      {"vessel_loaded", "transshipment_loaded", "feeder_loaded"},
	"depart":    {"vessel_departed", "transshipment_departed", "feeder_departed"},
	"arrive":    {"vessel_arrived", "transshipment_arrived", "feeder_arrived"},
	"discharge": {"vessel_discharged", "transshipment_discharged", "feeder_discharged"},
	"berth":     {"vessel_berthed"},
}

func otherNames(f fact) []string { return namesOf[f.What] }

// mistakable lists the further moves of a ship that the container has left
// without a word.
func (c *clerk) mistakable() []Milestone {
	var all []Milestone
	for i, leg := range c.journey.Legs {
		load, _ := c.legEnds(i)
		if load == nil || c.leftShip(i) {
			all = append(all, c.onwardUntilSeen(i)...)
			continue
		}
		for _, call := range leg.Voyage.Calls[leg.To.index:] {
			if call != leg.To {
				all = append(all, c.mistake(call, "arrive"), c.mistake(call, "berth"))
			}
			all = append(all, c.mistake(call, "depart"))
		}
	}
	return slices.Concat(all, c.mistakenBoardings(), c.formerShip().moves, c.mistakenBerths(), c.mistakenDestinations())
}

// mistakenBerths are those on the way, while nobody has said which port is the
// port of discharge: its ship arrived there under that name, too.
func (c *clerk) mistakenBerths() []Milestone {
	if c.polKnown && c.podKnown {
		return nil
	}
	var all []Milestone
	for _, f := range c.facts {
		if f.Reason == ShipArrives && !f.Final && !c.berthIsMove(f.Call) {
			all = append(all, c.reportedMove(f.Call, "berth")...)
		}
	}
	return all
}

// berthIsMove: the journey has the berth at a call as a move of the container.
func (c *clerk) berthIsMove(call *Call) bool {
	return slices.ContainsFunc(c.facts, func(f fact) bool { return f.Reason == ShipBerths && f.Call == call })
}

// mistakenDestinations are the ramps on the way that look like the last, while
// nobody has said where the journey by rail ends.
func (c *clerk) mistakenDestinations() []Milestone {
	var all []Milestone
	for _, f := range c.facts {
		if !c.destKnown && f.Reason == RailArrives && !f.Final && len(f.said) > 0 {
			mistake := c.milestone(f)
			mistake.Names, mistake.Required = []string{"arrived_at_inland_destination"}, false
			all = append(all, mistake)
		}
	}
	return all
}

// leftShip: a discharge, the next load or the known end of the sea journey
// shows the clerk that the container is no longer aboard.
func (c *clerk) leftShip(leg int) bool {
	if _, discharge := c.legEnds(leg); discharge != nil {
		return true
	}
	if leg == len(c.journey.Legs)-1 {
		return c.podKnown
	}
	load, _ := c.legEnds(leg + 1)
	return load != nil
}

func (c *clerk) mistake(call *Call, what string) Milestone {
	at := map[string]Instant{"arrive": {At: call.Arrive}, "berth": {At: call.Berth}, "depart": {At: call.Depart}}[what]
	at.Zone, at.Day = call.Terminal.Town.Zone, c.line.dayOnly > 0
	return Milestone{Names: namesOf[what], At: at, LOCODE: call.Terminal.Town.LOCODE, ShipIMO: call.voyage.Ship.IMO}
}

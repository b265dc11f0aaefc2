package simulation

import (
	"slices"
	"time"
)

// Trouble is something that went wrong with a container, or with its shipment.
type Trouble struct {
	Container string
	// Kinds are the words for it that are right; more than one where a careful clerk has a
	// choice.
	Kinds []string
	// Determined: what was handed in shows it to a careful clerk. Otherwise he need not know.
	Determined bool
}

// Troubles lists what has gone wrong by the end of the world.
func (w *World) Troubles() []Trouble {
	w.Statements()
	var all []Trouble
	for _, box := range w.Boxes {
		c := w.newClerk(box)
		all = append(all, c.troubles()...)
	}
	return all
}

// Untroubled reports whether no mishap has happened by the end of the world.
func (w *World) Untroubled() bool {
	return !slices.ContainsFunc(w.Features(), func(name string) bool { return name != "" && slices.Contains(mishapNames, name) })
}

func (c *clerk) troubles() (all []Trouble) {
	if c.takenBack() || !c.box.unusedReturn.IsZero() {
		return nil
	}
	add := func(determined bool, kinds ...string) {
		all = append(all, Trouble{Container: c.box.Number, Kinds: kinds, Determined: determined})
	}
	if len(c.box.Journeys) > 1 && !c.box.Journeys[1].Since.After(c.Now) && c.cancelled.IsZero() {
		before, after := c.box.Journeys[0], c.box.Journeys[1]
		switch c.mishap {
		case rolledOver, shortShipped, shutOut, rolledAtHub:
			c.addLeftBehind(before, after, add)
		case portOmitted:
			add(c.knowsDiversion(before, after), "omitted_port")
		case overcarried:
			add(c.knowsDiversion(before, after) && c.knowsCall(before.last().To) && c.heldPOD(before.POD()), "overcarried")
		case endedEarly:
			add(c.knowsDiversion(before, after) && c.podKnown, "omitted_port", "changed_destination")
		case destinationChanged:
			known := c.stated("pod") == after.POD() && (c.wasStated(before.POD()) || c.knowsPlan("discharge", before.last().To, true))
			add(known, "changed_destination")
		}
	}
	if c.isHeld() {
		add(true, "hold")
	}
	return all
}

// addLeftBehind: the container was planned on one ship and goes on another from the same port.
func (c *clerk) addLeftBehind(before, after *Journey, add func(bool, ...string)) {
	leg := 0
	for leg < len(before.Legs) && leg < len(after.Legs) && before.Legs[leg] == after.Legs[leg] {
		leg++
	}
	planned, real := before.Legs[leg].From, after.Legs[leg].From
	all := c.mishap == rolledOver || c.mishap == rolledAtHub
	known := c.knowsPlan("load", planned, true) || all && c.knowsPlan("depart", planned, false) && !c.knowsPlan("load", nil, true)
	known = known && (c.knowsPlan("load", real, true) || c.wasLoaded(real) || all && c.knowsPlan("depart", real, false))
	if leg > 0 {
		add(known, "missed_connection")
		return
	}
	sailed, reported := false, false
	for _, other := range c.Boxes {
		if other != c.box && c.inForce(other).Legs[0].From == planned && other.unusedReturn.IsZero() && other.takenBack.IsZero() {
			o := c.World.newClerk(other)
			sailed, reported = true, reported || o.wasLoaded(planned)
		}
	}
	switch {
	case !sailed:
		add(known, "rollover")
	case reported:
		add(known, "short_shipped")
	default:
		add(known, "rollover", "short_shipped")
	}
}

// knowsPlan: a plan or an estimate names the ship of a call, for this container alone or for all.
// A nil call is any.
func (c *clerk) knowsPlan(what string, call *Call, own bool) bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		return !s.void && s.What == what && (s.Class == "planned" || s.Class == "estimated") && (call == nil || s.truth.call == call) &&
			s.reaches(c.box) && own == (s.truth.box == c.box.index) && namesShip(&s)
	})
}

func namesShip(s *Statement) bool { return s.Vessel != (Vessel{}) }

// wasLoaded: a report of the load at a call stands, and names the ship.
func (c *clerk) wasLoaded(call *Call) bool {
	return slices.ContainsFunc(c.facts, func(f fact) bool {
		return f.Reason == SeaLoad && f.Call == call && slices.ContainsFunc(f.said, func(s Statement) bool { return namesShip(&s) })
	})
}

// knowsDiversion: the ship was expected at the former port, and the container is known aboard it
// and ashore elsewhere, or planned there.
func (c *clerk) knowsDiversion(before, after *Journey) bool {
	from, instead := before.last(), after.Legs[len(before.Legs)-1].To
	expected := c.knowsPlan("discharge", from.To, true) || c.wasStated(before.POD()) && c.knowsPlan("arrive", from.To, false)
	if !expected || !c.wasLoaded(from.From) {
		return false
	}
	ashore := slices.ContainsFunc(c.facts, func(f fact) bool { return f.Reason == SeaDischarge && f.Call == instead && len(f.said) > 0 })
	return ashore || c.mishap == portOmitted && c.knowsPlan("discharge", instead, true)
}

// wasStated: the line gave the town the role of the port of discharge, at any time.
func (c *clerk) wasStated(town *Town) bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		return s.What == "route" && s.truth.role == "pod" && s.truth.town == town && !s.void && s.reaches(c.box)
	})
}

// heldPOD: the line's latest word has the town as the port of discharge, or something proves it.
func (c *clerk) heldPOD(town *Town) bool { return c.stated("pod") == town || c.podKnown }

// knowsCall: a move of the ship at a call is reported, and names it.
func (c *clerk) knowsCall(call *Call) bool {
	return slices.ContainsFunc(c.statements, func(s Statement) bool {
		return !s.void && s.truth.real && s.about.box < 0 && s.about.call == call && s.reaches(c.box) && namesShip(&s)
	})
}

// isHeld: the terminal's last word is a hold, and the pick-up was not reported.
func (c *clerk) isHeld() bool {
	held := false
	for i := range c.statements {
		s := &c.statements[i]
		if s.truth.available != nil && !s.void && s.reaches(c.box) {
			held = !*s.truth.available && s.Terminal != nil
		}
	}
	gone := slices.ContainsFunc(c.facts, func(f fact) bool { return f.Reason >= PickUp && len(f.said) > 0 })
	return held && !gone
}

// Silence is a world from which the reports of a move, and of all that came after it, were taken
// away: the line has lost the container.
type Silence struct {
	// Statements are what is left.
	Statements []Statement
	// Container and Event are what is missing: one of Names is the milestone.
	Container string
	Names     []string
	LOCODE    string
	// Expected is the last time that was reported for it.
	Expected time.Time
}

// Silences lists the moves at sea of which the line has reported a time before, each with the
// statements that were recorded before the move. Those whose containers changed plans are left
// out, and those where the move before was not reported.
func (w *World) Silences() (all []Silence) {
	w.Statements()
	for _, box := range w.Boxes {
		if len(box.Journeys) > 1 || !box.unusedReturn.IsZero() || !box.takenBack.IsZero() || !w.cancelled.IsZero() || len(w.Boxes) > 1 {
			continue
		}
		c := w.newClerk(box)
		for i, f := range c.facts {
			leaves, arrives := f.Reason == ShipDeparts && f.Leg == 0, f.Reason == ShipArrives && f.Final
			if !f.proved || !(leaves && f.Call == c.journey.Legs[0].From || arrives) || i == 0 || !c.facts[i-1].proved {
				continue
			}
			if s, ok := c.silence(f); ok {
				all = append(all, s)
			}
		}
	}
	return all
}

// silence takes away what was recorded from the move on.
func (c *clerk) silence(f fact) (s Silence, ok bool) {
	s = Silence{Container: c.box.Number, Names: f.Names, LOCODE: f.Place.Town.LOCODE}
	for _, said := range c.statements {
		if said.RecordedAt.IsZero() || !said.RecordedAt.Before(f.At) || said.Terminal != nil {
			continue
		}
		if said.Class == "actual" && said.truth.foreseen {
			return s, false
		}
		s.Statements = append(s.Statements, said)
		if said.What == f.What && said.truth.call == f.Call && said.Class != "actual" && said.reaches(c.box) && namesShip(&said) {
			s.Expected = said.At.Time
		}
	}
	return s, !s.Expected.IsZero()
}

// Complete reports whether every move that has happened was reported, without mishap or delay
// beyond three days: nothing can be overdue then, but what is really late.
func (w *World) Complete() bool {
	if w.line.complete < 1 || w.mishap != noMishap || w.line.plans == plansNothing {
		return false
	}
	w.Statements()
	for _, box := range w.Boxes {
		c := w.newClerk(box)
		for _, f := range c.facts {
			if len(f.said) == 0 && f.Reason >= SeaLoad && f.Reason <= SeaDischarge && f.Reason != ShipBerths {
				return false
			}
		}
	}
	return true
}

package simulation

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// terminalSpeaks: the terminals report their own moves, and availability.
func (w *World) terminalSpeaks(l *line) {
	for _, box := range w.Boxes {
		if !box.takenBack.IsZero() {
			continue
		}
		moves := w.inForce(box).Moves
		for i, move := range moves {
			if atTerminal(move) && w.happened(move) && l.dice.chance(0.7) {
				w.terminalMove(l, box, move)
			}
			if move.Reason == PickUp {
				w.availability(l, box, moves[i-1], move)
				break
			}
		}
	}
}

// atTerminal: terminals say what passes their own gate or quay after sea.
func atTerminal(move Move) bool {
	return move.Group == 0 && move.Place.Type == "POTE" && (move.Reason == SeaDischarge && move.Final || move.Reason == PickUp)
}

func (w *World) asTerminal(l *line, box *Box, place *Facility) Statement {
	statement := l.forContainer(box)
	statement.ID = strings.Replace(statement.ID, "L-", "T-", 1)
	statement.Source = "terminal-" + strings.ToLower(place.Town.LOCODE)
	statement.DataSource, statement.SCAC, statement.Class = "terminal", w.SCAC, "actual"
	statement.Place = l.place(place, true)
	return statement
}

func (w *World) terminalMove(l *line, box *Box, move Move) {
	statement := w.asTerminal(l, box, move.Place)
	statement.What, statement.Mode, statement.Load = move.What, move.Mode, move.Load
	statement.At = Moment{Time: move.At, Zone: move.Place.Town.Zone}
	statement.about = move.subject(box)
	statement.truth.real = true
	statement.received = move.At.Add(l.dice.hours(0.01, 0.5))
	l.hand(statement)
}

// availability: held first, released later, both before the pick-up.
func (w *World) availability(l *line, box *Box, arrived, pickUp Move) {
	if pickUp.Group != 0 || pickUp.Place.Type != "POTE" && pickUp.Place.Type != "RAMP" {
		return
	}
	wait := pickUp.At.Sub(arrived.At)
	whole := l.dice.chance(0.6)
	if l.dice.chance(0.6) {
		w.sayAvailable(l, box, pickUp.Place, arrived.At.Add(wait/5), false, whole)
	}
	if l.dice.chance(0.85) {
		w.sayAvailable(l, box, pickUp.Place, arrived.At.Add(wait/2), true, whole)
	}
}

func (w *World) sayAvailable(l *line, box *Box, place *Facility, at time.Time, available, whole bool) {
	statement := w.asTerminal(l, box, place)
	statement.At = Moment{Time: at.Truncate(time.Minute), Zone: place.Town.Zone}
	statement.received = at
	statement.truth.available = &available
	switch {
	case whole:
		statement.What = "terminal_status"
		statement.Terminal = &TerminalFacts{Available: &available}
		if !available {
			statement.Terminal.Holds = []Hold{{Name: "customs", Status: "hold"}}
		}
	case available:
		statement.What = "available"
	default:
		statement.What = "not_available"
	}
	if l.hand(statement) {
		w.noteFeature("terminal_availability")
	}
}

// personSpeaks: somebody writes down what the line did not say.
func (w *World) personSpeaks(l *line) {
	for _, box := range w.Boxes {
		if !box.takenBack.IsZero() {
			continue
		}
		for _, move := range w.inForce(box).Moves {
			land := move.Reason == PickUp || move.Reason == HandOver || move.Reason == EmptyReturn
			if land && move.Group == 0 && w.happened(move) && !w.saidAlready(box, move) && l.dice.chance(0.5) {
				w.personMove(l, box, move)
			}
		}
	}
}

func (w *World) saidAlready(box *Box, move Move) bool {
	return slices.ContainsFunc(w.statements, func(s Statement) bool {
		return s.truth.real && s.about == move.subject(box)
	})
}

func (w *World) personMove(l *line, box *Box, move Move) {
	statement := l.forContainer(box)
	statement.ID = ""
	statement.Source, statement.DataSource, statement.SCAC = "manual", "manual", w.SCAC
	statement.What, statement.Class, statement.Mode, statement.Load = move.What, "actual", move.Mode, move.Load
	statement.At = Moment{Time: move.At.Truncate(time.Minute), Zone: move.Place.Town.Zone}
	statement.Place = l.place(move.Place, true)
	statement.about = move.subject(box)
	statement.truth.real = true
	statement.received = move.At.Add(l.dice.hours(1, 60))
	if l.hand(statement) {
		w.noteFeature("by_hand")
	}
}

// secondSpeaks: another source passes on what the line said and stood by,
// under its own IDs.
func (w *World) secondSpeaks(l *line) {
	for i, statement := range slices.Clone(w.statements) {
		if statement.Source != "dcsa" || statement.void || !statement.truth.real || !l.dice.chance(0.6) {
			continue
		}
		statement.Source, statement.ID = "visibility-hub", fmt.Sprintf("V-%d", i)
		statement.received = statement.received.Add(l.dice.hours(0.2, 5))
		statement.RecordedAt = time.Time{}
		if l.hand(statement) {
			w.noteFeature("second_source")
		}
	}
}

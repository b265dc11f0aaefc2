package simulation

import (
	"slices"
	"testing"
	"time"
)

// landMilestones reads the moves on land, by the conventions alone.
func (r *reader) landMilestones(w *World, box *Box) []ShownMilestone {
	var moves []*Statement
	for _, s := range r.statements {
		land := s.Mode == "truck" || s.Mode == "rail" || s.Mode == "barge" || s.What == "load"
		if s.Class == "actual" && land && slices.Contains(s.Containers, box.Number) {
			moves = append(moves, s)
		}
	}
	slices.SortStableFunc(moves, func(a, b *Statement) int { return instantOf(a).Compare(instantOf(b)) })
	destination := r.stated(w, box, "destination")
	for _, s := range moves {
		if s.Mode == "rail" && s.What == "discharge" && r.stated(w, box, "destination") == "" {
			destination = s.Place.LOCODE
		}
	}
	var shown []ShownMilestone
	shipped := false
	for i, s := range moves {
		sea := s.Mode == "vessel" || s.Mode == "feeder"
		shipped = shipped || sea
		for _, event := range landEvents(s, moves[i+1:], shipped, destination) {
			if !sea {
				shown = append(shown, ShownMilestone{event, instantOf(s), s.Place.LOCODE, ""})
			}
		}
	}
	return once(shown)
}

func landEvents(s *Statement, next []*Statement, shipped bool, destination string) []string {
	past := map[string]string{"load": "loaded", "discharge": "unloaded", "depart": "departed", "arrive": "arrived"}
	var events []string
	atDestination := s.Place.LOCODE == destination
	switch {
	case s.Mode == "rail":
		events = append(events, "rail_"+past[s.What])
	case s.Mode == "barge" && s.What == "discharge":
		events = append(events, "feeder_discharged")
	case s.Mode == "barge":
		events = append(events, "feeder_"+past[s.What])
	case s.What == "deliver":
		return []string{"delivered"}
	case s.What == "gate_out" && s.Load == "empty":
		return []string{"empty_out"}
	case s.What == "gate_in" && s.Load == "empty" && shipped:
		return []string{"empty_in"}
	case s.What == "gate_in" && s.Load == "laden" && !shipped:
		return []string{"full_in"}
	case s.What == "gate_out" && s.Load == "laden":
		if (destination == "" || atDestination) && !transferred(s, next) {
			return []string{"full_out"}
		}
	}
	arrives := s.What == "arrive" || s.What == "gate_in" && s.Load == "laden"
	if arrives && atDestination && shipped {
		events = append(events, "arrived_at_inland_destination")
	}
	return events
}

// transferred: a laden gate-in elsewhere in that town within 72 hours.
func transferred(out *Statement, next []*Statement) bool {
	return slices.ContainsFunc(next, func(in *Statement) bool {
		elsewhere := in.Place.LOCODE == out.Place.LOCODE && in.Place.Facility != out.Place.Facility
		return in.What == "gate_in" && in.Load == "laden" && elsewhere && instantOf(in).Sub(instantOf(out)) <= 72*time.Hour
	})
}

// What is demanded on land can be read as well.
func TestPlainReaderFindsWhatIsDemandedOnLand(t *testing.T) {
	worlds := 0
	for seed := range uint64(3_000) {
		w := New(seed)
		stated := w.line.plans == plansBoth || w.line.plans == plansByRoute
		if !stated || w.line.dayOnly > 0 || w.line.complete < 1 || slices.Contains(w.features, "cut_midway") {
			continue
		}
		worlds++
		r := newReader(w)
		for i, container := range w.Expect().Containers {
			container.Milestones = slices.DeleteFunc(container.Milestones, func(m Milestone) bool { return m.ShipIMO != "" })
			if faults := container.JudgeMilestones(r.landMilestones(w, w.Boxes[i])); len(faults) > 0 {
				t.Errorf("seed %d %s: %v", seed, container.Number, faults)
			}
		}
	}
	if worlds < 100 {
		t.Errorf("only %d worlds", worlds)
	}
}

package simulation

import (
	"slices"
	"testing"
	"time"
)

// reader is a plain reader of statements that knows nothing of the world. It
// follows the ships of well-documented shipments, to check that what the
// oracle demands can be read from what was said.
type reader struct {
	statements []*Statement
	imo        map[string]string // of a ship's name or voyage
}

func newReader(w *World) *reader {
	r := &reader{imo: map[string]string{}}
	for i := range w.Statements() {
		s := &w.statements[i]
		at := slices.IndexFunc(r.statements, func(other *Statement) bool {
			return s.ID != "" && other.ID == s.ID && other.Source == s.Source
		})
		switch {
		case s.Retracted:
			if at >= 0 {
				r.statements = slices.Delete(r.statements, at, at+1)
			}
		case at < 0:
			r.statements = append(r.statements, s)
		case s.Class == "actual" || r.statements[at].Class != "actual" || early(r.statements[at]):
			r.statements[at] = s
		}
	}
	r.statements = slices.DeleteFunc(r.statements, early)
	for range 2 {
		for _, s := range r.statements {
			imo := r.ship(s)
			if imo != "" {
				r.imo[s.Vessel.Name], r.imo[s.Voyage] = imo, imo
				delete(r.imo, "")
			}
		}
	}
	return r
}

func early(s *Statement) bool {
	return s.Class == "actual" && !s.RecordedAt.IsZero() && instantOf(s).After(s.RecordedAt.Add(time.Hour))
}

func instantOf(s *Statement) time.Time {
	if s.At.IsZero() || townOf(s.Place.LOCODE) == nil {
		return s.At.Time
	}
	return said(*s).At
}

func (r *reader) ship(s *Statement) string {
	for _, imo := range []string{s.Vessel.IMO, r.imo[s.Vessel.Name], r.imo[s.Voyage]} {
		if imo != "" {
			return imo
		}
	}
	return ""
}

func (r *reader) stated(w *World, box *Box, role string) string {
	locode := ""
	for _, s := range r.statements {
		if s.What == "route" && s.Place.Role == role && r.concerns(w, s, box) {
			locode = s.Place.LOCODE
		}
	}
	return locode
}

func (r *reader) concerns(w *World, s *Statement, box *Box) bool {
	if len(s.Containers) > 0 {
		return slices.Contains(s.Containers, box.Number)
	}
	bills := 0
	for _, number := range s.Numbers {
		if number.Type == "bill_of_lading" {
			bills++
			if number.Number == w.Shipments[box.Shipment].BillOfLading {
				return true
			}
		}
	}
	return bills == 0
}

// seaMilestones reads the moves at sea of a container.
func (r *reader) seaMilestones(w *World, box *Box) []ShownMilestone {
	pol, pod := r.stated(w, box, "pol"), r.stated(w, box, "pod")
	var moves []*Statement
	for _, s := range r.statements {
		sea := s.Mode == "vessel" || s.Mode == "feeder"
		if s.Class == "actual" && sea && r.concerns(w, s, box) {
			moves = append(moves, s)
		}
	}
	slices.SortStableFunc(moves, func(a, b *Statement) int { return instantOf(a).Compare(instantOf(b)) })
	var shown []ShownMilestone
	aboard, on := "", false
	for _, s := range moves {
		cargo := len(s.Containers) > 0
		switch {
		case cargo && s.What == "load":
			aboard, on = r.ship(s), true
		case !cargo && (!on || r.ship(s) != aboard && aboard != ""):
			continue
		case !cargo && aboard == "" && (s.What != "depart"):
			continue
		case !cargo && aboard == "":
			aboard = r.ship(s)
		}
		if event := seaEvent(s, pol, pod); event != "" {
			shown = append(shown, ShownMilestone{event, instantOf(s), s.Place.LOCODE, r.ship(s)})
		}
		if cargo && s.What == "discharge" {
			on = false
		}
	}
	return once(shown)
}

func seaEvent(s *Statement, pol, pod string) string {
	past := map[string]string{"load": "loaded", "discharge": "discharged", "depart": "departed", "arrive": "arrived"}[s.What]
	switch {
	case s.What == "berth" && s.Place.LOCODE == pod:
		return "vessel_berthed"
	case s.What == "berth":
		return ""
	case s.Mode == "feeder":
		return "feeder_" + past
	case s.Place.LOCODE == pol || s.Place.LOCODE == pod:
		return "vessel_" + past
	}
	return "transshipment_" + past
}

// once leaves out what two sources said.
func once(all []ShownMilestone) []ShownMilestone {
	var kept []ShownMilestone
	for _, m := range all {
		known := slices.ContainsFunc(kept, func(other ShownMilestone) bool {
			return other.Event == m.Event && other.LOCODE == m.LOCODE && other.At.Sub(m.At).Abs() <= time.Minute
		})
		if !known {
			kept = append(kept, m)
		}
	}
	return kept
}

// What is demanded at sea can be read: where every fact is reported, and ships
// are named in full, the plain reader shows exactly what is expected.
func TestPlainReaderFindsWhatIsDemanded(t *testing.T) {
	worlds := 0
	for seed := range uint64(6_000) {
		w := New(seed)
		stated := w.line.plans == plansBoth || w.line.plans == plansByRoute
		exact := w.line.dayOnly == 0 && w.line.tidy && w.line.complete == 1
		if !stated || !exact || w.mishap == endedEarly || slices.Contains(w.features, "cut_midway") {
			continue
		}
		worlds++
		r := newReader(w)
		for i, container := range w.Expect().Containers {
			container.Milestones = slices.DeleteFunc(container.Milestones, func(m Milestone) bool { return m.ShipIMO == "" })
			if faults := container.JudgeMilestones(r.seaMilestones(w, w.Boxes[i])); len(faults) > 0 {
				t.Errorf("seed %d %s: %v", seed, container.Number, faults)
			}
		}
	}
	if worlds < 100 {
		t.Errorf("only %d worlds", worlds)
	}
}

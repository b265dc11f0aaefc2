package simulation

import (
	"slices"
	"testing"
	"time"
)

// A container of which no move is reported may be shown aboard the ship of its
// plan, and only there, and only while nothing speaks against it.
func TestSupposedAboard(t *testing.T) {
	for _, test := range []struct {
		seed  uint64
		right bool
	}{
		{713511208326, true},
		{396755558343, true},
		{613936479090, true},  // arrived at the POL, and then at the next port
		{1085059352922, true}, // nothing but ships' moves was reported
		{4217237028, true},    // nothing but ships' moves was reported
		{797108421988, false}, // no plan was reported, and a sibling's load was reported first
		{721, false},          // the plan was reported, and a sibling's load was reported first
	} {
		w := New(test.seed)
		expected := w.Expect().Containers
		box := len(expected) - 1 // the one that was returned
		if got := expected[box].Status.Accepts("on_ship"); got != test.right {
			t.Errorf("seed %d: on_ship accepted: %t, want %t", test.seed, got, test.right)
		}
		if !expected[box].Status.Accepts("new") {
			t.Errorf("seed %d: new is not accepted", test.seed)
		}
		if got := acceptsShips(expected[box]); got != test.right {
			t.Errorf("seed %d: moves of ships accepted: %t, want %t", test.seed, got, test.right)
		}
	}
}

// Whatever is validly reported of a container ends the permission; what was
// taken back does not.
func TestNotSupposedAboardWithAReportedMove(t *testing.T) {
	departed := time.Date(2025, 1, 20, 6, 48, 0, 0, time.UTC)
	for _, test := range []struct {
		name  string
		move  string
		load  string
		void  bool
		right bool
	}{
		{"no move", "", "", false, true},
		{"gate-in of the return", "gate_in", "empty", false, false},
		{"gate-in for the ship", "gate_in", "laden", false, false},
		{"gate-out", "gate_out", "empty", false, false},
		{"load", "load", "laden", false, false},
		{"gate-in taken back", "gate_in", "empty", true, true},
	} {
		w := New(713511208326)
		w.Statements()
		if test.move != "" {
			report(w, test.move, test.load, test.void)
		}
		expected := w.Expect()
		box, shipment := expected.Containers[0], expected.Shipments[0]
		for field, got := range map[string]bool{
			"current_status":         box.Status.Accepts("on_ship"),
			"pol_vessel_departed_at": box.POLVesselDepartedAt.Accepts(departed),
			"pol_atd_at":             shipment.POLATD.Accepts(departed),
			"milestones":             acceptsShips(box),
		} {
			if got != test.right {
				t.Errorf("%s: %s aboard is accepted: %t, want %t", test.name, field, got, test.right)
			}
		}
		if !box.POLVesselDepartedAt.Accepts(time.Time{}) || !shipment.POLATD.Accepts(time.Time{}) {
			t.Errorf("%s: null is not accepted", test.name)
		}
	}
}

// report hands in a move of the first container, at the depot, on the day that
// it was returned.
func report(w *World, what, load string, void bool) {
	last := w.Boxes[0].Journeys[0].Moves[1]
	w.statements = append(w.statements, Statement{
		Source: "dcsa", ID: "X-1", RecordedAt: last.At.Add(time.Hour), received: last.At.Add(time.Hour),
		What: what, Class: "actual", Load: load, Mode: "truck", At: Moment{Time: last.At}, void: void,
		Containers: []string{w.Boxes[0].Number}, truth: truth{shipments: []int{0}, box: 0, real: !void}, about: last.subject(w.Boxes[0]),
	})
	w.sortByArrival()
	w.indexSubjects()
}

func acceptsShips(box ContainerExpectation) bool {
	return slices.ContainsFunc(box.Milestones, func(m Milestone) bool { return m.ShipIMO != "" })
}

// In all worlds, a container that was not shipped is accepted aboard only where
// no move of it was reported, and then not as a duty.
func TestSupposedAboardInAllWorlds(t *testing.T) {
	permitted, refused := 0, 0
	for seed := range uint64(5_000) {
		w := New(seed)
		for i, box := range w.Expect().Containers {
			if w.Boxes[i].unusedReturn.IsZero() {
				continue
			}
			if !acceptsShips(box) {
				refused++
				continue
			}
			permitted++
			for _, s := range w.statements {
				if s.Class == "actual" && !s.void && slices.Contains(s.Containers, box.Number) {
					t.Fatalf("seed %d: %s is accepted aboard against %s", seed, box.Number, tellStatement(s))
				}
			}
			for _, m := range box.Milestones {
				if m.Required {
					t.Fatalf("seed %d: %v of %s is required", seed, m.Names, box.Number)
				}
			}
		}
	}
	t.Logf("%d permitted, %d not", permitted, refused)
	if permitted == 0 || refused < 20*permitted {
		t.Errorf("%d permitted, %d not", permitted, refused)
	}
}

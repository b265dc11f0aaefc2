package tracking

import (
	"slices"
	"testing"

	"github.com/landfallhq/tracking/internal/journey"
)

// TestEventTable: 41 events of freight, each once and complete, and nothing included that
// the reference object does not have. Document events are described only partly.
func TestEventTable(t *testing.T) {
	names := EventNames()
	if sorted := slices.Compact(slices.Sorted(slices.Values(names))); len(names) != 41 || len(sorted) != 41 {
		t.Errorf("%d events, %d different ones", len(names), len(sorted))
	}
	for i := range eventTable {
		e := eventTable[i].describe()
		if eventOf(e.Name) != &eventTable[i] || e.Condition == "" || exampleTime(eventTable[i].at).IsZero() {
			t.Errorf("%+v", eventTable[i])
		}
		if eventTable[i].class != &documentEvent && (len(e.Sources) == 0 || len(e.Unless) == 0 || e.Correction == "" || e.Withdrawal == "") {
			t.Errorf("%s: %+v", e.Name, e)
		}
		if _, err := includePaths(e.Reference, e.Include); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}

// TestOnlyMilestonesAreDerived: the milestones of a journey and the changes of values are
// two sorts of transport events.
func TestOnlyMilestonesAreDerived(t *testing.T) {
	for _, row := range eventTable {
		e := TransportEvent{Event: row.name}
		if _, derived := journey.MilestoneOrder[row.name]; row.reference == &transportReference && derived != e.milestone() {
			t.Errorf("%s: derived %t, a milestone %t", row.name, derived, e.milestone())
		}
	}
}

package tracking

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking/internal/journey"
)

// TestEventTableIsDocumented: the package documentation shows the table, letter
// for letter. What it should say is printed.
func TestEventTableIsDocumented(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	if want := eventTableText(); !strings.Contains(string(text), want) {
		t.Errorf("doc.go must say under Events:\n%s", want)
	}
}

// eventTableText is the table as a comment.
func eventTableText() string {
	var b strings.Builder
	for _, row := range eventTable {
		fmt.Fprintf(&b, "//\t%-58s %s  %-6s %s\n//\t    %s\n", row.name, row.about.letter, row.from, row.unless, row.when)
	}
	return b.String()
}

// TestEventTableIsWhole: 41 events, each once; no letter without its meaning,
// and nothing to include that the reference object does not have.
func TestEventTableIsWhole(t *testing.T) {
	names := EventNames()
	if sorted := slices.Compact(slices.Sorted(slices.Values(names))); len(names) != 41 || len(sorted) != 41 {
		t.Errorf("%d events, %d different ones", len(names), len(sorted))
	}
	for _, e := range DescribeEvents() {
		if slices.Contains(e.Sources, "") || slices.Contains(e.Unless, "") || len(e.Sources) == 0 || e.Condition == "" || e.Correction == "" || e.Withdrawal == "" {
			t.Errorf("%s: %+v", e.Name, e)
		}
		if _, err := includePaths(e.Reference, e.Include); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}

// TestOnlyMilestonesAreDerived: what a journey consists of and what merely
// changes are two sorts of transport events.
func TestOnlyMilestonesAreDerived(t *testing.T) {
	for _, row := range eventTable {
		if row.about.object != aboutTransport.object {
			continue
		}
		e := TransportEvent{Event: row.name}
		if _, derived := journey.MilestoneOrder[row.name]; derived && !e.milestone() {
			t.Errorf("%s is derived, and is no milestone", row.name)
		}
		if e.milestone() != (row.unless == ofMilestone || row.unless == ofTurn) {
			t.Errorf("%s: a milestone in one place and none in the other", row.name)
		}
	}
}

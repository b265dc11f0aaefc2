package exceptions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/journey"
	"github.com/landfallhq/tracking/source/sandbox"
)

// TestSandbox: the voyages of the sandbox on which something goes wrong show it, from the start of
// a demonstration, and one on which nothing does shows nothing.
func TestSandbox(t *testing.T) {
	began := time.Date(2026, 3, 10, 9, 41, 27, 0, time.UTC)
	for number, want := range map[string][]Kind{
		"TEST-VOYAGE-UNCLAIMED-95":     {FreeTimeEnded, LongDwell, NotPickedUp},
		"TEST-VOYAGE-SHORT-SHIPPED-95": {ETASlipped, ShortShipped},
		"TEST-VOYAGE-ROLLED-95":        {ETASlipped, Rollover},
		"TEST-VOYAGE-OVERDUE-95":       {MilestoneOverdue, SourceSilent},
		"TEST-VOYAGE-AT-SEA-95":        nil,
	} {
		got := openInSandbox(t, number, began, began)
		slices.Sort(got)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: open are %v, want %v", number, got, want)
		}
	}
}

// TestSandboxUnderWay: of the voyages that go on while a demonstration runs, nothing is late or
// overdue, but for the changes that two of them are about.
func TestSandboxUnderWay(t *testing.T) {
	began := time.Date(2026, 3, 10, 9, 41, 27, 0, time.UTC)
	for _, number := range sandbox.New(sandbox.Config{}).Fleet(20) {
		for now := began; now.Sub(began) < 5*time.Minute; now = now.Add(7 * time.Second) {
			for _, kind := range openInSandbox(t, number, began, now) {
				switch {
				case kind == ETASlipped && strings.Contains(number, "ETA-CHANGE"):
				case kind == Hold && strings.Contains(number, "HOLDS"):
				default:
					t.Errorf("%s: %s is open after %v", number, kind, now.Sub(began))
				}
			}
		}
	}
}

// openInSandbox returns the kinds of exceptions that are open on a voyage of the sandbox that is
// tracked since a time.
func openInSandbox(t *testing.T, number string, since, now time.Time) (open []Kind) {
	answer, err := sandbox.New(sandbox.Config{}).Track(context.Background(), freight.SourceQuery{Number: number, Since: since, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	var facts []*journey.LoggedFact
	for i, f := range answer.Report.Facts {
		facts = append(facts, &journey.LoggedFact{Fact: f, Source: "sandbox", DataSource: freight.FromShippingLine, Arrival: int64(i + 1)})
	}
	for _, e := range find(facts, now).Exceptions {
		if e.ClosedAt.IsZero() {
			open = append(open, e.Kind)
			t.Log(number, e.Kind, e.Text)
		}
	}
	return open
}

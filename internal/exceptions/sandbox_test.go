package exceptions

import (
	"context"
	"fmt"
	"slices"
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
		answer, err := sandbox.New(sandbox.Config{}).Track(context.Background(), freight.SourceQuery{Number: number, Since: began, Now: began})
		if err != nil {
			t.Fatal(err)
		}
		var facts []*journey.LoggedFact
		for i, f := range answer.Report.Facts {
			facts = append(facts, &journey.LoggedFact{Fact: f, Source: "sandbox", DataSource: freight.FromShippingLine, Arrival: int64(i + 1)})
		}
		var got []Kind
		for _, e := range find(facts, began).Exceptions {
			if e.ClosedAt.IsZero() {
				got = append(got, e.Kind)
			}
			t.Log(number, e.Kind, e.ClosedAt, e.Text)
		}
		slices.Sort(got)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: open are %v, want %v", number, got, want)
		}
	}
}

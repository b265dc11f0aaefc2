package unittest

import (
	"slices"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

func TestLate(t *testing.T) {
	// An engine on the memory store. The test moves its clock and sets the answers
	// of its shipping line.
	bench := trackingtest.New(t)

	// The line estimates the arrival in ten days. A week later it adds three days
	// to the estimate.
	eta := bench.Clock.Now().AddDate(0, 0, 10)
	bench.Source.Script("LFBL4711",
		trackingtest.Reply{Facts: arrival(eta, bench.Clock.Now()), Next: 7 * 24 * time.Hour},
		trackingtest.Reply{Facts: arrival(eta.AddDate(0, 0, 3), bench.Clock.Now().AddDate(0, 0, 7))},
	)
	_, err := bench.CreateTrackingRequest(t.Context(), tracking.NewTrackingRequest{
		Number: "LFBL4711", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC,
	})
	if err != nil {
		t.Fatal(err)
	}

	bench.Settle() // the first query of the line
	expectLate(t, bench)

	bench.Pass(7 * 24 * time.Hour) // the second query, a week later
	expectLate(t, bench, "LFBL4711")
}

// arrival is a report of the line about a ship's arrival in Long Beach.
func arrival(at, recorded time.Time) []tracking.Fact {
	return []tracking.Fact{
		{
			ID: "departure", Activity: freight.Departure, Mode: freight.ByVessel, RecordedAt: trackingtest.Start,
			At:    tracking.Moment{Time: trackingtest.Start.AddDate(0, 0, -8)},
			Place: tracking.Place{LOCODE: "CNSHA"}, Containers: []string{"CSQU3054383"},
		},
		{
			ID: "arrival", Activity: freight.Arrival, Classifier: freight.Estimated, Mode: freight.ByVessel, RecordedAt: recorded,
			At:    tracking.Moment{Time: at},
			Place: tracking.Place{LOCODE: "USLGB"}, Containers: []string{"CSQU3054383"},
		},
	}
}

func expectLate(t *testing.T, bench *trackingtest.Bench, want ...string) {
	t.Helper()
	got, err := Late(t.Context(), bench.Tracker, 48*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("late at %s: %q, want %q", bench.Clock.Now().Format(time.DateOnly), got, want)
	}
}

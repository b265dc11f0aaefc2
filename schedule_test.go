package tracking

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestRefreshEvery: how often, by where the shipment is.
func TestRefreshEvery(t *testing.T) {
	type container = Container
	every := 6 * time.Hour
	const far, near, terminal, out = 12 * time.Hour, 2 * time.Hour, time.Hour, 24 * time.Hour
	etd := func(day float64) Shipment { return Shipment{POLETDAt: days(day)} }
	eta := func(day float64) Shipment { return Shipment{PODETAAt: days(day)} }
	inland := func(day float64) Shipment { return Shipment{Destination: ID{1}, DestinationETAAt: days(day)} }
	sailed := container{POLVesselDepartedAt: days(-9)}
	tests := []struct {
		name  string
		ship  Shipment
		boxes []container
		want  time.Duration
	}{
		{"nothing is known", Shipment{}, nil, every},
		{"departs in a week", etd(7), []container{{}}, far},
		{"departs in three days", etd(3), []container{{}}, every},
		{"was to depart yesterday", etd(-1), []container{{}}, every},
		{"at sea, no estimate", Shipment{}, []container{sailed}, every},
		{"arrives in four days", eta(4), []container{sailed}, far},
		{"arrives in three days", eta(3), []container{sailed}, near},
		{"is a day late", eta(-1), []container{sailed}, near},
		{"is eight days late", eta(-8), []container{sailed}, every},
		{"loaded, not departed", eta(2), []container{{POLVesselLoadedAt: days(-1)}}, near},
		{"arrived", eta(-1), []container{{PODArrivedAt: days(-1)}}, terminal},
		{"discharged", eta(-1), []container{{PODDischargedAt: days(-1)}}, terminal},
		{"at the terminal for two weeks", eta(-14), []container{{PODDischargedAt: days(-14)}}, terminal},
		{"at the terminal for longer", eta(-15), []container{{PODDischargedAt: days(-15)}}, every},
		{"arrived at the POD, to go inland next week", inland(7), []container{{PODArrivedAt: days(-1)}}, far},
		{"on its way inland, soon there", inland(1), []container{{PODArrivedAt: days(-1), PODRailDepartedAt: days(-1)}}, near},
		{"inland, by the box's own estimate", inland(0), []container{{PODArrivedAt: days(-1), INDETAAt: days(9)}}, far},
		{"arrived inland", inland(-1), []container{{PODArrivedAt: days(-4), INDATAAt: days(-1)}}, terminal},
		{"picked up", eta(-5), []container{{PODArrivedAt: days(-5), PODFullOutAt: days(-1)}}, out},
		{"picked up inland", inland(-5), []container{{INDATAAt: days(-5), FinalDestinationFullOutAt: days(-1)}}, out},
		{"returned", eta(-5), []container{{EmptyTerminatedAt: days(-1)}}, out},
		{"one box waits, one is out", eta(-5), []container{{PODFullOutAt: days(-1)}, {PODArrivedAt: days(-5)}}, terminal},
		{"the one that waits has left", eta(-5), []container{{PODFullOutAt: days(-1)}, {PODArrivedAt: days(-5), RemovedAt: days(-1)}}, out},
		{"no box is known, at sea", Shipment{POLATDAt: days(-3), PODETAAt: days(9)}, nil, far},
		{"no box is known, arrived", Shipment{PODATAAt: days(-1)}, nil, terminal},
	}
	for _, tt := range tests {
		if got := refreshOf(&tt.ship, pointers(tt.boxes), every, RefreshIntervals{}.withDefaults(every)); got != tt.want {
			t.Errorf("%s: every %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Every shipment is asked about, at one of the intervals.
func TestRefreshEveryIsConfigured(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, containers := drawShipment(t)
		every := time.Duration(rapid.IntRange(1, 100_000).Draw(t, "seconds")) * time.Second
		r := RefreshIntervals{Far: every + 1, Near: every + 2, AtTerminal: every + 3, Out: every + 4}.withDefaults(every)
		if got := refreshOf(s, containers, every, r); got < every || got > every+4 {
			t.Fatalf("every %s", got)
		}
		if err := (RefreshIntervals{}).withDefaults(every).validate(); err != nil {
			t.Fatal(err)
		}
	})
}

func refreshOf(s *Shipment, containers []*Container, every time.Duration, r RefreshIntervals) time.Duration {
	c := Config{RefreshEvery: every, Refresh: r}
	return c.refreshInterval(s, containers, noon)
}

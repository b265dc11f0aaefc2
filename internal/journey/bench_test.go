package journey

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// longHistory returns n facts of one shipment with five containers: a journey by rail,
// estimates that change, and terminal statuses.
func longHistory(n int) []LoggedFact {
	random := rand.New(rand.NewPCG(5, 315))
	steps := append(overSea(), toDuisburg(),
		tell(freight.GateOut, "CNSHA", 1, load(freight.Empty)), tell(freight.GateIn, "CNSHA", 5, load(freight.Laden)),
		tell(freight.Arrival, "NLRTM", 40, by(freight.ByVessel), class(freight.Estimated), about()), tell(freight.Arrival, "DEDUI", 46, by(freight.ByRail), class(freight.Estimated), about()),
		tell(freight.Loading, "NLRTM", 43, by(freight.ByRail)), tell(freight.Departure, "NLRTM", 44, by(freight.ByRail)), tell(freight.Discharge, "DEDUI", 47, by(freight.ByRail)),
		tell(freight.PickupAvailable, "DEDUI", 48), tell(freight.PickupUnavailable, "DEDUI", 49), tell(freight.CustomsHold, "NLRTM", 42), tell(freight.CustomsRelease, "NLRTM", 42),
		tell(freight.TerminalStatus, "NLRTM", 42, source("terminal"), from(freight.FromTerminal), says(freight.TerminalFacts{Holds: []freight.Hold{{Name: "TMF", Status: "hold"}}, LastFreeDay: dayOnly("2026-04-20")})),
	)
	facts := make([]LoggedFact, n)
	for i := range facts {
		f := steps[i%len(steps)]
		f.ID = fmt.Sprint("e", i)
		f.At.Time = f.At.Time.Add(time.Duration(random.IntN(24*60)) * time.Minute)
		f.RecordedAt = f.RecordedAt.Add(time.Duration(random.IntN(48*60)) * time.Minute)
		if len(f.Containers) > 0 {
			f.Containers = containerNumbers[i%5 : i%5+1]
		}
		facts[i] = f
	}
	return facts
}

// BenchmarkDerive: five containers and 200 facts are a usual shipment. 10,000 facts may
// cost 15 times as much as 1,000.
func BenchmarkDerive(b *testing.B) {
	for _, n := range []int{10, 100, 200, 1_000, 10_000} {
		facts := longHistory(n)
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				deriveTest(facts)
			}
		})
	}
}

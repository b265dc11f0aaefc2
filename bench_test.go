package tracking

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// longHistory is one shipment of five boxes of which so many facts are told: the
// steps of a journey by rail, estimates that move, and views of the terminal.
func longHistory(n int) []LoggedFact {
	random := rand.New(rand.NewPCG(5, 315))
	steps := append(overSea(), toDuisburg(),
		tell(GateOut, "CNSHA", 1, load(Empty)), tell(GateIn, "CNSHA", 5, load(Laden)),
		tell(Arrival, "NLRTM", 40, by(ByVessel), class(Estimated), about()), tell(Arrival, "DEDUI", 46, by(ByRail), class(Estimated), about()),
		tell(Loading, "NLRTM", 43, by(ByRail)), tell(Departure, "NLRTM", 44, by(ByRail)), tell(Discharge, "DEDUI", 47, by(ByRail)),
		tell(PickupAvailable, "DEDUI", 48), tell(PickupUnavailable, "DEDUI", 49), tell(CustomsHold, "NLRTM", 42), tell(CustomsRelease, "NLRTM", 42),
		tell(TerminalStatus, "NLRTM", 42, source("terminal"), from(FromTerminal), says(TerminalFacts{Holds: []Hold{{Name: "TMF", Status: "hold"}}, LastFreeDay: dayOnly("2026-04-20")})),
	)
	facts := make([]LoggedFact, n)
	for i := range facts {
		f := steps[i%len(steps)]
		f.ID = fmt.Sprint("e", i)
		f.At.Time = f.At.Time.Add(time.Duration(random.IntN(24*60)) * time.Minute)
		f.RecordedAt = f.RecordedAt.Add(time.Duration(random.IntN(48*60)) * time.Minute)
		if len(f.Containers) > 0 {
			f.Containers = boxNumbers[i%5 : i%5+1]
		}
		facts[i] = f
	}
	return facts
}

// BenchmarkDerive: five boxes and 200 facts are a usual shipment, and 10,000
// facts may cost 15 times as much as 1,000.
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

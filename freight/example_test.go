package freight_test

import (
	"fmt"
	"time"

	"github.com/landfallhq/tracking/freight"
)

// A source that knows of a departure reports it as a fact.
func Example() {
	fact := freight.Fact{
		Activity:   freight.Departure,
		Classifier: freight.Actual,
		Mode:       freight.ByVessel,
		Place:      freight.Place{LOCODE: "CNSHA"},
		At:         freight.Moment{Time: time.Date(2026, 3, 1, 14, 0, 0, 0, time.UTC)},
		Vessel:     freight.VesselRef{IMO: "9321483", Name: "EXAMPLE STAR"},
		Numbers:    []freight.ShipmentNumber{{Type: freight.BookingNumber, Number: "BK 1234567"}},
	}
	fmt.Println(fact.IsMove(), freight.FoldNumber(fact.Numbers[0].Number))
	// Output: true BK1234567
}

// A time without an offset is local to its place: it becomes an instant when the
// zone of the place is known.
func ExampleMoment_Localize() {
	m, err := freight.ParseMoment("2026-03-01T08:30")
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Floating, m.Localize("America/Los_Angeles").Time.Format(time.RFC3339))
	// Output: true 2026-03-01T16:30:00Z
}

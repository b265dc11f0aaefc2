package reliability_test

import (
	"fmt"
	"time"

	"github.com/landfallhq/tracking/reliability"
)

// A line's ETAs of ten days before were too early by 0 to 2 days, over 41 voyages.
func Example() {
	var history []reliability.Voyage
	for i := range 41 {
		eta := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC).AddDate(0, 0, 7*i)
		arrived := eta.Add(time.Duration(i) * 72 * time.Minute)
		history = append(history, reliability.Voyage{
			Line: "MAEU", POL: "CNSHA", POD: "USLAX",
			ETAs:     []reliability.Statement{{Learned: eta.AddDate(0, 0, -10), Time: eta}},
			Arrivals: []reliability.Statement{{Learned: arrived.Add(time.Hour), Time: arrived}},
		})
	}
	now := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
	card := reliability.NewCard(history, now)
	for _, row := range card.Rows {
		if row.POL != "" && row.Lead == reliability.Lead4To7 {
			fmt.Printf("%s %s-%s: late by %.1f ± %.1f days, %.0f %% on time\n", row.Line, row.POL, row.POD, row.ETA.Bias, *row.ETA.BiasMargin, 100*row.ETA.OnTimeShare)
		}
	}
	band := reliability.NewErrors(history, now).Band(reliability.Estimate{
		Line: "MAEU", POL: "CNSHA", POD: "USLAX", ETA: time.Date(2026, 12, 2, 6, 0, 0, 0, time.UTC),
	}, now)
	fmt.Println(band.P10.Format(time.DateTime), band.P50.Format(time.DateTime), band.P90.Format(time.DateTime))
	fmt.Println(band.Samples, "arrivals,", band.Class)
	// Output:
	// MAEU CNSHA-USLAX: late by 1.0 ± 0.2 days, 51 % on time
	// 2026-12-02 09:50:24 2026-12-03 06:00:00 2026-12-04 02:09:36
	// 41 arrivals, line_and_lane
}

package freetime_test

import (
	"cmp"
	"fmt"
	"time"

	"github.com/landfallhq/tracking/freetime"
)

// A container is discharged in Los Angeles on a Monday evening. The tariff has four free
// days from the next day on; it is asked on the Sunday after.
func Example() {
	angeles, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		fmt.Println(err)
		return
	}
	first, _ := freetime.ParseMoney("150.00", "USD")
	then, _ := freetime.ParseMoney("250.00", "USD")
	tariffs := []freetime.Tariff{{
		Name: "import 2026", Clock: freetime.Demurrage, Place: "USLAX",
		FreeDays: 4, FreeDaysKind: freetime.CalendarDays, Starts: freetime.StartDayAfter,
		Weekend:         []time.Weekday{time.Saturday, time.Sunday},
		UnavailableDays: freetime.UnavailableSkipFree,
		EndsOn:          freetime.EndsOnAnyDay, ChargedOn: freetime.ChargeEveryDay,
		Currency: "USD", Tiers: []freetime.Tier{{From: 1, To: 4, Amount: first}, {From: 5, Amount: then}},
	}}
	if err := freetime.CheckTariffs(tariffs); err != nil {
		fmt.Println(err)
		return
	}
	history := freetime.History{Place: "USLAX", Zone: angeles, Facts: []freetime.Fact{
		{Name: "discharge", Type: freetime.Discharged, Place: "USLAX", At: time.Date(2026, 3, 2, 22, 30, 0, 0, angeles)},
		{Name: "hold set", Type: freetime.Held, Hold: "customs", Place: "USLAX", At: time.Date(2026, 3, 3, 18, 0, 0, 0, angeles)},
		{Name: "hold lifted", Type: freetime.Released, Hold: "customs", Place: "USLAX", At: time.Date(2026, 3, 5, 9, 0, 0, 0, angeles)},
	}}
	ledger := freetime.NewLedger(freetime.Demurrage, history, tariffs, time.Date(2026, 3, 8, 8, 0, 0, 0, angeles))
	for _, day := range ledger.Days {
		fmt.Println(day.Date, day.Kind, cmp.Or(day.Fact, string(day.Rule)))
	}
	fmt.Println("last free day", ledger.LastFreeDay)
	fmt.Println("total", ledger.Total, ledger.Currency, "and tomorrow", ledger.Tomorrow)
	// Output:
	// 2026-03-02 before_start starts
	// 2026-03-03 free free_days
	// 2026-03-04 not_available hold set
	// 2026-03-05 free free_days
	// 2026-03-06 free free_days
	// 2026-03-07 free free_days
	// 2026-03-08 charged tiers
	// last free day 2026-03-07
	// total 150.00 USD and tomorrow 150.00
}

//go:build cgo && unix

package tracking_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freight"
)

// BenchmarkFactWithTariffs is BenchmarkFact of an ordinary shipment, whose containers cost money
// by none, two and 2,000 tariffs of the account:
//
//	go test -run '^$' -bench '^BenchmarkFactWithTariffs$' -benchtime 3000x -count 5 .
func BenchmarkFactWithTariffs(b *testing.B) {
	for _, n := range []int{0, 2, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			k := newFactsAccount(b, func(c *tracking.Config) { c.Clock = fixedClock(firstHour.AddDate(0, 0, 45)) })
			var list []freetime.Terms
			for i := range n {
				list = append(list, terms(func(t *freetime.Terms) {
					t.Clock, t.HolidayCalendar, t.FreeDaysKind = []freetime.Clock{freetime.Demurrage, freetime.PerDiem}[i%2], "NL", freetime.WorkingDays
					if i >= 2 {
						t.LocationLOCODE, t.EquipmentLength = fmt.Sprintf("XX%c%c%c", 'A'+i/2%26, 'A'+i/52%26, 'A'+i/1352), 40
					}
				}))
			}
			if _, err := k.Tariffs().Import(context.Background(), list, false); err != nil {
				b.Fatal(err)
			}
			for i := range knownShipments {
				number := fmt.Sprintf("ORDINARY%05d", i)
				k.ingest(b, true, ladenShipment(number, 3*i, 3)...)
				k.ingest(b, true, containerFact(number, 3*i, freight.Discharge, freight.Laden, rotterdam, 30*24), containerFact(number, 3*i+1, freight.Discharge, freight.Laden, rotterdam, 30*24))
			}
			k.measure(b, func(n int) tracking.Fact {
				i := n % knownShipments
				number := fmt.Sprintf("ORDINARY%05d", i)
				if n%2 == 0 {
					return shipmentFact(number, freight.Arrival, freight.Estimated, rotterdam, 30*24+n)
				}
				f := terminalReport(number, 3*i+1, n)
				f.At.Time = firstHour.AddDate(0, 0, 33).Add(time.Duration(n) * time.Second)
				return f
			})
		})
	}
}

// fixedClock is always at one time.
type fixedClock time.Time

func (c fixedClock) Now() time.Time { return time.Time(c) }

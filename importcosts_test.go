package tracking_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/trackingtest"

	"pgregory.net/rapid"
)

// costText is what lists show of the charges of a container.
func costText(t *testing.T, b *trackingtest.Bench, id tracking.ID) string {
	t.Helper()
	costs, err := b.Tariffs().Costs(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	c, has := costs[id]
	if !has {
		return "none"
	}
	accruing := "null"
	if c.Accruing != nil {
		accruing = fmt.Sprint(*c.Accruing)
	}
	return strings.Join([]string{c.Currency, c.Amount, c.Tomorrow, accruing, c.FreeTimeEndsOn.String()}, " ")
}

// TestCostsAreRenewed: costs are true at each time of the day, by a job at the midnights of the
// place, and the container stays as it is.
func TestCostsAreRenewed(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 3, 3, 20, 0, 0, 0, time.UTC))
	id := reportText(t, b, discharged) // the last free day is the 5th
	if got := costText(t, b, id); got != "none" {
		t.Errorf("without tariffs: %s", got)
	}
	tariff, err := b.Tariffs().Create(ctx, terms(nil))
	if err != nil {
		t.Fatal(err)
	}
	b.Settle()
	before, err := b.Container(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	announced := len(withoutExceptions(b.Announcements()))
	for _, row := range []struct{ at, want string }{
		{"2026-03-03T20:00:00Z", "USD 0.00 0.00 false 2026-03-05"},
		{"2026-03-05T07:59:59Z", "USD 0.00 0.00 false 2026-03-05"},
		{"2026-03-05T08:00:00Z", "USD 0.00 150.00 true 2026-03-05"}, // tomorrow costs
		{"2026-03-06T08:00:00Z", "USD 150.00 150.00 true 2026-03-05"},
		{"2026-03-09T06:59:59Z", "USD 450.00 150.00 true 2026-03-05"},
		{"2026-03-09T07:00:00Z", "USD 600.00 150.00 true 2026-03-05"}, // the clocks went forward on the 8th
	} {
		at, err := time.Parse(time.RFC3339, row.at)
		if err != nil {
			t.Fatal(err)
		}
		b.Pass(at.Sub(b.Clock.Now()))
		if got := costText(t, b, id); got != row.want {
			t.Errorf("at %s: %s, want %s", row.at, got, row.want)
		}
		charges, err := b.Tariffs().Charges(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if total := charges.Totals[0]; "USD "+total.Amount+" "+total.Tomorrow != strings.Join(strings.Fields(row.want)[:3], " ") {
			t.Errorf("at %s the charges are %+v", row.at, total)
		}
	}
	after, err := b.Container(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if after.Version != before.Version || !after.UpdatedAt.Equal(before.UpdatedAt) || len(withoutExceptions(b.Announcements())) != announced {
		t.Errorf("version %d at %s, and %d at %s; %d announcements", before.Version, before.UpdatedAt, after.Version, after.UpdatedAt, len(withoutExceptions(b.Announcements()))-announced)
	}
	change := func(f func(*freetime.Terms)) string {
		t.Helper()
		_, err := b.Tariffs().Update(ctx, tariff.ID, 0, func(t *freetime.Terms) error { f(t); return nil })
		if err != nil {
			t.Fatal(err)
		}
		b.Settle()
		return costText(t, b, id)
	}
	if got := change(func(t *freetime.Terms) { t.Tiers[0].Amount = "100" }); got != "USD 400.00 100.00 true 2026-03-05" {
		t.Errorf("by the changed tariff: %s", got)
	}
	b.Clock.Set(time.Date(2026, 3, 10, 17, 0, 0, 0, time.UTC))
	reportText(t, b, gatedOut)
	if got := costText(t, b, id); got != "USD 500.00 0.00 false " {
		t.Errorf("after the gate-out: %s", got)
	}
	if err := b.Tariffs().Delete(ctx, tariff.ID); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if got := costText(t, b, id); got != "none" {
		t.Errorf("without a tariff: %s", got)
	}
	if tariff, err = b.Tariffs().Create(ctx, terms(nil)); err != nil {
		t.Fatal(err)
	}
	if got := change(func(t *freetime.Terms) { t.Name = "again" }); got != "USD 750.00 0.00 false " {
		t.Errorf("with a new one: %s", got)
	}
	if got := change(func(t *freetime.Terms) { t.ShippingLineSCAC = "MSCU" }); got != "none" {
		t.Errorf("by a tariff of another line: %s", got)
	}
}

// TestCostsAreThoseOfTheCharges: whatever comes between two reports, midnights or other tariffs, the
// stored cost is that of the charges after each.
func TestCostsAreThoseOfTheCharges(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		b := trackingtest.New(t)
		b.Clock.Set(time.Date(2026, 3, 6, 20, 0, 0, 0, time.UTC))
		tariff, err := b.Tariffs().Create(ctx, terms(nil))
		if err != nil {
			t.Fatal(err)
		}
		id := reportText(t, b, discharged)
		for range rapid.IntRange(1, 9).Draw(r, "steps") {
			switch rapid.IntRange(0, 2).Draw(r, "step") {
			case 0:
				b.Pass(time.Duration(rapid.IntRange(0, 20).Draw(r, "hours")) * time.Hour)
			case 1: // the job that counts again has not run yet
				amount := rapid.SampledFrom([]string{"100", "150"}).Draw(r, "amount")
				if _, err := b.Tariffs().Update(ctx, tariff.ID, 0, func(t *freetime.Terms) error { t.Tiers[0].Amount = amount; return nil }); err != nil {
					t.Fatal(err)
				}
				continue
			case 2: // the last free day changes, there and back
				b.Clock.Advance(time.Minute)
				day := rapid.SampledFrom([]string{"2026-03-04", "2026-03-05"}).Draw(r, "day")
				at := b.Clock.Now().Format(time.RFC3339)
				reportText(t, b, strings.NewReplacer("2026-03-02T12:00:00-08:00", at, "2026-03-05", day).Replace(discharged))
			}
			charges, err := b.Tariffs().Charges(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := costText(t, b, id), "USD "+charges.Totals[0].Amount+" "+charges.Totals[0].Tomorrow+" "; !strings.HasPrefix(got, want) {
				r.Fatalf("the list shows %s, and the charges are %s", got, want)
			}
		}
	})
}

// TestCostsAreRenewedAfterALateJob: a report comes after a midnight and before its job, which then
// finds nothing to write, and still is due at the next midnight.
func TestCostsAreRenewedAfterALateJob(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 3, 6, 20, 0, 0, 0, time.UTC))
	if _, err := b.Tariffs().Create(ctx, terms(nil)); err != nil {
		t.Fatal(err)
	}
	id := reportText(t, b, discharged)
	b.Settle()
	b.Clock.Advance(13 * time.Hour)
	reportText(t, b, strings.Replace(discharged, `"available_for_pickup"`, `"yard_location":"A1","available_for_pickup"`, 1))
	for _, want := range []string{"USD 300.00 150.00 true 2026-03-05", "USD 450.00 150.00 true 2026-03-05", "USD 600.00 150.00 true 2026-03-05"} {
		b.Pass(0)
		if got := costText(t, b, id); got != want {
			t.Errorf("at %s: %s, want %s", b.Clock.Now(), got, want)
		}
		b.Pass(24 * time.Hour)
	}
}

// dischargedAs is discharged for another container and bill of lading.
func dischargedAs(t *testing.T, b *trackingtest.Bench, number, bill string) tracking.ID {
	return reportText(t, b, strings.NewReplacer("MRKU9465770", number, `"MAEU1"`, `"`+bill+`"`).Replace(discharged))
}

// TestListsByCost lists containers by their costs.
func TestListsByCost(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 3, 3, 20, 0, 0, 0, time.UTC))
	names := map[tracking.ID]string{}
	for name, change := range map[string][2]string{
		"late":  {"MRKU9465770", "MAEU1"},
		"later": {"TCLU6718159", "MAEU2"},
	} {
		names[dischargedAs(t, b, change[0], change[1])] = name
	}
	names[reportText(t, b, strings.NewReplacer("MRKU9465770", "MSKU1234565", `"MAEU1"`, `"MAEU3"`, "2026-03-05", "2026-03-20").Replace(discharged))] = "free"
	names[reportText(t, b, strings.NewReplacer("MRKU9465770", "MSKU7654320", `"MAEU1"`, `"MSC1"`, "MAEU", "MSCU").Replace(discharged))] = "other"
	for _, of := range []func(*freetime.Terms){
		func(t *freetime.Terms) { t.ShippingLineSCAC = "MAEU" },
		func(t *freetime.Terms) {
			t.ShippingLineSCAC, t.Clock, t.FreeDays, t.Currency = "MAEU", freetime.PerDiem, 0, "EUR"
		},
	} {
		if _, err := b.Tariffs().Create(ctx, terms(of)); err != nil {
			t.Fatal(err)
		}
	}
	b.Pass(5 * 24 * time.Hour)
	reportText(t, b, strings.NewReplacer("MRKU9465770", "TCLU6718159", `"MAEU1"`, `"MAEU2"`, "2026-03-10T09:00:00-07:00", "2026-03-07T09:00:00-08:00").Replace(gatedOut))
	dates := func(from, to int) tracking.TimeRange {
		r := tracking.TimeRange{}
		if from > 0 {
			r.From = time.Date(2026, 3, from, 0, 0, 0, 0, time.UTC)
		}
		if to > 0 {
			r.To = time.Date(2026, 3, to, 23, 59, 59, 0, time.UTC)
		}
		return r
	}
	sorted := func(name string, desc bool) tracking.TrackedQuery {
		return tracking.TrackedQuery{Sort: []tracking.Order{{Name: name, Desc: desc}}}
	}
	for _, tt := range []struct {
		name string
		q    tracking.ContainerQuery
		want string
	}{
		{"the least cost first, by currency", tracking.ContainerQuery{TrackedQuery: sorted("cost", false)}, "later free late other"},
		{"the greatest first, without a cost last", tracking.ContainerQuery{TrackedQuery: sorted("cost", true)}, "late free later other"},
		{"accruing", tracking.ContainerQuery{Accruing: tracking.Yes, TrackedQuery: sorted("cost", false)}, "later late"},
		{"not accruing", tracking.ContainerQuery{Accruing: tracking.No}, "free"},
		{"free time until the 5th", tracking.ContainerQuery{FreeTimeEnds: dates(0, 5), TrackedQuery: sorted("created_at", false)}, "late other"},
		{"from the 6th", tracking.ContainerQuery{FreeTimeEnds: dates(6, 0)}, "free"},
		{"from the 5th to the 20th", tracking.ContainerQuery{FreeTimeEnds: dates(5, 20), Accruing: tracking.No}, "free"},
	} {
		list, total, err := b.Containers(ctx, tt.q, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range list {
			got = append(got, names[c.ID])
		}
		if text := strings.Join(got, " "); text != tt.want || total != len(got) {
			t.Errorf("%s: %s, want %s; %d", tt.name, text, tt.want, total)
		}
	}
}

// TestCostsTomorrow: what costs money on the next day at the place of each container, also before
// anything is owed; a container whose cost is not known is not left out of those whose free time
// has ended.
func TestCostsTomorrow(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 6, 10, 16, 0, 0, 0, time.UTC))
	for _, of := range []func(*freetime.Terms){
		func(t *freetime.Terms) {
			t.ShippingLineSCAC, t.LocationLOCODE = "MAEU", "USLGB"
			fourth := 4
			t.Tiers = []freetime.TierTerms{{From: 1, To: &fourth, Amount: "185.00"}, {From: 5, Amount: "310.00"}}
		},
		func(t *freetime.Terms) {
			t.LocationLOCODE, t.FreeDays, t.Currency, t.Tiers = "NLRTM", 3, "EUR", []freetime.TierTerms{{From: 1, Amount: "60.00"}}
		},
	} {
		if _, err := b.Tariffs().Create(ctx, terms(of)); err != nil {
			t.Fatal(err)
		}
	}
	names := map[tracking.ID]string{}
	report := func(name, scac, number, place, at, more string) {
		t.Helper()
		of := fmt.Sprintf(`"containers":[%q],"numbers":[{"type":"bill_of_lading","number":%q}]`, number, scac+name)
		names[reportText(t, b, fmt.Sprintf(`{"source":"line","scac":%[1]q,"facts":[
			{"event":"load","at":"2026-05-10T10:00:00Z","place":{"locode":"CNSHA"},"mode":"vessel","vessel":{"imo":"9321483"},%[2]s},
			{"event":"route","place":{"locode":%[3]q,"role":"pod"},%[2]s},
			{"event":"discharge","at":%[4]q,"place":{"locode":%[3]q},"mode":"vessel","vessel":{"imo":"9321483"},%[2]s}%[5]s]}`, scac, of, place, at, strings.ReplaceAll(more, "OF", of)))] = name
	}
	report("A", "MAEU", "MRKU9465770", "USLGB", "2026-06-05T10:00:00-07:00", "")
	report("B", "MAEU", "MSKU7654320", "USLGB", "2026-06-06T10:00:00-07:00", "")
	report("C", "MAEU", "TCLU6718159", "USLGB", "2026-06-07T10:00:00-07:00", "")
	report("D", "MAEU", "TEMU6079148", "USLGB", "2026-06-02T10:00:00-07:00", `,{"event":"gate_out","at":"2026-06-09T15:00:00-07:00","place":{"locode":"USLGB"},"load":"laden",OF}`)
	report("E", "HLCU", "MSCU6639871", "NLRTM", "2026-06-05T10:00:00+02:00", "")
	report("F", "HLCU", "CSQU3054383", "USLAX", "2026-06-04T10:00:00-07:00", `,{"event":"terminal_status","at":"2026-06-08T10:00:00-07:00","data_source":"shipping_line","place":{"locode":"USLAX"},"terminal":{"last_free_day":"2026-06-09"},OF}`)
	b.Settle()
	found := func(q tracking.ContainerQuery) string {
		t.Helper()
		list, total, err := b.Containers(ctx, q, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, c := range list {
			got.WriteString(names[c.ID])
		}
		return fmt.Sprint(got.String(), total)
	}
	byTomorrow := tracking.TrackedQuery{Sort: []tracking.Order{{Name: "cost_tomorrow", Desc: true}}}
	costing := tracking.ContainerQuery{CostsTomorrow: tracking.Yes, Removed: tracking.No, TrackedQuery: byTomorrow}
	ended := tracking.ContainerQuery{FreeTimeEnds: tracking.TimeRange{To: time.Date(2026, 6, 9, 0, 0, 0, 0, time.UTC)}}
	unknown := ended
	unknown.CostKnown = tracking.No
	for _, tt := range []struct {
		name string
		q    tracking.ContainerQuery
		want string
	}{
		{"costs tomorrow", costing, "BAE3"}, {"costs nothing tomorrow, or it is not known", tracking.ContainerQuery{CostsTomorrow: tracking.No}, "FDC3"},
		{"free time has ended", ended, "FEA3"}, {"with an unknown cost", unknown, "F1"},
	} {
		if got := found(tt.q); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	totals, err := b.Tariffs().SumCosts(ctx, costing)
	if got := fmt.Sprint(totals); err != nil || got != "[{EUR 120.00 60.00} {USD 185.00 370.00}]" {
		t.Errorf("sums: %s, %v", got, err)
	}
	b.Pass(8 * time.Hour) // midnight at Rotterdam and UTC, and not yet at Long Beach
	if got := found(costing); got != "BAE3" {
		t.Errorf("at midnight UTC: %s", got)
	}
	b.Pass(7 * time.Hour)
	if got := found(costing); got != "CBAE4" {
		t.Errorf("at midnight in Long Beach: %s", got)
	}
	none := b.For(tracking.Actor{Account: b.Account.Scope(), Permissions: []tracking.Permission{}})
	if _, err := none.Tariffs().SumCosts(ctx, costing); !isKind(err, tracking.Forbidden) {
		t.Errorf("without a permission: %v", err)
	}
}

// TestCostsOfTwoPlaces: a container in Chicago begins its days two hours before one of the same
// shipment in Oakland, and each is renewed at its own midnight.
func TestCostsOfTwoPlaces(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 3, 3, 20, 0, 0, 0, time.UTC))
	for _, clock := range []freetime.Clock{freetime.Demurrage, freetime.RailStorage} {
		if _, err := b.Tariffs().Create(ctx, terms(func(t *freetime.Terms) { t.Clock, t.FreeDays = clock, 0 })); err != nil {
			t.Fatal(err)
		}
	}
	port := reportText(t, b, discharged)
	ramp := reportText(t, b, `{"source":"line","scac":"MAEU","facts":[
		{"event":"discharge","at":"2026-03-01T10:00:00-08:00","place":{"locode":"USOAK"},"mode":"vessel","vessel":{"imo":"9321483","name":"STAR"},"containers":["TCLU6718159"],"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]},
		{"event":"load","at":"2026-03-01T20:00:00-08:00","place":{"locode":"USOAK"},"mode":"rail","load":"laden","containers":["TCLU6718159"],"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]},
		{"event":"discharge","at":"2026-03-03T10:00:00-06:00","place":{"locode":"USCHI"},"mode":"rail","load":"laden","containers":["TCLU6718159"],"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]}]}`)
	b.Settle()
	for _, at := range []string{"2026-03-04T06:00:00Z", "2026-03-06T06:00:00Z", "2026-03-06T08:00:00Z", "2026-03-07T06:00:00Z", "2026-03-07T08:00:00Z"} {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		b.Pass(now.Sub(b.Clock.Now()))
		for _, id := range []tracking.ID{port, ramp} {
			charges, err := b.Tariffs().Charges(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := costText(t, b, id), "USD "+charges.Totals[0].Amount+" "+charges.Totals[0].Tomorrow+" "; !strings.HasPrefix(got, want) {
				t.Errorf("at %s, %s: the list shows %s, and the charges are %s", at, id, got, want)
			}
		}
	}
}

package dashboard

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/trackingtest"
)

// chargedBench has containers that cost money tomorrow, in two currencies, and one whose cost is
// not known; by name.
func chargedBench(t *testing.T) (*bench, map[string]tracking.ID) {
	t.Helper()
	tb := trackingtest.New(t)
	tb.Clock.Set(time.Date(2026, 6, 10, 16, 0, 0, 0, time.UTC))
	b := newBenchOf(t, tb)
	tr := b.Operator.For(tracking.Actor{Account: b.Account.Scope()})
	for place, price := range map[string][2]string{"USLGB": {"USD", "185.00"}, "NLRTM": {"EUR", "60.00"}} {
		terms := freetime.DefaultTerms()
		terms.Clock, terms.FreeDays, terms.LocationLOCODE, terms.Currency, terms.Tiers = freetime.Demurrage, 4, place, price[0], []freetime.TierTerms{{From: 1, Amount: price[1]}}
		if _, err := tr.Tariffs().Create(t.Context(), terms); err != nil {
			t.Fatal(err)
		}
	}
	ids := map[string]tracking.ID{}
	for _, c := range []struct{ number, place, at, more string }{
		{"MRKU9465770", "USLGB", "2026-06-05T10:00:00-07:00", ""}, {"MSKU7654320", "USLGB", "2026-06-06T10:00:00-07:00", ""}, {"TCLU6718159", "USLGB", "2026-06-07T10:00:00-07:00", ""},
		{"MSCU6639871", "NLRTM", "2026-06-05T10:00:00+02:00", ""},
		{"CSQU3054383", "USLAX", "2026-06-04T10:00:00-07:00", `,{"event":"terminal_status","at":"2026-06-08T10:00:00-07:00","data_source":"shipping_line","place":{"locode":"USLAX"},"terminal":{"last_free_day":"2026-06-09"},OF}`},
	} {
		of := fmt.Sprintf(`"containers":[%q],"numbers":[{"type":"bill_of_lading","number":"MAEU%s"}]`, c.number, c.number[4:])
		report, err := tracking.ParseReport([]byte(fmt.Sprintf(`{"source":"line","scac":"MAEU","facts":[
			{"event":"load","at":"2026-05-10T10:00:00Z","place":{"locode":"CNSHA"},"mode":"vessel","vessel":{"imo":"9321483"},%[1]s},
			{"event":"route","place":{"locode":%[2]q,"role":"pod"},%[1]s},
			{"event":"discharge","at":%[3]q,"place":{"locode":%[2]q},"mode":"vessel","vessel":{"imo":"9321483"},%[1]s}%[4]s]}`, of, c.place, c.at, strings.ReplaceAll(c.more, "OF", of))))
		if err != nil {
			t.Fatal(err)
		}
		receipt, err := tr.Ingest(t.Context(), report)
		if err != nil {
			t.Fatal(err)
		}
		ids[c.number] = receipt.ContainerIDs[0]
	}
	b.Settle()
	return b, ids
}

// TestCostsTomorrow: Today leads to what costs money tomorrow, with the sum of each currency, and
// to what has an unknown cost.
func TestCostsTomorrow(t *testing.T) {
	b, ids := chargedBench(t)
	b.signIn()
	today := b.get("/").body
	at := strings.Index(today, "/containers?columns=number%2Cplace")
	if at < 0 || !strings.Contains(today, `<span class="count">3</span><span class="label">Cost money tomorrow`) {
		t.Fatalf("Today has no such tile: %s", today)
	}
	address, _, _ := strings.Cut(today[at:], `"`)
	list := b.get(strings.ReplaceAll(address, "&amp;", "&"))
	for _, want := range []string{"MRKU9465770", "MSKU7654320", "MSCU6639871", "370.00 USD", "60.00 EUR", "owed so far 185.00 USD", "10 Jun 2026", `free_time_ends.to=2026-06-09`, "1 container"} {
		if !strings.Contains(list.body, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
	for _, other := range []string{"TCLU6718159", "CSQU3054383", "430.00"} {
		if strings.Contains(list.body, other) {
			t.Errorf("the list has %s", other)
		}
	}
	ended := b.get("/containers?cost_known=false&free_time_ends.to=2026-06-09")
	if !strings.Contains(ended.body, "CSQU3054383") || !strings.Contains(ended.body, "not known") || strings.Contains(ended.body, "MRKU9465770") {
		t.Errorf("free time that has ended at an unknown cost: %s", ended.body)
	}
	page := b.get("/containers/" + ids["MRKU9465770"].String()).body
	for _, want := range []string{"5 Jun 2026", "10 Jun 2026", "Before start", "Discharge", "/charges.csv", "/charges.xlsx"} {
		if !strings.Contains(page, want) {
			t.Errorf("the container lacks %q", want)
		}
	}
}

// TestChargesSheet: the sheet of a container has each day with the fact behind it, at present and
// as of another time.
func TestChargesSheet(t *testing.T) {
	b, ids := chargedBench(t)
	b.signIn()
	path := "/containers/" + ids["MRKU9465770"].String() + "/charges"
	for query, want := range map[string]int{"": 7, "?as_of=2026-06-10T16:00": 7} {
		a := b.get(path + ".csv" + query)
		rows, err := csv.NewReader(strings.NewReader(a.body)).ReadAll()
		if err != nil || len(rows) != want {
			t.Fatalf("%q: %d rows, %v", query, len(rows), err)
		}
		first, last := strings.Join(rows[1], "|"), strings.Join(rows[6], "|")
		if !strings.HasPrefix(first, "Demurrage|USLGB||2026-06-05|Before start|||USD|") || !strings.Contains(last, "2026-06-10|Charged|1|185.00|USD|") || !strings.Contains(last, "|line|") {
			t.Errorf("%q: %s, and %s", query, first, last)
		}
	}
	a := b.get(path + ".xlsx")
	if a.status != 200 || a.header.Get("Content-Type") != typeXLSX || !strings.Contains(a.header.Get("Content-Disposition"), `"charges-MRKU9465770-2026-06-10.xlsx"`) {
		t.Errorf("%d %v", a.status, a.header)
	}
	if a := b.get(path + ".csv?as_of=never"); a.status != 400 {
		t.Errorf("a bad time: %d", a.status)
	}
}

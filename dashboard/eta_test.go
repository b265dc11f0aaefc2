package dashboard

import (
	"fmt"
	"html"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/trackingtest"
)

// slipped is a shipment whose estimate slipped twice, the second time with a missed connection.
func slipped(t *testing.T) (*bench, tracking.ID) {
	t.Helper()
	tb := trackingtest.New(t)
	b := newBenchOf(t, tb)
	tr := b.Operator.For(tracking.Actor{Account: b.Account.Scope()})
	at := func(text string) time.Time {
		t.Helper()
		parsed, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	var id tracking.ID
	report := func(received, recorded string, facts ...string) {
		t.Helper()
		b.Clock.Set(at(received))
		var list []string
		for _, f := range facts {
			list = append(list, fmt.Sprintf(`{"recorded_at":%q,"containers":["MRKU9465770"],"numbers":[{"type":"bill_of_lading","number":"MAEU1"}],%s}`, recorded, f))
		}
		r, err := tracking.ParseReport([]byte(`{"source":"carrier","scac":"MAEU","facts":[` + strings.Join(list, ",") + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		receipt, err := tr.Ingest(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		id = receipt.ShipmentIDs[0]
		b.Settle()
	}
	const alpha, beta = `"mode":"vessel","vessel":{"imo":"9321483","name":"Alpha"}`, `"mode":"vessel","vessel":{"imo":"9461867","name":"Beta"}`
	const first = `"mode":"vessel","vessel":{"imo":"9778791","name":"Gamma"}`
	arrival := func(ship, when string) string {
		return `"id":"arrival","event":"arrive","classifier":"estimated","at":"` + when + `","place":{"locode":"NLRTM","role":"pod"},` + ship
	}
	report("2026-06-01T08:10:00Z", "2026-06-01T08:00:00Z",
		`"event":"depart","at":"2026-05-20T10:00:00Z","place":{"locode":"CNSHA","role":"pol"},`+first,
		`"event":"load","at":"2026-05-20T08:00:00Z","place":{"locode":"CNSHA","role":"pol"},`+first,
		`"event":"depart","classifier":"planned","at":"2026-06-08T10:00:00+01:00","place":{"locode":"MAPTM","role":"transshipment"},`+alpha, arrival(alpha, "2026-06-12T08:00:00+02:00"))
	if _, err := tr.UpdateShipment(t.Context(), id, tracking.ShipmentUpdate{PromisedArrivalAt: tracking.Set(at("2026-06-15T00:00:00+02:00"))}); err != nil {
		t.Fatal(err)
	}
	report("2026-06-05T09:10:00Z", "2026-06-05T09:00:00Z", arrival(alpha, "2026-06-13T08:00:00+02:00"))
	report("2026-06-09T20:05:00Z", "2026-06-09T14:20:00Z",
		`"event":"depart","classifier":"planned","at":"2026-06-14T10:00:00+01:00","place":{"locode":"MAPTM","role":"transshipment"},`+beta, arrival(beta, "2026-06-18T06:00:00+02:00"))
	b.Clock.Set(at("2026-06-10T16:00:00Z"))
	return b, id
}

// TestETAHistory: every estimate with its source, when it was recorded and when it was received,
// against the promise, and the missed connection that was found with the last; and what was known
// before that.
func TestETAHistory(t *testing.T) {
	b, id := slipped(t)
	b.signIn()
	page := "/shipments/" + id.String()
	section := func(body string) string {
		_, rest, _ := strings.Cut(body, `aria-labelledby="eta"`)
		rest, _, _ = strings.Cut(rest, "</section>")
		return rest
	}
	body := html.UnescapeString(b.get(page).body)
	eta, from := section(body), 0
	for _, want := range []string{"12 Jun 2026, 08:00 UTC+2", "64 h earlier", "carrier", "1 Jun 2026, 08:00 UTC", "1 Jun 2026, 08:10 UTC", "13 Jun 2026, 08:00 UTC+2", "24 h later", "5 Jun 2026, 09:00 UTC", "5 Jun 2026, 09:10 UTC",
		"18 Jun 2026, 06:00 UTC+2", "118 h later", "78 h later", "9 Jun 2026, 14:20 UTC", "9 Jun 2026, 20:05 UTC", "Missed connection", "Alpha", "Beta"} {
		_, rows, _ := strings.Cut(eta, "<tbody>")
		i := strings.Index(rows[from:], want)
		if i < 0 {
			t.Fatalf("%q is missing or in another order: %s", want, rows)
		}
		from += i
	}
	if strings.Count(eta, `class="dot"`) != 3 || strings.Count(eta, `class="promised"`) != 2 {
		t.Errorf("the chart: %s", eta)
	}
	if !strings.Contains(body, `href="?as_of=2026-06-05T09%3A10%3A00Z"`) {
		t.Error("the moment of the second report is not offered")
	}
	past := html.UnescapeString(b.get(page + "?as_of=2026-06-08T12:00").body)
	for _, later := range []string{"18 Jun", "14:20", "Beta", "Missed"} {
		if strings.Contains(past, later) {
			t.Errorf("on 8 June %q is shown", later)
		}
	}
	if !strings.Contains(past, "13 Jun 2026, 08:00 UTC+2") || !strings.Contains(past, "Alpha") {
		t.Error("on 8 June the estimate or the ship of then is missing")
	}
}

// TestETAChartTotal: any estimates make a chart, also at one moment and of one arrival.
func TestETAChartTotal(t *testing.T) {
	texts, err := readCatalog("en")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	same := estimate{Revision: &tracking.Revision{Meta: tracking.Meta{ID: uuid.New()}, LearnedAt: now}, at: now}
	c := texts.etaChart([]estimate{same, same}, &tracking.Shipment{}, nil, past{}, now)
	if c.Line != "M500.0 100.0H500.0V100.0H500.0" {
		t.Errorf("%+v", c)
	}
}

package tracking_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freetime/invoice"
	"github.com/landfallhq/tracking/trackingtest"
)

// discharged is a report of a container that was discharged in Oakland on Monday 2 March 2026
// at 10:00 there, with a terminal status that has a last free day.
const discharged = `{"source":"line","scac":"MAEU","facts":[
	{"event":"load","at":"2026-02-10T10:00:00Z","place":{"locode":"CNSHA"},"mode":"vessel","vessel":{"imo":"9321483","name":"STAR"},"containers":["MRKU9465770"],"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]},
	{"event":"route","place":{"locode":"USOAK","role":"pod"},"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]},
	{"event":"discharge","at":"2026-03-02T10:00:00-08:00","place":{"locode":"USOAK","smdg_code":"TRAP"},"mode":"vessel","vessel":{"imo":"9321483","name":"STAR"},"containers":["MRKU9465770"],"equipment":{"iso_type":"45G1"},"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]},
	{"event":"terminal_status","at":"2026-03-02T12:00:00-08:00","data_source":"terminal","place":{"locode":"USOAK","smdg_code":"TRAP"},"containers":["MRKU9465770"],"terminal":{"available_for_pickup":true,"last_free_day":"2026-03-05"},"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]}]}`

// gatedOut is the gate-out of the container on 10 March.
const gatedOut = `{"source":"line","scac":"MAEU","facts":[
	{"event":"gate_out","at":"2026-03-10T09:00:00-07:00","place":{"locode":"USOAK"},"load":"laden","containers":["MRKU9465770"],"numbers":[{"type":"bill_of_lading","number":"MAEU1"}]}]}`

// reportText ingests a report and returns the ID of its container.
func reportText(t *testing.T, b *trackingtest.Bench, text string) tracking.ID {
	t.Helper()
	r, err := tracking.ParseReport([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := b.Ingest(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return receipt.ContainerIDs[0]
}

// summary is what charges are in one line.
func summary(c *freetime.Charges) string {
	var parts []string
	for _, total := range c.Totals {
		parts = append(parts, total.Amount+" "+total.Currency+" +"+total.Tomorrow)
	}
	if c.Accruing {
		parts = append(parts, "accruing")
	}
	for _, l := range c.Clocks {
		text := string(l.Clock)
		if l.LastFreeDay != nil {
			text += " " + l.LastFreeDay.String()
		}
		if l.Disagreement != nil {
			text += fmt.Sprintf(" %+d", *l.Disagreement)
		}
		if l.Unknown != nil {
			text += " " + string(*l.Unknown)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

func TestCharges(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 3, 3, 20, 0, 0, 0, time.UTC))
	id := reportText(t, b, discharged)
	for _, tariff := range []func(*freetime.Terms){
		func(t *freetime.Terms) { t.TerminalCode, t.FreeDays = "TRAP", 4 },
		func(t *freetime.Terms) { t.TerminalCode = "OTHER" },
		func(t *freetime.Terms) { t.Clock, t.FreeDays, t.Currency = freetime.PerDiem, 0, "EUR" },
		func(t *freetime.Terms) { t.Clock, t.EquipmentType = freetime.Combined, "reefer" },
	} {
		if _, err := b.Tariffs().Create(ctx, terms(tariff)); err != nil {
			t.Fatal(err)
		}
	}
	charges := func(asOf ...time.Time) string {
		t.Helper()
		c, err := b.Tariffs().Charges(ctx, id, asOf...)
		if err != nil {
			t.Fatal(err)
		}
		return summary(c)
	}
	// The terminal says the 5th, and the tariff gives the 6th.
	free := "0.00 USD +0.00; demurrage 2026-03-05 -1; per_diem not_opened"
	if got := charges(); got != free {
		t.Errorf("in free time: %s", got)
	}
	b.Clock.Set(time.Date(2026, 3, 8, 20, 0, 0, 0, time.UTC)) // the clocks went forward on the 8th
	if got := charges(); got != "450.00 USD +150.00; accruing; demurrage 2026-03-05 -1; per_diem not_opened" {
		t.Errorf("after it: %s", got)
	}
	b.Clock.Set(time.Date(2026, 3, 12, 20, 0, 0, 0, time.UTC))
	reportText(t, b, gatedOut)
	if got := charges(); got != "300.00 EUR +150.00; 750.00 USD +0.00; accruing; demurrage 2026-03-05 -1; per_diem" {
		t.Errorf("after the gate-out: %s", got)
	}
	// As of the 12th, a minute before the gate-out was learned, it was still in the yard.
	b.Clock.Advance(time.Minute)
	if got := charges(b.Clock.Now().Add(-2 * time.Minute)); got != "1050.00 USD +150.00; accruing; demurrage 2026-03-05 -1; per_diem not_opened" {
		t.Errorf("as of before it: %s", got)
	}
	for when, want := range map[time.Time]tracking.ErrorKind{b.Clock.Now().Add(time.Hour): tracking.Invalid, b.Clock.Now().AddDate(-1, 0, 0): tracking.NotFound} {
		if _, err := b.Tariffs().Charges(ctx, id, when); !isKind(err, want) {
			t.Errorf("as of %s: %v", when, err)
		}
	}
}

// Each fact that a ledger names is explained, and the same moment asked later gives the same.
func TestChargesAreExplained(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 3, 8, 20, 0, 0, 0, time.UTC))
	id := reportText(t, b, discharged)
	if _, err := b.Tariffs().Create(ctx, terms(nil)); err != nil {
		t.Fatal(err)
	}
	now, err := b.Tariffs().Charges(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]freetime.Evidence{}
	for _, f := range now.Facts {
		known[f.ID] = f
	}
	for _, f := range now.Clocks[0].FactIDs() {
		if e, ok := known[f]; !ok || e.Source != "line" || !e.ReceivedAt.Equal(b.Clock.Now()) || e.HappenedAt == nil {
			t.Errorf("the fact %s is %+v", f, e)
		}
	}
	if len(known) != 2 {
		t.Errorf("%d facts", len(known))
	}
	asked := b.Clock.Now()
	b.Clock.Set(time.Date(2026, 3, 12, 20, 0, 0, 0, time.UTC))
	reportText(t, b, gatedOut)
	then, err := b.Tariffs().Charges(ctx, id, asked)
	if err != nil {
		t.Fatal(err)
	}
	if summary(then) != summary(now) {
		t.Errorf("then %s, asked later %s", summary(now), summary(then))
	}
}

// Reading charges, and days that pass, change no record.
func TestChargesChangeNothing(t *testing.T) {
	b := trackingtest.New(t)
	id := reportText(t, b, discharged)
	if _, err := b.Tariffs().Create(ctx, terms(nil)); err != nil {
		t.Fatal(err)
	}
	before, err := b.Container(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		b.Pass(24 * time.Hour)
		if _, err := b.Tariffs().Charges(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	after, err := b.Container(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if after.Version != before.Version || !after.UpdatedAt.Equal(before.UpdatedAt) {
		t.Errorf("version %d at %s, and %d at %s", before.Version, before.UpdatedAt, after.Version, after.UpdatedAt)
	}
}

func TestChargesOfAnotherAccount(t *testing.T) {
	b := trackingtest.New(t)
	id := reportText(t, b, discharged)
	a, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Operator.For(tracking.Actor{Account: a.Scope()}).Tariffs().Charges(ctx, id); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("another account: %v", err)
	}
}

// A sheet compares an invoice with the charges of the account's own containers, and with
// as_of with what was known then.
func TestSheet(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 3, 12, 20, 0, 0, 0, time.UTC))
	id := reportText(t, b, discharged)
	terms := freetime.DefaultTerms()
	two := 2
	terms.Clock, terms.FreeDays, terms.Currency = freetime.Demurrage, 3, "USD"
	terms.Tiers = []freetime.TierTerms{{From: 1, To: &two, Amount: "100"}, {From: 3, Amount: "150"}}
	if _, err := b.Tariffs().Create(ctx, terms); err != nil {
		t.Fatal(err)
	}
	b.Clock.Advance(time.Hour)
	reportText(t, b, gatedOut)
	// The last free day is the 5th: the 6th and 7th cost 100, the 8th to the 10th 150. The
	// 11th is after the gate-out.
	inv, err := invoice.ReadJSON([]byte(`{"lines":[{"container_number":"MRKU 946577-0","clock":"demurrage","from":"2026-03-07","to":"2026-03-11","rate":"150","currency":"USD"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	line := func(tr *tracking.Tracker, asOf ...time.Time) string {
		t.Helper()
		s, err := tr.Tariffs().Sheet(ctx, inv, asOf...)
		if err != nil {
			t.Fatal(err)
		}
		l := s.Lines[0]
		text := *l.Charged
		for _, v := range []*string{l.Computed, l.Difference, (*string)(l.Reason), l.ContainerID} {
			if text += " "; v != nil {
				text += *v
			}
		}
		return fmt.Sprintf("%s, %d facts", text, len(s.Facts))
	}
	other, _, err := b.Operator.EnsureAccount(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ got, want string }{
		{line(b.Tracker), "750.00 550.00 200.00 tier " + id.String() + ", 3 facts"},
		// Before the gate-out was known, the 11th was charged too.
		{line(b.Tracker, time.Date(2026, 3, 12, 20, 30, 0, 0, time.UTC)), "750.00 700.00 50.00 tier " + id.String() + ", 2 facts"},
		{line(b.Tracker, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)), "750.00   container_unknown , 0 facts"},
		{line(b.Operator.For(tracking.Actor{Account: other.Scope()})), "750.00   container_unknown , 0 facts"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
	if _, err := b.Tariffs().Sheet(ctx, inv, time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)); err == nil || !strings.Contains(err.Error(), "as_of") {
		t.Errorf("of a time to come: %v", err)
	}
}

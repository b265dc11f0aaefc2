package main

import (
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/freight"
)

// costsTomorrow: find what costs money tomorrow.
var costsTomorrow = officeTask{name: "1 find what costs money tomorrow", history: func(o *office) {
	four := 4
	o.at("2026-05-25T08:00Z", func(h history) {
		for _, row := range []struct {
			scac, locode, currency string
			free                   int
			tiers                  []freetime.TierTerms
		}{
			{"MAEU", "USLGB", "USD", 4, []freetime.TierTerms{{From: 1, To: &four, Amount: "185.00"}, {From: 5, Amount: "310.00"}}},
			{"", "NLRTM", "EUR", 3, []freetime.TierTerms{{From: 1, Amount: "60.00"}}},
		} {
			terms := freetime.DefaultTerms()
			terms.Clock, terms.ShippingLineSCAC, terms.LocationLOCODE, terms.Currency, terms.FreeDays, terms.Tiers = freetime.Demurrage, row.scac, row.locode, row.currency, row.free, row.tiers
			o.must(errorOf(h.Tariffs().Create(o.t.Context(), terms)))
		}
	})
	o.at("2026-06-09T23:00Z", func(h history) {
		for i, row := range []struct{ number, facts string }{
			{"MAEUA0001", "actual discharge USLGB 2026-06-05T10:00 ship=Lyra"},
			{"MAEUB0001", "actual discharge USLGB 2026-06-06T10:00 ship=Lyra"},
			{"MAEUC0001", "actual discharge USLGB 2026-06-07T10:00 ship=Lyra"},
			{"MAEUD0001", "actual discharge USLGB 2026-06-02T10:00 ship=Lyra\nactual gate_out USLGB 2026-06-09T15:00"},
			{"MAEUE0001", "actual discharge NLRTM 2026-06-05T10:00 ship=Lyra"},
			{"MSCUF0001", "actual discharge USLAX 2026-06-04T10:00 ship=Lyra"},
		} {
			facts := o.facts(row.number, []string{boxNumber(100 + i)}, `
				actual load CNSHA 2026-05-10T10:00 ship=Lyra
				actual depart CNSHA 2026-05-11T10:00 ship=Lyra
				`+row.facts)
			if row.number == "MSCUF0001" {
				status := facts[2]
				status.ID, status.Activity, status.At, status.Vessel, status.Mode = "lfd", freight.TerminalStatus, freight.Moment{}, freight.VesselRef{}, ""
				status.DataSource, status.Terminal = freight.FromShippingLine, &freight.TerminalFacts{LastFreeDay: moment(o.t, "2026-06-09")}
				facts = append(facts, status)
				for n := range facts {
					facts[n].SCAC = "MSCU"
				}
			}
			h.ingest(facts)
		}
	})
}, do: func(t *testing.T, o *office) {
	a, b, c, d, e, f := boxNumber(100), boxNumber(101), boxNumber(102), boxNumber(103), boxNumber(104), boxNumber(105)
	acme := o.acme()
	for number, want := range map[string][3]string{a: {"185.00", "185.00", "USD"}, b: {"0.00", "185.00", "USD"}, c: {"0.00", "0.00", "USD"}, d: {"555.00", "0.00", "USD"}, e: {"120.00", "60.00", "EUR"}, f: {}} {
		list, _, err := acme.Containers(t.Context(), tracking.ContainerQuery{Numbers: []string{number}}, tracking.Page{})
		o.must(err)
		costs, err := acme.Tariffs().Costs(t.Context(), list[0].ID)
		o.must(err)
		if cost := costs[list[0].ID]; cost.Amount != want[0] || cost.Tomorrow != want[1] || cost.Amount != "" && cost.Currency != want[2] {
			t.Errorf("%s costs %+v", number, cost)
		}
	}
	ann := o.signIn(t, "Ann")
	ann.begin()
	ann.follow("Cost money tomorrow")
	ann.sees("370.00 USD")
	ann.sees("60.00 EUR")
	for number, row := range map[string][]string{
		a: {"Long Beach", "9 Jun 2026", "185.00 USD", "185.00 USD"}, b: {"Long Beach", "10 Jun 2026", "0.00 USD", "185.00 USD"}, e: {"Rotterdam", "8 Jun 2026", "120.00 EUR", "60.00 EUR"},
	} {
		ann.sees(append([]string{number}, row...)...)
	}
	ann.seesNot(c, d, f, "430.00")
	ann.reopens(o.signIn(t, "Ben"), a, "185.00 USD")
	ann.follow("1 container", "not known")
	ann.sees(f, "not known")
	ann.seesNot(a, d)
	ann.follow("Today")
	ann.follow("Cost money tomorrow")
	ann.follow(a)
	ann.sees("185.00 USD")
	ann.sees("5 Jun 2026", "6 Jun 2026", "7 Jun 2026", "8 Jun 2026", "9 Jun 2026", "10 Jun 2026", "185.00 USD")
	ann.sees("Discharge", "dcsa")
	ann.done()
}}

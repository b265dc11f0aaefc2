package main

import (
	"testing"

	"github.com/landfallhq/tracking"
)

// rolledContainer: take care of a rolled container.
var rolledContainer = officeTask{name: "7 take care of a rolled container", history: func(o *office) {
	r, s, u := []string{boxNumber(700)}, []string{boxNumber(710), boxNumber(711), boxNumber(712)}, []string{boxNumber(720)}
	o.at("2026-06-01T08:00Z", func(h history) {
		plan := `
			planned load CNSHA 2026-06-08T10:00 ship=Orion
			planned depart CNSHA 2026-06-08T20:00 ship=Orion
			estimated arrive NLRTM 2026-06-28T08:00 ship=Orion id=%-eta`
		for number, boxes := range map[string][]string{"MAEUR0001": r, "MAEUT0001": s, "MAEUU0001": u} {
			h.report(number, boxes, replaced(plan, number))
		}
	})
	o.at("2026-06-09T08:00Z", func(h history) {
		h.report("MAEUR0001", r, `
			planned load CNSHA 2026-06-15T10:00 ship=Vega
			planned depart CNSHA 2026-06-15T20:00 ship=Vega
			estimated arrive NLRTM 2026-07-05T08:00 ship=Vega id=MAEUR0001-eta`)
		h.report("MAEUT0001", s, `
			actual load CNSHA 2026-06-08T10:00 ship=Orion of=1,2
			actual depart CNSHA 2026-06-08T20:00 ship=Orion of=1,2
			planned load CNSHA 2026-06-15T10:00 ship=Vega of=3
			planned depart CNSHA 2026-06-15T20:00 ship=Vega of=3`)
	})
	o.at("2026-06-09T18:00Z", func(h history) {
		h.report("MAEUU0001", u, `
			actual load CNSHA 2026-06-09T08:00 ship=Lyra
			actual depart CNSHA 2026-06-09T20:00 ship=Lyra
			estimated arrive NLRTM 2026-06-29T08:00 ship=Lyra id=MAEUU0001-eta`)
	})
}, do: func(t *testing.T, o *office) {
	acme, ctx := o.acme(), t.Context()
	exceptions := func(number, kind string) []*tracking.Exception {
		list, _, err := acme.Exceptions().List(ctx, tracking.ExceptionQuery{Shipments: []tracking.ID{acme.shipment(number).ID}, Kinds: []string{kind}}, tracking.Page{})
		o.must(err)
		return list
	}
	for _, row := range []struct {
		number, kind string
		count        int
	}{{"MAEUR0001", "rollover", 1}, {"MAEUR0001", "short_shipped", 0}, {"MAEUT0001", "short_shipped", 1}, {"MAEUT0001", "rollover", 0}, {"MAEUU0001", "rollover", 0}, {"MAEUU0001", "short_shipped", 0}} {
		if list := exceptions(row.number, row.kind); len(list) != row.count {
			t.Fatalf("%s has %d of the kind %s", row.number, len(list), row.kind)
		}
	}
	rolled := exceptions("MAEUR0001", "rollover")[0]
	ann := o.signIn(t, "Ann")
	ann.begin()
	ann.follow("Rollover", "MAEUR0001")
	ann.sees("Orion", "Vega")
	ann.sees("8 Jun 2026", "15 Jun 2026")
	ann.sees("5 Jul 2026, 08:00")
	ann.sees("9 Jun 2026")
	// Ben looks at one page, and begins to write on another one.
	looking, writing := o.signIn(t, "Ben"), o.signIn(t, "Ben")
	looking.open(ann.path())
	writing.open(ann.path())
	writing.write("Note", "I call the customer")
	ann.tick("Acknowledge")
	ann.choose("Assigned to", "Ann (you)")
	ann.write("Note", "Customer informed, new slot 7 July")
	ann.enter()
	ann.sees("Customer informed, new slot 7 July")
	ann.done()
	looking.becomes("Customer informed, new slot 7 July")
	looking.becomes("10 Jun 2026, 16:00 UTC\nAnn") // who has acknowledged it
	if assigned := evaluate[string](looking, element("list", "Assigned to", nil)+`.value`); assigned != "Ann" {
		t.Errorf("Ben sees it assigned to %q", assigned)
	}
	if !withoutScript { // he would lose what he has typed by reading the page again
		writing.becomes("10 Jun 2026, 16:00 UTC\nAnn")
	}
	writing.enter()
	writing.sees("somebody else", "Customer informed, new slot 7 July")
	if typed := evaluate[string](writing, element("field", "Note", nil)+`.value`); typed != "I call the customer" {
		t.Errorf("of what Ben typed %q stays", typed)
	}
	// If he replaces it on purpose, Ann sees that, and can put hers back.
	writing.press("Save mine instead")
	ann.becomes("I call the customer")
	ann.write("Note", "Customer informed, new slot 7 July")
	ann.enter()
	e, err := acme.Exceptions().Get(ctx, rolled.ID)
	if err != nil || e.Assignee != "Ann" || e.AcknowledgedBy != o.users["Ann"].ID || e.Note != "Customer informed, new slot 7 July" || !e.ClosedAt.IsZero() {
		t.Errorf("%+v, error %v", e, err)
	}
	acme.audited(t, "Ann", "exception.update")
	dora := o.signIn(t, "Dora")
	ann.reopens(dora, "Customer informed, new slot 7 July")
	dora.open("/exceptions?kind=rollover")
	dora.sees("MAEUR0001")
	dora.seesNot("MAEUT0001", "MAEUU0001")
	dora.open("/exceptions?kind=short_shipped")
	dora.sees("MAEUT0001")
	dora.seesNot("MAEUR0001", "MAEUU0001")
}, later: func(t *testing.T, o *office) {
	acme := o.acme()
	o.later("2026-06-15T14:00Z")
	acme.report("MAEUR0001", []string{boxNumber(700)}, `
		actual load CNSHA 2026-06-15T10:00 ship=Vega
		actual depart CNSHA 2026-06-15T20:00 ship=Vega`)
	list, _, err := acme.Exceptions().List(t.Context(), tracking.ExceptionQuery{Shipments: []tracking.ID{acme.shipment("MAEUR0001").ID}, Kinds: []string{"rollover"}}, tracking.Page{})
	if err != nil || len(list) != 1 || list[0].ClosedAt.IsZero() || list[0].Note != "Customer informed, new slot 7 July" {
		t.Fatalf("%+v, error %v", list, err)
	}
	ben := o.signIn(t, "Ben")
	ben.open("/exceptions/" + list[0].ID.String())
	ben.sees("Closed", "Customer informed, new slot 7 July")
	ben.open("/exceptions?state=open&kind=rollover")
	ben.seesNot("MAEUR0001")
}}

package main

import (
	"testing"

	"github.com/landfallhq/tracking"
)

// changedField: find out who changed a field.
var changedField = officeTask{name: "5 find out who changed a field", history: func(o *office) {
	const q, other = "MAEUQ0001", "MAEUQ0002"
	set := func(tr *tracking.Tracker, h history, number, value string) {
		raw, err := tracking.FieldJSON(value)
		o.must(err)
		entity := tracking.Entity{Type: tracking.ShipmentEntity, ID: h.shipment(number).ID}
		o.must(errorOf(tr.SetCustomField(o.t.Context(), tracking.NewCustomField{Entity: entity, APISlug: "delivery_date", Value: raw})))
	}
	both := func(h history, tr *tracking.Tracker, value, otherValue string) {
		set(tr, h, q, value)
		set(tr, h, other, otherValue)
	}
	o.at("2026-05-30T08:00Z", func(h history) {
		for i, number := range []string{q, other} {
			h.report(number, []string{boxNumber(500 + i)}, `
				actual load CNSHA 2026-05-28T10:00 ship=Tern
				actual depart CNSHA 2026-05-29T10:00 ship=Tern
				estimated arrive NLRTM 2026-07-06T10:00 ship=Tern`)
		}
		o.must(errorOf(h.CreateCustomFieldDefinition(o.t.Context(), tracking.NewCustomFieldDefinition{EntityType: tracking.ShipmentEntity, APISlug: "delivery_date", DisplayName: "Delivery date", DataType: tracking.DateField})))
	})
	o.at("2026-06-01T07:30Z", func(h history) {
		if h.acme {
			both(h, h.by("Ann"), "2026-06-22", "2026-07-22")
		} else {
			set(h.Tracker, h, q, "2026-08-22")
		}
	})
	o.at("2026-06-03T11:00Z", func(h history) {
		both(h, o.operator.For(tracking.Actor{Account: o.accountOf(h), Via: tracking.SetByAPI}), "2026-06-24", "2026-07-24")
	})
	o.at("2026-06-09T15:42Z", func(h history) {
		if h.acme {
			both(h, o.operator.For(tracking.Actor{Account: o.accountOf(h), User: o.users["Ben"].ID, Via: tracking.SetByImport}), "2026-06-15", "2026-07-15")
		}
	})
}, do: func(t *testing.T, o *office) {
	ann := o.signIn(t, "Ann")
	ann.begin()
	ann.write("Search by number", "MAEUQ0001")
	ann.enter()
	ann.follow("History", "Delivery date")
	ann.sees("9 Jun 2026, 15:42 UTC", "2026-06-24", "2026-06-15", "Ben", "import",
		"3 Jun 2026, 11:00 UTC", "2026-06-22", "2026-06-24", "no user known", "API",
		"1 Jun 2026, 07:30 UTC", "2026-06-22", "Ann")
	ann.seesNot("-07-2", "-07-15", "-08-22")
	ann.reopens(o.signIn(t, "Dora"), "2026-06-24", "Ben")
	ann.follow("MAEUQ0001")
	ann.write("Delivery date", "2026-06-31")
	ann.press("Save Delivery date")
	ann.sees("Delivery date", "date")
	if value := evaluate[string](ann, element("field", "Delivery date", nil)+`.value`); value != "2026-06-31" {
		t.Errorf("of what was typed %q stays", value)
	}
	if described := evaluate[bool](ann, element("field", "Delivery date", nil)+`.getAttribute("aria-invalid") === "true"`); !described {
		t.Error("the field is not marked")
	}
	ann.write("Delivery date", "2026-06-24")
	ann.enter()
	ann.sees("Delivery date", "saved")
	ann.done()

	acme, ctx := o.acme(), t.Context()
	f, err := acme.CustomFieldOf(ctx, tracking.Entity{Type: tracking.ShipmentEntity, ID: acme.shipment("MAEUQ0001").ID}, "delivery_date")
	if err != nil || string(f.Value) != `"2026-06-24"` || f.UpdatedBy != o.users["Ann"].ID || !f.UpdatedAt.Equal(moment(t, officeNow).Time) {
		t.Errorf("the value is %s of %v at %v, error %v", f.Value, f.UpdatedBy, f.UpdatedAt, err)
	}
	changes, _, err := acme.CustomFieldChanges(ctx, tracking.CustomFieldChangeQuery{CustomField: f.ID}, tracking.Page{})
	if err != nil || len(changes) != 4 {
		t.Errorf("%d changes, error %v", len(changes), err)
	}
	acme.audited(t, "Ann", "custom_field.")
}}

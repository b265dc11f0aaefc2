package main

import (
	"testing"

	"github.com/landfallhq/tracking"
)

// slippedETA: say why an ETA slipped.
var slippedETA = officeTask{name: "2 say why an ETA slipped", history: func(o *office) {
	const s, other = "MAEUS0001", "MAEUS0002"
	box, otherBox := []string{boxNumber(200)}, []string{boxNumber(201)}
	o.at("2026-06-01T08:10Z", func(h history) {
		h.report(s, box, `
			actual load CNSHA 2026-05-02T10:00 ship=Tern said=2026-05-02T08:00Z
			actual depart CNSHA 2026-05-03T10:00 ship=Tern said=2026-05-03T08:00Z
			actual arrive MAPTM 2026-05-29T10:00 ship=Tern said=2026-05-29T12:00Z
			actual discharge MAPTM 2026-05-30T10:00 ship=Tern said=2026-05-30T12:00Z
			planned load MAPTM 2026-06-08T06:00 ship=Alpha said=2026-06-01T08:00Z id=alpha-load
			planned depart MAPTM 2026-06-08T20:00 ship=Alpha said=2026-06-01T08:00Z id=alpha-etd
			estimated arrive NLRTM 2026-06-12T08:00 ship=Alpha said=2026-06-01T08:00Z id=eta`)
		h.report(other, otherBox, `
			actual load CNSHA 2026-05-02T10:00 ship=Lyra said=2026-05-02T08:00Z
			actual depart CNSHA 2026-05-03T10:00 ship=Lyra said=2026-05-03T08:00Z
			estimated arrive NLRTM 2026-06-20T08:00 ship=Lyra said=2026-06-01T08:00Z id=other-eta`)
	})
	o.at("2026-06-02T08:00Z", func(h history) {
		if !h.acme {
			return
		}
		promise := tracking.ShipmentUpdate{PromisedArrivalAt: tracking.Set(moment(o.t, "2026-06-15T00:00+02:00").Time)}
		o.must(errorOf(h.by("Ben").UpdateShipment(o.t.Context(), h.shipment(s).ID, promise)))
	})
	o.at("2026-06-05T09:10Z", func(h history) {
		h.report(s, box, `estimated arrive NLRTM 2026-06-13T08:00 ship=Alpha said=2026-06-05T09:00Z id=eta`)
		h.report(other, otherBox, `estimated arrive NLRTM 2026-06-24T08:00 ship=Lyra id=other-eta`)
	})
	o.at("2026-06-09T20:05Z", func(h history) {
		h.report(s, box, `
			planned load MAPTM 2026-06-14T06:00 ship=Beta said=2026-06-09T14:20Z
			planned depart MAPTM 2026-06-14T20:00 ship=Beta said=2026-06-09T14:20Z
			estimated arrive NLRTM 2026-06-18T06:00 ship=Beta said=2026-06-09T14:20Z id=eta`)
	})
}, do: func(t *testing.T, o *office) {
	ann := o.signIn(t, "Ann")
	before := o.acme().shipment("MAEUS0001")
	ann.begin()
	ann.write("Search by number", "MAEUS0001")
	ann.enter()
	ann.sees("Promised", "15 Jun 2026, 00:00 UTC+2", "78 hours later")
	ann.sees("Promised", "15 Jun 2026")
	ann.sees("Missed connection", "Alpha", "8 June 2026", "14 June 2026")
	// The time of recording is not shown yet, that of receipt is.
	ann.sees("What changed", "13 Jun 2026, 08:00", "18 Jun 2026, 06:00", "9 Jun 2026, 20:05 UTC", "Shipping line",
		"12 Jun 2026, 08:00", "13 Jun 2026, 08:00", "5 Jun 2026, 09:10 UTC", "Shipping line",
		"Estimated arrival", "12 Jun 2026, 08:00", "1 Jun 2026, 08:10 UTC", "Shipping line")
	ann.reopens(o.signIn(t, "Dora"), "Missed connection")
	ann.unfold("Show what was known at another time")
	ann.write("Known at", "2026-06-08T12:00")
	ann.press("Show")
	ann.sees("13 Jun 2026, 08:00", "Alpha")
	ann.seesNot("18 Jun 2026", "Beta", "Missed connection", "9 Jun 2026")
	ann.done()
	if after := o.acme().shipment("MAEUS0001"); after.Version != before.Version {
		t.Error("looking has changed the shipment")
	}
}}

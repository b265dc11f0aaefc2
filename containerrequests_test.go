package tracking_test

import (
	"fmt"
	"testing"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// box is a fact about one container: what happened to it in a shipment on a day
// of February, recorded that day.
func box(what freight.Activity, place string, day int, load freight.LoadStatus, number string, numbers ...tracking.ShipmentNumber) tracking.Fact {
	f := voyage("")[1]
	f.ID = fmt.Sprint(what, place, day, number, numbers)
	f.Activity, f.Place.LOCODE, f.LoadStatus, f.Containers, f.Numbers = what, place, load, []string{number}, numbers
	f.At.Time = f.At.Time.AddDate(0, 0, day-4)
	f.RecordedAt = f.At.Time
	if what == freight.GateIn || what == freight.GateOut {
		f.Mode, f.Vessel, f.Voyage = freight.ByTruck, tracking.VesselRef{}, ""
	}
	return f
}

const boxX, boxY, boxZ, boxW = "APZU4812090", "CSQU3054383", "MSKU9465770", "TCLU4265390"

// wholeVoyage of a container begins with a load at Shanghai on a day, and ends with its empty
// return 20 days later.
func wholeVoyage(day int, number string, numbers ...tracking.ShipmentNumber) []tracking.Fact {
	return []tracking.Fact{
		box(freight.Loading, "CNSHA", day, freight.Laden, number, numbers...),
		box(freight.Departure, "CNSHA", day+1, freight.Laden, number, numbers...),
		box(freight.Discharge, "USLAX", day+15, freight.Laden, number, numbers...),
		box(freight.GateOut, "USLAX", day+17, freight.Laden, number, numbers...),
		box(freight.GateIn, "USLAX", day+20, freight.Empty, number, numbers...),
	}
}

// A request for a container is completed by any fact that names the container, before or after it,
// that belongs to a journey that has not ended. Before, only shipments that went
// by the container's number as a number of their own completed it.
func TestContainerRequestIsCompleted(t *testing.T) {
	asNumber := tracking.ShipmentNumber{Type: tracking.ContainerNumber, Number: boxX}
	loaded := wholeVoyage(4, boxX, bill("B1"))[:2]
	noContainer := loaded[0]
	noContainer.Containers, noContainer.Numbers = nil, []tracking.ShipmentNumber{bill("B1"), asNumber}
	other := wholeVoyage(8, boxX, bill("B2"))[:1]
	lateRecorded := loaded[0]
	lateRecorded.ID, lateRecorded.RecordedAt = "late", lateRecorded.RecordedAt.AddDate(0, 0, 20)
	planned := box(freight.Discharge, "USLAX", 25, freight.Laden, boxX, bill("B1"))
	planned.Classifier = freight.Planned
	for _, tt := range []struct {
		name          string
		before, after [][]tracking.Fact
		want          string // number of the shipment that the request leads to
	}{
		{"a fact before, in containers", [][]tracking.Fact{loaded}, nil, "B1"},
		{"a fact after, in containers", nil, [][]tracking.Fact{loaded}, "B1"},
		{"a fact before, in numbers", [][]tracking.Fact{{noContainer}}, nil, "B1"},
		{"a fact after, in numbers", nil, [][]tracking.Fact{{noContainer}}, "B1"},
		{"of two before, where it moved last", [][]tracking.Fact{other, loaded}, nil, "B2"},
		{"though the other was recorded later", [][]tracking.Fact{other, append(loaded, lateRecorded)}, nil, "B2"},
		{"and though more is planned for the other", [][]tracking.Fact{other, append(loaded, planned)}, nil, "B2"},
		{"of two in one report", nil, [][]tracking.Fact{append(append([]tracking.Fact{}, loaded...), other...)}, "B2"},
		{"not the one that has ended", [][]tracking.Fact{wholeVoyage(4, boxX, bill("B1")), wholeVoyage(2, boxX, bill("B2"))[:3]}, nil, "B2"},
		{"only an ended journey", [][]tracking.Fact{wholeVoyage(4, boxX, bill("B1"))}, nil, ""},
		{"an ended journey, and then another", [][]tracking.Fact{wholeVoyage(4, boxX, bill("B1"))}, [][]tracking.Fact{wholeVoyage(30, boxX, bill("B2"))[:1]}, "B2"},
		{"a journey that ends with the report", nil, [][]tracking.Fact{wholeVoyage(4, boxX, bill("B1"))}, ""},
		{"an end that is taken back", [][]tracking.Fact{wholeVoyage(4, boxX, bill("B1"))}, [][]tracking.Fact{{{
			ID: wholeVoyage(4, boxX, bill("B1"))[4].ID, Retracted: true, RecordedAt: trackingtest.Start.AddDate(0, 1, 0),
		}}}, "B1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := trackingtest.New(t)
			for _, facts := range tt.before {
				ingest(t, b, api(facts...))
			}
			r := create(t, b, tracking.NewTrackingRequest{Number: boxX, Type: tracking.ContainerNumber, SCAC: "MAEU"})
			for _, facts := range tt.after {
				ingest(t, b, api(facts...))
			}
			r, got := request(t, b, r.ID), ""
			if r.Status == tracking.RequestCreated {
				got = shipment(t, b, r.TrackedObject).BillOfLadingNumber
			}
			if got != tt.want {
				t.Errorf("the request is %s, for %q; want %q", r.Status, got, tt.want)
			}
		})
	}
}

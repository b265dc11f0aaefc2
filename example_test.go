package tracking_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

// Facts that a program has of its own go in with Ingest; what is derived from
// them comes out as plain structs.
func Example() {
	ctx := context.Background()
	tr, err := tracking.New(tracking.Config{Store: memory.New()})
	if err != nil {
		log.Fatal(err)
	}
	defer tr.Close()
	acme, _, err := tr.EnsureAccount(ctx, "acme")
	if err != nil {
		log.Fatal(err)
	}
	t := tr.For(tracking.Actor{Account: acme.Scope()})

	move := func(id string, what freight.Activity, locode string, at time.Time) tracking.Fact {
		return tracking.Fact{
			ID: id, RecordedAt: at, Activity: what, At: tracking.Moment{Time: at},
			Place: tracking.Place{LOCODE: locode}, Mode: freight.ByVessel, LoadStatus: freight.Laden,
			Vessel: tracking.VesselRef{IMO: "9321483"}, Containers: []string{"APZU4812090"},
			Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: "123456789"}},
		}
	}
	receipt, err := t.Ingest(ctx, tracking.Report{Source: "my-feed", SCAC: "MAEU", Facts: []tracking.Fact{
		move("1", freight.Loading, "CNSHA", time.Date(2026, 2, 4, 10, 0, 0, 0, time.UTC)),
		move("2", freight.Arrival, "USLAX", time.Date(2026, 2, 20, 14, 0, 0, 0, time.UTC)),
	}})
	if err != nil {
		log.Fatal(err)
	}
	s, err := t.Shipment(ctx, receipt.ShipmentIDs[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.PortOfLadingName, "to", s.PortOfDischargeName)
	fmt.Println("arrived", s.PODATAAt.Format(time.RFC3339), s.PODTimezone)
	// Output:
	// Shanghai to Los Angeles
	// arrived 2026-02-20T14:00:00Z America/Los_Angeles
}

// What was known at a time, and how an estimate has changed since.
func ExampleTracker_ShipmentAsOf() {
	t, clock := newTracker()
	expect := func(day int) tracking.ID {
		receipt, err := t.Ingest(ctx, tracking.Report{Source: "my-feed", SCAC: "MAEU", Facts: []tracking.Fact{{
			Activity: freight.Arrival, Classifier: freight.Estimated, Mode: freight.ByVessel,
			At:    tracking.Moment{Time: time.Date(2026, 3, day, 12, 0, 0, 0, time.UTC)},
			Place: tracking.Place{LOCODE: "USLAX", Role: freight.RolePOD}, Containers: []string{"APZU4812090"},
			Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: "123456789"}},
		}}})
		if err != nil {
			log.Fatal(err)
		}
		return receipt.ShipmentIDs[0]
	}
	id := expect(20)
	monday := clock.Now()
	clock.Advance(24 * time.Hour)
	expect(23)

	then, err := t.ShipmentAsOf(ctx, id, monday)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("on Monday:", then.PODETAAt.Format(time.DateOnly))
	revisions, _, err := t.Revisions(ctx, tracking.RevisionQuery{Shipment: id, Estimates: true}, tracking.Page{Number: 1, Size: 1})
	if err != nil {
		log.Fatal(err)
	}
	r := revisions[0]
	fmt.Println(r.LearnedAt.Format(time.DateOnly), r.Source, r.Attribute, "from", r.Before, "to", r.After)
	// Output:
	// on Monday: 2026-03-20
	// 2026-03-03 my-feed pod_eta_at from 2026-03-20T12:00:00Z to 2026-03-23T12:00:00Z
}

// newTracker is a Tracker of one account whose clock is moved by hand.
func newTracker() (*tracking.Tracker, *trackingtest.Clock) {
	clock := trackingtest.NewClock()
	tr, err := tracking.New(tracking.Config{Store: memory.New(), Clock: clock})
	if err != nil {
		log.Fatal(err)
	}
	acme, _, err := tr.EnsureAccount(ctx, "acme")
	if err != nil {
		log.Fatal(err)
	}
	return tr.For(tracking.Actor{Account: acme.Scope()}), clock
}

// What a number by itself tells, before anybody is asked about it.
func ExampleInferNumber() {
	for _, number := range []string{"MEDU FR030802", "MSCU1234567", "6468636830"} {
		i, err := tracking.InferNumber(number)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(i.Number, i.Type, i.Decision)
		for _, c := range i.Candidates {
			fmt.Println(" ", c.SCAC, c.Confidence, c.Rule)
		}
		if i.Validation.Reason != "" {
			fmt.Println(" ", i.Validation.Reason)
		}
	}
	// Output:
	// MEDUFR030802 bill_of_lading auto_select
	//   MSCU 0.98 prefix_and_form
	// MSCU1234567 container needs_confirmation
	//   MSCU 0.85 container_owner
	//   The check digit of a container number that begins with MSCU123456 is 6 (ISO 6346)
	// 6468636830 bill_of_lading no_prediction
	//   COSU 0.35 shared_form
	//   MATS 0.35 shared_form
	//   OOLU 0.35 shared_form
}

// An account defines a field, and gives a tracking request a value of it.
func ExampleTracker_SetCustomField() {
	ctx := context.Background()
	tr, err := tracking.New(tracking.Config{Store: memory.New()})
	if err != nil {
		log.Fatal(err)
	}
	defer tr.Close()
	acme, _, err := tr.EnsureAccount(ctx, "acme")
	if err != nil {
		log.Fatal(err)
	}
	t := tr.For(tracking.Actor{Account: acme.Scope()})
	if _, err := t.CreateCustomFieldDefinition(ctx, tracking.NewCustomFieldDefinition{
		EntityType: tracking.TrackingRequestEntity, DisplayName: "Customs value", DataType: tracking.NumberField,
		Validation: []byte(`{"min": 0, "scale": 2}`),
	}); err != nil {
		log.Fatal(err)
	}
	request, err := t.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "MAEU123456789", Type: tracking.BillOfLading, SCAC: "MAEU"})
	if err != nil {
		log.Fatal(err)
	}
	value, err := tracking.FieldJSON(12500.5)
	if err != nil {
		log.Fatal(err)
	}
	f, err := t.SetCustomField(ctx, tracking.NewCustomField{
		Entity: tracking.Entity{Type: tracking.TrackingRequestEntity, ID: request.ID}, APISlug: "customs_value", Value: value,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.APISlug, string(f.Value), f.Source)
	// Output: customs_value 12500.5 library
}

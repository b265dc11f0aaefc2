package tracking_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// TestAnswerAboutAnother: whatever a source mixes up, only the shipment that was
// asked about changes, and the record says why nothing came.
//
// Seen to fail: the two about another document, where every fact of a booking
// that the answer names beside the number was taken.
func TestAnswerAboutAnother(t *testing.T) {
	as := func(id string, change func(*tracking.Fact)) tracking.Fact {
		f := told(id, freight.Arrival, "USLAX", freight.Laden, -day)
		change(&f)
		return f
	}
	names := func(n ...tracking.ShipmentNumber) func(*tracking.Fact) {
		return func(f *tracking.Fact) { f.Numbers = n }
	}
	own := voyage("B1")
	tests := []struct {
		name   string
		facts  []tracking.Fact
		failed bool // as a whole
		boxes  int  // of the shipment asked about, afterwards
	}{
		{"its own", append(own, as("arrived", names(bill("B1")))), false, 1},
		{"the body of another", voyage("B2"), true, 1},
		{"the body of another that nobody follows", voyage("B3"), true, 1},
		{"another's fact among its own", append(own, as("arrived", names(bill("B2")))), false, 1},
		{"its booking's, which the answer connects", append(own, as("link", names(bill("B1"), booking("BK9"))), as("box", func(f *tracking.Fact) {
			f.Numbers, f.Containers = []tracking.ShipmentNumber{booking("BK9")}, []string{"CSQU3054383"}
		})), false, 2},
		{"its booking's, before the fact that connects it", []tracking.Fact{as("box", func(f *tracking.Fact) {
			f.Numbers, f.Containers = []tracking.ShipmentNumber{booking("BK9")}, []string{"CSQU3054383"}
		}), as("link", names(bill("B1"), booking("BK9")))}, false, 2},
		{"another document of its booking", append(own, as("link", names(bill("B1"), booking("BK9"))), as("split", names(bill("B2"), booking("BK9")))), false, 1},
		{"what another document connects", append(own, as("link", names(bill("B1"), booking("BK9"))), as("on", names(bill("B2"), booking("BK9"))), as("far", names(bill("B2")))), false, 1},
		{"its box in another's booking", append(own, as("in BK2", names(booking("BK2")))), false, 1},
		{"a fact without a number", append(own, as("bare", names())), false, 1},
		{"another's fact, without a number", append(own, as("B2 at sea", names())), false, 1},
		{"another's fact, retracted", append(own, tracking.Fact{ID: "B2 at sea", Retracted: true}), false, 1},
		{"another line's", append(own, as("arrived", func(f *tracking.Fact) { f.SCAC = "MSCU" })), false, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := trackingtest.New(t)
			id := follow(t, b, own...)
			// Another shipment of the account, by the same source.
			at := as("B2 at sea", names(bill("B2")))
			at.RecordedAt = trackingtest.Start.Add(-9 * day)
			ingest(t, b, tracking.Report{Source: "scripted", SCAC: "MAEU", Facts: []tracking.Fact{at}})
			ingest(t, b, tracking.Report{Source: "scripted", SCAC: "MSCU", Facts: []tracking.Fact{about("MSC's", bill("B1"))}})
			others := func() (list []*tracking.Shipment) {
				for _, s := range allShipments(t, b) {
					if s.ID != id {
						list = append(list, s)
					}
				}
				return list
			}
			before := others()
			b.Source.Script("B1", trackingtest.Reply{Facts: tt.facts})
			b.Pass(6 * time.Hour)
			if len(b.Source.Asked()) < 2 {
				t.Fatal("the source was not asked again")
			}
			if diff := cmp.Diff(before, others(), cmpopts.IgnoreUnexported(tracking.Shipment{})); diff != "" {
				t.Errorf("another shipment has changed: %s", diff)
			}
			s := shipment(t, b, id)
			if failed := s.LineTrackingFailedReason == freight.UnrecognizedResponse; failed != tt.failed || !s.LineTrackingLastAttempted.Equal(trackingtest.Start.Add(6*time.Hour)) {
				t.Errorf("the attempt at %s: %q, %q", s.LineTrackingLastAttempted, s.LineTrackingFailedReason, s.LineTrackingFault)
			}
			if tt.failed && !strings.Contains(s.LineTrackingFault, "about other shipments than B1, such as") {
				t.Errorf("the record says %q", s.LineTrackingFault)
			}
			if len(s.Containers) != tt.boxes {
				t.Errorf("the shipment asked about has %d boxes, want %d", len(s.Containers), tt.boxes)
			}
		})
	}
}

// A request is not answered by another's facts either: it is tried again.
func TestRequestAnsweredAboutAnother(t *testing.T) {
	b := trackingtest.New(t)
	b.Source.Script("B1", trackingtest.Reply{Facts: voyage("B2")}, trackingtest.Reply{Facts: voyage("B1")})
	r := create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	b.Settle()
	if r = request(t, b, r.ID); r.Status != tracking.RequestPending || r.FailedReason != freight.UnrecognizedResponse || !strings.Contains(r.Fault, `such as "B2"`) {
		t.Errorf("after the answer of another: %+v", r)
	}
	if n := len(allShipments(t, b)); n != 0 {
		t.Errorf("%d shipments were made", n)
	}
	b.Pass(time.Minute)
	if r = request(t, b, r.ID); r.Status != tracking.RequestCreated || r.Fault != "" {
		t.Errorf("after the right answer: %+v", r)
	}
}

// A shipment that is followed by the number of a box has the facts that name
// the box, under whatever booking.
func TestAnswerAboutABox(t *testing.T) {
	b := trackingtest.New(t)
	facts := voyage("B1") // which name the box, and the bill of lading
	facts[0].Numbers = append(facts[0].Numbers, tracking.ShipmentNumber{Type: tracking.ContainerNumber, Number: "APZU4812090"})
	b.Source.Script("APZU4812090", trackingtest.Reply{Facts: facts})
	r := create(t, b, tracking.NewTrackingRequest{Number: "APZU4812090", Type: tracking.ContainerNumber, SCAC: trackingtest.SCAC})
	b.Settle()
	if r = request(t, b, r.ID); r.Status != tracking.RequestCreated {
		t.Fatalf("%+v", r)
	}
	if s := shipment(t, b, r.TrackedObject); s.POLATDAt.IsZero() || len(allShipments(t, b)) != 1 {
		t.Errorf("of %d shipments: %+v", len(allShipments(t, b)), s)
	}
}

// What is left out of an answer does not move the places of the rest in it.
func TestPlacesInAnAnswer(t *testing.T) {
	b := trackingtest.New(t)
	id := follow(t, b, voyage("B1")...)
	other := told("another's", freight.Arrival, "USLAX", freight.Laden, 0)
	other.Numbers = []tracking.ShipmentNumber{bill("B2")}
	b.Source.Script("B1", trackingtest.Reply{Facts: append([]tracking.Fact{other, other}, told("late", freight.Arrival, "USLAX", freight.Laden, 0))})
	b.Pass(6 * time.Hour)
	list, err := b.RawEvents(ctx, shipment(t, b, id).Containers[0])
	if err != nil {
		t.Fatal(err)
	}
	last := list[len(list)-1]
	if last.Fact.ID != "late" || last.Index != 2 {
		t.Errorf("%q is number %d of the answer, want 2", last.Fact.ID, last.Index)
	}
}

package tracking_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freetime"
	"github.com/landfallhq/tracking/trackingtest"
)

// confidenceOf is the confidence of the first container number of a document, and the one that it
// was read with; zero if that is the same.
func confidenceOf(t *testing.T, b *trackingtest.Bench, d *tracking.Document) (is, read float64) {
	t.Helper()
	one := must(b.Rendered().Get(ctx, "document", d.ID, []string{"last_document_representation"}))(t)
	var doc struct {
		Attributes struct {
			Payload struct {
				Containers []struct {
					Number struct {
						Confidence     float64 `json:"confidence"`
						ReadConfidence float64 `json:"read_confidence"`
					} `json:"number"`
				} `json:"containers"`
			} `json:"payload"`
		} `json:"attributes"`
	}
	if err := json.Unmarshal(one.Included[0].Doc, &doc); err != nil || len(doc.Attributes.Payload.Containers) == 0 {
		t.Fatalf("%v: %s", err, one.Included[0].Doc)
	}
	number := doc.Attributes.Payload.Containers[0].Number
	return number.Confidence, number.ReadConfidence
}

func checksOf(d *tracking.Document) (list []string) {
	for _, k := range d.Discrepancies {
		list = append(list, k.Check+" "+k.Field+" "+k.Says+" "+k.ComparedWith+" "+k.OtherSays)
	}
	return list
}

// TestDiscrepancies: a document that contradicts its shipment says so, and so does the shipment,
// until one of both is corrected.
func TestDiscrepancies(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 2, 18, 0, 0, 0, 0, time.UTC))
	id := ingest(t, b, api(voyage("B1")...)).ShipmentIDs[0]
	d := file(t, b, "bill", "type: bill_of_lading\nbl_number: B1\nport_of_lading: CNSHA\nport_of_discharge: USOAK\ncontainers: APZU4812090 MSKU1234565\n")
	d = reread(t, b, d.ID)
	want := []string{"container containers.number MSKU1234565 shipment APZU4812090", "port port_of_discharge USOAK shipment USLAX"}
	if got := checksOf(d); !slices.Equal(got, want) || *d.Discrepancies[1].ComparedWithID != id {
		t.Fatalf("discrepancies %q, want %q: %+v", got, want, d.Discrepancies)
	}
	if is, read := confidenceOf(t, b, d); is != 0.95 || read != 0.9 {
		t.Errorf("the container that the shipment has is sure by %v, read by %v", is, read)
	}
	severities := map[string]int{}
	for _, e := range exceptionsOf(t, b, "document_discrepancy") {
		severities[e.Severity]++
		if e.Shipment != id || !e.ClosedAt.IsZero() || !e.OpenedAt.Equal(b.Clock.Now()) || e.Detail == "" {
			t.Errorf("opened as %+v", e)
		}
	}
	if severities["high"] != 1 || severities["medium"] != 1 {
		t.Errorf("severities %v", severities)
	}
	for discrepant, want := range map[tracking.Tri]int{tracking.Yes: 1, tracking.No: 0} {
		if _, n, err := b.Documents(ctx, tracking.DocumentQuery{Discrepant: discrepant}, tracking.Page{Number: 1, Size: 5}); err != nil || n != want {
			t.Errorf("%d documents with discrepancies %v, %v", n, discrepant, err)
		}
	}

	b.Clock.Advance(time.Hour)
	route := voyage("B1")[3] // the line names another port, and then the other container
	route.RecordedAt, route.Place.LOCODE = b.Clock.Now(), "USOAK"
	for step, want := range [][]string{{"container containers.number MSKU1234565 shipment APZU4812090"}, nil} {
		ingest(t, b, api(route))
		b.Settle()
		if got := checksOf(reread(t, b, d.ID)); !slices.Equal(got, want) {
			t.Errorf("after correction %d %q, want %q", step+1, got, want)
		}
		route.ID, route.Containers = "the other", []string{"MSKU1234565"}
	}
	for _, e := range exceptionsOf(t, b, "document_discrepancy") {
		if !e.ClosedAt.Equal(b.Clock.Now()) || e.Withdrawn {
			t.Errorf("closed as %+v", e)
		}
	}
	if is, _ := confidenceOf(t, b, d); is != 0.95 {
		t.Errorf("after the correction it is sure by %v", is)
	}
}

// TestDiscrepanciesOfDeletedDocument: with the document its exceptions end. A shipment without
// documents is compared with none.
func TestDiscrepanciesOfDeletedDocument(t *testing.T) {
	b := trackingtest.New(t)
	b.Clock.Set(time.Date(2026, 2, 18, 0, 0, 0, 0, time.UTC))
	id := ingest(t, b, api(voyage("BILL1")...)).ShipmentIDs[0]
	version := must(b.Shipment(ctx, id))(t).Version
	d := file(t, b, "bill", "type: bill_of_lading\nbl_number: BILL1\nport_of_discharge: USOAK\n")
	if e := oneException(t, b, "document_discrepancy"); !e.ClosedAt.IsZero() {
		t.Fatalf("%+v", e)
	}
	if err := b.DeleteDocument(ctx, d.ID); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if e := oneException(t, b, "document_discrepancy"); e.ClosedAt.IsZero() {
		t.Errorf("after the deletion %+v", e)
	}
	if s := must(b.Shipment(ctx, id))(t); s.Version != version+2 {
		t.Errorf("version %d of the shipment, after %d and two comparisons", s.Version, version)
	}
}

// TestComparedInOneAccount: the shipments and documents of another account are never compared,
// and documents of one shipment are, in either order.
func TestComparedInOneAccount(t *testing.T) {
	bills := []string{
		"type: bill_of_lading\nbl_number: B1\nport_of_discharge: USLAX\ncontainers: APZU4812090\n",
		"type: arrival_notice\nbl_number: B1\nport_of_discharge: USOAK\ncontainers: APZU4812090\n",
	}
	for n := range 2 {
		b := trackingtest.New(t)
		b.Clock.Set(time.Date(2026, 2, 18, 0, 0, 0, 0, time.UTC))
		other, _, err := b.Operator.EnsureAccount(ctx, "other")
		if err != nil {
			t.Fatal(err)
		}
		theirs := b.Operator.For(tracking.Actor{Account: other.Scope()})
		route := voyage("B1")[3] // of another account, by the same numbers
		route.Place.LOCODE = "USOAK"
		must(theirs.Ingest(ctx, api(append(voyage("B1")[:3], route)...)))(t)
		must(theirs.CreateDocument(ctx, tracking.NewDocument{Name: "theirs", FileName: "a.txt", Content: []byte(bills[0])}))(t)
		ingest(t, b, api(voyage("B1")...))
		first := file(t, b, "first", bills[n])
		second := file(t, b, "second", bills[1-n])
		if got := checksOf(reread(t, b, []*tracking.Document{second, first}[n].ID)); !slices.Equal(got, []string{"port port_of_discharge USOAK shipment USLAX"}) {
			t.Errorf("order %d: %q", n, got)
		}
		if got := checksOf(reread(t, b, []*tracking.Document{first, second}[n].ID)); got != nil {
			t.Errorf("order %d: the bill has %q", n, got)
		}
	}
}

// chargesReader reads the same charges from every document.
type chargesReader struct{ *trackingtest.DocumentReader }

func (chargesReader) Fields(context.Context, tracking.DocumentFile, tracking.DocumentText, string) (tracking.DocumentFields, error) {
	return tracking.DocumentFields{
		{Name: "bl_number", Kind: tracking.FieldBL, Value: "MAEU1", Normal: "MAEU1", Confidence: 0.9, Page: 1},
		{Name: "charges", Kind: tracking.FieldTable, Rows: []tracking.DocumentFields{{
			{Name: "description", Kind: tracking.FieldText, Value: "Demurrage", Normal: "Demurrage", Confidence: 0.9, Page: 1},
			{Name: "amount", Kind: tracking.FieldMoney, Value: "600.00", Normal: tracking.Money{Amount: "600.00", Currency: "USD"}, Confidence: 0.9, Page: 1},
		}}},
	}, nil
}

// TestChargedDemurrage: demurrage is compared with the clock as soon as a tariff is known.
func TestChargedDemurrage(t *testing.T) {
	b := trackingtest.New(t, func(c *tracking.Config) {
		c.Classifier = chargesReader{c.Classifier.(*trackingtest.DocumentReader)}
	})
	b.Clock.Set(time.Date(2026, 3, 8, 20, 0, 0, 0, time.UTC))
	container := reportText(t, b, discharged)
	d := file(t, b, "notice", "type: arrival_notice\n")
	if got := checksOf(d); got != nil {
		t.Errorf("without a tariff: %q", got)
	}
	if _, err := b.Tariffs().Create(ctx, terms(func(t *freetime.Terms) { t.TerminalCode, t.FreeDays = "TRAP", 4 })); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	d = reread(t, b, d.ID)
	if got := checksOf(d); !slices.Equal(got, []string{"charges charges.amount USD 600.00 container USD 450.00"}) || *d.Discrepancies[0].ComparedWithID != container {
		t.Errorf("with a tariff: %q", got)
	}
	if e := oneException(t, b, "document_discrepancy"); e.Severity != "high" {
		t.Errorf("opened as %+v", e)
	}
}

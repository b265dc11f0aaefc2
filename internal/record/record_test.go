package record_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/record"
)

type reason string

// shipment has the shape of the resource of the interface.
type shipment struct {
	ID uuid.UUID `id:""`

	PortOfLading        uuid.UUID   `rel:"port_of_lading,port"`
	PortOfDischarge     uuid.UUID   `rel:"port_of_discharge,port"`
	PODTerminal         uuid.UUID   `rel:"pod_terminal,terminal"`
	Destination         record.Ref  `rel:"destination,port|metro_area"`
	DestinationTerminal record.Ref  `rel:"destination_terminal,terminal|rail_terminal"`
	StoppedBy           uuid.UUID   `rel:"line_tracking_stopped_by_user,user"`
	Containers          []uuid.UUID `rel:"containers,container"`
	_                   struct{}    `rel:"raw_events,raw_event,inverse"`

	CreatedAt               time.Time `attr:"created_at"`
	RefNumbers              []string  `attr:"ref_numbers"`
	Tags                    []string  `attr:"tags"`
	BillOfLadingNumber      string    `attr:"bill_of_lading_number"`
	NormalizedNumber        string    `attr:"normalized_number"`
	ShippingLineSCAC        string    `attr:"shipping_line_scac"`
	ShippingLineName        string    `attr:"shipping_line_name"`
	ShippingLineShortName   string    `attr:"shipping_line_short_name"`
	CustomerName            string    `attr:"customer_name,null"`
	PortOfLadingLOCODE      string    `attr:"port_of_lading_locode,null"`
	PortOfLadingName        string    `attr:"port_of_lading_name,null"`
	PortOfDischargeLOCODE   string    `attr:"port_of_discharge_locode,null"`
	PortOfDischargeName     string    `attr:"port_of_discharge_name,null"`
	PODVesselName           string    `attr:"pod_vessel_name,null"`
	PODVesselIMO            string    `attr:"pod_vessel_imo,null"`
	PODVoyageNumber         string    `attr:"pod_voyage_number,null"`
	DestinationLOCODE       string    `attr:"destination_locode,null"`
	DestinationName         string    `attr:"destination_name,null"`
	POLETD                  time.Time `attr:"pol_etd_at"`
	POLATD                  time.Time `attr:"pol_atd_at"`
	PODETA                  time.Time `attr:"pod_eta_at"`
	PODOriginalETA          time.Time `attr:"pod_original_eta_at"`
	PODATA                  time.Time `attr:"pod_ata_at"`
	DestinationETA          time.Time `attr:"destination_eta_at"`
	DestinationATA          time.Time `attr:"destination_ata_at"`
	POLTimezone             string    `attr:"pol_timezone,null"`
	PODTimezone             string    `attr:"pod_timezone,null"`
	DestinationTimezone     string    `attr:"destination_timezone,null"`
	LineTrackingAttemptedAt time.Time `attr:"line_tracking_last_attempted_at"`
	LineTrackingSucceededAt time.Time `attr:"line_tracking_last_succeeded_at"`
	LineTrackingStoppedAt   time.Time `attr:"line_tracking_stopped_at"`
	LineTrackingReason      reason    `attr:"line_tracking_stopped_reason,null"`

	Answered time.Time `private:"answered"`
}

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

func id(n byte) uuid.UUID {
	u := uuid.MustParse("5f0c1a52-0000-4000-8000-000000000000")
	u[15] = n
	return u
}

var sample = shipment{
	ID:              id(1),
	PortOfLading:    id(2),
	PortOfDischarge: id(3),
	Destination:     record.Ref{Type: "metro_area", ID: id(5)},
	Containers:      []uuid.UUID{id(4)},

	CreatedAt:               at("2026-01-05T08:00:00Z"),
	RefNumbers:              []string{"PO-9"},
	Tags:                    []string{"spring"},
	BillOfLadingNumber:      "ABCD77001",
	NormalizedNumber:        "77001",
	ShippingLineSCAC:        "ABCD",
	ShippingLineName:        "Example Line",
	ShippingLineShortName:   "Example",
	PortOfLadingLOCODE:      "CNSHG",
	PortOfLadingName:        "Shanghai",
	PortOfDischargeLOCODE:   "USOAK",
	PortOfDischargeName:     "Oakland",
	PODVesselName:           "EXAMPLE STAR",
	PODVesselIMO:            "9074729",
	PODVoyageNumber:         "12E",
	POLETD:                  at("2026-01-07T00:00:00Z"),
	PODETA:                  at("2026-01-24T15:00:00Z"),
	PODOriginalETA:          at("2026-01-22T15:00:00Z"),
	POLTimezone:             "Asia/Shanghai",
	PODTimezone:             "America/Los_Angeles",
	LineTrackingAttemptedAt: at("2026-01-06T00:00:00Z"),
	LineTrackingSucceededAt: at("2026-01-06T00:00:00Z"),

	Answered: at("2026-01-06T00:00:00.25Z"),
}

var shipments = record.For[shipment]("shipment")

const golden = `{"id":"5f0c1a52-0000-4000-8000-000000000001","type":"shipment",` +
	`"relationships":{` +
	`"port_of_lading":{"data":{"id":"5f0c1a52-0000-4000-8000-000000000002","type":"port"}},` +
	`"port_of_discharge":{"data":{"id":"5f0c1a52-0000-4000-8000-000000000003","type":"port"}},` +
	`"pod_terminal":{"data":null},` +
	`"destination":{"data":{"id":"5f0c1a52-0000-4000-8000-000000000005","type":"metro_area"}},` +
	`"destination_terminal":{"data":null},` +
	`"line_tracking_stopped_by_user":{"data":null},` +
	`"containers":{"data":[{"id":"5f0c1a52-0000-4000-8000-000000000004","type":"container"}]}},` +
	`"attributes":{"created_at":"2026-01-05T08:00:00Z","ref_numbers":["PO-9"],"tags":["spring"],` +
	`"bill_of_lading_number":"ABCD77001","normalized_number":"77001",` +
	`"shipping_line_scac":"ABCD","shipping_line_name":"Example Line","shipping_line_short_name":"Example",` +
	`"customer_name":null,` +
	`"port_of_lading_locode":"CNSHG","port_of_lading_name":"Shanghai",` +
	`"port_of_discharge_locode":"USOAK","port_of_discharge_name":"Oakland",` +
	`"pod_vessel_name":"EXAMPLE STAR","pod_vessel_imo":"9074729","pod_voyage_number":"12E",` +
	`"destination_locode":null,"destination_name":null,` +
	`"pol_etd_at":"2026-01-07T00:00:00Z","pol_atd_at":null,` +
	`"pod_eta_at":"2026-01-24T15:00:00Z","pod_original_eta_at":"2026-01-22T15:00:00Z","pod_ata_at":null,` +
	`"destination_eta_at":null,"destination_ata_at":null,` +
	`"pol_timezone":"Asia/Shanghai","pod_timezone":"America/Los_Angeles","destination_timezone":null,` +
	`"line_tracking_last_attempted_at":"2026-01-06T00:00:00Z","line_tracking_last_succeeded_at":"2026-01-06T00:00:00Z",` +
	`"line_tracking_stopped_at":null,"line_tracking_stopped_reason":null}}`

func TestGolden(t *testing.T) {
	doc, private := shipments.Encode(&sample)
	if string(doc) != golden {
		t.Errorf("document:\n got %s\nwant %s", doc, golden)
	}
	if got, want := string(private), `{"answered":"2026-01-06T00:00:00.25Z"}`; got != want {
		t.Errorf("private object: got %s, want %s", got, want)
	}
}

func BenchmarkEncode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		shipments.Encode(&sample)
	}
}

func BenchmarkDecode(b *testing.B) {
	doc, private := shipments.Encode(&sample)
	var v shipment
	b.ReportAllocs()
	for b.Loop() {
		if err := shipments.Decode(doc, private, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEachRef(b *testing.B) {
	doc, _ := shipments.Encode(&sample)
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		if err := record.EachRef(doc, func(_, _ []byte, _ uuid.UUID) { n++ }); err != nil || n == 0 {
			b.Fatal(n, err)
		}
	}
}

func BenchmarkSpliceRefs(b *testing.B) {
	doc, _ := shipments.Encode(&sample)
	ids := []uuid.UUID{id(7), id(8)}
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		out = record.SpliceRefs(out[:0], doc, "raw_events", "raw_event", ids)
	}
}

// span has a form in JSON by its members, and a binary one.
type span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (s *span) AppendBinary(b []byte) ([]byte, error) {
	return append(b, byte(s.From), byte(s.To)), nil
}

func (s *span) UnmarshalBinary(b []byte) error {
	if len(b) != 2 {
		return errors.New("two bytes")
	}
	s.From, s.To = int(b[0]), int(b[1])
	return nil
}

func TestPacked(t *testing.T) {
	type plain struct {
		From int `json:"from"`
		To   int `json:"to"`
	}
	type rec struct {
		ID    uuid.UUID `id:""`
		Shown span      `attr:"shown"`
		Kept  span      `private:"kept"`
	}
	type before struct {
		ID    uuid.UUID `id:""`
		Shown plain     `attr:"shown"`
		Kept  plain     `private:"kept"`
	}
	c, old := record.For[rec]("rec"), record.For[before]("rec")
	want := rec{Shown: span{1, 2}, Kept: span{3, 250}}
	doc, private := c.Encode(&want)
	if !strings.Contains(string(doc), `"shown":{"from":1,"to":2}`) || string(private) != `{"kept":"A/o"}` {
		t.Errorf("%s %s", doc, private)
	}
	var got rec
	if err := c.Decode(doc, private, &got); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	doc, private = old.Encode(&before{Shown: plain{1, 2}, Kept: plain{3, 250}})
	if err := c.Decode(doc, private, &got); err != nil || got != want {
		t.Errorf("the older form is read as %+v, %v", got, err)
	}
	if c.Revision() == old.Revision() {
		t.Error("records of the older form are not outdated")
	}
	for _, bad := range []string{`{"kept":"A"}`, `{"kept":"A/o="}`, `{"kept":"AAAA"}`, `{"kept":7}`} {
		if c.Decode(doc, []byte(bad), &got) == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

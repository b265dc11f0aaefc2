package tracking_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

var ctx = context.Background()

// voyage is a box from Shanghai to Los Angeles: what a source may know of it.
func voyage(number string) []tracking.Fact {
	at := func(day, hour int) tracking.Moment {
		return tracking.Moment{Time: time.Date(2026, 2, day, hour, 0, 0, 0, time.UTC)}
	}
	numbers := []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: number}}
	fact := func(id string, what freight.Activity, class freight.Classifier, m tracking.Moment, locode string) tracking.Fact {
		return tracking.Fact{
			ID: id, RecordedAt: m.Time, Activity: what, Classifier: class, At: m, Mode: freight.ByVessel, LoadStatus: freight.Laden,
			Place: tracking.Place{LOCODE: locode}, Containers: []string{"APZU4812090"}, Numbers: numbers,
			Vessel: tracking.VesselRef{IMO: "9321483", Name: "Test Star"}, Voyage: "12E",
		}
	}
	out := fact("out", freight.GateOut, freight.Actual, at(1, 8), "CNSHA")
	out.LoadStatus, out.Mode, out.Vessel, out.Voyage = freight.Empty, freight.ByTruck, tracking.VesselRef{}, ""
	eta := fact("eta", freight.Arrival, freight.Estimated, at(20, 4), "USLAX")
	eta.RecordedAt = at(3, 0).Time
	return []tracking.Fact{
		out,
		fact("load", freight.Loading, freight.Actual, at(4, 10), "CNSHA"),
		fact("depart", freight.Departure, freight.Actual, at(5, 2), "CNSHA"),
		eta,
	}
}

// arrival is what the line tells when the ship of voyage has arrived.
func arrival(number string) tracking.Fact {
	f := voyage(number)[3]
	f.ID, f.Classifier = "arrived", freight.Actual
	return recordedAtOnce(f)
}

// recordedAtOnce is a fact that was recorded when it happened: one that is recorded
// more than an hour before is no more than an estimate.
func recordedAtOnce(f tracking.Fact) tracking.Fact {
	f.RecordedAt = f.At.Time
	return f
}

func create(t *testing.T, b *trackingtest.Bench, n tracking.NewTrackingRequest) *tracking.TrackingRequest {
	t.Helper()
	r, err := b.CreateTrackingRequest(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func request(t *testing.T, b *trackingtest.Bench, id tracking.ID) *tracking.TrackingRequest {
	t.Helper()
	r, err := b.TrackingRequest(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func fails(reason tracking.FailedReason) trackingtest.Reply {
	return trackingtest.Reply{Err: &tracking.SourceError{Reason: reason}}
}

func TestRequestSucceeds(t *testing.T) {
	b := trackingtest.New(t)
	b.Source.Script("MAEU123456789", trackingtest.Reply{Facts: voyage("MAEU123456789")})
	party, err := b.CreateParty(ctx, tracking.NewParty{CompanyName: "Acme"})
	if err != nil {
		t.Fatal(err)
	}
	r := create(t, b, tracking.NewTrackingRequest{
		Number: " MAEU123456789 ", Type: tracking.BillOfLading, SCAC: "maeu",
		RefNumbers: []string{"PO-1"}, Tags: []string{"spring"}, Customer: party.ID,
	})
	if r.Status != tracking.RequestPending || r.SCAC != "MAEU" || r.RequestNumber != "MAEU123456789" {
		t.Fatalf("made %+v", r)
	}
	b.Settle()
	r = request(t, b, r.ID)
	if r.Status != tracking.RequestCreated || r.FailedReason != "" || r.IsRetrying {
		t.Fatalf("after the answer: %+v", r)
	}
	s, err := b.Shipment(ctx, r.TrackedObject)
	if err != nil {
		t.Fatal(err)
	}
	if s.BillOfLadingNumber != "MAEU123456789" || s.NormalizedNumber != "123456789" || s.ShippingLineName == "" ||
		s.CustomerName != "Acme" || s.Tags[0] != "spring" || s.RefNumbers[0] != "PO-1" || len(s.Containers) != 1 {
		t.Errorf("shipment: %+v", s)
	}
	if s.PortOfLadingLOCODE != "CNSHA" || s.POLTimezone != "Asia/Shanghai" || s.POLATDAt.IsZero() ||
		s.PortOfDischargeLOCODE != "USLAX" || s.PODETAAt.IsZero() || !s.PODOriginalETAAt.Equal(s.PODETAAt) {
		t.Errorf("journey: %+v", s)
	}
	c, err := b.Container(ctx, s.Containers[0])
	if err != nil {
		t.Fatal(err)
	}
	if c.CurrentStatus != freight.StatusOnShip || c.Number != "APZU4812090" || c.EmptyOutAt.IsZero() {
		t.Errorf("container: %+v", c)
	}
	if n := len(b.Announced()); n != 0 {
		t.Errorf("%d events announced; what happened before the request is history", n)
	}
	events, total, err := b.TransportEvents(ctx, tracking.TransportEventQuery{Container: c.ID, Invalidated: tracking.No}, tracking.Page{Number: 1, Size: 30})
	if err != nil || total != 3 || events[0].Event != freight.VesselDeparted {
		t.Errorf("%d events, %v", total, err)
	}
}

func TestLaterMilestonesAreAnnouncedOnce(t *testing.T) {
	b := trackingtest.New(t)
	known := voyage("B1")
	arrival := known[3]
	arrival.ID, arrival.Classifier, arrival.RecordedAt = "arrived", freight.Actual, time.Date(2026, 2, 20, 6, 0, 0, 0, time.UTC)
	b.Source.Script("B1", trackingtest.Reply{Facts: known}, trackingtest.Reply{Facts: append(known, arrival)})
	create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	b.Settle()
	b.Pass(24 * time.Hour)
	announced := b.Announced()
	if len(announced) != 1 || announced[0].Event != freight.VesselArrived {
		t.Fatalf("announced %v; everything learned later is announced, once, however old", announced)
	}
	heard := 0
	for _, a := range b.Announcements() {
		if a.Reference.ID == announced[0].ID && a.Event == freight.VesselArrived && a.Container == announced[0].Container {
			heard++
		}
	}
	if heard != 1 {
		t.Errorf("OnAnnounce heard of it %d times: %v", heard, b.Announcements())
	}
	if asked := len(b.Source.Asked()); asked != 2+18 {
		t.Errorf("asked %d times in a day; want the first, one after 6 hours, and hourly from then on, since it has arrived", asked)
	}
}

// TestRetrySchedule walks the published schedule: 14 retries, n^4 + 15 seconds
// apart, and then the request fails.
func TestRetrySchedule(t *testing.T) {
	b := trackingtest.New(t)
	b.Source.Script("B1", fails(freight.LineUnreachable))
	r := create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	b.Settle()
	total := time.Duration(0)
	for n := range 14 {
		r = request(t, b, r.ID)
		if r.Status != tracking.RequestPending || !r.IsRetrying || r.RetryCount != n+1 || r.FailedReason != freight.LineUnreachable {
			t.Fatalf("before retry %d: %+v", n, r)
		}
		delay := time.Duration(n*n*n*n+15) * time.Second
		total += delay
		b.Clock.Advance(delay - time.Second)
		b.Settle()
		if asked := len(b.Source.Asked()); asked != n+1 {
			t.Fatalf("retry %d came early", n)
		}
		b.Clock.Advance(time.Second)
		b.Settle()
		if asked := len(b.Source.Asked()); asked != n+2 {
			t.Fatalf("retry %d did not come: asked %d times", n, asked)
		}
	}
	r = request(t, b, r.ID)
	if r.Status != tracking.RequestFailed || r.FailedReason != freight.RetriesExhausted || r.IsRetrying || r.RetryCount != 14 {
		t.Errorf("after 14 retries: %+v", r)
	}
	if hours := total.Hours(); hours < 24.8 || hours > 25 {
		t.Errorf("the schedule takes %.1f hours", hours)
	}
}

func TestRequestOutcomes(t *testing.T) {
	week := 7 * 24 * time.Hour
	tests := []struct {
		name    string
		typ     tracking.RequestType
		replies []trackingtest.Reply
		pass    time.Duration
		status  tracking.RequestStatus
		reason  tracking.FailedReason
		asked   int
	}{
		{"found after two faults", tracking.BillOfLading, []trackingtest.Reply{fails(freight.LineUnreachable), fails(freight.UnrecognizedResponse), {Facts: voyage("B1")}}, time.Minute, tracking.RequestCreated, "", 3},
		{"not found yet", tracking.BillOfLading, []trackingtest.Reply{fails(freight.NumberNotFound)}, time.Hour, tracking.RequestAwaitingManifest, freight.NumberNotFound, 1},
		{"found on the third day", tracking.BookingNumber, []trackingtest.Reply{fails(freight.NumberNotFound), fails(freight.NumberNotFound), {Facts: voyage("B1")}}, 49 * time.Hour, tracking.RequestCreated, "", 3 + 0},
		{"an answer that holds nothing", tracking.BillOfLading, []trackingtest.Reply{{}, {Facts: voyage("B1")}}, 23 * time.Hour, tracking.RequestAwaitingManifest, freight.NumberNotFound, 1},
		{"never found", tracking.BillOfLading, []trackingtest.Reply{fails(freight.NumberNotFound)}, week, tracking.RequestFailed, freight.NumberNotFound, 7},
		{"container not found", tracking.ContainerNumber, []trackingtest.Reply{fails(freight.NumberNotFound)}, 0, tracking.RequestFailed, freight.NumberNotFound, 1},
		{"invalid number", tracking.BillOfLading, []trackingtest.Reply{fails(freight.InvalidNumber)}, 0, tracking.RequestFailed, freight.InvalidNumber, 1},
		{"booking cancelled", tracking.BookingNumber, []trackingtest.Reply{fails(freight.BookingCancelled)}, 0, tracking.RequestFailed, freight.BookingCancelled, 1},
		{"private", tracking.BillOfLading, []trackingtest.Reply{fails(freight.DataUnavailable)}, 0, tracking.RequestFailed, freight.DataUnavailable, 1},
		{"a fault without a reason", tracking.BillOfLading, []trackingtest.Reply{{Err: errors.New("connection refused")}, {Facts: voyage("B1")}}, time.Minute, tracking.RequestCreated, "", 2},
		{"an answer of the wrong shape", tracking.BillOfLading, []trackingtest.Reply{{Facts: []tracking.Fact{{Activity: "nonsense"}}}}, 0, tracking.RequestPending, freight.UnrecognizedResponse, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := trackingtest.New(t, func(c *tracking.Config) { c.RefreshEvery = 30 * 24 * time.Hour })
			b.Source.Script("B1", tt.replies...)
			r := create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tt.typ, SCAC: trackingtest.SCAC})
			b.Pass(tt.pass)
			r = request(t, b, r.ID)
			if r.Status != tt.status || r.FailedReason != tt.reason {
				t.Errorf("ended %s, %q; want %s, %q", r.Status, r.FailedReason, tt.status, tt.reason)
			}
			if asked := len(b.Source.Asked()); asked != tt.asked {
				t.Errorf("asked %d times, want %d", asked, tt.asked)
			}
		})
	}
}

func TestRequestWithoutSourceExpires(t *testing.T) {
	b := trackingtest.New(t)
	r := create(t, b, tracking.NewTrackingRequest{Number: "MEDUAB123456", Type: tracking.BillOfLading, SCAC: "MSCU"})
	b.Pass(7*24*time.Hour - time.Second)
	if r = request(t, b, r.ID); r.Status != tracking.RequestPending {
		t.Fatalf("a second before its week is over: %s", r.Status)
	}
	b.Pass(time.Second)
	if r = request(t, b, r.ID); r.Status != tracking.RequestFailed || r.FailedReason != freight.RequestExpired {
		t.Errorf("after a week: %s, %s", r.Status, r.FailedReason)
	}
}

func TestReportCompletesPendingRequest(t *testing.T) {
	b := trackingtest.New(t)
	r := create(t, b, tracking.NewTrackingRequest{Number: "MEDUAB123456", Type: tracking.BillOfLading, SCAC: "MSCU", Tags: []string{"x"}})
	if _, err := b.Ingest(ctx, tracking.Report{Source: "api", SCAC: "MSCU", Facts: voyage("MEDUAB123456")}); err != nil {
		t.Fatal(err)
	}
	r = request(t, b, r.ID)
	if r.Status != tracking.RequestCreated {
		t.Fatalf("request is %s", r.Status)
	}
	s, err := b.Shipment(ctx, r.TrackedObject)
	if err != nil || len(s.Tags) != 1 {
		t.Errorf("shipment %+v, %v", s, err)
	}
}

func TestRequestForKnownShipment(t *testing.T) {
	b := trackingtest.New(t)
	receipt, err := b.Ingest(ctx, tracking.Report{Source: "api", SCAC: "MSCU", Facts: voyage("MEDUAB123456")})
	if err != nil {
		t.Fatal(err)
	}
	r := create(t, b, tracking.NewTrackingRequest{Number: "MEDUAB123456", Type: tracking.BillOfLading, SCAC: "MSCU", RefNumbers: []string{"PO-7"}})
	if r.Status != tracking.RequestCreated || r.TrackedObject != receipt.ShipmentIDs[0] {
		t.Errorf("request %+v", r)
	}
	if s, _ := b.Shipment(ctx, r.TrackedObject); s == nil || len(s.RefNumbers) != 1 {
		t.Errorf("shipment %+v", s)
	}
}

func TestDuplicateRequest(t *testing.T) {
	b := trackingtest.New(t)
	first := create(t, b, tracking.NewTrackingRequest{Number: "MAEU123456789", Type: tracking.BillOfLading, SCAC: "MAEU"})
	_, err := b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "123456789", Type: tracking.BillOfLading, SCAC: "MAEU"})
	var e *tracking.Error
	if !errors.As(err, &e) || e.Code != "duplicate" || e.Field != "request_number" || e.Meta["tracking_request_id"] != first.ID.String() {
		t.Errorf("the same number without prefix: %+v", err)
	}
	b.Source.Script("MAEU123456789", fails(freight.InvalidNumber))
	b.Settle()
	create(t, b, tracking.NewTrackingRequest{Number: "MAEU123456789", Type: tracking.BillOfLading, SCAC: "MAEU"})
}

func TestDetectionByPrefix(t *testing.T) {
	b := trackingtest.New(t)
	b.Source.Script("MAEU123456789", trackingtest.Reply{Facts: voyage("MAEU123456789")})
	r := create(t, b, tracking.NewTrackingRequest{Number: "MAEU123456789", Type: tracking.BillOfLading})
	if r.SCAC != "" {
		t.Errorf("scac is %q before detection", r.SCAC)
	}
	again := create(t, b, tracking.NewTrackingRequest{Number: "MAEU123456789", Type: tracking.BillOfLading})
	unknown := create(t, b, tracking.NewTrackingRequest{Number: "99-XYZ-1", Type: tracking.BillOfLading, AutoDetect: true})
	b.Settle()
	if r = request(t, b, r.ID); r.SCAC != "MAEU" || r.Status != tracking.RequestCreated {
		t.Errorf("detected: %+v", r)
	}
	if again = request(t, b, again.ID); again.FailedReason != freight.DuplicateRequest || again.Status != tracking.RequestFailed {
		t.Errorf("detected a second time: %+v", again)
	}
	if unknown = request(t, b, unknown.ID); unknown.FailedReason != freight.SCACAutoDetectFailed || unknown.Status != tracking.RequestFailed {
		t.Errorf("not detected: %+v", unknown)
	}
}

func TestRequestFaults(t *testing.T) {
	b := trackingtest.New(t)
	long := make([]byte, 51)
	for i := range long {
		long[i] = '7'
	}
	tests := []struct {
		name        string
		n           tracking.NewTrackingRequest
		field, code string
	}{
		{"blank", tracking.NewTrackingRequest{Number: "  ", Type: tracking.BillOfLading, SCAC: "MAEU"}, "request_number", "blank"},
		{"long", tracking.NewTrackingRequest{Number: string(long), Type: tracking.BillOfLading, SCAC: "MAEU"}, "request_number", "too_long"},
		{"no letters", tracking.NewTrackingRequest{Number: "--", Type: tracking.BillOfLading, SCAC: "MAEU"}, "request_number", "invalid"},
		{"control character", tracking.NewTrackingRequest{Number: "A\x00B", Type: tracking.BillOfLading, SCAC: "MAEU"}, "request_number", "invalid"},
		{"type", tracking.NewTrackingRequest{Number: "B1", Type: "seal", SCAC: "MAEU"}, "request_type", "inclusion"},
		{"unknown line", tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: "XXXX"}, "scac", "not_recognized"},
		{"sandbox not configured", tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: "TEST"}, "scac", "not_recognized"},
		{"kind not supported", tracking.NewTrackingRequest{Number: "B1", Type: tracking.ContainerNumber, SCAC: "COSU"}, "scac", "not_supported"},
		{"customer", tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: "MAEU", Customer: tracking.ID{1}}, "relationships/customer", "not_found"},
		{"tags", tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: "MAEU", Tags: []string{"a", "a"}}, "tags", "taken"},
	}
	for _, tt := range tests {
		_, err := b.CreateTrackingRequest(ctx, tt.n)
		var e *tracking.Error
		if !errors.As(err, &e) || e.Field != tt.field || e.Code != tt.code || e.Kind != tracking.Invalid {
			t.Errorf("%s: %+v", tt.name, err)
		}
	}
	if _, total, _ := b.TrackingRequests(ctx, tracking.TrackingRequestQuery{}, tracking.Page{Number: 1, Size: 1}); total != 0 {
		t.Errorf("%d requests were made all the same", total)
	}
}

func TestStopAndResume(t *testing.T) {
	b := trackingtest.New(t)
	b.Source.Script("B1", trackingtest.Reply{Facts: voyage("B1")})
	r := create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	b.Settle()
	s, err := b.StopTracking(ctx, request(t, b, r.ID).TrackedObject)
	if err != nil || s.LineTrackingStoppedReason != tracking.StoppedByUser || !s.LineTrackingStoppedAt.Equal(b.Clock.Now()) {
		t.Fatalf("stopped: %+v, %v", s, err)
	}
	if got := request(t, b, r.ID).Status; got != tracking.RequestStopped {
		t.Errorf("request is %s", got)
	}
	b.Clock.Advance(time.Hour)
	if again, _ := b.StopTracking(ctx, s.ID); again.Version != s.Version {
		t.Error("stopping again changed the shipment")
	}
	b.Pass(48 * time.Hour)
	if asked := len(b.Source.Asked()); asked != 1 {
		t.Errorf("a stopped shipment was refreshed: asked %d times", asked)
	}
	if _, err := b.Ingest(ctx, tracking.Report{Source: "api", SCAC: trackingtest.SCAC, Facts: []tracking.Fact{arrival("B1")}}); err != nil {
		t.Fatal(err)
	}
	if s, _ = b.Shipment(ctx, s.ID); s.PODATAAt.IsZero() || len(b.Announced()) != 0 {
		t.Errorf("facts for a stopped shipment are derived and not announced: %v, %d", s.PODATAAt, len(b.Announced()))
	}
	s, err = b.ResumeTracking(ctx, s.ID)
	if err != nil || !s.LineTrackingStoppedAt.IsZero() || s.LineTrackingStoppedReason != "" {
		t.Fatalf("resumed: %+v, %v", s, err)
	}
	if got := request(t, b, r.ID).Status; got != tracking.RequestCreated {
		t.Errorf("request is %s", got)
	}
	b.Settle()
	if asked := len(b.Source.Asked()); asked != 2 {
		t.Errorf("resuming asks at once: asked %d times", asked)
	}
}

func TestRequestWithoutLineForKnownShipment(t *testing.T) {
	b := trackingtest.New(t)
	receipt := ingest(t, b, api(voyage("987654321")...))
	r := create(t, b, tracking.NewTrackingRequest{Number: "987654321", Type: tracking.BillOfLading})
	if r.Status != tracking.RequestCreated || r.TrackedObject != receipt.ShipmentIDs[0] || r.SCAC != "MAEU" {
		t.Errorf("request %+v", r)
	}
}

// TestRunWithoutSourcesLosesNothing runs the work once in a process that has no
// sources, as an operator may who leaves a flag out.
func TestRunWithoutSourcesLosesNothing(t *testing.T) {
	b := trackingtest.New(t)
	b.Source.Script("B1", trackingtest.Reply{Facts: voyage("B1")})
	create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	b.Settle()
	bare, err := tracking.New(tracking.Config{Store: b.Store, Clock: b.Clock})
	if err != nil {
		t.Fatal(err)
	}
	create(t, b, tracking.NewTrackingRequest{Number: "B2", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	b.Source.Script("B2", trackingtest.Reply{Facts: voyage("B2")})
	b.Clock.Advance(7 * time.Hour)
	if _, err := bare.RunOnce(ctx); err != nil {
		t.Fatal(err)
	}
	asked := len(b.Source.Asked())
	b.Pass(7 * time.Hour)
	numbers := map[string]bool{}
	for _, q := range b.Source.Asked()[asked:] {
		numbers[q.Number] = true
	}
	if !numbers["B1"] || !numbers["B2"] {
		t.Errorf("asked about %v once the source was back", numbers)
	}
}

// The line that a request names becomes the line of a shipment that has none.
func TestRequestBringsTheLine(t *testing.T) {
	b := trackingtest.New(t)
	id := ingest(t, b, unlined(voyage("B1")...)).ShipmentIDs[0]
	b.Source.Script("B1", trackingtest.Reply{Facts: voyage("B1")})
	r := create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: "MAEU"})
	if r.SCAC != "MAEU" || r.Status != tracking.RequestCreated || r.TrackedObject != id {
		t.Errorf("the request: %+v", r)
	}
	if s := shipment(t, b, id); s.ShippingLineSCAC != "MAEU" {
		t.Errorf("the line is %q", s.ShippingLineSCAC)
	}
	b.Settle()
	if n := len(b.Source.Asked()); n != 1 {
		t.Errorf("its source was asked %d times", n)
	}
	if _, err := b.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: "MAEU"}); !isKind(err, tracking.Invalid) {
		t.Errorf("the same again: %v", err)
	}
}

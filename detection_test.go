package tracking_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// askedLines is a set of scripted sources that notes whom was asked, in order.
type askedLines struct {
	sources map[string]*trackingtest.Source
	asked   []string
}

func (a *askedLines) option(c *tracking.Config) {
	c.Sources = tracking.Sources{}
	for scac, s := range a.sources {
		c.Sources[scac] = notedSource{a, s}
	}
	c.RefreshEvery = 30 * 24 * time.Hour
}

type notedSource struct {
	lines *askedLines
	*trackingtest.Source
}

func (s notedSource) Track(ctx context.Context, q tracking.SourceQuery) (tracking.Answer, error) {
	s.lines.asked = append(s.lines.asked, q.SCAC)
	return s.Source.Track(ctx, q)
}

// scripted are lines that answer about one number. A line without replies does
// not know it.
func scripted(number string, replies map[string][]trackingtest.Reply) *askedLines {
	a := &askedLines{sources: map[string]*trackingtest.Source{}}
	for scac, r := range replies {
		a.sources[scac] = &trackingtest.Source{}
		if len(r) > 0 {
			a.sources[scac].Script(number, r...)
		}
	}
	return a
}

// boxed is a voyage of a box, as its carrier tells it.
func boxed(number string) []tracking.Fact {
	facts := voyage("987654321")
	for i := range facts {
		facts[i].Containers = []string{number}
	}
	return facts
}

type replies = map[string][]trackingtest.Reply

// TestDetectionAsksTheCandidates: 1234567890 may be a number of COSCO, Matson or
// OOCL; nobody answers for Matson.
func TestDetectionAsksTheCandidates(t *testing.T) {
	const (
		shared    = "1234567890"
		container = "MRKU9465770"
		leased    = "TCLU6718159"
		day       = 24 * time.Hour
	)
	found := trackingtest.Reply{Facts: voyage(shared)}
	again := func(n int, r trackingtest.Reply) (list []trackingtest.Reply) {
		for range n {
			list = append(list, r)
		}
		return list
	}
	tests := []struct {
		name    string
		number  string
		typ     tracking.RequestType
		replies replies
		pass    time.Duration
		status  tracking.RequestStatus
		reason  tracking.FailedReason
		scac    string
		asked   string
	}{
		{"the first knows it", shared, tracking.BillOfLading, replies{"COSU": {found}, "OOLU": {found}}, 0, tracking.RequestCreated, "", "COSU", "COSU"},
		{"the second knows it", shared, tracking.BillOfLading, replies{"COSU": nil, "OOLU": {found}}, 0, tracking.RequestCreated, "", "OOLU", "COSU OOLU"},
		{"to the first it is no number", shared, tracking.BillOfLading, replies{"COSU": {fails(freight.InvalidNumber)}, "OOLU": {found}}, 0, tracking.RequestCreated, "", "OOLU", "COSU OOLU"},
		{"the first answers without facts", shared, tracking.BillOfLading, replies{"COSU": {{}}, "OOLU": {found}}, 0, tracking.RequestCreated, "", "OOLU", "COSU OOLU"},
		{"the first answers about something else", shared, tracking.BillOfLading, replies{"COSU": {{Facts: voyage("9876543210")}}, "OOLU": {found}}, time.Hour, tracking.RequestCreated, "", "OOLU", strings.Repeat("COSU ", 8) + "OOLU"},
		{"the first answers after a fault", shared, tracking.BillOfLading, replies{"COSU": {fails(freight.LineUnreachable), found}, "OOLU": {found}}, time.Minute, tracking.RequestCreated, "", "COSU", "COSU COSU"},
		{"the first does not answer", shared, tracking.BillOfLading, replies{"COSU": {fails(freight.LineUnreachable)}, "OOLU": {found}}, time.Hour, tracking.RequestCreated, "", "OOLU", strings.Repeat("COSU ", 8) + "OOLU"},
		{"known, and cancelled", shared, tracking.BookingNumber, replies{"COSU": {fails(freight.BookingCancelled)}, "OOLU": {found}}, 0, tracking.RequestFailed, freight.BookingCancelled, "COSU", "COSU"},
		{"nobody knows it yet", shared, tracking.BillOfLading, replies{"COSU": nil, "OOLU": nil}, day - time.Second, tracking.RequestAwaitingManifest, freight.NumberNotFound, "", "COSU OOLU"},
		{"known a day later", shared, tracking.BillOfLading, replies{"COSU": nil, "OOLU": {fails(freight.NumberNotFound), found}}, day, tracking.RequestCreated, "", "OOLU", "COSU OOLU COSU OOLU"},
		{"nobody ever knows it", shared, tracking.BillOfLading, replies{"COSU": nil, "OOLU": nil}, 7 * day, tracking.RequestFailed, freight.SCACAutoDetectFailed, "", "COSU OOLU COSU OOLU COSU OOLU"},
		{"nobody knows the box", container, tracking.ContainerNumber, replies{"MAEU": nil, "OOLU": nil}, 0, tracking.RequestFailed, freight.SCACAutoDetectFailed, "", "MAEU"},
		{"the owner of the box does not answer at first", container, tracking.ContainerNumber, replies{"MAEU": append(again(8, fails(freight.LineUnreachable)), trackingtest.Reply{Facts: boxed(container)})}, 2 * day, tracking.RequestCreated, "", "MAEU", strings.Repeat("MAEU ", 9)},
		{"the box of a feeder line, for which nobody was asked before", "SITU9130070", tracking.ContainerNumber, replies{"SITU": {{Facts: boxed("SITU9130070")}}, "MAEU": nil}, 0, tracking.RequestCreated, "", "SITU", "SITU"},
		{"a house bill", "EXDO621128151", tracking.BillOfLading, replies{"MAEU": {found}}, 0, tracking.RequestFailed, freight.SCACAutoDetectFailed, "", ""},
		{"the box of a lessor", leased, tracking.ContainerNumber, replies{"MAEU": {found}}, 0, tracking.RequestFailed, freight.SCACAutoDetectFailed, "", ""},
		{"nobody answers for the candidates", shared, tracking.BillOfLading, replies{"MAEU": {found}}, 0, tracking.RequestFailed, freight.SCACAutoDetectFailed, "", ""},
		{"certain, and nobody answers for it", "MEDUFR030802", tracking.BillOfLading, replies{"MAEU": {found}}, day, tracking.RequestPending, "", "MSCU", ""},
		{"certain, and not known yet", "MAEU123456789", tracking.BillOfLading, replies{"MAEU": nil}, 0, tracking.RequestAwaitingManifest, freight.NumberNotFound, "MAEU", "MAEU"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := scripted(tt.number, tt.replies)
			b := trackingtest.New(t, a.option)
			r := create(t, b, tracking.NewTrackingRequest{Number: tt.number, Type: tt.typ})
			b.Pass(tt.pass)
			r = request(t, b, r.ID)
			if r.Status != tt.status || r.FailedReason != tt.reason || r.SCAC != tt.scac {
				t.Errorf("ended %s, %q, line %q; want %s, %q, %q", r.Status, r.FailedReason, r.SCAC, tt.status, tt.reason, tt.scac)
			}
			if asked := strings.Join(a.asked, " "); asked != strings.TrimSpace(tt.asked) {
				t.Errorf("asked %s; want %s", asked, tt.asked)
			}
			if tt.status == tracking.RequestCreated {
				if s, err := b.Shipment(ctx, r.TrackedObject); err != nil || s.ShippingLineSCAC != tt.scac {
					t.Errorf("shipment %+v, %v", s, err)
				}
			}
		})
	}
}

// TestDetectionShowsItsTries: what a user sees while a candidate does not answer.
func TestDetectionShowsItsTries(t *testing.T) {
	a := scripted("1234567890", replies{"COSU": {fails(freight.LineUnreachable)}, "OOLU": {fails(freight.LineUnreachable)}})
	b := trackingtest.New(t, a.option)
	r := create(t, b, tracking.NewTrackingRequest{Number: "1234567890", Type: tracking.BillOfLading})
	b.Settle()
	if r = request(t, b, r.ID); r.Status != tracking.RequestPending || !r.IsRetrying || r.RetryCount != 1 || r.FailedReason != freight.LineUnreachable || r.SCAC != "" {
		t.Errorf("after one try: %+v", r)
	}
	b.Pass(2 * time.Hour)
	if r = request(t, b, r.ID); r.Status != tracking.RequestPending || !r.IsRetrying || r.RetryCount != 14 {
		t.Errorf("after a round: %+v", r)
	}
	b.Pass(3 * 24 * time.Hour)
	if r = request(t, b, r.ID); r.Status != tracking.RequestFailed || r.FailedReason != freight.SCACAutoDetectFailed || r.IsRetrying || r.RetryCount != 42 {
		t.Errorf("at the end: %+v", r)
	}
}

// TestDetectionAnnounces that a request waits once, however many rounds it takes.
func TestDetectionAnnounces(t *testing.T) {
	unknown := fails(freight.NumberNotFound)
	for _, tt := range []struct {
		name string
		oocl []trackingtest.Reply
		want []tracking.EventName
	}{
		{"never known", nil, []tracking.EventName{freight.TrackingRequestAwaitingManifest, freight.TrackingRequestFailed}},
		{"known in the third round", []trackingtest.Reply{unknown, unknown, {Facts: voyage("1234567890")}}, []tracking.EventName{freight.TrackingRequestAwaitingManifest, freight.TrackingRequestSucceeded}},
		{"silent throughout", []trackingtest.Reply{fails(freight.LineUnreachable)}, []tracking.EventName{freight.TrackingRequestFailed}},
	} {
		a := scripted("1234567890", replies{"COSU": nil, "OOLU": tt.oocl})
		b := trackingtest.New(t, a.option)
		create(t, b, tracking.NewTrackingRequest{Number: "1234567890", Type: tracking.BillOfLading})
		b.Pass(4 * 24 * time.Hour)
		var told []tracking.EventName
		for _, announcement := range b.Announcements() {
			if strings.HasPrefix(string(announcement.Event), "tracking_request.") {
				told = append(told, announcement.Event)
			}
		}
		if !slices.Equal(told, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, told, tt.want)
		}
	}
}

// TestDetectionFindsTheSecondRequest: that another request follows the number is
// known only once the line is.
func TestDetectionFindsTheSecondRequest(t *testing.T) {
	a := scripted("1234567890", replies{"COSU": nil, "OOLU": {fails(freight.LineUnreachable), {Facts: voyage("1234567890")}}})
	b := trackingtest.New(t, a.option)
	first := create(t, b, tracking.NewTrackingRequest{Number: "1234567890", Type: tracking.BillOfLading, SCAC: "OOLU"})
	b.Settle()
	second := create(t, b, tracking.NewTrackingRequest{Number: "1234567890", Type: tracking.BillOfLading})
	b.Settle()
	if second = request(t, b, second.ID); second.Status != tracking.RequestFailed || second.FailedReason != freight.DuplicateRequest || second.SCAC != "OOLU" {
		t.Errorf("the second: %+v", second)
	}
	b.Pass(time.Minute)
	if first = request(t, b, first.ID); first.Status != tracking.RequestCreated {
		t.Errorf("the first: %+v", first)
	}
	if _, total, _ := b.Shipments(ctx, tracking.ShipmentQuery{}, tracking.Page{Number: 1, Size: 1}); total != 1 {
		t.Errorf("%d shipments", total)
	}
}

// TestReportEndsDetection: facts that come by another way settle the line.
func TestReportEndsDetection(t *testing.T) {
	a := scripted("1234567890", replies{"COSU": nil})
	b := trackingtest.New(t, a.option)
	r := create(t, b, tracking.NewTrackingRequest{Number: "1234567890", Type: tracking.BillOfLading})
	b.Settle()
	receipt, err := b.Ingest(ctx, tracking.Report{Source: "api", SCAC: "MATS", Facts: voyage("1234567890")})
	if err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if r = request(t, b, r.ID); r.Status != tracking.RequestCreated || r.SCAC != "MATS" || r.TrackedObject != receipt.ShipmentIDs[0] {
		t.Errorf("request %+v", r)
	}
}

// TestDetectionMendsTheType of a number that leaves no doubt, and of no other.
func TestDetectionMendsTheType(t *testing.T) {
	for _, tt := range []struct {
		number      string
		given, want tracking.RequestType
		facts       []tracking.Fact
	}{
		{"MRKU9465770", tracking.BillOfLading, tracking.ContainerNumber, boxed("MRKU9465770")},
		{"MRKU9465771", tracking.BillOfLading, tracking.BillOfLading, voyage("MRKU9465771")}, // no container's check digit
		{"MAEU123456789", tracking.ContainerNumber, tracking.BillOfLading, voyage("MAEU123456789")},
		{"MAEU123456789", tracking.BookingNumber, tracking.BookingNumber, voyage("MAEU123456789")},
		{"123456789", tracking.BookingNumber, tracking.BookingNumber, voyage("123456789")},
	} {
		a := scripted(tt.number, replies{"MAEU": {{Facts: tt.facts}}})
		b := trackingtest.New(t, a.option)
		r := create(t, b, tracking.NewTrackingRequest{Number: tt.number, Type: tt.given})
		b.Settle()
		if r = request(t, b, r.ID); r.RequestType != tt.want || r.Status != tracking.RequestCreated {
			t.Errorf("%s as %s: %s, %s %s", tt.number, tt.given, r.RequestType, r.Status, r.FailedReason)
		}
	}
}

// TestDetectionGoesOnElsewhere: a process without the source of the line that is
// asked at present passes on to the next.
func TestDetectionGoesOnElsewhere(t *testing.T) {
	a := scripted("1234567890", replies{"COSU": {fails(freight.LineUnreachable)}, "OOLU": {{Facts: voyage("1234567890")}}})
	b := trackingtest.New(t, a.option)
	r := create(t, b, tracking.NewTrackingRequest{Number: "1234567890", Type: tracking.BillOfLading})
	b.Settle()
	delete(a.sources, "COSU")
	config := tracking.Config{Store: b.Store, Clock: b.Clock, Workers: 1}
	a.option(&config)
	other, err := tracking.New(config)
	if err != nil {
		t.Fatal(err)
	}
	b.Clock.Advance(time.Hour)
	for range 2 { // it passes on; it asks
		if _, err := other.RunOnce(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if r = request(t, b, r.ID); r.Status != tracking.RequestCreated || r.SCAC != "OOLU" {
		t.Errorf("request %+v", r)
	}
}

// TestReportWhileALineIsAskedAgain: a report that settles the line ends the
// search at once, and one that does not puts no question before its time.
func TestReportWhileALineIsAskedAgain(t *testing.T) {
	const number = "1234567890"
	busy := trackingtest.Reply{Err: &tracking.SourceError{Reason: freight.LineUnreachable, RetryAfter: time.Hour}}
	for _, tt := range []struct {
		name  string
		reply trackingtest.Reply
		next  time.Duration // from the first question to the second
	}{
		{"it is tried again", fails(freight.LineUnreachable), 15 * time.Second},
		{"it wants to be left alone", busy, time.Hour},
		{"between two rounds", fails(freight.NumberNotFound), day},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := scripted(number, replies{"COSU": {tt.reply}})
			b := trackingtest.New(t, a.option)
			r := create(t, b, tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading})
			b.Settle()
			for i := range 3 {
				ingest(t, b, unlined(about(string(rune('a'+i)), bill(number))))
				b.Settle()
			}
			b.Pass(tt.next - time.Second)
			if len(a.asked) != 1 {
				t.Errorf("reports without a line had %v asked", a.asked)
			}
			b.Pass(time.Second)
			if len(a.asked) != 2 {
				t.Errorf("in its time: asked %v", a.asked)
			}
			ingest(t, b, tracking.Report{Source: "api", SCAC: "MATS", Facts: voyage(number)})
			b.Settle()
			if r = request(t, b, r.ID); r.Status != tracking.RequestCreated || r.SCAC != "MATS" || len(a.asked) != 2 {
				t.Errorf("after the report of a line: %s, %q, asked %v", r.Status, r.SCAC, a.asked)
			}
		})
	}
}

// TestReportDuringTheLastQuestion: what the account is told while the last line
// is asked in the last round counts before its no.
func TestReportDuringTheLastQuestion(t *testing.T) {
	const number, last = "1234567890", 3
	for _, reason := range []tracking.FailedReason{freight.NumberNotFound, freight.LineUnreachable, freight.BookingCancelled} {
		var b *trackingtest.Bench
		asked := 0
		source := ask(func(context.Context, tracking.SourceQuery) (tracking.Answer, error) {
			if asked++; asked < last {
				return tracking.Answer{}, &tracking.SourceError{Reason: freight.NumberNotFound}
			}
			ingest(t, b, tracking.Report{Source: "api", SCAC: "MATS", Facts: voyage(number)})
			return tracking.Answer{}, &tracking.SourceError{Reason: reason}
		})
		b = trackingtest.New(t, func(c *tracking.Config) { c.Sources = tracking.Sources{"COSU": source} })
		r := create(t, b, tracking.NewTrackingRequest{Number: number, Type: tracking.BillOfLading})
		b.Pass(2 * day)
		if r = request(t, b, r.ID); r.Status != tracking.RequestCreated || r.SCAC != "MATS" || asked != last {
			t.Errorf("%s: %s, %q, %q after %d questions", reason, r.Status, r.SCAC, r.FailedReason, asked)
		}
	}
}

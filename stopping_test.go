package tracking_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/store"
	"github.com/landfallhq/tracking/trackingtest"
)

const day = 24 * time.Hour

// told is a fact about the box of voyage, so many days after Start.
func told(id string, what freight.Activity, locode string, load freight.LoadStatus, after time.Duration) tracking.Fact {
	at := trackingtest.Start.Add(after)
	return tracking.Fact{
		ID: id, RecordedAt: at, Activity: what, Classifier: freight.Actual, At: tracking.Moment{Time: at}, Mode: freight.ByVessel, LoadStatus: load,
		Place: tracking.Place{LOCODE: locode}, Containers: []string{"APZU4812090"}, Numbers: []tracking.ShipmentNumber{bill("B1")},
	}
}

// follow has B1 followed, with these facts as the first answer and every one
// after it, and returns its shipment.
func follow(t *testing.T, b *trackingtest.Bench, facts ...tracking.Fact) tracking.ID {
	t.Helper()
	b.Source.Script("B1", trackingtest.Reply{Facts: facts})
	r := create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	b.Settle()
	return request(t, b, r.ID).TrackedObject
}

func shipment(t *testing.T, b *trackingtest.Bench, id tracking.ID) *tracking.Shipment {
	t.Helper()
	s, err := b.Shipment(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// heard counts the announcements of an event.
func heard(b *trackingtest.Bench, event tracking.EventName) (n int) {
	for _, a := range b.Announcements() {
		if a.Event == event {
			n++
		}
	}
	return n
}

// TestStops follows a shipment up to the second before each reason, and to it.
func TestStops(t *testing.T) {
	arrived := append(voyage("B1"), told("arrived", freight.Arrival, "USLAX", freight.Laden, -10*day))
	out := append(arrived, told("picked up", freight.GateOut, "USLAX", freight.Laden, -5*day))
	hand := func(f tracking.Fact) func(*testing.T, *trackingtest.Bench) {
		return func(t *testing.T, b *trackingtest.Bench) { ingest(t, b, api(f)) }
	}
	tests := []struct {
		reason tracking.StoppedReason
		known  []tracking.Fact
		// after is when it stops by itself, act what stops it.
		after time.Duration
		act   func(*testing.T, *trackingtest.Bench)
	}{
		{tracking.StoppedAllContainersTerminated, out, 0, hand(told("empty", freight.GateIn, "USLAX", freight.Empty, 0))},
		{tracking.StoppedPastArrival, arrived, 46 * day, nil},
		{tracking.StoppedPastFullOut, out, 51 * day, nil},
		{tracking.StoppedNoUpdates, voyage("B1"), 56 * day, nil},
		{tracking.StoppedBookingCancelled, voyage("B1")[:1], 0, hand(told("cancelled", freight.Cancelled, "", "", 0))},
		{tracking.StoppedBookingCancelled, voyage("B1")[:1], 6 * time.Hour, func(_ *testing.T, b *trackingtest.Bench) {
			b.Source.Script("B1", fails(freight.BookingCancelled))
		}},
		{tracking.StoppedAccountClosed, voyage("B1"), 0, func(t *testing.T, b *trackingtest.Bench) {
			if n, err := b.Operator.CloseAccount(ctx, "test"); n != 1 || err != nil {
				t.Errorf("CloseAccount: %d, %v", n, err)
			}
		}},
		{tracking.StoppedByUser, voyage("B1"), 0, func(t *testing.T, b *trackingtest.Bench) {
			if _, err := b.StopTracking(ctx, allShipments(t, b)[0].ID); err != nil {
				t.Error(err)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(string(tt.reason), func(t *testing.T) {
			b := trackingtest.New(t)
			user, err := b.Users().Create(ctx, tracking.NewUser{Name: "Kim", Email: "kim@example.com"})
			if err != nil {
				t.Fatal(err)
			}
			b.Tracker = b.Operator.For(tracking.Actor{Account: b.Account.Scope(), User: user.ID})
			id := follow(t, b, tt.known...)
			if tt.act != nil {
				tt.act(t, b)
			}
			if tt.after > 0 {
				b.Pass(tt.after - time.Second)
				if s := shipment(t, b, id); s.LineTrackingStoppedReason != "" {
					t.Fatalf("a second before: stopped at %s for %q", s.LineTrackingStoppedAt, s.LineTrackingStoppedReason)
				}
				b.Pass(time.Second)
			}
			s := shipment(t, b, id)
			if s.LineTrackingStoppedReason != tt.reason || !s.LineTrackingStoppedAt.Equal(b.Clock.Now()) {
				t.Fatalf("at %s: stopped at %s for %q", b.Clock.Now(), s.LineTrackingStoppedAt, s.LineTrackingStoppedReason)
			}
			if byUser := s.LineTrackingStoppedBy == user.ID; byUser != (tt.reason == tracking.StoppedByUser) || !byUser && s.LineTrackingStoppedBy != (tracking.ID{}) {
				t.Errorf("stopped by %s", s.LineTrackingStoppedBy)
			}
			for _, r := range requests(t, b) {
				if r.Status != tracking.RequestStopped {
					t.Errorf("request is %s", r.Status)
				}
			}
			asked := len(b.Source.Asked())
			b.Pass(60 * day)
			if n := len(b.Source.Asked()); n != asked {
				t.Errorf("asked %d times more", n-asked)
			}
			list := withoutExceptions(b.Announcements())
			last := list[len(list)-1]
			if n := heard(b, freight.TrackingRequestStopped); n != 1 || last.Event != freight.TrackingRequestStopped ||
				last.Shipment != id || last.Reference.Type != "tracking_request" || last.Reference.ID != requests(t, b)[0].ID {
				t.Errorf("tracking_stopped was announced %d times; the last event is %+v", n, last)
			}
		})
	}
}

// A shipment that nobody can be asked about has its windows too.
func TestStopsWithoutSource(t *testing.T) {
	b := trackingtest.New(t)
	id := ingest(t, b, tracking.Report{Source: "api", Facts: voyage("B1")}).ShipmentIDs[0]
	b.Pass(20 * day)
	news := told("more", freight.Other, "", "", 20*day)
	ingest(t, b, tracking.Report{Source: "api", Facts: []tracking.Fact{news}})
	b.Pass(56*day - time.Second)
	ingest(t, b, tracking.Report{Source: "api", Facts: []tracking.Fact{news}}) // which is nothing new
	if s := shipment(t, b, id); s.LineTrackingStoppedReason != "" {
		t.Fatalf("stopped too early: %+v", s)
	}
	b.Pass(time.Second)
	if s := shipment(t, b, id); s.LineTrackingStoppedReason != tracking.StoppedNoUpdates {
		t.Errorf("reason %q", s.LineTrackingStoppedReason)
	}
	if _, err := b.ResumeTracking(ctx, id); err != nil {
		t.Fatal(err)
	}
	b.Pass(56*day - time.Second)
	if s := shipment(t, b, id); s.LineTrackingStoppedReason != "" {
		t.Errorf("resumed, and stopped for %q after less than another 56 days", s.LineTrackingStoppedReason)
	}
	b.Pass(time.Second)
	if s := shipment(t, b, id); s.LineTrackingStoppedReason != tracking.StoppedNoUpdates {
		t.Errorf("resumed, and followed for ever")
	}
}

// TestRequestEvents: each end of a request is announced once, and the wait for a
// manifest the first time alone.
func TestRequestEvents(t *testing.T) {
	const awaiting, succeeded, failed = freight.TrackingRequestAwaitingManifest, freight.TrackingRequestSucceeded, freight.TrackingRequestFailed
	soon := fails(freight.NumberNotFound)
	for _, tt := range []struct {
		name    string
		replies []trackingtest.Reply
		pass    time.Duration
		want    []tracking.EventName
	}{
		{"found", []trackingtest.Reply{{Facts: voyage("B1")}}, 3 * day, []tracking.EventName{succeeded}},
		{"found after a while", []trackingtest.Reply{soon, fails(freight.LineUnreachable), soon, {Facts: voyage("B1")}}, 4 * day, []tracking.EventName{awaiting, succeeded}},
		{"never found", []trackingtest.Reply{soon}, 8 * day, []tracking.EventName{awaiting, failed}},
		{"refused", []trackingtest.Reply{fails(freight.InvalidNumber)}, 8 * day, []tracking.EventName{failed}},
		{"unreachable so far", []trackingtest.Reply{fails(freight.LineUnreachable)}, time.Hour, nil},
		{"unreachable", []trackingtest.Reply{fails(freight.LineUnreachable)}, 8 * day, []tracking.EventName{failed}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := trackingtest.New(t)
			b.Source.Script("B1", tt.replies...)
			r := create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
			b.Pass(tt.pass)
			var got []tracking.EventName
			for i, a := range b.Announcements() {
				if a.Reference.Type != "tracking_request" {
					continue
				}
				got = append(got, a.Event)
				if a.Reference.ID != r.ID || (a.Event == succeeded) != (a.Shipment != tracking.ID{}) {
					t.Errorf("%+v", a)
				}
				if a.Event == succeeded && i != len(got)-1 {
					t.Errorf("%s is not the first event of its transaction: %v", succeeded, b.Announcements())
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("announced %v, want %v", got, tt.want)
			}
		})
	}
}

// A request that waits is answered by a silent report too, and by a shipment
// that is there; both are announced.
func TestRequestEventsWithoutAnAnswer(t *testing.T) {
	b := trackingtest.New(t)
	create(t, b, tracking.NewTrackingRequest{Number: "MEDU1", Type: tracking.BillOfLading, SCAC: "MSCU"})
	ingest(t, b, tracking.Report{Source: "api", SCAC: "MSCU", Silent: true, Facts: voyage("MEDU1")})
	if n := heard(b, freight.TrackingRequestSucceeded); n != 1 || len(b.Announcements()) != 1 {
		t.Errorf("announced by a silent report: %v", b.Announcements())
	}
	ingest(t, b, tracking.Report{Source: "api", SCAC: "MSCU", Silent: true, Facts: voyage("MEDU2")})
	create(t, b, tracking.NewTrackingRequest{Number: "MEDU2", Type: tracking.BillOfLading, SCAC: "MSCU"})
	if n := heard(b, freight.TrackingRequestSucceeded); n != 2 {
		t.Errorf("announced %d times", n)
	}
}

// A cancelled number does not stop a box that is on its way: it is some other
// booking's.
func TestCancelledAfterDeparture(t *testing.T) {
	b := trackingtest.New(t)
	id := follow(t, b, voyage("B1")...)
	b.Source.Script("B1", fails(freight.BookingCancelled))
	b.Pass(day)
	if s := shipment(t, b, id); s.LineTrackingStoppedReason != "" || s.LineTrackingFailedReason != freight.BookingCancelled {
		t.Errorf("stopped for %q, last failure %q", s.LineTrackingStoppedReason, s.LineTrackingFailedReason)
	}
}

// After a resume the windows begin again, and a shipment whose containers are all
// returned gets one answer.
func TestWindowsAfterResume(t *testing.T) {
	arrived := append(voyage("B1"), told("arrived", freight.Arrival, "USLAX", freight.Laden, -10*day))
	b := trackingtest.New(t)
	id := follow(t, b, arrived...)
	b.Pass(50 * day)
	if s, err := b.ResumeTracking(ctx, id); err != nil || s.LineTrackingStoppedReason != "" {
		t.Fatalf("%+v, %v", s, err)
	}
	b.Pass(56*day - time.Second)
	if s := shipment(t, b, id); s.LineTrackingStoppedReason != "" {
		t.Errorf("stopped for %q before another 56 days", s.LineTrackingStoppedReason)
	}
	b.Pass(time.Second)
	if s := shipment(t, b, id); s.LineTrackingStoppedReason == "" {
		t.Error("not stopped after another 56 days")
	}

	ingest(t, b, api(told("empty", freight.GateIn, "USLAX", freight.Empty, -day)))
	asked := len(b.Source.Asked())
	if _, err := b.ResumeTracking(ctx, id); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	if s := shipment(t, b, id); s.LineTrackingStoppedReason != tracking.StoppedAllContainersTerminated || len(b.Source.Asked()) != asked+1 {
		t.Errorf("resumed with all boxes returned: %q, asked %d times", s.LineTrackingStoppedReason, len(b.Source.Asked())-asked)
	}
}

// What comes while a shipment is stopped is derived and not announced, and of
// all that changed the resume announces one estimate.
func TestResumeAnnouncesOneEstimate(t *testing.T) {
	for _, tt := range []struct {
		name string
		eta  []int // days after Start that the estimate moves to while it is stopped
		want int
	}{{"moved", []int{20, 30, 25}, 1}, {"there and back", []int{20, 15}, 0}, {"not moved", nil, 0}} {
		t.Run(tt.name, func(t *testing.T) {
			estimate := func(days int) tracking.Fact {
				f := told(fmt.Sprint("eta", days), freight.Arrival, "USLAX", freight.Laden, 0)
				f.Classifier, f.At.Time = freight.Estimated, trackingtest.Start.Add(time.Duration(days)*day)
				return f
			}
			b := trackingtest.New(t)
			id := follow(t, b, voyage("B1")...)
			b.Clock.Advance(time.Hour)
			first := estimate(15)
			first.RecordedAt = b.Clock.Now()
			ingest(t, b, api(first))
			if n := heard(b, freight.ShipmentEstimatedArrival); n != 1 {
				t.Fatalf("%d estimates announced before the stop", n)
			}
			if _, err := b.StopTracking(ctx, id); err != nil {
				t.Fatal(err)
			}
			before := len(b.Announcements())
			for i, days := range tt.eta {
				b.Clock.Advance(7 * time.Hour)
				f := estimate(days)
				f.ID, f.RecordedAt = fmt.Sprint("moved", i), b.Clock.Now()
				ingest(t, b, api(f))
			}
			ingest(t, b, api(told("discharged elsewhere", freight.Other, "USLAX", freight.Laden, 0), told("load 2", freight.Loading, "CNSHA", freight.Laden, -20*day)))
			if n := len(b.Announcements()); n != before {
				t.Fatalf("%d events announced while it was stopped: %v", n-before, b.Announcements()[before:])
			}
			want := trackingtest.Start.Add(15 * day)
			if len(tt.eta) > 0 {
				want = trackingtest.Start.Add(time.Duration(tt.eta[len(tt.eta)-1]) * day)
			}
			if s := shipment(t, b, id); !s.PODETAAt.Equal(want) {
				t.Fatalf("the estimate is %s, want %s: what comes is derived", s.PODETAAt, want)
			}
			if _, err := b.ResumeTracking(ctx, id); err != nil {
				t.Fatal(err)
			}
			b.Settle()
			list := withoutExceptions(b.Announcements()[before:])
			if len(list) != tt.want {
				t.Errorf("announced since the stop: %v", list)
			}
			if n := heard(b, freight.ShipmentEstimatedArrival) - 1; n != tt.want {
				t.Errorf("%d estimates announced on resume, want %d", n, tt.want)
			}
		})
	}
}

// TestClosedAccount: nobody gets in, nothing is asked, and it may be reopened.
func TestClosedAccount(t *testing.T) {
	b := trackingtest.New(t)
	secret, _ := newKey(t, b, tracking.NewKey{Account: b.Account.Scope()})
	follow(t, b, voyage("B1")...)
	waiting := create(t, b, tracking.NewTrackingRequest{Number: "B2", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	for i, want := range []int{1, 0} { // closing it again does what is left to do
		if n, err := b.Operator.CloseAccount(ctx, "test"); n != want || err != nil {
			t.Errorf("closing it, call %d: %d shipments, %v", i, n, err)
		}
	}
	if _, err := b.Operator.Authenticate(ctx, secret); !isKind(err, tracking.Unauthorized) {
		t.Errorf("a key of a closed account: %v", err)
	}
	if _, _, err := b.Operator.CreateKey(ctx, tracking.NewKey{Account: b.Account.Scope()}); !isKind(err, tracking.Invalid) {
		t.Errorf("a key for a closed account: %v", err)
	}
	asked := len(b.Source.Asked())
	b.Pass(30 * day)
	if n := len(b.Source.Asked()); n != asked {
		t.Errorf("asked %d times for a closed account", n-asked)
	}
	if r := request(t, b, waiting.ID); r.Status != tracking.RequestFailed || r.FailedReason != freight.RequestExpired {
		t.Errorf("a request that waited: %s, %s", r.Status, r.FailedReason)
	}
	late := tracking.Report{Source: "late", DataSource: freight.FromShippingLine, SCAC: trackingtest.SCAC, Facts: voyage("B3")}
	if _, err := b.Ingest(ctx, late); !isKind(err, tracking.Invalid) {
		t.Errorf("a report for a closed account: %v", err)
	}
	if _, err := b.Operator.Rederive(ctx, b.Account.Scope(), tracking.RederiveOptions{}); err != nil {
		t.Errorf("deriving a closed account again: %v", err)
	}
	if err := b.Operator.ReopenAccount(ctx, "test"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Ingest(ctx, late); err != nil {
		t.Errorf("a report for an account that was reopened: %v", err)
	}
	newKey(t, b, tracking.NewKey{Account: b.Account.Scope()})
	if _, err := b.CloseAccount(ctx, "test"); !isKind(err, tracking.Forbidden) {
		t.Errorf("closing it as one of its users: %v", err)
	}
	if _, err := b.Operator.CloseAccount(ctx, "tset"); !isKind(err, tracking.NotFound) {
		t.Errorf("closing an account that is not there: %v", err)
	}
}

// An answer that comes when its account has just been closed makes no shipment:
// nobody would ever stop it.
func TestAnswerToAClosedAccount(t *testing.T) {
	var b *trackingtest.Bench
	asked := 0
	source := ask(func(context.Context, tracking.SourceQuery) (tracking.Answer, error) {
		if asked++; asked == 1 {
			if _, err := b.Operator.CloseAccount(ctx, "test"); err != nil {
				t.Error(err)
			}
		}
		return tracking.Answer{Report: tracking.Report{Source: "scripted", SCAC: "MAEU", Facts: voyage("B1")}}, nil
	})
	b = trackingtest.New(t, func(c *tracking.Config) { c.Sources = tracking.Sources{"MAEU": source} })
	r := create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: "MAEU"})
	b.Pass(30 * day)
	if r = request(t, b, r.ID); r.Status != tracking.RequestFailed || r.FailedReason != freight.RequestExpired {
		t.Errorf("the request is %s, %s", r.Status, r.FailedReason)
	}
	if list := allShipments(t, b); len(list) != 0 || asked != 1 {
		t.Errorf("%d shipments, asked %d times", len(list), asked)
	}
}

// puts is a store that notes how many records each transaction puts.
type puts struct {
	tracking.Store
	each []int
}

type countedTx struct {
	store.RecordTx
	n int
}

func (tx *countedTx) Put(ctx context.Context, k *store.Kind, w store.Write) (int64, error) {
	tx.n++
	return tx.RecordTx.Put(ctx, k, w)
}

func (p *puts) Update(ctx context.Context, a tracking.AccountID, fn func(store.RecordTx) error) error {
	tx := &countedTx{}
	defer func() { p.each = append(p.each, tx.n) }()
	return p.Store.Update(ctx, a, func(r store.RecordTx) error {
		tx.RecordTx, tx.n = r, 0
		return fn(tx)
	})
}

// A large account is closed in transactions that hold up nobody for long,
// however many boxes its shipments have.
func TestLargeAccountIsClosedBitByBit(t *testing.T) {
	const ships, containers = 11, 100
	store := &puts{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	for i := range ships {
		f := about(fmt.Sprint(i), bill(fmt.Sprint("B", i)))
		for container := range containers {
			f.Containers = append(f.Containers, fmt.Sprintf("TEST%07d", container))
		}
		ingest(t, b, api(f))
	}
	store.each = nil
	if n, err := b.Operator.CloseAccount(ctx, "test"); n != ships || err != nil {
		t.Errorf("%d shipments stopped, %v", n, err)
	}
	for _, n := range store.each {
		if n > 1000 {
			t.Errorf("a transaction put %d records; all of them: %d", n, store.each)
		}
	}
}

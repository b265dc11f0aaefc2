package tracking_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/storage/memory"
	"github.com/landfallhq/tracking/trackingtest"
)

// askedAfter returns when the source was asked, from the last n questions on,
// as times since Start.
func askedAfter(b *trackingtest.Bench, from int) (times []time.Duration) {
	for _, q := range b.Source.Asked()[from:] {
		times = append(times, q.Now.Sub(trackingtest.Start))
	}
	return times
}

// TestFailedRefreshes: what passes is tried again after one minute, two, four,
// up to the interval; a plain no in its time. Each attempt is on the record.
func TestFailedRefreshes(t *testing.T) {
	const h, m = time.Hour, time.Minute
	refused := func(after time.Duration) error {
		return &tracking.SourceError{Reason: freight.LineUnreachable, Err: errors.New("429 Too Many Requests"), RetryAfter: after}
	}
	tests := []struct {
		name   string
		err    error
		reason tracking.FailedReason
		fault  string
		asked  []time.Duration // in the first 19 hours
	}{
		{"unreachable", &tracking.SourceError{Reason: freight.LineUnreachable, Err: errors.New("dial tcp:\n refused")}, freight.LineUnreachable, "dial tcp: refused",
			[]time.Duration{0, 6 * h, 6*h + m, 6*h + 3*m, 6*h + 7*m, 6*h + 15*m, 6*h + 31*m, 7*h + 3*m, 8*h + 7*m, 10*h + 15*m, 14*h + 31*m}},
		{"without a reason", errors.New("connection reset"), freight.LineUnreachable, "connection reset", nil},
		{"not understood", &tracking.SourceError{Reason: freight.UnrecognizedResponse}, freight.UnrecognizedResponse, "unrecognized_response", nil},
		{"unknown now", &tracking.SourceError{Reason: freight.NumberNotFound}, freight.NumberNotFound, "not_found", []time.Duration{0, 6 * h, 12 * h, 18 * h}},
		{"withheld", &tracking.SourceError{Reason: freight.DataUnavailable}, freight.DataUnavailable, "data_unavailable", []time.Duration{0, 6 * h, 12 * h, 18 * h}},
		{"left alone for a while", refused(2 * h), freight.LineUnreachable, "429 Too Many Requests", []time.Duration{0, 6 * h, 8 * h, 10 * h, 12 * h, 14 * h, 16 * h, 18 * h}},
		{"left alone for ever", refused(1000 * h), freight.LineUnreachable, "429", []time.Duration{0, 6 * h}},
		{"a negative time", refused(-h), freight.LineUnreachable, "429", []time.Duration{0, 6 * h, 6*h + m, 6*h + 3*m, 6*h + 7*m, 6*h + 15*m, 6*h + 31*m, 7*h + 3*m, 8*h + 7*m, 10*h + 15*m, 14*h + 31*m}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := trackingtest.New(t)
			id := follow(t, b, voyage("B1")...)
			b.Source.Script("B1", trackingtest.Reply{Err: tt.err})
			b.Pass(19 * time.Hour)
			if got := askedAfter(b, 0); tt.asked != nil && !slices.Equal(got, tt.asked) {
				t.Errorf("asked at %v, want %v", got, tt.asked)
			}
			s := shipment(t, b, id)
			last := b.Source.Asked()[len(b.Source.Asked())-1].Now
			if !s.LineTrackingLastAttempted.Equal(last) || !s.LineTrackingLastSucceeded.Equal(trackingtest.Start) {
				t.Errorf("attempted %s, succeeded %s; asked last at %s", s.LineTrackingLastAttempted, s.LineTrackingLastSucceeded, last)
			}
			if s.LineTrackingFailedReason != tt.reason || !strings.Contains(s.LineTrackingFault, tt.fault) {
				t.Errorf("failed for %q, %q", s.LineTrackingFailedReason, s.LineTrackingFault)
			}
			b.Source.Script("B1", trackingtest.Reply{Facts: voyage("B1")})
			b.Pass(25 * time.Hour)
			s = shipment(t, b, id)
			if s.LineTrackingFailedReason != "" || s.LineTrackingFault != "" || s.Failures != 0 || !s.LineTrackingLastSucceeded.Equal(s.LineTrackingLastAttempted) {
				t.Errorf("after an answer: %+v", s)
			}
		})
	}
}

// The next day a carrier that asked for a thousand hours is asked again.
func TestRetryAfterIsBounded(t *testing.T) {
	b := trackingtest.New(t)
	follow(t, b, voyage("B1")...)
	b.Source.Script("B1", trackingtest.Reply{Err: &tracking.SourceError{Reason: freight.LineUnreachable, RetryAfter: 1000 * time.Hour}})
	b.Pass(30*time.Hour - time.Second)
	if n := len(b.Source.Asked()); n != 2 {
		t.Errorf("asked %d times within the day", n)
	}
	b.Pass(time.Second)
	if n := len(b.Source.Asked()); n != 3 {
		t.Errorf("asked %d times after the day", n)
	}
}

// Requests leave a carrier alone too, and still end after their week.
func TestRetryAfterOfRequests(t *testing.T) {
	b := trackingtest.New(t)
	b.Source.Script("B1",
		trackingtest.Reply{Err: &tracking.SourceError{Reason: freight.LineUnreachable, Err: errors.New("429 Too Many Requests"), RetryAfter: time.Hour}},
		trackingtest.Reply{Err: &tracking.SourceError{Reason: freight.NumberNotFound, RetryAfter: 7 * day}})
	r := create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
	b.Settle()
	if r = request(t, b, r.ID); !strings.Contains(r.Fault, "429") {
		t.Errorf("the fault on the record is %q", r.Fault)
	}
	b.Pass(49*time.Hour + 30*time.Second)
	if got := askedAfter(b, 0); !slices.Equal(got, []time.Duration{0, time.Hour, 25 * time.Hour, 49 * time.Hour}) {
		t.Errorf("asked at %v", got)
	}
	b.Pass(5 * day)
	if r = request(t, b, r.ID); r.Status != tracking.RequestFailed {
		t.Errorf("after its week it is %s", r.Status)
	}
}

// TestRefreshOnDemand: it joins the schedule, whatever that is at.
func TestRefreshOnDemand(t *testing.T) {
	b := trackingtest.New(t)
	id := follow(t, b, voyage("B1")...)
	container := shipment(t, b, id).Containers[0]
	refresh := func(times int) {
		t.Helper()
		for range times {
			if started, err := b.RefreshContainer(ctx, container); err != nil || len(started) != 1 {
				t.Fatal(started, err)
			}
		}
		b.Settle()
	}
	b.Pass(time.Hour)
	refresh(3)
	b.Pass(6 * time.Hour) // from the refresh on
	if got := askedAfter(b, 0); !slices.Equal(got, []time.Duration{0, time.Hour, 7 * time.Hour}) {
		t.Errorf("asked at %v", got)
	}
	b.Source.Script("B1", trackingtest.Reply{Err: &tracking.SourceError{Reason: freight.LineUnreachable, RetryAfter: 3 * time.Hour}})
	refresh(1)
	refresh(2)
	b.Pass(3 * time.Hour)
	if got := askedAfter(b, 3); !slices.Equal(got, []time.Duration{7 * time.Hour, 10 * time.Hour}) {
		t.Errorf("a carrier that wants to be left alone for 3 hours was asked at %v", got)
	}
}

// TestNeverTwoQuestionsAtOnce does all that has a shipment asked about while it
// is being asked about, in two programs on one store.
func TestNeverTwoQuestionsAtOnce(t *testing.T) {
	var b *trackingtest.Bench
	var other *tracking.Tracker
	var container tracking.ID
	questions, open, meanwhile := 0, 0, false
	source := ask(func(_ context.Context, q tracking.SourceQuery) (tracking.Answer, error) {
		questions++
		if open++; open > 1 {
			t.Errorf("%d questions at one time", open)
		}
		defer func() { open-- }()
		if meanwhile {
			meanwhile = false
			if _, err := b.RefreshContainer(ctx, container); err != nil {
				t.Error(err)
			}
			id := allShipments(t, b)[0].ID
			if _, err := b.StopTracking(ctx, id); err != nil {
				t.Error(err)
			}
			if _, err := b.ResumeTracking(ctx, id); err != nil {
				t.Error(err)
			}
			ingest(t, b, api(about("link", bill("B1"), booking("BK1"))))
			for _, tracker := range []*tracking.Tracker{b.Operator, other} {
				if _, err := tracker.RunOnce(ctx); err != nil {
					t.Error(err)
				}
			}
		}
		return tracking.Answer{Report: tracking.Report{Source: "scripted", SCAC: "MAEU", Facts: voyage("B1")}}, nil
	})
	config := func(c *tracking.Config) { c.Sources, c.Workers = tracking.Sources{"MAEU": source}, 8 }
	b = trackingtest.New(t, config)
	second := tracking.Config{Store: b.Store, Clock: b.Clock, Logger: slog.New(slog.DiscardHandler)}
	config(&second)
	other, err := tracking.New(second)
	if err != nil {
		t.Fatal(err)
	}
	create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: "MAEU"})
	b.Settle()
	container = allShipments(t, b)[0].Containers[0]
	before := questions
	meanwhile = true
	b.Clock.Advance(6 * time.Hour)
	b.Settle()
	if n := questions - before; n != 1 || meanwhile {
		t.Errorf("%d questions, want the one that all the others joined", n)
	}
	if s := allShipments(t, b)[0]; !s.LineTrackingLastSucceeded.Equal(b.Clock.Now()) || s.LineTrackingFailedReason != "" {
		t.Errorf("its answer was lost: %+v", s)
	}
	b.Pass(6 * time.Hour)
	if n := questions - before; n != 2 {
		t.Errorf("%d questions after another interval", n)
	}
}

// Intervals are made longer by chance, what a source says is not.
func TestJitter(t *testing.T) {
	for _, tt := range []struct {
		share float64
		next  time.Duration
		want  time.Duration
	}{{0, 0, 6*time.Hour + 18*time.Minute}, {-1, 0, 6 * time.Hour}, {0.5, 0, 7*time.Hour + 30*time.Minute}, {0, 4 * time.Hour, 4 * time.Hour}} {
		b := trackingtest.New(t, func(c *tracking.Config) {
			c.Rand, c.Refresh.Jitter = func() float64 { return 0.5 }, tt.share
		})
		b.Source.Script("B1", trackingtest.Reply{Facts: voyage("B1"), Next: tt.next})
		create(t, b, tracking.NewTrackingRequest{Number: "B1", Type: tracking.BillOfLading, SCAC: trackingtest.SCAC})
		b.Settle()
		b.Pass(tt.want - time.Second)
		if n := len(b.Source.Asked()); n != 1 {
			t.Errorf("%+v: asked %d times a second before", tt, n)
		}
		b.Pass(time.Second)
		if n := len(b.Source.Asked()); n != 2 {
			t.Errorf("%+v: asked %d times", tt, n)
		}
	}
}

func TestRefreshConfig(t *testing.T) {
	for _, c := range []tracking.Config{
		{Refresh: tracking.RefreshIntervals{Near: time.Millisecond}},
		{Refresh: tracking.RefreshIntervals{Out: -1}},
		{Refresh: tracking.RefreshIntervals{Jitter: 1.5}},
	} {
		c.Store = trackingtest.New(t).Store
		if _, err := tracking.New(c); err == nil || !strings.Contains(err.Error(), "Config.Refresh.") {
			t.Errorf("%+v: %v", c.Refresh, err)
		}
	}
}

// An answer that says the same again changes nothing but the attempt, and one
// that says less or more is gone through.
func TestSameAnswerAgain(t *testing.T) {
	b := trackingtest.New(t)
	facts := voyage("B1")
	id := follow(t, b, facts...)
	before := shipment(t, b, id)
	events := len(b.Announcements())
	b.Pass(7 * time.Hour)
	s := shipment(t, b, id)
	if !s.LineTrackingLastSucceeded.Equal(trackingtest.Start.Add(6*time.Hour)) || s.Polls != before.Polls+1 || len(b.Announcements()) != events {
		t.Errorf("attempt: %+v", s)
	}
	c, err := b.Container(ctx, s.Containers[0])
	if err != nil || !c.ShipmentLastTrackingRequestAt.Equal(s.LineTrackingLastAttempted) {
		t.Errorf("the box shows the attempt at %s, %v", c.ShipmentLastTrackingRequestAt, err)
	}
	// Somebody retracts a fact that the source still tells, without a time of
	// its own: the next answer brings it back.
	undated := facts[1]
	undated.ID, undated.RecordedAt = "undated", time.Time{}
	undated.Activity, undated.Place.LOCODE = freight.Discharge, "KRPUS"
	b.Source.Script("B1", trackingtest.Reply{Facts: append(facts, undated)})
	b.Pass(6 * time.Hour)
	discharged := func() bool {
		t.Helper()
		list, err := b.RawEvents(ctx, shipment(t, b, id).Containers[0])
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(list, func(r *tracking.RawEvent) bool {
			return r.Fact.ID == "undated" && !r.Fact.Retracted && r.InvalidatedAt.IsZero()
		})
	}
	if !discharged() {
		t.Fatal("the new fact is not there")
	}
	retracted := tracking.Fact{ID: "undated", Retracted: true, Numbers: undated.Numbers}
	ingest(t, b, tracking.Report{Source: "scripted", SCAC: "MAEU", Facts: []tracking.Fact{retracted}})
	if discharged() {
		t.Fatal("the fact was not retracted")
	}
	b.Pass(6 * time.Hour)
	if !discharged() {
		t.Error("the answer that told it again was not gone through")
	}
}

// A shipment that is resumed while the refresh that was left over from before its
// stop is taken up is asked about at once, and goes on being so.
func TestResumeWhileARefreshIsTakenUp(t *testing.T) {
	store := &meddling{Store: memory.New()}
	b := trackingtest.New(t, func(c *tracking.Config) { c.Store = store })
	id := follow(t, b, voyage("B1")...)
	if _, err := b.StopTracking(ctx, id); err != nil {
		t.Fatal(err)
	}
	b.Clock.Advance(6 * time.Hour)
	store.do = func() {
		if _, err := b.ResumeTracking(ctx, id); err != nil {
			t.Error(err)
		}
	}
	b.Settle()
	if n := len(b.Source.Asked()); n != 2 || store.do != nil {
		t.Errorf("asked %d times by the resume", n)
	}
	b.Pass(6 * time.Hour)
	if n := len(b.Source.Asked()); n != 3 {
		t.Errorf("asked %d times an interval after the resume", n)
	}
}

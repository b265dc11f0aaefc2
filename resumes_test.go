package tracking_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// finished are the moves of B1 up to its empty return, and when that is.
func finished() []tracking.Fact {
	return append(voyage("B1"),
		told("arrived", freight.Arrival, "USLAX", freight.Laden, -9*day),
		told("picked up", freight.GateOut, "USLAX", freight.Laden, -5*day))
}

func retraction(f tracking.Fact, at time.Time) tracking.Fact {
	f.RecordedAt, f.Retracted = at, true
	return f
}

// A shipment that a rule has stopped is followed again as soon as its facts meet no
// rule any more. On the code of before each case failed with "stopped".
func TestFactsResumeTracking(t *testing.T) {
	empty := told("empty", freight.GateIn, "USLAX", freight.Empty, 0)
	tests := []struct {
		name  string
		known []tracking.Fact
		stop  func(b *trackingtest.Bench)
		then  func(now time.Time) tracking.Fact
		// announced is what the last fact announces.
		announced []tracking.EventName
	}{
		{"a false empty return is retracted", finished(), func(b *trackingtest.Bench) { ingest(t, b, api(empty)) },
			func(now time.Time) tracking.Fact { return retraction(empty, now) }, nil},
		{"a cancelled booking is confirmed again", voyage("B1")[:1],
			func(b *trackingtest.Bench) { ingest(t, b, api(told("no", freight.Cancelled, "", "", 0))) },
			func(now time.Time) tracking.Fact { return told("yes", freight.Booked, "", "", day) }, nil},
		{"the line refused the number as cancelled, and confirms it", voyage("B1")[:1],
			func(b *trackingtest.Bench) {
				b.Source.Script("B1", fails(freight.BookingCancelled))
				b.Pass(day)
				b.Source.Script("B1", trackingtest.Reply{Facts: voyage("B1")[:1]})
			},
			func(now time.Time) tracking.Fact { return told("yes", freight.Booked, "", "", 2*day) }, nil},
		{"it is picked up late", append(voyage("B1"), told("arrived", freight.Arrival, "USLAX", freight.Laden, -10*day)),
			func(b *trackingtest.Bench) { b.Pass(50 * day) },
			func(now time.Time) tracking.Fact {
				return told("picked up", freight.GateOut, "USLAX", freight.Laden, 49*day)
			}, []tracking.EventName{freight.FullOut}},
		{"the line is heard again", voyage("B1"), func(b *trackingtest.Bench) { b.Pass(60 * day) },
			func(now time.Time) tracking.Fact { return told("x", freight.Other, "", "", 59*day) }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := trackingtest.New(t)
			id := follow(t, b, tt.known...)
			tt.stop(b)
			if s := shipment(t, b, id); s.LineTrackingStoppedAt.IsZero() {
				t.Fatal("it is still followed")
			}
			b.Clock.Advance(day)
			before, asked := len(b.Announcements()), len(b.Source.Asked())
			ingest(t, b, api(tt.then(b.Clock.Now())))
			s := shipment(t, b, id)
			if !s.LineTrackingStoppedAt.IsZero() || s.LineTrackingStoppedReason != "" {
				t.Fatalf("stopped at %s for %q", s.LineTrackingStoppedAt, s.LineTrackingStoppedReason)
			}
			if r := requests(t, b)[0]; r.Status != tracking.RequestCreated {
				t.Errorf("its request is %s", r.Status)
			}
			var announced []tracking.EventName
			for _, a := range withoutExceptions(b.Announcements()[before:]) {
				if a.Event != freight.ContainerUpdated {
					announced = append(announced, a.Event)
				}
			}
			if diff := cmp.Diff(tt.announced, announced); diff != "" {
				t.Errorf("announced: %s", diff)
			}
			b.Settle()
			if n := len(b.Source.Asked()); n != asked+1 {
				t.Errorf("the line was asked %d times at once, want 1", n-asked)
			}
		})
	}
}

// What a rule's stop has kept from being announced is announced in order when facts
// have the shipment followed again, and not announced by a resume. On the code of
// before, nothing resumed.
func TestFactsAnnounceWhatTheStopHeldBack(t *testing.T) {
	stopped := func(t *testing.T) (*trackingtest.Bench, tracking.ID, tracking.Fact) {
		b := trackingtest.New(t)
		empty := told("empty", freight.GateIn, "USLAX", freight.Empty, 0)
		id := follow(t, b, finished()...)
		ingest(t, b, api(empty))
		b.Clock.Advance(day)
		ingest(t, b, api(
			told("delivered", freight.Delivery, "USLAX", freight.Laden, -3*day),
			told("discharged", freight.Discharge, "USLAX", freight.Laden, -8*day)))
		if n := heard(b, freight.Delivered) + heard(b, freight.VesselDischarged); n != 0 {
			t.Fatalf("%d events of a stopped shipment were announced", n)
		}
		return b, id, empty
	}
	t.Run("facts", func(t *testing.T) {
		b, _, empty := stopped(t)
		before := len(b.Announced())
		ingest(t, b, api(retraction(empty, b.Clock.Now())))
		var got []tracking.EventName
		for _, e := range b.Announced()[before:] {
			got = append(got, e.Event)
		}
		if diff := cmp.Diff([]tracking.EventName{freight.VesselDischarged, freight.Delivered}, got); diff != "" {
			t.Error(diff)
		}
		count := len(b.Announcements())
		ingest(t, b, api(retraction(empty, b.Clock.Now())))
		if n := len(b.Announcements()); n != count {
			t.Errorf("the same again announced %d events", n-count)
		}
	})
	t.Run("user", func(t *testing.T) {
		b, id, empty := stopped(t)
		count := len(b.Announced())
		if _, err := b.ResumeTracking(ctx, id); err != nil {
			t.Fatal(err)
		}
		ingest(t, b, api(retraction(empty, b.Clock.Now())))
		if n := len(b.Announced()); n != count {
			t.Errorf("a resume by a user announced %d milestones", n-count)
		}
	})
}

// Facts never resume what a user or the end of the account has stopped. A user's
// stop of a shipment that a rule has stopped makes the stop the user's, with the
// time as it is: on the code of before, it stayed the rule's.
func TestFactsLeaveOthersStopsAlone(t *testing.T) {
	b := trackingtest.New(t)
	user, err := b.Users().Create(ctx, tracking.NewUser{Name: "Kim", Email: "kim@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	b.Tracker = b.Operator.For(tracking.Actor{Account: b.Account.Scope(), User: user.ID})
	empty := told("empty", freight.GateIn, "USLAX", freight.Empty, 0)
	id := follow(t, b, finished()...)
	ingest(t, b, api(empty))
	at := shipment(t, b, id).LineTrackingStoppedAt
	b.Clock.Advance(day)
	for range 2 {
		s, err := b.StopTracking(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if s.LineTrackingStoppedReason != tracking.StoppedByUser || s.LineTrackingStoppedBy != user.ID || !s.LineTrackingStoppedAt.Equal(at) {
			t.Errorf("stopped at %s for %q by %s", s.LineTrackingStoppedAt, s.LineTrackingStoppedReason, s.LineTrackingStoppedBy)
		}
	}
	if n := heard(b, freight.TrackingRequestStopped); n != 1 {
		t.Errorf("tracking_stopped was announced %d times", n)
	}
	ingest(t, b, api(retraction(empty, b.Clock.Now())))
	if s := shipment(t, b, id); s.LineTrackingStoppedReason != tracking.StoppedByUser || !s.LineTrackingStoppedAt.Equal(at) {
		t.Errorf("after a retraction: stopped at %s for %q", s.LineTrackingStoppedAt, s.LineTrackingStoppedReason)
	}
}

// A shipment that meets another rule by now stays stopped, for that one. On the
// code of before the first reason stayed.
func TestAnotherRuleKeepsItStopped(t *testing.T) {
	b := trackingtest.New(t)
	id := follow(t, b, finished()...)
	b.Pass(60 * day)
	at := shipment(t, b, id).LineTrackingStoppedAt
	ingest(t, b, api(told("empty", freight.GateIn, "USLAX", freight.Empty, 58*day)))
	s := shipment(t, b, id)
	if s.LineTrackingStoppedReason != tracking.StoppedAllContainersTerminated || !s.LineTrackingStoppedAt.Equal(at) {
		t.Errorf("stopped at %s for %q", s.LineTrackingStoppedAt, s.LineTrackingStoppedReason)
	}
}

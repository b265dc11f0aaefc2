package tracking_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// TestChangesOfShipmentsOfOlderRules: rules before the present ones knew of another
// arrival, another last free day, and of no departure. However the next news of
// the shipment comes, it alone is announced, and all is shown as the present
// rules have it.
func TestChangesOfShipmentsOfOlderRules(t *testing.T) {
	discharged := voyage("B1")[1]
	discharged.ID, discharged.Activity, discharged.Place.LOCODE = "discharge", freight.Discharge, "USLAX"
	discharged.At, discharged.RecordedAt = instant("2026-02-20T09:00:00Z"), trackingtest.Start
	milestone := []string{"container.transport.vessel_discharged"}
	for _, tt := range []struct {
		name string
		news func(*trackingtest.Bench, tracking.ID)
		want []string
	}{
		{"a report", func(b *trackingtest.Bench, _ tracking.ID) { ingest(t, b, api(discharged)) }, milestone},
		{"an answer", func(b *trackingtest.Bench, _ tracking.ID) {
			b.Source.Script("B1", trackingtest.Reply{Facts: append(voyage("B1"), lastFreeDay(), discharged)})
			b.Pass(6 * time.Hour)
		}, milestone},
		{"the same answer again", func(b *trackingtest.Bench, _ tracking.ID) { b.Pass(6 * time.Hour) }, nil},
		{"a silent report", func(b *trackingtest.Bench, _ tracking.ID) {
			r := api(discharged)
			r.Silent = true
			ingest(t, b, r)
		}, nil},
		{"a report about another number that connects it", func(b *trackingtest.Bench, _ tracking.ID) {
			ingest(t, b, api(about("link", bill("B1"), booking("BK1")), discharged))
		}, milestone},
		{"by hand", func(b *trackingtest.Bench, box tracking.ID) {
			_, err := b.UpdateContainer(ctx, box, tracking.ContainerUpdate{DeliveredAt: tracking.Set(b.Clock.Now())})
			if err != nil {
				t.Fatal(err)
			}
		}, []string{"container.transport.delivered"}},
		{"none: the operator's word", func(b *trackingtest.Bench, _ tracking.ID) {
			if n, err := b.Operator.Rederive(ctx, b.Account.Scope(), tracking.RederiveOptions{}); n.Shipments != 1 || err != nil {
				t.Errorf("%+v, %v", n, err)
			}
		}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := trackingtest.New(t)
			id := follow(t, b, append(voyage("B1"), lastFreeDay())...)
			before := shipment(t, b, id)
			box := before.Containers[0]
			forget(t, b, id)
			heard := len(b.Announcements())
			b.Clock.Advance(time.Minute)
			tt.news(b, box)
			var got []string
			for _, a := range withoutExceptions(b.Announcements()[heard:]) {
				got = append(got, string(a.Event))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("announced %q, want %q", got, tt.want)
			}
			presentRules(t, b, id, before)
		})
	}
}

// lastFreeDay is what the terminal says of the box of voyage("B1").
func lastFreeDay() tracking.Fact {
	f := seen(freeUntil("2026-03-05T08:00:00Z"))
	f.ID, f.Numbers, f.Containers, f.RecordedAt = "free", voyage("B1")[0].Numbers, voyage("B1")[0].Containers, trackingtest.Start
	return f
}

// forget leaves the shipment as older rules did.
func forget(t *testing.T, b *trackingtest.Bench, id tracking.ID) {
	t.Helper()
	err := b.OlderRules(ctx, id, func(s *tracking.Shipment, c *tracking.Container) {
		s.PODETAAt = s.PODETAAt.AddDate(0, 0, 3)
		c.PickupLFD, c.PickupLFDEarliest, c.ImportDeadlines = time.Time{}, time.Time{}, tracking.ImportDeadlines{}
	}, freight.VesselDeparted)
	if err != nil {
		t.Fatal(err)
	}
}

// presentRules fails the test unless the shipment is as the present rules have
// it, and the event that older ones did not know is there and was not announced.
func presentRules(t *testing.T, b *trackingtest.Bench, id tracking.ID, want *tracking.Shipment) {
	t.Helper()
	s := shipment(t, b, id)
	if s.Rules != tracking.Describe().RulesVersion || !s.PODETAAt.Equal(want.PODETAAt) {
		t.Errorf("by rules %d it arrives at %v", s.Rules, s.PODETAAt)
	}
	c, err := b.Container(ctx, s.Containers[0])
	if err != nil || !c.PickupLFD.Equal(instant("2026-03-05T08:00:00Z").Time) {
		t.Errorf("the last free day is %v, %v", c.PickupLFD, err)
	}
	list, _, err := b.TransportEvents(ctx, tracking.TransportEventQuery{Shipment: id}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, e := range list {
		if e.Event == freight.VesselDeparted {
			found = e.AnnouncedAt.IsZero() && e.InvalidatedAt.IsZero()
		}
	}
	if !found {
		t.Errorf("the departure is not among the events, or was announced: %v", list)
	}
}

// TestShipmentsAreRederivedInTheBackground: after an upgrade all shipments, the
// stopped ones and those without a source too, come to be as the present rules
// have them, silently, once.
func TestShipmentsAreRederivedInTheBackground(t *testing.T) {
	b, s := spied(t)
	var ids []tracking.ID
	var before []*tracking.Shipment
	for i := range 45 { // some batches
		facts := append(voyage("B1"), lastFreeDay())
		number := "OLD" + strings.Repeat("X", i)
		for j := range facts {
			facts[j].ID += number
			facts[j].Numbers = []tracking.ShipmentNumber{bill(number)}
		}
		id := ingest(t, b, api(facts...)).ShipmentIDs[0]
		ids, before = append(ids, id), append(before, shipment(t, b, id))
	}
	if _, err := b.StopTracking(ctx, ids[7]); err != nil {
		t.Fatal(err)
	}
	b.Settle()
	for _, id := range ids {
		forget(t, b, id)
	}
	heard := len(b.Announcements())
	upgraded, err := tracking.New(tracking.Config{Store: s, Clock: b.Clock})
	if err != nil {
		t.Fatal(err)
	}
	work := func() {
		t.Helper()
		for range 100 {
			next, err := upgraded.RunOnce(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if next.After(b.Clock.Now()) || next.IsZero() {
				return
			}
		}
		t.Fatal("the upkeep does not come to an end")
	}
	work()
	if tracking.Describe().RulesVersion == shipment(t, b, ids[0]).Rules {
		t.Fatal("a store that is up to date was gone through again")
	}
	if err := b.Operator.OlderGeneration(ctx, b.Account.Scope()); err != nil {
		t.Fatal(err)
	}
	if upgraded, err = tracking.New(tracking.Config{Store: s, Clock: b.Clock}); err != nil {
		t.Fatal(err)
	}
	work()
	for i, id := range ids {
		presentRules(t, b, id, before[i])
	}
	if n := len(b.Announcements()); n != heard {
		t.Errorf("announced %v", b.Announcements()[heard:])
	}
}

// New rules that correct what was announced do so silently, and with Announce what
// differs from what was announced last is, also where a silent run came before. On the
// code of before nothing could be announced. The rules are stood in for by events that
// say what the facts do not.
func TestRederiveAnnouncesDifferences(t *testing.T) {
	for _, silentFirst := range []bool{false, true} {
		t.Run(fmt.Sprint("silently before: ", silentFirst), func(t *testing.T) {
			c := correcting(t)
			c.hand(membershipChange("gone", freight.Departure, "CNSHA", "06T10:00"), membershipChange("there", freight.Arrival, "USLAX", "18T10:00"))
			c.lines()
			s := allShipments(t, c.Bench)[0]
			was := c.one(freight.VesselDeparted)
			if err := c.OlderEvent(ctx, was.ID, func(e *tracking.TransportEvent) {
				e.Timestamp = e.Timestamp.Add(-24 * time.Hour)
			}); err != nil {
				t.Fatal(err)
			}
			if err := c.OlderRules(ctx, s.ID, func(*tracking.Shipment, *tracking.Container) {}); err != nil {
				t.Fatal(err)
			}
			c.Clock.Advance(time.Minute)
			if silentFirst {
				got, err := c.Operator.Rederive(ctx, c.Account.Scope(), tracking.RederiveOptions{})
				if want := (tracking.Rederived{Shipments: 1, Changed: 1, Corrected: 1, Invalidated: 1}); got != want || err != nil {
					t.Errorf("silently: %+v, %v; want %+v", got, err, want)
				}
				c.expect("silently")
				c.Clock.Advance(time.Minute)
			}
			var each []tracking.RederivedShipment
			o := tracking.RederiveOptions{Announce: true, Each: func(s tracking.RederivedShipment) { each = append(each, s) }}
			if _, err := c.Operator.Rederive(ctx, c.Account.Scope(), o); err != nil {
				t.Fatal(err)
			}
			c.expect("announced", "vessel_departed CNSHA 06 10:00")
			if is := c.one(freight.VesselDeparted); is.Previous != was.ID {
				t.Errorf("it follows %s, want %s", is.Previous, was.ID)
			}
			if len(each) != 1 || each[0].ID != s.ID || each[0].Number != "B1" || !each[0].Changed {
				t.Errorf("each: %+v", each)
			}
			got, err := c.Operator.Rederive(ctx, c.Account.Scope(), o)
			if want := (tracking.Rederived{Shipments: 1}); got != want || err != nil {
				t.Errorf("again: %+v, %v", got, err)
			}
			c.expect("again")
			c.rest()
		})
	}
}

// A milestone that the present rules do not derive is withdrawn by Announce, and an
// estimate that they make another of is announced.
func TestRederiveAnnouncesWithdrawalsAndEstimates(t *testing.T) {
	c := correcting(t)
	c.hand(membershipChange("gone", freight.Departure, "CNSHA", "06T10:00"))
	c.lines()
	s := allShipments(t, c.Bench)[0]
	if err := c.OlderEvent(ctx, c.one(freight.VesselDeparted).ID, func(e *tracking.TransportEvent) {
		e.ID, e.Version, e.Event, e.SourceEvent = tracking.ID{7}, 0, freight.EmptyIn, tracking.ID{8}
	}); err != nil {
		t.Fatal(err)
	}
	err := c.OlderRules(ctx, s.ID, func(s *tracking.Shipment, _ *tracking.Container) {
		s.PODETAAt, s.AnnounceStates = s.PODETAAt.AddDate(0, 0, 3), nil // its announcement is long past
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Clock.Advance(time.Minute)
	for _, announce := range []bool{false, true, true} {
		before := len(c.Announcements())
		if _, err := c.Operator.Rederive(ctx, c.Account.Scope(), tracking.RederiveOptions{Announce: announce}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range c.Announcements()[before:] {
			got = append(got, string(a.Event))
		}
		var want []string
		if announce && before == c.heard {
			want = []string{"shipment.estimated.arrival", "container.transport.estimated.vessel_arrived", "container.updated"}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("announce %t: %s", announce, diff)
		}
	}
}

// A shipment that older rules have stopped wrongly is followed again, silently.
func TestRederiveResumes(t *testing.T) {
	b := trackingtest.New(t)
	id := follow(t, b, voyage("B1")...)
	if err := b.OlderRules(ctx, id, func(s *tracking.Shipment, _ *tracking.Container) {
		s.LineTrackingStoppedAt, s.LineTrackingStoppedReason = b.Clock.Now(), tracking.StoppedAllContainersTerminated
	}); err != nil {
		t.Fatal(err)
	}
	heard := len(b.Announcements())
	got, err := b.Operator.Rederive(ctx, b.Account.Scope(), tracking.RederiveOptions{})
	if want := (tracking.Rederived{Shipments: 1, Changed: 1, FollowedAgain: 1}); got != want || err != nil {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if s := shipment(t, b, id); !s.LineTrackingStoppedAt.IsZero() || len(b.Announcements()) != heard {
		t.Errorf("stopped at %s, %d announcements", s.LineTrackingStoppedAt, len(b.Announcements())-heard)
	}
}

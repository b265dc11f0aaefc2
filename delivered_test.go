package tracking_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// deliveredBench is a bench with one box, discharged and followed.
func deliveredBench(t *testing.T) (*trackingtest.Bench, *tracking.Container) {
	t.Helper()
	b := trackingtest.New(t)
	ingest(t, b, api(voyage("B1")...))
	b.Pass(45 * 24 * time.Hour)
	list, _, err := b.Containers(ctx, tracking.ContainerQuery{}, tracking.Page{})
	if err != nil || len(list) != 1 {
		t.Fatalf("%d containers, %v", len(list), err)
	}
	return b, list[0]
}

func mark(t *testing.T, b *trackingtest.Bench, id tracking.ID, at time.Time) *tracking.Container {
	t.Helper()
	c, err := b.UpdateContainer(ctx, id, tracking.ContainerUpdate{DeliveredAt: tracking.Set(at)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func delivered(t *testing.T, b *trackingtest.Bench, id tracking.ID) (valid []*tracking.TransportEvent) {
	t.Helper()
	list, _, err := b.TransportEvents(ctx, tracking.TransportEventQuery{Container: id, Invalidated: tracking.No}, tracking.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.Event == freight.Delivered {
			valid = append(valid, e)
		}
	}
	return valid
}

func TestDeliveredByHand(t *testing.T) {
	b, c := deliveredBench(t)
	at := trackingtest.Start.AddDate(0, 0, 44)
	c = mark(t, b, c.ID, at)
	if !c.DeliveredAt.Equal(at) || c.CurrentStatus != freight.StatusDelivered {
		t.Errorf("delivered at %v, %s", c.DeliveredAt, c.CurrentStatus)
	}
	events := delivered(t, b, c.ID)
	if len(events) != 1 || events[0].DataSource != freight.ByHand || !events[0].Timestamp.Equal(at) || events[0].AnnouncedAt.IsZero() {
		t.Fatalf("events %+v", events)
	}
	if c = mark(t, b, c.ID, at); len(delivered(t, b, c.ID)) != 1 {
		t.Error("the same mark again makes another event")
	}
	c = mark(t, b, c.ID, at.Add(time.Hour))
	if again := delivered(t, b, c.ID); !c.DeliveredAt.Equal(at.Add(time.Hour)) || len(again) != 1 || again[0].Previous != events[0].ID || again[0].AnnouncedAt.IsZero() {
		t.Errorf("corrected: %v, %d events", c.DeliveredAt, len(again))
	}
	// Taken back, marked and taken back again, all within one second.
	for range 2 {
		c = mark(t, b, c.ID, time.Time{})
		if !c.DeliveredAt.IsZero() || c.CurrentStatus == freight.StatusDelivered || len(delivered(t, b, c.ID)) != 0 {
			t.Errorf("taken back: %v, %s", c.DeliveredAt, c.CurrentStatus)
		}
		if c = mark(t, b, c.ID, at); !c.DeliveredAt.Equal(at) {
			t.Errorf("marked again: %v", c.DeliveredAt)
		}
	}
	facts, err := b.RawEvents(ctx, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	marks := 0
	for _, f := range facts {
		if f.Fact.Source == "manual" {
			marks++
		}
	}
	if marks != 6 {
		t.Errorf("%d marks are kept: none is ever edited", marks)
	}
}

// A person's word and a carrier's proof are one delivery.
func TestProofAfterTheMark(t *testing.T) {
	b, c := deliveredBench(t)
	mark(t, b, c.ID, trackingtest.Start.AddDate(0, 0, 44))
	first := delivered(t, b, c.ID)
	announced := len(b.Announced())
	proof := voyage("B1")[0]
	proof.ID, proof.Activity, proof.LoadStatus, proof.Place = "proof", freight.Delivery, freight.Laden, tracking.Place{LOCODE: "USLAX"}
	proof.At.Time = trackingtest.Start.AddDate(0, 0, 40)
	ingest(t, b, api(recordedAtOnce(proof)))
	after := delivered(t, b, c.ID)
	if len(after) != 1 || after[0].ID != first[0].ID || len(b.Announced()) != announced {
		t.Errorf("%d deliveries, want the one that was announced", len(after))
	}
	if c := mark(t, b, c.ID, time.Time{}); !c.DeliveredAt.Equal(proof.At.Time) {
		t.Errorf("without the mark the proof counts: %v", c.DeliveredAt)
	}
	if got := delivered(t, b, c.ID); len(got) != 1 || got[0].Previous != first[0].ID || len(b.Announced()) != announced+1 {
		t.Errorf("%d deliveries, want the proof as the correction of the mark", len(got))
	}
}

// Wherever a carrier puts the consignee: at a place of its own, at the POD or
// nowhere.
func TestProofsOfSeveralPlaces(t *testing.T) {
	b, c := deliveredBench(t)
	at := trackingtest.Start.AddDate(0, 0, 40)
	mark(t, b, c.ID, at)
	first := delivered(t, b, c.ID)
	announced := len(b.Announced())
	for i, place := range []tracking.Place{{LOCODE: "USCHI"}, {LOCODE: "USLAX"}, {Name: "Smith's Warehouse"}, {}} {
		proof := voyage("B1")[0]
		proof.ID, proof.Activity, proof.LoadStatus, proof.Place = fmt.Sprint("proof", i), freight.Delivery, freight.Laden, place
		proof.At.Time = at.AddDate(0, 0, i+1)
		ingest(t, b, api(recordedAtOnce(proof)))
		list := delivered(t, b, c.ID)
		if len(list) != 1 || list[0].ID != first[0].ID || !list[0].Timestamp.Equal(at) || len(b.Announced()) != announced {
			t.Errorf("proof at %+v: %d deliveries, %d announcements more", place, len(list), len(b.Announced())-announced)
		}
		if got, err := b.Container(ctx, c.ID); err != nil || !got.DeliveredAt.Equal(at) {
			t.Errorf("proof at %+v: delivered at %v, not as marked: %v", place, got.DeliveredAt, err)
		}
	}
	if c := mark(t, b, c.ID, time.Time{}); c.DeliveredAt.IsZero() || len(delivered(t, b, c.ID)) != 1 || len(b.Announced()) != announced+1 {
		t.Errorf("without the mark: delivered at %v, %d deliveries, %d announcements more", c.DeliveredAt, len(delivered(t, b, c.ID)), len(b.Announced())-announced)
	}
}

func TestDeliveredFaults(t *testing.T) {
	b, c := deliveredBench(t)
	now := b.Clock.Now()
	for _, row := range []struct {
		name string
		u    tracking.ContainerUpdate
		want string
	}{
		{"tomorrow", tracking.ContainerUpdate{DeliveredAt: tracking.Set(now.AddDate(0, 0, 1))}, "future"},
		{"before there were boxes", tracking.ContainerUpdate{DeliveredAt: tracking.Set(time.Date(1066, 1, 1, 0, 0, 0, 0, time.UTC))}, "1970"},
		{"another version", tracking.ContainerUpdate{DeliveredAt: tracking.Set(now), RefNumbers: tracking.Set([]string{"R"}), IfVersion: c.Version + 7}, "version"},
		{"with a fault beside it", tracking.ContainerUpdate{DeliveredAt: tracking.Set(now), RefNumbers: tracking.Set([]string{""})}, "ref"},
	} {
		_, err := b.UpdateContainer(ctx, c.ID, row.u)
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), row.want) {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	got, err := b.Container(ctx, c.ID)
	if err != nil || got.Version != c.Version {
		t.Errorf("a refused change has changed the container: %v, %v", got, err)
	}
	before := mark(t, b, c.ID, time.Time{}) // there is none
	if before.Version != c.Version {
		t.Error("taking back no mark has changed the container")
	}
	if _, err := b.UpdateContainer(ctx, tracking.ID{1}, tracking.ContainerUpdate{DeliveredAt: tracking.Set(now)}); !errors.Is(err, tracking.ErrNotFound) {
		t.Errorf("an unknown container: %v", err)
	}
	both, err := b.UpdateContainer(ctx, c.ID, tracking.ContainerUpdate{DeliveredAt: tracking.Set(now), RefNumbers: tracking.Set([]string{"R"}), IfVersion: c.Version})
	if err != nil || both.DeliveredAt.IsZero() || len(both.RefNumbers) != 1 {
		t.Errorf("both at once: %+v, %v", both, err)
	}
}

// A box that has left its shipment is not brought back by a mark.
func TestDeliveredAfterLeaving(t *testing.T) {
	b := trackingtest.New(t)
	other := tracking.Fact{ID: "2", RecordedAt: trackingtest.Start, Activity: freight.Other, Numbers: []tracking.ShipmentNumber{bill("B1")}, Containers: []string{"CSQU3054383"}}
	ingest(t, b, api(about("1", bill("B1")), other))
	ingest(t, b, api(tracking.Fact{ID: "2", RecordedAt: trackingtest.Start.Add(time.Hour), Retracted: true}))
	gone, _, err := b.Containers(ctx, tracking.ContainerQuery{Removed: tracking.Yes}, tracking.Page{})
	if err != nil || len(gone) != 1 {
		t.Fatal(gone, err)
	}
	if _, err := b.UpdateContainer(ctx, gone[0].ID, tracking.ContainerUpdate{DeliveredAt: tracking.Set(trackingtest.Start)}); err == nil || !strings.Contains(err.Error(), "left its shipment") {
		t.Errorf("a mark on a box that has left: %v", err)
	}
}

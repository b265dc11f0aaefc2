package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/landfallhq/tracking"
)

// Shipments of the order that is cancelled: Y has ended, and Z is on the list by mistake.
const (
	lotY = "MAEUY0001"
	lotZ = "MAEUZ0001"
)

// lotNumbers are the shipments of lot-44, and those of lot-440.
func lotNumbers() (lot, other []string) {
	for n := range 33 {
		lot = append(lot, fmt.Sprintf("MAEUL%04d", n))
	}
	for n := range 5 {
		other = append(other, fmt.Sprintf("MAEUM%04d", n))
	}
	return append(lot, lotY, lotZ), other
}

// stoppedList: stop tracking a list.
var stoppedList = officeTask{name: "10 stop tracking a list", history: func(o *office) {
	lot, other := lotNumbers()
	o.at("2026-05-30T08:00Z", func(h history) {
		for i, number := range slices.Concat(lot, other) {
			h.report(number, []string{boxNumber(1000 + i)}, lotVoyage(number))
			tag := "lot-44"
			if i >= len(lot) {
				tag = "lot-440"
			}
			o.must(errorOf(h.UpdateShipment(o.t.Context(), h.shipment(number).ID, tracking.ShipmentUpdate{Tags: tracking.Set([]string{"spring", tag})})))
		}
	})
	o.at("2026-06-01T09:00Z", func(h history) {
		h.report(lotY, []string{boxNumber(1000 + slices.Index(lot, lotY))}, `actual gate_in NLRTM 2026-06-01T10:00 load=empty`)
	})
}, do: func(t *testing.T, o *office) {
	acme := o.acme()
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	o.t.Cleanup(receiver.Close)
	// Only now, so that the deliveries of another task are all that there are before.
	o.must(errorOf(acme.CreateWebhook(t.Context(), tracking.NewWebhook{URL: receiver.URL, Events: tracking.Describe().AllEvents})))
	lot, other := lotNumbers()
	before := acme.shipment(lotY)
	if before.LineTrackingStoppedReason != tracking.StoppedAllContainersTerminated || !before.LineTrackingStoppedAt.Equal(moment(t, "2026-06-01T09:00Z").Time) {
		t.Fatalf("Y is stopped at %v: %s", before.LineTrackingStoppedAt, before.LineTrackingStoppedReason)
	}
	events := acme.milestones(t, lot)
	ann := o.signIn(t, "Ann")
	ann.begin()
	ann.follow("Shipments")
	ann.unfold("Filters and columns")
	ann.write("Tags", "lot-44")
	ann.enter()
	ann.sees("35 shipments")
	ann.open(ann.path() + "&size=30") // the address decides how many rows a page has
	ann.sees("1–30 of 35")
	ann.choose("With rows of this list", "Stop tracking")
	ann.press("Apply to all: 35 shipments")
	ann.sees("Stop tracking", "35 shipments", "Will be stopped: 34", "Left as they are: 1", "stopped already: All containers returned", lotY)
	question := ann.path()
	if s := acme.shipment(lotZ); !s.LineTrackingStoppedAt.IsZero() {
		t.Fatal("stopped before she has confirmed")
	}
	dora := o.signIn(t, "Dora")
	ann.reopens(dora, "35 shipments", "Will be stopped: 34")
	dora.offers(t, false, "Stop tracking: 34 shipments")
	ann.press("Stop tracking: 34 shipments")
	ann.awaits("35 of 35 rows are done")
	ann.sees("Stopped: 34", "Left as they are: 1", "stopped already: All containers returned", lotY)
	ann.reopens(dora, "Stopped: 34", lotY)
	ann.done()

	stopped := func(except ...string) {
		t.Helper()
		for _, number := range slices.Concat(lot, other) {
			s := acme.shipment(number)
			switch byAnn := s.LineTrackingStoppedBy == o.users["Ann"].ID && s.LineTrackingStoppedReason == tracking.StoppedByUser && s.LineTrackingStoppedAt.Equal(moment(t, officeNow).Time); {
			case number == lotY:
				if s.LineTrackingStoppedReason != before.LineTrackingStoppedReason || !s.LineTrackingStoppedAt.Equal(before.LineTrackingStoppedAt) || s.Version != before.Version {
					t.Errorf("Y is changed: %+v", s)
				}
			case slices.Contains(except, number) || slices.Contains(other, number):
				if !s.LineTrackingStoppedAt.IsZero() {
					t.Errorf("%s is stopped", number)
				}
			case !byAnn:
				t.Errorf("%s is not stopped by Ann: %v %s", number, s.LineTrackingStoppedAt, s.LineTrackingStoppedReason)
			}
			if !slices.Contains(s.Tags, "spring") || len(s.Containers) != 1 {
				t.Errorf("%s has lost something: %+v", number, s)
			}
		}
	}
	stopped()
	if now := acme.milestones(t, lot); now != events {
		t.Errorf("%d milestones, before %d", now, events)
	}
	for _, h := range []history{{o.operator.For(tracking.Actor{Account: o.accounts[1].Scope()}), o, false}} {
		if s := h.shipment(lotZ); !s.LineTrackingStoppedAt.IsZero() {
			t.Error("a shipment of Other is stopped")
		}
	}
	if active, _, err := acme.Shipments(t.Context(), tracking.ShipmentQuery{Number: "MAEUF00007", Stopped: tracking.No}, tracking.Page{}); err != nil || len(active) != 1 {
		t.Errorf("another shipment is not tracked: %v", err)
	}
	acme.audited(t, "Ann", "shipment.stop_tracking")

	ann.begin()
	ann.write("Search by number", lotZ)
	ann.enter()
	ann.press("Resume tracking")
	ann.sees("Tracking is resumed", lotZ, "Tracked")
	ann.done()
	stopped(lotZ)
	acme.audited(t, "Ann", "shipment.resume_tracking")
	ann.open(question) // and back to the question: it is answered
	ann.sees("Stopped: 34")
	ann.offers(t, false, "Stop tracking: 34 shipments")
	stopped(lotZ)

	acme.announces(t, lot[0], 0)
	acme.announces(t, lotZ, 1)
	dora.open("/shipments?tags=lot-44")
	dora.offers(t, false, "Apply to all: 35 shipments")
	dora.offers(t, false, "Apply to the ticked rows")
}}

// lotVoyage are the facts of a shipment of the lot: at sea, but Y has been picked up.
func lotVoyage(number string) string {
	if number == lotY {
		return `
			actual load CNSHA 2026-04-20T10:00 ship=Tern
			actual depart CNSHA 2026-04-21T10:00 ship=Tern
			actual arrive NLRTM 2026-05-24T10:00 ship=Tern
			actual discharge NLRTM 2026-05-25T10:00 ship=Tern
			actual gate_out NLRTM 2026-05-26T10:00`
	}
	return `
		actual load CNSHA 2026-05-28T10:00 ship=Tern
		actual depart CNSHA 2026-05-29T10:00 ship=Tern
		estimated arrive NLRTM 2026-07-06T10:00 ship=Tern`
}

// milestones counts the milestones of shipments.
func (h history) milestones(t *testing.T, numbers []string) (count int) {
	t.Helper()
	for _, number := range numbers {
		_, n, err := h.TransportEvents(t.Context(), tracking.TransportEventQuery{Shipment: h.shipment(number).ID}, tracking.Page{Number: 1, Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		count += n
	}
	return count
}

// announces reports the arrival of a shipment, and checks whether its webhook is notified.
func (h history) announces(t *testing.T, number string, least int) {
	t.Helper()
	notified := func() (count int) {
		list, _, err := h.WebhookNotifications(t.Context(), tracking.WebhookNotificationQuery{}, tracking.Page{})
		if err != nil {
			t.Fatal(err)
		}
		of, err := h.NotificationSubjects(t.Context(), list)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range of {
			if s.Shipment == h.shipment(number).ID {
				count++
			}
		}
		return count
	}
	before := notified()
	lot, _ := lotNumbers()
	h.report(number, []string{boxNumber(1000 + slices.Index(lot, number))}, `actual arrive NLRTM 2026-06-10T12:00 ship=Tern`)
	if more := notified() - before; more < least || least == 0 && more > 0 {
		t.Errorf("%s announces %d", number, more)
	}
}

// offers checks whether a button can be pressed.
func (c *clerk) offers(t *testing.T, want bool, button string) {
	t.Helper()
	if got := evaluate[bool](c, element("button", button, nil)+` !== null`); got != want {
		t.Errorf("%s is offered %q at %s: %v", c.name, button, c.path(), got)
	}
}

// awaits waits for a text on a page that loads itself again, however long that takes.
func (c *clerk) awaits(text string) {
	c.t.Helper()
	eventually(c.t, patience, func() error {
		if !strings.Contains(c.text(), text) {
			return errors.New(c.name + " waits for " + text)
		}
		return nil
	})
	c.looked()
}

package client_test

import (
	"slices"
	"testing"
	"time"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/trackingtest"
)

// journey is one shipment with one container, by sea.
type journey struct {
	scac, number, container string
	from, to, smdg          string
	vessel                  tracking.VesselRef
	days                    int // from the last of February until its estimated arrival
	terminal                *freight.TerminalFacts
}

var (
	pacificBound = journey{scac: "MAEU", number: "MAEU77001", container: "MRKU9465770", from: "CNSHA", to: "USOAK", smdg: "TRAP", vessel: tracking.VesselRef{IMO: "9321483", Name: "EXAMPLE STAR"}, days: 10,
		terminal: &freight.TerminalFacts{Available: new(bool), Holds: []tracking.Hold{{Name: "customs", Status: "hold"}}, LastFreeDay: tracking.Moment{Time: lastFree.AddDate(0, 0, -9)}}}
	atlanticBound = journey{scac: "MSCU", number: "MEDUAB123456", container: "MSCU6639871", from: "DEHAM", to: "USLAX", smdg: "APMT", vessel: tracking.VesselRef{IMO: "9074729", Name: "EXAMPLE MOON"}, days: 20,
		terminal: &freight.TerminalFacts{Available: yes(), LastFreeDay: tracking.Moment{Time: lastFree}}}
	lastFree = time.Date(2026, 3, 30, 0, 0, 0, 0, time.UTC)
)

func yes() *bool { v := true; return &v }

// report returns the facts of the journey: the container at sea and, after the
// arrival, the data of the terminal.
func (j journey) report(arrived bool) tracking.Report {
	at := time.Date(2026, 2, 28, 8, 0, 0, 0, time.UTC)
	fact := func(id string, what freight.Activity, class freight.Classifier, place tracking.Place, when time.Time) tracking.Fact {
		return tracking.Fact{
			ID: j.number + id, Activity: what, Classifier: class, At: tracking.Moment{Time: when}, Mode: freight.ByVessel, Place: place, Vessel: j.vessel, Voyage: "12E",
			Containers: []string{j.container}, Numbers: []tracking.ShipmentNumber{{Type: tracking.BillOfLading, Number: j.number}},
		}
	}
	from, to := tracking.Place{LOCODE: j.from}, tracking.Place{LOCODE: j.to, SMDG: j.smdg}
	r := tracking.Report{Source: "test", SCAC: j.scac, Facts: []tracking.Fact{
		fact("load", freight.Loading, freight.Actual, from, at), fact("depart", freight.Departure, freight.Actual, from, at.Add(time.Hour)),
		fact("eta", freight.Arrival, freight.Estimated, to, at.AddDate(0, 0, j.days)),
	}}
	if !arrived {
		return r
	}
	said := fact("terminal", freight.TerminalStatus, freight.Actual, to, at.Add(4*time.Hour))
	said.Mode, said.Vessel, said.Voyage, said.DataSource, said.Terminal = "", tracking.VesselRef{}, "", freight.FromTerminal, j.terminal
	r.Facts = append(r.Facts, fact("ata", freight.Arrival, freight.Actual, to, at.Add(2*time.Hour)), fact("discharge", freight.Discharge, freight.Actual, to, at.Add(3*time.Hour)), said)
	return r
}

// newJourneyBench returns a bench with two journeys. The second began an hour later.
type newJourneyBench struct {
	*bench
	early, late time.Time // between the two, and after both
	shipments   [2]*tracking.Shipment
	containers  [2]*tracking.Container
}

func newSailed(t *testing.T) *newJourneyBench {
	t.Helper()
	b, ctx := &newJourneyBench{bench: newBench(t)}, t.Context()
	for i, j := range []journey{pacificBound, atlanticBound} {
		party := must[*tracking.Party](t)(b.Tracker.CreateParty(ctx, tracking.NewParty{CompanyName: j.scac}))
		receipt := must[tracking.Receipt](t)(b.Report(ctx, j.report(i == 0)))
		u := tracking.ShipmentUpdate{Tags: tracking.Set([]string{"tag " + j.scac}), RefNumbers: tracking.Set([]string{"PO " + j.scac}), Customer: tracking.Set(party.ID)}
		b.shipments[i] = must[*tracking.Shipment](t)(b.Tracker.UpdateShipment(ctx, receipt.ShipmentIDs[0], u))
		b.containers[i] = must[*tracking.Container](t)(b.Tracker.UpdateContainer(ctx, b.shipments[i].Containers[0], tracking.ContainerUpdate{RefNumbers: tracking.Set([]string{"BOX " + j.scac})}))
		if i == 0 {
			b.Clock.Advance(30 * time.Minute)
			b.early = b.Clock.Now()
			b.Clock.Advance(30 * time.Minute)
		}
	}
	if !b.shipments[1].LineTrackingStoppedAt.IsZero() {
		t.Fatal("the second is stopped")
	}
	b.shipments[0] = must[*tracking.Shipment](t)(b.Tracker.Shipment(ctx, b.shipments[0].ID))
	b.Clock.Advance(time.Hour)
	b.late = b.Clock.Now()
	return b
}

// selects checks that a list has only the first of two records.
func selects[T any](t *testing.T, name string, l client.List[T], id func(*T) tracking.ID, want ...tracking.ID) {
	t.Helper()
	var got []tracking.ID
	for v, err := range l.All(t.Context()) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		got = append(got, id(v))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: found %v, want %v", name, got, want)
	}
}

// trackedRows are conditions that each select only the first journey, or only the
// second if so marked.
func (b *newJourneyBench) trackedRows() map[string]struct {
	q      tracking.TrackedQuery
	second bool
} {
	type q = tracking.TrackedQuery
	s, eta := b.shipments[0], b.shipments[0].PODETAAt.AddDate(0, 0, 5)
	return map[string]struct {
		q      tracking.TrackedQuery
		second bool
	}{
		"line":           {q: q{SCACs: []string{"MAEU"}}},
		"lines":          {q: q{SCACs: []string{"HLCU", "MAEU"}}},
		"lading":         {q: q{POLs: []string{"CNSHA"}}},
		"discharge":      {q: q{PODs: []string{"USOAK"}}},
		"terminal":       {q: q{PODTerminals: []tracking.ID{s.PODTerminal}}},
		"vessel":         {q: q{VesselIMOs: []string{"9321483"}}},
		"customer":       {q: q{CustomerIDs: []tracking.ID{s.Customer}}},
		"tag":            {q: q{Tags: []string{"tag MAEU"}}},
		"created until":  {q: q{Created: tracking.TimeRange{To: b.early}}},
		"created since":  {q: q{Created: tracking.TimeRange{From: b.early}}, second: true},
		"updated until":  {q: q{Updated: tracking.TimeRange{To: b.early}}},
		"updated since":  {q: q{Updated: tracking.TimeRange{From: b.early}}, second: true},
		"expected until": {q: q{PODETA: tracking.TimeRange{To: eta}}},
		"expected since": {q: q{PODETA: tracking.TimeRange{From: eta}}, second: true},
	}
}

// orders has the sort orders, and whether the first journey comes first.
func orders(names ...string) map[bool][]tracking.Order {
	out := map[bool][]tracking.Order{}
	for _, n := range names {
		out[true], out[false] = append(out[true], tracking.Order{Name: n}), append(out[false], tracking.Order{Name: n, Desc: true})
	}
	return out
}

// Each condition on shipments selects the right records.
func TestShipmentsAreSelected(t *testing.T) {
	b := newSailed(t)
	one, two := b.shipments[0].ID, b.shipments[1].ID
	must[*tracking.Shipment](t)(b.Tracker.StopTracking(t.Context(), two))
	list := func(name string, q tracking.ShipmentQuery, want ...tracking.ID) {
		t.Helper()
		selects(t, name, b.Client.Shipments(q), func(s *tracking.Shipment) tracking.ID { return s.ID }, want...)
	}
	list("all", tracking.ShipmentQuery{}, two, one)
	list("number", tracking.ShipmentQuery{Number: "77001"}, one)
	list("search", tracking.ShipmentQuery{Search: "MAEU"}, one)
	list("stopped", tracking.ShipmentQuery{Stopped: tracking.Yes}, two)
	list("not stopped", tracking.ShipmentQuery{Stopped: tracking.No}, one)
	list("reference", tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{RefNumbers: []string{"PO MAEU"}}}, one)
	must[*tracking.Shipment](t)(b.Tracker.ResumeTracking(t.Context(), two))
	for name, row := range b.trackedRows() {
		want := one
		if row.second {
			want = two
		}
		list(name, tracking.ShipmentQuery{TrackedQuery: row.q}, want)
	}
	for _, by := range []string{"created_at", "updated_at", "pod_eta_at"} {
		sorted := orders(by)
		list("by "+by, tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{Sort: sorted[true]}}, one, two)
		list("by -"+by, tracking.ShipmentQuery{TrackedQuery: tracking.TrackedQuery{Sort: sorted[false]}}, two, one)
	}
}

// Each condition on containers selects the right records.
func TestContainersAreSelected(t *testing.T) {
	b := newSailed(t)
	one, two := b.containers[0].ID, b.containers[1].ID
	list := func(name string, q tracking.ContainerQuery, want ...tracking.ID) {
		t.Helper()
		selects(t, name, b.Client.Containers(q), func(c *tracking.Container) tracking.ID { return c.ID }, want...)
	}
	list("all", tracking.ContainerQuery{}, two, one)
	list("number", tracking.ContainerQuery{Numbers: []string{"mrku 946577-0"}}, one)
	list("status", tracking.ContainerQuery{Statuses: []tracking.ContainerStatus{b.containers[0].CurrentStatus}}, one)
	list("reference of the shipment", tracking.ContainerQuery{TrackedQuery: tracking.TrackedQuery{RefNumbers: []string{"PO MAEU"}}}, one)
	list("reference", tracking.ContainerQuery{TrackedQuery: tracking.TrackedQuery{RefNumbers: []string{"BOX MAEU"}}}, one)
	for name, row := range b.trackedRows() {
		want := one
		if row.second {
			want = two
		}
		list(name, tracking.ContainerQuery{TrackedQuery: row.q}, want)
	}
	for _, by := range []string{"created_at", "updated_at", "pod_eta_at"} {
		sorted := orders(by)
		list("by "+by, tracking.ContainerQuery{TrackedQuery: tracking.TrackedQuery{Sort: sorted[true]}}, one, two)
		list("by -"+by, tracking.ContainerQuery{TrackedQuery: tracking.TrackedQuery{Sort: sorted[false]}}, two, one)
	}
	must[tracking.Receipt](t)(b.Report(t.Context(), atlanticBound.report(true)))
	between := lastFree.AddDate(0, 0, -5)
	list("free until", tracking.ContainerQuery{PickupLFD: tracking.TimeRange{To: between}}, one)
	list("free since", tracking.ContainerQuery{PickupLFD: tracking.TimeRange{From: between}}, two)
	list("available", tracking.ContainerQuery{Available: tracking.Yes}, two)
	list("not available", tracking.ContainerQuery{Available: tracking.No}, one)
	list("held", tracking.ContainerQuery{HasHold: tracking.Yes}, one)
	list("not held", tracking.ContainerQuery{HasHold: tracking.No}, two)
}

// ShipmentAsOf and ContainerAsOf return past values.
func TestAsOf(t *testing.T) {
	b, ctx := newSailed(t), t.Context()
	shipment, container := b.shipments[1].ID, b.containers[1].ID
	must[tracking.Receipt](t)(b.Report(ctx, atlanticBound.report(true)))
	b.Clock.Advance(time.Minute)
	for _, row := range []struct {
		when    time.Time
		arrived bool
	}{{b.late.Add(-time.Second), false}, {b.Clock.Now(), true}} {
		s := must[client.Answer[tracking.Shipment]](t)(b.ShipmentAsOf(ctx, shipment, row.when)).Record
		c := must[client.Answer[tracking.Container]](t)(b.ContainerAsOf(ctx, container, row.when)).Record
		if s.PODATAAt.IsZero() == row.arrived || c.PODDischargedAt.IsZero() == row.arrived {
			t.Errorf("at %v it arrived at %v, and was discharged at %v", row.when, s.PODATAAt, c.PODDischargedAt)
		}
	}
}

// Revisions are restricted to the given attributes.
func TestRevisionsAreSelected(t *testing.T) {
	b := newSailed(t)
	for attribute, some := range map[tracking.RevisedAttribute]bool{"pod_eta_at": true, "pol_etd_at": false} {
		if found := all(t, b.ETARevisions(b.shipments[1].ID, []tracking.RevisedAttribute{attribute})); (len(found) > 0) != some {
			t.Errorf("%d revisions of %s", len(found), attribute)
		}
	}
}

// Each condition on tracking requests selects the right records.
func TestTrackingRequestsAreSelected(t *testing.T) {
	b, ctx := newSailed(t), t.Context()
	var ids [2]tracking.ID
	var between time.Time
	for i, n := range []tracking.NewTrackingRequest{
		{Number: "MAEU77001", SCAC: "MAEU", Type: tracking.BillOfLading},
		{Number: "MEDUXY999999", SCAC: "MSCU", Type: tracking.BillOfLading},
	} {
		ids[i] = must[*tracking.TrackingRequest](t)(b.Tracker.CreateTrackingRequest(ctx, n)).ID
		if i == 0 {
			b.Settle()
			b.Clock.Advance(time.Minute)
			between = b.Clock.Now()
			b.Clock.Advance(time.Minute)
		}
	}
	one, two := ids[0], ids[1]
	done := must[*tracking.TrackingRequest](t)(b.Tracker.TrackingRequest(ctx, one)).Status
	list := func(name string, q tracking.TrackingRequestQuery, want ...tracking.ID) {
		t.Helper()
		selects(t, name, b.Client.TrackingRequests(q), func(r *tracking.TrackingRequest) tracking.ID { return r.ID }, want...)
	}
	list("all", tracking.TrackingRequestQuery{}, two, one)
	list("search", tracking.TrackingRequestQuery{Search: "MAEU"}, one)
	list("number", tracking.TrackingRequestQuery{Numbers: []string{"77001"}}, one)
	list("status", tracking.TrackingRequestQuery{Statuses: []tracking.RequestStatus{done}}, one)
	list("line", tracking.TrackingRequestQuery{SCACs: []string{"MAEU"}}, one)
	list("created until", tracking.TrackingRequestQuery{Created: tracking.TimeRange{To: between}}, one)
	list("created since", tracking.TrackingRequestQuery{Created: tracking.TimeRange{From: between}}, two)
	list("updated until", tracking.TrackingRequestQuery{Updated: tracking.TimeRange{To: between}}, one)
	list("updated since", tracking.TrackingRequestQuery{Updated: tracking.TimeRange{From: between}}, two)
	for _, by := range []string{"created_at", "updated_at"} {
		sorted := orders(by)
		list("by "+by, tracking.TrackingRequestQuery{Sort: sorted[true]}, one, two)
		list("by -"+by, tracking.TrackingRequestQuery{Sort: sorted[false]}, two, one)
	}
}

// Each condition on webhooks and notifications selects the right records.
func TestNotificationsAreSelected(t *testing.T) {
	b, ctx := newSailed(t), t.Context()
	var hooks [2]tracking.ID
	for i, event := range []tracking.EventName{freight.TrackingRequestSucceeded, freight.TrackingRequestFailed} {
		hooks[i] = must[*tracking.Webhook](t)(b.Tracker.CreateWebhook(ctx, tracking.NewWebhook{URL: "https://example.com/" + string(event), Events: []tracking.EventName{event}})).ID
	}
	must[*tracking.TrackingRequest](t)(b.Tracker.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "MAEU77001", SCAC: "MAEU", Type: tracking.BillOfLading}))
	b.Settle()
	b.Clock.Advance(time.Minute)
	between := b.Clock.Now()
	b.Clock.Advance(time.Minute)
	b.Notifier.Script("https://example.com/"+string(freight.TrackingRequestFailed), tracking.Outcome{Status: 500, Failure: tracking.FailStatus})
	b.Source.Script("MAEU88001", trackingtest.Reply{Err: &tracking.SourceError{Reason: freight.InvalidNumber}})
	must[*tracking.TrackingRequest](t)(b.Tracker.CreateTrackingRequest(ctx, tracking.NewTrackingRequest{Number: "MAEU88001", SCAC: "MAEU", Type: tracking.BillOfLading}))
	b.Settle()
	found := all(t, b.Client.WebhookNotifications(tracking.WebhookNotificationQuery{}))
	if len(found) != 2 {
		t.Fatalf("%d notifications", len(found))
	}
	if found[1].DeliveryStatus != tracking.DeliverySucceeded || found[0].DeliveryStatus == tracking.DeliverySucceeded {
		t.Fatalf("they are %+v, %+v", found[0], found[1])
	}
	one, two := found[1].ID, found[0].ID
	list := func(name string, q tracking.WebhookNotificationQuery, want ...tracking.ID) {
		t.Helper()
		selects(t, name, b.Client.WebhookNotifications(q), func(n *tracking.WebhookNotification) tracking.ID { return n.ID }, want...)
	}
	list("webhook", tracking.WebhookNotificationQuery{Webhooks: hooks[:1]}, one)
	list("event", tracking.WebhookNotificationQuery{Events: []tracking.EventName{freight.TrackingRequestSucceeded}}, one)
	list("status", tracking.WebhookNotificationQuery{Statuses: []tracking.DeliveryStatus{tracking.DeliverySucceeded}}, one)
	list("created until", tracking.WebhookNotificationQuery{Created: tracking.TimeRange{To: between}}, one)
	list("created since", tracking.WebhookNotificationQuery{Created: tracking.TimeRange{From: between}}, two)
	list("tried until", tracking.WebhookNotificationQuery{LastAttempt: tracking.TimeRange{To: between}}, one)
	list("tried since", tracking.WebhookNotificationQuery{LastAttempt: tracking.TimeRange{From: between}}, two)

	must[*tracking.Webhook](t)(b.Tracker.UpdateWebhook(ctx, hooks[1], tracking.WebhookUpdate{Active: tracking.Set(false)}))
	byID := func(w *tracking.Webhook) tracking.ID { return w.ID }
	selects(t, "active", b.Client.Webhooks(tracking.WebhookQuery{Active: tracking.Yes}), byID, hooks[0])
	selects(t, "inactive", b.Client.Webhooks(tracking.WebhookQuery{Active: tracking.No}), byID, hooks[1])
}
